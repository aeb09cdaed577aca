// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/choices.h"

#include "ui/style/paint.h"
#include "ui/widgets/button.h"

#include <QtGui/QPainter>
#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QStyle>

namespace berth::ui {

Switch::Switch(const QString &name, QWidget *parent) : QAbstractButton(parent)
{
    setCheckable(true);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize Switch::sizeHint() const
{
    return {44, metrics::kTarget};
}

void Switch::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    const QRectF track(2, height() / 2.0 - 11, 40, 22);
    const bool on = isChecked();
    QColor accent = isEnabled() ? t.accent : mixed(t.accent, t.panel, 0.5);
    paintRounded(painter, track, 11, on ? accent : t.panel,
                 on                ? accent
                     : isEnabled() ? t.control
                                   : t.line,
                 1.5);
    const bool right = on != (layoutDirection() == Qt::RightToLeft);
    const QRectF knob(right ? track.right() - 18 : track.left() + 4, track.top() + 4, 14, 14);
    paintRounded(painter, knob, 7, on ? t.onAccent : isEnabled() ? t.control : t.line);
    if (on)
        paintGlyph(painter, knob.adjusted(2, 2, -2, -2), Glyph::Check, accent);
    if (hasFocus())
        paintFocusRing(painter, track.adjusted(-2, -2, 2, 2), 13, t.accent);
}

RadioChips::RadioChips(QWidget *parent) : QWidget(parent), m_group(new QButtonGroup(this))
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(m_group, &QButtonGroup::buttonToggled, this, [this] { refresh(); });
    connect(m_group, &QButtonGroup::buttonClicked, this, [this] { Q_EMIT valueChosen(value()); });
}

void RadioChips::setChoices(const QList<QPair<QString, QString>> &choices)
{
    for (const auto &chip : std::as_const(m_chips))
        delete chip.second;
    m_chips.clear();
    for (const auto &[value, text] : choices) {
        auto *button = new Button(text, ButtonKind::Secondary, this);
        button->setCheckable(true);
        m_group->addButton(button);
        m_chips.append({value, button});
        button->show();
    }
    refresh();
    arrange(width(), true);
    updateGeometry();
}

QString RadioChips::value() const
{
    for (const auto &chip : m_chips) {
        if (chip.second->isChecked())
            return chip.first;
    }
    return {};
}

void RadioChips::setValue(const QString &value)
{
    // An exclusive group never lets the last one go.
    m_group->setExclusive(false);
    for (const auto &chip : std::as_const(m_chips))
        chip.second->setChecked(chip.first == value);
    m_group->setExclusive(true);
}

void RadioChips::refresh()
{
    for (const auto &chip : std::as_const(m_chips))
        chip.second->setGlyph(chip.second->isChecked() ? Glyph::RadioOn : Glyph::Radio);
}

int RadioChips::arrange(int width, bool apply) const
{
    int x = 0;
    int y = 0;
    int line = 0;
    for (const auto &chip : m_chips) {
        const QSize size = chip.second->sizeHint();
        if (x > 0 && x + size.width() > width) {
            x = 0;
            y += line + 8;
            line = 0;
        }
        const QRect rect(x, y, qMin(size.width(), qMax(width, 80)), size.height());
        if (apply)
            chip.second->setGeometry(
                QStyle::visualRect(layoutDirection(), QRect(0, 0, width, 1), rect));
        x += size.width() + 8;
        line = qMax(line, size.height());
    }
    return y + line;
}

int RadioChips::heightForWidth(int width) const
{
    return arrange(width, false);
}

QSize RadioChips::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const auto &chip : m_chips) {
        width += chip.second->sizeHint().width() + 8;
        height = qMax(height, chip.second->sizeHint().height());
    }
    return {qMax(0, width - 8), height};
}

QSize RadioChips::minimumSizeHint() const
{
    QSize least;
    for (const auto &chip : m_chips)
        least = least.expandedTo(chip.second->sizeHint());
    return {least.width(), heightForWidth(qMax(width(), least.width()))};
}

void RadioChips::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange(width(), true);
    updateGeometry();
}

} // namespace berth::ui
