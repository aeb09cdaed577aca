// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/hook_settings.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/models/thread_text.h"
#include "ui/settings/entry_row.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/hook_form.h"
#include "ui/settings/security_words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::HookView;
using domain::Result;

namespace {

QString commandOf(const HookView &hook)
{
    QStringList words{hook.program};
    words += hook.arguments;
    return visibleText(words.join(QLatin1Char(' ')));
}

QString aboutHook(const HookView &hook)
{
    if (hook.tools.isEmpty())
        return HookSettings::tr("Every tool");
    QStringList tools;
    for (const QString &tool : hook.tools)
        tools.append(verbOf(tool));
    return tools.join(HookSettings::tr(", ", "between names of tools"));
}

} // namespace

HookSettings::HookSettings(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_warning(new Banner(Tone::Warn)),
      m_problem(new Banner(Tone::Error)),
      m_failure(new Banner(Tone::Error)),
      m_again(m_problem->addAction(tr("Check again"))),
      m_add(new Button(tr("Add a hook"))),
      m_path(new Label(TextRole::Caption, Ink::Caption)),
      m_none(new Label(tr("There is no hook."), TextRole::Body, Ink::Secondary)),
      m_card(new Card),
      m_list(new QVBoxLayout(m_card)),
      m_place(new QVBoxLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto *words = new Label(
        tr("Programs of yours that are asked before a tool call, or told after it. Exit code 0 "
           "allows, 2 denies with the reason on standard error; anything else, or no answer "
           "within 10 seconds, denies too."),
        TextRole::Body, Ink::Secondary);
    words->setWrapped(true);
    column->addWidget(words);
    m_warning->setText(tr("Hooks run on this machine itself, as you, outside of any sandbox"),
                       tr("Name only programs that you wrote or trust. What an agent can change "
                          "must not be one of them."));
    column->addWidget(m_warning);
    column->addWidget(m_problem);
    m_problem->hide();
    column->addWidget(m_failure);
    m_failure->hide();
    // Saving would replace what was not read.
    m_add->setEnabled(false);
    m_add->setGlyph(Glyph::Plus);
    auto *row = new QHBoxLayout;
    row->addWidget(m_add);
    row->addStretch(1);
    column->addLayout(row);
    column->addLayout(m_place);
    m_list->setContentsMargins(19, 5, 12, 5);
    m_list->setSpacing(0);
    m_none->setContentsMargins(0, 10, 0, 10);
    m_list->addWidget(m_none);
    m_card->hide();
    column->addWidget(m_card);
    m_path->setWrapped(true);
    m_path->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_path);
    column->addStretch(1);
    connect(m_add, &QPushButton::clicked, this, [this] { openForm({}); });
    connect(m_again, &QPushButton::clicked, this, &HookSettings::load);
}

void HookSettings::load()
{
    // Saving would replace what was not read.
    m_add->setEnabled(false);
    application::deliver(this, m_client, application::ListHooks{},
                         [this](const Result<application::HookList> &answer) {
                             if (answer) {
                                 take(*answer);
                                 return;
                             }
                             m_problem->setText(answer.error().message, answer.error().detail);
                             m_problem->show();
                         });
}

void HookSettings::take(const application::HookList &list)
{
    const bool isBroken = !list.problem.isEmpty();
    m_problem->setVisible(isBroken);
    if (isBroken)
        m_problem->setText(tr("The file of the hooks cannot be used: no tool call is allowed now"),
                           tr("%1\nMend or remove %2, then check again.", "problem, path")
                               .arg(list.problem, list.path));
    // Saving would replace what could not be read.
    m_add->setEnabled(!isBroken);
    m_card->setVisible(!isBroken);
    if (isBroken)
        closeForm();
    m_path->setText(list.path.isEmpty() ? QString() : tr("Kept in %1").arg(list.path));
    const bool unchanged = m_hooks.hooks == list.hooks && m_rows.size() == list.hooks.size();
    m_hooks = list;
    // Rows keep the focus and an open question.
    if (unchanged)
        return;
    for (EntryRow *row : std::as_const(m_rows)) {
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (qsizetype at = 0; at < m_hooks.hooks.size(); ++at)
        addRow(at);
    m_none->setVisible(m_rows.isEmpty());
}

void HookSettings::addRow(qsizetype at)
{
    const HookView &hook = m_hooks.hooks[at];
    auto *row = new EntryRow;
    row->setTitle(commandOf(hook), true);
    row->setDetail(aboutHook(hook));
    const bool asks = hook.moment != QLatin1String("after_tool");
    row->setState(hookMomentText(hook.moment), asks ? Tone::Accent : Tone::Neutral,
                  asks ? Dot::Filled : Dot::Ring);
    row->setRemoval(tr("Remove"), tr("Remove this hook?"),
                    asks ? tr("Tool calls are no longer asked about there. The program stays.")
                         : tr("It is no longer told. The program stays."));
    row->setSubject(commandOf(hook));
    row->setFirst(m_rows.isEmpty());
    m_rows.append(row);
    m_list->addWidget(row);
    row->show();
    connect(row, &EntryRow::editRequested, this, [this, hook] { openForm(hook); });
    connect(row, &EntryRow::removeConfirmed, this, [this, hook] { remove(hook); });
}

void HookSettings::openForm(const std::optional<HookView> &hook)
{
    closeForm();
    m_form = new HookForm(hook.value_or(HookView()), !hook);
    m_place->addWidget(m_form);
    m_form->show();
    connect(m_form, &HookForm::cancelled, this, [this] {
        closeForm();
        m_add->setFocus(Qt::OtherFocusReason);
    });
    connect(m_form, &HookForm::saveRequested, this,
            [this, hook](const HookView &wanted) { put(hook, wanted); });
    m_form->programField()->input()->setFocus(Qt::OtherFocusReason);
    scrollTo(m_form);
}

void HookSettings::closeForm()
{
    if (!m_form)
        return;
    m_form->hide();
    m_form->deleteLater();
    m_form = nullptr;
}

void HookSettings::put(const std::optional<HookView> &before, const HookView &hook)
{
    m_form->setBusy(true);
    const QPointer<HookForm> form = m_form;
    const Edit edit = [before, hook](QList<HookView> &hooks) {
        if (!before) {
            hooks.append(hook);
            return true;
        }
        const auto at = hooks.indexOf(*before);
        if (at >= 0)
            hooks[at] = hook;
        return at >= 0;
    };
    change(edit, form, [this, form](const domain::Error &error) {
        if (!form || form != m_form)
            return;
        form->setBusy(false);
        form->showError(error);
    });
}

void HookSettings::remove(const HookView &hook)
{
    m_failure->hide();
    // One that is gone already is gone.
    const Edit edit = [hook](QList<HookView> &hooks) {
        hooks.removeOne(hook);
        return true;
    };
    change(edit, {}, [this](const domain::Error &error) {
        for (EntryRow *row : std::as_const(m_rows))
            row->closeQuestion();
        m_failure->setText(tr("Not removed: %1").arg(error.message), error.detail);
        m_failure->show();
    });
}

void HookSettings::change(const Edit &edit, const QPointer<HookForm> &form, const Failed &failed)
{
    application::deliver(
        this, m_client, application::ListHooks{},
        [this, edit, form, failed](const Result<application::HookList> &answer) {
            if (!answer) {
                failed(answer.error());
                return;
            }
            // Says so when the file cannot be used, and closes the form.
            take(*answer);
            if (!answer->problem.isEmpty())
                return;
            QList<HookView> hooks = answer->hooks;
            if (edit(hooks)) {
                save(hooks, form, failed);
                return;
            }
            failed({domain::ErrorKind::Conflict,
                    tr("it was changed meanwhile"),
                    tr("The hook is no longer in the list as it was when you opened it. Cancel, "
                       "and look at the list as it is now."),
                    {},
                    {}});
        });
}

void HookSettings::save(const QList<HookView> &hooks, const QPointer<HookForm> &form,
                        const Failed &failed)
{
    application::deliver(this, m_client, application::SaveHooks{hooks},
                         [this, form, failed](const Result<application::HookList> &answer) {
                             if (!answer) {
                                 failed(answer.error());
                                 return;
                             }
                             // Another form may be there when the answer comes.
                             if (form && form == m_form)
                                 closeForm();
                             take(*answer);
                             if (!m_form)
                                 m_add->setFocus(Qt::OtherFocusReason);
                         });
}

} // namespace berth::ui
