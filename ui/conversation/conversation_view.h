// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/conversation_delegate.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QListView>

class QMenu;

namespace berth::ui {

class Button;

//! The turns of a thread: rows of a model, painted. Follows the end only while it is at the end.
class ConversationView final : public QListView
{
    Q_OBJECT
public:
    explicit ConversationView(QWidget *parent = nullptr);

    void setConversation(ConversationModel *model);
    void jumpToLatest();
    [[nodiscard]] bool isAtEnd() const { return m_following; }
    [[nodiscard]] Button *latestButton() const { return m_latest; }
    [[nodiscard]] ConversationDelegate *rows() const { return m_delegate; }
    //! Where \a part of a card lies in the viewport; for tests and for keyboard menus.
    [[nodiscard]] QPoint pointOf(const QModelIndex &index, ConversationDelegate::Part part) const;
    void showCopied(const domain::ToolCallId &call, const QString &text);
    //! Scrolls until \a place, relative to the row's shape, can be seen.
    void showPlace(const QModelIndex &index, const QRect &place);
    //! Pictures of that row came or went.
    void notePictures(quint64 row);

Q_SIGNALS:
    void showAllRequested(const berth::domain::ToolCallId &call);
    void copyRequested(const berth::domain::ToolCallId &call);
    //! Put it into the composer.
    void reuseRequested(const QString &text);
    //! A picture was clicked.
    void pictureRequested(quint64 row, const QString &path);
    //! Send another text in place of that message.
    void editRequested(qint64 seq, const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void rememberPlace();
    void restorePlace();
    void onRowChanged(const QModelIndex &index);
    void onRange();
    void onScrolled();
    void placeButton();
    void hover(const QPoint &at);
    void act(const QModelIndex &index, ConversationDelegate::Part part,
             const MarkdownBox::Hit &hit = {});
    void openMenu(const QModelIndex &index, const QPoint &at);
    void addCallActions(QMenu &menu, const QModelIndex &index);
    void addMessageActions(QMenu &menu, const QModelIndex &index);
    //! Each of its blocks of \a code and of its links.
    void addParts(QMenu &menu, const Markdown &markdown, const QStringList &code);
    //! Where it goes, in full, before anything is opened.
    void askAboutLink(const QString &target, const QPoint &at);
    void toggle(const QModelIndex &index);
    void updateTimer();

    ConversationModel *m_conversation = nullptr;
    ConversationDelegate *m_delegate;
    Button *m_latest;
    QHash<int, int> m_heights;
    QPersistentModelIndex m_pressed;
    ConversationDelegate::Part m_pressedPart = ConversationDelegate::Part::None;
    QBasicTimer m_tick;
    QBasicTimer m_copiedEnds;
    //! What stood where before the model was reset.
    struct Place
    {
        domain::ThreadId thread;
        quint64 top = 0;
        int offset = 0;
        quint64 current = 0;
        bool following = true;
    };
    Place m_place;
    bool m_following = true;
    bool m_moving = false;
};

} // namespace berth::ui
