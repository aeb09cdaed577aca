// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/card.h"

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Chip;

//! The switch that allows sandboxes without isolation on this machine. Off is one click; on takes a
//! second, deliberate one.
class PassthroughSetting final : public Card
{
    Q_OBJECT
public:
    explicit PassthroughSetting(application::EngineClient &client, QWidget *parent = nullptr);

    //! As the Engine says.
    void setAllowed(bool allowed);

    [[nodiscard]] bool isAllowed() const { return m_allowed; }
    [[nodiscard]] Button *switchButton() const { return m_switch; }
    [[nodiscard]] Banner *question() const { return m_question; }
    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Button *confirmButton() const { return m_confirm; }
    [[nodiscard]] Banner *errorBar() const { return m_error; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void ask();
    void closeQuestion();
    void send(bool allowed);
    void refresh();

    application::EngineClient &m_client;
    Chip *m_state;
    Button *m_switch;
    Banner *m_question;
    Button *m_cancel;
    Button *m_confirm;
    Banner *m_error;
    bool m_allowed = false;
    bool m_sending = false;
};

} // namespace berth::ui
