// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/runtime_sheet.h"

#include "ui/files/file_browser.h"
#include "ui/models/provider_model.h"
#include "ui/models/runtime_text.h"
#include "ui/resources/event_list.h"
#include "ui/resources/failure_banner.h"
#include "ui/resources/runtime_card.h"
#include "ui/resources/time_chart.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/tab_strip.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QLocale>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

#include <functional>

namespace berth::ui {

using application::RuntimeView;

namespace {

constexpr int kSheetSide = 20;
constexpr int kLabelColumn = 130;
//! Height of a line at 10 points.
constexpr int kUsualLine = 18;

QScrollArea *scrolled(QWidget *content)
{
    auto *area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

} // namespace

RuntimeSheet::RuntimeSheet(RuntimeModel &runtimes, const ProviderModel &providers,
                           RuntimeActions &actions, QWidget *parent)
    : QFrame(parent),
      m_runtimes(runtimes),
      m_providers(providers),
      m_actions(actions),
      m_now(QDateTime::currentDateTimeUtc())
{
    setAccessibleName(tr("Runtime"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(new Divider);
    m_pages = new QStackedWidget;
    m_pages->addWidget(scrolled(buildMetrics()));
    m_pages->addWidget(scrolled(buildDetails()));
    column->addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(&m_runtimes, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex &from, const QModelIndex &to) {
                const int row = m_runtimes.rowOf(m_runtime);
                if (row >= from.row() && row <= to.row())
                    refresh();
            });
    connect(&m_runtimes, &QAbstractItemModel::rowsAboutToBeRemoved, this,
            [this](const QModelIndex &, int first, int last) {
                const int row = m_runtimes.rowOf(m_runtime);
                if (row >= first && row <= last)
                    Q_EMIT closeRequested();
            });
    connect(&m_actions, &RuntimeActions::changed, this, [this](const QString &id) {
        if (id == m_runtime)
            refresh();
    });
}

QWidget *RuntimeSheet::buildHead()
{
    auto *head = new QWidget;
    auto *column = new QVBoxLayout(head);
    column->setContentsMargins(kSheetSide, 12, kSheetSide, 0);
    column->setSpacing(6);

    auto *title = new QHBoxLayout;
    title->setSpacing(8);
    m_mark = new ProviderMark;
    m_name = new ElidedLabel(TextRole::Header);
    m_state = new Chip;
    m_close = new IconButton(Glyph::Close, tr("Close"));
    title->addWidget(m_mark);
    title->addWidget(m_name, 0);
    title->addWidget(m_state, 0);
    title->addStretch(1);
    title->addWidget(m_close);
    column->addLayout(title);
    m_facts = new ElidedLabel(TextRole::Body, Ink::Secondary);
    column->addWidget(m_facts);

    auto *buttons = new FlowRow;
    m_pauseResume = new Button(tr("Pause"));
    m_openThread = new Button(tr("Open thread"));
    m_copyId = new Button(tr("Copy id"));
    m_destroy = new Button(tr("Destroy…"), ButtonKind::Danger);
    for (Button *button : {m_pauseResume, m_openThread, m_copyId})
        buttons->addWidget(button);
    buttons->addAtEnd(m_destroy);
    column->addSpacing(6);
    column->addWidget(buttons);
    m_failure = new FailureBanner(m_actions);
    column->addWidget(m_failure);
    m_tabs = new TabStrip;
    m_tabs->addTab(tr("Metrics"));
    m_tabs->addTab(tr("Details"));
    column->addWidget(m_tabs);

    connect(m_close, &QToolButton::clicked, this, &RuntimeSheet::closeRequested);
    connect(m_pauseResume, &QPushButton::clicked, this, [this] {
        const RuntimeView *view = m_runtimes.find(m_runtime);
        if (view)
            m_actions.toggle(*view);
    });
    connect(m_openThread, &QPushButton::clicked, this, [this] {
        const RuntimeView *view = m_runtimes.find(m_runtime);
        if (view && !view->threads.isEmpty())
            Q_EMIT openThread(view->threads.first().id);
    });
    connect(m_copyId, &QPushButton::clicked, this, [this] { m_actions.copyId(m_runtime); });
    connect(m_destroy, &QPushButton::clicked, this,
            [this] { m_actions.destroy(m_runtime, window()); });
    return head;
}

RuntimeSheet::Part RuntimeSheet::addChart(QVBoxLayout *column, const QString &title,
                                          TimeChart *chart)
{
    auto *words = new QHBoxLayout;
    words->setSpacing(8);
    words->addWidget(new Label(title, TextRole::BodyStrong));
    auto *value = new Label(TextRole::Body, Ink::Secondary);
    value->setWrapped(true);
    words->addWidget(value, 1);
    auto *part = new QVBoxLayout;
    part->setSpacing(6);
    part->addLayout(words);
    part->addWidget(chart);
    column->addLayout(part);
    m_charts.append(chart);
    connect(chart, &TimeChart::crosshairMoved, this, &RuntimeSheet::setShared);
    return {chart, value};
}

QWidget *RuntimeSheet::buildMetrics()
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(kSheetSide, 16, kSheetSide, kSheetSide);
    column->setSpacing(16);
    auto *note = new Label(tr("Since this window opened · sampled every second"), TextRole::Caption,
                           Ink::Caption);
    note->setWrapped(true);
    column->addWidget(note);
    const auto bytes = [](double value) { return byteText(static_cast<qint64>(value)); };
    const auto cores = [](double value) { return tr("%1 cores").arg(cpuText(value, {})); };
    using P = TimeChart::Paint;
    m_cpu =
        addChart(column, tr("CPU"), new TimeChart(tr("CPU"), {{Metric::Cpu, P::Cpu, {}}}, cores));
    m_memory = addChart(column, tr("Memory"),
                        new TimeChart(tr("Memory"), {{Metric::Memory, P::Memory, {}}}, bytes));
    m_disk = addChart(column, tr("Disk"),
                      new TimeChart(tr("Disk"), {{Metric::Disk, P::Disk, {}}}, bytes));
    m_network = addChart(column, tr("Network"),
                         new TimeChart(tr("Network"),
                                       {{Metric::NetworkReceive, P::Receive, QStringLiteral("↓")},
                                        {Metric::NetworkSend, P::Send, QStringLiteral("↑")}},
                                       rateText));
    column->addStretch(1);
    return page;
}

QWidget *RuntimeSheet::buildDetails()
{
    auto *page = new QWidget;
    m_details = new QVBoxLayout(page);
    m_details->setContentsMargins(kSheetSide, 16, kSheetSide, kSheetSide);
    m_details->setSpacing(10);
    return page;
}

void RuntimeSheet::setTerminals(TerminalSessions &sessions)
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(kSheetSide, 10, kSheetSide, kSheetSide);
    m_terminals = new TerminalPanel(sessions);
    column->addWidget(m_terminals);
    m_pages->addWidget(page);
    m_terminalTab = m_tabs->addTab(tr("Terminal"));
    if (const RuntimeView *view = m_runtimes.find(m_runtime))
        refreshTerminals(*view);
}

void RuntimeSheet::setFiles(application::EngineClient &client, TransferQueue &transfers)
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(kSheetSide, 12, kSheetSide, 12);
    m_files = new FileBrowser(client, transfers);
    column->addWidget(m_files);
    const int filesTab = m_pages->addWidget(page);
    m_tabs->addTab(tr("Files"));
    m_events = new EventList(client);
    const int eventsTab = m_pages->addWidget(m_events);
    m_tabs->addTab(tr("Events"));
    connect(m_tabs, &QTabBar::currentChanged, this, [this, filesTab, eventsTab](int tab) {
        if (tab == filesTab)
            m_files->enter();
        else if (tab == eventsTab)
            m_events->enter();
    });
    if (const RuntimeView *view = m_runtimes.find(m_runtime))
        refreshFiles(*view);
}

void RuntimeSheet::refreshFiles(const RuntimeView &view)
{
    if (!m_files)
        return;
    QString refusal;
    if (view.orphan || view.sandbox.isNull())
        refusal = tr("No sandbox of this database owns it, so Berth does not look into it.");
    m_files->setTarget(view.sandbox.toString(), m_runtimes.nameOf(view), refusal);
    m_events->setRuntime(view.orphan ? QString() : view.id);
}

void RuntimeSheet::showTerminals()
{
    m_tabs->setCurrentIndex(m_terminalTab);
}

void RuntimeSheet::refreshTerminals(const RuntimeView &view)
{
    if (!m_terminals)
        return;
    TerminalTarget target;
    target.lease = view.lease;
    target.name = m_runtimes.nameOf(view);
    if (view.orphan || view.sandbox.isNull())
        target.refusal = tr("No sandbox of this database owns it, so Berth runs nothing in it.");
    else
        target.target = view.sandbox.toString();
    m_terminals->setTarget(target);
}

int RuntimeSheet::wantedWidth() const
{
    // As many letters to a line with a large font as with the usual one, as far as there is room.
    return qMax(kWidth, kWidth * fontMetrics().height() / kUsualLine);
}

void RuntimeSheet::showRuntime(const QString &runtime)
{
    m_runtime = runtime;
    m_detailed.reset();
    const SampleHistory *history = m_runtimes.history(runtime);
    for (TimeChart *chart : std::as_const(m_charts))
        chart->setHistory(history);
    m_failure->showFor(runtime);
    refresh();
    tick(QDateTime::currentDateTimeUtc());
}

void RuntimeSheet::tick(const QDateTime &now)
{
    m_now = now;
    refresh();
    for (TimeChart *chart : std::as_const(m_charts))
        chart->refresh(now.toMSecsSinceEpoch());
}

void RuntimeSheet::refresh()
{
    const RuntimeView *view = m_runtimes.find(m_runtime);
    if (!view)
        return;
    const application::ProviderView *provider = m_providers.find(view->providerConfig);
    m_mark->setMark(provider ? provider->mark : view->providerLabel.left(1).toUpper());
    m_name->setFullText(m_runtimes.nameOf(*view));
    setAccessibleName(m_runtimes.nameOf(*view));
    const StateText state = stateOf(*view);
    m_state->set(state.word, state.tone, state.dot);
    QStringList facts{view->providerLabel};
    if (!view->image.isEmpty())
        facts.append(view->image);
    if (!view->externalId.isEmpty())
        facts.append(view->externalId.left(12));
    facts.append(ageOf(*view, m_now));
    m_facts->setFullText(facts.join(QStringLiteral(" · ")));

    const bool resume = RuntimeCardDelegate::offersResume(*view);
    const bool idle = view->busy.isEmpty() && !m_actions.isPending(m_runtime);
    const bool undo = view->destroyDueAt.isValid();
    m_pauseResume->setText(undo ? tr("Undo destroy") : resume ? tr("Resume") : tr("Pause"));
    m_pauseResume->setGlyph(undo ? Glyph::Refresh : resume ? Glyph::Play : Glyph::Pause);
    m_pauseResume->setEnabled(idle && RuntimeCardDelegate::canToggle(*view));
    m_pauseResume->setToolTip(m_pauseResume->isEnabled()
                                  ? QString()
                                  : toolTipOf(RuntimeCardDelegate::pauseResumeText(*view)));
    m_openThread->setEnabled(!view->threads.isEmpty());
    m_openThread->setToolTip(view->threads.isEmpty() ? tr("No thread uses it") : QString());
    m_destroy->setEnabled(idle && !undo && view->observed != domain::ObservedState::Gone);
    refreshMetrics(*view);
    refreshTerminals(*view);
    refreshFiles(*view);
    refreshDetails(*view);
}

void RuntimeSheet::refreshMetrics(const RuntimeView &view)
{
    const auto show = [](const Part &part, const MetricText &text) {
        part.value->setText(text.of.isEmpty() ? text.value : tr("%1 %2").arg(text.value, text.of));
        part.value->setToolTip(toolTipOf(text.reason));
        part.value->setInk(text.known && !text.stale ? Ink::Secondary : Ink::Caption);
        part.chart->setEmptyText(text.known ? tr("Nothing sampled yet.") : text.reason);
    };
    show(m_cpu, cpuOf(view, m_now));
    show(m_memory, memoryOf(view, m_now));
    show(m_disk, diskOf(view, m_now));
    show(m_network, networkOf(view, m_now));
    const auto limit = [](const auto &value) {
        return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    };
    if (view.sample) {
        m_cpu.chart->setLimit(limit(view.sample->cpuLimitCores));
        m_memory.chart->setLimit(limit(view.sample->memoryLimitBytes));
        m_disk.chart->setLimit(limit(view.sample->diskLimitBytes));
    }
}

void RuntimeSheet::addRow(const QString &label, const QString &value, bool mono)
{
    if (value.isEmpty())
        return;
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    auto *name = new Label(label, TextRole::Body, Ink::Secondary);
    name->setFixedWidth(kLabelColumn);
    name->setWordWrap(true);
    auto *words = new Label(value, mono ? TextRole::Mono : TextRole::Body);
    words->setWrapped(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    words->setAccessibleName(tr("%1: %2").arg(label, value));
    row->addWidget(name, 0, Qt::AlignTop);
    row->addWidget(words, 1);
    m_details->addLayout(row);
}

void RuntimeSheet::refreshDetails(const RuntimeView &view)
{
    RuntimeView shown = view;
    // Measurements and the time of a look are not among the details: their change rebuilds nothing.
    shown.sample.reset();
    shown.observedAt = {};
    if (m_detailed == shown)
        return;
    m_detailed = shown;
    const std::function<void(QLayout *)> clear = [&clear](QLayout *layout) {
        while (QLayoutItem *item = layout->takeAt(0)) {
            if (item->layout())
                clear(item->layout());
            delete item->widget();
            delete item;
        }
    };
    clear(m_details);
    const QLocale locale;
    const auto time = [&locale](const QDateTime &at) {
        return at.isValid() ? locale.toString(at.toLocalTime(), QLocale::ShortFormat) : QString();
    };
    addRow(tr("Needs care"), careReason(view));
    addRow(
        tr("Provider"),
        tr("%1 (%2)", "label and config").arg(view.providerLabel, view.providerConfig.toString()));
    addRow(tr("Image"), view.image, true);
    addRow(tr("Name"), view.name, true);
    addRow(tr("Id at the provider"), view.externalId, true);
    addRow(tr("Agent"), view.agent.toString());
    addRow(tr("Sandbox"), view.alias);
    addRow(tr("Lease"), view.lease.toString(), true);
    addRow(tr("Created"), time(view.createdAt));
    addRow(tr("Started"), time(view.startedAt));
    addRow(tr("Pauses by itself"),
           view.idleStopAt.isValid()
               ? tr("%1, unless something works in it before").arg(time(view.idleStopAt))
               : QString());
    if (view.inFlight > 0)
        addRow(tr("At work"), tr("%n command(s)", nullptr, view.inFlight));
    addRow(tr("Cost"), view.cost);
    const application::ProviderView *provider = m_providers.find(view.providerConfig);
    if (provider)
        addRow(tr("Pause keeps"), provider->pauseKeeps);
    addRow(tr("Destroy takes"), view.destroyLoses);

    auto *title = new Label(tr("Threads"), TextRole::BodyStrong);
    m_details->addSpacing(6);
    m_details->addWidget(title);
    if (view.threads.isEmpty())
        m_details->addWidget(new Label(tr("No thread uses it."), TextRole::Body, Ink::Secondary));
    auto *links = new QVBoxLayout;
    // The links' own padding: their words stand where the other words stand.
    links->setContentsMargins(-8, 0, 0, 0);
    links->setSpacing(0);
    for (const application::ThreadLink &thread : view.threads) {
        auto *link = new LinkButton(QString());
        link->setText(link->fontMetrics().elidedText(thread.title, Qt::ElideRight,
                                                     kWidth - 2 * kSheetSide - 16));
        link->setAccessibleName(tr("Open “%1”").arg(thread.title));
        link->setToolTip(toolTipOf(thread.title));
        connect(link, &QToolButton::clicked, this,
                [this, id = thread.id] { Q_EMIT openThread(id); });
        links->addWidget(link, 0, Qt::AlignLeading);
    }
    m_details->addLayout(links);
    m_details->addStretch(1);
}

void RuntimeSheet::setShared(std::optional<qint64> crosshair)
{
    for (TimeChart *chart : std::as_const(m_charts))
        chart->setCrosshair(crosshair);
}

void RuntimeSheet::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &colors = tokens(this);
    painter.fillRect(rect(), colors.panel);
    const int edge = isRightToLeft() ? width() - 1 : 0;
    painter.fillRect(QRect(edge, 0, 1, height()), colors.line);
}

void RuntimeSheet::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT closeRequested();
        return;
    }
    QFrame::keyPressEvent(event);
}

} // namespace berth::ui
