// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_tabs.h"

#include "ui/style/paint.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/button.h"
#include "ui/widgets/tool_tip.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>

namespace berth::ui {

namespace {
constexpr int kTabsSide = 12;
constexpr int kTabsGap = 6;
constexpr int kClose = 24;
constexpr int kLongest = 190;
constexpr int kShortest = 84;
} // namespace

TerminalTabs::TerminalTabs(QWidget *parent) : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideRight);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Terminals"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void TerminalTabs::setTitle(int index, const QString &title)
{
    QString text = title;
    text.replace(u'&', QLatin1String("&&")); // a program must not make shortcuts
    if (tabText(index) == text)
        return;
    setTabText(index, text);
    setTabToolTip(index, toolTipOf(title));
}

QString TerminalTabs::title(int index) const
{
    return tabText(index).replace(QLatin1String("&&"), QLatin1String("&"));
}

void TerminalTabs::setEnded(int index, bool ended)
{
    if (tabData(index).toBool() == ended)
        return;
    setTabData(index, ended);
    update();
}

QSize TerminalTabs::tabSizeHint(int index) const
{
    const QFontMetrics fm(fontFor(TextRole::Control, font()));
    const int words = fm.horizontalAdvance(title(index)) + kTabsSide + kClose + kTabsGap + 4;
    return {qBound(kShortest, words, kLongest) + kTabsGap,
            qMax(metrics::kTarget, fm.height() + 12)};
}

QSize TerminalTabs::minimumTabSizeHint(int index) const
{
    return {kShortest, tabSizeHint(index).height()};
}

void TerminalTabs::tabInserted(int index)
{
    QTabBar::tabInserted(index);
    auto *close = new IconButton(Glyph::Close, tr("Close"));
    close->setFixedSize(kClose, kClose);
    close->setIconSize({12, 12});
    // With the keyboard Delete on the tab does it.
    close->setFocusPolicy(Qt::NoFocus);
    connect(close, &QToolButton::clicked, this, [this, close] {
        for (int i = 0; i < count(); ++i) {
            if (tabButton(i, RightSide) && tabButton(i, RightSide)->isAncestorOf(close)) {
                Q_EMIT closeClicked(i);
                return;
            }
        }
    });
    // Moves the button in from the gap behind each tab.
    auto *holder = new QWidget;
    holder->setFixedSize(kClose + kTabsGap, kClose);
    close->setParent(holder);
    close->move(isRightToLeft() ? kTabsGap : 0, 0);
    setTabButton(index, RightSide, holder);
}

void TerminalTabs::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens &colors = tokens(this);
    painter.setFont(fontFor(TextRole::Control, font()));
    const QFontMetrics fm(painter.font());
    for (int i = 0; i < count(); ++i) {
        QRect box = tabRect(i);
        const bool mirrored = isRightToLeft();
        box.adjust(mirrored ? kTabsGap : 0, 0, mirrored ? 0 : -kTabsGap, 0);
        const bool shown = i == currentIndex();
        paintRounded(painter, QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kControlRadius,
                     shown ? colors.accentSoft : colors.panel,
                     shown ? colors.accent : colors.control);
        const QRect words = box.adjusted(mirrored ? kClose + 4 : kTabsSide, 0,
                                         mirrored ? -kTabsSide : -kClose - 4, 0);
        const bool ended = tabData(i).toBool();
        painter.setPen(ended ? colors.textCaption : shown ? colors.accent : colors.text);
        painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeading,
                         fm.elidedText(title(i), Qt::ElideRight, words.width()));
        if (shown && hasFocus())
            paintFocusRing(painter, QRectF(box), metrics::kControlRadius, colors.accent);
    }
}

void TerminalTabs::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Delete && currentIndex() >= 0) {
        Q_EMIT closeClicked(currentIndex());
        return;
    }
    QTabBar::keyPressEvent(event);
}

} // namespace berth::ui
