// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/run_strip.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtCore/QDateTime>
#include <QtCore/QTimerEvent>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

RunStrip::RunStrip(QWidget *parent)
    : QWidget(parent),
      m_banner(new Banner(Tone::Warn)),
      m_retry(m_banner->addAction(tr("Retry now"))),
      m_continue(m_banner->addAction(tr("Continue")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_banner);
    connect(m_retry, &QPushButton::clicked, this, &RunStrip::retryRequested);
    connect(m_continue, &QPushButton::clicked, this, &RunStrip::continueRequested);
    hide();
}

void RunStrip::showNotice(const application::RunNotice &notice)
{
    m_notice = notice;
    const bool waits = notice.kind == QLatin1String("waiting");
    if (notice.kind.isEmpty() || notice.kind == QLatin1String("thinking")) {
        m_second.stop();
        hide();
        return;
    }
    const bool failed = notice.kind == QLatin1String("failed");
    m_banner->setTone(failed ? Tone::Error : waits ? Tone::Info : Tone::Warn);
    m_retry->setVisible(waits);
    m_continue->setVisible(!waits && notice.canContinue);
    showText();
    if (waits && notice.until.isValid())
        m_second.start(1000, this);
    else
        m_second.stop();
    setVisible(true);
}

void RunStrip::setBusy(bool busy)
{
    m_retry->setEnabled(!busy);
    m_continue->setEnabled(!busy);
}

void RunStrip::showText()
{
    QString text = m_notice.text;
    if (m_notice.kind == QLatin1String("waiting") && m_notice.until.isValid()) {
        const qint64 left = QDateTime::currentDateTimeUtc().msecsTo(m_notice.until);
        const auto seconds = static_cast<int>(qMax<qint64>(0, (left + 999) / 1000));
        const QString when = seconds > 0 ? tr("Trying again in %n second(s)", nullptr, seconds)
                                         : tr("Trying again now");
        text = text.isEmpty() ? when : tr("%1 · %2", "what happened, what is next").arg(text, when);
    }
    m_banner->setText(text, m_notice.detail);
}

void RunStrip::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_second.timerId())
        showText();
    else
        QWidget::timerEvent(event);
}

} // namespace berth::ui
