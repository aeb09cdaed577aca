// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/sandboxes/sandbox_service.h"

#include <QtCore/QSet>
#include <QtCore/QTimer>

namespace berth::application {

//! Samples what some client shows, once a second, by control-plane calls only. Nobody looks: no
//! call at all.
class ResourceMonitor final : public QObject
{
    Q_OBJECT
public:
    ResourceMonitor(SandboxService &sandboxes, EventBus &bus);
    ~ResourceMonitor() override;

    //! What \a client shows now; an empty list or forget() ends it.
    void watch(const void *client, const QStringList &runtimes);
    void forget(const void *client);
    void stop();
    domain::Async<void> drained();

private:
    void tick();
    async::Task<void> sample(QString runtime);
    async::Task<void> refresh();

    SandboxService &m_sandboxes;
    EventBus &m_bus;
    QTimer m_timer;
    QHash<const void *, QStringList> m_watched;
    //! A slow provider is not asked again before it has answered.
    QSet<QString> m_asking;
    bool m_refreshing = false;
    int m_ticks = 0;
    async::Scope m_scope;
};

} // namespace berth::application
