// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QWidget>

namespace berth::ui {

class Chip;
class Label;
class Switch;

//! Whether the desktop is told what happens while the window is not in front, and whether it can
//! be.
class NotificationSetting final : public QWidget
{
    Q_OBJECT
public:
    explicit NotificationSetting(QWidget *parent = nullptr);

    void setEnabledByUser(bool enabled);
    //! \a problem: why nothing can be told, and what to do; empty: it can.
    void setService(const QString &name, const QString &problem);

    [[nodiscard]] Switch *toggle() const { return m_switch; }
    [[nodiscard]] Chip *state() const { return m_state; }
    [[nodiscard]] Label *about() const { return m_about; }

Q_SIGNALS:
    //! By the user.
    void enabledChosen(bool enabled);

private:
    Switch *m_switch;
    Chip *m_state;
    Label *m_about;
};

} // namespace berth::ui
