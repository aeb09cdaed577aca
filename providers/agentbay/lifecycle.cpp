// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/core.h"

#include "async/sleep.h"
#include "domain/text.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QRegularExpression>

#include <algorithm>
#include <functional>

namespace berth::agentbay {

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
// Beside InstanceLabels, of which none is the same in all: lists are asked for by this one.
const QString kMark = QStringLiteral("berth.made");
const QString kYes = QStringLiteral("yes");
const QString kName = QStringLiteral("berth.name");
const QString kImage = QStringLiteral("berth.image");
const QString kCreated = QStringLiteral("berth.created");
const QString kHomeLabel = QStringLiteral("berth.home");

tl::unexpected<Error> noSuchSandbox()
{
    return failure(ErrorKind::NotFound, QStringLiteral("There is no such sandbox at AgentBay"));
}

//! As the service makes them; empty for what can be none.
QString plainId(const ExternalId &id)
{
    static const QRegularExpression form(
        QRegularExpression::anchoredPattern(QStringLiteral("[A-Za-z0-9_-]{1,128}")));
    const QString text = id.toString();
    return form.match(text).hasMatch() ? text : QString();
}

Instance instanceOf(const QString &id, const QString &status, const QMap<QString, QString> &labels)
{
    Instance made;
    made.externalId = ExternalId(id);
    made.name = labels.value(kName);
    made.image = labels.value(kImage);
    made.state = stateOf(status);
    if (made.state == ObservedState::Unknown)
        made.stateDetail = QStringLiteral("AgentBay says: %1").arg(status.left(40));
    made.labels = domain::InstanceLabels::fromMap(labels);
    made.createdAt = QDateTime::fromString(labels.value(kCreated), Qt::ISODateWithMs);
    made.startedAt = made.createdAt;
    return made;
}

//! A session's labels, asked for once.
Async<QMap<QString, QString>> labelsOf(CorePtr core, ApiPtr api, QString id, std::stop_token stop)
{
    if (core->labels.contains(id)) {
        const QMap<QString, QString> known = core->labels.value(id);
        co_return known;
    }
    const Result<QMap<QString, QString>> labels = co_await labelsOfSession(api, id, stop);
    if (labels && !labels->isEmpty())
        core->labels.insert(id, *labels);
    co_return labels;
}

} // namespace

Async<QList<Instance>> listAll(CorePtr core, std::stop_token stop)
{
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const QMap<QString, QString> mark{{kMark, kYes}};
    const Result<QList<Session>> sessions = co_await listSessions(*api, mark, stop);
    if (!sessions)
        co_return failure(sessions.error());
    QList<Instance> instances;
    for (const Session &one : *sessions) {
        if (isGone(one.status))
            continue;
        const Result<QMap<QString, QString>> labels = co_await labelsOf(core, *api, one.id, stop);
        if (!labels && labels.error().kind == ErrorKind::NotFound)
            continue; // ended meanwhile
        if (!labels)
            co_return failure(labels.error());
        const Instance instance = instanceOf(one.id, one.status, *labels);
        if (!instance.labels.installation.isNull())
            instances.append(instance);
    }
    const QList<Instance> result = instances;
    co_return result;
}

//! The session with its state, whoever it belongs to.
Async<Instance> inspectOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const QString id = plainId(external);
    if (id.isEmpty())
        co_return noSuchSandbox();
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<QString> status = co_await statusOfSession(*api, id, stop);
    if ((!status && status.error().kind == ErrorKind::NotFound) || (status && isGone(*status))) {
        core->dropConnection(id, QStringLiteral("the sandbox is gone"));
        co_return noSuchSandbox();
    }
    if (!status)
        co_return failure(status.error());
    const Result<QMap<QString, QString>> labels = co_await labelsOf(core, *api, id, stop);
    if (!labels)
        co_return failure(labels.error());
    const Instance made = instanceOf(id, *status, *labels);
    co_return made;
}

namespace {

Async<Instance> ownNow(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Instance> instance = co_await inspectOne(core, external, stop);
    if (!instance)
        co_return failure(instance.error());
    if (instance->labels.installation.isNull())
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox was not made by Berth"));
    if (instance->labels.installation != core->installation)
        co_return failure(ErrorKind::Forbidden,
                          QStringLiteral("This sandbox belongs to another Berth"));
    co_return instance;
}

//! Until the session is \a wanted, or is none of \a meanwhile any more.
Async<void> awaitState(CorePtr core, ApiPtr api, QString id, ObservedState wanted,
                       QList<ObservedState> meanwhile, QString what, std::stop_token stop)
{
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        const Result<QString> status = co_await statusOfSession(api, id, stop);
        if (!status)
            co_return failure(status.error());
        const ObservedState now = stateOf(*status);
        if (now == wanted)
            co_return Result<void>();
        if (now == ObservedState::Gone)
            co_return noSuchSandbox();
        if (!meanwhile.contains(now))
            co_return failure(ErrorKind::Conflict, what + QStringLiteral(" did not happen"),
                              QStringLiteral("The sandbox is %1").arg(status->left(40)));
        if (std::chrono::milliseconds(clock.elapsed()) > core->pace.longest)
            co_return failure(ErrorKind::Timeout, what + QStringLiteral(" takes too long"));
        const bool slept = co_await async::sleepFor(core->pace.look, stop);
        if (!slept)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    }
}

Async<void> askFor(ApiPtr api, QByteArray action, QString id, QString what, std::stop_token stop)
{
    const Call call{action, {{"SessionId", id.toUtf8()}}, what};
    const Result<Answer> answer = co_await ask(api, call, stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>();
}

//! The plan of an account may lack it; from then on that is said before.
Error withoutPlan(const CorePtr &core, Error error)
{
    if (error.kind != ErrorKind::Unsupported)
        return error;
    core->noPause = QStringLiteral("The account's plan at AgentBay has no pause and resume");
    error.message = core->noPause;
    return error;
}

} // namespace

Async<void> pauseOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Instance> own = co_await ownNow(core, external, stop);
    if (!own)
        co_return failure(own.error());
    if (own->state == ObservedState::Paused)
        co_return Result<void>();
    const QString what = QStringLiteral("Pausing the sandbox");
    const QString id = own->externalId.toString();
    if (own->state != ObservedState::Stopping) {
        const Result<void> asked = co_await askFor(core->api, "PauseSessionAsync", id, what, stop);
        if (!asked) {
            const Error error = withoutPlan(core, asked.error());
            co_return failure(error);
        }
    }
    const QList<ObservedState> meanwhile{ObservedState::Stopping, ObservedState::Running};
    const Result<void> done =
        co_await awaitState(core, core->api, id, ObservedState::Paused, meanwhile, what, stop);
    co_return done;
}

Async<void> resumeOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Instance> own = co_await ownNow(core, external, stop);
    if (!own)
        co_return failure(own.error());
    if (own->state == ObservedState::Running)
        co_return Result<void>();
    const QString what = QStringLiteral("Resuming the sandbox");
    const QString id = own->externalId.toString();
    if (own->state != ObservedState::Starting) {
        const Result<void> asked = co_await askFor(core->api, "ResumeSessionAsync", id, what, stop);
        if (!asked) {
            const Error error = withoutPlan(core, asked.error());
            co_return failure(error);
        }
    }
    const QList<ObservedState> meanwhile{ObservedState::Starting, ObservedState::Paused};
    const Result<void> done =
        co_await awaitState(core, core->api, id, ObservedState::Running, meanwhile, what, stop);
    co_return done;
}

Async<void> destroyOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Instance> own = co_await ownNow(core, external, stop);
    if (!own && own.error().kind == ErrorKind::NotFound)
        co_return Result<void>();
    if (!own)
        co_return failure(own.error());
    const QString what = QStringLiteral("Destroying the sandbox");
    const QString id = own->externalId.toString();
    const Result<void> asked = co_await askFor(core->api, "DeleteSessionAsync", id, what, stop);
    if (!asked && asked.error().kind != ErrorKind::NotFound)
        co_return failure(asked.error());
    core->dropConnection(id, QStringLiteral("the sandbox was destroyed"));
    const QList<ObservedState> meanwhile{ObservedState::Stopping, ObservedState::Running,
                                         ObservedState::Paused, ObservedState::Starting,
                                         ObservedState::Unknown};
    const Result<void> gone =
        co_await awaitState(core, core->api, id, ObservedState::Gone, meanwhile, what, stop);
    if (!gone && gone.error().kind != ErrorKind::NotFound)
        co_return failure(gone.error());
    co_return Result<void>();
}

namespace {

Async<QString> contextFor(ApiPtr api, QString name, std::stop_token stop)
{
    const Call call{"GetContext",
                    {{"Name", name.toUtf8()},
                     {"AllowCreate", "true"},
                     {"LoginRegionId", api->where.region.toUtf8()}},
                    QStringLiteral("Finding the context"),
                    true};
    const Result<Answer> answer = co_await ask(api, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const Result<QString> id = decodeContextId(*answer);
    co_return id;
}

//! Until the files of the context are in the sandbox.
Async<void> awaitContext(CorePtr core, ApiPtr api, QString id, std::stop_token stop)
{
    const Call call{"GetContextInfo",
                    {{"SessionId", id.toUtf8()}},
                    QStringLiteral("Looking at the context"),
                    true};
    QElapsedTimer clock;
    clock.start();
    for (;;) {
        const Result<Answer> answer = co_await ask(api, call, stop);
        if (!answer)
            co_return failure(answer.error());
        const Result<ContextState> state = decodeContextState(*answer);
        if (!state)
            co_return failure(state.error());
        if (!state->problem.isEmpty())
            co_return failure(ErrorKind::Unavailable,
                              QStringLiteral("The files of the context did not arrive"),
                              domain::displayName(state->problem.left(300).toUtf8()));
        if (state->isDone)
            co_return Result<void>();
        if (std::chrono::milliseconds(clock.elapsed()) > core->pace.longest)
            co_return failure(ErrorKind::Timeout,
                              QStringLiteral("The files of the context take too long"));
        const bool slept = co_await async::sleepFor(core->pace.look, stop);
        if (!slept)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    }
}

QString freeName(const QString &wanted, const QList<Instance> &taken)
{
    for (int n = 1; n <= kMostNames; ++n) {
        const QString name = n == 1 ? wanted : QStringLiteral("%1-%2").arg(wanted).arg(n);
        if (std::none_of(taken.begin(), taken.end(),
                         [&name](const Instance &one) { return one.name == name; }))
            return name;
    }
    return wanted;
}

//! What a new one needs before it can be used; when that fails it must not stay.
Async<void> prepare(CorePtr core, ApiPtr api, QString id, SandboxSettings settings,
                    std::stop_token stop)
{
    if (!settings.context.isEmpty()) {
        const Result<void> there = co_await awaitContext(core, api, id, stop);
        if (!there)
            co_return failure(there.error());
    }
    net::ScriptRequest request;
    request.script = "mkdir -p -- " + net::shellWord(settings.home);
    const Result<net::ScriptResult> made = co_await runShell(api, id, request, false, stop);
    if (!made)
        co_return failure(made.error());
    if (made->code != 0)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("The working directory %1 cannot be made")
                              .arg(QString::fromUtf8(settings.home)),
                          domain::displayName(made->err.trimmed().left(300)));
    co_return Result<void>();
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
                          QStringLiteral("A sandbox at AgentBay cannot have a directory of this "
                                         "computer as its workspace"));
    const Result<ApiPtr> api = readyApi(core);
    if (!api)
        co_return failure(api.error());
    const Result<QList<Instance>> others = co_await listAll(core, stop);
    if (!others)
        co_return failure(others.error());

    QMap<QString, QString> labels = request.labels.toMap();
    labels.insert(kMark, kYes);
    labels.insert(kName, freeName(request.name, *others));
    labels.insert(kImage, settings->image);
    labels.insert(kCreated, domain::nowUtc().toString(Qt::ISODateWithMs));
    labels.insert(kHomeLabel, QString::fromUtf8(settings->home));
    Call call{"CreateMcpSession",
              {{"Labels", labelsText(labels)}, {"LoginRegionId", (*api)->where.region.toUtf8()}},
              QStringLiteral("Creating a sandbox")};
    if (!settings->image.isEmpty())
        call.fields.append({"ImageId", settings->image.toUtf8()});
    if (!settings->context.isEmpty()) {
        const Result<QString> context = co_await contextFor(*api, settings->context, stop);
        if (!context)
            co_return failure(context.error());
        call.fields.append({"PersistenceDataList", persistenceText(*context, settings->home)});
    }
    const Result<Answer> answer = co_await ask(*api, call, stop);
    if (!answer) {
        Error error = answer.error();
        // It may have arrived all the same; the caller looks for it by its token.
        if (error.kind == ErrorKind::Cancelled)
            error.kind = ErrorKind::Timeout;
        if (error.kind == ErrorKind::NotFound || error.kind == ErrorKind::Unsupported)
            error.kind = ErrorKind::InvalidInput;
        co_return failure(error);
    }
    const Result<QString> id = decodeCreated(*answer);
    if (!id)
        co_return failure(id.error());
    core->labels.insert(*id, labels);
    const Result<void> ready = co_await prepare(core, *api, *id, *settings, stop);
    if (!ready) {
        // What the user asked for is over by then, so it has no stop token.
        const QString what = QStringLiteral("Destroying the sandbox");
        const std::stop_token never;
        const Result<void> ended = co_await askFor(*api, "DeleteSessionAsync", *id, what, never);
        Q_UNUSED(ended)
        co_return failure(ready.error());
    }
    const Instance made = instanceOf(*id, QStringLiteral("RUNNING"), labels);
    co_return made;
}

Async<std::shared_ptr<domain::SandboxConnection>> connectOne(CorePtr core, ExternalId external,
                                                             std::stop_token stop)
{
    const Result<Instance> own = co_await ownNow(core, external, stop);
    if (!own)
        co_return failure(own.error());
    if (own->state != ObservedState::Running)
        co_return failure(ErrorKind::Conflict, QStringLiteral("The sandbox does not run"),
                          own->stateDetail);
    const QString id = own->externalId.toString();
    const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
    if (!settings)
        co_return failure(settings.error());
    ConnectionPtr connection = core->connections.value(id).lock();
    if (!connection || !connection->isOpen()) {
        const auto link = std::make_shared<Link>();
        link->api = core->api;
        link->session = id;
        link->settings = *settings;
        link->pause = core->pace.look;
        link->pieces = core->pieces;
        const QString home = core->labels.value(id).value(kHomeLabel);
        if (!home.isEmpty())
            link->settings.home = home.toUtf8();
        connection = std::make_shared<AgentBayConnection>(link);
        core->connections.insert(id, connection);
    }
    const std::shared_ptr<domain::SandboxConnection> result = connection;
    co_return result;
}

//! Use is measured by a tool in the sandbox only, which may count as activity: so it is not.
Async<domain::ResourceSample> measureOne(CorePtr core, ExternalId external, std::stop_token stop)
{
    const Result<Instance> own = co_await ownNow(core, external, stop);
    if (!own)
        co_return failure(own.error());
    domain::ResourceSample sample;
    sample.at = domain::nowUtc();
    const domain::ResourceSample result = sample;
    co_return result;
}

} // namespace berth::agentbay
