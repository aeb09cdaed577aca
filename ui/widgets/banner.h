// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/tokens.h"

#include <QtWidgets/QFrame>

class QHBoxLayout;

namespace berth::ui {

class Button;
class Label;

//! A line in the place that it is about: what, why, and what to do.
class Banner final : public QFrame
{
    Q_OBJECT
public:
    explicit Banner(Tone tone = Tone::Info, QWidget *parent = nullptr);

    void setTone(Tone tone);
    void setText(const QString &title, const QString &detail = {});
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString detail() const;
    //! In the order in which they are added; the banner owns them.
    Button *addAction(const QString &text, bool primary = false);
    //! Square edges, for the full width of the window.
    void setFlat(bool flat);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    Tone m_tone;
    bool m_flat = false;
    Label *m_title;
    Label *m_detail;
    QHBoxLayout *m_row;
    QHBoxLayout *m_actions;
};

//! What a page shows when there is nothing: why, and one thing to do.
class EmptyState final : public QWidget
{
    Q_OBJECT
public:
    EmptyState(const QString &title, const QString &detail, QWidget *parent = nullptr);

    void setText(const QString &title, const QString &detail);
    Button *setAction(const QString &text);

private:
    Label *m_title;
    Label *m_detail;
    Button *m_action = nullptr;
};

} // namespace berth::ui
