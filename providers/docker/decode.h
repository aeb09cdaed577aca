// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/instance.h"
#include "domain/resources/resource_sample.h"
#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QStringList>

#include <optional>

// From the engine's answers to values: pure functions, tested on recordings.
namespace berth::docker {

//! The error for a status of 400 and above. \a what says what was tried: "Starting the container".
//! Not every engine answers in JSON, and not every 404 is about the thing asked for.
domain::Error engineError(int status, const QByteArray &body, const QString &what);
//! The engine's own words, bounded; also from podman's {cause, message} and from plain text.
QString engineMessage(const QByteArray &body);
//! podman answers 500 where docker answers 409.
bool isNameTaken(int status, const QByteArray &body);

struct EngineFacts
{
    QString id;
    QString version;
    QString operatingSystem;
    //! "linux"
    QString kind;
    QString architecture;
    //! Processors; 0: not told.
    int cpus = 0;
};
domain::Result<EngineFacts> decodeFacts(const QByteArray &body);
//! "1.41" compared as numbers; nullopt when it is none.
std::optional<std::pair<int, int>> apiVersion(const QByteArray &text);

struct Container
{
    domain::Instance instance;
    QStringList volumes;
    QByteArray workingDirectory;
    QString user;
    //! A directory of the engine's machine that is mounted where commands start, in place of a
    //! volume.
    QString hostWorkspace;
    //! The directory of the direct connection, as the engine's machine has it.
    QString linkDirectory;
    //! Its runner lies there, too.
    bool isRunnerMounted = false;
    //! Of its first process, in the numbers of the engine's machine; 0: it does not run.
    qint64 pid = 0;
    std::optional<double> cpuLimitCores;
    //! Bytes of its writable layer, when asked for.
    std::optional<qint64> writtenBytes;
};
domain::Result<Container> decodeContainer(const QByteArray &body);
domain::Result<QList<domain::Instance>> decodeList(const QByteArray &body);
domain::Result<QString> decodeCreated(const QByteArray &body);

struct Volume
{
    QString name;
    domain::InstanceLabels labels;
};
domain::Result<Volume> decodeVolume(const QByteArray &body);

struct Image
{
    QString id;
    QString user;
    QString architecture;
};
domain::Result<Image> decodeImage(const QByteArray &body);

//! Counters of one moment.
struct StatsReading
{
    //! Invalid for a container that does not run.
    QDateTime at;
    quint64 cpuNanoseconds = 0;
    std::optional<quint64> systemNanoseconds;
    int cpus = 0;
    std::optional<qint64> memoryBytes;
    std::optional<qint64> memoryLimitBytes;
    std::optional<quint64> receivedBytes;
    std::optional<quint64> sentBytes;
    std::optional<int> processes;
};
domain::Result<StatsReading> decodeStats(const QByteArray &body);
//! What can be said from two readings; impossible values are left out.
domain::ResourceSample sampleFrom(const std::optional<StatsReading> &before,
                                  const StatsReading &now);

//! One line of a pull.
struct PullLine
{
    QString layer;
    QString status;
    qint64 current = 0;
    qint64 total = 0;
    //! The pull failed: a 200 does not say so.
    QString error;
};
domain::Result<PullLine> decodePullLine(const QByteArray &line);

//! The container that a line of the engine's events is about, when what happened may change what is
//! shown of it.
std::optional<domain::ExternalId> changedBy(const QByteArray &line);

//! "agent" in the container's /etc/passwd: uid and gid.
std::optional<std::pair<int, int>> userIds(const QByteArray &passwd, const QString &user);

} // namespace berth::docker
