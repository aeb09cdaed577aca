// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/notification_setting.h"

#include "ui/conversation/ansi_text.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

NotificationSetting::NotificationSetting(QWidget *parent)
    : QWidget(parent),
      m_switch(new Switch(tr("Desktop notifications"))),
      m_state(new Chip),
      m_about(new Label(TextRole::Caption, Ink::Secondary))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(new Label(tr("Desktop notifications")));
    row->addWidget(m_state);
    row->addStretch(1);
    row->addWidget(m_switch);
    column->addLayout(row);
    m_about->setWrapped(true);
    column->addWidget(m_about);
    m_switch->setChecked(true);
    connect(m_switch, &QAbstractButton::clicked, this,
            [this] { Q_EMIT enabledChosen(m_switch->isChecked()); });
    setService({}, {});
}

void NotificationSetting::setEnabledByUser(bool enabled)
{
    m_switch->setChecked(enabled);
}

void NotificationSetting::setService(const QString &name, const QString &problem)
{
    const QString what = tr("While the window is not in front: when something needs your approval, "
                            "and when a run has ended. Only the kind of action and the thread's "
                            "title are told.");
    if (problem.isEmpty()) {
        m_state->set({}, Tone::Neutral);
        m_state->hide();
        m_about->setText(name.isEmpty() ? what
                                        : tr("%1 Shown by %2.").arg(what, visibleText(name)));
        return;
    }
    m_state->show();
    m_state->set(tr("Not available"), Tone::Warn, Dot::Half);
    m_about->setText(tr("%1 %2", "why it is not available, what it would do").arg(problem, what));
}

} // namespace berth::ui
