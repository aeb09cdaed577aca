// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column.h"

#include "ui/style/tokens.h"

#include <QtWidgets/QHBoxLayout>

namespace berth::ui {

Column::Column(QWidget *content, QWidget *parent) : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(24, 0, 24, 0);
    row->setSpacing(0);
    content->setMaximumWidth(metrics::kColumn);
    row->addStretch(1);
    row->addWidget(content, 1000);
    row->addStretch(1);
}

} // namespace berth::ui
