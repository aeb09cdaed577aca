// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/terminal/terminal_cell.h"

namespace berth::ui {

class TerminalScreen;

// What is done with the text of a terminal, above and on the screen.

//! Lines that go on in the next one are joined; blanks at the end of a line are left out.
QString textOf(const TerminalScreen &screen, const TerminalSpan &span);
//! The word, path or address around \a at, within its line.
TerminalSpan wordAt(const TerminalScreen &screen, const TerminalPoint &at);
//! The whole line, with the lines that it goes on in.
TerminalSpan lineAt(const TerminalScreen &screen, const TerminalPoint &at);
//! An http or https address around \a at as it is written there; empty for none.
QString addressAt(const TerminalScreen &screen, const TerminalPoint &at);

//! Where \a text is, from the oldest line on, at most \a most of it; upper and lower case are the
//! same unless \a text has an upper-case letter.
QList<TerminalSpan> find(const TerminalScreen &screen, const QString &text, int most = 10'000);

} // namespace berth::ui
