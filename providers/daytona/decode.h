// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/instance.h"
#include "domain/resources/resource_sample.h"
#include "domain/result.h"
#include "net/http_message.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>

#include <optional>

// From the service's answers to values: pure functions, tested on recordings.
namespace berth::daytona {

//! The reason in an answer of the control plane or of the toolbox, bounded: JSON with message,
//! error or errors[], else plain text.
QString reasonIn(const QByteArray &body);

//! The error for a status of 400 and above from the control plane. \a what says what was tried:
//! "Starting the sandbox". NotFound only when the service says so of a sandbox: a missing route or
//! a proxy's page is Protocol.
domain::Error apiError(const net::HttpHead &head, const QByteArray &body, const QString &what);
//! Likewise from a sandbox's toolbox, where nothing tells that a sandbox does not exist.
domain::Error toolboxError(const net::HttpHead &head, const QByteArray &body, const QString &what);
//! The toolbox says that the sandbox does not run.
bool saysNotRunning(int status, const QByteArray &body);
//! The service writes "Retry-After-<name of the limit>"; also as seconds until the limit begins
//! anew. With the usual name added when there is only such a one.
net::HttpHeaders withPlainRetryAfter(const net::HttpHeaders &headers);

//! The label that keeps the working directory beside those of domain::InstanceLabels.
constexpr char kHomeLabel[] = "berth.home";

enum class Phase {
    Running,
    Stopped,
    Archived,
    //! Of a virtual machine.
    Paused,
    //! On the way to running.
    Starting,
    //! On the way to anything else.
    Changing,
    Failed,
    Destroyed,
    Unknown,
};

struct Sandbox
{
    domain::Instance instance;
    Phase phase = Phase::Unknown;
    //! As the service calls it.
    QString state;
    QString reason;
    bool recoverable = false;
    //! Stopping deletes it.
    bool isEphemeral = false;
    QString organization;
    //! Where its commands start, of the label that Berth gave it; may be missing.
    QByteArray home;
    //! Base of its toolbox; may be missing.
    QString toolbox;
    std::optional<double> cpus;
    std::optional<qint64> memoryBytes;
    std::optional<qint64> diskBytes;
};

domain::Result<Sandbox> decodeSandbox(const QByteArray &body);

struct SandboxPage
{
    QList<Sandbox> items;
    //! Cursor; empty on the last page.
    QByteArray next;
    //! Of servers that count pages; 0: this one does not.
    int pages = 0;
};
domain::Result<SandboxPage> decodePage(const QByteArray &body);

struct ServerFacts
{
    QString version;
    QString toolbox;
    QString analytics;
    QString defaultSnapshot;
    bool inMaintenance = false;
};
domain::Result<ServerFacts> decodeFacts(const QByteArray &body);

//! {"url": …}
domain::Result<QString> decodeUrl(const QByteArray &body);

//! What the recorded series say last. \a limits: of the sandbox itself.
domain::Result<domain::ResourceSample> decodeTelemetry(const QByteArray &body,
                                                       const Sandbox &sandbox);
//! Only what is known without asking the sandbox.
domain::ResourceSample limitsOf(const Sandbox &sandbox);

struct Executed
{
    int code = 0;
    QByteArray text;
};
domain::Result<Executed> decodeExecuted(const QByteArray &body);

struct SessionCommand
{
    QString id;
    QByteArray text;
    //! Missing while it runs.
    std::optional<int> code;
};
struct Session
{
    QString id;
    QList<SessionCommand> commands;
};
domain::Result<QString> decodeCommandId(const QByteArray &body);
domain::Result<SessionCommand> decodeCommand(const QByteArray &body);
domain::Result<QList<Session>> decodeSessions(const QByteArray &body);
//! Of a whole log that came as JSON, where one was followed.
std::optional<QByteArray> logIn(const QByteArray &body);

struct TerminalFacts
{
    QString id;
    bool isActive = true;
};
domain::Result<QList<TerminalFacts>> decodeTerminals(const QByteArray &body);

} // namespace berth::daytona
