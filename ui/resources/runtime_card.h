// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runtime_model.h"
#include "ui/models/runtime_text.h"

#include <QtCore/QRect>
#include <QtGui/QFont>
#include <QtWidgets/QStyledItemDelegate>

namespace berth::ui {

//! What can be hit on a card besides the card itself.
enum class CardPart {
    None,
    Thread,
    PauseResume,
    OpenThread,
    More,
    Cpu,
    Memory,
    Disk,
    Chip,
    Footer
};

//! Where things stand on a card, for painting and for hitting alike. Follows the font.
struct CardLayout
{
    CardLayout(const QRect &card, const QFont &base, const QString &chipText, Dot chipDot,
               Qt::LayoutDirection direction);

    static int heightFor(const QFont &base);
    //! Narrowest card on which three metrics still stand side by side.
    static int minimumWidth(const QFont &base);

    QRect card;
    QRect mark;
    QRect name;
    QRect thread;
    QRect chip;
    QRect metrics[3];
    QRect divider;
    QRect footer;
    //! Pause or resume, open thread, more.
    QRect buttons[3];

    [[nodiscard]] CardPart hit(const QPoint &at) const;
    [[nodiscard]] QRect rectOf(CardPart part) const;
};

//! Paints one runtime as a card. The part under the pointer comes from the view.
class RuntimeCardDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit RuntimeCardDelegate(QObject *parent = nullptr);

    //! The card under the pointer, or with the keyboard, shows its actions.
    void setActive(const QModelIndex &index, CardPart part);
    void setNow(const QDateTime &now);
    [[nodiscard]] QDateTime now() const { return m_now; }
    //! The letters of a provider's mark.
    void setMarks(const QHash<QString, QString> &byConfig);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

    static CardLayout layoutOf(const QRect &rect, const QFont &font, Qt::LayoutDirection direction,
                               const application::RuntimeView &runtime);
    //! "Pause", "Resume", or why neither can be done.
    static QString pauseResumeText(const application::RuntimeView &runtime);
    static bool offersResume(const application::RuntimeView &runtime);
    //! Its button for undo, resume or pause does something now.
    static bool canToggle(const application::RuntimeView &runtime);

private:
    void paintHead(QPainter &painter, const CardLayout &layout, const QModelIndex &index,
                   const application::RuntimeView &runtime, const Tokens &colors,
                   const QFont &base) const;
    void paintMetric(QPainter &painter, const QRect &rect, const QString &label,
                     const MetricText &text, const SampleHistory *history, Metric metric,
                     double top, const QColor &line, const Tokens &colors, const QFont &base) const;
    void paintFooter(QPainter &painter, const CardLayout &layout,
                     const application::RuntimeView &runtime, bool active, CardPart part,
                     const Tokens &colors, const QFont &base) const;
    [[nodiscard]] QString toolTip(const application::RuntimeView &runtime, CardPart part) const;

    QPersistentModelIndex m_active;
    CardPart m_part = CardPart::None;
    QDateTime m_now;
    QHash<QString, QString> m_marks;
};

} // namespace berth::ui
