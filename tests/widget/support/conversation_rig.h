// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/attachment_bar.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/widgets/button.h"
#include "widget/support/window_rig.h"

#include <QtCore/QFile>
#include <QtCore/QMimeData>
#include <QtCore/QUrl>
#include <QtGui/QDropEvent>

namespace berth::test {

//! A window that shows one thread of an agent; fill the engine, then start().
struct ConversationRig : WindowRig
{
    ConversationRig()
    {
        thread = engine.addThread(QStringLiteral("Fix the test"), QDateTime::currentDateTimeUtc());
        engine.state.engine.hasModel = true;
    }
    [[nodiscard]] bool start()
    {
        if (!open())
            return false;
        window->showThread(thread);
        const auto &detail = engine.details[thread];
        const qsizetype rows = detail.messages.size() + detail.toolCalls.size();
        return QTest::qWaitFor([this, rows] { return model()->rowCount() >= rows; })
            && QTest::qWaitFor([this] { return engine.count<application::GetThread>() > 0; });
    }
    [[nodiscard]] ui::ConversationPage *page() const { return window->conversationPage(); }
    [[nodiscard]] ui::ConversationModel *model() const { return page()->model(); }
    [[nodiscard]] ui::ConversationView *view() const { return page()->view(); }
    [[nodiscard]] ui::Composer *composer() const { return page()->composer(); }
    [[nodiscard]] ui::ThreadSearch *search() const { return page()->search(); }
    [[nodiscard]] ui::AttachmentBar *attachments() const { return page()->attachments(); }
    [[nodiscard]] QModelIndex last() const { return model()->index(model()->rowCount() - 1); }
    [[nodiscard]] QByteArray file(const QString &name, const QByteArray &bytes) const
    {
        const QString path = directory.filePath(name);
        QFile made(path);
        if (!made.open(QIODevice::WriteOnly) || made.write(bytes) != bytes.size())
            qFatal("no file");
        return QFile::encodeName(path);
    }
    void drop(const QList<QByteArray> &paths) const
    {
        QMimeData data;
        QList<QUrl> urls;
        for (const QByteArray &path : paths)
            urls.append(QUrl::fromLocalFile(QFile::decodeName(path)));
        data.setUrls(urls);
        QWidget *target = composer()->edit()->viewport();
        QDragEnterEvent enter(QPoint(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &event);
        // What was dropped is told of a turn later.
        QTest::qWait(10);
    }
    [[nodiscard]] ui::Button *answer(const QString &text) const
    {
        for (ui::Button *button : attachments()->answers()) {
            if (button->text() == text)
                return button;
        }
        return nullptr;
    }
    void send(const QString &text) const
    {
        QTest::keyClicks(composer()->edit(), text);
        QTest::keyClick(composer()->edit(), Qt::Key_Return, Qt::ControlModifier);
    }
    domain::ThreadId thread;
};

} // namespace berth::test
