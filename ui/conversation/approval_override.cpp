// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/approval_override.h"

#include "ui/conversation/composer.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtCore/QEvent>

namespace berth::ui {

namespace {

//! A click sooner than this was meant for what stood there before.
constexpr qint64 kStrayMs = 400;

} // namespace

RunAnyway::RunAnyway(Composer &composer)
    : QObject(&composer),
      m_composer(composer),
      m_button(composer.errorBar()->addAction(tr("Run anyway")))
{
    m_button->hide();
    m_button->setAutoDefault(false);
    // Reached by Tab; a click does not move the focus.
    m_button->setFocusPolicy(Qt::TabFocus);
    m_button->setAccessibleDescription(
        tr("Runs the command although the security settings deny it"));
    m_button->installEventFilter(this);
    composer.errorBar()->installEventFilter(this);
    connect(m_button, &QPushButton::clicked, this, &RunAnyway::accept);
    connect(&composer, &Composer::textEdited, this, &RunAnyway::withdraw);
}

void RunAnyway::offer(const domain::Error &error, const QString &text, bool asCommand)
{
    const bool isCommand = asCommand || text.startsWith(QLatin1Char('!'));
    if (error.kind != domain::ErrorKind::Forbidden || !isCommand) {
        withdraw();
        return;
    }
    m_text = text;
    m_asCommand = asCommand;
    m_offered.start();
    m_button->show();
}

void RunAnyway::withdraw()
{
    m_text.clear();
    m_button->hide();
}

void RunAnyway::accept()
{
    if (m_text.isEmpty() || m_offered.elapsed() < kStrayMs)
        return;
    const QString text = m_text;
    const bool asCommand = m_asCommand;
    // A button that is hidden would give the focus to whatever comes next.
    if (m_button->hasFocus())
        m_composer.edit()->setFocus(Qt::OtherFocusReason);
    withdraw();
    m_composer.errorBar()->hide();
    Q_EMIT requested(text, asCommand);
}

bool RunAnyway::eventFilter(QObject *watched, QEvent *event)
{
    // The reason went with the bar.
    if (watched == m_composer.errorBar() && event->type() == QEvent::HideToParent)
        withdraw();
    // Its first half may have meant something else.
    if (watched == m_button && event->type() == QEvent::MouseButtonDblClick)
        return true;
    return QObject::eventFilter(watched, event);
}

} // namespace berth::ui
