// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/runtime_actions.h"

#include "application/engine_client.h"
#include "ui/resources/destroy_dialog.h"
#include "ui/resources/runtime_card.h"

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

namespace berth::ui {

using application::RuntimeView;

RuntimeActions::RuntimeActions(application::EngineClient &client, RuntimeModel &runtimes,
                               QObject *parent)
    : QObject(parent), m_client(client), m_runtimes(runtimes)
{}

template <typename Command>
void RuntimeActions::send(Command command, const QString &runtime, const QString &failureWords)
{
    if (m_pending.contains(runtime))
        return;
    const RuntimeView *view = m_runtimes.find(runtime);
    const QString name = view ? m_runtimes.nameOf(*view) : runtime;
    const QString kind = view ? view->providerKind : QString();
    m_failures.remove(runtime);
    m_pending.insert(runtime);
    command.runtime = runtime;
    application::deliver(
        this, m_client, command,
        [this, runtime, name, kind, failureWords](const domain::Result<RuntimeView> &answer) {
            m_pending.remove(runtime);
            if (answer) {
                // Gone by an event already: the answer must not bring it back.
                if (m_runtimes.rowOf(runtime) >= 0)
                    m_runtimes.update(*answer);
                Q_EMIT changed(runtime);
                return;
            }
            const domain::Error &error = answer.error();
            const QString what = failureWords.arg(name);
            const QStringList details{what, error.message, error.detail,
                                      QStringLiteral("kind: %1").arg(domain::wireName(error.kind)),
                                      QStringLiteral("runtime: %1 (%2)").arg(runtime, kind)};
            m_failures.insert(runtime, {what, error, details.join(QLatin1Char('\n'))});
            Q_EMIT changed(runtime);
            Q_EMIT failed(runtime);
        });
    Q_EMIT changed(runtime);
}

void RuntimeActions::pause(const QString &runtime)
{
    send(application::PauseRuntime{}, runtime, tr("Could not pause %1"));
}

void RuntimeActions::resume(const QString &runtime)
{
    send(application::ResumeRuntime{}, runtime, tr("Could not resume %1"));
}

void RuntimeActions::undoDestroy(const QString &runtime)
{
    send(application::UndoDestroy{}, runtime, tr("Could not undo the destroy of %1"));
}

void RuntimeActions::toggle(const RuntimeView &runtime)
{
    if (runtime.destroyDueAt.isValid())
        undoDestroy(runtime.id);
    else if (RuntimeCardDelegate::offersResume(runtime))
        resume(runtime.id);
    else
        pause(runtime.id);
}

void RuntimeActions::destroy(const QString &runtime, QWidget *window)
{
    const RuntimeView *view = m_runtimes.find(runtime);
    if (!view || m_pending.contains(runtime))
        return;
    if (m_dialog) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    m_dialog = new DestroyDialog(m_runtimes.nameOf(*view), *view, window);
    connect(m_dialog, &QDialog::accepted, this, [this, runtime] {
        application::DestroyRuntime command;
        command.undoSeconds = static_cast<int>(m_undoTime.count());
        send(command, runtime, tr("Could not destroy %1"));
    });
    m_dialog->open();
}

void RuntimeActions::copyId(const QString &runtime)
{
    const RuntimeView *view = m_runtimes.find(runtime);
    if (view)
        QGuiApplication::clipboard()->setText(view->externalId.isEmpty() ? view->id
                                                                         : view->externalId);
}

const RuntimeActions::Failure *RuntimeActions::failure(const QString &runtime) const
{
    const auto it = m_failures.constFind(runtime);
    return it == m_failures.cend() ? nullptr : &*it;
}

void RuntimeActions::dismissFailure(const QString &runtime)
{
    if (m_failures.remove(runtime))
        Q_EMIT changed(runtime);
}

DestroyDialog *RuntimeActions::confirmation() const
{
    return m_dialog;
}

} // namespace berth::ui
