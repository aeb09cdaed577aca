// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "async/post.h"

#include <QtCore/QAbstractEventDispatcher>
#include <QtCore/QMetaObject>

namespace berth::async {

void post(QObject *context, std::function<void()> work)
{
    QMetaObject::invokeMethod(context, std::move(work), Qt::QueuedConnection);
}

void postHere(std::function<void()> work)
{
    auto *dispatcher = QAbstractEventDispatcher::instance();
    Q_ASSERT_X(dispatcher, "postHere", "the calling thread has no event loop");
    QMetaObject::invokeMethod(dispatcher, std::move(work), Qt::QueuedConnection);
}

} // namespace berth::async
