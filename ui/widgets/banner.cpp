// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/banner.h"

#include "ui/style/icons.h"
#include "ui/style/paint.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

Banner::Banner(Tone tone, QWidget *parent)
    : QFrame(parent),
      m_tone(tone),
      m_title(new Label(TextRole::BodyStrong)),
      m_detail(new Label(TextRole::Body, Ink::Secondary)),
      m_row(new QHBoxLayout(this)),
      m_actions(new QHBoxLayout)
{
    m_row->setContentsMargins(40, 8, 12, 8);
    m_row->setSpacing(12);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    m_title->setWrapped(true);
    m_detail->setWrapped(true);
    m_detail->hide();
    words->addWidget(m_title);
    words->addWidget(m_detail);
    m_row->addLayout(words, 1);
    m_actions->setSpacing(8);
    m_actions->setAlignment(Qt::AlignLeading);
    m_row->addLayout(m_actions);
}

void Banner::setTone(Tone tone)
{
    m_tone = tone;
    update();
}

void Banner::setText(const QString &title, const QString &detail)
{
    m_title->setText(title);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    setAccessibleName(detail.isEmpty() ? title : QStringLiteral("%1. %2").arg(title, detail));
}

QString Banner::title() const
{
    return m_title->text();
}

QString Banner::detail() const
{
    return m_detail->text();
}

Button *Banner::addAction(const QString &text, bool primary)
{
    auto *button = new Button(text, primary ? ButtonKind::Primary : ButtonKind::Secondary, this);
    m_actions->addWidget(button, 0, Qt::AlignVCenter);
    return button;
}

void Banner::setFlat(bool flat)
{
    m_flat = flat;
    update();
}

void Banner::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    // Where the buttons would take half of the line they go below the words.
    const bool below = m_actions->sizeHint().width() > width() / 2;
    m_row->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_row->setSpacing(below ? 8 : 12);
}

void Banner::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    const QColor color = t.tone(m_tone);
    if (m_flat)
        painter.fillRect(rect(), t.soft(m_tone));
    else
        paintRounded(painter, rect(), metrics::kControlRadius, t.soft(m_tone),
                     t.highContrast ? color : QColor());
    Glyph glyph = Glyph::Info;
    if (m_tone == Tone::Warn)
        glyph = Glyph::Warning;
    else if (m_tone == Tone::Error)
        glyph = Glyph::Error;
    else if (m_tone == Tone::Ok)
        glyph = Glyph::Ok;
    const int x = layoutDirection() == Qt::RightToLeft ? width() - 12 - 18 : 12;
    paintGlyph(
        painter,
        QRectF(x, m_title->geometry().top() + (m_title->fontMetrics().height() - 18) / 2.0, 18, 18),
        glyph, color);
}

EmptyState::EmptyState(const QString &title, const QString &detail, QWidget *parent)
    : QWidget(parent),
      m_title(new Label(TextRole::Header)),
      m_detail(new Label(TextRole::Body, Ink::Secondary))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(24, 24, 24, 24);
    column->setSpacing(8);
    column->addStretch(2);
    for (Label *label : {m_title, m_detail}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWrapped(true);
        label->setMaximumWidth(520);
        auto *row = new QHBoxLayout;
        row->addStretch();
        row->addWidget(label, 100);
        row->addStretch();
        column->addLayout(row);
    }
    column->addStretch(3);
    setText(title, detail);
}

void EmptyState::setText(const QString &title, const QString &detail)
{
    m_title->setText(title);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
}

Button *EmptyState::setAction(const QString &text)
{
    if (!m_action) {
        m_action = new Button(text, ButtonKind::Primary, this);
        auto *column = static_cast<QVBoxLayout *>(layout());
        column->insertSpacing(column->count() - 1, 8);
        column->insertWidget(column->count() - 1, m_action, 0, Qt::AlignHCenter);
    }
    m_action->setText(text);
    return m_action;
}

} // namespace berth::ui
