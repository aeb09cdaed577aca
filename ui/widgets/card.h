// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QFrame>

#include "ui/style/tokens.h"

#include <optional>

namespace berth::ui {

//! A panel with hairline and rounded corners; put a layout into it.
class Card : public QFrame
{
    Q_OBJECT
public:
    explicit Card(QWidget *parent = nullptr);

    //! A border in this tone instead of the hairline: something in it needs care.
    void setAccent(std::optional<Tone> tone);
    //! Border in the accent colour, two pixels, while something inside has the focus.
    void setFocusFrame(bool on);
    void setRadius(int radius);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<Tone> m_tone;
    bool m_focusFrame = false;
    int m_radius = metrics::kCardRadius;
};

//! A hairline.
class Divider final : public QWidget
{
    Q_OBJECT
public:
    explicit Divider(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace berth::ui
