// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/find_bar.h"

#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QLocale>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QToolButton>

namespace berth::ui {

FindBar::FindBar(const QString &placeholder, QWidget *parent)
    : QWidget(parent),
      m_field(new QLineEdit),
      m_count(new Label(TextRole::Caption, Ink::Secondary)),
      m_up(new IconButton(Glyph::ChevronUp, tr("Previous match (Shift+Return)"))),
      m_down(new IconButton(Glyph::ChevronDown, tr("Next match (Return)")))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(24, 8, 24, 8);
    row->setSpacing(8);
    m_field->setPlaceholderText(placeholder);
    m_field->setAccessibleName(placeholder);
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
    connect(m_field, &QLineEdit::textChanged, this, &FindBar::textChanged);
    connect(m_up, &QToolButton::clicked, this, [this] { previous(); });
    connect(m_down, &QToolButton::clicked, this, [this] { next(); });
    connect(end, &QToolButton::clicked, this, [this] { close(); });
    hide();
}

void FindBar::begin()
{
    show();
    m_field->setFocus();
    m_field->selectAll();
}

void FindBar::showCount(qsizetype current, qsizetype count, bool isCapped, bool reading)
{
    const QLocale locale;
    if (m_field->text().isEmpty())
        m_count->setText({});
    else if (count == 0)
        m_count->setText(reading ? tr("Looking…") : tr("Not found"));
    else
        m_count->setText(
            tr("%1 of %2")
                .arg(locale.toString(current + 1),
                     locale.toString(count) + (isCapped ? QStringLiteral("+") : QString())));
    m_up->setEnabled(count > 1);
    m_down->setEnabled(count > 1);
}

bool FindBar::onKey(QKeyEvent *event)
{
    const bool back = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F3:
        back ? previous() : next();
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    default:
        return false;
    }
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_field)
        return QWidget::eventFilter(watched, event);
    // Esc closes this first, not what is behind it.
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return event->type() == QEvent::KeyPress && onKey(static_cast<QKeyEvent *>(event));
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace berth::ui
