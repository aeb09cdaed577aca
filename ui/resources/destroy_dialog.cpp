// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/destroy_dialog.h"

#include "ui/style/paint.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

constexpr int kWidth = 480;
//! Titles of threads that are named; the others are counted.
constexpr int kNamedThreads = 3;

} // namespace

DestroyDialog::DestroyDialog(const QString &name, const application::RuntimeView &runtime,
                             QWidget *parent)
    : QDialog(parent),
      m_cancel(new Button(tr("Cancel"))),
      m_destroy(new Button(tr("Destroy"), ButtonKind::Danger))
{
    const QString question = tr("Destroy %1?").arg(name);
    setWindowTitle(question);
    setWindowModality(Qt::WindowModal);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 20, 24, 20);
    column->setSpacing(12);

    auto *title = new Label(question, TextRole::Header);
    title->setWrapped(true);
    column->addWidget(title);
    const QString place = runtime.image.isEmpty()
        ? runtime.providerLabel
        : tr("%1 · %2", "provider and image").arg(runtime.providerLabel, runtime.image);
    column->addWidget(new Label(place, TextRole::Body, Ink::Secondary));

    const QString loses = runtime.destroyLoses.isEmpty()
        ? tr("The instance at %1 and everything stored in it is removed for good.")
              .arg(runtime.providerLabel)
        : runtime.destroyLoses;
    auto *words = new Label(loses);
    words->setWrapped(true);
    column->addWidget(words);

    if (!runtime.threads.isEmpty()) {
        QStringList titles;
        for (const application::ThreadLink &thread : runtime.threads.mid(0, kNamedThreads))
            titles.append(tr("“%1”").arg(thread.title));
        const auto more =
            static_cast<int>(runtime.threads.size()) - static_cast<int>(titles.size());
        QString list = titles.join(tr(", ", "between titles of threads"));
        if (more > 0)
            list = tr("%1 and %n more", nullptr, more).arg(list);
        auto *threads = new Label(
            tr("Used by %1. What was said there stays readable; the next message starts in an "
               "empty sandbox.")
                .arg(list),
            TextRole::Body, Ink::Secondary);
        threads->setWrapped(true);
        column->addWidget(threads);
    }
    column->addSpacing(4);
    column->addStretch(1);

    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch();
    row->addWidget(m_cancel);
    row->addWidget(m_destroy);
    column->addLayout(row);
    // Return means the safe one, wherever the focus is.
    m_destroy->setAutoDefault(false);
    m_destroy->setDefault(false);
    m_cancel->setDefault(true);
    m_cancel->setFocus();
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_destroy, &QPushButton::clicked, this, &QDialog::accept);

    setMinimumWidth(kWidth);
    column->setSizeConstraint(QLayout::SetMinimumSize);
    resize(kWidth, heightForWidth(kWidth));
}

void DestroyDialog::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), tokens(this).panel);
    // Not every window manager draws an edge.
    painter.setPen(tokens(this).line);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace berth::ui
