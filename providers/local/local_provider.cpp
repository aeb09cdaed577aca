// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/local_provider.h"

#include "domain/log.h"
#include "providers/local/isolation_check.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QDir>
#include <QtCore/QSysInfo>
#include <QtCore/QThread>

#include <algorithm>

namespace berth::local {

using domain::Capability;
using domain::ErrorKind;

namespace {

//! "name", or the first of "name-2", "name-3", … that nobody has.
QString freeName(const QString &wanted, const QList<InstanceRecord> &taken)
{
    const auto isTaken = [&taken](const QString &name) {
        return std::any_of(taken.begin(), taken.end(),
                           [&name](const InstanceRecord &record) { return record.name == name; });
    };
    QString name = wanted;
    for (int n = 2; isTaken(name); ++n)
        name = QStringLiteral("%1-%2").arg(wanted).arg(n);
    return name;
}

// The provider may be gone before an answer is there, so what is asked for holds the runtimes, not
// the provider.

domain::Async<domain::Instance> inspectNow(std::shared_ptr<Runtimes> runtimes,
                                           domain::ExternalId id)
{
    const domain::Result<InstanceRecord> record = runtimes->store().load(id);
    if (!record)
        co_return domain::failure(record.error());
    co_return runtimes->instance(*record);
}

domain::Async<QList<domain::Instance>> listNow(std::shared_ptr<Runtimes> runtimes)
{
    QStringList broken;
    QList<domain::Instance> instances;
    for (const InstanceRecord &record : runtimes->store().all(&broken))
        instances << runtimes->instance(record);
    for (const QString &path : std::as_const(broken))
        domain::log(domain::LogLevel::Warning, "local",
                    QStringLiteral("left out of the list, its record is damaged: %1").arg(path));
    co_return instances;
}

domain::Async<domain::Instance> createNow(std::shared_ptr<Runtimes> runtimes,
                                          QMap<QString, QString> values,
                                          domain::CreateRequest request, std::stop_token stop)
{
    const domain::Result<LocalSettings> settings = localSettings(values, request.overrides);
    if (!settings)
        co_return domain::failure(settings.error());
    InstanceRecord record;
    record.id = domain::ExternalId::create();
    record.name = freeName(request.name, runtimes->store().all());
    record.labels = request.labels;
    record.settings = *settings;
    record.createdAt = QDateTime::currentDateTimeUtc();
    const domain::Result<domain::Instance> instance =
        co_await Runtimes::create(runtimes, record, stop);
    co_return instance;
}

//! One without isolation neither starts nor goes on once passthrough was switched off.
domain::Async<void> mayRun(std::shared_ptr<Runtimes> runtimes, QMap<QString, QString> values,
                           domain::ExternalId id)
{
    const domain::Result<InstanceRecord> record = runtimes->store().load(id);
    if (!record)
        co_return domain::failure(record.error());
    if (record->settings.isolated)
        co_return domain::Result<void>();
    domain::Error refused = passthroughIsOff();
    if (passthroughAllowed(values)) {
        if (values.value(QStringLiteral("isolation")) == QLatin1String("none"))
            co_return domain::Result<void>();
        // The config is what everybody is shown.
        refused.kind = ErrorKind::Conflict;
        refused.message = QStringLiteral("This sandbox was made without isolation, and its "
                                         "provider config has isolation now");
        refused.detail = QStringLiteral("Set isolation to none there, or destroy this sandbox.");
    }
    if (const std::shared_ptr<SandboxProcess> process = runtimes->running(id))
        co_await SandboxProcess::end(process, refused.message);
    co_return domain::failure(refused);
}

domain::Async<void> resumeNow(std::shared_ptr<Runtimes> runtimes, QMap<QString, QString> values,
                              domain::ExternalId id, std::stop_token stop)
{
    const domain::Result<void> allowed = co_await mayRun(runtimes, values, id);
    if (!allowed)
        co_return domain::failure(allowed.error());
    const domain::Result<std::shared_ptr<SandboxProcess>> process =
        co_await Runtimes::ensureRunning(runtimes, id, true, stop);
    if (!process)
        co_return domain::failure(process.error());
    co_return {};
}

domain::Async<std::shared_ptr<domain::SandboxConnection>> connectNow(
    std::shared_ptr<Runtimes> runtimes, QMap<QString, QString> values, domain::ExternalId id,
    std::stop_token stop)
{
    const domain::Result<void> allowed = co_await mayRun(runtimes, values, id);
    if (!allowed)
        co_return domain::failure(allowed.error());
    const domain::Result<std::shared_ptr<SandboxProcess>> process =
        co_await Runtimes::ensureRunning(runtimes, id, false, stop);
    if (!process)
        co_return domain::failure(process.error());
    co_return (*process)->connection();
}

domain::Async<domain::ResourceSample> metricsNow(std::shared_ptr<Runtimes> runtimes,
                                                 domain::ExternalId id)
{
    const domain::Result<InstanceRecord> record = runtimes->store().load(id);
    if (!record)
        co_return domain::failure(record.error());
    domain::ResourceSample sample;
    sample.at = QDateTime::currentDateTimeUtc();
    sample.cpuLimitCores = std::max(1, QThread::idealThreadCount());
    if (const std::shared_ptr<SandboxProcess> process = runtimes->running(id)) {
        if (const std::optional<ProcessTotals> totals = processTotals(process->processId()))
            sample = process->meter().sample(*totals);
        // Only what holds for the sandbox as a whole is its limit.
        if (process->limits().memory == Hold::Together)
            sample.memoryLimitBytes = process->settings().memoryBytes;
        if (process->limits().cpus == Hold::Together)
            sample.cpuLimitCores =
                std::min(process->settings().cpus, sample.cpuLimitCores.value_or(1));
    }
    sample.diskBytes = runtimes->diskBytes(id);
    co_return sample;
}

domain::Async<void> watchNow(std::shared_ptr<Runtimes> runtimes, domain::ProviderEventSink sink,
                             std::stop_token stop)
{
    const async::Completion<bool> done;
    const std::stop_callback onStop(stop, [done] { done.complete(true); });
    QObject context;
    QObject::connect(runtimes.get(), &Runtimes::ended, &context,
                     [&sink](const domain::ExternalId &id) { sink(id); });
    co_await done;
    co_return domain::failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
}

} // namespace

LocalProvider::LocalProvider(domain::ProviderSettings settings, std::shared_ptr<Runtimes> runtimes)
    : m_settings(std::move(settings)), m_runtimes(std::move(runtimes))
{}

domain::Capabilities LocalProvider::capabilities() const
{
    domain::Capabilities capabilities;
    for (const Capability one :
         {Capability::Pause, Capability::Resume, Capability::Execute, Capability::Terminal,
          Capability::SeparateStderr, Capability::Metrics})
        capabilities.allow(one);
    capabilities
        .deny(Capability::ProcessesSurvivePause,
              QStringLiteral("Pausing a Local sandbox ends its processes; its files stay"))
        .deny(Capability::ProcessesSurviveRestart,
              QStringLiteral("Processes of a Local sandbox end with Berth; its files stay"));
    return capabilities;
}

QString LocalProvider::engineId() const
{
    const QByteArray place = QSysInfo::machineUniqueId() + '\n'
        + QDir(m_runtimes->paths().data).canonicalPath().toUtf8();
    return QString::fromLatin1(
        QCryptographicHash::hash(place, QCryptographicHash::Sha256).toHex().left(16));
}

domain::Async<domain::HealthReport> LocalProvider::check(domain::StepSink step,
                                                         std::stop_token stop)
{
    return checkIsolation(m_runtimes, m_settings.values, std::move(step), std::move(stop));
}

domain::Async<domain::Instance> LocalProvider::create(domain::CreateRequest request,
                                                      domain::ProgressSink, std::stop_token stop)
{
    return createNow(m_runtimes, m_settings.values, std::move(request), std::move(stop));
}

domain::Async<QList<domain::Instance>> LocalProvider::list(std::stop_token)
{
    return listNow(m_runtimes);
}

domain::Async<domain::Instance> LocalProvider::inspect(domain::ExternalId id, std::stop_token)
{
    return inspectNow(m_runtimes, std::move(id));
}

domain::Async<void> LocalProvider::pause(domain::ExternalId id, std::stop_token stop)
{
    return Runtimes::pause(m_runtimes, std::move(id), std::move(stop));
}

domain::Async<void> LocalProvider::resume(domain::ExternalId id, std::stop_token stop)
{
    return resumeNow(m_runtimes, m_settings.values, std::move(id), std::move(stop));
}

domain::Async<void> LocalProvider::destroy(domain::ExternalId id, std::stop_token)
{
    return Runtimes::destroy(m_runtimes, std::move(id));
}

domain::Async<std::shared_ptr<domain::SandboxConnection>> LocalProvider::connect(
    domain::ExternalId id, std::stop_token stop)
{
    return connectNow(m_runtimes, m_settings.values, std::move(id), std::move(stop));
}

domain::Async<domain::ResourceSample> LocalProvider::metrics(domain::ExternalId id, std::stop_token)
{
    return metricsNow(m_runtimes, std::move(id));
}

domain::Async<void> LocalProvider::watch(domain::ProviderEventSink sink, std::stop_token stop)
{
    return watchNow(m_runtimes, std::move(sink), std::move(stop));
}

} // namespace berth::local
