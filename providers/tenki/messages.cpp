// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/messages.h"

#include <tenki.pb.h>

#include <algorithm>
#include <limits>
#include <string>

namespace berth::tenki {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

std::string textOf(const QString &text)
{
    return text.toStdString();
}

std::string bytesOf(QByteArrayView bytes)
{
    return {bytes.data(), static_cast<std::size_t>(bytes.size())};
}

QString text(const std::string &value)
{
    return QString::fromStdString(value);
}

QByteArray bytes(const std::string &value)
{
    return {value.data(), static_cast<qsizetype>(value.size())};
}

//! What may be no text at all.
QString words(const std::string &value)
{
    QString told = QString::fromUtf8(bytes(value)).trimmed().left(500);
    for (QChar &one : told) {
        if (!one.isPrint())
            one = QLatin1Char(' ');
    }
    return told;
}

QDateTime moment(const wire::Timestamp &at)
{
    // Years that no service means are none.
    if (at.seconds() <= 0 || at.seconds() > qint64(1) << 40)
        return {};
    return QDateTime::fromMSecsSinceEpoch(at.seconds() * 1000 + at.nanos() / 1'000'000, Qt::UTC);
}

template <typename Message>
QByteArray encoded(const Message &message)
{
    return bytes(message.SerializeAsString());
}

template <typename Message>
Result<Message> parsed(const QByteArray &from)
{
    Message message;
    if (message.ParseFromArray(from.constData(), static_cast<int>(from.size())))
        return message;
    return failure(
        ErrorKind::Protocol, QStringLiteral("Tenki's answer cannot be understood"),
        QStringLiteral("Its %1 bytes are not the message that was to come").arg(from.size()));
}

tl::unexpected<domain::Error> missing(const char *what)
{
    return failure(ErrorKind::Protocol, QStringLiteral("Tenki's answer cannot be understood"),
                   QStringLiteral("There is no %1 in it").arg(QLatin1String(what)));
}

SessionState stateFrom(wire::SessionState state)
{
    switch (static_cast<int>(state)) {
    case wire::SESSION_STATE_UNSPECIFIED:
        return SessionState::Unspecified;
    case wire::SESSION_STATE_CREATING:
        return SessionState::Creating;
    case wire::SESSION_STATE_RUNNING:
        return SessionState::Running;
    case wire::SESSION_STATE_PAUSED:
        return SessionState::Paused;
    case wire::SESSION_STATE_TERMINATING:
        return SessionState::Terminating;
    case wire::SESSION_STATE_TERMINATED:
        return SessionState::Terminated;
    case wire::SESSION_STATE_PAUSING:
        return SessionState::Pausing;
    case wire::SESSION_STATE_RESUMING:
        return SessionState::Resuming;
    case wire::SESSION_STATE_USER_SHUTDOWN:
        return SessionState::UserShutdown;
    default:
        return SessionState::Unknown;
    }
}

RouteStatus statusFrom(wire::RouteStatus status)
{
    switch (static_cast<int>(status)) {
    case wire::ROUTE_STATUS_UNSPECIFIED:
        return RouteStatus::Unspecified;
    case wire::ROUTE_STATUS_VERIFIED:
        return RouteStatus::Verified;
    case wire::ROUTE_STATUS_NOT_READY:
        return RouteStatus::NotReady;
    case wire::ROUTE_STATUS_FAILED:
        return RouteStatus::Failed;
    default:
        return RouteStatus::Unknown;
    }
}

Session sessionFrom(const wire::Session &message)
{
    Session session;
    session.id = text(message.id());
    session.state = stateFrom(message.state());
    session.stateNumber = static_cast<int>(message.state());
    session.name = text(message.name());
    session.workspaceId = text(message.workspace_id());
    session.image = words(message.source_registry_ref());
    if (session.image.isEmpty() && !message.snapshot_id().empty())
        session.image = QStringLiteral("snapshot %1").arg(text(message.snapshot_id()));
    for (const auto &[key, value] : message.metadata())
        session.metadata.insert(text(key), text(value));
    session.createdAt = moment(message.created_at());
    session.readyAt = moment(message.ready_at());
    session.timeoutAt = moment(message.timeout_at());
    session.cpuCores = message.cpu_cores();
    session.memoryMb = message.memory_mb();
    session.diskGb = message.disk_size_gb();
    session.trouble = words(message.terminal_error());
    if (session.trouble.isEmpty())
        session.trouble = words(message.last_resume_error());
    return session;
}

Route routeFrom(const std::string &endpoint, const wire::Credential &credential,
                wire::RouteStatus status)
{
    Route route;
    route.endpoint = text(endpoint);
    route.credential = domain::Secret(bytes(credential.credential()));
    route.expiresAt = moment(credential.expires_at());
    route.status = statusFrom(status);
    return route;
}

} // namespace

QByteArray encodeCreate(const CreatePlan &plan)
{
    wire::CreateSessionRequest message;
    // Whoever the key stands for, as the service's own client writes it.
    message.set_owner_id("self");
    message.set_owner_type("SERVICE");
    message.set_allow_inbound(true);
    message.set_allow_outbound(true);
    if (plan.lifetime.count() > 0)
        message.mutable_max_duration()->set_seconds(plan.lifetime.count());
    message.set_cpu_cores(plan.cpuCores);
    message.set_memory_mb(plan.memoryMb);
    message.set_disk_size_gb(plan.diskGb);
    message.set_idle_timeout_minutes(plan.idleMinutes);
    for (auto it = plan.metadata.begin(); it != plan.metadata.end(); ++it)
        (*message.mutable_metadata())[textOf(it.key())] = textOf(it.value());
    for (const QString &tag : plan.tags)
        message.add_tags(textOf(tag));
    message.set_name(textOf(plan.name));
    message.set_workspace_id(textOf(plan.workspaceId));
    message.set_registry_ref(textOf(plan.registryRef));
    message.set_snapshot_id(textOf(plan.snapshotId));
    return encoded(message);
}

QByteArray encodeSession(const QString &id)
{
    wire::SessionRequest message;
    message.set_session_id(textOf(id));
    return encoded(message);
}

QByteArray encodeExtend(const QString &id, std::chrono::seconds more)
{
    wire::ExtendSessionRequest message;
    message.set_session_id(textOf(id));
    message.mutable_additional_duration()->set_seconds(more.count());
    return encoded(message);
}

QByteArray encodeList(const QString &workspaceId, const QByteArray &token, bool withTerminated)
{
    wire::ListRequest message;
    message.set_workspace_id(textOf(workspaceId));
    message.set_page_size(100);
    message.set_page_token(bytesOf(token));
    message.set_include_terminated(withTerminated);
    return encoded(message);
}

Result<Reached> decodeReached(const QByteArray &from)
{
    const Result<wire::SessionReached> message = parsed<wire::SessionReached>(from);
    if (!message)
        return failure(message.error());
    if (message->session().id().empty())
        return missing("session");
    return Reached{
        sessionFrom(message->session()),
        routeFrom(message->data_plane_endpoint(), message->credential(), message->route_status())};
}

Result<Session> decodeSession(const QByteArray &from)
{
    const Result<wire::SessionAnswer> message = parsed<wire::SessionAnswer>(from);
    if (!message)
        return failure(message.error());
    if (message->session().id().empty())
        return missing("session");
    return sessionFrom(message->session());
}

Result<Route> decodeRoute(const QByteArray &from)
{
    const Result<wire::CredentialAnswer> message = parsed<wire::CredentialAnswer>(from);
    if (!message)
        return failure(message.error());
    return routeFrom(message->data_plane_endpoint(), message->credential(),
                     message->route_status());
}

Result<SessionPage> decodeList(const QByteArray &from)
{
    const Result<wire::ListAnswer> message = parsed<wire::ListAnswer>(from);
    if (!message)
        return failure(message.error());
    SessionPage page;
    for (const wire::Session &one : message->sessions()) {
        if (one.id().empty())
            return missing("id of a session");
        page.sessions.append(sessionFrom(one));
    }
    page.next = bytes(message->next_page_token());
    return page;
}

Result<Account> decodeAccount(const QByteArray &from)
{
    const Result<wire::WhoAmIAnswer> message = parsed<wire::WhoAmIAnswer>(from);
    if (!message)
        return failure(message.error());
    Account account;
    account.ownerType = text(message->owner_type());
    account.ownerId = text(message->owner_id());
    for (const wire::Workspace &one : message->workspaces())
        account.workspaces.append({text(one.workspace_id()), text(one.name())});
    return account;
}

QByteArray encodeRunStart(const RunStart &start)
{
    wire::RunClientMessage message;
    wire::RunStart *made = message.mutable_frame()->mutable_start();
    made->set_session_id(textOf(start.session));
    for (const QByteArray &word : start.argv)
        made->add_cmd(bytesOf(word));
    made->set_cwd(bytesOf(start.cwd));
    made->set_stream_stdin(true);
    constexpr qint64 kMost = std::numeric_limits<quint32>::max();
    made->set_timeout_ms(static_cast<quint32>(std::clamp<qint64>(start.timeout.count(), 0, kMost)));
    return encoded(message);
}

QByteArray encodeRunInput(const QByteArray &input)
{
    wire::RunClientMessage message;
    message.mutable_frame()->set_stdin_data(bytesOf(input));
    return encoded(message);
}

QByteArray encodeRunInputEnd()
{
    wire::RunClientMessage message;
    message.mutable_frame()->set_stdin_close(true);
    return encoded(message);
}

Result<RunFrame> decodeRunFrame(const QByteArray &from)
{
    const Result<wire::RunServerMessage> message = parsed<wire::RunServerMessage>(from);
    if (!message)
        return failure(message.error());
    const wire::RunServerFrame &frame = message->frame();
    switch (frame.frame_case()) {
    case wire::RunServerFrame::kStarted:
        return RunFrame(RunStarted{static_cast<qint64>(frame.started().pid())});
    case wire::RunServerFrame::kStdoutData:
        return RunFrame(RunOutput{false, bytes(frame.stdout_data())});
    case wire::RunServerFrame::kStderrData:
        return RunFrame(RunOutput{true, bytes(frame.stderr_data())});
    case wire::RunServerFrame::kExit: {
        const wire::RunExit &exit = frame.exit();
        return RunFrame(RunExit{exit.exit_code(), bytes(exit.signal()), exit.timed_out(),
                                std::chrono::milliseconds(exit.duration_ms()), bytes(exit.reason()),
                                exit.errno_value()});
    }
    case wire::RunServerFrame::kFlow:
    case wire::RunServerFrame::FRAME_NOT_SET:
        break;
    }
    return RunFrame(RunOther());
}

QByteArray encodeStat(const QString &session, const QByteArray &path)
{
    wire::FileRequestMessage message;
    message.mutable_request()->set_session_id(textOf(session));
    message.mutable_request()->set_path(bytesOf(path));
    return encoded(message);
}

Result<FileFacts> decodeStat(const QByteArray &from)
{
    const Result<wire::FileStatMessage> message = parsed<wire::FileStatMessage>(from);
    if (!message)
        return failure(message.error());
    const wire::FileStat &stat = message->response();
    return FileFacts{stat.exists(), stat.is_dir(), stat.is_symlink(), stat.size()};
}

QByteArray encodeRead(const QString &session, const QByteArray &path, qint64 offset, qint64 length)
{
    wire::FileRequestMessage message;
    wire::FileRequest *request = message.mutable_request();
    request->set_session_id(textOf(session));
    request->set_path(bytesOf(path));
    request->set_offset(offset);
    request->set_length(length);
    return encoded(message);
}

Result<FileChunk> decodeChunk(const QByteArray &from)
{
    const Result<wire::FileChunkMessage> message = parsed<wire::FileChunkMessage>(from);
    if (!message)
        return failure(message.error());
    return FileChunk{bytes(message->response().data()), message->response().eof()};
}

QByteArray encodeWriteStart(const QString &session, const QByteArray &path, int mode)
{
    wire::WriteMessage message;
    wire::WriteStart *start = message.mutable_frame()->mutable_start();
    start->set_session_id(textOf(session));
    start->set_path(bytesOf(path));
    start->set_mode(static_cast<quint32>(mode));
    start->set_truncate(true);
    return encoded(message);
}

QByteArray encodeWriteData(QByteArrayView data)
{
    wire::WriteMessage message;
    message.mutable_frame()->set_data(bytesOf(data));
    return encoded(message);
}

Result<qint64> decodeWritten(const QByteArray &from)
{
    const Result<wire::WrittenMessage> message = parsed<wire::WrittenMessage>(from);
    if (!message)
        return failure(message.error());
    return message->response().bytes_written();
}

} // namespace berth::tenki
