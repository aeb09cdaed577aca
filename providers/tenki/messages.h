// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/secret.h"

#include <QtCore/QByteArray>
#include <QtCore/QDateTime>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

// Between values and the bytes of tenki.proto: the only place that knows protobuf. What cannot be
// read is Protocol; unknown fields are skipped, unknown enum values are Unknown.
namespace berth::tenki {

enum class SessionState {
    Unspecified,
    Creating,
    Running,
    Paused,
    Terminating,
    Terminated,
    Pausing,
    Resuming,
    //! Stopped from inside, resumed like a paused one.
    UserShutdown,
    Unknown
};

//! Whether the edge already leads to a session's data plane.
enum class RouteStatus { Unspecified, Verified, NotReady, Failed, Unknown };

struct Session
{
    QString id;
    SessionState state = SessionState::Unspecified;
    //! As it came, for the words on a state that is not known here.
    int stateNumber = 0;
    QString name;
    QString workspaceId;
    QString image;
    QMap<QString, QString> metadata;
    QDateTime createdAt;
    QDateTime readyAt;
    //! When it ends by itself; invalid: not told.
    QDateTime timeoutAt;
    int cpuCores = 0;
    int memoryMb = 0;
    int diskGb = 0;
    //! Why it is not well, in Tenki's words.
    QString trouble;
};

//! The way to a session's data plane.
struct Route
{
    QString endpoint;
    //! Never stored, never shown.
    domain::Secret credential;
    QDateTime expiresAt;
    RouteStatus status = RouteStatus::Unspecified;
};

//! Of CreateSession and WaitSession.
struct Reached
{
    Session session;
    Route route;
};

struct SessionPage
{
    QList<Session> sessions;
    QByteArray next;
};

struct Account
{
    QString ownerType;
    QString ownerId;
    //! Id and name.
    QList<std::pair<QString, QString>> workspaces;
};

struct CreatePlan
{
    QString name;
    QString workspaceId;
    QMap<QString, QString> metadata;
    QStringList tags;
    QString registryRef;
    QString snapshotId;
    //! 0: Tenki's own default, for all that follow.
    int cpuCores = 0;
    int memoryMb = 0;
    int diskGb = 0;
    int idleMinutes = 0;
    std::chrono::seconds lifetime{0};
};

QByteArray encodeCreate(const CreatePlan &plan);
//! GetSession, PauseSession, ResumeSession, TerminateSession, WaitSession, CreateSessionCredential.
QByteArray encodeSession(const QString &id);
QByteArray encodeExtend(const QString &id, std::chrono::seconds more);
QByteArray encodeList(const QString &workspaceId, const QByteArray &token, bool withTerminated);

domain::Result<Reached> decodeReached(const QByteArray &message);
domain::Result<Session> decodeSession(const QByteArray &message);
domain::Result<Route> decodeRoute(const QByteArray &message);
domain::Result<SessionPage> decodeList(const QByteArray &message);
domain::Result<Account> decodeAccount(const QByteArray &message);

struct RunStart
{
    QString session;
    QList<QByteArray> argv;
    QByteArray cwd;
    std::chrono::milliseconds timeout{0};
};

struct RunStarted
{
    qint64 pid = 0;
};
struct RunOutput
{
    bool isStderr = false;
    QByteArray bytes;
};
struct RunExit
{
    int code = 0;
    //! "KILL"; empty: none.
    QByteArray signal;
    bool timedOut = false;
    std::chrono::milliseconds duration{0};
    //! "exit", "signaled", "timeout", or why the command could not be run.
    QByteArray reason;
    int errorNumber = 0;
};
//! Flow control of an input that is all there from the start, or a frame of a newer version.
struct RunOther
{};
using RunFrame = std::variant<RunOther, RunStarted, RunOutput, RunExit>;

QByteArray encodeRunStart(const RunStart &start);
QByteArray encodeRunInput(const QByteArray &bytes);
QByteArray encodeRunInputEnd();
domain::Result<RunFrame> decodeRunFrame(const QByteArray &message);

struct FileFacts
{
    bool exists = false;
    bool isDirectory = false;
    bool isLink = false;
    qint64 size = 0;
};

struct FileChunk
{
    QByteArray bytes;
    bool isLast = false;
};

QByteArray encodeStat(const QString &session, const QByteArray &path);
domain::Result<FileFacts> decodeStat(const QByteArray &message);
QByteArray encodeRead(const QString &session, const QByteArray &path, qint64 offset, qint64 length);
domain::Result<FileChunk> decodeChunk(const QByteArray &message);
//! Replaces what is there.
QByteArray encodeWriteStart(const QString &session, const QByteArray &path, int mode);
QByteArray encodeWriteData(QByteArrayView bytes);
//! How many bytes were written.
domain::Result<qint64> decodeWritten(const QByteArray &message);

} // namespace berth::tenki
