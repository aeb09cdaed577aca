// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/main/notifier.h"

#include <QtCore/QHash>

#include <memory>

class QDBusPendingCallWatcher;

namespace berth::ui {

//! org.freedesktop.Notifications on the session bus.
class BusNotifications final : public NotificationPort
{
    Q_OBJECT
public:
    explicit BusNotifications(QObject *parent = nullptr);
    //! For tests: another bus than the session's, by the name of a connection to it.
    BusNotifications(const QString &connection, QObject *parent);
    ~BusNotifications() override;

    void start() override;
    void show(const DesktopNote &note) override;
    void withdraw(const QString &key) override;

private:
    class Service;

    void begin();
    void onServer(QDBusPendingCallWatcher *call);
    void onShown(const QString &key, int number, QDBusPendingCallWatcher *call);
    void close(uint id);
    //! Of the note that the desktop knows as \a id; empty: it is not ours.
    [[nodiscard]] QString keyOf(uint id) const;
    void fail(const QString &why);

    //! Of a note that is shown or on its way.
    struct Shown
    {
        uint id = 0;
        //! Grows; an answer for another one is for what was withdrawn.
        int number = 0;
    };

    QString m_connection;
    std::unique_ptr<Service> m_service;
    QHash<QString, Shown> m_shown;
    int m_number = 0;
    bool m_hasMarkup = false;
};

} // namespace berth::ui
