// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LeaseController that finds or makes the instance and opens it.
#include "application/sandboxes/lease_attempt.h"
#include "async/sleep.h"
#include "domain/log.h"
#include "domain/sandbox/naming.h"
#include "domain/text.h"

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
constexpr qint64 kIntentBlocksMs = 60'000;
constexpr milliseconds kAskAgain{2000};
constexpr milliseconds kInitCommandLimit{300'000};
constexpr milliseconds kBaselineLimit{20'000};

//! The provider cannot have made anything when it failed like this.
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

} // namespace

Async<std::optional<Instance>> LeaseController::findByToken(
    std::shared_ptr<domain::Provider> provider, std::stop_token stop)
{
    const Result<QList<Instance>> all = co_await provider->list(stop);
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

Async<Instance> LeaseController::findOrCreate(std::shared_ptr<domain::Provider> provider,
                                              QString source, std::shared_ptr<Attempt> attempt)
{
    const std::stop_token stop = attempt->stop.get_token();
    // After a restart the record of one that is gone is not read any more, but its end is known all
    // the same.
    const bool gone = m_instance && m_instance->status == InstanceStatus::Gone;
    const bool again = m_lease.observed == ObservedState::Gone;
    std::optional<Instance> adopted;
    if (m_instance && m_instance->status == InstanceStatus::Creating) {
        // An earlier attempt may have succeeded without our knowing.
        for (;;) {
            const Result<std::optional<Instance>> seen = co_await findByToken(provider, stop);
            if (!seen)
                co_return failure(seen.error());
            adopted = *seen;
            if (adopted || m_instance->createdAt.msecsTo(domain::nowUtc()) >= kIntentBlocksMs)
                break;
            attempt->tell({QStringLiteral("Looking for the sandbox of an interrupted start"), -1});
            const bool waited = co_await async::sleepFor(kAskAgain, stop);
            if (!waited)
                co_return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
        }
    }
    if (!adopted && (!m_instance || m_instance->status != InstanceStatus::Creating || gone)) {
        domain::InstanceRecord intent;
        intent.id = domain::InstanceId::create();
        intent.lease = m_lease.id;
        intent.createdAt = domain::nowUtc();
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
        request.overrides = m_sandbox.config;
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
    live.lastSeenAt = domain::nowUtc();
    Lease next = m_lease;
    next.engineId = provider->engineId();
    next.observed = made.state;
    next.observedAt = domain::nowUtc();
    next.desired = domain::DesiredState::Running;
    const Result<void> stored = co_await transition(
        next, live, adopted ? QStringLiteral("adopted") : QStringLiteral("created"), source, {});
    if (!stored)
        co_return failure(stored.error());
    if (made.state != ObservedState::Running) {
        const Result<void> running = co_await provider->resume(made.externalId, stop);
        if (!running)
            co_return failure(running.error());
    }
    Q_EMIT instanceMade(again);
    co_return made;
}

Async<ReadySandbox> LeaseController::connect(std::shared_ptr<domain::Provider> provider, bool made,
                                             std::stop_token stop)
{
    if (!isConnected()) {
        dropConnection();
        const Result<std::shared_ptr<domain::SandboxConnection>> opened =
            co_await provider->connect(m_instance->externalId, stop);
        if (!opened)
            co_return failure(opened.error());
        const std::shared_ptr<domain::SandboxConnection> connection = *opened;
        m_needsInit = m_needsInit || made;
        if (m_needsInit) {
            const Result<void> initialised = co_await initialise(connection, stop);
            if (!initialised)
                co_return failure(initialised.error());
            m_needsInit = false;
        }
        m_connection = connection;
        QObject::connect(connection.get(), &domain::SandboxConnection::lost, this,
                         [this](const QString &reason) {
                             domain::log(domain::LogLevel::Info, "lease",
                                         QStringLiteral("connection lost: ") + reason);
                             m_lastSeenRunning.invalidate();
                             Q_EMIT changed();
                         });
        domain::CommandSpec nothing;
        nothing.shellText = QByteArrayLiteral(":");
        nothing.trackState = true;
        nothing.timeout = kBaselineLimit;
        const Result<std::shared_ptr<domain::Execution>> started =
            co_await connection->shell().start(nothing, stop);
        if (!started)
            co_return failure(started.error());
        const async::Completion<domain::Outcome> ended;
        QObject::connect(started->get(), &domain::Execution::finished, this,
                         [ended](const domain::Outcome &outcome) { ended.complete(outcome); });
        const domain::Outcome outcome = co_await ended;
        m_baseline = outcome.environment.value_or(domain::Environment{});
    }
    co_return ReadySandbox{m_connection, m_baseline, m_instance->id, false, false};
}

Async<void> LeaseController::initialise(std::shared_ptr<domain::SandboxConnection> connection,
                                        std::stop_token stop)
{
    const QString text =
        m_providers.effective(m_lease.providerConfig).value(QStringLiteral("init_commands"));
    const QStringList commands = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    int number = 0;
    for (const QString &command : commands) {
        ++number;
        domain::CommandSpec spec;
        spec.shellText = command.toUtf8();
        spec.timeout = kInitCommandLimit;
        const Result<std::shared_ptr<domain::Execution>> started =
            co_await connection->shell().start(spec, stop);
        if (!started)
            co_return failure(started.error());
        const std::shared_ptr<domain::Execution> execution = *started;
        auto tail = std::make_shared<QByteArray>();
        QObject::connect(execution.get(), &domain::Execution::output, this,
                         [execution = execution.get(), tail](domain::OutputStream stream,
                                                             const QByteArray &bytes) {
                             *tail = (*tail + bytes).right(2000);
                             execution->acknowledge(stream, bytes.size());
                         });
        const async::Completion<domain::Outcome> ended;
        QObject::connect(execution.get(), &domain::Execution::finished, this,
                         [ended](const domain::Outcome &outcome) { ended.complete(outcome); });
        const domain::Outcome outcome = co_await ended;
        if (domain::exitCodeOf(outcome) != 0) {
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("Set-up command %1 ended with %2")
                                  .arg(number)
                                  .arg(domain::exitCodeOf(outcome)),
                              command + QLatin1Char('\n') + QString::fromUtf8(*tail));
        }
    }
    co_return Result<void>();
}

} // namespace berth::application
