// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/berth_style.h"
#include "ui/style/icons.h"

#include <QtWidgets/QPushButton>
#include <QtWidgets/QToolButton>

#include <optional>

namespace berth::ui {

//! A button of one kind; painted by the style.
class Button : public QPushButton
{
    Q_OBJECT
public:
    explicit Button(const QString &text, ButtonKind kind = ButtonKind::Secondary,
                    QWidget *parent = nullptr);

    void setKind(ButtonKind kind);
    void setGlyph(std::optional<Glyph> glyph);
    //! It opens a list below it.
    void setOpens(bool opens);

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyTheme();
    ButtonKind m_kind = ButtonKind::Secondary;
    std::optional<Glyph> m_glyph;
};

//! Only a glyph; \a name is its accessible name and tooltip.
class IconButton final : public QToolButton
{
    Q_OBJECT
public:
    IconButton(Glyph glyph, const QString &name, QWidget *parent = nullptr);

    void setGlyph(Glyph glyph);
    void setName(const QString &name);

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyTheme();
    Glyph m_glyph;
};

//! Text that acts: "Details", "Set up…".
class LinkButton final : public QToolButton
{
    Q_OBJECT
public:
    explicit LinkButton(const QString &text, QWidget *parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
};

} // namespace berth::ui
