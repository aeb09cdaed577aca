// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main/notifier.h"

#include "ui/conversation/ansi_text.h"
#include "ui/main/main_window.h"
#include "ui/models/engine_state.h"
#include "ui/models/thread_text.h"
#include "ui/settings/notification_setting.h"
#include "ui/settings/settings_page.h"

#include <QtCore/QSettings>
#include <QtCore/QTimerEvent>
#include <QtGui/QWindow>
#include <QtWidgets/QApplication>

namespace berth::ui {

using application::ApprovalView;
using application::RunView;

namespace {

//! What comes within this time is told at once.
constexpr int kTogetherMs = 700;
constexpr qsizetype kMostLines = 3;
constexpr qsizetype kMostTitle = 80;
//! A run that ended longer ago than this is no news.
constexpr qint64 kNewsSeconds = 60;

const QString &approvalsKey()
{
    static const QString key = QStringLiteral("approvals");
    return key;
}

const QString &runsKey()
{
    static const QString key = QStringLiteral("runs");
    return key;
}

QString plainTitle(const QString &title)
{
    const QString line = visibleText(title.simplified());
    return line.size() <= kMostTitle ? line : line.left(kMostTitle - 1) + QStringLiteral("…");
}

//! The first few, and how many more there are.
QString linesOf(QStringList lines)
{
    lines.removeDuplicates();
    const qsizetype more = lines.size() - kMostLines;
    if (more > 0) {
        lines = lines.mid(0, kMostLines);
        lines.append(Notifier::tr("and %n more", nullptr, static_cast<int>(more)));
    }
    return lines.join(QLatin1Char('\n'));
}

bool isEnd(domain::RunState state)
{
    return state == domain::RunState::Done || state == domain::RunState::Failed
        || state == domain::RunState::Interrupted;
}

} // namespace

Notifier::Notifier(MainWindow &window, NotificationPort &port, const QString &settingsFile,
                   QObject *parent)
    : QObject(parent),
      m_window(window),
      m_port(port),
      m_settings(std::make_unique<QSettings>(settingsFile, QSettings::IniFormat)),
      m_inFront([] { return QApplication::activeWindow() != nullptr; })
{
    m_enabled = m_settings->value(QStringLiteral("notifications"), true).toBool();
    connectAll();
    if (m_window.state()->isLoaded())
        onReset();
    m_port.start();
}

Notifier::~Notifier()
{
    seen();
}

void Notifier::connectAll()
{
    const EngineState *state = m_window.state();
    connect(state, &EngineState::reset, this, &Notifier::onReset);
    connect(state, &EngineState::approvalsChanged, this, &Notifier::onApprovals);
    connect(state, &EngineState::event, this, &Notifier::onEvent);
    connect(&m_port, &NotificationPort::activated, this, &Notifier::onActivated);
    NotificationSetting *setting = m_window.settingsPage()->notifications();
    setting->setEnabledByUser(m_enabled);
    connect(&m_port, &NotificationPort::serviceChanged, setting, &NotificationSetting::setService);
    connect(setting, &NotificationSetting::enabledChosen, this, &Notifier::setEnabled);
    connect(qApp, &QGuiApplication::focusWindowChanged, this, [this] {
        if (m_inFront())
            seen();
    });
}

void Notifier::setEnabled(bool enabled)
{
    m_enabled = enabled;
    m_settings->setValue(QStringLiteral("notifications"), enabled);
    if (!enabled)
        seen();
}

void Notifier::onReset()
{
    // What waited before Berth was opened is shown by its window.
    if (std::exchange(m_loaded, true))
        return;
    for (const ApprovalView &approval : m_window.state()->snapshot().approvals)
        m_known.insert(approval.toolCall);
}

void Notifier::onApprovals()
{
    if (!m_loaded)
        return;
    QSet<domain::ToolCallId> open;
    bool isNew = false;
    for (const ApprovalView &approval : m_window.state()->snapshot().approvals) {
        open.insert(approval.toolCall);
        isNew = isNew || !m_known.contains(approval.toolCall);
    }
    const bool changed = m_known != open;
    m_known = open;
    if (m_inFront() || !m_enabled)
        return;
    // Fewer are told in place of those that were told, without a sound of their own.
    if (isNew || (changed && m_approvalsTold)) {
        m_newApprovals = true;
        m_onlyFewer = m_onlyFewer && !isNew;
        m_soon.start(kTogetherMs, this);
    }
}

void Notifier::onEvent(const application::Event &event)
{
    const auto *changed = std::get_if<application::RunChanged>(&event.body);
    if (!changed || !isEnd(changed->run.state) || m_inFront() || !m_enabled)
        return;
    const RunView &run = changed->run;
    const bool isOld =
        run.endedAt.isValid() && run.endedAt.secsTo(QDateTime::currentDateTimeUtc()) > kNewsSeconds;
    if (isOld || m_endedIds.contains(run.id))
        return;
    m_endedIds.insert(run.id);
    m_ended.append({run.thread, run.state != domain::RunState::Done});
    m_newRuns = true;
    m_soon.start(kTogetherMs, this);
}

void Notifier::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_soon.timerId()) {
        QObject::timerEvent(event);
        return;
    }
    m_soon.stop();
    if (m_inFront() || !m_enabled) {
        seen();
        return;
    }
    if (std::exchange(m_newApprovals, false))
        tellApprovals();
    if (std::exchange(m_newRuns, false))
        tellRuns();
}

void Notifier::tellApprovals()
{
    const QList<ApprovalView> &open = m_window.state()->snapshot().approvals;
    if (open.isEmpty()) {
        m_approvalsTold = false;
        m_onlyFewer = true;
        m_port.withdraw(approvalsKey());
        return;
    }
    DesktopNote note;
    note.key = approvalsKey();
    QStringList lines;
    for (const ApprovalView &approval : open) {
        lines.append(tr("%1 · %2", "kind of action, title of the thread")
                         .arg(verbOf(approval.tool), plainTitle(approval.threadTitle)));
    }
    note.title = open.size() == 1
        ? tr("Your approval is needed")
        : tr("%n actions wait for you", nullptr, static_cast<int>(open.size()));
    note.text = linesOf(lines);
    note.quiet = std::exchange(m_onlyFewer, true);
    m_approvalsTold = true;
    m_port.show(note);
}

void Notifier::tellRuns()
{
    if (m_ended.isEmpty())
        return;
    DesktopNote note;
    note.key = runsKey();
    QStringList lines;
    bool failed = false;
    for (const EndedRun &run : std::as_const(m_ended)) {
        const application::ThreadView *thread = m_window.state()->thread(run.thread);
        const QString title = thread ? plainTitle(thread->title) : tr("A thread");
        lines.append(run.failed ? tr("%1 (failed)", "title of a thread").arg(title) : title);
        failed = failed || run.failed;
    }
    if (m_ended.size() == 1) {
        note.title = failed ? tr("A run has failed") : tr("A run has ended");
        const application::ThreadView *thread = m_window.state()->thread(m_ended.first().thread);
        note.text = thread ? plainTitle(thread->title) : tr("A thread");
    } else {
        note.title = tr("%n runs have ended", nullptr, static_cast<int>(m_ended.size()));
        note.text = linesOf(lines);
    }
    m_runsTold = true;
    m_port.show(note);
}

void Notifier::seen()
{
    m_soon.stop();
    m_newApprovals = false;
    m_onlyFewer = true;
    m_newRuns = false;
    m_ended.clear();
    m_endedIds.clear();
    if (std::exchange(m_approvalsTold, false))
        m_port.withdraw(approvalsKey());
    if (std::exchange(m_runsTold, false))
        m_port.withdraw(runsKey());
}

void Notifier::onActivated(const QString &key)
{
    domain::ThreadId thread;
    if (key == runsKey() && !m_ended.isEmpty())
        thread = m_ended.last().thread;
    const QList<ApprovalView> &open = m_window.state()->snapshot().approvals;
    if (key == approvalsKey() && !open.isEmpty())
        thread = open.first().thread;
    // The thread only: what waits in it is not answered by a key that comes with the click.
    if (!thread.isNull())
        m_window.showThread(thread);
    m_window.raiseWindow();
    seen();
}

} // namespace berth::ui
