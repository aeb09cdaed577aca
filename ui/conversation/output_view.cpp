// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_view.h"

#include "ui/conversation/output_paint.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtGui/QTextLayout>
#include <QtWidgets/QScrollBar>

#include <limits>

namespace berth::ui {

namespace {
constexpr int kPad = 24;
} // namespace

OutputView::OutputView(application::EngineClient &client, QWidget *parent)
    : QAbstractScrollArea(parent), m_pages(new OutputPages(client, this))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Output"));
    verticalScrollBar()->setSingleStep(3);
    connect(m_pages, &OutputPages::changed, this, &OutputView::onChanged);
    connect(m_pages, &OutputPages::failed, this, &OutputView::failed);
    measure();
}

void OutputView::open(const domain::ToolCallId &call, qint64 total)
{
    m_top = {};
    m_wanted.reset();
    m_atEnd = false;
    measure();
    m_pages->open(call, total);
    verticalScrollBar()->setValue(0);
    viewport()->update();
}

void OutputView::setTotal(qint64 total)
{
    m_pages->setTotal(total);
}

qint64 OutputView::firstRow() const
{
    return verticalScrollBar()->value();
}

int OutputView::rowsPerPage() const
{
    return qMax(1, (viewport()->height() - 2 * kPad) / m_rowHeight);
}

void OutputView::measure()
{
    m_font = fontFor(TextRole::Mono);
    m_rowHeight = outputRowHeight(m_font);
    const double character = QFontMetricsF(m_font).horizontalAdvance(QLatin1Char('0'));
    m_pages->setColumns(static_cast<int>((viewport()->width() - 2 * kPad) / qMax(1.0, character)));
}

void OutputView::goToLine(qint64 page, qint64 line)
{
    m_atEnd = false;
    m_wanted = std::pair(page, line);
    m_top = {page, 0};
    onChanged();
}

void OutputView::setFound(const QString &text)
{
    m_found = text;
    viewport()->update();
}

void OutputView::onChanged()
{
    if (m_wanted) {
        if (const auto at = m_pages->find(m_wanted->first, m_wanted->second, m_found)) {
            // With some of what stands above it.
            m_top = m_pages->anchorAt(qMax<qint64>(0, m_pages->rowOf(*at) - rowsPerPage() / 3));
            m_wanted.reset();
        }
    }
    // Rows above may have become more or fewer; what is looked at stays where it is.
    m_adjusting = true;
    const qint64 most = qMax<qint64>(0, m_pages->rowCount() - rowsPerPage());
    QScrollBar *bar = verticalScrollBar();
    bar->setRange(0, static_cast<int>(qMin<qint64>(most, std::numeric_limits<int>::max())));
    bar->setPageStep(rowsPerPage());
    bar->setValue(m_atEnd ? bar->maximum() : static_cast<int>(m_pages->rowOf(m_top)));
    m_adjusting = false;
    m_top = m_pages->anchorAt(bar->value());
    viewport()->update();
}

void OutputView::scrollContentsBy(int, int)
{
    if (!m_adjusting) {
        m_wanted.reset();
        m_top = m_pages->anchorAt(verticalScrollBar()->value());
        m_atEnd = verticalScrollBar()->maximum() > 0
            && verticalScrollBar()->value() == verticalScrollBar()->maximum();
    }
    viewport()->update();
}

QString OutputView::visibleRows()
{
    QStringList rows;
    for (qint64 row = firstRow(); row < firstRow() + rowsPerPage(); ++row) {
        const OutputPages::Row at = m_pages->rowAt(row);
        if (at.line)
            rows.append(at.line->text.mid(at.from, at.length));
    }
    return rows.join(QLatin1Char('\n'));
}

void OutputView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const Tokens &t = tokens(this);
    painter.fillRect(event->rect(), t.code);
    const qint64 first = firstRow();
    const qint64 last = first + rowsPerPage() + 1;
    m_pages->setVisible(first, last);
    bool waiting = false;
    for (qint64 row = first; row <= last && row < m_pages->rowCount(); ++row) {
        const OutputPages::Row at = m_pages->rowAt(row);
        if (!at.line) {
            waiting = true;
            continue;
        }
        if (at.length == 0)
            continue;
        QTextLayout layout(at.line->text.mid(at.from, at.length), m_font);
        QTextOption option;
        option.setWrapMode(QTextOption::NoWrap);
        layout.setTextOption(option);
        layout.setFormats(formatsOf(*at.line, at.from, at.length, *at.styles, t));
        layout.beginLayout();
        QTextLine line = layout.createLine();
        line.setLineWidth(viewport()->width());
        layout.endLayout();
        paintFound(painter, layout.text(), line, kPad + double(row - first) * m_rowHeight);
        painter.setPen(t.text);
        layout.draw(&painter, QPointF(kPad, kPad + static_cast<double>(row - first) * m_rowHeight));
    }
    if (waiting || m_pages->total() == 0) {
        painter.setFont(fontFor(TextRole::Caption));
        painter.setPen(t.textCaption);
        painter.drawText(viewport()->rect().adjusted(kPad, kPad, -kPad, -kPad),
                         Qt::AlignTop | Qt::AlignTrailing,
                         m_pages->total() == 0 ? tr("No output") : tr("Reading…"));
    }
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange))
        paintFocusRing(painter, viewport()->rect(), 0, t.accent);
}

void OutputView::paintFound(QPainter &painter, const QString &row, const QTextLine &line,
                            double top) const
{
    if (m_found.isEmpty())
        return;
    for (qsizetype at = row.indexOf(m_found, 0, Qt::CaseInsensitive); at >= 0;
         at = row.indexOf(m_found, at + m_found.size(), Qt::CaseInsensitive)) {
        const double left = line.cursorToX(static_cast<int>(at));
        const double right = line.cursorToX(static_cast<int>(at + m_found.size()));
        painter.fillRect(QRectF(kPad + left, top, right - left, m_rowHeight),
                         tokens(this).accentSoft);
    }
}

void OutputView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    measure();
    onChanged();
}

void OutputView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::StyleChange) {
        measure();
        onChanged();
    }
}

void OutputView::keyPressEvent(QKeyEvent *event)
{
    QScrollBar *bar = verticalScrollBar();
    if (event->key() == Qt::Key_Home)
        bar->setValue(0);
    else if (event->key() == Qt::Key_End)
        bar->setValue(bar->maximum());
    else if (event->key() == Qt::Key_Space)
        bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
    else if (event->matches(QKeySequence::Copy))
        QGuiApplication::clipboard()->setText(visibleRows());
    else
        QAbstractScrollArea::keyPressEvent(event);
}

} // namespace berth::ui
