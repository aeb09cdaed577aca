// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QByteArrayView>

namespace berth::ui {

//! What stands between the bytes of a program and the terminal library: strings (OSC, DCS and
//! their kin) are taken out here, whole and at any split, because the library keeps or swallows
//! them without a bound. What is passed on holds only text, C0, ESC and CSI sequences.
class TerminalFilter
{
public:
    class Sink
    {
    public:
        virtual void pass(QByteArrayView bytes) = 0;
        //! A whole operating system command, without introducer and terminator.
        virtual void osc(const QByteArray &payload) = 0;
        //! CSI 3 J: the library of Debian 12 does not know it.
        virtual void clearScrollback() = 0;

    protected:
        ~Sink() = default;
    };

    //! Of a string so much is kept; a longer one is dropped.
    static constexpr qsizetype kLongestKept = 4096;
    //! A string that has not ended after so many bytes was none: what follows is text again.
    static constexpr qsizetype kLongestString = 256 * 1024;
    static constexpr qsizetype kLongestCsi = 256;

    //! A line feed also returns to the first column, as the line discipline of a terminal would
    //! have made it; for output of commands that have no terminal.
    void setAddsReturn(bool on) { m_addsReturn = on; }
    void feed(QByteArrayView bytes, Sink &sink);
    void reset();

private:
    enum class State { Ground, Escape, Intermediate, Csi, String, StringEscape };
    void ground(QByteArrayView run, Sink &sink);
    void text(QByteArrayView run, Sink &sink) const;
    void flush(Sink &sink);
    void escape(char c, Sink &sink);
    void csi(char c, Sink &sink);
    void string(char c, Sink &sink);
    void endString(bool whole, Sink &sink);

    State m_state = State::Ground;
    bool m_addsReturn = false;
    //! The beginning of a character whose other bytes have not come yet.
    QByteArray m_partial;
    //! ']', 'P', 'X', '^' or '_'.
    char m_kind = 0;
    qsizetype m_length = 0;
    QByteArray m_kept;
};

} // namespace berth::ui
