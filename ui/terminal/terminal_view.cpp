// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_view.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"
#include "ui/terminal/terminal_accessible.h"
#include "ui/terminal/terminal_text.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtGui/QPaintEvent>
#include <QtGui/QStyleHints>
#include <QtWidgets/QScrollBar>

#include <algorithm>

namespace berth::ui {

TerminalView::TerminalView(QWidget *parent)
    : QAbstractScrollArea(parent),
      m_metrics(fontFor(TextRole::Mono)),
      m_palette(berth::ui::tokens(this))
{
    installTerminalAccessibility();
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Its coming and going would change the number of columns under a running program.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_InputMethodEnabled);
    setAccessibleName(tr("Terminal"));
    setAccessibleDescription(tr("Ctrl+Tab leaves the terminal, Ctrl+Shift+F searches in it."));
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(3);
    setMinimumSize(120, 60);
}

TerminalView::~TerminalView() = default;

void TerminalView::setScreen(TerminalScreen *screen)
{
    if (screen == m_screen)
        return;
    m_screen = screen;
    m_selection = {};
    m_matches.clear();
    m_currentMatch = -1;
    m_preedit.clear();
    m_follows = true;
    applyTheme();
    updateBar();
    viewport()->update();
}

void TerminalView::setReadOnly(bool on)
{
    m_readOnly = on;
    setAttribute(Qt::WA_InputMethodEnabled, !on);
    restartBlink();
    viewport()->update();
}

void TerminalView::applyTheme()
{
    m_metrics = TerminalMetrics(fontFor(TextRole::Mono));
    m_palette = TerminalPalette(berth::ui::tokens(this));
    if (m_screen)
        m_screen->setGrounds(
            {m_palette.tokens().text.rgb() & 0xffffff, m_palette.ground().rgb() & 0xffffff});
}

void TerminalView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::StyleChange:
        applyTheme();
        viewport()->update();
        break;
    case QEvent::ApplicationFontChange:
    case QEvent::FontChange:
        applyTheme();
        m_rest.start(kResizeDelayMs, this);
        updateBar();
        viewport()->update();
        break;
    default:
        break;
    }
}

namespace {

QSize fitting(const QSize &size, const TerminalMetrics &metrics)
{
    const int columns =
        static_cast<int>((size.width() - 2 * TerminalView::kPad) / qMax(1.0, metrics.column));
    const int rows = (size.height() - 2 * TerminalView::kPad) / metrics.row;
    return {std::clamp(columns, TerminalScreen::kLeastColumns, TerminalScreen::kMostColumns),
            std::clamp(rows, 1, TerminalScreen::kMostColumns)};
}

} // namespace

QSize TerminalView::cells() const
{
    return fitting(viewport()->size(), m_metrics);
}

QSize TerminalView::cellsIn(const QSize &size)
{
    return fitting(size, TerminalMetrics(fontFor(TextRole::Mono)));
}

QRect TerminalView::cellRect(int column, int row) const
{
    return m_metrics.cell(column, row).translated(kPad, kPad).toAlignedRect();
}

bool TerminalView::isAtEnd() const
{
    return m_follows;
}

void TerminalView::updateBar()
{
    QScrollBar *bar = verticalScrollBar();
    if (!m_screen) {
        bar->setRange(0, 0);
        return;
    }
    // While the screen has another size than the view, its end is what is looked at.
    const int shown = cells().height();
    const qint64 last = std::max(m_screen->firstLine(), m_screen->endLine() - shown);
    m_top = m_follows ? last : std::clamp(m_top, m_screen->firstLine(), last);
    const QSignalBlocker quiet(bar);
    bar->setRange(0, static_cast<int>(last - m_screen->firstLine()));
    bar->setPageStep(shown);
    bar->setValue(static_cast<int>(m_top - m_screen->firstLine()));
}

void TerminalView::scrollContentsBy(int, int)
{
    if (!m_screen)
        return;
    m_top = m_screen->firstLine() + verticalScrollBar()->value();
    m_follows = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    viewport()->update();
}

void TerminalView::scrollToLine(qint64 line)
{
    if (!m_screen)
        return;
    const int shown = cells().height();
    if (line >= m_top && line < m_top + shown)
        return;
    verticalScrollBar()->setValue(static_cast<int>(line - m_screen->firstLine() - shown / 2));
}

void TerminalView::scrollToEnd()
{
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    m_follows = true;
}

void TerminalView::updateRows(qint64 from, qint64 to)
{
    from = std::max(from, m_top);
    to = std::min(to, m_top + cells().height() + 1);
    if (from >= to)
        return;
    viewport()->update(QRect(0, kPad + static_cast<int>(from - m_top) * m_metrics.row,
                             viewport()->width(), static_cast<int>(to - from) * m_metrics.row));
}

void TerminalView::refresh()
{
    // What changed is for the view that is seen; another one of the same screen paints all when
    // it is shown.
    if (!m_screen || !isVisible())
        return;
    const TerminalScreen::Changes changes = m_screen->takeChanges();
    const qint64 before = m_top;
    updateBar();
    const TerminalScreen::Cursor cursor = m_screen->cursor();
    if (changes.everything || m_top != before) {
        viewport()->update();
    } else {
        const qint64 top = m_screen->screenTop();
        updateRows(top + changes.fromRow, top + changes.toRow);
        if (cursor != m_shownCursor) {
            updateRows(m_shownCursor.at.line, m_shownCursor.at.line + 1);
            updateRows(cursor.at.line, cursor.at.line + 1);
        }
    }
    if (cursor != m_shownCursor) {
        m_shownCursor = cursor;
        restartBlink();
    }
    Q_EMIT contentShown();
}

bool TerminalView::showsCursor() const
{
    return m_screen && !m_readOnly && m_screen->cursor().visible;
}

void TerminalView::restartBlink()
{
    m_blinkedOff = false;
    const int flash = QGuiApplication::styleHints()->cursorFlashTime();
    if (hasFocus() && showsCursor() && m_screen->cursor().blinks && flash > 1)
        m_blink.start(flash / 2, this);
    else
        m_blink.stop();
}

void TerminalView::paintGround(QPainter &painter, const QRectF &box) const
{
    paintRounded(painter, box, metrics::kControlRadius, m_palette.ground());
}

void TerminalView::paintFrame()
{
    // Below the scroll bar the same ground as below the text.
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGround(painter, rect());
    if (hasFocus())
        paintFocusRing(painter, rect(), metrics::kControlRadius, m_palette.tokens().accent);
}

void TerminalView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), m_palette.tokens().panel);
    paintGround(painter, QRectF(-viewport()->x(), -viewport()->y(), width(), height()));
    if (!m_screen)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QSize shown = cells();
    const int columns = std::max(shown.width(), 1);
    const int from = std::max(0, (event->rect().top() - kPad) / m_metrics.row);
    const int to = std::min(shown.height() - 1, (event->rect().bottom() - kPad) / m_metrics.row);
    const TerminalScreen::Cursor cursor = m_screen->cursor();
    auto match = m_matches.cbegin();
    for (int row = from; row <= to; ++row) {
        const qint64 number = m_top + row;
        QList<TerminalOverlay> overlays;
        while (match != m_matches.cend() && match->from.line < number)
            ++match;
        for (; match != m_matches.cend() && match->from.line == number; ++match) {
            const bool current = match - m_matches.cbegin() == m_currentMatch;
            overlays.append({*match, current ? m_palette.currentMatch() : m_palette.match()});
        }
        if (!m_selection.isEmpty() && m_selection.from.line <= number
            && m_selection.to.line >= number)
            overlays.append({m_selection, m_palette.selection()});
        const QPointF at(kPad, kPad + row * m_metrics.row);
        const TerminalLine line = m_screen->line(number);
        paintTerminalLine(painter, at, line, number, columns, overlays, m_metrics, m_palette);
        if (number != cursor.at.line || !showsCursor() || (m_blinkedOff && hasFocus()))
            continue;
        if (m_preedit.isEmpty()) {
            paintTerminalCursor(painter, at, line, cursor, hasFocus(), m_metrics, m_palette);
            continue;
        }
        // What is being composed stands over the line until it is whole.
        QFont font = m_metrics.font;
        font.setUnderline(true);
        painter.setFont(font);
        const QRectF box(at.x() + cursor.at.column * m_metrics.column, at.y(),
                         QFontMetricsF(font).horizontalAdvance(m_preedit), m_metrics.row);
        painter.fillRect(box, m_palette.selection());
        painter.setPen(m_palette.tokens().text);
        painter.drawText(QPointF(box.left(), at.y() + m_metrics.ascent), m_preedit);
    }
    if (hasFocus())
        paintFocusRing(painter, QRectF(-viewport()->x(), -viewport()->y(), width(), height()),
                       metrics::kControlRadius, m_palette.tokens().accent);
}

void TerminalView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateBar();
    m_rest.start(kResizeDelayMs, this);
}

void TerminalView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    updateBar();
    // In another place the same terminal had another size.
    m_told = {};
    m_rest.start(kResizeDelayMs, this);
}

void TerminalView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_rest.timerId()) {
        m_rest.stop();
        if (isVisible() && cells() != m_told) {
            m_told = cells();
            Q_EMIT sizeRested(m_told);
        }
    } else if (event->timerId() == m_blink.timerId()) {
        m_blinkedOff = !m_blinkedOff;
        if (m_screen)
            updateRows(m_shownCursor.at.line, m_shownCursor.at.line + 1);
    } else if (event->timerId() == m_drag.timerId()) {
        const int over = m_dragAt.y() < 0 ? -1 : m_dragAt.y() >= viewport()->height() ? 1 : 0;
        verticalScrollBar()->setValue(verticalScrollBar()->value() + over);
        extendSelection(m_dragAt);
    } else {
        QAbstractScrollArea::timerEvent(event);
    }
}

void TerminalView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    restartBlink();
    if (m_screen && !m_readOnly)
        m_screen->focusChanged(true);
    update();
    viewport()->update();
}

void TerminalView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    restartBlink();
    if (m_screen && !m_readOnly)
        m_screen->focusChanged(false);
    update();
    viewport()->update();
}

QString TerminalView::selectedText() const
{
    return m_screen && !m_selection.isEmpty() ? textOf(*m_screen, m_selection) : QString();
}

void TerminalView::setSelection(const TerminalSpan &span)
{
    if (span == m_selection)
        return;
    m_selection = span;
    viewport()->update();
}

void TerminalView::selectAll()
{
    if (m_screen)
        setSelection({{m_screen->firstLine(), 0}, {m_screen->endLine(), 0}});
}

void TerminalView::copy()
{
    const QString text = selectedText();
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

void TerminalView::paste(QClipboard::Mode mode)
{
    if (!m_screen || m_readOnly)
        return;
    const QString text = QGuiApplication::clipboard()->text(mode);
    if (text.isEmpty())
        return;
    if (text.contains(u'\n') || text.contains(u'\r'))
        Q_EMIT pasteAsked(text);
    else
        pasteNow(text);
}

void TerminalView::pasteNow(const QString &text)
{
    if (!m_screen || m_readOnly)
        return;
    typed();
    m_screen->paste(text);
}

void TerminalView::setMatches(const QList<TerminalSpan> &matches, int current)
{
    m_matches = matches;
    m_currentMatch = current;
    if (current >= 0 && current < matches.size())
        scrollToLine(matches.at(current).from.line);
    viewport()->update();
}

QString TerminalView::visibleLines() const
{
    QStringList lines;
    for (int row = 0; m_screen && row < cells().height(); ++row)
        lines.append(m_screen->line(m_top + row).text());
    while (!lines.isEmpty() && lines.last().isEmpty())
        lines.removeLast();
    return lines.join(u'\n');
}

} // namespace berth::ui
