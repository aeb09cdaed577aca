// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/paint.h"

#include <QtWidgets/QWidget>

namespace berth::ui {

//! A state in words on a soft ground, with a dot whose shape differs by state.
class Chip final : public QWidget
{
    Q_OBJECT
public:
    explicit Chip(const QString &text = {}, Tone tone = Tone::Neutral, Dot dot = Dot::None,
                  QWidget *parent = nullptr);

    void set(const QString &text, Tone tone, Dot dot = Dot::None);
    [[nodiscard]] const QString &text() const { return m_text; }
    [[nodiscard]] Tone tone() const { return m_tone; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QString m_text;
    Tone m_tone;
    Dot m_dot;
};

//! The letters that stand for a provider: "D", "E2".
class ProviderMark final : public QWidget
{
    Q_OBJECT
public:
    explicit ProviderMark(const QString &mark = {}, int size = 26, QWidget *parent = nullptr);

    void setMark(const QString &mark);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_mark;
    int m_size;
};

} // namespace berth::ui
