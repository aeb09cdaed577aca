// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/runtimes.h"

#include "domain/log.h"
#include "providers/local/guest_files.h"
#include "providers/local/process_run.h"
#include "providers/local/seccomp_filter.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>
#include <QtCore/QFileInfo>

namespace berth::local {

using domain::ErrorKind;
using domain::ObservedState;
using namespace std::chrono_literals;

namespace {

constexpr auto kDiskInterval = 60s;
constexpr auto kDiskLimit = 20s;
constexpr auto kRemovalLimit = 10min;
//! The first with --size; --disable-userns came with 0.8.
const QList<int> kOldest{0, 7, 0};
const QList<int> kWithUserNamespaceSwitch{0, 8, 0};

//! The same after a restart, so that what a killed Berth left is used again; another Berth's is
//! another one.
QString groupName(const QString &name, const domain::ProviderPaths &paths)
{
    const QByteArray place =
        QCryptographicHash::hash(paths.data.toUtf8(), QCryptographicHash::Sha256).toHex().left(8);
    return name + QLatin1Char('-') + QString::fromLatin1(place);
}

domain::Error cancelled()
{
    return {ErrorKind::Cancelled, QStringLiteral("Cancelled"), {}, {}, {}};
}

} // namespace

class Runtimes::Pass
{
public:
    explicit Pass(std::shared_ptr<Gate> gate) : m_gate(std::move(gate)) {}
    ~Pass()
    {
        if (m_gate->waiting.isEmpty())
            m_gate->taken = false;
        else
            m_gate->waiting.takeFirst().complete(true);
    }
    Q_DISABLE_COPY_MOVE(Pass)

private:
    std::shared_ptr<Gate> m_gate;
};

Runtimes::Runtimes(domain::ProviderPaths paths, HostSystem system)
    : m_paths(std::move(paths)), m_system(std::move(system)), m_store(m_paths.data)
{
    const QStringList leftovers = m_store.discarded();
    if (!leftovers.isEmpty())
        m_scope.spawn(clearLeftovers(leftovers, m_scope.token()));
}

Runtimes::~Runtimes()
{
    m_scope.requestStop();
}

async::Task<std::shared_ptr<Runtimes::Pass>> Runtimes::enter(std::shared_ptr<Runtimes> self,
                                                             domain::ExternalId id)
{
    std::shared_ptr<Gate> &slot = self->m_gates[id.toString()];
    if (!slot)
        slot = std::make_shared<Gate>();
    const std::shared_ptr<Gate> gate = slot;
    if (gate->taken) {
        const async::Completion<bool> turn;
        gate->waiting.append(turn);
        co_await turn;
    }
    gate->taken = true;
    co_return std::make_shared<Pass>(gate);
}

domain::Async<SandboxLaunch> Runtimes::prepare(std::shared_ptr<Runtimes> self,
                                               LocalSettings settings, QString hostName,
                                               QString workspace, std::stop_token stop)
{
    if (!settings.isolated)
        co_return prepareOpen(self, settings, hostName, workspace);
    const domain::Result<QByteArray> filter = seccompFilter();
    if (!filter)
        co_return domain::failure(filter.error());
    const domain::Result<QString> program = self->m_system.findBubblewrap();
    if (!program)
        co_return domain::failure(program.error());
    if (self->m_version.isEmpty()) {
        const QStringList question{QStringLiteral("--version")};
        const domain::Result<ProcessEnd> asked = co_await runProcess(*program, question, 5s, stop);
        if (!asked)
            co_return domain::failure(asked.error());
        self->m_version = bubblewrapVersion(asked->output);
    }
    if (self->m_version < kOldest)
        co_return domain::failure(ErrorKind::Unavailable,
                                  QStringLiteral("%1 is too old or not bubblewrap").arg(*program),
                                  QStringLiteral("Local sandboxes need bubblewrap 0.7 or newer"));
    const domain::Result<GuestFiles> files = ensureGuestFiles(self->m_paths);
    if (!files)
        co_return domain::failure(files.error());
    BubblewrapRequest request;
    request.settings = settings;
    request.hostName = hostName.left(64);
    request.workspace = workspace;
    request.files = *files;
    request.canDisableUserNamespaces = !(self->m_version < kWithUserNamespaceSwitch);
    SandboxLaunch launch;
    launch.program = *program;
    launch.arguments = bubblewrapArguments(request, self->m_system);
    launch.arguments << runnerPath() << QStringLiteral("run") << QStringLiteral("--eof=exit")
                     << QStringLiteral("--cgroup=no");
    launch.home = settings.home.toUtf8();
    launch.settings = settings;
    launch.group = groupName(hostName, self->m_paths);
    launch.filter = *filter;
    launch.environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
    launch.directory = QStringLiteral("/");
    launch.system = self->m_system;
    co_return launch;
}

//! The same runner without anything around it. Of the environment only what programs need: no key
//! of Berth's user is in it by itself.
domain::Result<SandboxLaunch> Runtimes::prepareOpen(const std::shared_ptr<Runtimes> &self,
                                                    const LocalSettings &settings,
                                                    const QString &name, const QString &workspace)
{
    const domain::Result<GuestFiles> files = ensureGuestFiles(self->m_paths);
    if (!files)
        return domain::failure(files.error());
    SandboxLaunch launch;
    launch.program = files->runner;
    launch.arguments = QStringList{QStringLiteral("run"), QStringLiteral("--eof=exit"),
                                   QStringLiteral("--cgroup=no")};
    launch.home = QFile::encodeName(workspace);
    launch.settings = settings;
    launch.group = groupName(name, self->m_paths);
    const QProcessEnvironment own = QProcessEnvironment::systemEnvironment();
    for (const char *variable : {"PATH", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ"}) {
        const QString key = QString::fromLatin1(variable);
        if (own.contains(key))
            launch.environment.insert(key, own.value(key));
    }
    launch.environment.insert(QStringLiteral("HOME"), workspace);
    launch.directory = workspace;
    launch.system = self->m_system;
    return launch;
}

domain::Async<std::shared_ptr<SandboxProcess>> Runtimes::startInstance(
    std::shared_ptr<Runtimes> self, InstanceRecord record, std::stop_token stop)
{
    const domain::Result<SandboxLaunch> prepared = co_await prepare(
        self, record.settings, record.name, self->m_store.workspace(record.id), stop);
    if (!prepared)
        co_return domain::failure(prepared.error());
    const domain::Result<std::shared_ptr<SandboxProcess>> process =
        co_await SandboxProcess::start(*prepared, stop);
    if (!process)
        co_return domain::failure(process.error());
    record.paused = false;
    record.startedAt = QDateTime::currentDateTimeUtc();
    const domain::Result<void> saved = self->m_store.save(record);
    if (!saved) {
        co_await SandboxProcess::end(*process, saved.error().message);
        co_return domain::failure(saved.error());
    }
    const QString key = record.id.toString();
    self->m_running.insert(key, *process);
    SandboxProcess *one = process->get();
    connect(one, &SandboxProcess::ended, self.get(), [runtimes = self.get(), key, one] {
        if (runtimes->m_running.value(key).get() == one)
            runtimes->m_running.remove(key);
        Q_EMIT runtimes->ended(domain::ExternalId(key));
    });
    if (!one->isRunning()) {
        self->m_running.remove(key);
        co_return domain::failure(ErrorKind::Unavailable,
                                  QStringLiteral("The sandbox ended at once"));
    }
    co_return *process;
}

domain::Async<domain::Instance> Runtimes::create(std::shared_ptr<Runtimes> self,
                                                 InstanceRecord record, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return domain::failure(cancelled());
    const std::shared_ptr<Pass> pass = co_await enter(self, record.id);
    const domain::Result<void> added = self->m_store.add(record);
    if (!added)
        co_return domain::failure(added.error());
    const domain::Result<std::shared_ptr<SandboxProcess>> process =
        co_await startInstance(self, record, stop);
    if (!process) {
        // Nothing was ever in it.
        const domain::Result<QString> discarded = self->m_store.discard(record.id);
        if (discarded)
            co_await removeTree(*discarded, {});
        co_return domain::failure(process.error());
    }
    const domain::Result<InstanceRecord> stored = self->m_store.load(record.id);
    if (!stored)
        co_return domain::failure(stored.error());
    co_return self->instance(*stored);
}

domain::Async<std::shared_ptr<SandboxProcess>> Runtimes::ensureRunning(
    std::shared_ptr<Runtimes> self, domain::ExternalId id, bool evenPaused, std::stop_token stop)
{
    const domain::Result<InstanceRecord> early = self->m_store.load(id);
    if (!early)
        co_return domain::failure(early.error());
    const std::shared_ptr<Pass> pass = co_await enter(self, id);
    if (const std::shared_ptr<SandboxProcess> present = self->running(id))
        co_return present;
    // Two over one workspace must not be, so one that is on its way out goes first.
    if (const std::shared_ptr<SandboxProcess> dying = self->m_running.value(id.toString()))
        co_await SandboxProcess::end(dying, QStringLiteral("The sandbox ended"));
    // Whoever was before us may have changed it.
    const domain::Result<InstanceRecord> record = self->m_store.load(id);
    if (!record)
        co_return domain::failure(record.error());
    if (record->paused && !evenPaused)
        co_return domain::failure(ErrorKind::Conflict, QStringLiteral("The sandbox is paused"),
                                  QStringLiteral("Resume it first."));
    const domain::Result<std::shared_ptr<SandboxProcess>> started =
        co_await startInstance(self, *record, stop);
    co_return started;
}

domain::Async<void> Runtimes::pause(std::shared_ptr<Runtimes> self, domain::ExternalId id,
                                    std::stop_token stop)
{
    const domain::Result<InstanceRecord> early = self->m_store.load(id);
    if (!early)
        co_return domain::failure(early.error());
    const std::shared_ptr<Pass> pass = co_await enter(self, id);
    if (stop.stop_requested())
        co_return domain::failure(cancelled());
    domain::Result<InstanceRecord> record = self->m_store.load(id);
    if (!record)
        co_return domain::failure(record.error());
    if (!record->paused) {
        record->paused = true;
        const domain::Result<void> saved = self->m_store.save(*record);
        if (!saved)
            co_return domain::failure(saved.error());
    }
    if (const std::shared_ptr<SandboxProcess> process = self->m_running.value(id.toString()))
        co_await SandboxProcess::end(
            process, QStringLiteral("The sandbox was paused, which ends its processes"));
    co_return {};
}

domain::Async<void> Runtimes::destroy(std::shared_ptr<Runtimes> self, domain::ExternalId id)
{
    const domain::Result<InstanceRecord> known = self->m_store.load(id);
    if (!known && known.error().kind == ErrorKind::NotFound)
        co_return {};
    const std::shared_ptr<Pass> pass = co_await enter(self, id);
    if (const std::shared_ptr<SandboxProcess> process = self->m_running.value(id.toString()))
        co_await SandboxProcess::end(process, QStringLiteral("The sandbox was destroyed"));
    self->m_disks.remove(id.toString());
    const domain::Result<QString> discarded = self->m_store.discard(id);
    if (!discarded && discarded.error().kind == ErrorKind::NotFound)
        co_return {};
    if (!discarded)
        co_return domain::failure(discarded.error());
    const bool removed = co_await removeTree(*discarded, {});
    // It is no sandbox any more, but its files still take room: the next start tries again.
    if (!removed)
        domain::log(domain::LogLevel::Warning, "local",
                    QStringLiteral("could not remove all of %1").arg(*discarded));
    co_return {};
}

domain::Instance Runtimes::instance(const InstanceRecord &record) const
{
    domain::Instance instance;
    instance.externalId = record.id;
    instance.name = record.name;
    instance.image = record.settings.isolated ? QStringLiteral("bubblewrap") : noIsolationWords();
    instance.labels = record.labels;
    instance.createdAt = record.createdAt;
    instance.startedAt = record.startedAt;
    if (running(record.id)) {
        instance.state = ObservedState::Running;
    } else if (record.paused) {
        instance.state = ObservedState::Paused;
        instance.stateDetail = QStringLiteral("Files are kept; its processes have ended");
    } else {
        instance.state = ObservedState::Stopped;
        instance.stateDetail =
            QStringLiteral("Files are kept; its processes ended with the Berth that ran them");
    }
    return instance;
}

std::shared_ptr<SandboxProcess> Runtimes::running(const domain::ExternalId &id) const
{
    const std::shared_ptr<SandboxProcess> process = m_running.value(id.toString());
    // A runner that does not answer any more is as good as gone, and its end is under way.
    return process && process->connection()->isOpen() ? process : nullptr;
}

std::optional<qint64> Runtimes::diskBytes(const domain::ExternalId &id)
{
    Disk &disk = m_disks[id.toString()];
    const bool due = !disk.measured.isValid()
        || disk.measured.elapsed() > std::chrono::milliseconds(kDiskInterval).count();
    if (due && !disk.underWay) {
        disk.underWay = true;
        const std::optional<qint64> bytes = disk.bytes;
        m_scope.spawn(measureDisk(weak_from_this(), id, m_store.workspace(id), m_scope.token()));
        return bytes;
    }
    return disk.bytes;
}

async::Task<void> Runtimes::measureDisk(std::weak_ptr<Runtimes> weak, domain::ExternalId id,
                                        QString workspace, std::stop_token stop)
{
    // Counting is du's work: it neither blocks the Engine nor counts hard links twice.
    const QStringList count{QStringLiteral("-n"),   QStringLiteral("19"), QStringLiteral("du"),
                            QStringLiteral("-skx"), QStringLiteral("--"), workspace};
    const domain::Result<ProcessEnd> counted =
        co_await runProcess(QStringLiteral("nice"), count, kDiskLimit, stop);
    const std::shared_ptr<Runtimes> self = weak.lock();
    if (!self || !self->m_disks.contains(id.toString()))
        co_return;
    Disk &disk = self->m_disks[id.toString()];
    disk.underWay = false;
    disk.measured.start();
    bool isNumber = false;
    const qint64 kibibytes =
        counted ? counted->output.left(counted->output.indexOf('\t')).toLongLong(&isNumber) : 0;
    disk.bytes = isNumber ? std::optional(kibibytes * 1024) : std::nullopt;
}

//! By rm, which follows no link, stays on one file system and does not block the Engine.
async::Task<bool> Runtimes::removeTree(QString path, std::stop_token stop)
{
    const QStringList removal{QStringLiteral("-rf"), QStringLiteral("--one-file-system"),
                              QStringLiteral("--"), path};
    domain::Result<ProcessEnd> removed =
        co_await runProcess(QStringLiteral("rm"), removal, kRemovalLimit, stop);
    if (removed && removed->code != 0) {
        // Directories that their owner may not enter; chmod -R passes links by.
        const QStringList opening{QStringLiteral("-R"), QStringLiteral("u+rwX"),
                                  QStringLiteral("--"), path};
        const domain::Result<ProcessEnd> opened =
            co_await runProcess(QStringLiteral("chmod"), opening, kRemovalLimit, stop);
        if (opened)
            removed = co_await runProcess(QStringLiteral("rm"), removal, kRemovalLimit, stop);
    }
    co_return !QFileInfo::exists(path);
}

async::Task<void> Runtimes::clearLeftovers(QStringList paths, std::stop_token stop)
{
    for (const QString &path : paths) {
        if (!stop.stop_requested())
            co_await removeTree(path, stop);
    }
}

} // namespace berth::local
