// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/find_bar.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QHash>
#include <QtCore/QPointer>

class QModelIndex;

namespace berth::ui {

class ConversationModel;
class ConversationView;

//! Finds text in a thread: in what its rows show and in what they have folded away, which is opened
//! when one goes there. Rows are looked through in slices, so that typing and a reply that is being
//! written go on, and again only when they have changed.
class ThreadSearch final : public FindBar
{
    Q_OBJECT
public:
    //! More are not told apart, in one row and in all.
    static constexpr qsizetype kMostInRow = 1000;
    static constexpr qsizetype kMostMatches = 10'000;

    ThreadSearch(ConversationModel &model, ConversationView &view, QWidget *parent = nullptr);

    //! Close gives the focus back to what has it now.
    void open();
    void close() override;
    void next() override;
    void previous() override;
    [[nodiscard]] qsizetype matchCount() const;
    //! From 0; -1 without matches.
    [[nodiscard]] qsizetype currentMatch() const;

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    struct Spot
    {
        //! Of ConversationDelegate::textsOf(); -1: in what is folded away.
        qsizetype text = -1;
        qsizetype at = 0;
    };
    struct Row
    {
        int version = -1;
        QList<Spot> spots;
    };
    void restart();
    void lookAgain(int fromRow, int afterMs);
    void lookOn();
    void look(const QModelIndex &index);
    void standAtFirst();
    void step(bool back);
    void stand(int row, qsizetype spot);
    void tell();
    [[nodiscard]] const QList<Spot> *spotsOf(int row) const;
    [[nodiscard]] int rowOfCurrent() const;

    ConversationModel &m_model;
    ConversationView &m_view;
    //! By the rows' keys.
    QHash<quint64, Row> m_rows;
    quint64 m_current = 0;
    qsizetype m_spot = -1;
    int m_nextRow = 0;
    qsizetype m_count = 0;
    QBasicTimer m_due;
    QPointer<QWidget> m_before;
};

} // namespace berth::ui
