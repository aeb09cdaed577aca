// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/resources/resource_monitor.h"

#include "domain/log.h"

namespace berth::application {

using domain::Async;
using domain::Result;

namespace {

constexpr int kSampleEveryMs = 1000;
//! While somebody looks, the lists are taken again this often, so that outside changes show.
constexpr int kTicksPerRefresh = 5;

} // namespace

ResourceMonitor::ResourceMonitor(SandboxService &sandboxes, EventBus &bus)
    : m_sandboxes(sandboxes), m_bus(bus)
{
    m_timer.setInterval(kSampleEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &ResourceMonitor::tick);
}

ResourceMonitor::~ResourceMonitor() = default;

void ResourceMonitor::watch(const void *client, const QStringList &runtimes)
{
    if (runtimes.isEmpty()) {
        forget(client);
        return;
    }
    m_watched[client] = runtimes;
    if (!m_timer.isActive()) {
        m_timer.start();
        tick();
    }
}

void ResourceMonitor::forget(const void *client)
{
    m_watched.remove(client);
    if (m_watched.isEmpty())
        m_timer.stop();
}

void ResourceMonitor::stop()
{
    m_timer.stop();
    m_watched.clear();
    m_scope.requestStop();
}

Async<void> ResourceMonitor::drained()
{
    co_await m_scope.drained();
    co_return Result<void>();
}

void ResourceMonitor::tick()
{
    QSet<QString> wanted;
    for (const QStringList &runtimes : std::as_const(m_watched))
        wanted.unite(QSet<QString>(runtimes.begin(), runtimes.end()));
    const QList<RuntimeView> views = m_sandboxes.runtimeViews();
    for (const RuntimeView &view : views) {
        if (wanted.contains(view.id) && view.observed == domain::ObservedState::Running
            && view.busy.isEmpty() && !m_asking.contains(view.id))
            m_scope.spawn(sample(view.id));
    }
    if (++m_ticks % kTicksPerRefresh == 0 && !m_refreshing)
        m_scope.spawn(refresh());
}

async::Task<void> ResourceMonitor::sample(QString runtime)
{
    m_asking.insert(runtime);
    const Result<domain::ResourceSample> sample =
        co_await m_sandboxes.metrics(runtime, m_scope.token());
    m_asking.remove(runtime);
    if (!sample || m_scope.token().stop_requested())
        co_return;
    m_sandboxes.setSample(runtime, *sample);
    m_bus.publish(RuntimeSampled{runtime, *sample});
}

async::Task<void> ResourceMonitor::refresh()
{
    m_refreshing = true;
    const Result<QStringList> unreachable = co_await m_sandboxes.refresh(m_scope.token());
    Q_UNUSED(unreachable)
    m_refreshing = false;
}

} // namespace berth::application
