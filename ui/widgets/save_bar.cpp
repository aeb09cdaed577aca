// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_bar.h"

#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/flow_row.h"

#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

SaveBar::SaveBar(const QString &save, QWidget *parent)
    : QWidget(parent),
      m_problem(new Banner(Tone::Error)),
      m_row(new FlowRow),
      m_save(new Button(save, ButtonKind::Primary)),
      m_revert(new Button(tr("Revert"))),
      m_result(new Chip),
      m_words(save)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(m_problem);
    column->addWidget(m_row);
    m_row->addWidget(m_save);
    m_row->addWidget(m_revert);
    m_row->addAtEnd(m_result);
    m_problem->hide();
    refresh();
}

void SaveBar::addWidget(QWidget *widget)
{
    m_row->addWidget(widget);
}

void SaveBar::setState(bool changed, bool valid)
{
    m_changed = changed;
    m_valid = valid;
    if (changed)
        m_result->set({}, Tone::Neutral);
    refresh();
}

void SaveBar::setBusy(bool busy)
{
    m_busy = busy;
    if (busy)
        clearProblem();
    refresh();
}

void SaveBar::refresh()
{
    m_save->setEnabled(m_changed && m_valid && !m_busy);
    m_save->setText(m_busy ? tr("Saving…") : m_words);
    m_revert->setEnabled(m_changed && !m_busy);
}

void SaveBar::showSaved()
{
    m_result->set(tr("Saved"), Tone::Ok, Dot::Filled);
    clearProblem();
}

void SaveBar::showProblem(const QString &what, const QString &why)
{
    m_result->set({}, Tone::Neutral);
    m_problem->setText(what, why);
    m_problem->show();
}

void SaveBar::showProblem(const QString &what, const domain::Error &error)
{
    showProblem(tr("%1: %2", "what and why").arg(what, error.message), error.detail);
}

void SaveBar::clearProblem()
{
    m_problem->hide();
}

} // namespace berth::ui
