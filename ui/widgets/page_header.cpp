// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/page_header.h"

#include "ui/style/tokens.h"
#include "ui/widgets/label.h"

#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>

namespace berth::ui {

PageHeader::PageHeader(const QString &title, QWidget *parent)
    : QWidget(parent),
      m_title(new ElidedLabel(TextRole::Header)),
      m_beside(new QHBoxLayout),
      m_actions(new QHBoxLayout)
{
    setMinimumHeight(metrics::kHeader);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(24, 0, 24, 1);
    row->setSpacing(12);
    m_beside->setSpacing(12);
    m_actions->setSpacing(12);
    row->addWidget(m_title);
    row->addLayout(m_beside);
    row->addStretch(1);
    row->addLayout(m_actions);
    setTitle(title);
}

void PageHeader::setTitle(const QString &title)
{
    m_title->setFullText(title);
}

QString PageHeader::title() const
{
    return m_title->fullText();
}

void PageHeader::addBesideTitle(QWidget *widget)
{
    m_beside->addWidget(widget);
}

void PageHeader::addAction(QWidget *widget)
{
    m_actions->addWidget(widget);
}

void PageHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &t = tokens(this);
    painter.fillRect(rect(), t.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), t.line);
}

} // namespace berth::ui
