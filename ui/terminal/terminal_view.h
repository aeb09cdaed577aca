// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/terminal/terminal_paint.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QPointer>
#include <QtGui/QClipboard>
#include <QtWidgets/QAbstractScrollArea>

#include <optional>

namespace berth::ui {

//! Shows a TerminalScreen and gives it keys, mouse and pasted text. Paints only rows that changed.
//! All keys that a program could want go to the program while it has the focus; the way out is
//! Ctrl+Tab, Ctrl+Shift+Tab or Ctrl+Shift+Esc.
class TerminalView final : public QAbstractScrollArea
{
    Q_OBJECT
public:
    static constexpr int kPad = 10;
    //! A size that is being dragged is told once, when it rests.
    static constexpr int kResizeDelayMs = 120;

    explicit TerminalView(QWidget *parent = nullptr);
    ~TerminalView() override;

    //! Not owned; null: nothing to show.
    void setScreen(TerminalScreen *screen);
    [[nodiscard]] TerminalScreen *screen() const { return m_screen; }
    //! No keys, no cursor: output of something that takes none.
    void setReadOnly(bool on);
    //! Paints what changed since it was called last.
    void refresh();

    //! Columns and rows that fit.
    [[nodiscard]] QSize cells() const;
    //! Those that would fit into a view of that size.
    [[nodiscard]] static QSize cellsIn(const QSize &size);
    //! Where a column and row of the shown part are, in the viewport.
    [[nodiscard]] QRect cellRect(int column, int row) const;
    [[nodiscard]] qint64 topLine() const { return m_top; }
    [[nodiscard]] bool isAtEnd() const;
    void scrollToLine(qint64 line);
    void scrollToEnd();

    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] const TerminalSpan &selection() const { return m_selection; }
    void setSelection(const TerminalSpan &span);
    void selectAll();
    void copy();
    void paste(QClipboard::Mode mode = QClipboard::Clipboard);
    //! What was asked for by pasteAsked().
    void pasteNow(const QString &text);

    //! Highlights; \a current is the one that is stood on, -1 for none.
    void setMatches(const QList<TerminalSpan> &matches, int current);
    //! The text that is seen, for assistive technology.
    [[nodiscard]] QString visibleLines() const;

    [[nodiscard]] QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

Q_SIGNALS:
    //! Other columns and rows fit now.
    void sizeRested(const QSize &cells);
    //! Several lines were to be pasted; nothing was written.
    void pasteAsked(const QString &text);
    void searchRequested();
    void addressChosen(const QString &address);
    void contentShown();

protected:
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void timerEvent(QTimerEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void inputMethodEvent(QInputMethodEvent *event) override;
    bool focusNextPrevChild(bool next) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    enum class Unit { Character, Word, Line };
    void applyTheme();
    void paintGround(QPainter &painter, const QRectF &box) const;
    void paintFrame();
    void updateBar();
    void updateRows(qint64 from, qint64 to);
    void restartBlink();
    [[nodiscard]] bool showsCursor() const;
    //! Keys that stay with the window.
    [[nodiscard]] static bool isForWindow(const QKeyEvent &event);
    bool takeOwnKey(const QKeyEvent &event);
    [[nodiscard]] TerminalPoint pointAt(const QPoint &at, bool nearest) const;
    [[nodiscard]] QPoint screenCell(const QPoint &at) const;
    [[nodiscard]] bool reportsMouse(Qt::KeyboardModifiers modifiers) const;
    void extendSelection(const QPoint &at);
    [[nodiscard]] TerminalSpan unitAt(const TerminalPoint &at) const;
    void typed();

    QPointer<TerminalScreen> m_screen;
    bool m_readOnly = false;
    TerminalMetrics m_metrics;
    TerminalPalette m_palette;
    qint64 m_top = 0;
    bool m_follows = true;
    //! As of the last refresh.
    TerminalScreen::Cursor m_shownCursor;
    QString m_preedit;

    TerminalSpan m_selection;
    TerminalSpan m_anchor;
    Unit m_unit = Unit::Character;
    bool m_selecting = false;
    QPoint m_dragAt;
    qint64 m_tripleUntil = 0;
    QPoint m_doubleAt;
    int m_wheel = 0;
    int m_reported = 0;

    QList<TerminalSpan> m_matches;
    int m_currentMatch = -1;

    QSize m_told;
    QBasicTimer m_rest;
    QBasicTimer m_blink;
    QBasicTimer m_drag;
    bool m_blinkedOff = false;
};

} // namespace berth::ui
