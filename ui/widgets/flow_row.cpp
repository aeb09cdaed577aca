// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/flow_row.h"

#include <QtCore/QEvent>
#include <QtWidgets/QStyle>

namespace berth::ui {

namespace {
constexpr int kSpacing = 8;
}

FlowRow::FlowRow(QWidget *parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void FlowRow::addWidget(QWidget *widget)
{
    // An explicitly hidden one stays hidden.
    const bool shown =
        !widget->testAttribute(Qt::WA_WState_ExplicitShowHide) || !widget->isHidden();
    widget->setParent(this);
    m_widgets.append(widget);
    widget->setVisible(shown);
}

void FlowRow::addAtEnd(QWidget *widget)
{
    addWidget(widget);
    m_end = widget;
}

int FlowRow::arrange(int width, bool apply) const
{
    struct Placed
    {
        QWidget *widget;
        QRect rect;
    };
    QList<Placed> line;
    int x = 0;
    int y = 0;
    int height = 0;
    const auto finish = [&] {
        for (const Placed &placed : std::as_const(line)) {
            QRect rect = placed.rect.translated(0, (height - placed.rect.height()) / 2);
            if (apply)
                placed.widget->setGeometry(
                    QStyle::visualRect(layoutDirection(), QRect(0, 0, width, 1), rect));
        }
        line.clear();
    };
    for (QWidget *widget : m_widgets) {
        if (widget->isHidden())
            continue;
        QSize size = widget->sizeHint().expandedTo(widget->minimumSize());
        size.setWidth(qMin(size.width(), qMax(width, 1)));
        if (x > 0 && x + size.width() > width) {
            finish();
            x = 0;
            y += height + kSpacing;
            height = 0;
        }
        const bool pushed = widget == m_end && x > 0;
        line.append({widget, QRect(QPoint(pushed ? width - size.width() : x, y), size)});
        x += size.width() + kSpacing;
        height = qMax(height, size.height());
    }
    finish();
    return y + height;
}

int FlowRow::heightForWidth(int width) const
{
    return arrange(width, false);
}

QSize FlowRow::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const QWidget *widget : m_widgets) {
        if (widget->isHidden())
            continue;
        width += widget->sizeHint().width() + kSpacing;
        height = qMax(height, widget->sizeHint().height());
    }
    return {qMax(0, width - kSpacing), height};
}

QSize FlowRow::minimumSizeHint() const
{
    QSize least;
    for (const QWidget *widget : m_widgets) {
        if (!widget->isHidden())
            least = least.expandedTo(widget->minimumSizeHint());
    }
    return least;
}

void FlowRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange(width(), true);
}

bool FlowRow::event(QEvent *event)
{
    if (event->type() == QEvent::ChildRemoved) {
        // It may be half destroyed: only its address is looked at.
        const QObject *gone = static_cast<QChildEvent *>(event)->child();
        m_widgets.removeIf([gone](const QWidget *widget) { return widget == gone; });
        if (m_end == gone)
            m_end = nullptr;
    }
    // A child got another text, came or went.
    if (event->type() == QEvent::LayoutRequest) {
        arrange(width(), true);
        updateGeometry();
    }
    return QWidget::event(event);
}

} // namespace berth::ui
