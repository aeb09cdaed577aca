// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QListWidget>

namespace berth::ui {

//! The parts of Settings, at its left edge.
class SectionList final : public QListWidget
{
    Q_OBJECT
public:
    explicit SectionList(QWidget *parent = nullptr);

    //! As wide as its longest entry asks for, within bounds.
    [[nodiscard]] int wantedWidth() const;
};

} // namespace berth::ui
