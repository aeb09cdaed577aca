// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/post.h"

#include <QtCore/QThread>

#include <coroutine>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace berth::async {

//! A value that will be there later. Any number of coroutines may await it; each gets a copy.
//! All use is on one thread: whoever completes from another thread posts there first (see post()).
//! Waiters are resumed from the event loop, never inside complete(), so that the completing object
//! may be in any state, or be deleted by what it wakes.
template <typename T>
class Completion
{
public:
    Completion() : m_state(std::make_shared<State>()) {}

    [[nodiscard]] bool isComplete() const { return m_state->value.has_value(); }

    //! The first value wins; later ones are ignored.
    void complete(T value) const
    {
        Q_ASSERT(QThread::currentThread() == m_state->thread);
        if (m_state->value)
            return;
        m_state->value.emplace(std::move(value));
        for (const std::coroutine_handle<> waiter : std::exchange(m_state->waiters, {}))
            postHere([waiter, keep = m_state] { waiter.resume(); });
    }

    auto operator co_await() const
    {
        struct Awaiter
        {
            std::shared_ptr<State> state;
            bool await_ready() const { return state->value.has_value(); }
            void await_suspend(std::coroutine_handle<> handle) const
            {
                Q_ASSERT(QThread::currentThread() == state->thread);
                state->waiters.push_back(handle);
            }
            T await_resume() const { return *state->value; }
        };
        return Awaiter{m_state};
    }

private:
    struct State
    {
        QThread *thread = QThread::currentThread();
        std::optional<T> value;
        std::vector<std::coroutine_handle<>> waiters;
    };
    std::shared_ptr<State> m_state;
};

} // namespace berth::async
