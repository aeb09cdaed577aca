// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/toolbox.h"

#include "net/json_fields.h"
#include "net/script/tracked_command.h"

#include <nlohmann/json.hpp>

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using net::ScriptRequest;
using net::ScriptResult;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

QByteArray sessionPath(const QString &session, const QByteArray &rest = {})
{
    return "/process/session/" + net::percentEncoded(session.toUtf8()) + rest;
}

QByteArray commandPath(const QString &session, const QString &command, const QByteArray &rest = {})
{
    return sessionPath(session, "/command/" + net::percentEncoded(command.toUtf8()) + rest);
}

//! The daemon in the sandbox itself says that it does not know what was asked for.
bool isMissing(const net::HttpResponse &answer)
{
    return answer.head.status == 404 && !saysNotRunning(404, answer.body)
        && reasonIn(answer.body).contains(QLatin1String("not found"), Qt::CaseInsensitive);
}

//! The session's shell has ended: what was to be run was not.
bool isDeadSession(const net::HttpResponse &answer)
{
    const QString said = reasonIn(answer.body);
    return answer.head.status == 410
        || (answer.head.status == 400
            && (said.contains(QLatin1String("failed to write command"))
                || said.contains(QLatin1String("session cancelled"))));
}

Async<net::HttpResponse> successOf(ServicePtr toolbox, Call call, QString what,
                                   std::stop_token stop)
{
    const Result<net::HttpResponse> answer = co_await ask(toolbox, call, stop);
    if (!answer)
        co_return failure(unanswered(answer.error(), what, toolbox->base));
    if (answer->head.isSuccess())
        co_return answer;
    domain::Error error = toolboxError(answer->head, answer->body, what);
    if (isMissing(*answer) || isDeadSession(*answer))
        error.kind = ErrorKind::NotFound;
    co_return failure(error);
}

//! The shell of the service reads its text one byte at a time, so what is more goes another way.
constexpr qsizetype kInText = 8 * 1024;

Async<void> uploadNow(ServicePtr toolbox, QByteArray path, QByteArray content, QByteArray id,
                      std::stop_token stop)
{
    const QString what = QStringLiteral("Sending a file to the sandbox");
    const auto [body, type] = uploadForm(content, id);
    net::WebRequest request =
        toolbox->request("POST", "/files/upload?path=" + net::percentEncoded(path));
    request.headers.append(QByteArrayLiteral("Content-Type"), type);
    request.body = body;
    request.deadlines.firstByte = toolbox->patience * 2;
    const Result<net::HttpResponse> answer = co_await toolbox->http->send(request, stop);
    if (!answer)
        co_return failure(unanswered(answer.error(), what, toolbox->base));
    if (!answer->head.isSuccess())
        co_return failure(toolboxError(answer->head, answer->body, what));
    co_return Result<void>{};
}

Async<ScriptResult> runNow(ServicePtr toolbox, ScriptRequest request, std::stop_token stop)
{
    const QByteArray id = net::newRunId();
    QByteArray input;
    if (request.input.size() > kInText) {
        input = "/tmp/.berth-in-" + id;
        const QByteArray content = std::exchange(request.input, {});
        const Result<void> sent = co_await uploadNow(toolbox, input, content, id, stop);
        if (!sent)
            co_return failure(sent.error());
    }
    const qint64 seconds =
        std::max<qint64>(1, std::chrono::ceil<std::chrono::seconds>(request.timeout).count());
    Call call;
    call.method = QByteArrayLiteral("POST");
    call.path = QByteArrayLiteral("/process/execute");
    call.body = net::dumped(
        {{"command", executeText(request, id, input).toStdString()}, {"timeout", seconds}});
    call.patience = std::chrono::seconds(seconds) + 10s;
    const QString what = QStringLiteral("Running a command in the sandbox");
    const Result<QByteArray> body = co_await askToolbox(toolbox, call, what, stop);
    if (!body)
        co_return failure(body.error());
    const Result<Executed> executed = decodeExecuted(*body);
    if (!executed)
        co_return failure(executed.error());
    const std::optional<ScriptResult> result = executeResult(*executed, id);
    if (result)
        co_return *result;
    const QString said = QString::fromUtf8(executed->text.left(500)).trimmed();
    // "fork/exec /usr/bin/bash: no such file or directory": what Daytona names is the shell, also
    // when the directory is what is missing.
    if (executed->code == -1)
        co_return failure(
            ErrorKind::Unavailable,
            QStringLiteral("Daytona could not start a shell in the sandbox"),
            said
                + QStringLiteral(". The image needs a shell where its /etc/shells says; a "
                                 "self-hosted Daytona needs bash at /usr/bin/bash"));
    co_return failure(ErrorKind::Protocol,
                      QStringLiteral("A command in the sandbox ended in the middle (code %1)")
                          .arg(executed->code),
                      said);
}

} // namespace

Async<void> createSession(ServicePtr toolbox, QString session, std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("POST");
    call.path = QByteArrayLiteral("/process/session");
    call.body = net::dumped({{"sessionId", session.toStdString()}});
    const Result<net::HttpResponse> answer =
        co_await successOf(toolbox, call, QStringLiteral("Opening a session in the sandbox"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>{};
}

Async<void> deleteSession(ServicePtr toolbox, QString session, std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("DELETE");
    call.path = sessionPath(session);
    const Result<net::HttpResponse> answer =
        co_await successOf(toolbox, call, QStringLiteral("Closing a session"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>{};
}

Async<QList<Session>> listSessions(ServicePtr toolbox, std::stop_token stop)
{
    Call call;
    call.path = QByteArrayLiteral("/process/session");
    call.repeatable = true;
    const Result<net::HttpResponse> answer =
        co_await successOf(toolbox, call, QStringLiteral("Listing the sandbox's sessions"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return decodeSessions(answer->body);
}

Async<QString> executeInSession(ServicePtr toolbox, QString session, QByteArray command,
                                std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("POST");
    call.path = sessionPath(session, QByteArrayLiteral("/exec"));
    call.body = net::dumped(
        {{"command", command.toStdString()}, {"runAsync", true}, {"suppressInputEcho", true}});
    const Result<net::HttpResponse> answer =
        co_await successOf(toolbox, call, QStringLiteral("Starting the command"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return decodeCommandId(answer->body);
}

Async<SessionCommand> getCommand(ServicePtr toolbox, QString session, QString command,
                                 std::stop_token stop)
{
    Call call;
    call.path = commandPath(session, command);
    call.repeatable = true;
    const Result<net::HttpResponse> answer =
        co_await successOf(toolbox, call, QStringLiteral("Looking at the command"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return decodeCommand(answer->body);
}

Async<void> sendInput(ServicePtr toolbox, QString session, QString command, QByteArray line,
                      std::chrono::milliseconds patience, std::stop_token stop)
{
    Call call;
    call.method = QByteArrayLiteral("POST");
    call.path = commandPath(session, command, QByteArrayLiteral("/input"));
    call.body = net::dumped({{"data", line.toStdString()}});
    call.patience = patience;
    const Result<net::HttpResponse> answer =
        co_await successOf(toolbox, call, QStringLiteral("Sending input"), stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>{};
}

Async<std::shared_ptr<net::WebStream>> openLog(ServicePtr toolbox, QString session, QString command,
                                               std::stop_token stop)
{
    const QString what = QStringLiteral("Following the command");
    const net::WebRequest request = toolbox->request(
        "GET", commandPath(session, command, QByteArrayLiteral("/logs?follow=true")));
    const Result<std::shared_ptr<net::WebStream>> opened =
        co_await toolbox->http->open(request, stop);
    if (!opened)
        co_return failure(unanswered(opened.error(), what, toolbox->base));
    const std::shared_ptr<net::WebStream> stream = *opened;
    if (stream->head().isSuccess())
        co_return stream;
    const Result<QByteArray> body = co_await stream->rest(64 * 1024, 10s, stop);
    net::HttpResponse answer{stream->head(), body.value_or(QByteArray())};
    domain::Error error = toolboxError(answer.head, answer.body, what);
    if (isMissing(answer))
        error.kind = ErrorKind::NotFound;
    co_return failure(error);
}

namespace {

// A shell of its own runs the script, so that no part of it is taken for the parts around it;
// standard error is kept until the end. "RUN" is replaced.
constexpr char kBefore[] = "_bs() { /bin/sh -s <<'BERTH_RUN'\n";
constexpr char kBehind[] = R"sh(
BERTH_RUN
}
exec 3>&1
_be=$(_bs 2>&1 >&3 3>&- </dev/null)
_bc=$?
printf '\n\036RUN\n%s' "$_be"
exit $_bc
)sh";

} // namespace

QByteArray executeText(const ScriptRequest &request, const QByteArray &id, const QByteArray &input)
{
    const QByteArray script =
        input.isEmpty() ? net::scriptWithInput(request) : "{ " + request.script + "\n} <" + input;
    QByteArray behind = QByteArray(kBehind).replace("036RUN", "036" + id);
    if (!input.isEmpty())
        behind.replace("_bc=$?\n", "_bc=$?\nrm -f " + input + '\n');
    return kBefore + script + behind;
}

std::pair<QByteArray, QByteArray> uploadForm(const QByteArray &content, const QByteArray &id)
{
    // A boundary that no content has by chance.
    const QByteArray boundary = "berth-" + id;
    return {"--" + boundary
                + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
                  "Content-Type: application/octet-stream\r\n\r\n"
                + content + "\r\n--" + boundary + "--\r\n",
            "multipart/form-data; boundary=" + boundary};
}

std::optional<ScriptResult> executeResult(const Executed &executed, const QByteArray &id)
{
    const QByteArray separator = "\n\036" + id + '\n';
    const qsizetype at = executed.text.lastIndexOf(separator);
    if (at < 0)
        return std::nullopt;
    return ScriptResult{executed.code, executed.text.left(at),
                        executed.text.mid(at + separator.size())};
}

Async<ScriptResult> ToolboxRunner::run(ScriptRequest request, std::stop_token stop)
{
    return runNow(m_toolbox, std::move(request), std::move(stop));
}

} // namespace berth::daytona
