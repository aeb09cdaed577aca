// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/core.h"

#include "async/sleep.h"
#include "domain/log.h"
#include "guest/guest_binary.h"
#include "providers/docker/fit.h"
#include "providers/docker/link.h"
#include "providers/docker/pull.h"
#include "providers/docker/tar.h"

#include <QtCore/QDir>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

//! Names that are taken are tried on with -2, -3, …
constexpr int kMostNames = 50;
constexpr auto kKeepFresh = 60s;

//! Never without saying so: an older copy is no answer to "always".
Async<Image> pulledImage(EnginePtr engine, SandboxSettings settings, domain::ProgressSink progress,
                         std::stop_token stop)
{
    Result<RegistryLogin> login;
    if (engine->isPrivate) {
        const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        login = co_await findLogin(settings.image, environment, QDir::homePath(), stop);
    } else {
        login->problem =
            QStringLiteral("A login is not sent to an engine that is reached without encryption");
    }
    if (!login)
        co_return failure(login.error());
    const Result<void> pulled =
        co_await pullImage(engine, settings.image, *login, progress, PullPace(), stop);
    if (!pulled) {
        domain::Error error = pulled.error();
        if (settings.pull == PullPolicy::Always && error.kind != ErrorKind::Cancelled) {
            const Result<Image> copy = co_await inspectImage(engine, settings.image, stop);
            if (copy)
                error.detail += QStringLiteral(
                    ". The engine has a copy, but the image is to be pulled before each new "
                    "sandbox: set \"pull_policy\" to \"missing\" to use the copy");
        }
        co_return failure(error);
    }
    Result<Image> image = co_await inspectImage(engine, settings.image, stop);
    if (!image && image.error().kind == ErrorKind::NotFound)
        image.error().kind = ErrorKind::InvalidInput;
    co_return image;
}

Async<Image> presentImage(EnginePtr engine, SandboxSettings settings, domain::ProgressSink progress,
                          std::stop_token stop)
{
    if (settings.pull != PullPolicy::Always) {
        const Result<Image> present = co_await inspectImage(engine, settings.image, stop);
        if (present)
            co_return *present;
        if (present.error().kind != ErrorKind::NotFound)
            co_return failure(present.error());
        if (settings.pull == PullPolicy::Never)
            co_return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("The engine does not have the image %1").arg(settings.image),
                QStringLiteral("Pulling is set to \"Never\" in the provider's settings"));
    }
    const Result<Image> pulled = co_await pulledImage(engine, settings, progress, stop);
    co_return pulled;
}

bool isRoot(const QString &user)
{
    const QString name = user.section(QLatin1Char(':'), 0, 0);
    return name.isEmpty() || name == QLatin1String("0") || name == QLatin1String("root");
}

//! Removes a half-made sandbox; fails when its container may still be there. What the user asked
//! for is over by then, so it has no stop token.
Async<void> undo(CorePtr core, EnginePtr engine, QString id, QString volume)
{
    Result<void> gone;
    if (!id.isEmpty()) {
        core->dropConnection(id, QStringLiteral("the sandbox was not finished"));
        const Result<void> removed = co_await removeContainer(engine, id, {});
        if (!removed) {
            domain::log(
                domain::LogLevel::Warning, "docker",
                QStringLiteral("half-made container %1 stays: %2").arg(id, removed.error().detail));
            if (removed.error().kind != ErrorKind::NotFound)
                gone = failure(removed.error());
        }
    }
    if (volume.isEmpty())
        co_return gone;
    const Result<void> removed = co_await removeVolume(engine, volume, {});
    if (!removed && removed.error().kind != ErrorKind::NotFound)
        domain::log(domain::LogLevel::Warning, "docker",
                    QStringLiteral("volume %1 stays: %2").arg(volume, removed.error().detail));
    co_return gone;
}

struct Made
{
    QString id;
    QString volume;
};

//! Volume, when one is wanted, and container under the first name that is free for both.
Async<Made> makeContainer(CorePtr core, EnginePtr engine, ContainerPlan plan, std::stop_token stop)
{
    const QString wanted = plan.name;
    for (int n = 1; n <= kMostNames; ++n) {
        plan.name = n == 1 ? wanted : QStringLiteral("%1-%2").arg(wanted).arg(n);
        if (plan.hostWorkspace.isEmpty()) {
            plan.volume = plan.name + QStringLiteral("-workspace");
            const Result<Volume> volume =
                co_await createVolume(engine, plan.volume, plan.labels, stop);
            if (!volume)
                co_return failure(volume.error());
            // The engine answers an old one of that name as if it were new; a workspace starts
            // empty.
            if (volume->labels != plan.labels)
                continue;
        }
        Result<QString> id = co_await createContainer(engine, plan, stop);
        if (!id && id.error().kind == ErrorKind::InvalidInput && !plan.linkDirectory.isEmpty()) {
            // A socket of this machine may lead to an engine that sees other directories.
            ContainerPlan without = plan;
            without.linkDirectory.clear();
            without.isRunnerMounted = false;
            const Result<QString> again = co_await createContainer(engine, without, stop);
            if (again || again.error().kind != ErrorKind::InvalidInput)
                id = again;
        }
        if (id)
            co_return Made{*id, plan.volume};
        // A cancelled request may have arrived all the same.
        QString perhaps;
        if (!id.error().httpStatus) {
            const Result<Container> there = co_await inspectContainer(engine, plan.name, false, {});
            if (there && there->instance.labels == plan.labels)
                perhaps = there->instance.externalId.toString();
        }
        const Result<void> undone = co_await undo(core, engine, perhaps, plan.volume);
        if (!undone || id.error().kind != ErrorKind::Conflict)
            co_return failure(id.error());
    }
    co_return failure(ErrorKind::Conflict,
                      QStringLiteral("No name is free for the container %1").arg(wanted),
                      QStringLiteral("Remove old containers or volumes with that name"));
}

async::Task<void> forgetFresh(CorePtr core, QString id, std::stop_token stop)
{
    const ConnectionPtr kept = core->fresh.value(id);
    const bool elapsed = co_await async::sleepFor(kKeepFresh, stop);
    if (core->fresh.value(id) == kept || !elapsed)
        core->fresh.remove(id);
}

//! The runner, and a workspace that the user of the commands may write to.
Async<void> putRunner(CorePtr core, EnginePtr engine, QString id, Container container,
                      std::stop_token stop)
{
    QString architecture = engine->facts.architecture;
    const Result<Image> image = co_await inspectImage(engine, container.instance.image, stop);
    if (image && !image->architecture.isEmpty())
        architecture = image->architecture;
    const QByteArray runner = guest::guestBinary(architecture);
    if (runner.isEmpty())
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("Berth has no runner for images of the architecture %1")
                              .arg(architecture),
                          QStringLiteral("Choose an image for x86-64"));
    QList<TarEntry> entries;
    if (container.isRunnerMounted) {
        const QString directory = mountedLink(core, container);
        if (directory.isEmpty() || !placeRunner(directory, runner))
            co_return failure(
                ErrorKind::Storage,
                QStringLiteral("The runner cannot be put into %1").arg(container.linkDirectory),
                QStringLiteral("The container has it from there: make room or give this user "
                               "access to the directory"));
    } else {
        entries = {{QByteArrayLiteral(".berth"), true, 0755, 0, 0, {}},
                   {QByteArrayLiteral(".berth/guest"), false, 0555, 0, 0, runner}};
    }
    // A directory of the host keeps its owner.
    if (!isRoot(container.user) && container.hostWorkspace.isEmpty()
        && container.workingDirectory.size() < 90) {
        QByteArray passwd;
        const Result<QByteArray> archive =
            co_await getArchive(engine, id, QStringLiteral("/etc/passwd"), stop);
        if (archive)
            passwd = firstFileOf(*archive).value_or(QByteArray());
        // A new volume belongs to root unless the image has that directory.
        if (const auto ids = userIds(passwd, container.user))
            entries.append(
                {container.workingDirectory.mid(1), true, 0755, ids->first, ids->second, {}});
    }
    if (entries.isEmpty())
        co_return Result<void>{};
    const Result<void> put = co_await putArchive(engine, id, tarArchive(entries), stop);
    if (put || !put.error().detail.contains(QLatin1String("read-only")))
        co_return put;
    domain::Error error = put.error();
    error.kind = ErrorKind::Unsupported;
    error.message = QStringLiteral("The container's root is read-only: the runner has no place");
    error.detail +=
        QStringLiteral(". Recreate the sandbox; Berth makes it with a root to write to");
    co_return failure(error);
}

} // namespace

Async<void> startSandbox(CorePtr core, EnginePtr engine, QString id, Container container,
                         std::stop_token stop)
{
    core->dropConnection(id, QStringLiteral("the container was started again"));
    // What it leads to may have changed since: another sandbox may write around it.
    const Result<QString> workspace = chosenWorkspace(core, engine, container.hostWorkspace);
    if (!workspace)
        co_return failure(workspace.error());
    if (*workspace != container.hostWorkspace)
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("%1 leads to another directory than before")
                              .arg(container.hostWorkspace),
                          QStringLiteral("The sandbox is not started with %1").arg(*workspace));
    keepLinkDirectory(core, container);
    const Result<void> put = co_await putRunner(core, engine, id, container, stop);
    if (!put)
        co_return failure(put.error());
    // Before the start, so that no word of the runner, or about it, is lost.
    const Result<net::HijackedStream> attached = co_await attachContainer(engine, id, stop);
    if (!attached)
        co_return failure(attached.error());
    const Result<void> started = co_await startContainer(engine, id, stop);
    if (!started)
        co_return failure(started.error());
    std::optional<net::GuestSocketPlace> place;
    if (!container.linkDirectory.isEmpty()) {
        const Result<Container> running = co_await inspectContainer(engine, id, false, stop);
        if (running)
            place = linkPlace(core, *running);
    }
    const Result<ConnectionPtr> connection =
        co_await openConnection(*attached, container.workingDirectory, false, place, stop);
    if (!connection) {
        domain::Error error = connection.error();
        if (error.kind != ErrorKind::Cancelled)
            error.message = QStringLiteral("The runner in the container does not answer: %1")
                                .arg(error.message);
        co_return failure(error);
    }
    core->fresh.insert(id, *connection);
    core->scope.spawn(forgetFresh(core, id, core->scope.token()));
    co_return Result<void>{};
}

namespace {

struct Attempt
{
    //! Made and started.
    Result<Container> container;
    //! Nothing of it is left where it failed.
    bool isUndone = false;
    //! The engine made it and did not start it.
    bool isStartRefused = false;
};

Async<Attempt> makeAndStart(CorePtr core, EnginePtr engine, ContainerPlan plan,
                            domain::ProgressSink progress, std::stop_token stop)
{
    Attempt attempt;
    if (progress)
        progress({QStringLiteral("Creating the container"), -1});
    const Result<Made> made = co_await makeContainer(core, engine, plan, stop);
    if (!made) {
        attempt.container = failure(made.error());
        co_return attempt;
    }
    if (progress)
        progress({QStringLiteral("Starting the container"), -1});
    attempt.container = co_await inspectContainer(engine, made->id, false, stop);
    if (attempt.container) {
        const Result<void> started =
            co_await startSandbox(core, engine, made->id, *attempt.container, stop);
        if (started) {
            attempt.container = co_await inspectContainer(engine, made->id, false, stop);
        } else {
            attempt.isStartRefused = started.error().httpStatus.has_value();
            attempt.container = failure(started.error());
        }
    }
    if (!attempt.container) {
        const Result<void> undone = co_await undo(core, engine, made->id, made->volume);
        attempt.isUndone = undone.has_value();
    }
    co_return attempt;
}

} // namespace

Async<domain::Instance> createSandbox(CorePtr core, domain::CreateRequest request,
                                      domain::ProgressSink progress, std::stop_token stop)
{
    const Result<SandboxSettings> settings =
        sandboxSettings(core->settings.values, request.overrides);
    if (!settings)
        co_return failure(settings.error());
    const Result<EnginePtr> engine = co_await readyEngine(core, stop);
    if (!engine)
        co_return failure(engine.error());
    const Result<QString> workspace = chosenWorkspace(
        core, *engine, request.workspace.isEmpty() ? settings->workspaceDir : request.workspace);
    if (!workspace)
        co_return failure(workspace.error());
    const Result<void> fits = cpusFit((*engine)->facts, *settings);
    if (!fits)
        co_return failure(fits.error());
    const Result<QString> note = co_await networkNote(*engine, *settings, stop);
    if (!note) {
        core->note(note.error());
        co_return failure(note.error());
    }
    if (progress && !note->isEmpty())
        progress({*note, -1});
    const Result<Image> image = co_await presentImage(*engine, *settings, progress, stop);
    if (!image) {
        core->note(image.error());
        co_return failure(image.error());
    }
    const QByteArray runner = guest::guestBinary(image->architecture);
    if (runner.isEmpty())
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("Berth has no runner for images of the architecture %1")
                              .arg(image->architecture),
                          QStringLiteral("Choose an image for x86-64"));
    ContainerPlan plan;
    plan.name = request.name;
    plan.labels = request.labels;
    plan.settings = *settings;
    plan.hostWorkspace = *workspace;
    plan.linkDirectory = newLinkDirectory(core, *engine, request.labels.instance);
    plan.isRunnerMounted = !plan.linkDirectory.isEmpty() && placeRunner(plan.linkDirectory, runner);
    plan.runsAsRoot = isRoot(settings->user.isEmpty() ? image->user : settings->user);
    Result<Attempt> attempt = co_await makeAndStart(core, *engine, plan, progress, stop);
    // Where the data lies no program may be started (noexec, a policy of the machine): then the
    // engine puts the runner in.
    if (attempt && plan.isRunnerMounted && attempt->isStartRefused && attempt->isUndone) {
        plan.isRunnerMounted = false;
        attempt = co_await makeAndStart(core, *engine, plan, progress, stop);
    }
    if (attempt && attempt->container)
        co_return attempt->container->instance;
    domain::Error error = attempt ? attempt->container.error() : attempt.error();
    if (error.kind == ErrorKind::NotFound)
        error.kind = ErrorKind::Unavailable; // it was there a moment ago: somebody else removed it
    core->note(error);
    removeLinkDirectory(core, request.labels.instance);
    co_return failure(error);
}

Async<void> removeSandbox(CorePtr core, EnginePtr engine, QString id, Container container,
                          std::stop_token stop)
{
    const Result<void> removed = co_await removeContainer(engine, id, stop);
    if (!removed && removed.error().kind != ErrorKind::NotFound)
        co_return failure(removed.error());
    core->dropConnection(id, QStringLiteral("the sandbox was destroyed"));
    removeLinkDirectory(core, container.instance.labels.instance);
    core->watches.remove(id);
    for (const QString &name : std::as_const(container.volumes)) {
        const Result<Volume> volume = co_await inspectVolume(engine, name, stop);
        if (!volume && volume.error().kind != ErrorKind::NotFound)
            co_return failure(volume.error());
        // One that somebody else mounted there, or shares, is not ours to remove.
        if (!volume || volume->labels != container.instance.labels)
            continue;
        const Result<void> gone = co_await removeVolume(engine, name, stop);
        if (!gone && gone.error().kind != ErrorKind::NotFound)
            co_return failure(gone.error());
    }
    co_return Result<void>{};
}

} // namespace berth::docker
