// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/passthrough_setting.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/models/isolation_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"

#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

PassthroughSetting::PassthroughSetting(application::EngineClient &client, QWidget *parent)
    : Card(parent),
      m_client(client),
      m_state(new Chip),
      m_switch(new Button({})),
      m_question(new Banner(Tone::Warn)),
      m_cancel(m_question->addAction(tr("Cancel"))),
      m_confirm(m_question->addAction(tr("Allow without isolation"))),
      m_error(new Banner(Tone::Error))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(19, 14, 19, 14);
    column->setSpacing(8);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(new Label(tr("Allow sandboxes without isolation"), TextRole::BodyStrong));
    head->addWidget(m_state);
    head->addStretch(1);
    head->addWidget(m_switch);
    column->addLayout(head);
    auto *words = new Label(
        tr("With this, a Local provider may be set to isolation “none”: its commands then run on "
           "this machine itself, as you. It holds for this machine and can be switched here only."),
        TextRole::Body, Ink::Secondary);
    words->setWrapped(true);
    column->addWidget(words);
    m_question->setText(
        noIsolationWords(),
        tr("Commands could read your keys, change your files and reach your network. Sandboxes "
           "that are there stay as they are."));
    m_question->hide();
    m_error->hide();
    column->addWidget(m_question);
    column->addWidget(m_error);
    connect(m_switch, &QPushButton::clicked, this, [this] {
        if (m_allowed)
            send(false);
        else
            ask();
    });
    connect(m_cancel, &QPushButton::clicked, this, &PassthroughSetting::closeQuestion);
    connect(m_confirm, &QPushButton::clicked, this, [this] { send(true); });
    refresh();
}

void PassthroughSetting::setAllowed(bool allowed)
{
    m_allowed = allowed;
    if (allowed)
        closeQuestion();
    refresh();
}

void PassthroughSetting::ask()
{
    m_error->hide();
    m_question->show();
    // Return and Space mean the safe one.
    m_cancel->setFocus(Qt::OtherFocusReason);
    refresh();
}

void PassthroughSetting::closeQuestion()
{
    if (m_question->isHidden())
        return;
    m_question->hide();
    refresh();
    m_switch->setFocus(Qt::OtherFocusReason);
}

void PassthroughSetting::send(bool allowed)
{
    m_sending = true;
    m_error->hide();
    refresh();
    application::deliver(this, m_client, application::AllowPassthrough{allowed},
                         [this, allowed](const domain::Result<application::Nothing> &done) {
                             m_sending = false;
                             if (done) {
                                 setAllowed(allowed);
                                 return;
                             }
                             closeQuestion();
                             m_error->setText(done.error().message, done.error().detail);
                             m_error->show();
                             refresh();
                         });
}

void PassthroughSetting::refresh()
{
    m_state->set(m_allowed ? tr("On") : tr("Off"), m_allowed ? Tone::Warn : Tone::Neutral,
                 m_allowed ? Dot::Filled : Dot::Ring);
    m_switch->setText(m_allowed ? tr("Switch off") : tr("Allow…"));
    m_switch->setAccessibleName(m_allowed ? tr("Switch sandboxes without isolation off")
                                          : tr("Allow sandboxes without isolation"));
    m_switch->setEnabled(!m_sending);
    m_switch->setVisible(m_question->isHidden());
    m_confirm->setEnabled(!m_sending);
}

void PassthroughSetting::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_question->isHidden()) {
        closeQuestion();
        return;
    }
    Card::keyPressEvent(event);
}

} // namespace berth::ui
