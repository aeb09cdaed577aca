// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringDecoder>

#include <deque>

namespace berth::ui {

//! How a stretch of output is to be painted.
struct SgrStyle
{
    static constexpr qint32 kDefault = -1;
    static constexpr qint32 kTrueColor = 0x1000000;
    //! kDefault, 0..255, or kTrueColor | rgb.
    qint32 foreground = kDefault;
    qint32 background = kDefault;
    bool bold = false;
    bool faint = false;
    bool italic = false;
    bool underline = false;
    bool inverse = false;
    bool fromStderr = false;
    bool operator==(const SgrStyle &) const = default;
};

struct AnsiLine
{
    QString text;
    //! One per UTF-16 unit of text: an index into AnsiText::styles().
    QList<quint16> styles;
};

//! What a command writes, as lines of coloured text. Colours and attributes (SGR) are kept, and so
//! are carriage return, backspace and erase-line, as progress bars use them; every other control is
//! dropped, whole and at any split: cursor movement, titles (OSC), device strings. Each stream has
//! its own decoder and state.
class AnsiText
{
public:
    static constexpr qsizetype kLongestLine = 2048;

    //! Keeps the last \a maxLines.
    explicit AnsiText(qsizetype maxLines = 4096);

    void feed(domain::OutputStream stream, QByteArrayView bytes);
    void clear();

    [[nodiscard]] const std::deque<AnsiLine> &lines() const { return m_lines; }
    [[nodiscard]] const QList<SgrStyle> &styles() const { return m_styles; }
    //! Lines that fell off the front.
    [[nodiscard]] qint64 dropped() const { return m_dropped; }
    //! Without the empty line behind a final newline.
    [[nodiscard]] qsizetype lineCount() const;
    [[nodiscard]] QString plainText() const;

private:
    enum class State { Ground, Escape, EscapeIntermediate, Csi, String, StringEscape };
    struct Stream
    {
        QStringDecoder decoder{QStringDecoder::Utf8};
        State state = State::Ground;
        QString parameters;
        qsizetype swallowed = 0;
        SgrStyle style;
        quint16 styleIndex = 0;
    };

    void step(Stream &stream, QChar c);
    void ground(Stream &stream, QChar c);
    void csi(Stream &stream, QChar final);
    void sgr(Stream &stream);
    void write(quint16 style, QChar c);
    void newLine();
    quint16 indexOf(const SgrStyle &style);

    qsizetype m_maxLines;
    std::deque<AnsiLine> m_lines;
    QList<SgrStyle> m_styles;
    qsizetype m_column = 0;
    qint64 m_dropped = 0;
    Stream m_out;
    Stream m_err;
};

//! \a text with control, bidirectional and zero-width characters made visible, as \u{202e}.
QString visibleText(const QString &text);

} // namespace berth::ui
