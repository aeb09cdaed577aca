// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"
#include "domain/provider/instance.h"
#include "domain/resources/resource_sample.h"
#include "domain/result.h"
#include "domain/secret.h"
#include "net/http_message.h"
#include "providers/e2b/settings.h"

#include <QtCore/QVersionNumber>

// The bytes of both surfaces, without any I/O. Unknown members and values are passed over; what is
// needed and missing is Protocol.
namespace berth::e2b {

//! What create and connect answer: how to reach what is in the sandbox.
struct Access
{
    QString id;
    QVersionNumber envd;
    //! Empty: an insecure sandbox, which asks for none.
    domain::Secret token;
    //! Only where the traffic from outside was forbidden.
    domain::Secret trafficToken;
    //! Empty: the configured one.
    QString domain;
};

//! One entry of a list, or the answer about one.
struct Record
{
    domain::Instance instance;
    //! What was written into its metadata when it was made; nullopt: not by this Berth's rules.
    std::optional<SandboxSettings> settings;
    QVersionNumber envd;
    QDateTime endAt;
    //! What happens at endAt; a list does not say.
    std::optional<bool> pausesAtTheEnd;
    double cpus = 0;
    qint64 memoryBytes = 0;
    qint64 diskBytes = 0;
};

struct RecordPage
{
    QList<Record> records;
    //! Of the header; empty: the last page.
    QByteArray next;
};

// The API.

//! The metadata of a new sandbox: its labels, its name, when it was made (startedAt is that of the
//! last resume), and the settings that the row may have had of its own.
QMap<QString, QString> metadataFor(const domain::InstanceLabels &labels, const QString &name,
                                   const SandboxSettings &settings, const QDateTime &now);
//! \a isOld: for POST /sandboxes, which makes insecure ones unless asked.
QByteArray encodeCreate(const SandboxSettings &settings, const QMap<QString, QString> &metadata,
                        bool isOld);
QByteArray encodeTimeout(std::chrono::seconds timeout);
//! The value of "metadata=" in the query, percent-encoded three times as the service wants it.
QByteArray metadataFilter(const QMap<QString, QString> &pairs);

domain::Result<Access> decodeAccess(const QByteArray &body);
//! Of a fork of one: [{"sandbox": …}] or [{"error": …}].
domain::Result<Access> decodeForked(const QByteArray &body);
domain::Result<Record> decodeRecord(const QByteArray &body);
domain::Result<QList<Record>> decodeRecords(const QByteArray &body);
//! The newest of the list; nullopt when it is empty, as it is just after a start.
domain::Result<std::optional<domain::ResourceSample>> decodeMetrics(const QByteArray &body);

//! "code" and "message" of an error's body, as far as it is one of the API's own.
struct ApiProblem
{
    bool isOwn = false;
    QString message;
    QString code;
};
ApiProblem apiProblem(const QByteArray &body);
//! \a what: "Pausing the sandbox".
domain::Error apiError(const net::HttpHead &head, const QByteArray &body, const QString &what);
//! The server does not know this call (and not: this sandbox, this template).
bool isUnknownCall(int status, const QByteArray &body);
//! A 404 in the API's own words about a sandbox. It says so too of one of another account.
bool saysSandboxIsMissing(int status, const QByteArray &body);

//! "iabc-client" names the sandbox "iabc". Empty for what cannot be the id of one.
QString plainId(const domain::ExternalId &id);

// What is in a sandbox: Connect RPC in JSON.

struct StartRequest
{
    QString program;
    QStringList arguments;
    QMap<QString, QString> environment;
    QString directory;
    QString tag;
    bool openInput = false;
    //! Columns and rows.
    std::optional<std::pair<int, int>> terminal;
};
QByteArray encodeStart(const StartRequest &request);
//! {"process":{"pid":1}}, for what needs no more.
QByteArray encodeProcess(qint64 pid);
//! The same by the tag that it was started with.
QByteArray encodeProcessTag(const QString &tag);
QByteArray encodeInput(qint64 pid, const QByteArray &bytes, bool isTerminal);
QByteArray encodeResize(qint64 pid, int columns, int rows);
//! {"path":…} and the two of a move. Paths have to be valid UTF-8.
QByteArray encodePath(const QByteArray &path);
QByteArray encodeMove(const QByteArray &from, const QByteArray &to);

struct ConnectProblem
{
    //! "not_found", "deadline_exceeded", …
    QString code;
    QString message;
};
struct ProcessEvent
{
    //! Over: the end of the stream itself, after all else.
    enum class Kind { Start, Output, KeepAlive, End, Over, Unknown };
    Kind kind = Kind::Unknown;
    //! Start
    qint64 pid = 0;
    //! Output; a terminal's is Stdout.
    domain::OutputStream stream = domain::OutputStream::Stdout;
    QByteArray bytes;
    //! End: the exit code, or -1 with a signal's name in status.
    int exitCode = 0;
    QString status;
    //! Over: why it went wrong.
    std::optional<ConnectProblem> problem;
};
domain::Result<ProcessEvent> decodeEvent(const QByteArray &payload);
//! "signal: killed" → 9; 0 for what names none. The names are those of Go on Linux.
int signalOf(const QString &status);

//! Of the last envelope; nullopt: a good end.
domain::Result<std::optional<ConnectProblem>> decodeEnd(const QByteArray &payload);
domain::Error connectError(const ConnectProblem &problem, const QString &what);
//! Of an answer that is no stream and no success: Connect's own, or that of a proxy in front.
domain::Error envdError(const net::HttpHead &head, const QByteArray &body, const QString &what);
//! The sandbox is paused or dead, or there is no such one: the proxy's 502.
bool saysNotRunning(int status, const QByteArray &body);

struct ListedProcess
{
    qint64 pid = 0;
    QString tag;
};
domain::Result<QList<ListedProcess>> decodeProcesses(const QByteArray &body);

} // namespace berth::e2b
