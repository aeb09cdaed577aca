// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QWidget>

namespace berth::ui {

//! Keeps \a content in the column of 760 px in the middle, with at least 24 px at both sides.
class Column final : public QWidget
{
    Q_OBJECT
public:
    explicit Column(QWidget *content, QWidget *parent = nullptr);
};

} // namespace berth::ui
