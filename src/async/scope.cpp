// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/scope.h"

namespace berth::async {

struct Scope::State
{
    int live = 0;
    std::stop_source stop;
    std::vector<Completion<bool>> waiters;
};

Scope::Scope() : m_state(std::make_shared<State>()) {}

Scope::~Scope() = default;

void Scope::spawn(Task<void> task)
{
    run(m_state, std::move(task));
}

int Scope::live() const
{
    return m_state->live;
}

std::stop_token Scope::token() const
{
    return m_state->stop.get_token();
}

void Scope::requestStop()
{
    m_state->stop.request_stop();
}

Task<void> Scope::drained()
{
    const std::shared_ptr<State> state = m_state;
    while (state->live > 0) {
        const Completion<bool> empty;
        state->waiters.push_back(empty);
        co_await empty;
    }
}

Task<void> Scope::run(std::shared_ptr<State> state, Task<void> task)
{
    ++state->live;
    co_await task;
    --state->live;
    if (state->live == 0) {
        for (const Completion<bool> &waiter : std::exchange(state->waiters, {}))
            waiter.complete(true);
    }
}

} // namespace berth::async
