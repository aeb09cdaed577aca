// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

namespace berth::ui {

class Banner;
class Button;

//! Above the composer: why a run does not go on, or when it will, and the one thing to do.
class RunStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit RunStrip(QWidget *parent = nullptr);

    //! Hidden where there is nothing that the user could do.
    void showNotice(const application::RunNotice &notice);
    void setBusy(bool busy);
    [[nodiscard]] Banner *banner() const { return m_banner; }
    [[nodiscard]] Button *retryButton() const { return m_retry; }
    [[nodiscard]] Button *continueButton() const { return m_continue; }

Q_SIGNALS:
    void retryRequested();
    void continueRequested();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void showText();

    application::RunNotice m_notice;
    Banner *m_banner;
    Button *m_retry;
    Button *m_continue;
    QBasicTimer m_second;
};

} // namespace berth::ui
