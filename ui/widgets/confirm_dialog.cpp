// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/confirm_dialog.h"

#include "ui/style/paint.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {
constexpr int kWidth = 480;
}

ConfirmDialog::ConfirmDialog(const Words &words, QWidget *parent)
    : QDialog(parent),
      m_cancel(new Button(tr("Cancel"))),
      m_action(
          new Button(words.action, words.dangerous ? ButtonKind::Danger : ButtonKind::Secondary)),
      m_text(words.text.join(QLatin1Char('\n')))
{
    setWindowTitle(words.question);
    setAccessibleDescription(m_text);
    setWindowModality(Qt::WindowModal);
    setAttribute(Qt::WA_DeleteOnClose);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    column->setSpacing(12);
    auto *title = new Label(words.question, TextRole::Header);
    title->setWrapped(true);
    column->addWidget(title);
    if (!words.place.isEmpty()) {
        auto *place = new Label(words.place, TextRole::Body, Ink::Secondary);
        place->setWrapped(true);
        column->addWidget(place);
    }
    for (const QString &paragraph : words.text) {
        auto *label = new Label(paragraph);
        label->setWrapped(true);
        column->addWidget(label);
    }
    column->addSpacing(4);
    column->addStretch(1);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch();
    row->addWidget(m_cancel);
    row->addWidget(m_action);
    column->addLayout(row);
    // Return means the safe one, wherever the focus is.
    m_action->setAutoDefault(false);
    m_action->setDefault(false);
    m_cancel->setDefault(true);
    m_cancel->setFocus();
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_action, &QPushButton::clicked, this, &QDialog::accept);
    setMinimumWidth(kWidth);
    column->setSizeConstraint(QLayout::SetMinimumSize);
    resize(kWidth, heightForWidth(kWidth));
}

ConfirmDialog *ConfirmDialog::askToDrop(const QString &question, QWidget *parent,
                                        const std::function<void()> &then)
{
    Words words;
    words.question = question;
    words.text = {tr("What you typed is not saved.")};
    words.action = tr("Drop it");
    auto *dialog = new ConfirmDialog(words, parent);
    connect(dialog, &QDialog::accepted, parent, [then] { then(); });
    dialog->open();
    return dialog;
}

void ConfirmDialog::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens(this).panel);
    // Not every window manager draws an edge.
    painter.setPen(tokens(this).line);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace berth::ui
