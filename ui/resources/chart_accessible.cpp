// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/chart_accessible.h"

#include "ui/resources/cpu_overview.h"
#include "ui/resources/time_chart.h"

#include <QtGui/QAccessible>
#include <QtWidgets/QAccessibleWidget>

namespace berth::ui {

namespace {

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    if (!qobject_cast<TimeChart *>(widget) && !qobject_cast<CpuOverview *>(widget))
        return nullptr;
    return new QAccessibleWidget(widget, QAccessible::Chart);
}

} // namespace

void installChartAccessibility()
{
    // Installing one twice does nothing.
    QAccessible::installFactory(makeInterface);
}

} // namespace berth::ui
