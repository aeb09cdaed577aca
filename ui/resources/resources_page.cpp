// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/resources_page.h"

#include "application/engine_client.h"
#include "ui/models/provider_model.h"
#include "ui/resources/chart_accessible.h"
#include "ui/resources/cpu_overview.h"
#include "ui/resources/failure_banner.h"
#include "ui/resources/filter_chips.h"
#include "ui/resources/runtime_actions.h"
#include "ui/resources/runtime_grid.h"
#include "ui/resources/runtime_sheet.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"
#include "ui/widgets/search_field.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::RuntimeView;

namespace {

constexpr int kPageSide = 24;
constexpr int kPageTop = 20;
constexpr int kBetween = 18;
//! Beside the sheet the grid keeps at least so much; else the sheet lies over it.
constexpr int kLeastBeside = 560;
//! Below this the chart over all runtimes has no room beside the numbers.
constexpr int kLeastForChart = 720;
constexpr int kSecondMs = 1000;
//! Scrolling and resizing tell the Engine once, when they have come to rest.
constexpr int kWatchDelayMs = 120;

} // namespace

ResourcesPage::ResourcesPage(application::EngineClient &client, RuntimeModel &runtimes,
                             ProviderModel &providers, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_runtimes(runtimes),
      m_providers(providers),
      m_sorted(new RuntimeSortModel(this)),
      m_actions(new RuntimeActions(client, runtimes, this)),
      m_main(new QWidget(this))
{
    installChartAccessibility();
    m_sorted->setSourceModel(&m_runtimes);
    auto *column = new QVBoxLayout(m_main);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHeader(m_main, column);

    auto *content = new QWidget;
    auto *stack = new QVBoxLayout(content);
    stack->setContentsMargins(kPageSide - 2, kPageTop, kPageSide - 2, 4);
    stack->setSpacing(kBetween);
    m_partial = new Banner(Tone::Warn);
    m_partial->hide();
    m_failure = new FailureBanner(*m_actions);
    m_grid = new RuntimeGrid;
    m_noMatch = new Label(TextRole::Body, Ink::Secondary);
    m_noMatch->setWrapped(true);
    m_noMatch->hide();
    stack->addWidget(m_partial);
    stack->addWidget(m_failure);
    stack->addWidget(buildSummary());
    stack->addWidget(buildChoices());
    stack->addWidget(m_noMatch);
    stack->addWidget(m_grid);
    stack->addStretch(1);

    m_area = new QScrollArea;
    m_area->setWidget(content);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    m_empty = new EmptyState(
        tr("Nothing runs yet"),
        tr("A sandbox appears here when a thread uses it for the first time, with what it "
           "uses and what can be done to it."));
    m_start = m_empty->setAction(tr("Start a thread"));
    connect(m_start, &QPushButton::clicked, this, &ResourcesPage::startThread);
    m_content = new QStackedWidget;
    m_content->addWidget(m_area);
    m_content->addWidget(m_empty);
    column->addWidget(m_content, 1);

    m_sheet = new RuntimeSheet(m_runtimes, m_providers, *m_actions, this);
    m_sheet->hide();
    connect(m_sheet, &RuntimeSheet::closeRequested, this, &ResourcesPage::closeSheet);
    connect(m_sheet, &RuntimeSheet::openThread, this, &ResourcesPage::openThread);

    connectGrid();
    connectModel();
    buildShortcuts();
    updateContent();
}

ResourcesPage::~ResourcesPage() = default;

void ResourcesPage::setOrder(RuntimeSortModel::Order order)
{
    m_sorted->setOrder(order);
    updateContent();
}

void ResourcesPage::connectGrid()
{
    m_grid->setModel(m_sorted);
    m_grid->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The page scrolls as a whole; the grid is as high as its cards.
    m_grid->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_grid->setHeadings([this](const QString &config) {
        const application::ProviderView *provider = m_providers.find(domain::ConfigName(config));
        if (!provider)
            return RuntimeGrid::Heading{config, {}};
        QStringList facts;
        for (const QString &fact : {provider->isolation, provider->cost, provider->stateText}) {
            if (!fact.isEmpty())
                facts.append(fact);
        }
        // A second config of a kind is told apart by its file's name.
        const QString title = provider->kind == config
            ? provider->label
            : tr("%1 · %2", "provider and config").arg(provider->label, config);
        return RuntimeGrid::Heading{title, facts.join(QStringLiteral(" · "))};
    });
    connect(m_grid, &RuntimeGrid::viewChanged, this, [this] {
        if (m_grid->height() != m_grid->contentHeight())
            m_grid->setFixedHeight(m_grid->contentHeight());
        scheduleWatch();
    });
    connect(m_grid, &RuntimeGrid::openRequested, this, [this](const QModelIndex &index) {
        showRuntime(index.data(RuntimeModel::IdRole).toString());
    });
    connect(m_grid, &RuntimeGrid::menuRequested, this, &ResourcesPage::showMenu);
    connect(m_grid, &RuntimeGrid::destroyRequested, this, [this](const QModelIndex &index) {
        m_actions->destroy(index.data(RuntimeModel::IdRole).toString(), window());
    });
    connect(m_grid, &RuntimeGrid::partClicked, this,
            [this](const QModelIndex &index, CardPart part) {
                const RuntimeView runtime = index.data(RuntimeModel::ViewRole).value<RuntimeView>();
                if (part == CardPart::Thread || part == CardPart::OpenThread) {
                    if (!runtime.threads.isEmpty())
                        Q_EMIT openThread(runtime.threads.first().id);
                    return;
                }
                if (RuntimeCardDelegate::canToggle(runtime))
                    m_actions->toggle(runtime);
            });
    connect(m_grid, &RuntimeGrid::seeRequested, this, &ResourcesPage::ensureSeen);
    connect(m_area->verticalScrollBar(), &QScrollBar::valueChanged, this,
            &ResourcesPage::scheduleWatch);
}

void ResourcesPage::connectModel()
{
    const auto relist = [this] {
        updateContent();
        scheduleWatch();
    };
    connect(&m_runtimes, &RuntimeModel::countsChanged, this, relist);
    connect(&m_runtimes, &QAbstractItemModel::rowsInserted, this, relist);
    connect(&m_runtimes, &QAbstractItemModel::rowsRemoved, this, relist);
    connect(&m_providers, &ProviderModel::providerChanged, this, &ResourcesPage::updateHeadings);
    connect(&m_providers, &QAbstractItemModel::modelReset, this, &ResourcesPage::updateHeadings);
    connect(m_actions, &RuntimeActions::failed, this, [this](const QString &runtime) {
        m_failure->showFor(m_sheet->isVisible() && m_sheet->runtime() == runtime ? QString()
                                                                                 : runtime);
    });
    connect(&m_client, &application::EngineClient::connectionChanged, this, [this](bool connected) {
        updateLive();
        // The Engine at the other end may be another one, which knows of no watcher.
        m_watched.clear();
        if (connected)
            scheduleWatch();
    });
    updateHeadings();
    updateLive();
}

void ResourcesPage::updateHeadings()
{
    QHash<QString, QString> marks;
    for (const application::ProviderView &provider : m_providers.providers())
        marks.insert(provider.config.toString(), provider.mark);
    m_grid->cards()->setMarks(marks);
    m_grid->viewport()->update();
}

void ResourcesPage::updateLive()
{
    if (m_client.isConnected())
        m_live->set(tr("Live · 1 s"), Tone::Ok, Dot::Filled);
    else
        m_live->set(tr("Not connected"), Tone::Error, Dot::Ring);
}

void ResourcesPage::updateCounts()
{
    const RuntimeModel::Counts counts = m_runtimes.counts();
    const QLocale locale;
    m_running.value->setText(locale.toString(counts.running));
    m_running.note->setText(tr("of %n in all", nullptr, counts.total));
    m_paused.value->setText(locale.toString(counts.paused));
    m_care.value->setText(locale.toString(counts.needsCare));
    QStringList care;
    if (counts.unreachable > 0)
        care.append(tr("%n unreachable", nullptr, counts.unreachable));
    if (counts.orphans > 0)
        care.append(tr("%n orphaned", nullptr, counts.orphans));
    m_care.note->setText(counts.needsCare == 0 ? tr("all well") : care.join(QStringLiteral(", ")));
    m_care.card->setAccent(counts.needsCare > 0 ? std::optional(Tone::Warn) : std::nullopt);

    QList<FilterChips::Choice> choices{
        {QString(), tr("All %1").arg(locale.toString(counts.total))}};
    QMap<QString, QPair<QString, int>> byConfig;
    for (int row = 0; row < m_runtimes.rowCount(); ++row) {
        const QModelIndex index = m_runtimes.index(row);
        auto &entry = byConfig[index.data(RuntimeModel::ProviderConfigRole).toString()];
        entry.first = index.data(RuntimeModel::ProviderLabelRole).toString();
        ++entry.second;
    }
    for (auto it = byConfig.cbegin(); it != byConfig.cend(); ++it) {
        choices.append({it.key(),
                        tr("%1 %2", "provider and number of its runtimes")
                            .arg(it.value().first, locale.toString(it.value().second))});
    }
    m_filters->setChoices(choices);
}

void ResourcesPage::updateContent()
{
    updateCounts();
    m_grouping->setText(m_sorted->isGrouped() ? tr("Group by provider") : tr("No groups"));
    m_orderButton->setText(tr("Sort: %1").arg(orderName(m_sorted->order())));
    const bool empty = m_runtimes.rowCount() == 0;
    m_content->setCurrentWidget(empty ? static_cast<QWidget *>(m_empty) : m_area);
    m_search->setVisible(!empty);
    setFocusProxy(empty ? static_cast<QWidget *>(m_start) : m_grid);
    const bool none = m_sorted->rowCount() == 0;
    m_noMatch->setText(m_sorted->text().isEmpty()
                           ? tr("No runtime here.")
                           : tr("No runtime matches “%1”.").arg(m_sorted->text()));
    m_noMatch->setVisible(none);
    m_grid->setVisible(!none);
    m_grid->doItemsLayout();
}

void ResourcesPage::refresh()
{
    if (m_refreshing)
        return;
    m_refreshing = true;
    m_refresh->setEnabled(false);
    m_refresh->setText(tr("Refreshing…"));
    application::deliver(
        this, m_client, application::ListRuntimes{true},
        [this](const domain::Result<application::RuntimeList> &answer) {
            m_refreshing = false;
            m_refresh->setEnabled(true);
            m_refresh->setText(tr("Refresh"));
            if (!answer) {
                m_partial->setTone(Tone::Error);
                m_partial->setText(tr("Could not refresh: %1").arg(answer.error().message),
                                   answer.error().detail);
                m_partial->show();
                return;
            }
            m_runtimes.setRuntimes(answer->runtimes);
            m_sorted->resort();
            m_partial->setTone(Tone::Warn);
            m_partial->setText(
                tr("%1 did not answer").arg(answer->unreachable.join(QStringLiteral(", "))),
                tr("The list may be incomplete; what is known of it stays, with its age."));
            m_partial->setVisible(!answer->unreachable.isEmpty());
        });
}

QModelIndex ResourcesPage::indexOf(const QString &runtime) const
{
    const int row = m_runtimes.rowOf(runtime);
    return row < 0 ? QModelIndex() : m_sorted->mapFromSource(m_runtimes.index(row));
}

void ResourcesPage::showRuntime(const QString &runtime)
{
    if (m_runtimes.rowOf(runtime) < 0)
        return;
    const QModelIndex index = indexOf(runtime);
    if (index.isValid())
        m_grid->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    if (m_failure->runtime() == runtime)
        m_failure->showFor({});
    m_sheet->showRuntime(runtime);
    m_sheet->show();
    m_sheet->raise();
    arrange();
    ensureSeen(index);
    scheduleWatch();
}

void ResourcesPage::closeSheet()
{
    if (m_sheet->isHidden())
        return;
    const bool focusInside = m_sheet->isAncestorOf(focusWidget());
    m_sheet->hide();
    m_grid->selectionModel()->clearSelection();
    arrange();
    if (focusInside || !focusWidget())
        m_grid->setFocus(Qt::OtherFocusReason);
    scheduleWatch();
}

void ResourcesPage::ensureSeen(const QModelIndex &index)
{
    if (!index.isValid() || !isVisible())
        return;
    const QRect card = m_grid->visualRect(index);
    const QPoint top = m_grid->viewport()->mapTo(m_area->widget(), card.topLeft());
    QScrollBar *bar = m_area->verticalScrollBar();
    const int height = m_area->viewport()->height();
    if (top.y() < bar->value())
        bar->setValue(index.row() < m_grid->columns() ? 0 : top.y() - kPageTop);
    else if (top.y() + card.height() > bar->value() + height)
        bar->setValue(top.y() + card.height() + kPageTop - height);
}

void ResourcesPage::arrange()
{
    const bool open = !m_sheet->isHidden();
    const int sheet = qMin(m_sheet->wantedWidth(), width());
    const bool beside =
        open && width() - sheet >= kLeastBeside * m_sheet->wantedWidth() / RuntimeSheet::kWidth;
    const int main = beside ? width() - sheet : width();
    const bool mirrored = isRightToLeft();
    m_main->setGeometry(mirrored && beside ? sheet : 0, 0, main, height());
    m_sheet->setGeometry(mirrored ? 0 : width() - sheet, 0, sheet, height());
    m_overview->setVisible(main - 2 * kPageSide >= kLeastForChart);
    m_grouping->setVisible(main - 2 * kPageSide >= kLeastForChart);
}

void ResourcesPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ResourcesPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    // Being minimised is an event of the window alone.
    window()->installEventFilter(this);
    m_second.start(kSecondMs, this);
    tick();
    scheduleWatch();
}

void ResourcesPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    window()->removeEventFilter(this);
    m_second.stop();
    m_watchSoon.stop();
    sendWatch();
}

bool ResourcesPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == window() && event->type() == QEvent::WindowStateChange)
        scheduleWatch();
    return QWidget::eventFilter(watched, event);
}

void ResourcesPage::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_second.timerId()) {
        tick();
    } else if (event->timerId() == m_watchSoon.timerId()) {
        m_watchSoon.stop();
        sendWatch();
    } else {
        QWidget::timerEvent(event);
    }
}

void ResourcesPage::tick()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_grid->cards()->setNow(now);
    m_grid->viewport()->update();
    if (m_overview->isVisible())
        m_overview->refresh(now);
    if (m_sheet->isVisible())
        m_sheet->tick(now);
}

void ResourcesPage::scheduleWatch()
{
    if (isVisible())
        m_watchSoon.start(kWatchDelayMs, this);
}

void ResourcesPage::sendWatch()
{
    QStringList wanted;
    if (isVisible() && !window()->isMinimized()) {
        wanted = m_grid->visibleRuntimes();
        if (m_sheet->isVisible() && !wanted.contains(m_sheet->runtime()))
            wanted.append(m_sheet->runtime());
    }
    wanted.sort();
    if (wanted == m_watched)
        return;
    m_watched = wanted;
    application::deliver(this, m_client, application::WatchRuntimes{wanted},
                         [](const domain::Result<application::Nothing> &) {});
}

void ResourcesPage::showMenu(const QModelIndex &index, const QPoint &at)
{
    const RuntimeView runtime = index.data(RuntimeModel::ViewRole).value<RuntimeView>();
    const QString id = runtime.id;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("runtimeMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->addAction(tr("Show details"), this, [this, id] { showRuntime(id); });
    const bool resume = RuntimeCardDelegate::offersResume(runtime);
    const bool idle = runtime.busy.isEmpty() && !m_actions->isPending(id);
    const bool undo = runtime.destroyDueAt.isValid();
    QAction *pause = menu->addAction(undo         ? tr("Undo destroy")
                                         : resume ? tr("Resume")
                                                  : tr("Pause"),
                                     this, [this, runtime] { m_actions->toggle(runtime); });
    pause->setEnabled(idle && RuntimeCardDelegate::canToggle(runtime));
    pause->setToolTip(toolTipOf(RuntimeCardDelegate::pauseResumeText(runtime)));
    for (const application::ThreadLink &thread : runtime.threads.mid(0, 6))
        menu->addAction(tr("Open “%1”").arg(thread.title), this,
                        [this, thread] { Q_EMIT openThread(thread.id); });
    menu->addAction(tr("Copy id"), this, [this, id] { m_actions->copyId(id); });
    menu->addAction(tr("Provider settings…"), this, [this, config = runtime.providerConfig] {
        Q_EMIT openProviderSettings(config);
    });
    menu->addSeparator();
    QAction *destroy =
        menu->addAction(tr("Destroy…"), this, [this, id] { m_actions->destroy(id, window()); });
    destroy->setEnabled(idle && runtime.observed != domain::ObservedState::Gone);
    menu->popup(at);
}

} // namespace berth::ui
