// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main/sandbox_picker.h"

#include "ui/models/sandbox_choice_model.h"
#include "ui/style/paint.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/card.h"
#include "ui/widgets/label.h"
#include "ui/widgets/tool_tip.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QListView>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QStyledItemDelegate>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using Role = SandboxChoiceModel::Role;

namespace {

constexpr int kWidth = 420;

class ChoiceDelegate final : public QStyledItemDelegate
{
public:
    explicit ChoiceDelegate(QListView *view) : QStyledItemDelegate(view), m_view(view) {}

    QString chosen;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &,
                                 const QModelIndex &index) const override
    {
        const int body = QFontMetrics(fontFor(TextRole::Body)).height();
        const int caption = QFontMetrics(fontFor(TextRole::Caption)).height();
        if (index.data(Role::HeadingRole).toBool())
            return {100, caption + 16};
        const bool two = !index.data(Role::DetailRole).toString().isEmpty();
        return {100, qMax(40, 14 + body + (two ? caption + 1 : 4))};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const Tokens &t = tokens(m_view);
        const QFont caption = fontFor(TextRole::Caption);
        const QFont body = fontFor(TextRole::Body);
        QRect r = option.rect;
        const auto place = [&](const QRect &rect) {
            return QStyle::visualRect(m_view->layoutDirection(), r, rect);
        };
        painter->save();
        if (index.data(Role::HeadingRole).toBool()) {
            painter->setFont(caption);
            painter->setPen(t.textCaption);
            painter->drawText(r.adjusted(10, 2, -10, 0), Qt::AlignVCenter | Qt::AlignLeading,
                              index.data().toString());
            painter->restore();
            return;
        }
        const QString key = index.data(Role::KeyRole).toString();
        const bool usable = index.data(Role::UsableRole).toBool();
        if (key == chosen && usable)
            paintRounded(*painter, r, metrics::kControlRadius, t.accentSoft);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            paintRounded(*painter, r, metrics::kControlRadius, t.hover);
        if (m_view->currentIndex() == index && m_view->hasFocus() && key != chosen)
            paintFocusRing(*painter, r, metrics::kControlRadius, t.accent);
        int x = r.left() + 10;
        const QString mark = index.data(Role::MarkRole).toString();
        const auto dot = static_cast<Dot>(index.data(Role::DotRole).toInt());
        if (dot != Dot::None) {
            const QRect where = place(QRect(x, r.center().y() - 4, 8, 8));
            paintDot(*painter, QRectF(where).center(), dot,
                     t.tone(static_cast<Tone>(index.data(Role::ToneRole).toInt())));
            x += 18;
        } else if (!mark.isEmpty()) {
            if (!usable)
                painter->setOpacity(0.6);
            paintMark(*painter, place(QRect(x, r.center().y() - 12, 26, 26)), mark, t);
            painter->setOpacity(1);
            x += 36;
        }
        int right = r.right() - 10;
        if (!usable) {
            const QString text = SandboxPicker::tr("Set up…");
            const int width = QFontMetrics(body).horizontalAdvance(text) + 2;
            painter->setFont(body);
            painter->setPen(t.accent);
            painter->drawText(place(QRect(right - width, r.top(), width, r.height())),
                              Qt::AlignVCenter | Qt::AlignRight, text);
            right -= width + 12;
        } else if (key == chosen) {
            paintGlyph(*painter, place(QRect(right - 16, r.center().y() - 8, 16, 16)), Glyph::Check,
                       t.accent);
            right -= 24;
        }
        const QString detail = index.data(Role::DetailRole).toString();
        const QFontMetrics bodyMetrics(body);
        const int captionHeight = QFontMetrics(caption).height();
        const int block = bodyMetrics.height() + (detail.isEmpty() ? 0 : captionHeight + 1);
        const int top = r.top() + (r.height() - block) / 2;
        const QString label = index.data(Role::LabelRole).toString();
        const QString summary = index.data(Role::SummaryRole).toString();
        const int labelWidth = qMin(bodyMetrics.horizontalAdvance(label) + 2, right - x);
        painter->setFont(body);
        painter->setPen(usable ? t.text : t.textSecondary);
        painter->drawText(place(QRect(x, top, labelWidth + 1, bodyMetrics.height())),
                          Qt::AlignVCenter | Qt::AlignLeading,
                          bodyMetrics.elidedText(label, Qt::ElideRight, labelWidth));
        if (!summary.isEmpty()) {
            const QString rest = QStringLiteral("— ") + summary;
            const QRect where = place(
                QRect(x + labelWidth + 3, top, right - x - labelWidth - 3, bodyMetrics.height()));
            painter->setPen(t.textCaption);
            painter->drawText(where, Qt::AlignVCenter | Qt::AlignLeading,
                              bodyMetrics.elidedText(rest, Qt::ElideRight, where.width()));
        }
        if (!detail.isEmpty()) {
            const QRect where =
                place(QRect(x, top + bodyMetrics.height() + 1, right - x, captionHeight));
            painter->setFont(caption);
            painter->setPen(t.textSecondary);
            painter->drawText(
                where, Qt::AlignVCenter | Qt::AlignLeading,
                QFontMetrics(caption).elidedText(detail, Qt::ElideRight, where.width()));
        }
        painter->restore();
    }

private:
    QListView *m_view;
};

} // namespace

SandboxPopover::SandboxPopover(SandboxChoiceModel &model, QWidget *parent)
    : Popover(parent), m_model(model), m_list(new QListView)
{
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setModel(&model);
    m_list->setItemDelegate(new ChoiceDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Sandbox of the new thread"));
    m_list->installEventFilter(this);
    content()->addWidget(m_list);
    auto *foot = new QWidget;
    auto *column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 6, 0, 2);
    column->setSpacing(0);
    column->addWidget(new Divider);
    auto *words =
        new Label(tr("A thread keeps its sandbox for life."), TextRole::Caption, Ink::Caption);
    words->setContentsMargins(10, 8, 10, 4);
    column->addWidget(words);
    content()->addWidget(foot);
    connect(m_list, &QListView::clicked, this, &SandboxPopover::activate);
}

void SandboxPopover::openAt(QWidget *anchor, const QString &chosen)
{
    auto *delegate = static_cast<ChoiceDelegate *>(m_list->itemDelegate());
    delegate->chosen = chosen;
    int height = 0;
    for (int row = 0; row < m_model.rowCount(); ++row)
        height += delegate->sizeHint({}, m_model.index(row, 0)).height();
    const int room = anchor->window()->height() - 160;
    m_list->setFixedSize(qMin(kWidth, anchor->window()->width() - 64) - 12,
                         qMax(80, qMin(height, room)));
    QModelIndex current = m_model.indexOfKey(chosen);
    if (!current.isValid())
        current = m_model.firstUsable();
    m_list->setCurrentIndex(current);
    Popover::openAt(anchor);
    m_list->setFocus();
    m_list->scrollTo(current);
}

void SandboxPopover::activate(const QModelIndex &index)
{
    if (!index.isValid() || index.data(Role::HeadingRole).toBool())
        return;
    hide();
    if (index.data(Role::UsableRole).toBool())
        Q_EMIT chosen(index.data(Role::KeyRole).toString());
    else
        Q_EMIT setUpRequested(domain::ConfigName(index.data(Role::ConfigRole).toString()));
}

bool SandboxPopover::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter
            || key->key() == Qt::Key_Space) {
            activate(m_list->currentIndex());
            return true;
        }
        if (key->key() == Qt::Key_Escape || key->key() == Qt::Key_Tab) {
            hide();
            return true;
        }
    }
    return Popover::eventFilter(watched, event);
}

SandboxPicker::SandboxPicker(SandboxChoiceModel &model, QWidget *parent)
    : QPushButton(parent), m_model(model), m_popover(new SandboxPopover(model, this))
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(this, &QPushButton::clicked, this, &SandboxPicker::openList);
    connect(&model, &QAbstractItemModel::modelReset, this, &SandboxPicker::refresh);
    connect(m_popover, &SandboxPopover::chosen, this, [this](const QString &key) {
        setKey(key);
        Q_EMIT keyChosen(key);
    });
    connect(m_popover, &SandboxPopover::setUpRequested, this, &SandboxPicker::setUpRequested);
    connect(m_popover, &Popover::closed, this, qOverload<>(&QWidget::update));
    refresh();
}

void SandboxPicker::setKey(const QString &key)
{
    m_key = key;
    refresh();
}

bool SandboxPicker::isUsable() const
{
    const QModelIndex index = m_model.indexOfKey(m_key);
    return index.isValid() && index.data(Role::UsableRole).toBool();
}

void SandboxPicker::openList()
{
    m_popover->openAt(this, m_key);
    update();
}

void SandboxPicker::refresh()
{
    const QModelIndex index = m_model.indexOfKey(m_key);
    if (index.isValid()) {
        m_mark = index.data(Role::MarkRole).toString();
        const QString summary = index.data(Role::SummaryRole).toString();
        m_label = index.data(Role::LabelRole).toString();
        if (!summary.isEmpty())
            m_label += QStringLiteral(" · ") + summary;
    } else {
        m_mark.clear();
        m_label = tr("Choose a sandbox");
    }
    setAccessibleName(tr("Sandbox: %1").arg(m_label));
    setToolTip(toolTipOf(m_label));
    updateGeometry();
    update();
    Q_EMIT changed();
}

QSize SandboxPicker::sizeHint() const
{
    const QFontMetrics fm(fontFor(TextRole::Control));
    return {fm.horizontalAdvance(m_label) + 12 + (m_mark.isEmpty() ? 0 : 28) + 30,
            qMax(metrics::kTarget, fm.height() + 12)};
}

QSize SandboxPicker::minimumSizeHint() const
{
    return {qMin(sizeHint().width(), 140), sizeHint().height()};
}

void SandboxPicker::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    const bool open = m_popover->isVisible();
    const bool keyboard = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
    const QColor fill = underMouse() && isEnabled() ? mixed(t.text, t.panel, 0.05) : t.panel;
    paintRounded(painter, rect(), metrics::kControlRadius, fill,
                 open || keyboard ? t.accent : t.control, keyboard ? 2 : 1);
    const auto place = [this](const QRect &r) {
        return QStyle::visualRect(layoutDirection(), rect(), r);
    };
    int x = 11;
    if (!m_mark.isEmpty()) {
        paintMark(painter, place(QRect(x, (height() - 20) / 2, 20, 20)), m_mark, t);
        x += 28;
    }
    const QFont font = fontFor(TextRole::Control);
    painter.setFont(font);
    painter.setPen(isUsable() ? t.text : t.textSecondary);
    const QRect words = place(QRect(x, 0, width() - x - 28, height()));
    painter.setLayoutDirection(layoutDirection());
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(m_label, Qt::ElideRight, words.width()));
    paintGlyph(painter, place(QRect(width() - 24, (height() - 14) / 2, 14, 14)), Glyph::ChevronDown,
               t.textSecondary);
}

void SandboxPicker::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return
        || event->key() == Qt::Key_Enter) {
        openList();
        return;
    }
    QPushButton::keyPressEvent(event);
}

} // namespace berth::ui
