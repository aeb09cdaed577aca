// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/tokens.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>

class QApplication;

namespace berth::ui {

class BerthStyle;

enum class ThemeMode { System, Light, Dark };

QString wireName(ThemeMode mode);
ThemeMode themeModeFromWire(const QString &name);

//! Puts BerthStyle on the application and keeps it in step with the system or with what was chosen.
class Theme final : public QObject
{
    Q_OBJECT
public:
    explicit Theme(QApplication &application, ThemeMode mode = ThemeMode::System);
    ~Theme() override;

    [[nodiscard]] ThemeMode mode() const;
    void setMode(ThemeMode mode);
    [[nodiscard]] bool highContrast() const;
    void setHighContrast(bool on);
    [[nodiscard]] const Tokens &tokens() const;

    bool eventFilter(QObject *watched, QEvent *event) override;

Q_SIGNALS:
    //! After every widget has its new palette.
    void changed();
    void modeChanged(berth::ui::ThemeMode mode);

private:
    QPointer<BerthStyle> m_style;
    Tokens m_shown;
};

} // namespace berth::ui
