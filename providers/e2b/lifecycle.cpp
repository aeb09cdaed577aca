// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/core.h"

#include "async/sleep.h"
#include "domain/log.h"
#include "domain/text.h"

#include <algorithm>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::ExternalId;
using domain::failure;
using domain::Instance;
using domain::ObservedState;
using domain::Result;
using namespace std::chrono_literals;

namespace {

constexpr int kMostNames = 50;
//! How long a sandbox that just changes its state is asked again.
constexpr int kMostLooks = 12;
constexpr int kMostKnocks = 6;

QMap<QString, QString> ofInstallation(const domain::InstallationId &installation)
{
    return {{QStringLiteral("berth.installation"), installation.toString()}};
}

QString freeName(const QString &wanted, const QList<Record> &taken)
{
    for (int n = 1; n <= kMostNames; ++n) {
        const QString name = n == 1 ? wanted : QStringLiteral("%1-%2").arg(wanted).arg(n);
        const bool isTaken = std::any_of(taken.begin(), taken.end(), [&name](const Record &one) {
            return one.instance.name == name;
        });
        if (!isTaken)
            return name;
    }
    return wanted;
}

//! A working directory that the template does not have belongs to the user of the commands.
Async<void> makeHome(CorePtr core, Access access, SandboxSettings settings, std::stop_token stop)
{
    const Result<EnvdPtr> asRoot = reachEnvd(*core, access, QStringLiteral("root"));
    if (!asRoot)
        co_return failure(asRoot.error());
    const auto link = std::make_shared<Link>();
    link->envd = *asRoot;
    link->settings = settings;
    const QByteArray home = net::shellWord(settings.home);
    const QByteArray user =
        settings.user.isEmpty() ? QByteArrayLiteral("user") : settings.user.toUtf8();
    net::ScriptRequest request;
    request.script = "[ -d " + home + " ] || { mkdir -p -- " + home + " && chown "
        + net::shellWord(user) + ": " + home + "; }";
    const Result<net::ScriptResult> made = co_await runScript(link, request, stop);
    if (!made)
        co_return failure(made.error());
    if (made->code != 0)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("The working directory %1 cannot be made")
                              .arg(QString::fromUtf8(settings.home)),
                          domain::displayName(made->err.trimmed().left(300)));
    co_return Result<void>{};
}

Instance instanceOf(const Access &access, const SandboxSettings &settings,
                    const domain::InstanceLabels &labels, const QString &name, const QDateTime &now)
{
    Instance made;
    made.externalId = ExternalId(access.id);
    made.name = name;
    made.image = settings.templateName;
    made.state = ObservedState::Running;
    made.labels = labels;
    made.createdAt = now;
    made.startedAt = now;
    return made;
}

} // namespace

Async<Instance> createNew(CorePtr core, domain::CreateRequest request, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    const Result<SandboxSettings> settings =
        sandboxSettings(core->settings.values, request.overrides);
    if (!settings)
        co_return failure(settings.error());
    if (!request.workspace.isEmpty())
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("A sandbox at E2B cannot have a directory of this "
                                         "computer as its workspace"));
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    // Names are ours alone there; a list that fails costs no more than a suffix, unless it shows
    // that nothing else would work either.
    const Result<QList<Record>> others =
        co_await listSandboxes(*api, ofInstallation(core->installation), stop);
    if (!others) {
        const ErrorKind kind = others.error().kind;
        if (kind == ErrorKind::Cancelled || kind == ErrorKind::Unauthorized
            || kind == ErrorKind::Forbidden)
            co_return failure(others.error());
    }
    const QString name = freeName(request.name, others.value_or(QList<Record>()));
    const QDateTime now = domain::nowUtc();
    const QMap<QString, QString> metadata = metadataFor(request.labels, name, *settings, now);
    const Result<Access> access = co_await createSandbox(*api, *settings, metadata, stop);
    if (!access) {
        Error error = access.error();
        // It may have arrived all the same; the caller looks for it by its token.
        if (error.kind == ErrorKind::Cancelled)
            error.kind = ErrorKind::Timeout;
        co_return failure(error);
    }
    if (settings->home != "/home/user") {
        const Result<void> home = co_await makeHome(core, *access, *settings, stop);
        if (!home) {
            // What the user asked for is over by then, so it has no stop token.
            const Result<void> killed = co_await killSandbox(*api, access->id, {});
            if (!killed)
                domain::log(domain::LogLevel::Warning, "e2b",
                            QStringLiteral("half-made sandbox %1 stays: %2")
                                .arg(access->id, killed.error().message));
            co_return failure(home.error());
        }
    }
    co_return instanceOf(*access, *settings, request.labels, name, now);
}

Async<QList<Instance>> listAll(CorePtr core, std::stop_token stop)
{
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<QList<Record>> all = co_await listSandboxes(*api, {}, stop);
    if (!all)
        co_return failure(all.error());
    QList<Instance> marked;
    for (const Record &record : *all) {
        if (!record.instance.labels.installation.isNull())
            marked.append(record.instance);
    }
    co_return marked;
}

Async<Instance> inspectOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const QString id = plainId(external);
    if (id.isEmpty())
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no such sandbox"));
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<Record> record = co_await lookAtSandbox(*api, id, stop);
    if (!record) {
        const Result<Error> error = co_await judged(core, id, record.error(), stop);
        co_return failure(error ? *error : error.error());
    }
    Instance instance = record->instance;
    const bool wantsPause = !record->settings || record->settings->pauseAtTheEnd;
    if (instance.state == ObservedState::Running && record->pausesAtTheEnd == false && wantsPause
        && instance.labels.installation == core->installation)
        instance.stateDetail = QStringLiteral("E2B will kill it at the end of its time, not pause "
                                              "it");
    co_return instance;
}

Async<void> pauseOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Record> own = co_await ownSandbox(core, external, stop);
    if (!own)
        co_return failure(own.error());
    if (own->instance.state == ObservedState::Paused)
        co_return Result<void>{};
    const QString id = own->instance.externalId.toString();
    const LinkPtr link = core->link(id);
    // Its streams are cut by the pause; commands wait for the resume.
    if (link)
        link->fallAsleep();
    Error problem;
    for (int attempt = 1; attempt <= kMostLooks; ++attempt) {
        const Result<void> paused = co_await pauseSandbox(core->api, id, stop);
        if (paused)
            co_return Result<void>{};
        problem = paused.error();
        if (problem.kind == ErrorKind::Cancelled)
            break;
        // It may have been paused meanwhile, by this call or another one.
        const Result<Record> now = co_await lookAtSandbox(core->api, id, stop);
        if (now && now->instance.state == ObservedState::Paused)
            co_return Result<void>{};
        if (problem.kind != ErrorKind::Conflict)
            break;
        const bool elapsed = co_await async::sleepFor(std::min(250ms * attempt, 3000ms), stop);
        if (!elapsed)
            break;
    }
    if (link)
        link->wake(std::nullopt);
    const Result<Error> error = co_await judged(core, id, problem, stop);
    co_return failure(error ? *error : error.error());
}

Async<void> resumeOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Record> own = co_await ownSandbox(core, external, stop);
    if (!own)
        co_return failure(own.error());
    const Result<SandboxSettings> settings = settingsOf(*core, *own);
    if (!settings)
        co_return failure(settings.error());
    const QString id = own->instance.externalId.toString();
    const Result<Access> access = co_await connectSandbox(core->api, id, settings->timeout, stop);
    if (!access) {
        const Result<Error> error = co_await judged(core, id, access.error(), stop);
        co_return failure(error ? *error : error.error());
    }
    if (const LinkPtr link = core->link(id))
        link->wake(*access);
    co_return Result<void>{};
}

namespace {

Async<Record> runningSandbox(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Record> own = co_await ownSandbox(core, external, stop);
    if (!own || own->instance.state == ObservedState::Running)
        co_return own;
    co_return failure(
        ErrorKind::Conflict,
        QStringLiteral("The sandbox does not run: it is %1").arg(wireName(own->instance.state)),
        QStringLiteral("Resume it first"));
}

} // namespace

Async<Instance> forkOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    const Result<Record> own = co_await runningSandbox(core, external, stop);
    if (!own)
        co_return failure(own.error());
    const Result<SandboxSettings> settings = settingsOf(*core, *own);
    if (!settings)
        co_return failure(settings.error());
    const QDateTime now = domain::nowUtc();
    const Result<Access> access =
        co_await forkSandbox(core->api, plainId(external), settings->timeout, stop);
    if (!access) {
        Error error = access.error();
        // It may have arrived all the same.
        if (error.kind == ErrorKind::Cancelled)
            error.kind = ErrorKind::Timeout;
        co_return failure(error);
    }
    co_return instanceOf(*access, *settings, own->instance.labels, own->instance.name, now);
}

Async<void> destroyOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Record> own = co_await ownSandbox(core, external, stop);
    if (!own && own.error().kind == ErrorKind::NotFound) {
        core->dropConnection(plainId(external), QStringLiteral("the sandbox is gone"));
        co_return Result<void>{};
    }
    if (!own)
        co_return failure(own.error());
    const QString id = own->instance.externalId.toString();
    const Result<void> killed = co_await killSandbox(core->api, id, stop);
    if (!killed) {
        const Result<Error> error = co_await judged(core, id, killed.error(), stop);
        const Error known = error ? *error : error.error();
        if (known.kind != ErrorKind::NotFound)
            co_return failure(known);
    }
    core->dropConnection(id, QStringLiteral("the sandbox was destroyed"));
    co_return Result<void>{};
}

namespace {

Async<ConnectionPtr> openNow(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Record> own = co_await runningSandbox(core, external, stop);
    if (!own)
        co_return failure(own.error());
    const Result<SandboxSettings> settings = settingsOf(*core, *own);
    if (!settings)
        co_return failure(settings.error());
    const QString id = own->instance.externalId.toString();
    // The token is fetched, never kept: this also makes it live on for its whole time again.
    const Result<Access> access = co_await connectSandbox(core->api, id, settings->timeout, stop);
    if (!access) {
        const Result<Error> error = co_await judged(core, id, access.error(), stop);
        co_return failure(error ? *error : error.error());
    }
    const Result<EnvdPtr> envd = reachEnvd(*core, *access, settings->user);
    if (!envd)
        co_return failure(envd.error());
    // The way to one that was just started may take a moment.
    for (int attempt = 1;; ++attempt) {
        const Result<bool> running = co_await isRunning(*envd, stop);
        if (running && *running)
            break;
        if (!running && running.error().kind != ErrorKind::Unavailable)
            co_return failure(running.error());
        if (attempt >= kMostKnocks) {
            if (!running)
                co_return failure(running.error());
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("E2B says that the sandbox runs, but it is not "
                                             "reached"),
                              QStringLiteral("Try again in a moment"));
        }
        const bool elapsed = co_await async::sleepFor(100ms * attempt, stop);
        if (!elapsed)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    }
    const auto link = std::make_shared<Link>();
    link->api = core->api;
    link->envd = *envd;
    link->settings = *settings;
    link->extendEvery = core->extendEvery;
    link->lastExtended.start();
    co_return std::make_shared<E2bConnection>(link);
}

} // namespace

Async<std::shared_ptr<domain::SandboxConnection>> connectOne(CorePtr core, ExternalId external,
                                                             std::stop_token stop)
{
    const QString key = plainId(external);
    while (core->connecting.contains(key)) {
        const async::Completion<bool> other = core->connecting.value(key);
        const bool done = co_await other;
        Q_UNUSED(done)
    }
    if (const ConnectionPtr open = core->connections.value(key).lock(); open && open->isOpen())
        co_return std::shared_ptr<domain::SandboxConnection>(open);
    const async::Completion<bool> done;
    core->connecting.insert(key, done);
    const Result<ConnectionPtr> connection = co_await openNow(core, external, stop);
    core->connecting.remove(key);
    done.complete(true);
    if (!connection)
        co_return failure(connection.error());
    core->connections.insert(key, *connection);
    co_return std::shared_ptr<domain::SandboxConnection>(*connection);
}

Async<domain::ResourceSample> measureOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const QString id = plainId(external);
    if (id.isEmpty())
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no such sandbox"));
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<std::optional<domain::ResourceSample>> sample =
        co_await measureSandbox(*api, id, stop);
    if (sample && *sample)
        co_return **sample;
    if (!sample && sample.error().kind != ErrorKind::NotFound)
        co_return failure(sample.error());
    // Just started, or paused: what it may use is known all the same.
    const Result<Record> record = co_await lookAtSandbox(*api, id, stop);
    if (!record) {
        const Result<Error> error = co_await judged(core, id, record.error(), stop);
        co_return failure(error ? *error : error.error());
    }
    if (!record->envd.isNull() && record->envd < QVersionNumber(0, 1, 5))
        co_return failure(ErrorKind::Unsupported, QStringLiteral("This sandbox measures nothing"),
                          QStringLiteral("Its template is too old: build it anew"));
    domain::ResourceSample limits;
    limits.at = domain::nowUtc();
    if (record->cpus > 0)
        limits.cpuLimitCores = record->cpus;
    if (record->memoryBytes > 0)
        limits.memoryLimitBytes = record->memoryBytes;
    if (record->diskBytes > 0)
        limits.diskLimitBytes = record->diskBytes;
    co_return limits;
}

} // namespace berth::e2b
