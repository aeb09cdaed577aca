// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main/sidebar.h"

#include "ui/models/thread_list_model.h"
#include "ui/models/thread_text.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QListView>
#include <QtWidgets/QMenu>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

bool showsFocus(const QWidget *widget)
{
    return widget->hasFocus() && widget->window()->testAttribute(Qt::WA_KeyboardFocusChange);
}

class ThreadDelegate final : public QStyledItemDelegate
{
public:
    explicit ThreadDelegate(QListView *view) : QStyledItemDelegate(view), m_view(view) {}

    bool collapsed = false;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &,
                                 const QModelIndex &index) const override
    {
        const bool heading = index.data(ThreadListModel::HeadingRole).toBool();
        if (heading)
            return {40, collapsed ? 12 : QFontMetrics(fontFor(TextRole::Caption)).height() + 18};
        return {40, qMax(36, QFontMetrics(fontFor(TextRole::Body)).height() + 16)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const Tokens &t = tokens(m_view);
        painter->save();
        const QRect whole = option.rect;
        const auto place = [&](const QRect &r) {
            return QStyle::visualRect(m_view->layoutDirection(), whole, r);
        };
        if (index.data(ThreadListModel::HeadingRole).toBool()) {
            if (!collapsed) {
                painter->setFont(fontFor(TextRole::Caption));
                painter->setPen(t.textCaption);
                painter->drawText(whole.adjusted(12, 10, -12, 0),
                                  Qt::AlignVCenter | Qt::AlignLeading, index.data().toString());
            }
            painter->restore();
            return;
        }
        const auto thread = index.data(ThreadListModel::ViewRole).value<application::ThreadView>();
        const QRect r = whole.adjusted(0, 1, 0, -1);
        if (option.state.testFlag(QStyle::State_Selected))
            paintCard(*painter, r, t, {}, metrics::kControlRadius);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            paintRounded(*painter, r, metrics::kControlRadius, t.hover);
        if (m_view->currentIndex() == index && showsFocus(m_view))
            paintFocusRing(*painter, r, metrics::kControlRadius, t.accent);
        const StateText state = stateOf(thread);
        const int x = collapsed ? whole.left() + whole.width() / 2 - 4 : whole.left() + 12;
        const QRectF dot = place(QRect(x, r.center().y() - 3, 8, 8));
        paintDot(*painter, dot.center(), state.dot,
                 state.tone == Tone::Neutral ? t.textCaption : t.tone(state.tone));
        if (thread.running) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(t.accent, 1.5));
            painter->drawEllipse(dot.center(), 7, 7);
        }
        // Only what waits for the user has a mark of its own: a shape and a number.
        const int waiting = index.data(ThreadListModel::WaitingRole).toInt();
        int end = 12;
        if (waiting > 0)
            end += paintWaiting(*painter, place, r, waiting, t);
        if (!collapsed) {
            const QFont font = fontFor(TextRole::Body);
            painter->setFont(font);
            painter->setPen(t.text);
            const QRect words =
                place(QRect(whole.left() + 28, r.top(), whole.width() - 28 - end, r.height()));
            painter->drawText(
                words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                QFontMetrics(font).elidedText(thread.title, Qt::ElideRight, words.width()));
        }
        painter->restore();
    }

private:
    //! Returns the room that it takes.
    template <typename Place>
    int paintWaiting(QPainter &painter, Place place, const QRect &row, int waiting,
                     const Tokens &t) const
    {
        painter.setRenderHint(QPainter::Antialiasing);
        if (collapsed) {
            const QRectF dot = place(QRect(row.right() - 13, row.top() + 4, 8, 8));
            paintRounded(painter, dot, 4, t.warn);
            return 0;
        }
        const QFont caption = fontFor(TextRole::Caption);
        const QString text = m_view->locale().toString(waiting);
        const int width = qMax(22, QFontMetrics(caption).horizontalAdvance(text) + 14);
        const int height = QFontMetrics(caption).height() + 4;
        const QRect mark =
            place(QRect(row.right() - 8 - width, row.center().y() - height / 2, width, height));
        paintRounded(painter, mark, height / 2.0, t.warnSoft, t.warn);
        painter.setFont(caption);
        painter.setPen(t.warn);
        painter.drawText(mark, Qt::AlignCenter, text);
        return width + 4;
    }

    QListView *m_view;
};

} // namespace

NavButton::NavButton(int glyph, const QString &text, Look look, QWidget *parent)
    : QAbstractButton(parent), m_glyph(glyph), m_look(look)
{
    setText(text);
    setAccessibleName(text);
    setCheckable(look == Look::Entry);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void NavButton::setNote(const QString &note)
{
    m_note = note;
    update();
}

void NavButton::setCollapsed(bool collapsed)
{
    m_collapsed = collapsed;
    setToolTip(collapsed ? text() : QString());
    update();
}

QSize NavButton::sizeHint() const
{
    const int text = QFontMetrics(fontFor(TextRole::Body)).height();
    return {40, m_look == Look::NewThread ? qMax(38, text + 18) : qMax(34, text + 14)};
}

void NavButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    const bool on = isChecked();
    QColor ink = t.text;
    if (m_look == Look::NewThread) {
        paintRounded(painter, rect(), metrics::kControlRadius,
                     underMouse() ? mixed(t.text, t.panel, 0.04) : t.panel, t.line);
    } else if (on) {
        paintRounded(painter, rect(), metrics::kControlRadius, t.accentSoft);
        ink = t.accent;
    } else if (underMouse()) {
        paintRounded(painter, rect(), metrics::kControlRadius, t.hover);
    }
    if (showsFocus(this))
        paintFocusRing(painter, rect(), metrics::kControlRadius, t.accent);
    const auto place = [this](const QRect &r) {
        return QStyle::visualRect(layoutDirection(), rect(), r);
    };
    const int x = m_collapsed ? (width() - 18) / 2 : 12;
    paintGlyph(painter, place(QRect(x, (height() - 18) / 2, 18, 18)), static_cast<Glyph>(m_glyph),
               ink);
    if (m_collapsed)
        return;
    int right = width() - 12;
    if (!m_note.isEmpty()) {
        const QFont caption =
            fontFor(m_look == Look::NewThread ? TextRole::Caption : TextRole::Body);
        const int note = QFontMetrics(caption).horizontalAdvance(m_note) + 1;
        painter.setFont(caption);
        painter.setPen(t.textCaption);
        painter.drawText(place(QRect(right - note, 0, note, height())),
                         Qt::AlignVCenter | Qt::AlignRight, m_note);
        right -= note + 8;
    }
    QFont font = fontFor(on || m_look == Look::NewThread ? TextRole::BodyStrong : TextRole::Body);
    painter.setFont(font);
    painter.setPen(ink);
    const QRect words = place(QRect(40, 0, right - 40, height()));
    painter.setLayoutDirection(layoutDirection());
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(text(), Qt::ElideRight, words.width()));
}

Sidebar::Sidebar(ThreadListModel &threads, QWidget *parent)
    : QWidget(parent),
      m_model(threads),
      m_new(new NavButton(static_cast<int>(Glyph::Plus), tr("New thread"),
                          NavButton::Look::NewThread)),
      m_resources(new NavButton(static_cast<int>(Glyph::Resources), tr("Resources"),
                                NavButton::Look::Entry)),
      m_agents(
          new NavButton(static_cast<int>(Glyph::RadioOn), tr("Agents"), NavButton::Look::Entry)),
      m_sandboxes(
          new NavButton(static_cast<int>(Glyph::Box), tr("Sandboxes"), NavButton::Look::Entry)),
      m_settings(
          new NavButton(static_cast<int>(Glyph::Settings), tr("Settings"), NavButton::Look::Entry)),
      m_list(new QListView)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 12, 9, 12);
    column->setSpacing(2);
    auto *inset = new QVBoxLayout;
    inset->setContentsMargins(4, 0, 4, 12);
    inset->addWidget(m_new);
    column->addLayout(inset);
    m_new->setNote(tr("Ctrl N"));
    for (NavButton *button : {m_resources, m_agents, m_sandboxes, m_settings}) {
        column->addWidget(button);
        button->setAutoExclusive(false);
    }
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setModel(&threads);
    m_list->setItemDelegate(new ThreadDelegate(m_list));
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setAccessibleName(tr("Threads"));
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_list->installEventFilter(this);
    m_list->viewport()->installEventFilter(this);
    column->addWidget(m_list, 1);

    connect(m_new, &NavButton::clicked, this, [this] { Q_EMIT entryChosen(Entry::NewThread); });
    connect(m_resources, &NavButton::clicked, this,
            [this] { Q_EMIT entryChosen(Entry::Resources); });
    connect(m_agents, &NavButton::clicked, this, [this] { Q_EMIT entryChosen(Entry::Agents); });
    connect(m_sandboxes, &NavButton::clicked, this,
            [this] { Q_EMIT entryChosen(Entry::Sandboxes); });
    connect(m_settings, &NavButton::clicked, this, [this] { Q_EMIT entryChosen(Entry::Settings); });
    connect(m_list, &QListView::clicked, this, &Sidebar::choose);
    connect(m_list, &QWidget::customContextMenuRequested, this, &Sidebar::openMenu);
    setCollapsed(false);
}

void Sidebar::setCollapsed(bool collapsed)
{
    m_collapsed = collapsed;
    setFixedWidth(collapsed ? metrics::kSidebarCollapsed : metrics::kSidebar);
    for (NavButton *button : {m_new, m_resources, m_agents, m_sandboxes, m_settings})
        button->setCollapsed(collapsed);
    static_cast<ThreadDelegate *>(m_list->itemDelegate())->collapsed = collapsed;
    m_list->doItemsLayout();
}

void Sidebar::setCurrent(Entry entry)
{
    m_resources->setChecked(entry == Entry::Resources);
    m_agents->setChecked(entry == Entry::Agents);
    m_sandboxes->setChecked(entry == Entry::Sandboxes);
    m_settings->setChecked(entry == Entry::Settings);
}

void Sidebar::setCurrentThread(const domain::ThreadId &thread)
{
    const QModelIndex index = m_model.indexOf(thread);
    if (index.isValid())
        m_list->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
    else
        m_list->selectionModel()->clear();
}

void Sidebar::setResourceCount(int count, int needCare)
{
    m_resources->setNote(count > 0 ? locale().toString(count) : QString());
    m_resources->setAccessibleDescription(needCare > 0 ? tr("%n runtime(s)", nullptr, count)
                                                  + QStringLiteral(", ")
                                                  + tr("%n need(s) care", nullptr, needCare)
                                                       : tr("%n runtime(s)", nullptr, count));
}

void Sidebar::choose(const QModelIndex &index)
{
    const domain::ThreadId thread(index.data(ThreadListModel::IdRole).toString());
    if (!thread.isNull())
        Q_EMIT threadChosen(thread);
}

void Sidebar::openMenu(const QPoint &at)
{
    const QModelIndex index = m_list->indexAt(at);
    const domain::ThreadId thread(index.data(ThreadListModel::IdRole).toString());
    if (thread.isNull())
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Open"), this, [this, thread] { Q_EMIT threadChosen(thread); });
    menu->addAction(tr("Rename"), this, [this, thread] { Q_EMIT renameRequested(thread); });
    menu->addAction(tr("Archive"), this, [this, thread] { Q_EMIT archiveRequested(thread); });
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

void Sidebar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    painter.fillRect(rect(), t.sidebar);
    const int edge = layoutDirection() == Qt::RightToLeft ? 0 : width() - 1;
    painter.fillRect(QRect(edge, 0, 1, height()), t.line);
}

bool Sidebar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_list->viewport()) {
        // Nothing moves under the pointer.
        if (event->type() == QEvent::Enter)
            m_model.setFrozen(true);
        else if (event->type() == QEvent::Leave)
            m_model.setFrozen(false);
    } else if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
            choose(m_list->currentIndex());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace berth::ui
