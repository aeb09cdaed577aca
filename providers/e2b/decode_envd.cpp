// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/json_fields.h"
#include "net/web/status_error.h"
#include "providers/e2b/decode.h"

#include <nlohmann/json.hpp>

#include <array>

namespace berth::e2b {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::OutputStream;
using domain::Result;
using net::dumped;
using net::integerIn;
using net::objectIn;
using net::parsed;
using net::textIn;
using nlohmann::json;

namespace {

tl::unexpected<Error> badMessage(const char *what)
{
    return failure(
        ErrorKind::Protocol,
        QStringLiteral("The sandbox's answer makes no sense: %1").arg(QLatin1String(what)));
}

//! Go's words for the signals of Linux, as its os package prints them.
constexpr std::array<std::pair<QLatin1String, int>, 20> kGoSignals{{
    {QLatin1String("hangup"), 1},
    {QLatin1String("interrupt"), 2},
    {QLatin1String("quit"), 3},
    {QLatin1String("illegal instruction"), 4},
    {QLatin1String("trace/breakpoint trap"), 5},
    {QLatin1String("aborted"), 6},
    {QLatin1String("bus error"), 7},
    {QLatin1String("floating point exception"), 8},
    {QLatin1String("killed"), 9},
    {QLatin1String("user defined signal 1"), 10},
    {QLatin1String("segmentation fault"), 11},
    {QLatin1String("user defined signal 2"), 12},
    {QLatin1String("broken pipe"), 13},
    {QLatin1String("alarm clock"), 14},
    {QLatin1String("terminated"), 15},
    {QLatin1String("stack fault"), 16},
    {QLatin1String("CPU time limit exceeded"), 24},
    {QLatin1String("file size limit exceeded"), 25},
    {QLatin1String("I/O possible"), 29},
    {QLatin1String("bad system call"), 31},
}};

json selector(qint64 pid)
{
    return {{"pid", pid}};
}

std::string base64(const QByteArray &bytes)
{
    return bytes.toBase64().toStdString();
}

std::optional<ConnectProblem> problemIn(const json &object)
{
    // A string, unlike the number of the API's and the proxy's errors.
    const QString code = textIn(object, "code");
    if (code.isEmpty())
        return std::nullopt;
    return ConnectProblem{code, textIn(object, "message").simplified().left(500)};
}

ErrorKind kindOf(const QString &code)
{
    static constexpr std::array<std::pair<QLatin1String, ErrorKind>, 16> kKinds{{
        {QLatin1String("canceled"), ErrorKind::Cancelled},
        {QLatin1String("unknown"), ErrorKind::Unavailable},
        {QLatin1String("invalid_argument"), ErrorKind::InvalidInput},
        {QLatin1String("deadline_exceeded"), ErrorKind::Timeout},
        {QLatin1String("not_found"), ErrorKind::NotFound},
        {QLatin1String("already_exists"), ErrorKind::Conflict},
        {QLatin1String("permission_denied"), ErrorKind::Forbidden},
        {QLatin1String("resource_exhausted"), ErrorKind::RateLimited},
        {QLatin1String("failed_precondition"), ErrorKind::Conflict},
        {QLatin1String("aborted"), ErrorKind::Conflict},
        {QLatin1String("out_of_range"), ErrorKind::InvalidInput},
        {QLatin1String("unimplemented"), ErrorKind::Unsupported},
        {QLatin1String("internal"), ErrorKind::Unavailable},
        {QLatin1String("unavailable"), ErrorKind::Unavailable},
        {QLatin1String("data_loss"), ErrorKind::Protocol},
        {QLatin1String("unauthenticated"), ErrorKind::Unauthorized},
    }};
    for (const auto &[name, kind] : kKinds) {
        if (code == name)
            return kind;
    }
    return ErrorKind::Protocol;
}

} // namespace

QByteArray encodeStart(const StartRequest &request)
{
    json process = {{"cmd", request.program.toStdString()}};
    for (const QString &argument : request.arguments)
        process["args"].push_back(argument.toStdString());
    for (auto it = request.environment.begin(); it != request.environment.end(); ++it)
        process["envs"][it.key().toStdString()] = it.value().toStdString();
    if (!request.directory.isEmpty())
        process["cwd"] = request.directory.toStdString();
    json body = {{"process", process}};
    if (request.terminal) {
        body["pty"]["size"] = {{"cols", request.terminal->first},
                               {"rows", request.terminal->second}};
    } else {
        // Without it the input is open.
        body["stdin"] = request.openInput;
    }
    if (!request.tag.isEmpty())
        body["tag"] = request.tag.toStdString();
    return dumped(body);
}

QByteArray encodeProcess(qint64 pid)
{
    return dumped({{"process", selector(pid)}});
}

QByteArray encodeProcessTag(const QString &tag)
{
    return dumped({{"process", {{"tag", tag.toStdString()}}}});
}

QByteArray encodeInput(qint64 pid, const QByteArray &bytes, bool isTerminal)
{
    return dumped(
        {{"process", selector(pid)}, {"input", {{isTerminal ? "pty" : "stdin", base64(bytes)}}}});
}

QByteArray encodeResize(qint64 pid, int columns, int rows)
{
    return dumped(
        {{"process", selector(pid)}, {"pty", {{"size", {{"cols", columns}, {"rows", rows}}}}}});
}

Result<ProcessEvent> decodeEvent(const QByteArray &payload)
{
    const json message = parsed(payload);
    if (!message.is_object())
        return badMessage("an event that is no object");
    ProcessEvent made;
    const json *event = objectIn(message, "event");
    if (!event)
        return made;
    if (const json *start = objectIn(*event, "start")) {
        made.kind = ProcessEvent::Kind::Start;
        made.pid = integerIn(*start, "pid").value_or(0);
    } else if (const json *data = objectIn(*event, "data")) {
        made.kind = ProcessEvent::Kind::Output;
        for (const auto &[key, stream] :
             {std::pair("stdout", OutputStream::Stdout), std::pair("stderr", OutputStream::Stderr),
              std::pair("pty", OutputStream::Stdout)}) {
            const QString text = textIn(*data, key);
            if (text.isEmpty())
                continue;
            const auto decoded = QByteArray::fromBase64Encoding(
                text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
            if (!decoded)
                return badMessage("output that is no Base64");
            made.stream = stream;
            made.bytes = *decoded;
        }
    } else if (const json *end = objectIn(*event, "end")) {
        made.kind = ProcessEvent::Kind::End;
        made.exitCode = static_cast<int>(integerIn(*end, "exitCode").value_or(0));
        made.status = textIn(*end, "status");
        if (made.status.isEmpty())
            made.status = textIn(*end, "error");
    } else if (objectIn(*event, "keepalive")) {
        made.kind = ProcessEvent::Kind::KeepAlive;
    }
    return made;
}

int signalOf(const QString &status)
{
    const QString prefix = QStringLiteral("signal: ");
    if (!status.startsWith(prefix))
        return 0;
    // "signal: segmentation fault (core dumped)"
    const QString name = status.mid(prefix.size()).section(QStringLiteral(" ("), 0, 0).trimmed();
    for (const auto &[known, number] : kGoSignals) {
        if (name == known)
            return number;
    }
    bool fine = false;
    const int number = name.section(QLatin1Char(' '), -1).toInt(&fine);
    return fine && number > 0 && number < 65 ? number : 0;
}

Result<std::optional<ConnectProblem>> decodeEnd(const QByteArray &payload)
{
    const json message = parsed(payload);
    if (!message.is_object())
        return badMessage("an end of the stream that is no object");
    const json *error = objectIn(message, "error");
    if (!error)
        return std::optional<ConnectProblem>();
    const std::optional<ConnectProblem> problem = problemIn(*error);
    return problem ? problem : ConnectProblem{QStringLiteral("unknown"), textIn(*error, "message")};
}

Error connectError(const ConnectProblem &problem, const QString &what)
{
    return {kindOf(problem.code),
            what + QStringLiteral(" failed"),
            problem.message.isEmpty() ? problem.code : problem.message,
            {},
            {}};
}

Error envdError(const net::HttpHead &head, const QByteArray &body, const QString &what)
{
    const json object = parsed(body);
    if (const std::optional<ConnectProblem> problem = problemIn(object)) {
        Error error = connectError(*problem, what);
        error.httpStatus = head.status;
        return error;
    }
    const QString said = textIn(object, "message").simplified().left(500);
    Error error = net::httpError(head, what + QStringLiteral(" failed"), said);
    switch (head.status) {
    case 401:
        // The token of this sandbox, not the user's key.
        error.kind = ErrorKind::Unavailable;
        error.message = QStringLiteral("The sandbox does not accept its token any more");
        break;
    case 403:
        error.message = QStringLiteral("The sandbox takes no traffic from outside");
        break;
    case 502:
        error.message = saysNotRunning(head.status, body)
            ? QStringLiteral("The sandbox does not run: it is paused or gone")
            : QStringLiteral("The sandbox's own service does not answer");
        break;
    case 409:
        error.kind = ErrorKind::Unavailable;
        error.message = QStringLiteral("The sandbox is just being paused or resumed");
        break;
    case 404:
        // No path and no process was asked for by a status alone.
        error.kind = ErrorKind::Protocol;
        break;
    default:
        break;
    }
    if (error.detail.isEmpty())
        error.detail = QStringLiteral("It answered %1 without a reason").arg(head.status);
    return error;
}

bool saysNotRunning(int status, const QByteArray &body)
{
    return status == 502 && !textIn(parsed(body), "sandboxId").isEmpty()
        && !integerIn(parsed(body), "port");
}

Result<QList<ListedProcess>> decodeProcesses(const QByteArray &body)
{
    const json message = parsed(body);
    if (!message.is_object())
        return badMessage("a list of processes that is none");
    QList<ListedProcess> processes;
    const auto list = message.find("processes");
    if (list == message.end() || !list->is_array())
        return processes;
    for (const json &entry : *list) {
        ListedProcess process;
        process.pid = integerIn(entry, "pid").value_or(0);
        process.tag = textIn(entry, "tag");
        if (process.pid > 0)
            processes.append(process);
    }
    return processes;
}

QByteArray encodeMove(const QByteArray &from, const QByteArray &to)
{
    return dumped({{"source", from.toStdString()}, {"destination", to.toStdString()}});
}

QByteArray encodePath(const QByteArray &path)
{
    return dumped({{"path", path.toStdString()}});
}

} // namespace berth::e2b
