// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/entry_row.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"

#include <QtCore/QTimer>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

EntryRow::EntryRow(QWidget *parent)
    : QWidget(parent),
      m_title(new ElidedLabel(TextRole::Mono)),
      m_detail(new Label(TextRole::Caption, Ink::Secondary)),
      m_chip(new Chip),
      m_edit(new Button(tr("Edit"))),
      m_remove(new Button(tr("Remove…"))),
      m_question(new Banner(Tone::Warn)),
      m_cancel(m_question->addAction(tr("Cancel"))),
      m_confirm(m_question->addAction(tr("Remove")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 9, 0, 9);
    column->setSpacing(8);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    m_detail->setWrapped(true);
    words->addWidget(m_title);
    words->addWidget(m_detail);
    row->addLayout(words, 1);
    row->addWidget(m_chip, 0, Qt::AlignVCenter);
    row->addWidget(m_edit, 0, Qt::AlignVCenter);
    row->addWidget(m_remove, 0, Qt::AlignVCenter);
    column->addLayout(row);
    column->addWidget(m_question);
    m_chip->hide();
    m_question->hide();
    connect(m_edit, &QPushButton::clicked, this, &EntryRow::editRequested);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        m_question->show();
        m_remove->hide();
        // Return and Space mean the safe one.
        m_cancel->setFocus(Qt::OtherFocusReason);
    });
    connect(m_cancel, &QPushButton::clicked, this, &EntryRow::closeQuestion);
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        setBusy(true);
        Q_EMIT removeConfirmed();
    });
}

void EntryRow::setTitle(const QString &title, bool isCode)
{
    m_title->setRole(isCode ? TextRole::Mono : TextRole::BodyStrong);
    m_title->setFullText(title);
}

void EntryRow::setDetail(const QString &detail)
{
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
}

void EntryRow::setState(const QString &word, Tone tone, Dot dot)
{
    m_chip->set(word, tone, dot);
    m_chip->setVisible(!word.isEmpty());
}

void EntryRow::setRemoval(const QString &word, const QString &question, const QString &detail)
{
    m_remove->setText(tr("%1…", "a button that asks first").arg(word));
    m_confirm->setText(word);
    m_question->setText(question, detail);
}

void EntryRow::setSubject(const QString &subject)
{
    m_edit->setAccessibleName(tr("Edit: %1").arg(subject));
    m_remove->setAccessibleName(tr("%1: %2", "action, on what").arg(m_confirm->text(), subject));
    m_confirm->setAccessibleName(m_remove->accessibleName());
}

void EntryRow::setFirst(bool first)
{
    m_first = first;
    update();
}

void EntryRow::setEditable(bool editable)
{
    m_edit->setVisible(editable);
}

void EntryRow::setBusy(bool busy)
{
    for (Button *button : {m_edit, m_remove, m_confirm})
        button->setEnabled(!busy);
}

void EntryRow::closeQuestion()
{
    setBusy(false);
    if (m_question->isHidden())
        return;
    const bool had = m_question->isAncestorOf(window()->focusWidget());
    m_remove->show();
    m_question->hide();
    if (had)
        m_remove->setFocus(Qt::OtherFocusReason);
}

QString EntryRow::title() const
{
    return m_title->fullText();
}

QString EntryRow::detail() const
{
    return m_detail->text();
}

void EntryRow::paintEvent(QPaintEvent *)
{
    if (!m_first)
        QPainter(this).fillRect(0, 0, width(), 1, tokens(this).lineSoft);
}

void EntryRow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_question->isHidden()) {
        closeQuestion();
        return;
    }
    QWidget::keyPressEvent(event);
}

void scrollTo(QWidget *form)
{
    // It has its place once the layout has run.
    QTimer::singleShot(0, form, [form] {
        for (QWidget *outer = form->parentWidget(); outer; outer = outer->parentWidget()) {
            if (auto *area = qobject_cast<QScrollArea *>(outer)) {
                area->ensureWidgetVisible(form, 0, 20);
                // The top of one that is too high.
                area->ensureVisible(0, form->mapTo(area->widget(), QPoint()).y(), 0, 20);
                return;
            }
        }
    });
}

} // namespace berth::ui
