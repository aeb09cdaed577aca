// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/cpu_overview.h"
#include "ui/resources/filter_chips.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_grid.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/search_field.h"

#include <QtGui/QShortcut>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

// The parts of the page around the grid.
namespace berth::ui {

namespace {

constexpr int kSummaryWidth = 150;

} // namespace

QString ResourcesPage::orderName(RuntimeSortModel::Order order)
{
    switch (order) {
    case RuntimeSortModel::Order::Name:
        return tr("Name");
    case RuntimeSortModel::Order::Cpu:
        return tr("CPU");
    case RuntimeSortModel::Order::Memory:
        return tr("Memory");
    case RuntimeSortModel::Order::Newest:
        return tr("Newest");
    }
    return {};
}

void ResourcesPage::buildHeader(QWidget *parent, QLayout *column)
{
    auto *header = new PageHeader(tr("Resources"), parent);
    m_live = new Chip;
    header->addBesideTitle(m_live);
    m_search = new SearchField(tr("Filter runtimes"));
    m_search->setMinimumWidth(120);
    m_search->setMaximumWidth(220);
    m_search->setToolTip(tr("Ctrl+F"));
    m_refresh = new Button(tr("Refresh"));
    m_refresh->setGlyph(Glyph::Refresh);
    m_refresh->setToolTip(tr("Ask the providers now (F5)"));
    header->addAction(m_search);
    header->addAction(m_refresh);
    column->addWidget(header);
    connect(m_refresh, &QPushButton::clicked, this, &ResourcesPage::refresh);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_sorted->setText(text);
        updateContent();
    });
}

ResourcesPage::SummaryCard ResourcesPage::addSummary(QLayout *row, const QString &title)
{
    SummaryCard summary;
    summary.card = new Card;
    summary.card->setMinimumWidth(kSummaryWidth);
    summary.card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    auto *column = new QVBoxLayout(summary.card);
    column->setContentsMargins(15, 11, 15, 11);
    column->setSpacing(0);
    column->addWidget(new Label(title, TextRole::Caption, Ink::Secondary));
    summary.value = new Label(TextRole::Title);
    summary.note = new Label(TextRole::Caption, Ink::Caption);
    column->addWidget(summary.value);
    column->addWidget(summary.note);
    column->addStretch(1);
    row->addWidget(summary.card);
    return summary;
}

QWidget *ResourcesPage::buildSummary()
{
    auto *summary = new QWidget;
    auto *row = new QHBoxLayout(summary);
    // The edges of the cards in the grid below.
    row->setContentsMargins(2, 0, 2, 0);
    row->setSpacing(16);
    m_running = addSummary(row, tr("Running"));
    m_paused = addSummary(row, tr("Paused"));
    m_care = addSummary(row, tr("Needs care"));
    m_overview = new CpuOverview(m_runtimes);
    row->addWidget(m_overview, 1);
    return summary;
}

QWidget *ResourcesPage::buildChoices()
{
    auto *choices = new QWidget;
    auto *row = new QHBoxLayout(choices);
    row->setContentsMargins(2, 0, 2, 0);
    row->setSpacing(8);
    m_filters = new FilterChips;
    row->addWidget(m_filters, 1, Qt::AlignTop);
    m_grouping = new Button(QString());
    m_grouping->setOpens(true);
    m_orderButton = new Button(QString());
    m_orderButton->setOpens(true);
    row->addWidget(m_grouping, 0, Qt::AlignTop);
    row->addWidget(m_orderButton, 0, Qt::AlignTop);
    connect(m_filters, &FilterChips::chosen, this, [this](const QString &config) {
        m_sorted->setProviderConfig(config);
        updateContent();
    });
    connect(m_orderButton, &QPushButton::clicked, this, &ResourcesPage::chooseOrder);
    connect(m_grouping, &QPushButton::clicked, this, [this] {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        for (const bool grouped : {true, false}) {
            QAction *action = menu->addAction(grouped ? tr("Group by provider") : tr("No groups"));
            action->setCheckable(true);
            action->setChecked(m_sorted->isGrouped() == grouped);
            connect(action, &QAction::triggered, this, [this, grouped] {
                m_sorted->setGrouped(grouped);
                m_grid->setGrouped(grouped);
                updateContent();
            });
        }
        menu->popup(m_grouping->mapToGlobal(QPoint(0, m_grouping->height() + 4)));
    });
    return choices;
}

void ResourcesPage::chooseOrder()
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    using Order = RuntimeSortModel::Order;
    for (const Order order : {Order::Name, Order::Cpu, Order::Memory, Order::Newest}) {
        QAction *action = menu->addAction(orderName(order));
        action->setCheckable(true);
        action->setChecked(m_sorted->order() == order);
        connect(action, &QAction::triggered, this, [this, order] { setOrder(order); });
    }
    menu->popup(m_orderButton->mapToGlobal(QPoint(0, m_orderButton->height() + 4)));
}

void ResourcesPage::buildShortcuts()
{
    const auto add = [this](const QKeySequence &keys, auto what) {
        auto *shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, what);
    };
    add(QKeySequence::Refresh, [this] { refresh(); });
    add(QKeySequence::Find, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
}

} // namespace berth::ui
