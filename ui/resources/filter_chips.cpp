// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/filter_chips.h"

#include "ui/widgets/button.h"

#include <QtWidgets/QButtonGroup>
#include <QtWidgets/QStyle>

namespace berth::ui {

namespace {
constexpr int kSpacing = 8;
}

FilterChips::FilterChips(QWidget *parent) : QWidget(parent), m_group(new QButtonGroup(this))
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Show runtimes of"));
    connect(m_group, &QButtonGroup::idClicked, this, [this](int id) {
        m_value = m_choices.at(id).value;
        Q_EMIT chosen(m_value);
    });
}

void FilterChips::setChoices(const QList<Choice> &choices)
{
    if (choices == m_choices)
        return;
    // Buttons are reused: one that has the focus keeps it while counts change.
    while (m_buttons.size() > choices.size())
        delete m_buttons.takeLast();
    while (m_buttons.size() < choices.size()) {
        auto *button = new Button(QString(), ButtonKind::Secondary, this);
        button->setCheckable(true);
        m_group->addButton(button, static_cast<int>(m_buttons.size()));
        m_buttons.append(button);
        button->show();
    }
    m_choices = choices;
    int checked = 0;
    for (int i = 0; i < choices.size(); ++i) {
        m_buttons[i]->setText(choices[i].text);
        if (choices[i].value == m_value)
            checked = i;
    }
    if (choices.isEmpty())
        return;
    m_buttons[checked]->setChecked(true);
    const bool lost = choices[checked].value != m_value;
    m_value = choices[checked].value;
    arrange(width(), true);
    updateGeometry();
    if (lost)
        Q_EMIT chosen(m_value);
}

int FilterChips::arrange(int width, bool apply) const
{
    int x = 0;
    int y = 0;
    int line = 0;
    for (Button *button : m_buttons) {
        const QSize size = button->sizeHint();
        if (x > 0 && x + size.width() > width) {
            x = 0;
            y += line + kSpacing;
            line = 0;
        }
        const QRect place(x, y, size.width(), size.height());
        if (apply)
            button->setGeometry(
                QStyle::visualRect(layoutDirection(), QRect(0, 0, width, 1), place));
        x += size.width() + kSpacing;
        line = qMax(line, size.height());
    }
    return y + line;
}

int FilterChips::heightForWidth(int width) const
{
    return arrange(width, false);
}

QSize FilterChips::sizeHint() const
{
    int width = 0;
    int height = 0;
    for (const Button *button : m_buttons) {
        width += button->sizeHint().width() + kSpacing;
        height = qMax(height, button->sizeHint().height());
    }
    return {qMax(0, width - kSpacing), height};
}

QSize FilterChips::minimumSizeHint() const
{
    QSize least;
    for (const Button *button : m_buttons)
        least = least.expandedTo(button->sizeHint());
    return least;
}

void FilterChips::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange(width(), true);
}

} // namespace berth::ui
