// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/terminal/terminal_cell.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

class QLineEdit;

namespace berth::ui {

class IconButton;
class Label;
class TerminalView;

//! Below a terminal: looks for text in it and above it, from the newest match upwards.
class TerminalSearch final : public QWidget
{
    Q_OBJECT
public:
    explicit TerminalSearch(TerminalView *view, QWidget *parent = nullptr);

    void open();
    void close();
    void next();
    void previous();
    //! The text of the terminal changed.
    void refreshSoon();
    [[nodiscard]] QLineEdit *field() const { return m_field; }
    [[nodiscard]] int matchCount() const { return static_cast<int>(m_matches.size()); }
    //! From 0; -1 without matches.
    [[nodiscard]] int currentMatch() const { return m_current; }

protected:
    void timerEvent(QTimerEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void look(bool anew);
    void stand(int match);

    QPointer<TerminalView> m_view;
    QLineEdit *m_field;
    Label *m_count;
    IconButton *m_up;
    IconButton *m_down;
    QList<TerminalSpan> m_matches;
    int m_current = -1;
    QBasicTimer m_soon;
};

} // namespace berth::ui
