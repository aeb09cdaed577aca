// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/form_row.h"

#include "ui/style/berth_style.h"
#include "ui/style/tokens.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

FormRow::FormRow(const QString &label, QWidget *field, QWidget *parent)
    : QWidget(parent),
      m_field(field),
      m_text(label),
      m_columns(new QHBoxLayout(this)),
      m_line(new QHBoxLayout),
      m_label(new Label(label)),
      m_help(new Label(TextRole::Caption, Ink::Secondary)),
      m_error(new Label(TextRole::Caption, Ink::Error))
{
    m_columns->setContentsMargins(0, 0, 0, 0);
    m_columns->setSpacing(16);
    m_label->setFixedWidth(kLabelWidth);
    m_label->setWordWrap(true);
    m_label->setBuddy(field);
    m_label->setMinimumHeight(metrics::kField);
    m_label->setAlignment(Qt::AlignVCenter | Qt::AlignLeading);
    m_columns->addWidget(m_label, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout;
    column->setSpacing(4);
    m_line->setSpacing(8);
    m_line->addWidget(field, 1);
    column->addLayout(m_line);
    m_help->setWrapped(true);
    m_error->setWrapped(true);
    column->addWidget(m_help);
    column->addWidget(m_error);
    m_help->hide();
    m_error->hide();
    m_columns->addLayout(column, 1);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(label);
}

void FormRow::setHelp(const QString &help)
{
    m_help->setText(help);
    m_help->setVisible(!help.isEmpty());
    if (m_error->text().isEmpty())
        m_field->setAccessibleDescription(help);
}

void FormRow::setError(const QString &error)
{
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    m_field->setProperty(kFieldInvalid, !error.isEmpty());
    m_field->update();
    m_field->setAccessibleDescription(error.isEmpty() ? m_help->text() : error);
}

QString FormRow::error() const
{
    return m_error->text();
}

void FormRow::setRequired(bool required)
{
    m_label->setText(required ? tr("%1 (required)").arg(m_text) : m_text);
}

void FormRow::addBeside(QWidget *widget)
{
    m_line->addWidget(widget, 0);
}

void FormRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // Narrow: the label goes above its field.
    const bool narrow = width() < 440;
    m_columns->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_columns->setSpacing(narrow ? 4 : 16);
    m_label->setMinimumHeight(narrow ? 0 : metrics::kField);
    m_label->setMinimumWidth(narrow ? 0 : kLabelWidth);
    m_label->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : kLabelWidth);
}

} // namespace berth::ui
