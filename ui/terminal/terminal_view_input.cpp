// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_view.h"

#include "ui/terminal/terminal_text.h"

#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QContextMenuEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QInputMethodEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QStyleHints>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollBar>

#include <cstdlib>

namespace berth::ui {

namespace {

constexpr int kDragScrollMs = 50;
//! Of a wheel, in eighths of a degree.
constexpr int kWheelStep = 120;
constexpr int kLinesPerStep = 3;

const Qt::KeyboardModifiers kChords =
    Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;

Qt::KeyboardModifiers chords(const QKeyEvent &event)
{
    return event.modifiers() & kChords;
}

//! The library's number of a button; 0 for none.
int numberOf(Qt::MouseButton button)
{
    return button == Qt::LeftButton  ? 1
        : button == Qt::MiddleButton ? 2
        : button == Qt::RightButton  ? 3
                                     : 0;
}

} // namespace

bool TerminalView::isForWindow(const QKeyEvent &event)
{
    const Qt::KeyboardModifiers held = chords(event);
    if (held & Qt::MetaModifier)
        return true;
    if (held == Qt::ControlModifier) {
        const int key = event.key();
        return (key >= Qt::Key_0 && key <= Qt::Key_9) || key == Qt::Key_Comma
            || key == Qt::Key_QuoteLeft || key == Qt::Key_Tab;
    }
    // No byte was ever defined for these; the ones that are handled here are asked for before.
    return (held & Qt::ControlModifier) && (held & Qt::ShiftModifier)
        && event.key() < Qt::Key_Escape;
}

bool TerminalView::focusNextPrevChild(bool)
{
    return false; // Tab is typed
}

bool TerminalView::event(QEvent *event)
{
    if (event->type() == QEvent::Paint) {
        paintFrame();
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        // Else the window's shortcuts would take what programs live by: Ctrl+N, Ctrl+B, F2, Esc.
        auto *key = static_cast<QKeyEvent *>(event);
        const bool own = chords(*key) == (Qt::ControlModifier | Qt::ShiftModifier)
            && (key->key() == Qt::Key_C || key->key() == Qt::Key_V || key->key() == Qt::Key_F
                || key->key() == Qt::Key_Escape);
        if (own || (!m_readOnly && m_screen && !isForWindow(*key))) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool tab = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab;
        const bool out = key->key() == Qt::Key_Escape
            && chords(*key) == (Qt::ControlModifier | Qt::ShiftModifier);
        if ((tab && ((key->modifiers() & Qt::ControlModifier) || m_readOnly)) || out) {
            QAbstractScrollArea::focusNextPrevChild(!out && !(key->modifiers() & Qt::ShiftModifier)
                                                    && key->key() == Qt::Key_Tab);
            event->accept();
            return true;
        }
        if (tab) {
            keyPressEvent(static_cast<QKeyEvent *>(event));
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

bool TerminalView::takeOwnKey(const QKeyEvent &event)
{
    const Qt::KeyboardModifiers held = chords(event);
    if (held == (Qt::ControlModifier | Qt::ShiftModifier)) {
        switch (event.key()) {
        case Qt::Key_C:
            copy();
            return true;
        case Qt::Key_V:
            paste();
            return true;
        case Qt::Key_F:
            Q_EMIT searchRequested();
            return true;
        default:
            return false;
        }
    }
    if (m_readOnly && event.matches(QKeySequence::Copy)) {
        copy();
        return true;
    }
    if (held != Qt::ShiftModifier && !m_readOnly)
        return false;
    QScrollBar *bar = verticalScrollBar();
    switch (event.key()) {
    case Qt::Key_PageUp:
        bar->triggerAction(QScrollBar::SliderPageStepSub);
        return true;
    case Qt::Key_PageDown:
        bar->triggerAction(QScrollBar::SliderPageStepAdd);
        return true;
    case Qt::Key_Home:
        bar->setValue(0);
        return true;
    case Qt::Key_End:
        scrollToEnd();
        return true;
    case Qt::Key_Insert:
        paste();
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!m_readOnly)
            return false;
        bar->setValue(bar->value() + (event.key() == Qt::Key_Up ? -1 : 1));
        return true;
    default:
        return false;
    }
}

void TerminalView::typed()
{
    setSelection({});
    scrollToEnd();
    restartBlink();
}

void TerminalView::keyPressEvent(QKeyEvent *event)
{
    if (takeOwnKey(*event))
        return;
    if (!m_screen || m_readOnly || isForWindow(*event)) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const Qt::KeyboardModifiers held = chords(*event);
    const Qt::KeyboardModifiers alt = held & Qt::AltModifier;
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        typed();
        m_screen->type(QStringLiteral("\r"), alt);
        return;
    case Qt::Key_Backspace:
        typed();
        m_screen->type(held & Qt::ControlModifier ? QStringLiteral("\b") : QString(QChar(0x7f)),
                       alt);
        return;
    case Qt::Key_Tab:
        typed();
        m_screen->type(QStringLiteral("\t"), alt);
        return;
    case Qt::Key_Escape:
        typed();
        m_screen->type(QString(QChar(0x1b)), alt);
        return;
    default:
        break;
    }
    if (m_screen->pressKey(event->key(), held)) {
        typed();
        return;
    }
    const QString text = event->text();
    const int key = event->key();
    if ((held & Qt::ControlModifier) && key >= 0x20 && key < 0x7f) {
        typed();
        m_screen->type(QString(QChar(static_cast<char16_t>(key))), Qt::ControlModifier | alt);
    } else if (!text.isEmpty()) {
        // With Ctrl this is a control character already, as of layouts without Latin letters.
        typed();
        m_screen->type(text, alt);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TerminalView::inputMethodEvent(QInputMethodEvent *event)
{
    if (!m_screen || m_readOnly)
        return;
    m_preedit = event->preeditString();
    if (!event->commitString().isEmpty()) {
        typed();
        m_screen->type(event->commitString());
    }
    updateRows(m_shownCursor.at.line, m_shownCursor.at.line + 1);
    event->accept();
}

QVariant TerminalView::inputMethodQuery(Qt::InputMethodQuery query) const
{
    switch (query) {
    case Qt::ImEnabled:
        return !m_readOnly && m_screen;
    case Qt::ImCursorRectangle:
        if (m_screen) {
            const TerminalScreen::Cursor cursor = m_screen->cursor();
            return cellRect(cursor.at.column, static_cast<int>(cursor.at.line - m_top));
        }
        return {};
    case Qt::ImHints:
        return static_cast<int>(Qt::ImhNoAutoUppercase | Qt::ImhNoPredictiveText);
    case Qt::ImFont:
        return m_metrics.font;
    default:
        return QAbstractScrollArea::inputMethodQuery(query);
    }
}

TerminalPoint TerminalView::pointAt(const QPoint &at, bool nearest) const
{
    const double x = at.x() - kPad + (nearest ? m_metrics.column / 2 : 0);
    const int shown = cells().height();
    const int y = qBound(0, at.y() - kPad, shown * m_metrics.row - 1);
    const int column = static_cast<int>(x / m_metrics.column);
    return {m_top + y / m_metrics.row, qBound(0, column, m_screen ? m_screen->columns() : 0)};
}

QPoint TerminalView::screenCell(const QPoint &at) const
{
    const TerminalPoint point = pointAt(at, false);
    return {qMin(point.column, m_screen->columns() - 1),
            static_cast<int>(point.line - m_screen->screenTop())};
}

bool TerminalView::reportsMouse(Qt::KeyboardModifiers modifiers) const
{
    return m_screen && !m_readOnly && m_screen->mouse() != TerminalScreen::Mouse::None
        && !(modifiers & Qt::ShiftModifier);
}

TerminalSpan TerminalView::unitAt(const TerminalPoint &at) const
{
    switch (m_unit) {
    case Unit::Word:
        return wordAt(*m_screen, at);
    case Unit::Line:
        return lineAt(*m_screen, at);
    case Unit::Character:
        break;
    }
    return {at, at};
}

void TerminalView::extendSelection(const QPoint &at)
{
    const TerminalSpan here = unitAt(pointAt(at, m_unit == Unit::Character));
    setSelection({qMin(m_anchor.from, here.from), qMax(m_anchor.to, here.to)});
}

void TerminalView::mousePressEvent(QMouseEvent *event)
{
    if (!m_screen)
        return;
    const QPoint at = event->position().toPoint();
    if (reportsMouse(event->modifiers()) && numberOf(event->button()) > 0) {
        const QPoint cell = screenCell(at);
        m_reported = numberOf(event->button());
        m_screen->mouseButton(m_reported, true, cell.x(), cell.y(), event->modifiers());
        return;
    }
    if (event->button() == Qt::MiddleButton) {
        if (QGuiApplication::clipboard()->supportsSelection())
            paste(QClipboard::Selection);
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (event->modifiers() & Qt::ControlModifier) {
        const QString address = addressAt(*m_screen, pointAt(at, false));
        if (!address.isEmpty()) {
            Q_EMIT addressChosen(address);
            return;
        }
    }
    const bool third = static_cast<qint64>(event->timestamp()) < m_tripleUntil
        && (at - m_doubleAt).manhattanLength() < QGuiApplication::styleHints()->startDragDistance();
    m_unit = third ? Unit::Line : Unit::Character;
    m_tripleUntil = 0;
    const TerminalSpan here = unitAt(pointAt(at, m_unit == Unit::Character));
    m_selecting = true;
    m_dragAt = at;
    if ((event->modifiers() & Qt::ShiftModifier) && !m_selection.isEmpty()) {
        m_anchor = {m_selection.from, m_selection.from};
        extendSelection(at);
        return;
    }
    m_anchor = here;
    setSelection(here);
}

void TerminalView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!m_screen || event->button() != Qt::LeftButton || reportsMouse(event->modifiers())) {
        mousePressEvent(event);
        return;
    }
    m_unit = Unit::Word;
    m_selecting = true;
    m_dragAt = m_doubleAt = event->position().toPoint();
    m_anchor = unitAt(pointAt(m_dragAt, false));
    setSelection(m_anchor);
    m_tripleUntil = static_cast<qint64>(event->timestamp())
        + QGuiApplication::styleHints()->mouseDoubleClickInterval();
}

void TerminalView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_screen)
        return;
    const QPoint at = event->position().toPoint();
    if (m_selecting) {
        m_dragAt = at;
        extendSelection(at);
        if (viewport()->rect().contains(at))
            m_drag.stop();
        else if (!m_drag.isActive())
            m_drag.start(kDragScrollMs, this);
        return;
    }
    if (reportsMouse(event->modifiers())) {
        const QPoint cell = screenCell(at);
        m_screen->mouseMove(cell.x(), cell.y(), event->modifiers());
    }
    const bool link = (event->modifiers() & Qt::ControlModifier)
        && !addressAt(*m_screen, pointAt(at, false)).isEmpty();
    viewport()->setCursor(link                                   ? Qt::PointingHandCursor
                              : reportsMouse(event->modifiers()) ? Qt::ArrowCursor
                                                                 : Qt::IBeamCursor);
}

void TerminalView::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_screen)
        return;
    if (m_reported > 0 && numberOf(event->button()) == m_reported) {
        const QPoint cell = screenCell(event->position().toPoint());
        m_screen->mouseButton(m_reported, false, cell.x(), cell.y(), event->modifiers());
        m_reported = 0;
        return;
    }
    m_drag.stop();
    if (!std::exchange(m_selecting, false) || m_selection.isEmpty())
        return;
    QClipboard *clipboard = QGuiApplication::clipboard();
    if (clipboard->supportsSelection())
        clipboard->setText(selectedText(), QClipboard::Selection);
}

void TerminalView::wheelEvent(QWheelEvent *event)
{
    const bool report = reportsMouse(event->modifiers());
    const bool arrows = !report && m_screen && !m_readOnly && m_screen->isAlternate()
        && !(event->modifiers() & Qt::ShiftModifier);
    if (!report && !arrows) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    m_wheel += event->angleDelta().y();
    const int steps = m_wheel / kWheelStep;
    m_wheel -= steps * kWheelStep;
    const QPoint cell = screenCell(event->position().toPoint());
    for (int i = 0; i < std::abs(steps); ++i) {
        if (report) {
            m_screen->mouseButton(steps > 0 ? 4 : 5, true, cell.x(), cell.y(), event->modifiers());
            continue;
        }
        // A program on the whole screen has no lines above; it scrolls by its arrow keys.
        for (int line = 0; line < kLinesPerStep; ++line)
            m_screen->pressKey(steps > 0 ? Qt::Key_Up : Qt::Key_Down, {});
    }
    event->accept();
}

void TerminalView::contextMenuEvent(QContextMenuEvent *event)
{
    if (!m_screen
        || (event->reason() == QContextMenuEvent::Mouse && reportsMouse(event->modifiers())))
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *copied = menu->addAction(tr("Copy"), this, &TerminalView::copy);
    copied->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    copied->setEnabled(!m_selection.isEmpty());
    QAction *pasted = menu->addAction(tr("Paste"), this, [this] { paste(); });
    pasted->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V));
    pasted->setEnabled(!m_readOnly);
    menu->addAction(tr("Select all"), this, &TerminalView::selectAll);
    menu->addSeparator();
    QAction *search = menu->addAction(tr("Search…"), this, &TerminalView::searchRequested);
    search->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    menu->popup(event->globalPos());
}

} // namespace berth::ui
