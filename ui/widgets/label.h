// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/tokens.h"
#include "ui/style/type_scale.h"

#include <QtWidgets/QLabel>

namespace berth::ui {

//! Text in a role of the type scale and an ink of the theme; both follow the system.
class Label : public QLabel
{
    Q_OBJECT
public:
    explicit Label(TextRole role = TextRole::Body, Ink ink = Ink::Text, QWidget *parent = nullptr);
    explicit Label(const QString &text, TextRole role = TextRole::Body, Ink ink = Ink::Text,
                   QWidget *parent = nullptr);

    void setRole(TextRole role);
    void setInk(Ink ink);
    //! Wraps at words and keeps the height that its width asks for.
    void setWrapped(bool wrapped);

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyTheme();
    TextRole m_role;
    Ink m_ink;
};

//! Caption above a group: "Today", "New sandbox".
class SectionLabel final : public Label
{
    Q_OBJECT
public:
    explicit SectionLabel(const QString &text, QWidget *parent = nullptr);
};

//! One line that gives way; the whole text is its tooltip while it is cut.
class ElidedLabel final : public Label
{
    Q_OBJECT
public:
    explicit ElidedLabel(TextRole role = TextRole::Body, Ink ink = Ink::Text,
                         QWidget *parent = nullptr);

    void setFullText(const QString &text);
    [[nodiscard]] const QString &fullText() const { return m_full; }
    void setElideMode(Qt::TextElideMode mode);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void elide();
    QString m_full;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace berth::ui
