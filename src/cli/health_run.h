// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! Prints the steps of a test while they come. Those of an answer that overtook its events follow
//! in the end.
class StepPrinter final : public QObject
{
public:
    explicit StepPrinter(const Context &context);

    void print(const domain::HealthStep &step);
    //! What is left of \a health, and how it went; the exit code, or what is wrong.
    domain::Result<int> finish(const application::HealthView &health);

private:
    CliContext *m_context;
    qsizetype m_printed = 0;
};

//! Sends a command that tests something and prints its steps.
template <typename Command>
domain::Async<int> testRun(Context context, Command command)
{
    StepPrinter printer(context);
    const domain::Result<application::HealthView> health = co_await ask(context, command);
    if (!health)
        co_return domain::failure(health.error());
    co_return printer.finish(*health);
}

} // namespace berth::cli
