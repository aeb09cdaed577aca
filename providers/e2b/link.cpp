// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/link.h"

#include "async/sleep.h"
#include "domain/log.h"
#include "providers/e2b/resident.h"

#include <utility>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

namespace {

constexpr qint64 kLargestOutput = 16 * 1024 * 1024;

milliseconds pauseBetween(const Link &link)
{
    if (link.extendEvery.count() > 0)
        return link.extendEvery;
    // Twice may fail before it is too late.
    return milliseconds(link.settings.timeout) / 3;
}

async::Task<void> extendNow(LinkPtr link)
{
    link->lastExtended.start();
    const std::stop_token stop = link->scope.token();
    const Result<void> done =
        co_await extendSandbox(link->api, link->envd->access.id, link->settings.timeout, stop);
    if (done || done.error().kind == ErrorKind::Cancelled)
        co_return;
    domain::log(domain::LogLevel::Warning, "e2b",
                QStringLiteral("the life of %1 was not extended: %2 %3")
                    .arg(link->envd->access.id, done.error().message, done.error().detail));
}

async::Task<void> keepNow(LinkPtr link)
{
    const std::stop_token stop = link->scope.token();
    while (link->isOpen && link->live > 0) {
        const bool elapsed = co_await async::sleepFor(pauseBetween(*link), stop);
        if (!elapsed)
            break;
        // One that is paused does not live on by it.
        if (link->isOpen && link->live > 0 && !link->sleep)
            co_await extendNow(link);
    }
    link->isKeeping = false;
}

} // namespace

void Link::lose(const QString &why)
{
    if (!std::exchange(isOpen, false))
        return;
    reason = why;
    scope.requestStop();
    if (sleep)
        std::exchange(sleep, std::nullopt)->complete(false);
    if (onLost)
        onLost(why);
}

void Link::fallAsleep()
{
    // Their streams do not live through it.
    for (const ResidentPtr &resident : std::exchange(idle, {}))
        resident->halt.request_stop();
    if (!sleep)
        sleep.emplace();
}

void Link::wake(std::optional<Access> access)
{
    if (access && isOpen) {
        Envd next = *envd;
        next.access = *access;
        envd = std::make_shared<const Envd>(next);
        lastExtended.start();
    }
    if (sleep)
        std::exchange(sleep, std::nullopt)->complete(true);
}

void noteUse(const LinkPtr &link)
{
    if (!link->isOpen || link->sleep)
        return;
    if (!link->lastExtended.isValid()
        || link->lastExtended.elapsed() >= pauseBetween(*link).count())
        link->scope.spawn(extendNow(link));
}

void countCommand(const LinkPtr &link, int change)
{
    link->live += change;
    if (link->live <= 0 || !link->isOpen)
        return;
    noteUse(link);
    if (!std::exchange(link->isKeeping, true))
        link->scope.spawn(keepNow(link));
}

Async<QString> suspect(LinkPtr link, std::stop_token stop)
{
    if (!link->isOpen)
        co_return link->reason;
    const Result<bool> running = co_await isRunning(link->envd, stop);
    if (!running && running.error().kind == ErrorKind::Cancelled)
        co_return failure(running.error());
    if (running && *running)
        co_return QString();
    const QString why = running
        ? QStringLiteral("the sandbox does not run: its time was over, or somebody else paused or "
                         "destroyed it")
        : QStringLiteral("the sandbox cannot be reached: %1").arg(running.error().detail);
    // Between our own pause and resume that is no surprise.
    if (!link->sleep)
        link->lose(why);
    co_return why;
}

Async<net::ScriptResult> runScript(LinkPtr link, net::ScriptRequest request, std::stop_token stop)
{
    if (!link->isOpen)
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The connection to the sandbox is closed"), link->reason);
    StartRequest start;
    start.program = QStringLiteral("/bin/sh");
    start.directory = QStringLiteral("/");
    QByteArray script = request.script;
    if (!request.input.isEmpty()) {
        // So that the end of the input needs no further call, which older sandboxes do not know.
        script = "head -c " + QByteArray::number(request.input.size()) + " | /bin/sh -c "
            + net::shellWord(script);
        start.openInput = true;
    }
    start.arguments = {QStringLiteral("-c"), QString::fromLatin1(script)};
    const Result<EventStreamPtr> opened =
        co_await startProcess(link->envd, start, request.timeout, stop);
    if (!opened) {
        if (opened.error().kind == ErrorKind::Unavailable && link->isOpen) {
            const Result<QString> why = co_await suspect(link, stop);
            Q_UNUSED(why)
        }
        co_return failure(opened.error());
    }
    const EventStreamPtr events = *opened;
    net::ScriptResult result;
    bool hasEnded = false;
    for (;;) {
        const Result<ProcessEvent> event = co_await events->next(stop);
        if (!event)
            co_return failure(event.error());
        switch (event->kind) {
        case ProcessEvent::Kind::Start:
            if (!request.input.isEmpty()) {
                const QByteArray body = encodeInput(event->pid, request.input, false);
                // A script that does not read it all ends with a refusal here and its own code.
                const Result<QByteArray> sent =
                    co_await callEnvd(link->envd, "process.Process/SendInput", body,
                                      QStringLiteral("Sending input"), stop);
                if (!sent && sent.error().kind == ErrorKind::Cancelled)
                    co_return failure(sent.error());
            }
            break;
        case ProcessEvent::Kind::Output: {
            QByteArray &to =
                event->stream == domain::OutputStream::Stdout ? result.out : result.err;
            to += event->bytes;
            if (to.size() > kLargestOutput)
                co_return failure(ErrorKind::Protocol,
                                  QStringLiteral("A script in the sandbox printed too much"));
            break;
        }
        case ProcessEvent::Kind::End:
            hasEnded = true;
            result.code = event->exitCode;
            if (event->exitCode < 0)
                result.code = 128 + signalOf(event->status);
            break;
        case ProcessEvent::Kind::Over: {
            if (event->problem) {
                Error error = connectError(*event->problem, QStringLiteral("Running a script"));
                if (error.kind == ErrorKind::Unauthorized)
                    error.kind = ErrorKind::InvalidInput; // an unknown user of the sandbox
                co_return failure(error);
            }
            if (!hasEnded)
                co_return failure(ErrorKind::Protocol,
                                  QStringLiteral("The sandbox does not tell how a script ended"));
            const net::ScriptResult done = result;
            co_return done;
        }
        case ProcessEvent::Kind::KeepAlive:
        case ProcessEvent::Kind::Unknown:
            break;
        }
    }
}

} // namespace berth::e2b
