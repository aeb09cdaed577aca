// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/terminal/terminal_cell.h"
#include "ui/terminal/terminal_filter.h"

#include <QtCore/QObject>

#include <deque>
#include <memory>
#include <optional>

struct VTerm;

namespace berth::ui {

//! A terminal without a widget: bytes in, cells out. Keeps a bounded number of lines above the
//! screen. What the program asks of the terminal, and what keys make of it, comes out as output().
class TerminalScreen final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kScrollback = 10'000;
    static constexpr int kLeastColumns = 2;
    static constexpr int kMostColumns = 1000;

    enum class Shape { Block, Underline, Bar };
    enum class Mouse { None, Click, Drag, Move };
    //! Whether questions of the program are answered. Not when old output is played again: what
    //! asked then does not wait any more, and would take the answer for typed text.
    enum class Answers { Send, Drop };

    struct Cursor
    {
        //! As lines are counted in TerminalPoint.
        TerminalPoint at;
        bool visible = true;
        bool blinks = true;
        Shape shape = Shape::Block;
        bool operator==(const Cursor &) const = default;
    };

    //! Colours that programs may ask for, as 0xrrggbb.
    struct Grounds
    {
        quint32 text = 0;
        quint32 ground = 0;
    };

    explicit TerminalScreen(int columns = 80, int rows = 24, QObject *parent = nullptr);
    ~TerminalScreen() override;

    void feed(QByteArrayView bytes, Answers answers = Answers::Send);
    void resize(int columns, int rows);
    //! As new: nothing on it, nothing above it.
    void reset();
    //! See TerminalFilter.
    void setAddsReturn(bool on) { m_filter.setAddsReturn(on); }
    void setGrounds(const Grounds &grounds) { m_grounds = grounds; }

    [[nodiscard]] int columns() const { return m_columns; }
    [[nodiscard]] int rows() const { return m_rows; }
    //! The oldest line that is still there.
    [[nodiscard]] qint64 firstLine() const { return m_dropped; }
    //! The first line of the screen; what is above it cannot change any more.
    [[nodiscard]] qint64 screenTop() const;
    //! Behind the last line.
    [[nodiscard]] qint64 endLine() const { return screenTop() + m_rows; }
    [[nodiscard]] TerminalLine line(qint64 line) const;
    [[nodiscard]] Cursor cursor() const;
    [[nodiscard]] Mouse mouse() const { return m_mouse; }
    [[nodiscard]] bool isAlternate() const { return m_alternate; }
    //! As the program set it; shown with visibleText().
    [[nodiscard]] const QString &title() const { return m_title; }

    // --- input -----------------------------------------------------------------------------------
    //! A key that has no character; false: not known here.
    bool pressKey(int key, Qt::KeyboardModifiers modifiers);
    //! Characters as they were typed; Ctrl makes control characters of them, Alt puts ESC before.
    void type(const QString &text, Qt::KeyboardModifiers modifiers = {});
    //! Marked as pasted where the program has asked for that.
    void paste(const QString &text);
    //! \a button 1 to 3; 4 and 5: the wheel. At a column and row of the screen.
    void mouseButton(int button, bool pressed, int column, int row, Qt::KeyboardModifiers mods);
    void mouseMove(int column, int row, Qt::KeyboardModifiers modifiers);
    void focusChanged(bool in);

    //! What is not shown as it was when this was asked last.
    struct Changes
    {
        bool everything = false;
        //! Rows of the screen, from and up to; empty: none.
        int fromRow = 0;
        int toRow = 0;
    };
    [[nodiscard]] Changes takeChanges();

Q_SIGNALS:
    //! To be written to the program.
    void output(const QByteArray &bytes);
    void titleChanged();
    void bell();

private:
    struct Hooks;
    friend struct Hooks;
    struct Strings;
    friend struct Strings;
    void create();
    void dirty(int fromRow, int toRow);
    void takeTitle(const QByteArray &payload);
    void answerColour(const QByteArray &payload);

    VTerm *m_vterm = nullptr;
    TerminalFilter m_filter;
    int m_columns;
    int m_rows;
    std::deque<TerminalLine> m_above;
    qint64 m_dropped = 0;
    Changes m_changes;
    Cursor m_cursor;
    Mouse m_mouse = Mouse::None;
    bool m_alternate = false;
    bool m_answers = true;
    QString m_title;
    Grounds m_grounds;
};

} // namespace berth::ui
