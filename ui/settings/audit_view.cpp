// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/audit_view.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/settings/audit_model.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/search_field.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QPainter>
#include <QtGui/QShortcut>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

#include <utility>

namespace berth::ui {

using application::AuditEntry;
using application::AuditList;
using domain::Result;

namespace {

constexpr int kPage = 200;
//! What a filter looks through by itself; more on demand.
constexpr int kFillPages = 10;
constexpr int kRowHeight = 32;
constexpr int kLeastTable = 264;
constexpr int kDetailRows = 3;
//! In letters: below this the thread stands in the details only.
constexpr int kNarrowTable = 95;

//! Words below those of the header; a decision with its shape and colour.
class RecordDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyleOptionViewItem plain = option;
        initStyleOption(&plain, index);
        QString text = std::exchange(plain.text, QString());
        const Tokens &colors = tokens(option.widget);
        QColor ink = colors.text;
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter,
                                            option.widget);
        painter->save();
        painter->setLayoutDirection(option.direction);
        QRect box = option.rect.adjusted(kCardCellPad, 0, -kCardCellPad, 0);
        if (index.column() == AuditModel::Decision) {
            const auto entry = index.data(AuditModel::EntryRole).value<AuditEntry>();
            const StateText state = auditDecisionText(entry.decision);
            text = state.word;
            ink = colors.tone(state.tone);
            const QRect dot = QStyle::visualRect(option.direction, box,
                                                 QRect(box.left(), box.center().y() - 4, 8, 8));
            paintDot(*painter, QRectF(dot).center(), state.dot, ink);
            box = QStyle::visualRect(option.direction, box, box.adjusted(16, 0, 0, 0));
        }
        painter->setPen(ink);
        painter->setFont(plain.font);
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                          QFontMetrics(plain.font).elidedText(text, Qt::ElideRight, box.width()));
        painter->restore();
    }
};

} // namespace

AuditView::AuditView(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_model(new AuditModel(this)),
      m_filter(new AuditFilter(*m_model, this)),
      m_search(new SearchField(tr("Search in what was done"))),
      m_decisions(new RadioChips),
      m_copy(new Button(tr("Copy as text"))),
      m_refresh(new Button(tr("Refresh"))),
      m_more(new Button(tr("Look further back"))),
      m_problem(new Banner(Tone::Error)),
      m_table(new QTableView),
      m_empty(new EmptyState({}, {})),
      m_status(new Label(TextRole::Caption, Ink::Caption))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(buildTools());
    column->addWidget(m_problem);
    m_problem->hide();
    buildTable();
    column->addWidget(m_table, 1);
    column->addWidget(m_empty, 1);
    m_empty->hide();
    column->addWidget(buildDetail());
    auto *foot = new FlowRow;
    foot->addWidget(m_status);
    foot->addAtEnd(m_more);
    m_more->hide();
    column->addWidget(foot);
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_filling = kFillPages;
        loadMore();
    });
}

QWidget *AuditView::buildTools()
{
    auto *tools = new QWidget;
    auto *column = new QVBoxLayout(tools);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    m_search->setAccessibleName(tr("Search in what was done"));
    line->addWidget(m_search, 1);
    m_copy->setGlyph(Glyph::Copy);
    m_refresh->setGlyph(Glyph::Refresh);
    line->addWidget(m_copy);
    line->addWidget(m_refresh);
    column->addLayout(line);
    m_decisions->setChoices({{QString(), tr("All")},
                             {QStringLiteral("allowed"), tr("Allowed")},
                             {QStringLiteral("denied"), tr("Denied")},
                             {QStringLiteral("asked"), tr("Waits for you")},
                             {QStringLiteral("not run"), tr("Not run")}});
    m_decisions->setValue(QString());
    m_decisions->setAccessibleName(tr("Decisions to show"));
    column->addWidget(m_decisions);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filter->setText(text);
        filterChanged();
    });
    connect(m_decisions, &RadioChips::valueChosen, this, [this](const QString &value) {
        m_filter->setDecision(value);
        filterChanged();
    });
    connect(m_copy, &QPushButton::clicked, this, &AuditView::copy);
    connect(m_refresh, &QPushButton::clicked, this, &AuditView::load);
    return tools;
}

void AuditView::buildTable()
{
    m_table->setModel(m_filter);
    m_table->setHorizontalHeader(makeCardHeader(m_table));
    m_table->setItemDelegate(new RecordDelegate(this));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setAccessibleName(tr("What was done and decided"));
    m_table->setMinimumHeight(kLeastTable);
    m_table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(qMax(kRowHeight, fontMetrics().height() + 12));
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(AuditModel::What, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &AuditView::showCurrent);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &AuditView::showCurrent);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        // A page is asked for before the end is seen.
        if (value >= m_table->verticalScrollBar()->maximum() - 20)
            loadMore();
    });
    auto *keys = new QShortcut(QKeySequence::Copy, m_table);
    keys->setContext(Qt::WidgetShortcut);
    connect(keys, &QShortcut::activated, this, &AuditView::copy);
}

QWidget *AuditView::buildDetail()
{
    m_detail = new QWidget;
    auto *column = new QVBoxLayout(m_detail);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_command = new QPlainTextEdit;
    m_command->setReadOnly(true);
    m_command->setTabChangesFocus(true);
    m_command->setFont(fontFor(TextRole::Mono));
    m_command->setWordWrapMode(QTextOption::WrapAnywhere);
    m_command->setAccessibleName(tr("What was done, whole"));
    m_command->setFixedHeight(kDetailRows * QFontMetrics(m_command->font()).lineSpacing() + 22);
    m_about = new Label(TextRole::Caption, Ink::Secondary);
    m_about->setWrapped(true);
    m_about->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_command);
    column->addWidget(m_about);
    m_detail->hide();
    return m_detail;
}

void AuditView::setNames(const SecurityNames &names)
{
    m_model->setNames(names);
    showCurrent();
}

void AuditView::load()
{
    ++m_generation;
    m_atEnd = false;
    m_filling = kFillPages;
    ask({});
}

void AuditView::ask(const QDateTime &before)
{
    m_loading = true;
    showStatus();
    application::ListAudit command;
    command.before = before;
    command.limit = kPage;
    application::deliver(this, m_client, command,
                         [this, generation = m_generation,
                          isFirst = !before.isValid()](const Result<AuditList> &answer) {
                             take(generation, isFirst, answer);
                         });
}

void AuditView::take(int generation, bool isFirst, const Result<AuditList> &answer)
{
    if (generation != m_generation)
        return;
    m_loading = false;
    m_problem->setVisible(!answer);
    if (!answer) {
        m_filling = 0;
        m_problem->setText(answer.error().message, answer.error().detail);
        showStatus();
        return;
    }
    m_loaded = true;
    m_atEnd = answer->entries.size() < kPage;
    if (isFirst) {
        m_model->reset(answer->entries);
    } else if (m_model->append(answer->entries) == 0 && !m_atEnd) {
        // A whole page of one moment: the next one is behind it.
        if (!std::exchange(m_plainBefore, true))
            ask(m_model->oldest());
        else
            m_atEnd = true;
        showStatus();
        return;
    }
    m_plainBefore = false;
    fill();
    showStatus();
}

void AuditView::loadMore()
{
    const QDateTime oldest = m_model->oldest();
    if (m_loading || m_atEnd || !m_loaded || !oldest.isValid())
        return;
    // Those of the same moment may be on either side of the page's end.
    ask(oldest.addMSecs(1));
}

void AuditView::fill()
{
    const int rows = m_filter->rowCount();
    const int visible =
        m_table->viewport()->height() / qMax(1, m_table->verticalHeader()->defaultSectionSize());
    if (rows > visible || m_filling <= 0)
        return;
    --m_filling;
    loadMore();
}

void AuditView::filterChanged()
{
    m_filling = kFillPages;
    fill();
    showStatus();
    showCurrent();
}

void AuditView::showCurrent()
{
    const QModelIndex current = m_table->currentIndex();
    m_detail->setVisible(current.isValid());
    if (!current.isValid())
        return;
    const auto entry = current.data(AuditModel::EntryRole).value<AuditEntry>();
    m_command->setPlainText(visibleText(entry.command));
    m_about->setText(m_model->detailOf(entry));
}

void AuditView::showStatus()
{
    const int shown = m_filter->rowCount();
    const auto all = static_cast<int>(m_model->entries().size());
    m_table->setVisible(shown > 0);
    m_empty->setVisible(m_loaded && shown == 0);
    m_copy->setEnabled(shown > 0);
    m_empty->setText(all == 0 ? tr("Nothing was done yet") : tr("Nothing matches"),
                     all == 0 ? tr("What agents and you do in sandboxes is listed here.")
                              : QString());
    const QDateTime oldest = m_model->oldest();
    QString text;
    if (m_filter->isFiltering() && oldest.isValid())
        text = tr("%1 of %n entries, back to %2", nullptr, all)
                   .arg(QLocale().toString(shown),
                        QLocale().toString(oldest.toLocalTime(), QLocale::ShortFormat));
    else if (all > 0)
        text = m_atEnd ? tr("%n entries, all there are", nullptr, all)
                       : tr("%n entries, older ones follow", nullptr, all);
    m_status->setText(m_loading ? tr("Loading…") : text);
    m_more->setVisible(!m_loading && m_loaded && !m_atEnd && m_filter->isFiltering()
                       && m_filling <= 0);
}

QString AuditView::text() const
{
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty()) {
        for (int row = 0; row < m_filter->rowCount(); ++row)
            rows.append(m_filter->index(row, 0));
    }
    QStringList lines;
    for (const QModelIndex &row : std::as_const(rows))
        lines.append(m_model->lineOf(row.data(AuditModel::EntryRole).value<AuditEntry>()));
    return lines.join(QLatin1Char('\n'));
}

void AuditView::copy()
{
    if (m_filter->rowCount() == 0)
        return;
    const qsizetype chosen = m_table->selectionModel()->selectedRows().size();
    QGuiApplication::clipboard()->setText(text());
    m_status->setText(tr("Copied %n lines", nullptr,
                         chosen > 0 ? static_cast<int>(chosen) : m_filter->rowCount()));
    m_copied.start(3000, this);
}

void AuditView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const QFontMetrics fm = fontMetrics();
    m_table->setColumnHidden(AuditModel::Thread, width() < kNarrowTable * fm.averageCharWidth());
    m_table->setColumnWidth(
        AuditModel::When,
        fm.horizontalAdvance(
            QLocale().toString(QDateTime(QDate(2026, 12, 28), QTime(22, 58)), QLocale::ShortFormat))
            + 2 * kCardCellPad + 8);
    m_table->setColumnWidth(AuditModel::Thread, qMin(width() / 4, fm.averageCharWidth() * 24));
    m_table->setColumnWidth(
        AuditModel::Decision,
        fm.horizontalAdvance(auditDecisionText(QStringLiteral("hook_denied")).word)
            + 2 * kCardCellPad + 24);
}

void AuditView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_copied.timerId()) {
        m_copied.stop();
        showStatus();
        return;
    }
    QWidget::timerEvent(event);
}

} // namespace berth::ui
