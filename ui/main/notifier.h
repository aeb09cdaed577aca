// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QObject>
#include <QtCore/QSet>

#include <functional>
#include <memory>

class QSettings;

namespace berth::ui {

class MainWindow;

//! What the desktop is told. The title and text are plain.
struct DesktopNote
{
    //! One of the same key is replaced.
    QString key;
    QString title;
    QString text;
    //! Without a sound: nothing new.
    bool quiet = false;
    bool operator==(const DesktopNote &) const = default;
};

//! A way to tell the desktop. Where there is none it says why and does nothing.
class NotificationPort : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    //! Looks whether there is a service; serviceChanged() says what was found.
    virtual void start() = 0;
    virtual void show(const DesktopNote &note) = 0;
    virtual void withdraw(const QString &key) = 0;

Q_SIGNALS:
    //! The user clicked on it.
    void activated(const QString &key);
    //! \a problem: why nothing can be shown, and what to do; empty: it can, by \a name.
    void serviceChanged(const QString &name, const QString &problem);
};

//! Tells the desktop of approvals and ended runs while no window of Berth is in front: what kind of
//! action, and the thread's title. What comes together is told together. A click brings the thread
//! to the front; nothing else does.
class Notifier final : public QObject
{
    Q_OBJECT
public:
    //! Both outlive it. \a settingsFile keeps whether the user wants it.
    Notifier(MainWindow &window, NotificationPort &port, const QString &settingsFile,
             QObject *parent = nullptr);
    ~Notifier() override;

    //! For tests: whether a window of Berth is in front.
    void setInFront(const std::function<bool()> &inFront) { m_inFront = inFront; }
    void setEnabled(bool enabled);
    [[nodiscard]] bool isEnabled() const { return m_enabled; }
    //! A window of Berth came to the front: what was told is seen.
    void seen();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void connectAll();
    void onReset();
    void onApprovals();
    void onEvent(const application::Event &event);
    void onActivated(const QString &key);
    void tellApprovals();
    void tellRuns();

    struct EndedRun
    {
        domain::ThreadId thread;
        bool failed = false;
    };

    MainWindow &m_window;
    NotificationPort &m_port;
    std::unique_ptr<QSettings> m_settings;
    std::function<bool()> m_inFront;
    QBasicTimer m_soon;
    //! Approvals that were told or seen.
    QSet<domain::ToolCallId> m_known;
    //! Runs that ended since a window was in front.
    QList<EndedRun> m_ended;
    QSet<domain::RunId> m_endedIds;
    bool m_enabled = true;
    bool m_loaded = false;
    bool m_newApprovals = false;
    //! Fewer wait than were told, and none that is new.
    bool m_onlyFewer = true;
    bool m_newRuns = false;
    bool m_approvalsTold = false;
    bool m_runsTold = false;
};

} // namespace berth::ui
