// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/post.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QMetaObject>

#include <atomic>
#include <utility>

namespace berth::async {

namespace {

// Qt's event queue orders the two threads, but the thread sanitizer does not see into an
// uninstrumented Qt. This says the same in a way that it sees; elsewhere it costs one atomic step
// per hand-over.
std::atomic<unsigned> g_handOver{0};

} // namespace

void post(QObject *context, std::function<void()> work)
{
    g_handOver.fetch_add(1, std::memory_order_release);
    QMetaObject::invokeMethod(
        context,
        [work = std::move(work)] {
            static_cast<void>(g_handOver.load(std::memory_order_acquire));
            work();
        },
        Qt::QueuedConnection);
}

void postHere(std::function<void()> work)
{
    auto *dispatcher = QAbstractEventDispatcher::instance();
    Q_ASSERT_X(dispatcher, "postHere", "the calling thread has no event loop");
    QMetaObject::invokeMethod(dispatcher, std::move(work), Qt::QueuedConnection);
}

} // namespace berth::async
