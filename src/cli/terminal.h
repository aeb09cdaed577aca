// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QObject>
#include <QtCore/QString>

#include <functional>

namespace berth::cli {

//! What is known of the terminal, if there is one.
struct TerminalFacts
{
    bool outIsTerminal = false;
    bool errIsTerminal = false;
    bool inIsTerminal = false;
    //! Of standard output; 0: not known.
    int columns = 0;
    //! On a terminal, and not switched off by NO_COLOR or TERM=dumb.
    bool colours = false;
};

//! Of this process' standard files.
[[nodiscard]] TerminalFacts terminalFacts();

//! Reads one line from standard input, later; an empty one at its end.
void readLine(QObject *context, std::function<void(QString)> done);
//! The same without echo. What the terminal was set to comes back with the line, and when \a
//! context or the program goes before.
void readHiddenLine(QObject *context, std::function<void(QString)> done);

} // namespace berth::cli
