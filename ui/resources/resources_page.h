// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/models/runtime_sort_model.h"
#include "ui/resources/runtime_card.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

class QScrollArea;
class QStackedWidget;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Card;
class Chip;
class CpuOverview;
class EmptyState;
class FailureBanner;
class FilterChips;
class Label;
class ProviderModel;
class RuntimeActions;
class RuntimeGrid;
class RuntimeModel;
class RuntimeSheet;
class SearchField;

//! Everything that runs, wherever it runs: what it uses, and pause, resume, destroy.
class ResourcesPage final : public QWidget
{
    Q_OBJECT
public:
    //! All three outlive the page.
    ResourcesPage(application::EngineClient &client, RuntimeModel &runtimes,
                  ProviderModel &providers, QWidget *parent = nullptr);
    ~ResourcesPage() override;

    //! Opens the sheet on it; does nothing for an unknown one.
    void showRuntime(const QString &runtime);
    void closeSheet();
    void refresh();

    [[nodiscard]] RuntimeGrid *grid() const { return m_grid; }
    [[nodiscard]] RuntimeSheet *sheet() const { return m_sheet; }
    [[nodiscard]] RuntimeActions *actions() const { return m_actions; }
    [[nodiscard]] FilterChips *filterChips() const { return m_filters; }
    [[nodiscard]] SearchField *searchField() const { return m_search; }
    [[nodiscard]] FailureBanner *failureBanner() const { return m_failure; }
    void setOrder(RuntimeSortModel::Order order);

Q_SIGNALS:
    void openThread(const berth::domain::ThreadId &thread);
    void openProviderSettings(const berth::domain::ConfigName &config);
    void startThread();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct SummaryCard
    {
        Card *card = nullptr;
        Label *value = nullptr;
        Label *note = nullptr;
    };
    void buildHeader(QWidget *parent, QLayout *column);
    QWidget *buildSummary();
    QWidget *buildChoices();
    void buildShortcuts();
    SummaryCard addSummary(QLayout *row, const QString &title);
    void connectGrid();
    void connectModel();

    void arrange();
    void tick();
    void updateCounts();
    void updateHeadings();
    void updateContent();
    void updateLive();
    void scheduleWatch();
    void sendWatch();
    void showMenu(const QModelIndex &index, const QPoint &at);
    void chooseOrder();
    static QString orderName(RuntimeSortModel::Order order);
    void ensureSeen(const QModelIndex &index);
    [[nodiscard]] QModelIndex indexOf(const QString &runtime) const;

    application::EngineClient &m_client;
    RuntimeModel &m_runtimes;
    ProviderModel &m_providers;
    RuntimeSortModel *m_sorted;
    RuntimeActions *m_actions;

    QWidget *m_main = nullptr;
    Chip *m_live = nullptr;
    SearchField *m_search = nullptr;
    Button *m_refresh = nullptr;
    QScrollArea *m_area = nullptr;
    Banner *m_partial = nullptr;
    FailureBanner *m_failure = nullptr;
    SummaryCard m_running;
    SummaryCard m_paused;
    SummaryCard m_care;
    CpuOverview *m_overview = nullptr;
    FilterChips *m_filters = nullptr;
    Button *m_grouping = nullptr;
    Button *m_orderButton = nullptr;
    RuntimeGrid *m_grid = nullptr;
    QStackedWidget *m_content = nullptr;
    EmptyState *m_empty = nullptr;
    Button *m_start = nullptr;
    Label *m_noMatch = nullptr;
    RuntimeSheet *m_sheet = nullptr;

    //! One timer for ages, charts and scales.
    QBasicTimer m_second;
    QBasicTimer m_watchSoon;
    QStringList m_watched;
    bool m_refreshing = false;
};

} // namespace berth::ui
