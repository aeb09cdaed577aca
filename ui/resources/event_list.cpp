// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/event_list.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QTableWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

enum Column { When, What, Who, ColumnCount };

constexpr int kShown = 200;
constexpr int kWhenColumn = 130;
constexpr int kWhoColumn = 110;

QString words(const char *text)
{
    return QCoreApplication::translate("berth::ui::EventList", text);
}

} // namespace

QString eventText(const QString &type)
{
    static const QHash<QString, const char *> texts{
        {QStringLiteral("ensure"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Asked for")},
        {QStringLiteral("created"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Created")},
        {QStringLiteral("creating"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Being created")},
        {QStringLiteral("adopted"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Found again")},
        {QStringLiteral("running"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Running")},
        {QStringLiteral("pause"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Pause asked for")},
        {QStringLiteral("paused"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Paused")},
        {QStringLiteral("resumed"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Resumed")},
        {QStringLiteral("destroy"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Destroy asked for")},
        {QStringLiteral("destroyed"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Destroyed")},
        {QStringLiteral("observed"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Changed outside")},
        {QStringLiteral("gone"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Gone")},
        {QStringLiteral("resume"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Resume asked for")},
        {QStringLiteral("not_created"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Not created")},
        {QStringLiteral("initialised"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Set up")},
        {QStringLiteral("differs"),
         QT_TRANSLATE_NOOP("berth::ui::EventList", "Not in the wanted state")},
        {QStringLiteral("destroy_later"),
         QT_TRANSLATE_NOOP("berth::ui::EventList", "Destroy asked for, with time to undo")},
        {QStringLiteral("destroy_undone"),
         QT_TRANSLATE_NOOP("berth::ui::EventList", "Destroy undone")},
        {QStringLiteral("failed"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Failed")}};
    const char *text = texts.value(type);
    return text ? words(text) : type;
}

QString sourceText(const QString &source)
{
    static const QHash<QString, const char *> texts{
        {QStringLiteral("window"), QT_TRANSLATE_NOOP("berth::ui::EventList", "window")},
        {QStringLiteral("cli"), QT_TRANSLATE_NOOP("berth::ui::EventList", "command line")},
        {QStringLiteral("api"), QT_TRANSLATE_NOOP("berth::ui::EventList", "API")},
        {QStringLiteral("policy"), QT_TRANSLATE_NOOP("berth::ui::EventList", "policy")},
        {QStringLiteral("engine"), QT_TRANSLATE_NOOP("berth::ui::EventList", "Berth")},
        {QStringLiteral("reconciler"),
         QT_TRANSLATE_NOOP("berth::ui::EventList", "Berth, looking")}};
    const char *text = texts.value(source);
    return text ? words(text) : source;
}

EventList::EventList(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_table(new QTableWidget(0, ColumnCount)),
      m_empty(new EmptyState(tr("No events"), {}))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    column->addWidget(m_empty);
    m_table->setHorizontalHeaderLabels({tr("When"), tr("What"), tr("By")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setWordWrap(true);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("Events"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(What, QHeaderView::Stretch);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(When, kWhenColumn);
    m_table->setColumnWidth(Who, kWhoColumn);
    m_table->hide();
    // While it is looked at, what happens shows.
    connect(&client, &application::EngineClient::event, this,
            [this](const application::Event &event) {
                const auto *changed = std::get_if<application::RuntimeChanged>(&event.body);
                if (changed && changed->runtime.id == m_runtime && isVisible())
                    enter();
            });
}

void EventList::setRuntime(const QString &runtime)
{
    if (m_runtime == runtime)
        return;
    m_runtime = runtime;
    ++m_generation;
    m_pending = false;
    m_again = false;
    m_table->setRowCount(0);
    if (isVisible())
        enter();
}

void EventList::enter()
{
    if (m_runtime.isEmpty()) {
        m_empty->setText(tr("No events"), tr("No lease of this database knows this runtime."));
        m_empty->show();
        m_table->hide();
        return;
    }
    if (m_pending) {
        m_again = true;
        return;
    }
    m_pending = true;
    application::ListLeaseEvents command;
    command.runtime = m_runtime;
    command.limit = kShown;
    application::deliver(this, m_client, command,
                         [this, generation = m_generation](
                             const domain::Result<application::LeaseEventList> &events) {
                             if (generation == m_generation)
                                 take(events);
                         });
}

void EventList::take(const domain::Result<application::LeaseEventList> &events)
{
    m_pending = false;
    if (std::exchange(m_again, false))
        enter();
    if (!events) {
        m_empty->setText(events.error().message, events.error().detail);
        m_empty->show();
        m_table->hide();
        return;
    }
    m_empty->setText(tr("No events"), tr("Nothing has happened to it yet."));
    m_empty->setVisible(events->events.isEmpty());
    m_table->setVisible(!events->events.isEmpty());
    m_table->setRowCount(static_cast<int>(events->events.size()));
    const QLocale locale;
    int row = 0;
    for (const application::LeaseEventView &event : events->events) {
        const QString what = event.error.isEmpty()
            ? eventText(event.type)
            : tr("%1: %2", "what happened, error").arg(eventText(event.type), event.error);
        const QString when = locale.toString(event.at.toLocalTime(), QLocale::ShortFormat);
        int column = 0;
        for (const QString &text : {when, what, sourceText(event.source)}) {
            auto *cell = new QTableWidgetItem(text);
            cell->setToolTip(column == When
                                 ? locale.toString(event.at.toLocalTime(), QLocale::LongFormat)
                                 : toolTipOf(text));
            m_table->setItem(row, column++, cell);
        }
        ++row;
    }
}

} // namespace berth::ui
