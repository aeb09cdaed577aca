// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QAbstractButton>

namespace berth::ui {

class Chip;
class ElidedLabel;
class Label;
class ProviderMark;

//! The line of a provider's card that is always seen; opens and closes the rest.
class ExpandHead final : public QAbstractButton
{
    Q_OBJECT
public:
    explicit ExpandHead(QWidget *parent = nullptr);

    void setProvider(const application::ProviderView &provider);
    [[nodiscard]] Chip *chip() const { return m_state; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    ProviderMark *m_mark;
    Label *m_label;
    ElidedLabel *m_facts;
    ElidedLabel *m_detail;
    Chip *m_state;
    QWidget *m_chevron;
};

} // namespace berth::ui
