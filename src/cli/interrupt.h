// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QObject>

class QSocketNotifier;

namespace berth::cli {

//! Turns SIGINT, SIGTERM and SIGHUP into a Qt signal for as long as it lives. One at a time in a
//! process.
class InterruptSignals final : public QObject
{
    Q_OBJECT
public:
    explicit InterruptSignals(QObject *parent = nullptr);
    ~InterruptSignals() override;

Q_SIGNALS:
    void interrupted(int signalNumber);

private:
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace berth::cli
