// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/task.h"

#include <memory>
#include <stop_token>

namespace berth::async {

//! Owns the coroutines that nobody awaits. Shutdown: requestStop(), then await drained(); a test
//! asserts live() == 0. Everything happens on the thread that made the scope.
class Scope
{
public:
    Scope();
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

    void spawn(Task<void> task);
    [[nodiscard]] int live() const;
    [[nodiscard]] std::stop_token token() const;
    void requestStop();
    //! Completes once no coroutine of this scope is alive.
    Task<void> drained();

private:
    struct State;
    std::shared_ptr<State> m_state;

    static Task<void> run(std::shared_ptr<State> state, Task<void> task);
};

} // namespace berth::async
