// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QPointer>
#include <QtWidgets/QScrollArea>

class QVBoxLayout;

namespace berth::ui {

class ApprovalCard;
class Banner;
class Button;
class EngineState;
class Label;

//! What one thread waits for, between the conversation and the composer: one card for each call,
//! in the order in which they came.
class ApprovalPanel final : public QScrollArea
{
    Q_OBJECT
public:
    explicit ApprovalPanel(EngineState &state, QWidget *parent = nullptr);

    void setThread(const domain::ThreadId &thread);
    //! What became of a card in which a reason was being written.
    [[nodiscard]] Banner *lostBar() const { return m_lost; }
    [[nodiscard]] Button *copyLostButton() const { return m_copyLost; }
    [[nodiscard]] Button *dismissButton() const { return m_dismiss; }
    //! At most this high; what is more is scrolled to.
    void setMost(int height);
    [[nodiscard]] const QList<ApprovalCard *> &cards() const { return m_cards; }
    //! The focus to the card of that call; false: it has none.
    bool focusCard(const domain::ToolCallId &call);
    //! The call in whose card the focus is; null: none.
    [[nodiscard]] domain::ToolCallId focusedCall() const;

Q_SIGNALS:
    //! The card in which the focus was is going.
    void focusReleased();

protected:
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void fit();
    void guardClicks();
    void keepReason(const ApprovalCard &card);
    void releaseFocus();

    EngineState &m_state;
    domain::ThreadId m_thread;
    QWidget *m_inside;
    QVBoxLayout *m_column;
    Label *m_count;
    QList<ApprovalCard *> m_cards;
    Banner *m_lost;
    Button *m_copyLost;
    Button *m_dismiss;
    //! A reason that nobody got, and in which thread.
    QString m_lostReason;
    domain::ThreadId m_lostThread;
    //! Who has the focus after a card has lost it, and since when.
    QPointer<QWidget> m_heir;
    QElapsedTimer m_released;
    int m_most = 400;
};

} // namespace berth::ui
