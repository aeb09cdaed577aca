// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProcessService that finds again in a sandbox what the records know, and ends what is
// surely over.
#include "application/processes/known_process.h"
#include "async/sleep.h"
#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QUuid>

#include <array>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Job;
using domain::LeaseId;
using domain::ObservedState;
using domain::Outcome;
using domain::OutcomeKind;
using domain::ProcessRecord;
using domain::ProcessStage;
using domain::Result;
using std::chrono::milliseconds;

namespace {

//! How long a list or a read waits for a look.
constexpr milliseconds kLookBound{5000};
//! Between looks at a sandbox that runs but did not let itself be connected; then a change of its
//! state is waited for.
constexpr std::array kLookAgain{milliseconds(1000), milliseconds(3000), milliseconds(10'000),
                                milliseconds(30'000), milliseconds(60'000)};

Outcome endedBecause(QString why)
{
    Outcome outcome;
    outcome.kind = OutcomeKind::Interrupted;
    outcome.detail = std::move(why);
    return outcome;
}

} // namespace

QList<ProcessService::Shared> ProcessService::unfollowed(const LeaseId &lease) const
{
    QList<Shared> list;
    for (const auto &[id, known] : m_known) {
        if (known->record.lease == lease && !known->hasEnded() && !known->execution
            && !known->starting)
            list << known;
    }
    return list;
}

bool ProcessService::isRunning(const LeaseId &lease) const
{
    const LeaseController *controller = m_sandboxes.controllerOf(lease);
    return controller && controller->lease().observed == ObservedState::Running
        && controller->hasLiveInstance();
}

//! What the state of the sandbox alone says; nullopt: it may still run.
std::optional<Outcome> ProcessService::sureEnd(const Known &known) const
{
    const LeaseController *controller = m_sandboxes.controllerOf(known.record.lease);
    if (!controller)
        return std::nullopt;
    const ProcessRecord &record = known.record;
    if (record.instance.isNull()) {
        Outcome outcome;
        outcome.kind = OutcomeKind::NotStarted;
        outcome.detail = QStringLiteral("Berth ended before the sandbox was asked to start it");
        return outcome;
    }
    const std::optional<domain::InstanceRecord> &instance = controller->instance();
    const bool sameThere = instance && instance->id == record.instance
        && instance->status != domain::InstanceStatus::Gone;
    if (!sameThere) {
        return endedBecause(controller->lease().desired == domain::DesiredState::Destroyed
                                ? QStringLiteral("Ended when the sandbox was destroyed")
                                : QStringLiteral("Ended with its sandbox, which does not exist "
                                                 "any more"));
    }
    switch (controller->lease().observed) {
    case ObservedState::Stopped:
    case ObservedState::Archived:
        return endedBecause(QStringLiteral("Ended when the sandbox was stopped"));
    case ObservedState::Paused: {
        const std::optional<domain::Capabilities> capabilities = capabilitiesOf(record.lease);
        if (!capabilities || capabilities->has(domain::Capability::ProcessesSurvivePause))
            return std::nullopt;
        return endedBecause(
            QStringLiteral("Ended when the sandbox was paused: ")
            + capabilities->reasonAgainst(domain::Capability::ProcessesSurvivePause));
    }
    case ObservedState::Gone:
        return endedBecause(
            QStringLiteral("Ended with its sandbox, which does not exist any more"));
    case ObservedState::Running:
    case ObservedState::Starting:
    case ObservedState::Stopping:
    case ObservedState::Error:
    case ObservedState::Unknown:
        break;
    }
    return std::nullopt;
}

void ProcessService::onLease(const domain::SandboxId &sandbox)
{
    const LeaseController *controller = m_sandboxes.controllerOf(sandbox);
    if (!controller || m_stopping)
        return;
    const LeaseId lease = controller->lease().id;
    QList<Shared> live;
    for (const auto &[id, known] : m_known) {
        if (known->record.lease == lease && !known->hasEnded() && !known->starting)
            live << known;
    }
    bool look = false;
    for (const Shared &known : std::as_const(live)) {
        if (const std::optional<Outcome> sure = sureEnd(*known)) {
            conclude(known, *sure);
            continue;
        }
        look = look || !known->execution;
        const ProcessView view = viewOf(*known);
        if (view.state != known->toldState || view.detail != known->toldDetail)
            publish(known);
    }
    // Its owner is just at it: then it will be connected anyway.
    if (look && isRunning(lease) && controller->busy().isEmpty() && !controller->isUnreachable())
        lookSoon(lease, milliseconds(300));
}

void ProcessService::onConnected(const domain::SandboxId &sandbox)
{
    const LeaseController *controller = m_sandboxes.controllerOf(sandbox);
    if (controller && !m_stopping)
        m_scope.spawn(adoptInBackground(controller->lease().id));
}

async::Task<void> ProcessService::adoptInBackground(LeaseId lease)
{
    const Result<void> looked = co_await look(lease, m_scope.token());
    if (!looked)
        domain::log(domain::LogLevel::Info, "process", looked.error().message);
}

void ProcessService::lookSoon(const LeaseId &lease, milliseconds delay)
{
    if (m_stopping || m_keptLooking.value(lease))
        return;
    m_keptLooking.insert(lease, true);
    m_scope.spawn(keepLooking(lease, delay));
}

async::Task<void> ProcessService::keepLooking(LeaseId lease, milliseconds delay)
{
    const std::stop_token stop = m_scope.token();
    for (const milliseconds next : kLookAgain) {
        const bool waited = co_await async::sleepFor(delay, stop);
        // A sandbox that rests is not woken: the change of its state brings us back.
        if (!waited || unfollowed(lease).isEmpty() || !isRunning(lease))
            break;
        const Result<void> looked = co_await look(lease, stop);
        if (looked || stop.stop_requested())
            break;
        delay = next;
    }
    m_keptLooking.remove(lease);
}

async::Task<void> ProcessService::lookBounded(LeaseId lease, std::stop_token stop)
{
    const async::Completion<bool> done;
    struct Work
    {
        static async::Task<void> run(ProcessService *self, LeaseId lease,
                                     async::Completion<bool> done)
        {
            const Result<void> looked = co_await self->look(lease, self->m_scope.token());
            Q_UNUSED(looked)
            done.complete(true);
        }
        static async::Task<void> limit(async::Completion<bool> done, std::stop_token stop)
        {
            const bool elapsed = co_await async::sleepFor(kLookBound, stop);
            Q_UNUSED(elapsed)
            done.complete(false);
        }
    };
    m_scope.spawn(Work::run(this, lease, done));
    std::stop_source bound;
    const std::stop_callback onStop(stop, [&bound] { bound.request_stop(); });
    Work::limit(done, bound.get_token());
    const bool looked = co_await done;
    Q_UNUSED(looked)
    bound.request_stop();
}

Async<void> ProcessService::look(LeaseId lease, std::stop_token stop)
{
    if (m_looks.contains(lease)) {
        const async::Completion<Result<void>> other = m_looks.value(lease);
        const Result<void> looked = co_await other;
        co_return looked;
    }
    const async::Completion<Result<void>> mine;
    m_looks.insert(lease, mine);
    Result<void> result;
    if (LeaseController *controller = m_sandboxes.controllerOf(lease)) {
        const Result<ReadySandbox> ready = co_await controller->look(stop);
        if (!ready)
            result = failure(ready.error());
        else if (!m_stopping)
            result = co_await adopt(lease, *ready);
    } else {
        result =
            failure(ErrorKind::NotFound, QStringLiteral("The sandbox does not exist any more"));
    }
    if (!result) {
        const QList<Shared> waiting = unfollowed(lease);
        for (const Shared &known : waiting) {
            known->reason = result.error().message;
            const ProcessView view = viewOf(*known);
            if (view.state != known->toldState || view.detail != known->toldDetail)
                publish(known);
        }
    }
    m_looks.remove(lease);
    mine.complete(result);
    co_return result;
}

Async<void> ProcessService::adopt(LeaseId lease, ReadySandbox ready)
{
    if (unfollowed(lease).isEmpty() && m_adopted.value(lease).lock() == ready.connection)
        co_return Result<void>();
    const Result<QList<Job>> jobs = co_await ready.connection->shell().jobs(m_scope.token());
    if (!jobs && jobs.error().kind != ErrorKind::Unsupported)
        co_return failure(jobs.error());
    const QList<Shared> waiting = unfollowed(lease);
    if (!jobs) {
        for (const Shared &known : waiting)
            conclude(known,
                     endedBecause(QStringLiteral("Ended with the connection to the sandbox: ")
                                  + jobs.error().message));
        co_return Result<void>();
    }
    m_adopted.insert(lease, ready.connection);
    QHash<QByteArray, Job> byTag;
    for (const Job &job : *jobs) {
        if (!job.tag.isEmpty())
            byTag.insert(job.tag, job);
    }
    const LeaseController *controller = m_sandboxes.controllerOf(lease);
    for (const Shared &known : waiting) {
        // It may have ended, or have been found, while we waited.
        if (known->hasEnded() || known->execution)
            continue;
        const auto job = byTag.constFind(tagOf(known->record.id));
        if (job != byTag.constEnd()) {
            const Result<void> adopted = co_await adoptJob(known, ready, *job);
            if (!adopted)
                co_return failure(adopted.error());
            continue;
        }
        Outcome outcome;
        outcome.kind = OutcomeKind::Interrupted;
        if (known->record.stage == ProcessStage::Starting) {
            outcome.kind = OutcomeKind::NotStarted;
            outcome.detail = QStringLiteral("It was being started when Berth lost sight of it, and "
                                            "the sandbox does not know it");
        } else if (controller && controller->startedAt() > known->record.startedAt) {
            outcome.detail =
                QStringLiteral("Ended when the sandbox was stopped; it was started anew since");
        } else {
            outcome.detail = QStringLiteral("It is no longer there; how it ended is not known");
        }
        conclude(known, outcome);
    }
    for (auto job = byTag.constBegin(); job != byTag.constEnd(); ++job) {
        // A tag of another kind is not ours to follow.
        const QString id = QString::fromUtf8(job.key().mid(tagOf({}).size()));
        if (job.key() != tagOf(domain::ProcessId(id)) || QUuid::fromString(id).isNull()
            || job->ended || m_known.contains(id))
            continue;
        const Shared known = adoptUnknown(lease, domain::ProcessId(id), ready, *job);
        const Result<void> adopted = co_await adoptJob(known, ready, *job);
        if (!adopted)
            co_return failure(adopted.error());
    }
    co_return Result<void>();
}

//! The sandbox runs a process of ours that the records do not have (they were put back from a
//! copy).
ProcessService::Shared ProcessService::adoptUnknown(const LeaseId &lease,
                                                    const domain::ProcessId &id,
                                                    const ReadySandbox &ready, const Job &job)
{
    auto known = std::make_shared<Known>();
    ProcessRecord &record = known->record;
    record.id = id;
    record.lease = lease;
    record.instance = ready.instance;
    if (job.hasTerminal)
        record.terminal = domain::TerminalSize{};
    record.title = QStringLiteral("Found in the sandbox");
    record.cwd = ready.connection->homeDirectory();
    record.outputRef = QStringLiteral("processes/") + record.id.toString();
    record.startedAt = domain::nowUtc();
    record.stage = ProcessStage::Running;
    m_known[record.id.toString()] = known;
    save(known);
    publish(known);
    return known;
}

Async<void> ProcessService::adoptJob(Shared known, ReadySandbox ready, Job job)
{
    Result<std::unique_ptr<ProcessLog>> log = ProcessLog::open(
        pathOf(known->record), known->record.terminal ? kTerminalLog : kBackgroundLog);
    if (!log)
        co_return failure(log.error());
    const Result<std::shared_ptr<domain::Execution>> attached =
        co_await ready.connection->shell().attach(job.id, (*log)->outOffset(), (*log)->errOffset(),
                                                  m_scope.token());
    if (!attached && attached.error().kind == ErrorKind::NotFound) {
        conclude(known,
                 endedBecause(QStringLiteral("It is no longer there; how it ended is not known")));
        co_return Result<void>();
    }
    if (!attached)
        co_return failure(attached.error());
    if (m_stopping || known->hasEnded())
        co_return Result<void>();
    known->log = std::move(*log);
    known->record.stage = ProcessStage::Running;
    known->record.instance = ready.instance;
    follow(known, *attached);
    if (known->record.terminal && !job.ended)
        known->execution->resize(known->record.terminal->columns, known->record.terminal->rows);
    save(known);
    publish(known);
    co_return Result<void>();
}

} // namespace berth::application
