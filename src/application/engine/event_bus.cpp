// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine/event_bus.h"

namespace berth::application {

void EventBus::publish(EventBody body)
{
    Q_EMIT published(Event{++m_seq, std::move(body)});
}

} // namespace berth::application
