// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/task.h"

#include <deque>
#include <memory>

namespace berth::async {

//! Lets one coroutine at a time through, in the order of arrival. For one thread.
class Turnstile
{
    struct State
    {
        bool taken = false;
        std::deque<Completion<bool>> waiting;
    };

public:
    //! Held while one is inside; lets the next in when destroyed.
    class Pass
    {
    public:
        explicit Pass(std::shared_ptr<State> state) : m_state(std::move(state)) {}
        Pass(Pass &&other) noexcept : m_state(std::move(other.m_state)) {}
        Pass(const Pass &) = delete;
        Pass &operator=(const Pass &) = delete;
        Pass &operator=(Pass &&) = delete;
        ~Pass()
        {
            if (!m_state)
                return;
            if (m_state->waiting.empty()) {
                m_state->taken = false;
                return;
            }
            // Stays taken: it passes straight to the next one.
            const Completion<bool> next = m_state->waiting.front();
            m_state->waiting.pop_front();
            next.complete(true);
        }

    private:
        std::shared_ptr<State> m_state;
    };

    Turnstile() : m_state(std::make_shared<State>()) {}

    Task<std::shared_ptr<Pass>> enter()
    {
        const std::shared_ptr<State> state = m_state;
        if (state->taken) {
            const Completion<bool> turn;
            state->waiting.push_back(turn);
            co_await turn;
        }
        state->taken = true;
        co_return std::make_shared<Pass>(state);
    }

private:
    std::shared_ptr<State> m_state;
};

} // namespace berth::async
