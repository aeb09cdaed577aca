// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandbox_actions.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/models/sandbox_model.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/tool_tip.h"

#include <QtWidgets/QMenu>

namespace berth::ui {

using application::RuntimeView;
using application::SandboxView;
using domain::Result;

namespace {

//! A longer reason is only a tooltip.
constexpr qsizetype kLongestReason = 60;

//! Berth itself stops and keeps these; a cloud's goes on by itself.
bool isOurs(const SandboxView &row)
{
    return row.type == QLatin1String("docker") || row.type == QLatin1String("local");
}

bool isDeletedRow(const SandboxView &row)
{
    return row.status == QLatin1String("deleted");
}

bool hasInstance(const RuntimeView *runtime)
{
    return runtime && runtime->observed != domain::ObservedState::Gone;
}

QString placeOf(const SandboxView &row)
{
    return row.label.isEmpty() ? row.type : row.label;
}

} // namespace

SandboxActions::SandboxActions(application::EngineClient &client, SandboxModel &model,
                               QObject *parent)
    : QObject(parent), m_client(client), m_model(model)
{}

ConfirmDialog *SandboxActions::question() const
{
    return m_question;
}

template <typename Command>
void SandboxActions::send(const Command &command, const domain::SandboxId &sandbox,
                          const QString &failure)
{
    m_pending.insert(sandbox);
    Q_EMIT started();
    application::deliver(this, m_client, command,
                         [this, sandbox, failure](const Result<typename Command::Reply> &answer) {
                             m_pending.remove(sandbox);
                             if (answer)
                                 take(*answer);
                             else
                                 Q_EMIT failed(failure, answer.error());
                         });
}

void SandboxActions::take(const SandboxView &row)
{
    m_model.update(row);
}

void SandboxActions::take(const application::SandboxList &rows)
{
    for (const SandboxView &row : rows.sandboxes)
        m_model.update(row);
}

QString SandboxActions::threadsText(const domain::SandboxId &sandbox) const
{
    const auto threads = static_cast<int>(m_model.threadsOf(sandbox).size());
    return threads == 0
        ? QString()
        : tr("%n thread(s) use it. They stay readable, and can go on once it is restored.", nullptr,
             threads);
}

void SandboxActions::remove(const domain::SandboxId &sandbox, bool destroy, QWidget *window)
{
    const SandboxView *row = m_model.find(sandbox);
    if (!row || m_question)
        return;
    const RuntimeView *runtime = m_model.runtimeOf(sandbox);
    const QString provider = runtime ? runtime->providerLabel : row->type;
    ConfirmDialog::Words words;
    words.place = placeOf(*row);
    if (destroy) {
        words.question = tr("Remove and destroy %1?").arg(row->alias);
        words.text.append(runtime && !runtime->destroyLoses.isEmpty()
                              ? runtime->destroyLoses
                              : tr("The instance at %1 and everything stored in it is removed for "
                                   "good.")
                                    .arg(provider));
        words.action = tr("Remove and destroy");
    } else {
        words.question = tr("Remove %1?").arg(row->alias);
        words.dangerous = false;
        if (!hasInstance(runtime))
            words.text.append(tr("It has no instance: nothing else goes."));
        else if (isOurs(*row))
            words.text.append(
                tr("Its instance is stopped and kept until you purge it. It can be restored."));
        else
            words.text.append(tr("Its instance at %1 goes on, and so does what it costs, until you "
                                 "also destroy it. It can be restored.")
                                  .arg(provider));
        words.action = tr("Remove");
    }
    const QString threads = threadsText(sandbox);
    if (!threads.isEmpty())
        words.text.append(threads);
    const QString failure = tr("Not removed: %1").arg(row->alias);
    m_question = new ConfirmDialog(words, window);
    connect(m_question, &QDialog::accepted, this, [this, sandbox, destroy, failure] {
        application::RemoveSandbox command;
        command.sandbox = sandbox;
        command.destroy = destroy;
        send(command, sandbox, failure);
    });
    m_question->open();
}

void SandboxActions::purge(const domain::SandboxId &sandbox, QWidget *window)
{
    const SandboxView *row = m_model.find(sandbox);
    if (!row || m_question)
        return;
    const RuntimeView *runtime = m_model.runtimeOf(sandbox);
    ConfirmDialog::Words words;
    words.question = tr("Purge %1?").arg(row->alias);
    words.place = placeOf(*row);
    words.text.append(runtime && !runtime->destroyLoses.isEmpty()
                          ? runtime->destroyLoses
                          : tr("What is left of it at %1 is removed for good.")
                                .arg(runtime ? runtime->providerLabel : row->type));
    words.text.append(tr("Its threads stay readable."));
    words.action = tr("Purge");
    const QString failure = tr("Not purged: %1").arg(row->alias);
    m_question = new ConfirmDialog(words, window);
    connect(m_question, &QDialog::accepted, this, [this, sandbox, failure] {
        send(application::PurgeSandbox{sandbox}, sandbox, failure);
    });
    m_question->open();
}

void SandboxActions::restore(const domain::SandboxId &sandbox)
{
    const SandboxView *row = m_model.find(sandbox);
    if (row)
        send(application::RestoreSandbox{sandbox}, sandbox, tr("Not restored: %1").arg(row->alias));
}

void SandboxActions::copy(const domain::SandboxId &sandbox)
{
    const SandboxView *row = m_model.find(sandbox);
    const RuntimeView *runtime = m_model.runtimeOf(sandbox);
    if (!row || !runtime)
        return;
    m_pending.insert(sandbox);
    Q_EMIT started();
    const QString failure = tr("No copy was made of %1").arg(row->alias);
    application::deliver(this, m_client, application::ForkRuntime{runtime->id, {}},
                         [this, sandbox, failure](const Result<SandboxView> &answer) {
                             m_pending.remove(sandbox);
                             if (answer) {
                                 m_model.update(*answer);
                                 Q_EMIT copied(answer->alias);
                             } else {
                                 Q_EMIT failed(failure, answer.error());
                             }
                         });
}

void SandboxActions::addThreads(QMenu *menu, const domain::SandboxId &sandbox)
{
    const QList<application::ThreadView> threads = m_model.threadsOf(sandbox);
    if (threads.isEmpty()) {
        menu->addAction(tr("No thread uses it"))->setEnabled(false);
        return;
    }
    QMenu *into = menu;
    if (threads.size() > 1)
        into = menu->addMenu(tr("Open thread"));
    for (const application::ThreadView &thread : threads) {
        const QString title = thread.title.left(40);
        into->addAction(threads.size() == 1 ? tr("Open thread “%1”").arg(title) : title, this,
                        [this, id = thread.id] { Q_EMIT openThread(id); });
    }
}

QMenu *SandboxActions::menuFor(const domain::SandboxId &sandbox, QWidget *parent)
{
    auto *menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const SandboxView *row = m_model.find(sandbox);
    if (!row)
        return menu;
    const RuntimeView *runtime = m_model.runtimeOf(sandbox);
    addThreads(menu, sandbox);
    QAction *resources = menu->addAction(tr("Show in Resources"), this, [this, sandbox] {
        if (const RuntimeView *shown = m_model.runtimeOf(sandbox))
            Q_EMIT showRuntime(shown->id);
    });
    resources->setEnabled(hasInstance(runtime));
    if (!resources->isEnabled())
        resources->setToolTip(tr("It has no instance."));
    const auto add = [&](const QString &text, auto action, const QString &reason) {
        const bool says = !reason.isEmpty() && reason.size() <= kLongestReason;
        QAction *entry = menu->addAction(
            says ? tr("%1 — %2", "action and why it cannot be done").arg(text, reason) : text, this,
            action);
        entry->setEnabled(reason.isEmpty() && !isPending(sandbox));
        if (!reason.isEmpty())
            entry->setToolTip(toolTipOf(reason));
    };
    if (!isDeletedRow(*row)) {
        QString reason;
        if (!hasInstance(runtime))
            reason = tr("it has no instance yet");
        else if (!runtime->canFork)
            reason =
                runtime->forkReason.isEmpty() ? tr("its provider cannot") : runtime->forkReason;
        add(
            tr("Copy of this sandbox"), [this, sandbox] { copy(sandbox); }, reason);
        menu->addSeparator();
        add(tr("Remove…"), [this, sandbox, parent] { remove(sandbox, false, parent->window()); },
            {});
        add(
            tr("Remove and destroy…"),
            [this, sandbox, parent] { remove(sandbox, true, parent->window()); },
            hasInstance(runtime) ? QString() : tr("it has no instance"));
    } else {
        menu->addSeparator();
        add(tr("Restore"), [this, sandbox] { restore(sandbox); }, {});
        add(tr("Purge…"), [this, sandbox, parent] { purge(sandbox, parent->window()); }, {});
    }
    return menu;
}

} // namespace berth::ui
