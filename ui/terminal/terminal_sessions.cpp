// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_sessions.h"

#include "ui/models/process_text.h"
#include "ui/terminal/terminal_session.h"

#include <QtCore/QPointer>

#include <algorithm>

namespace berth::ui {

using application::ProcessKind;
using application::ProcessView;
using domain::ProcessId;

namespace {
constexpr int kFreshSeconds = 30;
} // namespace

TerminalSessions::TerminalSessions(EngineState &state, QObject *parent)
    : QObject(parent), m_state(state)
{
    connect(&state, &EngineState::event, this, &TerminalSessions::onEvent);
    connect(&state, &EngineState::reset, this, &TerminalSessions::onReset);
}

TerminalSessions::~TerminalSessions() = default;

QList<ProcessView> TerminalSessions::of(const domain::LeaseId &lease) const
{
    QList<ProcessView> found;
    if (lease.isNull())
        return found;
    for (const ProcessView &process : m_state.snapshot().processes) {
        if (process.lease == lease)
            found.append(process);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto &a, const auto &b) { return a.startedAt < b.startedAt; });
    return found;
}

const ProcessView *TerminalSessions::find(const ProcessId &id) const
{
    const QList<ProcessView> &all = m_state.snapshot().processes;
    const auto at =
        std::find_if(all.cbegin(), all.cend(), [&id](const auto &p) { return p.id == id; });
    return at == all.cend() ? nullptr : &*at;
}

const application::RuntimeView *TerminalSessions::runtime(const domain::LeaseId &lease) const
{
    const QList<application::RuntimeView> &all = m_state.snapshot().runtimes;
    const auto at = std::find_if(all.cbegin(), all.cend(), [&lease](const auto &runtime) {
        return !lease.isNull() && runtime.lease == lease;
    });
    return at == all.cend() ? nullptr : &*at;
}

TerminalSession *TerminalSessions::session(const ProcessId &id)
{
    if (TerminalSession *known = m_sessions.value(id))
        return known;
    const ProcessView *process = find(id);
    if (!process)
        return nullptr;
    // The event of a start may come before its answer.
    const bool fresh = m_fresh.removeOne(id)
        || (m_starting > 0 && process->kind == ProcessKind::Terminal
            && process->startedAt.secsTo(QDateTime::currentDateTimeUtc()) < kFreshSeconds);
    auto *made = new TerminalSession(m_state.client(), *process, fresh, this);
    m_sessions.insert(id, made);
    return made;
}

bool TerminalSessions::isOpen(const ProcessView &process) const
{
    return m_open.value(process.id, process.kind == ProcessKind::Terminal && !hasEnded(process));
}

void TerminalSessions::setOpen(const ProcessId &id, bool open)
{
    m_open.insert(id, open);
    if (!open) {
        // What is kept of it is stored by the Engine; a screen of its own would only take memory.
        if (TerminalSession *session = m_sessions.take(id))
            session->deleteLater();
    }
    Q_EMIT changed();
}

domain::RequestId TerminalSessions::start(QObject *context,
                                          const application::StartProcess &command, Started then)
{
    ++m_starting;
    return application::deliver(this, m_state.client(), command,
                                [this, guard = QPointer<QObject>(context), then = std::move(then)](
                                    const domain::Result<ProcessView> &started) {
                                    --m_starting;
                                    if (started) {
                                        if (!m_sessions.contains(started->id))
                                            m_fresh.append(started->id);
                                        if (!find(started->id))
                                            m_state.apply(*started);
                                        m_open.insert(started->id,
                                                      started->kind == ProcessKind::Terminal);
                                        Q_EMIT changed();
                                    }
                                    if (guard)
                                        then(started);
                                });
}

template <typename Command>
void TerminalSessions::send(const Command &command, const QString &failureWords)
{
    application::deliver(this, m_state.client(), command,
                         [this, failureWords](const domain::Result<typename Command::Reply> &r) {
                             if (!r)
                                 Q_EMIT failed(failureWords, r.error());
                         });
}

void TerminalSessions::stop(const ProcessId &id)
{
    send(application::StopProcess{id}, tr("Could not stop it"));
}

void TerminalSessions::remove(const ProcessId &id)
{
    send(application::RemoveProcess{id}, tr("Could not remove it"));
}

void TerminalSessions::resumeRuntime(const domain::LeaseId &lease)
{
    if (const application::RuntimeView *view = runtime(lease))
        send(application::ResumeRuntime{view->id}, tr("Could not resume the sandbox"));
}

void TerminalSessions::onEvent(const application::Event &event)
{
    if (const auto *process = std::get_if<application::ProcessChanged>(&event.body)) {
        // One that ends under the user's eyes keeps its tab, with what it wrote.
        if (m_sessions.contains(process->process.id) && hasEnded(process->process)
            && !m_open.contains(process->process.id))
            m_open.insert(process->process.id, process->process.kind == ProcessKind::Terminal);
        if (TerminalSession *session = m_sessions.value(process->process.id))
            session->update(process->process);
        Q_EMIT changed();
    } else if (const auto *gone = std::get_if<application::ProcessRemoved>(&event.body)) {
        m_open.remove(gone->process);
        if (TerminalSession *session = m_sessions.take(gone->process))
            session->deleteLater();
        Q_EMIT changed();
    } else if (std::holds_alternative<application::RuntimeChanged>(event.body)
               || std::holds_alternative<application::RuntimeRemoved>(event.body)) {
        Q_EMIT changed();
    }
}

void TerminalSessions::onReset()
{
    for (auto it = m_sessions.begin(); it != m_sessions.end();) {
        const ProcessView *process = find(it.key());
        if (!process) {
            it.value()->deleteLater();
            it = m_sessions.erase(it);
            continue;
        }
        it.value()->update(*process);
        it.value()->resume();
        ++it;
    }
    Q_EMIT changed();
}

} // namespace berth::ui
