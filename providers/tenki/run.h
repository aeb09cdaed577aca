// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"
#include "net/script/script_runner.h"
#include "providers/tenki/data_plane.h"

// The Run call: a program with its whole input, its output as it comes, its end.
namespace berth::tenki {

//! What the guest offers to take of a command's input before it asks for more is 256 KiB; the whole
//! input goes up at once, so that it has to fit.
constexpr qint64 kLargestInput = 192 * 1024;

//! A command line of one argument holds at most 128 KiB; a longer script goes in as input.
GrpcCall scriptCall(const QString &session, const QByteArray &script, const QByteArray &directory,
                    const QByteArray &input, std::chrono::milliseconds timeout,
                    const QString &what);

//! Why the guest could not run anything at all; nullopt: it is the end of a command.
std::optional<domain::Error> runProblem(const RunExit &exit);
//! "KILL", "SIGKILL", "9": 9; 0: none that is known.
int signalNumber(const QByteArray &name);
//! \a budget: what the guest was told; it counts where the guest does not say that it was the time.
domain::Outcome outcomeOf(const RunExit &exit, std::chrono::milliseconds budget);

//! Small scripts, for files and for what has to be done about a command.
class TenkiScriptRunner : public net::ScriptRunner
{
public:
    explicit TenkiScriptRunner(std::shared_ptr<DataPlane> plane) : m_plane(std::move(plane)) {}

    domain::Async<net::ScriptResult> run(net::ScriptRequest request, std::stop_token stop) override;
    [[nodiscard]] qint64 largestInput() const override { return kLargestInput; }
    [[nodiscard]] qint64 largestOutput() const override { return 4 * 1024 * 1024; }
    [[nodiscard]] bool isBinarySafe() const override { return true; }

private:
    std::shared_ptr<DataPlane> m_plane;
};

domain::Async<net::ScriptResult> runScript(std::shared_ptr<DataPlane> plane,
                                           net::ScriptRequest request, std::stop_token stop);

} // namespace berth::tenki
