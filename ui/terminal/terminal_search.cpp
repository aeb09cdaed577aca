// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_search.h"

#include "ui/terminal/terminal_text.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QLocale>
#include <QtCore/QTimerEvent>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QToolButton>

namespace berth::ui {

namespace {
//! While output streams in, what is found is looked for again at most so often.
constexpr int kAgainMs = 300;
} // namespace

TerminalSearch::TerminalSearch(TerminalView *view, QWidget *parent)
    : QWidget(parent),
      m_view(view),
      m_field(new QLineEdit),
      m_count(new Label(TextRole::Caption, Ink::Secondary)),
      m_up(new IconButton(Glyph::ChevronUp, tr("Previous match (Return)"))),
      m_down(new IconButton(Glyph::ChevronDown, tr("Next match (Shift+Return)")))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_field->setPlaceholderText(tr("Search in this terminal"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_field->setClearButtonEnabled(true);
    if (auto *clear = m_field->findChild<QToolButton *>())
        clear->setAccessibleName(tr("Clear the text"));
    m_field->installEventFilter(this);
    auto *end = new IconButton(Glyph::Close, tr("Close the search (Esc)"));
    row->addWidget(m_field, 1);
    row->addWidget(m_count);
    row->addWidget(m_up);
    row->addWidget(m_down);
    row->addWidget(end);
    connect(m_field, &QLineEdit::textChanged, this, [this] { look(true); });
    connect(m_up, &QToolButton::clicked, this, &TerminalSearch::previous);
    connect(m_down, &QToolButton::clicked, this, &TerminalSearch::next);
    connect(end, &QToolButton::clicked, this, &TerminalSearch::close);
    hide();
}

void TerminalSearch::open()
{
    const QString selected = m_view ? m_view->selectedText() : QString();
    show();
    if (!selected.isEmpty() && !selected.contains(u'\n'))
        m_field->setText(selected);
    m_field->setFocus();
    m_field->selectAll();
    look(true);
}

void TerminalSearch::close()
{
    hide();
    m_soon.stop();
    m_matches.clear();
    m_current = -1;
    if (m_view) {
        m_view->setMatches({}, -1);
        m_view->setFocus();
    }
}

void TerminalSearch::look(bool anew)
{
    if (!m_view || !m_view->screen())
        return;
    const TerminalSpan stood = m_current >= 0 ? m_matches.at(m_current) : TerminalSpan();
    m_matches = berth::ui::find(*m_view->screen(), m_field->text());
    int at = static_cast<int>(m_matches.size()) - 1;
    if (!anew && !stood.isEmpty()) {
        const auto same = m_matches.indexOf(stood);
        at = same >= 0 ? static_cast<int>(same) : at;
    }
    if (anew) {
        stand(at);
        return;
    }
    // Found again behind the back of the reader: nothing moves.
    m_current = at;
    m_view->setMatches(m_matches, -1);
    stand(-2);
}

void TerminalSearch::stand(int match)
{
    if (match != -2) {
        m_current = match;
        if (m_view)
            m_view->setMatches(m_matches, m_current);
    }
    const QLocale locale;
    if (m_field->text().isEmpty())
        m_count->setText({});
    else if (m_matches.isEmpty())
        m_count->setText(tr("Not found"));
    else
        m_count->setText(
            tr("%1 of %2").arg(locale.toString(m_current + 1), locale.toString(m_matches.size())));
    m_up->setEnabled(m_matches.size() > 1);
    m_down->setEnabled(m_matches.size() > 1);
}

void TerminalSearch::next()
{
    if (!m_matches.isEmpty())
        stand((m_current + 1) % static_cast<int>(m_matches.size()));
}

void TerminalSearch::previous()
{
    const int count = static_cast<int>(m_matches.size());
    if (count > 0)
        stand((m_current + count - 1) % count);
}

void TerminalSearch::refreshSoon()
{
    if (isVisible() && !m_field->text().isEmpty() && !m_soon.isActive())
        m_soon.start(kAgainMs, this);
}

void TerminalSearch::timerEvent(QTimerEvent *)
{
    m_soon.stop();
    look(false);
}

bool TerminalSearch::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_field
        && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (!enter && key->key() != Qt::Key_Escape)
            return QWidget::eventFilter(watched, event);
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        if (!enter)
            close();
        else if (key->modifiers() & Qt::ShiftModifier)
            next();
        else
            previous();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace berth::ui
