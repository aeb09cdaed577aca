// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_screen.h"

#include "ui/terminal/vterm_compat.h"

#include <QtCore/QVarLengthArray>

#include <algorithm>

namespace berth::ui {

namespace {

constexpr qsizetype kLongestTitle = 256;

qint32 colourOf(const VTermColor &color)
{
    if (VTERM_COLOR_IS_DEFAULT_FG(&color) || VTERM_COLOR_IS_DEFAULT_BG(&color))
        return TerminalCell::kDefault;
    if (VTERM_COLOR_IS_INDEXED(&color))
        return color.indexed.idx;
    return TerminalCell::kTrueColor | (color.rgb.red << 16) | (color.rgb.green << 8)
        | color.rgb.blue;
}

VTermColor colourFor(qint32 value, VTermColorType whenDefault)
{
    VTermColor color{};
    if (value == TerminalCell::kDefault)
        color.type = static_cast<uint8_t>(VTERM_COLOR_INDEXED | whenDefault);
    else if (value & TerminalCell::kTrueColor)
        vterm_color_rgb(&color, static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8),
                        static_cast<uint8_t>(value));
    else
        vterm_color_indexed(&color, static_cast<uint8_t>(value));
    return color;
}

quint16 attributesOf(const VTermScreenCell &cell)
{
    unsigned result = 0;
    const auto add = [&result](bool on, TerminalCell::Attribute attribute) {
        if (on)
            result |= attribute;
    };
    add(cell.attrs.bold, TerminalCell::Bold);
    add(cell.attrs.italic, TerminalCell::Italic);
    add(cell.attrs.underline == VTERM_UNDERLINE_SINGLE, TerminalCell::Underline);
    add(cell.attrs.underline == VTERM_UNDERLINE_DOUBLE, TerminalCell::DoubleUnderline);
    add(cell.attrs.underline == VTERM_UNDERLINE_CURLY, TerminalCell::CurlyUnderline);
    add(cell.attrs.reverse, TerminalCell::Inverse);
    add(cell.attrs.strike, TerminalCell::Strike);
    add(cell.attrs.blink, TerminalCell::Blink);
    add(vterm::isConcealed(cell), TerminalCell::Conceal);
    return static_cast<quint16>(result);
}

bool isBlank(const VTermScreenCell &cell)
{
    return cell.chars[0] == 0 && VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) && !cell.attrs.reverse;
}

TerminalLine lineOf(const VTermScreenCell *cells, int columns)
{
    TerminalLine line;
    line.full = columns > 0 && cells[columns - 1].chars[0] != 0;
    while (columns > 0 && isBlank(cells[columns - 1]))
        --columns;
    line.cells.resize(columns);
    TerminalCell *to = line.cells.data();
    for (int column = 0; column < columns; ++column, ++to) {
        const VTermScreenCell &from = cells[column];
        to->foreground = colourOf(from.fg);
        to->background = colourOf(from.bg);
        to->attributes = attributesOf(from);
        // The right half of a wide character.
        if (from.chars[0] == static_cast<uint32_t>(-1)) {
            to->width = 0;
            continue;
        }
        to->character = from.chars[0];
        to->width = from.width == 2 ? 2 : 1;
        if (from.chars[0] == 0 || from.chars[1] == 0)
            continue;
        QString marks;
        for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && from.chars[i] != 0; ++i) {
            const char32_t mark = from.chars[i];
            marks += QString::fromUcs4(&mark, 1);
        }
        line.marks.append({column, marks});
    }
    return line;
}

VTermModifier modifiersOf(Qt::KeyboardModifiers modifiers)
{
    unsigned result = VTERM_MOD_NONE;
    if (modifiers & Qt::ShiftModifier)
        result |= VTERM_MOD_SHIFT;
    if (modifiers & Qt::AltModifier)
        result |= VTERM_MOD_ALT;
    if (modifiers & Qt::ControlModifier)
        result |= VTERM_MOD_CTRL;
    return static_cast<VTermModifier>(result);
}

} // namespace

struct TerminalScreen::Hooks
{
    static TerminalScreen *of(void *user) { return static_cast<TerminalScreen *>(user); }

    static int damage(VTermRect rect, void *user)
    {
        of(user)->dirty(rect.start_row, rect.end_row);
        return 1;
    }
    static int moveCursor(VTermPos to, VTermPos from, int, void *user)
    {
        of(user)->dirty(from.row, from.row + 1);
        of(user)->dirty(to.row, to.row + 1);
        return 1;
    }
    static int property(VTermProp property, VTermValue *value, void *user)
    {
        TerminalScreen &me = *of(user);
        switch (property) {
        case VTERM_PROP_CURSORVISIBLE:
            me.m_cursor.visible = value->boolean != 0;
            break;
        case VTERM_PROP_CURSORBLINK:
            me.m_cursor.blinks = value->boolean != 0;
            break;
        case VTERM_PROP_CURSORSHAPE:
            me.m_cursor.shape = value->number == VTERM_PROP_CURSORSHAPE_UNDERLINE ? Shape::Underline
                : value->number == VTERM_PROP_CURSORSHAPE_BAR_LEFT                ? Shape::Bar
                                                                                  : Shape::Block;
            break;
        case VTERM_PROP_ALTSCREEN:
            me.m_alternate = value->boolean != 0;
            break;
        case VTERM_PROP_MOUSE:
            me.m_mouse = value->number == VTERM_PROP_MOUSE_CLICK ? Mouse::Click
                : value->number == VTERM_PROP_MOUSE_DRAG         ? Mouse::Drag
                : value->number == VTERM_PROP_MOUSE_MOVE         ? Mouse::Move
                                                                 : Mouse::None;
            break;
        default:
            break;
        }
        me.m_changes.everything = true;
        return 1;
    }
    static int bell(void *user)
    {
        Q_EMIT of(user)->bell();
        return 1;
    }
    static int push(int columns, const VTermScreenCell *cells, void *user)
    {
        TerminalScreen &me = *of(user);
        me.m_above.push_back(lineOf(cells, columns));
        if (me.m_above.size() > kScrollback) {
            me.m_above.pop_front();
            ++me.m_dropped;
        }
        me.m_changes.everything = true;
        return 1;
    }
    static int pop(int columns, VTermScreenCell *cells, void *user)
    {
        TerminalScreen &me = *of(user);
        if (me.m_above.empty())
            return 0;
        const TerminalLine line = me.m_above.back();
        me.m_above.pop_back();
        for (int column = 0; column < columns; ++column) {
            const TerminalCell from = line.cells.value(column);
            VTermScreenCell &to = cells[column];
            to = VTermScreenCell{};
            to.chars[0] = from.width == 0 ? static_cast<uint32_t>(-1) : from.character;
            to.width = static_cast<char>(from.width == 2 ? 2 : 1);
            // A wide character that does not fit any more would reach over the edge.
            if (from.width == 2 && column + 1 >= columns) {
                to.chars[0] = 0;
                to.width = 1;
            }
            to.fg = colourFor(from.foreground, VTERM_COLOR_DEFAULT_FG);
            to.bg = colourFor(from.background, VTERM_COLOR_DEFAULT_BG);
            to.attrs.bold = (from.attributes & TerminalCell::Bold) != 0;
            to.attrs.italic = (from.attributes & TerminalCell::Italic) != 0;
            to.attrs.reverse = (from.attributes & TerminalCell::Inverse) != 0;
            to.attrs.strike = (from.attributes & TerminalCell::Strike) != 0;
            to.attrs.underline = (from.attributes & TerminalCell::Underline) != 0 ? 1 : 0;
        }
        for (const auto &[column, marks] : line.marks) {
            const QList<uint> codes = marks.toUcs4();
            for (int i = 0; column < columns && i < codes.size(); ++i) {
                if (i + 1 < VTERM_MAX_CHARS_PER_CELL)
                    cells[column].chars[i + 1] = codes[i];
            }
        }
        me.m_changes.everything = true;
        return 1;
    }
    static int clear(void *user)
    {
        TerminalScreen &me = *of(user);
        me.m_dropped += static_cast<qint64>(me.m_above.size());
        me.m_above.clear();
        me.m_changes.everything = true;
        return 1;
    }
    static void write(const char *bytes, size_t length, void *user)
    {
        if (of(user)->m_answers)
            Q_EMIT of(user)->output(QByteArray(bytes, static_cast<qsizetype>(length)));
    }
};

struct TerminalScreen::Strings final : TerminalFilter::Sink
{
    explicit Strings(TerminalScreen &screen) : me(screen) {}
    void pass(QByteArrayView bytes) override
    {
        vterm_input_write(me.m_vterm, bytes.data(), static_cast<size_t>(bytes.size()));
    }
    void osc(const QByteArray &payload) override
    {
        // Clipboard (52), links (8), colours and all the others stay without effect.
        if (payload.startsWith("0;") || payload.startsWith("2;"))
            me.takeTitle(payload.sliced(2));
        else if (payload == "10;?" || payload == "11;?")
            me.answerColour(payload);
    }
    void clearScrollback() override { Hooks::clear(&me); }
    TerminalScreen &me;
};

TerminalScreen::TerminalScreen(int columns, int rows, QObject *parent)
    : QObject(parent),
      m_columns(std::clamp(columns, kLeastColumns, kMostColumns)),
      m_rows(std::clamp(rows, 1, kMostColumns))
{
    create();
}

TerminalScreen::~TerminalScreen()
{
    vterm_free(m_vterm);
}

void TerminalScreen::create()
{
    static const VTermScreenCallbacks kCallbacks =
        vterm::callbacks(Hooks::damage, Hooks::moveCursor, Hooks::property, Hooks::bell,
                         Hooks::push, Hooks::pop, Hooks::clear);
    m_vterm = vterm_new(m_rows, m_columns);
    vterm_set_utf8(m_vterm, 1);
    vterm_output_set_callback(m_vterm, Hooks::write, this);
    VTermScreen *screen = vterm_obtain_screen(m_vterm);
    vterm_screen_set_callbacks(screen, &kCallbacks, this);
    vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_SCROLL);
    vterm_screen_enable_altscreen(screen, 1);
    vterm_screen_reset(screen, 1);
    m_changes.everything = true;
}

void TerminalScreen::reset()
{
    vterm_free(m_vterm);
    m_filter.reset();
    m_above.clear();
    m_dropped = 0;
    m_cursor = {};
    m_mouse = Mouse::None;
    m_alternate = false;
    create();
}

void TerminalScreen::feed(QByteArrayView bytes, Answers answers)
{
    m_answers = answers == Answers::Send;
    Strings strings(*this);
    m_filter.feed(bytes, strings);
    vterm_screen_flush_damage(vterm_obtain_screen(m_vterm));
    m_answers = true;
}

void TerminalScreen::resize(int columns, int rows)
{
    columns = std::clamp(columns, kLeastColumns, kMostColumns);
    rows = std::clamp(rows, 1, kMostColumns);
    if (columns == m_columns && rows == m_rows)
        return;
    m_columns = columns;
    m_rows = rows;
    vterm_set_size(m_vterm, rows, columns);
    vterm_screen_flush_damage(vterm_obtain_screen(m_vterm));
    m_changes.everything = true;
}

qint64 TerminalScreen::screenTop() const
{
    return m_dropped + static_cast<qint64>(m_above.size());
}

TerminalLine TerminalScreen::line(qint64 line) const
{
    if (line < m_dropped || line >= endLine())
        return {};
    if (line < screenTop())
        return m_above[static_cast<size_t>(line - m_dropped)];
    const VTermScreen *screen = vterm_obtain_screen(m_vterm);
    QVarLengthArray<VTermScreenCell, 256> cells(m_columns);
    for (int column = 0; column < m_columns; ++column)
        vterm_screen_get_cell(screen, VTermPos{static_cast<int>(line - screenTop()), column},
                              &cells[column]);
    return lineOf(cells.constData(), m_columns);
}

TerminalScreen::Cursor TerminalScreen::cursor() const
{
    VTermPos at{};
    vterm_state_get_cursorpos(vterm_obtain_state(m_vterm), &at);
    Cursor cursor = m_cursor;
    cursor.at = {screenTop() + std::clamp(at.row, 0, m_rows - 1),
                 std::clamp(at.col, 0, m_columns - 1)};
    return cursor;
}

void TerminalScreen::dirty(int fromRow, int toRow)
{
    if (m_changes.toRow <= m_changes.fromRow) {
        m_changes.fromRow = fromRow;
        m_changes.toRow = toRow;
        return;
    }
    m_changes.fromRow = std::min(m_changes.fromRow, fromRow);
    m_changes.toRow = std::max(m_changes.toRow, toRow);
}

TerminalScreen::Changes TerminalScreen::takeChanges()
{
    return std::exchange(m_changes, {});
}

void TerminalScreen::takeTitle(const QByteArray &payload)
{
    const QString title = QString::fromUtf8(payload).left(kLongestTitle);
    if (title == m_title)
        return;
    m_title = title;
    Q_EMIT titleChanged();
}

void TerminalScreen::answerColour(const QByteArray &payload)
{
    if (!m_answers)
        return;
    const bool text = payload.startsWith("10");
    const quint32 rgb = text ? m_grounds.text : m_grounds.ground;
    QByteArray answer = "\x1b]" + payload.first(2) + ";rgb:";
    for (int shift = 16; shift >= 0; shift -= 8) {
        const QByteArray part =
            QByteArray::number((rgb >> shift) & 0xff, 16).rightJustified(2, '0');
        answer += part + part + (shift > 0 ? "/" : "");
    }
    Q_EMIT output(answer + "\x1b\\");
}

bool TerminalScreen::pressKey(int key, Qt::KeyboardModifiers modifiers)
{
    VTermKey code = VTERM_KEY_NONE;
    switch (key) {
    case Qt::Key_Up:
        code = VTERM_KEY_UP;
        break;
    case Qt::Key_Down:
        code = VTERM_KEY_DOWN;
        break;
    case Qt::Key_Left:
        code = VTERM_KEY_LEFT;
        break;
    case Qt::Key_Right:
        code = VTERM_KEY_RIGHT;
        break;
    case Qt::Key_Home:
        code = VTERM_KEY_HOME;
        break;
    case Qt::Key_End:
        code = VTERM_KEY_END;
        break;
    case Qt::Key_PageUp:
        code = VTERM_KEY_PAGEUP;
        break;
    case Qt::Key_PageDown:
        code = VTERM_KEY_PAGEDOWN;
        break;
    case Qt::Key_Insert:
        code = VTERM_KEY_INS;
        break;
    case Qt::Key_Delete:
        code = VTERM_KEY_DEL;
        break;
    case Qt::Key_Backtab:
        code = VTERM_KEY_TAB;
        modifiers |= Qt::ShiftModifier;
        break;
    default:
        if (key < Qt::Key_F1 || key > Qt::Key_F12)
            return false;
        code = static_cast<VTermKey>(VTERM_KEY_FUNCTION(1 + key - Qt::Key_F1));
    }
    vterm_keyboard_key(m_vterm, code, modifiersOf(modifiers));
    return true;
}

void TerminalScreen::type(const QString &text, Qt::KeyboardModifiers modifiers)
{
    // The library writes letters with Ctrl in a form that shells do not read; so bytes are made
    // here, as terminals have always made them.
    QByteArray bytes = text.toUtf8();
    if (modifiers & Qt::ControlModifier) {
        for (char &byte : bytes) {
            if ((byte >= '@' && byte <= '_') || (byte >= 'a' && byte <= 'z'))
                byte = static_cast<char>(byte & 0x1f);
            else if (byte == ' ' || byte == '2')
                byte = 0;
            else if (byte >= '3' && byte <= '7')
                byte = static_cast<char>(byte - '3' + 0x1b);
            else if (byte == '/')
                byte = 0x1f;
            else if (byte == '8' || byte == '?')
                byte = 0x7f;
        }
    }
    if ((modifiers & Qt::AltModifier) && !bytes.isEmpty())
        bytes.prepend('\x1b');
    if (!bytes.isEmpty())
        Q_EMIT output(bytes);
}

void TerminalScreen::paste(const QString &text)
{
    // As typed: lines end with Return. Nothing in it may end the paste, nor act as a key.
    QString clean;
    clean.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == u'\r' && i + 1 < text.size() && text[i + 1] == u'\n')
            continue;
        if (c == u'\n')
            clean += u'\r';
        else if (c == u'\t' || c == u'\r'
                 || (c >= u' ' && c != QChar(0x7f) && (c < QChar(0x80) || c >= QChar(0xa0))))
            clean += c;
    }
    if (clean.isEmpty())
        return;
    vterm_keyboard_start_paste(m_vterm);
    Q_EMIT output(clean.toUtf8());
    vterm_keyboard_end_paste(m_vterm);
}

void TerminalScreen::mouseButton(int button, bool pressed, int column, int row,
                                 Qt::KeyboardModifiers modifiers)
{
    if (m_mouse == Mouse::None)
        return;
    mouseMove(column, row, modifiers);
    vterm_mouse_button(m_vterm, button, pressed, modifiersOf(modifiers));
}

void TerminalScreen::mouseMove(int column, int row, Qt::KeyboardModifiers modifiers)
{
    vterm_mouse_move(m_vterm, std::clamp(row, 0, m_rows - 1), std::clamp(column, 0, m_columns - 1),
                     modifiersOf(modifiers));
}

void TerminalScreen::focusChanged(bool in)
{
    VTermState *state = vterm_obtain_state(m_vterm);
    if (in)
        vterm_state_focus_in(state);
    else
        vterm_state_focus_out(state);
}

} // namespace berth::ui
