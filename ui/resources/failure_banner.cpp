// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/failure_banner.h"

#include "ui/widgets/button.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

FailureBanner::FailureBanner(RuntimeActions &actions, QWidget *parent)
    : QWidget(parent), m_actions(actions), m_banner(new Banner(Tone::Error))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_banner);
    Button *copy = m_banner->addAction(tr("Copy details"));
    Button *dismiss = m_banner->addAction(tr("Dismiss"));
    connect(copy, &QPushButton::clicked, this, [this] {
        if (const RuntimeActions::Failure *failure = m_actions.failure(m_runtime))
            QGuiApplication::clipboard()->setText(failure->details);
    });
    connect(dismiss, &QPushButton::clicked, this, [this] { m_actions.dismissFailure(m_runtime); });
    connect(&m_actions, &RuntimeActions::changed, this, [this](const QString &runtime) {
        if (runtime == m_runtime)
            refresh();
    });
    hide();
}

void FailureBanner::showFor(const QString &runtime)
{
    m_runtime = runtime;
    refresh();
}

void FailureBanner::refresh()
{
    const RuntimeActions::Failure *failure =
        m_runtime.isEmpty() ? nullptr : m_actions.failure(m_runtime);
    setVisible(failure != nullptr);
    if (!failure)
        return;
    const domain::Error &error = failure->error;
    m_banner->setText(failure->what,
                      error.detail.isEmpty()
                          ? error.message
                          : tr("%1. %2", "what and why").arg(error.message, error.detail));
}

} // namespace berth::ui
