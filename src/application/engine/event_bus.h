// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QObject>

namespace berth::application {

//! Numbers events and hands them to every session, in one order.
class EventBus final : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    void publish(EventBody body);
    [[nodiscard]] qint64 lastSeq() const { return m_seq; }

Q_SIGNALS:
    void published(const berth::application::Event &event);

private:
    qint64 m_seq = 0;
};

} // namespace berth::application
