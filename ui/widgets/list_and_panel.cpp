// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/list_and_panel.h"

#include <QtCore/QEvent>
#include <QtGui/QFontMetrics>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

constexpr int kPanelSide = 24;
constexpr int kNarrowSide = 16;
constexpr int kTop = 20;
//! Both side by side from here on.
constexpr int kWide = 1020;
constexpr int kWidestPanel = 640;
//! Height of a line at the usual font size; with a larger font the panel is wider.
constexpr int kUsualLine = 19;

//! Never pressed together: a scroll area alone counts no wrapped lines.
class PanelBody final : public QWidget
{
public:
    PanelBody()
    {
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, kTop);
        column->setSizeConstraint(QLayout::SetNoConstraint);
        column->addStretch(1);
    }

    //! As narrow as the panel is: rows of a form then put their labels above their fields.
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    bool event(QEvent *event) override
    {
        const bool done = QWidget::event(event);
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
            const int wanted = layout()->hasHeightForWidth()
                ? layout()->totalHeightForWidth(width())
                : layout()->totalSizeHint().height();
            if (minimumHeight() != wanted)
                setMinimumHeight(wanted);
        }
        return done;
    }
};

} // namespace

ListAndPanel::ListAndPanel(QWidget *list, QWidget *parent)
    : QWidget(parent), m_list(list), m_area(new QScrollArea), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(kPanelSide, kTop, kPanelSide, 0);
    m_row->setSpacing(kTop);
    m_row->addWidget(m_list, 1);
    m_area->setWidget(new PanelBody);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->widget()->setAutoFillBackground(false);
    m_area->viewport()->setAutoFillBackground(false);
    m_row->addWidget(m_area);
    m_area->hide();
}

void ListAndPanel::setPanel(QWidget *panel)
{
    auto *column = static_cast<QVBoxLayout *>(m_area->widget()->layout());
    if (m_panel) {
        // Not in the middle of what one of its buttons does.
        column->removeWidget(m_panel);
        m_panel->hide();
        m_panel->deleteLater();
    }
    m_panel = panel;
    if (panel) {
        column->insertWidget(0, panel);
        panel->show();
    }
    arrange();
}

int ListAndPanel::scaled(int pixels) const
{
    return qMax(pixels, pixels * QFontMetrics(font()).height() / kUsualLine);
}

bool ListAndPanel::isNarrow() const
{
    return width() < scaled(kWide);
}

void ListAndPanel::arrange()
{
    const bool narrow = isNarrow();
    const int side = width() < 760 ? kNarrowSide : kPanelSide;
    m_row->setContentsMargins(side, kTop, side, 0);
    m_list->setVisible(!m_panel || !narrow);
    m_area->setVisible(m_panel != nullptr);
    m_area->setMinimumWidth(narrow ? 0 : scaled(kPanelWidth));
    m_area->setMaximumWidth(scaled(narrow ? kWidestPanel : kPanelWidth));
}

void ListAndPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace berth::ui
