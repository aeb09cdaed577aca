// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/rule_list.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/models/thread_text.h"
#include "ui/settings/entry_row.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/rule_editor.h"
#include "ui/settings/rule_form.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::RuleView;
using domain::Result;

namespace {

//! What wins stands first.
int rankOf(const RuleView &rule)
{
    return rule.decision == QLatin1String("deny") ? 0
        : rule.decision == QLatin1String("ask")   ? 1
                                                  : 2;
}

} // namespace

RuleList::RuleList(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_problem(new Banner(Tone::Error)),
      m_again(m_problem->addAction(tr("Try again"))),
      m_failure(new Banner(Tone::Error)),
      m_add(new Button(tr("Add a rule"))),
      m_none(new Label(tr("There is no rule. Each agent's own security settings decide alone."),
                       TextRole::Body, Ink::Secondary)),
      m_card(new Card),
      m_list(new QVBoxLayout(m_card)),
      m_place(new QVBoxLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto *words = new Label(
        tr("Commands and files that are allowed, asked for or denied. A line with several "
           "commands is allowed only when each of them is; one deny wins."),
        TextRole::Body, Ink::Secondary);
    words->setWrapped(true);
    column->addWidget(words);
    column->addWidget(m_problem);
    m_problem->hide();
    column->addWidget(m_failure);
    m_failure->hide();
    m_add->setGlyph(Glyph::Plus);
    auto *row = new QHBoxLayout;
    row->addWidget(m_add);
    row->addStretch(1);
    column->addLayout(row);
    column->addLayout(m_place);
    m_list->setContentsMargins(19, 5, 12, 5);
    m_list->setSpacing(0);
    m_none->setWrapped(true);
    m_none->setContentsMargins(0, 10, 0, 10);
    m_list->addWidget(m_none);
    // Whether there are any is not known yet.
    m_card->hide();
    column->addWidget(m_card);
    column->addStretch(1);
    connect(m_add, &QPushButton::clicked, this, [this] { openForm({}); });
    connect(m_again, &QPushButton::clicked, this, &RuleList::load);
}

void RuleList::setNames(const SecurityNames &names)
{
    m_names = names;
    for (qsizetype at = 0; at < m_rows.size(); ++at) {
        m_rows[at]->setDetail(
            tr("%1 · %2", "whom it holds for, tool")
                .arg(ruleScopeText(m_rules[at], m_names), verbOf(m_rules[at].tool)));
    }
}

void RuleList::load()
{
    application::deliver(this, m_client, application::ListRules{},
                         [this](const Result<application::RuleList> &answer) { show(answer); });
}

void RuleList::show(const Result<application::RuleList> &answer)
{
    m_problem->setVisible(!answer);
    if (!answer) {
        m_problem->setText(answer.error().message, answer.error().detail);
        return;
    }
    m_card->show();
    QList<RuleView> rules = answer->rules;
    std::stable_sort(rules.begin(), rules.end(), [](const RuleView &a, const RuleView &b) {
        return rankOf(a) != rankOf(b) ? rankOf(a) < rankOf(b) : a.pattern < b.pattern;
    });
    const bool unchanged = m_rules == rules;
    m_none->setVisible(rules.isEmpty());
    if (unchanged)
        return;
    // Rows that stay keep the focus and an open question.
    QList<EntryRow *> before = m_rows;
    QList<RuleView> known = m_rules;
    m_rows.clear();
    m_rules.clear();
    for (const RuleView &rule : std::as_const(rules)) {
        const auto at = known.indexOf(rule);
        if (at >= 0) {
            m_rows.append(before.takeAt(at));
            m_rules.append(known.takeAt(at));
            m_list->removeWidget(m_rows.last());
            m_list->addWidget(m_rows.last());
        } else {
            addRow(rule);
        }
        m_rows.last()->setFirst(m_rows.size() == 1);
    }
    for (EntryRow *gone : std::as_const(before)) {
        gone->hide();
        gone->deleteLater();
    }
    QWidget *previous = m_add;
    for (EntryRow *row : std::as_const(m_rows)) {
        QWidget::setTabOrder(previous, row->editButton());
        QWidget::setTabOrder(row->editButton(), row->removeButton());
        previous = row->removeButton();
    }
}

void RuleList::addRow(const RuleView &rule)
{
    auto *row = new EntryRow;
    const QString pattern = visibleText(rule.pattern);
    row->setTitle(pattern, true);
    row->setDetail(tr("%1 · %2", "whom it holds for, tool")
                       .arg(ruleScopeText(rule, m_names), verbOf(rule.tool)));
    const StateText decision = ruleDecisionText(rule.decision);
    row->setState(decision.word, decision.tone, decision.dot);
    row->setRemoval(tr("Remove"), tr("Remove this rule?"),
                    rule.decision == QLatin1String("allow")
                        ? tr("What it allowed is asked for again.")
                        : tr("It no longer keeps anybody from it."));
    row->setSubject(pattern);
    m_rules.append(rule);
    m_rows.append(row);
    m_list->addWidget(row);
    row->show();
    connect(row, &EntryRow::editRequested, this, [this, rule] { openForm(rule); });
    connect(row, &EntryRow::removeConfirmed, this, [this, id = rule.id] { remove(id); });
}

void RuleList::openForm(const RuleView &rule)
{
    closeForm();
    m_form = new RuleForm(m_client, rule, m_names);
    m_place->addWidget(m_form);
    m_form->show();
    connect(m_form, &RuleForm::cancelled, this, [this] {
        closeForm();
        m_add->setFocus(Qt::OtherFocusReason);
    });
    connect(m_form, &RuleForm::saved, this, [this](const RuleView &) {
        closeForm();
        m_add->setFocus(Qt::OtherFocusReason);
        load();
    });
    if (QLineEdit *line = m_form->editor()->patternLines().value(0))
        line->setFocus(Qt::OtherFocusReason);
    scrollTo(m_form);
}

void RuleList::closeForm()
{
    if (!m_form)
        return;
    m_form->hide();
    m_form->deleteLater();
    m_form = nullptr;
}

void RuleList::remove(const QString &id)
{
    m_failure->hide();
    application::deliver(this, m_client, application::RemoveRule{id},
                         [this, id](const Result<application::Nothing> &answer) {
                             for (qsizetype at = 0; at < m_rows.size(); ++at) {
                                 if (m_rules[at].id == id)
                                     m_rows[at]->closeQuestion();
                             }
                             // One that is gone already is gone.
                             if (!answer && answer.error().kind != domain::ErrorKind::NotFound) {
                                 m_failure->setText(
                                     tr("Not removed: %1").arg(answer.error().message),
                                     answer.error().detail);
                                 m_failure->show();
                                 return;
                             }
                             if (m_form && m_form->ruleId() == id)
                                 closeForm();
                             m_add->setFocus(Qt::OtherFocusReason);
                             load();
                         });
}

} // namespace berth::ui
