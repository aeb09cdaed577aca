// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/test_steps.h"

#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"
#include "ui/widgets/spinner.h"

#include <QtCore/QLocale>
#include <QtCore/QTimerEvent>
#include <QtWidgets/QGridLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

//! A longer name of a step wraps.
constexpr int kNameWidth = 180;

struct Outcome
{
    QString word;
    Tone tone;
    Dot dot;
};

Outcome outcomeOf(domain::StepState state)
{
    switch (state) {
    case domain::StepState::Ok:
        return {TestSteps::tr("ok"), Tone::Ok, Dot::Filled};
    case domain::StepState::Warning:
        return {TestSteps::tr("warning"), Tone::Warn, Dot::Half};
    case domain::StepState::Failed:
        return {TestSteps::tr("failed"), Tone::Error, Dot::Square};
    case domain::StepState::Skipped:
        return {TestSteps::tr("skipped"), Tone::Neutral, Dot::Ring};
    }
    return {};
}

} // namespace

TestSteps::TestSteps(QWidget *parent)
    : QWidget(parent),
      m_grid(new QGridLayout),
      m_running(new QWidget),
      m_elapsed(new Label(TextRole::Body, Ink::Secondary))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(1, 1);
    column->addLayout(m_grid);
    auto *row = new QHBoxLayout(m_running);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(new Spinner);
    row->addWidget(m_elapsed, 1);
    column->addWidget(m_running);
    clear();
}

void TestSteps::clear()
{
    while (QLayoutItem *item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_count = 0;
    finish();
    hide();
}

void TestSteps::start()
{
    clear();
    m_clock.start();
    m_timer.start(100, this);
    updateElapsed();
    m_running->show();
    show();
}

void TestSteps::finish()
{
    m_timer.stop();
    m_running->hide();
}

void TestSteps::add(const domain::HealthStep &step)
{
    const Outcome outcome = outcomeOf(step.state);
    const int row = 2 * m_count;
    if (m_count > 0)
        m_grid->addWidget(new Divider, row - 1, 0, 1, 4);
    auto *name = new Label(step.name);
    name->setWrapped(true);
    name->setMinimumWidth(qMin(name->fontMetrics().horizontalAdvance(step.name) + 2, kNameWidth));
    auto *detail = new Label(step.detail, TextRole::Body, Ink::Secondary);
    detail->setWrapped(true);
    auto *time = new Label(
        step.state == domain::StepState::Skipped ? QString() : durationText(step.duration.count()),
        TextRole::Body, Ink::Secondary);
    auto *chip = new Chip(outcome.word, outcome.tone, outcome.dot);
    chip->setAccessibleName(tr("%1: %2, %3").arg(step.name, outcome.word, step.detail));
    m_grid->addWidget(name, row, 0);
    m_grid->addWidget(detail, row, 1);
    m_grid->addWidget(time, row, 2, Qt::AlignTrailing | Qt::AlignVCenter);
    m_grid->addWidget(chip, row, 3, Qt::AlignTrailing | Qt::AlignVCenter);
    ++m_count;
    show();
}

QString TestSteps::durationText(qint64 milliseconds)
{
    const QLocale locale;
    if (milliseconds < 100)
        return tr("%1 ms").arg(locale.toString(milliseconds));
    return tr("%1 s").arg(locale.toString(static_cast<double>(milliseconds) / 1000, 'f',
                                          milliseconds < 10'000 ? 2 : 0));
}

void TestSteps::updateElapsed()
{
    m_elapsed->setText(
        tr("Testing · %1 s")
            .arg(QLocale().toString(static_cast<double>(m_clock.elapsed()) / 1000, 'f', 1)));
}

void TestSteps::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_timer.timerId())
        updateElapsed();
    else
        QWidget::timerEvent(event);
}

} // namespace berth::ui
