// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/thread_search.h"

#include "ui/conversation/conversation_sizes.h"
#include "ui/conversation/conversation_view.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimerEvent>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>

namespace berth::ui {

namespace {

//! At once, and between looks at a row that is being written.
constexpr int kSliceMs = 6;
constexpr int kPauseMs = 150;

quint64 keyAt(const QModelIndex &index)
{
    return index.data(ConversationModel::KeyRole).toULongLong();
}

} // namespace

ThreadSearch::ThreadSearch(ConversationModel &model, ConversationView &view, QWidget *parent)
    : FindBar(tr("Find in this thread"), parent), m_model(model), m_view(view)
{
    connect(this, &FindBar::textChanged, this, &ThreadSearch::restart);
    connect(&model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex &index) { lookAgain(index.row(), kPauseMs); });
    connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first) { lookAgain(first, kPauseMs); });
    connect(&model, &QAbstractItemModel::rowsRemoved, this, [this] { lookAgain(0, kPauseMs); });
    connect(&model, &QAbstractItemModel::modelReset, this, [this] { lookAgain(0, 0); });
}

void ThreadSearch::open()
{
    if (!isOpen())
        m_before = QApplication::focusWidget();
    begin();
    restart();
}

void ThreadSearch::close()
{
    m_due.stop();
    m_rows.clear();
    m_count = 0;
    m_spot = -1;
    m_view.rows()->setFound({});
    m_view.viewport()->update();
    hide();
    // Where one was writing, as a rule.
    if (m_before && m_before->isVisible())
        m_before->setFocus();
    else
        m_view.setFocus();
}

void ThreadSearch::restart()
{
    m_rows.clear();
    m_count = 0;
    m_spot = -1;
    m_view.rows()->setFound(field()->text());
    m_view.viewport()->update();
    lookAgain(0, 0);
    tell();
}

void ThreadSearch::lookAgain(int fromRow, int afterMs)
{
    if (!isOpen() || field()->text().isEmpty()) {
        m_due.stop();
        return;
    }
    m_nextRow = m_due.isActive() ? qMin(m_nextRow, fromRow) : fromRow;
    if (!m_due.isActive() || afterMs == 0)
        m_due.start(afterMs, this);
}

void ThreadSearch::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_due.timerId())
        lookOn();
    else
        FindBar::timerEvent(event);
}

void ThreadSearch::lookOn()
{
    QElapsedTimer clock;
    clock.start();
    const bool none = m_spot < 0;
    for (; m_nextRow < m_model.rowCount(); ++m_nextRow) {
        if (clock.elapsed() >= kSliceMs) {
            m_due.start(0, this);
            tell();
            return;
        }
        const QModelIndex index = m_model.index(m_nextRow);
        const auto known = m_rows.constFind(keyAt(index));
        if (known == m_rows.constEnd()
            || known->version != index.data(ConversationModel::VersionRole).toInt())
            look(index);
    }
    m_due.stop();
    QHash<quint64, Row> there;
    m_count = 0;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const quint64 key = keyAt(m_model.index(row));
        const Row of = m_rows.value(key);
        m_count += of.spots.size();
        there.insert(key, of);
    }
    m_rows = there;
    if (none && m_count > 0)
        standAtFirst();
    tell();
}

//! The first one that is not above what is seen; what is folded away only where there is no other.
void ThreadSearch::standAtFirst()
{
    const QModelIndex top = m_view.indexAt(QPoint(m_view.viewport()->width() / 2, 1));
    const int count = m_model.rowCount();
    int folded = -1;
    for (int i = 0; i < count; ++i) {
        const int row = (qMax(0, top.row()) + i) % count;
        const QList<Spot> *spots = spotsOf(row);
        if (!spots || spots->isEmpty())
            continue;
        if (spots->first().text >= 0) {
            stand(row, 0);
            return;
        }
        if (folded < 0)
            folded = row;
    }
    if (folded >= 0)
        stand(folded, 0);
}

void ThreadSearch::look(const QModelIndex &index)
{
    const ConversationDelegate *rows = m_view.rows();
    const QString text = field()->text();
    const quint64 key = keyAt(index);
    m_count -= m_rows.value(key).spots.size();
    const qsizetype most = qBound<qsizetype>(0, kMostMatches - m_count, kMostInRow);
    Row row;
    row.version = index.data(ConversationModel::VersionRole).toInt();
    const QList<ShownText> shown = rows->textsOf(index);
    for (qsizetype i = 0; i < shown.size() && row.spots.size() < most; ++i) {
        for (const qsizetype at :
             occurrences(shown[i].layout->text(), text, most - row.spots.size()))
            row.spots.append({i, at});
    }
    // What is folded away holds what is shown of it, too.
    const QString folded = rows->foldedOf(index);
    if (!folded.isEmpty()) {
        qsizetype more = occurrences(folded, text, most).size();
        const bool hasTitle = kindOf(index) == ConversationModel::Kind::ToolCall;
        for (const Spot &spot : std::as_const(row.spots))
            more -= hasTitle && spot.text > 0 ? 1 : 0;
        while (more-- > 0 && row.spots.size() < most)
            row.spots.append(Spot());
    }
    m_count += row.spots.size();
    m_rows.insert(key, row);
}

const QList<ThreadSearch::Spot> *ThreadSearch::spotsOf(int row) const
{
    const auto known = m_rows.constFind(keyAt(m_model.index(row)));
    return known == m_rows.constEnd() ? nullptr : &known->spots;
}

int ThreadSearch::rowOfCurrent() const
{
    for (int row = 0; m_spot >= 0 && row < m_model.rowCount(); ++row) {
        if (keyAt(m_model.index(row)) == m_current)
            return row;
    }
    return -1;
}

qsizetype ThreadSearch::matchCount() const
{
    return qMin(m_count, kMostMatches);
}

qsizetype ThreadSearch::currentMatch() const
{
    const int current = rowOfCurrent();
    if (current < 0)
        return -1;
    qsizetype before = 0;
    for (int row = 0; row < current; ++row) {
        if (const auto *spots = spotsOf(row))
            before += spots->size();
    }
    return before + m_spot;
}

void ThreadSearch::next()
{
    step(false);
}

void ThreadSearch::previous()
{
    step(true);
}

void ThreadSearch::step(bool back)
{
    const int count = m_model.rowCount();
    if (m_count == 0 || count == 0)
        return;
    int row = rowOfCurrent();
    qsizetype spot = m_spot + (back ? -1 : 1);
    if (row < 0) {
        row = 0;
        spot = 0;
    }
    for (int tried = 0; tried <= count + 1; ++tried) {
        const auto *spots = spotsOf(row);
        const qsizetype here = spots ? spots->size() : 0;
        if (spot >= 0 && spot < here) {
            stand(row, spot);
            break;
        }
        row = (row + (back ? count - 1 : 1)) % count;
        const auto *others = spotsOf(row);
        spot = back ? (others ? others->size() : 0) - 1 : 0;
    }
    tell();
}

void ThreadSearch::stand(int row, qsizetype spot)
{
    const QModelIndex index = m_model.index(row);
    const quint64 key = keyAt(index);
    if (m_rows[key].spots.value(spot).text < 0) {
        // Opened, and looked at as it is then.
        if (index.data(ConversationModel::ExpandedRole).toBool() == false
            && kindOf(index) == ConversationModel::Kind::ToolCall)
            m_model.setExpanded(index, true);
        m_model.setOpen(index, true);
        look(index);
    }
    const QList<Spot> &spots = m_rows[key].spots;
    m_current = key;
    m_spot = qBound<qsizetype>(0, spot, qMax<qsizetype>(0, spots.size() - 1));
    const Spot at = spots.value(m_spot);
    m_view.rows()->setFoundNow(key, at.text, at.at);
    m_view.showPlace(index, m_view.rows()->placeOf(index, at.text, at.at));
}

void ThreadSearch::tell()
{
    // What a row was found to hold may have gone.
    const qsizetype current = currentMatch();
    showCount(qMax<qsizetype>(0, current), matchCount(), m_count >= kMostMatches, m_due.isActive());
}

} // namespace berth::ui
