// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_accessible.h"

#include "ui/terminal/terminal_view.h"

#include <QtGui/QAccessible>
#include <QtWidgets/QAccessibleWidget>

namespace berth::ui {

namespace {

//! The part that is seen, as one text with a line feed behind each row.
class TerminalInterface final : public QAccessibleWidget, public QAccessibleTextInterface
{
public:
    explicit TerminalInterface(TerminalView *view) : QAccessibleWidget(view, QAccessible::Terminal)
    {}

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface)
            return static_cast<QAccessibleTextInterface *>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text which) const override
    {
        return which == QAccessible::Value ? content() : QAccessibleWidget::text(which);
    }

    void selection(int index, int *start, int *end) const override
    {
        *start = *end = 0;
        if (index != 0 || view()->selection().isEmpty())
            return;
        *start = offsetOf(view()->selection().from);
        *end = offsetOf(view()->selection().to);
    }
    int selectionCount() const override { return view()->selection().isEmpty() ? 0 : 1; }
    void addSelection(int start, int end) override { setSelection(0, start, end); }
    void removeSelection(int) override { view()->setSelection({}); }
    void setSelection(int, int start, int end) override
    {
        view()->setSelection({pointOf(start), pointOf(end)});
    }
    int cursorPosition() const override
    {
        return view()->screen() ? offsetOf(view()->screen()->cursor().at) : 0;
    }
    void setCursorPosition(int) override {}
    QString text(int start, int end) const override { return content().mid(start, end - start); }
    int characterCount() const override { return static_cast<int>(content().size()); }
    QRect characterRect(int offset) const override
    {
        const TerminalPoint at = pointOf(offset);
        const QRect cell =
            view()->cellRect(at.column, static_cast<int>(at.line - view()->topLine()));
        return {view()->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
    }
    int offsetAtPoint(const QPoint &) const override { return -1; }
    void scrollToSubstring(int start, int) override { view()->scrollToLine(pointOf(start).line); }
    QString attributes(int offset, int *start, int *end) const override
    {
        *start = offset;
        *end = offset;
        return {};
    }

private:
    TerminalView *view() const { return static_cast<TerminalView *>(widget()); }
    QString content() const { return view()->visibleLines(); }
    //! Columns are taken for characters: exact but for wide and combined ones.
    int offsetOf(const TerminalPoint &at) const
    {
        const QString all = content();
        qsizetype start = 0;
        for (qint64 line = view()->topLine(); line < at.line; ++line) {
            const qsizetype next = all.indexOf(u'\n', start);
            if (next < 0)
                return static_cast<int>(all.size());
            start = next + 1;
        }
        return static_cast<int>(qMin(start + at.column, all.size()));
    }
    TerminalPoint pointOf(int offset) const
    {
        const QString before = content().left(offset);
        return {view()->topLine() + before.count(u'\n'),
                static_cast<int>(before.size() - before.lastIndexOf(u'\n') - 1)};
    }
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *view = qobject_cast<TerminalView *>(object);
    return view ? new TerminalInterface(view) : nullptr;
}

} // namespace

void installTerminalAccessibility()
{
    // Installing one twice does nothing.
    QAccessible::installFactory(makeInterface);
}

} // namespace berth::ui
