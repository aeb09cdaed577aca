// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LeaseController that finds or makes the instance and opens it.
#include "application/lifecycle/backoff.h"
#include "application/lifecycle/policy_store.h"
#include "application/sandboxes/lease_attempt.h"
#include "application/sandboxes/run_command.h"
#include "domain/log.h"
#include "domain/sandbox/naming.h"

namespace berth::application {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::InstanceStatus;
using domain::Lease;
using domain::ObservedState;
using domain::Result;
using std::chrono::milliseconds;

namespace {

//! How long an intent whose create call may still be in flight blocks a new one.
constexpr milliseconds kIntentBlocks{60'000};
constexpr milliseconds kAskAgain{2000};
constexpr milliseconds kInitCommandLimit{300'000};
constexpr milliseconds kBaselineLimit{20'000};

} // namespace

bool isSurelyNotCreated(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Cancelled:
    case ErrorKind::InvalidInput:
    case ErrorKind::Unauthorized:
    case ErrorKind::Forbidden:
    case ErrorKind::NotFound:
    case ErrorKind::Conflict:
    case ErrorKind::Quota:
    case ErrorKind::RateLimited:
    case ErrorKind::Unsupported:
        return true;
    case ErrorKind::Timeout:
    case ErrorKind::Unavailable:
    case ErrorKind::Protocol:
    case ErrorKind::Storage:
    case ErrorKind::Internal:
        break;
    }
    return false;
}

Async<std::optional<Instance>> LeaseController::findByToken(
    std::shared_ptr<domain::Provider> provider, std::stop_token stop)
{
    const std::function<Async<QList<Instance>>()> list = [provider, stop] {
        return provider->list(stop);
    };
    const Result<QList<Instance>> all = co_await retried<QList<Instance>>(list, m_clock, stop);
    if (!all)
        co_return failure(all.error());
    for (const Instance &candidate : *all) {
        if (candidate.labels.installation == m_lease.installation
            && candidate.labels.lease == m_lease.id && m_instance
            && candidate.labels.instance == m_instance->id)
            co_return candidate;
    }
    co_return std::optional<Instance>();
}

bool LeaseController::isIntentBlocking() const
{
    if (!m_instance || m_instance->status != InstanceStatus::Creating)
        return false;
    const milliseconds age(m_instance->createdAt.msecsTo(m_clock->wall()));
    return age < kIntentBlocks;
}

//! What an earlier attempt may have made without our knowing. Fails, so that the user is told, when
//! nothing of it has appeared in all the time that its request may be under way; the next need
//! makes it then.
Async<std::optional<Instance>> LeaseController::findIntended(
    std::shared_ptr<domain::Provider> provider, QString source, std::shared_ptr<Attempt> attempt)
{
    const std::stop_token stop = attempt->stop.get_token();
    // By the clock that never goes back, too: the other may have been set.
    const milliseconds since = m_clock->now();
    bool waited = false;
    for (;;) {
        const Result<std::optional<Instance>> seen = co_await findByToken(provider, stop);
        if (!seen)
            co_return failure(seen.error());
        if (*seen)
            co_return *seen;
        if (!isIntentBlocking() || m_clock->now() - since >= kIntentBlocks)
            break;
        waited = true;
        attempt->tell({QStringLiteral("Looking for the sandbox of an interrupted start"), -1});
        const bool slept = co_await m_clock->sleepFor(kAskAgain, stop);
        if (!slept)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
    }
    if (!waited)
        co_return std::optional<Instance>();
    const Result<void> noted =
        co_await setObserved(ObservedState::Unknown, QStringLiteral("not_created"), source, {});
    if (!noted)
        co_return failure(noted.error());
    co_return failure(
        ErrorKind::Conflict, QStringLiteral("An earlier start of this sandbox has left no trace"),
        QStringLiteral("Its request was interrupted, and %1 has not shown the sandbox for a "
                       "minute. Send again to make it; should the earlier one appear after all, "
                       "Resources lists it.")
            .arg(m_lease.providerConfig.toString()));
}

//! Before the create call, so that a crash behind it leaves a token to look for.
Async<Instance> LeaseController::findOrCreate(std::shared_ptr<domain::Provider> provider,
                                              QString source, std::shared_ptr<Attempt> attempt)
{
    const std::stop_token stop = attempt->stop.get_token();
    // After a restart the record of one that is gone is not read any more, but its end is known all
    // the same.
    const bool again = m_lease.observed == ObservedState::Gone;
    if (isCopyIntent())
        co_return failure(ErrorKind::Conflict,
                          QStringLiteral("The copying of this sandbox was interrupted"),
                          QStringLiteral("The copy is being looked for: try again in a few "
                                         "minutes. Where there is none, this sandbox is removed, "
                                         "as an empty one was not asked for."));
    std::optional<Instance> adopted;
    domain::InstanceRecord intent;
    intent.id = domain::InstanceId::create();
    intent.lease = m_lease.id;
    if (m_instance && m_instance->status == InstanceStatus::Creating) {
        const Result<std::optional<Instance>> found =
            co_await findIntended(provider, source, attempt);
        if (!found)
            co_return failure(found.error());
        adopted = *found;
        // The same token again: what the earlier attempt has left half done is taken up.
        intent = *m_instance;
    }
    if (!adopted) {
        intent.createdAt = m_clock->wall();
        Lease next = m_lease;
        next.desired = domain::DesiredState::Running;
        next.observed = ObservedState::Starting;
        next.observedAt = intent.createdAt;
        const Result<void> written =
            co_await transition(next, intent, QStringLiteral("ensure"), source, {});
        if (!written)
            co_return failure(written.error());
    }
    Instance made;
    if (adopted) {
        made = *adopted;
    } else {
        domain::CreateRequest request;
        request.labels.installation = m_lease.installation;
        request.labels.sandbox = m_lease.sandbox;
        request.labels.lease = m_lease.id;
        request.labels.instance = m_instance->id;
        request.labels.agent = m_lease.agent;
        request.labels.alias = m_lease.alias;
        request.labels.configHash = configHash();
        request.name = domain::sandboxName(m_lease.installation, m_lease.agent, m_lease.alias);
        request.overrides = providerPart(m_sandbox.config);
        request.workspace = m_sandbox.workspace;
        const domain::ProgressSink tell = [attempt](const domain::Progress &progress) {
            attempt->tell(progress);
        };
        const Result<Instance> created = co_await provider->create(request, tell, stop);
        if (!created) {
            if (isSurelyNotCreated(created.error())) {
                domain::InstanceRecord withdrawn = *m_instance;
                withdrawn.status = InstanceStatus::Gone;
                Lease next = m_lease;
                next.observed = ObservedState::Unknown;
                // Nothing was ever there, so the next message may simply try again.
                next.desired = domain::DesiredState::Destroyed;
                const Result<void> stored =
                    co_await transition(next, withdrawn, QStringLiteral("not_created"), source,
                                        created.error().message);
                if (!stored)
                    domain::log(domain::LogLevel::Warning, "lease", stored.error().message);
            }
            co_return failure(created.error());
        }
        made = *created;
    }
    domain::InstanceRecord live = *m_instance;
    live.externalId = made.externalId;
    live.name = made.name;
    live.image = made.image;
    live.status = InstanceStatus::Live;
    live.lastSeenAt = m_clock->wall();
    live.initialised = initCommands().isEmpty();
    Lease next = m_lease;
    next.engineId = provider->engineId();
    next.observed = made.state;
    next.observedAt = m_clock->wall();
    next.desired = domain::DesiredState::Running;
    const Result<void> stored = co_await transition(
        next, live, adopted ? QStringLiteral("adopted") : QStringLiteral("created"), source, {});
    if (!stored)
        co_return failure(stored.error());
    if (made.state != ObservedState::Running) {
        const std::function<Async<void>()> resume = [provider, id = made.externalId, stop] {
            return provider->resume(id, stop);
        };
        const Result<void> running = co_await retried<void>(resume, m_clock, stop);
        if (!running)
            co_return failure(running.error());
    }
    Q_EMIT instanceMade(again);
    co_return made;
}

Async<ReadySandbox> LeaseController::connect(std::shared_ptr<domain::Provider> provider,
                                             QString source, std::stop_token stop)
{
    if (!isConnected()) {
        dropConnection();
        const std::function<Async<std::shared_ptr<domain::SandboxConnection>>()> open =
            [provider, id = m_instance->externalId, stop] { return provider->connect(id, stop); };
        const Result<std::shared_ptr<domain::SandboxConnection>> opened =
            co_await retried<std::shared_ptr<domain::SandboxConnection>>(open, m_clock, stop);
        if (!opened)
            co_return failure(opened.error());
        const std::shared_ptr<domain::SandboxConnection> connection = *opened;
        if (!m_instance->initialised) {
            const Result<void> initialised = co_await initialise(connection, source, stop);
            if (!initialised)
                co_return failure(initialised.error());
        }
        m_connection = connection;
        prepareAnew();
        QObject::connect(connection.get(), &domain::SandboxConnection::lost, this,
                         [this](const QString &reason) {
                             domain::log(domain::LogLevel::Info, "lease",
                                         QStringLiteral("connection lost: ") + reason);
                             m_seenRunning.reset();
                             Q_EMIT changed();
                         });
        domain::CommandSpec nothing;
        nothing.shellText = QByteArrayLiteral(":");
        nothing.trackState = true;
        nothing.timeout = kBaselineLimit;
        const Result<CommandRun> run = co_await runCommand(connection, nothing, stop);
        if (!run)
            co_return failure(run.error());
        m_baseline = run->outcome.environment.value_or(domain::Environment{});
        Q_EMIT connected();
    }
    co_return ReadySandbox{m_connection, m_baseline, m_instance->id, false, false};
}

QStringList LeaseController::initCommands() const
{
    return m_providers.effective(m_lease.providerConfig)
        .value(QStringLiteral("init_commands"))
        .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

//! All of them, in order. Recorded only behind the last: after a crash between they run again,
//! since half a set-up is none.
Async<void> LeaseController::initialise(std::shared_ptr<domain::SandboxConnection> connection,
                                        QString source, std::stop_token stop)
{
    const QStringList commands = initCommands();
    int number = 0;
    for (const QString &command : commands) {
        ++number;
        domain::CommandSpec spec;
        spec.shellText = command.toUtf8();
        spec.timeout = kInitCommandLimit;
        const Result<CommandRun> run = co_await runCommand(connection, spec, stop);
        if (!run)
            co_return failure(run.error());
        if (domain::exitCodeOf(run->outcome) != 0) {
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("Set-up command %1 ended with %2")
                                  .arg(number)
                                  .arg(domain::exitCodeOf(run->outcome)),
                              command + QLatin1Char('\n') + QString::fromUtf8(run->tail));
        }
    }
    domain::InstanceRecord done = *m_instance;
    done.initialised = true;
    const Result<void> noted =
        co_await transition(m_lease, done, QStringLiteral("initialised"), source, {});
    co_return noted;
}

} // namespace berth::application
