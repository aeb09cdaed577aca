// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/section_list.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"

#include <QtGui/QPainter>
#include <QtWidgets/QStyledItemDelegate>

namespace berth::ui {

namespace {

constexpr int kSide = 12;
constexpr int kLeastWidth = 180;
constexpr int kMostWidth = 320;

class SectionDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const Tokens &colors = tokens(option.widget);
        const bool shown = option.state.testFlag(QStyle::State_Selected);
        const QRect box = option.rect.adjusted(8, 1, -8, -1);
        if (shown)
            paintRounded(*painter, box, metrics::kControlRadius, colors.accentSoft);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            paintRounded(*painter, box, metrics::kControlRadius, colors.hover);
        if (option.state.testFlag(QStyle::State_HasFocus)
            && option.state.testFlag(QStyle::State_KeyboardFocusChange))
            paintFocusRing(*painter, box, metrics::kControlRadius, colors.accent);
        painter->save();
        painter->setFont(fontFor(shown ? TextRole::BodyStrong : TextRole::Body, option.font));
        painter->setPen(shown ? colors.accent : colors.text);
        const QRect words = box.adjusted(kSide, 0, -kSide, 0);
        painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                            words.width()));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QFontMetrics fm(fontFor(TextRole::BodyStrong, option.font));
        return {fm.horizontalAdvance(index.data().toString()) + 2 * kSide + 16,
                qMax(fm.height() + 16, 36)};
    }
};

} // namespace

SectionList::SectionList(QWidget *parent) : QListWidget(parent)
{
    setItemDelegate(new SectionDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setViewportMargins(0, 14, 1, 8);
    setAccessibleName(tr("Parts of the settings"));
}

int SectionList::wantedWidth() const
{
    return qBound(kLeastWidth, sizeHintForColumn(0) + 8, kMostWidth);
}

} // namespace berth::ui
