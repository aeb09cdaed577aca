// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of ProcessService that follows what runs, keeps the records and tells of both.
#include "application/processes/known_process.h"
#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QDir>
#include <QtCore/QTimer>

#include <algorithm>

namespace berth::application {

using domain::Execution;
using domain::ObservedState;
using domain::Outcome;
using domain::OutcomeKind;
using domain::ProcessRecord;
using domain::ProcessStage;
using domain::Result;
using std::chrono::milliseconds;

namespace {

//! At most twenty times a second a client hears that output grew.
constexpr int kGrowthIntervalMs = 50;
constexpr milliseconds kLookAfterLoss{300};

} // namespace

void ProcessService::follow(const Shared &known, std::shared_ptr<Execution> execution)
{
    known->execution = std::move(execution);
    known->reason.clear();
    known->inputGiven = 0;
    known->inputTaken = 0;
    count(*known, true);
    connect(known->execution.get(), &Execution::output, this,
            [this, known](domain::OutputStream stream, const QByteArray &bytes) {
                known->log->append(stream, bytes);
                if (known->execution)
                    known->execution->acknowledge(stream, bytes.size());
                grew(known);
            });
    connect(
        known->execution.get(), &Execution::skipped, this,
        [known](domain::OutputStream stream, qint64 bytes) { known->log->skip(stream, bytes); });
    connect(known->execution.get(), &Execution::inputTaken, this, [known](qint64 bytes) {
        known->inputTaken += bytes;
        while (!known->writers.isEmpty() && known->writers.first().until <= known->inputTaken)
            known->writers.takeFirst().taken.complete(true);
    });
    connect(known->execution.get(), &Execution::finished, this,
            [this, known](const Outcome &outcome) { onFinished(known, outcome); });
}

void ProcessService::onFinished(const Shared &known, const Outcome &outcome)
{
    if (outcome.kind != OutcomeKind::TransportLost) {
        conclude(known, outcome);
        return;
    }
    letGo(known,
          outcome.detail.isEmpty()
              ? QStringLiteral("The connection to the sandbox was lost")
              : QStringLiteral("The connection to the sandbox was lost: ") + outcome.detail);
    if (!m_stopping)
        lookSoon(known->record.lease, kLookAfterLoss);
}

void ProcessService::letGo(const Shared &known, const QString &reason)
{
    if (known->execution) {
        known->execution->disconnect(this);
        known->execution.reset();
    }
    if (known->log) {
        known->record.outputBytes = known->log->size();
        known->record.skippedBytes = known->log->skippedBytes();
        known->record.outOffset = known->log->outOffset();
        known->record.errOffset = known->log->errOffset();
        known->log.reset();
    }
    known->reason = reason;
    known->releaseWriters();
    count(*known, false);
    save(known);
    publish(known);
}

void ProcessService::conclude(const Shared &known, Outcome outcome)
{
    if (known->hasEnded())
        return;
    ProcessRecord &record = known->record;
    record.endedAt = domain::nowUtc();
    if (outcome.duration.count() == 0)
        outcome.duration = milliseconds(record.startedAt.msecsTo(record.endedAt));
    if (known->log && known->log->lostBytes() > 0) {
        outcome.detail += (outcome.detail.isEmpty() ? QString() : QStringLiteral("; "))
            + QStringLiteral("%1 bytes of output could not be stored: %2")
                  .arg(known->log->lostBytes())
                  .arg(known->log->lossReason());
    }
    // Variables are not kept.
    outcome.environment.reset();
    record.stage = ProcessStage::Ended;
    record.outcome = outcome;
    known->preparing.clear();
    letGo(known, {});
    m_bus.publish(ProcessOutputGrew{record.id, record.outputBytes});
    known->wake();
    known->ended.complete(true);
    prune(record.lease);
}

void ProcessService::count(Known &known, bool runs)
{
    if (known.counted == runs)
        return;
    LeaseController *controller = m_sandboxes.controllerOf(known.record.lease);
    if (!controller)
        return;
    known.counted = runs;
    if (runs)
        controller->backgroundStarted();
    else
        controller->backgroundEnded();
}

void ProcessService::grew(const Shared &known)
{
    known->wake();
    if (known->growthPending)
        return;
    const auto tell = [this, known] {
        known->growthPending = false;
        known->lastGrowth.restart();
        if (!known->log)
            return;
        m_bus.publish(ProcessOutputGrew{known->record.id, known->log->size()});
        if (LeaseController *controller = m_sandboxes.controllerOf(known->record.lease))
            controller->touch();
    };
    const qint64 since =
        known->lastGrowth.isValid() ? known->lastGrowth.elapsed() : kGrowthIntervalMs;
    known->growthPending = true;
    QTimer::singleShot(static_cast<int>(std::max<qint64>(0, kGrowthIntervalMs - since)), this,
                       tell);
}

// ---- Views
// -----------------------------------------------------------------------------------------------------

std::optional<domain::Capabilities> ProcessService::capabilitiesOf(
    const domain::LeaseId &lease) const
{
    const LeaseController *controller = m_sandboxes.controllerOf(lease);
    if (!controller)
        return std::nullopt;
    const Result<std::shared_ptr<domain::Provider>> provider =
        m_providers.provider(controller->lease().providerConfig);
    if (!provider)
        return std::nullopt;
    return (*provider)->capabilities();
}

QString ProcessService::pathOf(const ProcessRecord &record) const
{
    return QDir(m_outputDir).filePath(record.outputRef);
}

QList<ProcessView> ProcessService::views() const
{
    QList<ProcessView> views;
    for (const auto &[id, known] : m_known)
        views << viewOf(*known);
    std::sort(views.begin(), views.end(), [](const ProcessView &a, const ProcessView &b) {
        return std::tie(a.startedAt, a.id) < std::tie(b.startedAt, b.id);
    });
    return views;
}

ProcessView ProcessService::viewOf(const Known &known) const
{
    const ProcessRecord &record = known.record;
    ProcessView view;
    view.id = record.id;
    view.kind = record.terminal ? ProcessKind::Terminal : ProcessKind::Background;
    view.lease = record.lease;
    view.thread = record.thread;
    view.command = record.command;
    view.title = !record.title.isEmpty() ? record.title
        : !record.command.isEmpty()      ? record.command.simplified()
        : record.terminal                ? QStringLiteral("Terminal")
                                         : QStringLiteral("Background command");
    view.outputBytes = known.log ? known.log->size() : record.outputBytes;
    view.skippedBytes = known.log ? known.log->skippedBytes() : record.skippedBytes;
    if (record.terminal) {
        view.columns = record.terminal->columns;
        view.rows = record.terminal->rows;
    }
    view.cwd = domain::displayName(record.cwd);
    view.startedAt = record.startedAt;
    view.endedAt = record.endedAt;
    const LeaseController *controller = m_sandboxes.controllerOf(record.lease);
    if (controller)
        view.sandbox = controller->lease().sandbox;
    if (known.hasEnded()) {
        view.state = ProcessState::Ended;
        const Outcome outcome = record.outcome.value_or(Outcome{OutcomeKind::Interrupted});
        view.outcome = outcome.kind;
        view.exitCode = domain::exitCodeOf(outcome);
        view.detail = outcome.detail;
        if (outcome.kind == OutcomeKind::Signalled && view.detail.isEmpty())
            view.detail = domain::signalName(outcome.code);
        return view;
    }
    if (known.starting) {
        view.state = ProcessState::Starting;
        view.detail = known.preparing;
        return view;
    }
    view.state = ProcessState::Unknown;
    const ObservedState observed =
        controller ? controller->lease().observed : ObservedState::Unknown;
    if (!controller) {
        view.detail = QStringLiteral("Its sandbox is not known any more");
    } else if (observed == ObservedState::Paused) {
        view.detail = QStringLiteral("It stands still: the sandbox is paused");
    } else if (controller->isUnreachable()) {
        view.detail = QStringLiteral("The sandbox cannot be reached");
    } else if (known.execution) {
        view.state = ProcessState::Running;
        const std::optional<domain::Capabilities> capabilities = capabilitiesOf(record.lease);
        if (capabilities && !capabilities->has(domain::Capability::ProcessesSurviveRestart))
            view.detail = QStringLiteral("Ends with Berth");
    } else if (observed == ObservedState::Running) {
        view.detail = known.reason.isEmpty()
            ? QStringLiteral("Berth is not connected to the sandbox yet")
            : known.reason;
    } else {
        view.detail =
            QStringLiteral("The sandbox is in state \"%1\"").arg(domain::wireName(observed));
    }
    return view;
}

void ProcessService::publish(const Shared &known)
{
    if (known->isForgotten)
        return;
    const ProcessView view = viewOf(*known);
    known->toldState = view.state;
    known->toldDetail = view.detail;
    m_bus.publish(ProcessChanged{view});
}

// ---- Records
// -----------------------------------------------------------------------------------------------------

void ProcessService::save(const Shared &known)
{
    if (!known->isForgotten)
        m_saving.spawn(saveInBackground(known));
}

async::Task<void> ProcessService::saveInBackground(Shared known)
{
    const Result<void> saved = co_await m_store.saveProcess(known->record);
    if (!saved)
        domain::log(domain::LogLevel::Error, "process", saved.error().message);
}

void ProcessService::forget(const Shared &known)
{
    if (std::exchange(known->isForgotten, true))
        return;
    m_known.erase(known->record.id.toString());
    known->ended.complete(true);
    known->wake();
    m_bus.publish(ProcessRemoved{known->record.id});
    m_saving.spawn(forgetInBackground(known->record.id, pathOf(known->record)));
}

async::Task<void> ProcessService::forgetInBackground(domain::ProcessId id, QString path)
{
    ProcessLog::remove(path);
    const Result<void> removed = co_await m_store.removeProcess(id);
    if (!removed)
        domain::log(domain::LogLevel::Error, "process", removed.error().message);
}

void ProcessService::prune(const domain::LeaseId &lease)
{
    QList<Shared> ended;
    for (const auto &[id, known] : m_known) {
        if (known->record.lease == lease && known->hasEnded())
            ended << known;
    }
    std::sort(ended.begin(), ended.end(), [](const Shared &a, const Shared &b) {
        return a->record.endedAt < b->record.endedAt;
    });
    for (qsizetype at = 0; at < ended.size() - kMostEnded; ++at)
        forget(ended[at]);
}

} // namespace berth::application
