// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/run.h"

#include <QtCore/QElapsedTimer>

#include <algorithm>
#include <array>
#include <csignal>

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Outcome;
using domain::OutcomeKind;
using domain::Result;

namespace {

constexpr qsizetype kLongestArgument = 120 * 1024;
constexpr qsizetype kInputPiece = 64 * 1024;
//! What a script prints beyond this is not for us.
constexpr qsizetype kLargestOutput = 64 * 1024 * 1024;

} // namespace

Async<net::ScriptResult> runScript(std::shared_ptr<DataPlane> plane, net::ScriptRequest request,
                                   std::stop_token stop)
{
    const QString what = QStringLiteral("Running a script in the sandbox");
    const std::chrono::milliseconds limit = request.timeout + plane->core()->patience.grace;
    GrpcCall call = scriptCall(plane->sessionId(), request.script, QByteArrayLiteral("/"),
                               request.input, request.timeout, what);
    call.answerWithin = limit;
    QElapsedTimer clock;
    clock.start();
    const CallResult<Opened> opened = co_await plane->open(call, stop);
    if (!opened)
        co_return failure(opened.error().error);
    net::ScriptResult result;
    std::optional<RunExit> exit;
    std::optional<QByteArray> message = opened->first;
    while (message) {
        const Result<RunFrame> frame = decodeRunFrame(*message);
        if (!frame)
            co_return failure(frame.error());
        if (const auto *output = std::get_if<RunOutput>(&*frame))
            (output->isStderr ? result.err : result.out) += output->bytes;
        if (const auto *end = std::get_if<RunExit>(&*frame)) {
            exit = *end;
            break;
        }
        if (result.out.size() + result.err.size() > kLargestOutput)
            co_return failure(ErrorKind::Protocol,
                              QStringLiteral("A script in the sandbox printed without end"));
        const std::chrono::milliseconds left = limit - std::chrono::milliseconds(clock.elapsed());
        if (left.count() <= 0)
            co_return failure(
                ErrorKind::Timeout,
                QStringLiteral("The sandbox did not answer within %1 s").arg(limit.count() / 1000));
        const CallResult<std::optional<QByteArray>> next =
            co_await opened->stream->next(left, stop);
        if (!next)
            co_return failure(next.error().error);
        message = *next;
    }
    if (!exit)
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The sandbox did not tell how a script ended"));
    if (const std::optional<domain::Error> problem = runProblem(*exit))
        co_return failure(*problem);
    const Outcome outcome = outcomeOf(*exit, request.timeout);
    if (outcome.kind == OutcomeKind::TimedOut)
        co_return failure(ErrorKind::Timeout,
                          QStringLiteral("A script in the sandbox took longer than %1 s")
                              .arg(request.timeout.count() / 1000));
    result.code = domain::exitCodeOf(outcome);
    co_return result;
}

GrpcCall scriptCall(const QString &session, const QByteArray &script, const QByteArray &directory,
                    const QByteArray &input, std::chrono::milliseconds timeout, const QString &what)
{
    RunStart start;
    start.session = session;
    start.cwd = directory;
    start.timeout = timeout;
    start.argv = {QByteArrayLiteral("/bin/sh"), QByteArrayLiteral("-c"), script};
    QByteArray rest = input;
    if (script.size() > kLongestArgument) {
        start.argv = {QByteArrayLiteral("/bin/sh")};
        rest = script + '\n' + input;
    }
    GrpcCall call = grpcCall("Run", encodeRunStart(start), what);
    for (qsizetype at = 0; at < rest.size(); at += kInputPiece)
        call.body += net::envelope(0, encodeRunInput(rest.mid(at, kInputPiece)));
    call.body += net::envelope(0, encodeRunInputEnd());
    return call;
}

std::optional<domain::Error> runProblem(const RunExit &exit)
{
    // Words of the guest's agent for what is no end of a command.
    if (exit.reason.startsWith("first_frame_timeout"))
        return domain::Error{ErrorKind::Unavailable,
                             QStringLiteral("Nothing in the sandbox answers Tenki's call"),
                             QStringLiteral("Its agent is silent; pausing and resuming the sandbox "
                                            "may help"),
                             {},
                             {}};
    if (exit.reason.startsWith("capability_unavailable"))
        return domain::Error{ErrorKind::Unsupported,
                             QStringLiteral("This sandbox cannot run commands"),
                             QStringLiteral("Its agent is older than Tenki's Run call; make a new "
                                            "sandbox"),
                             {},
                             {}};
    if (exit.errorNumber == 2)
        return domain::Error{ErrorKind::NotFound,
                             QStringLiteral("The sandbox has no /bin/sh, or no such directory"),
                             {},
                             {},
                             {}};
    if (exit.errorNumber != 0)
        return domain::Error{ErrorKind::Unavailable,
                             QStringLiteral("The sandbox could not start a process"),
                             QStringLiteral("Error number %1").arg(exit.errorNumber),
                             {},
                             {}};
    return std::nullopt;
}

int signalNumber(const QByteArray &name)
{
    QByteArray bare = name.trimmed().toUpper();
    if (bare.startsWith("SIG"))
        bare = bare.mid(3);
    bool isNumber = false;
    const int number = bare.toInt(&isNumber);
    if (isNumber)
        return number > 0 && number < 65 ? number : 0;
    static constexpr std::array<std::pair<const char *, int>, 16> kNames{{{"HUP", SIGHUP},
                                                                          {"INT", SIGINT},
                                                                          {"QUIT", SIGQUIT},
                                                                          {"ILL", SIGILL},
                                                                          {"TRAP", SIGTRAP},
                                                                          {"ABRT", SIGABRT},
                                                                          {"BUS", SIGBUS},
                                                                          {"FPE", SIGFPE},
                                                                          {"KILL", SIGKILL},
                                                                          {"USR1", SIGUSR1},
                                                                          {"SEGV", SIGSEGV},
                                                                          {"USR2", SIGUSR2},
                                                                          {"PIPE", SIGPIPE},
                                                                          {"ALRM", SIGALRM},
                                                                          {"TERM", SIGTERM},
                                                                          {"XCPU", SIGXCPU}}};
    const auto known = std::find_if(kNames.begin(), kNames.end(),
                                    [&bare](const auto &one) { return bare == one.first; });
    return known == kNames.end() ? 0 : known->second;
}

Outcome outcomeOf(const RunExit &exit, std::chrono::milliseconds budget)
{
    Outcome outcome;
    outcome.duration = exit.duration;
    const int number = signalNumber(exit.signal);
    const bool killed = exit.code == 137 || number == SIGKILL;
    if (exit.timedOut || (killed && budget.count() > 0 && exit.duration >= budget)) {
        outcome.kind = OutcomeKind::TimedOut;
        outcome.detail = QStringLiteral("Tenki killed it in the sandbox after %1 s, the time for a "
                                        "command (timeout_ms); what it had printed is kept")
                             .arg(double(budget.count()) / 1000);
        return outcome;
    }
    if (number > 0 || !exit.signal.isEmpty()) {
        outcome.kind = OutcomeKind::Signalled;
        outcome.code = number > 0 ? number : std::max(0, exit.code - 128);
        return outcome;
    }
    outcome.kind = OutcomeKind::Exited;
    outcome.code = exit.code;
    return outcome;
}

Async<net::ScriptResult> TenkiScriptRunner::run(net::ScriptRequest request, std::stop_token stop)
{
    return runScript(m_plane, std::move(request), std::move(stop));
}

} // namespace berth::tenki
