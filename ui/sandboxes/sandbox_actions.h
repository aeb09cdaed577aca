// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"
#include "domain/error.h"
#include "domain/result.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QSet>

class QMenu;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class ConfirmDialog;
class SandboxModel;

//! What can be done to a sandbox row: sends the command, asks before something goes.
class SandboxActions final : public QObject
{
    Q_OBJECT
public:
    SandboxActions(application::EngineClient &client, SandboxModel &model,
                   QObject *parent = nullptr);

    //! Asks first, in a dialog over \a window.
    void remove(const domain::SandboxId &sandbox, bool destroy, QWidget *window);
    void purge(const domain::SandboxId &sandbox, QWidget *window);
    void restore(const domain::SandboxId &sandbox);
    //! A further sandbox that begins as a copy.
    void copy(const domain::SandboxId &sandbox);

    //! All of it for one row; what cannot be done is greyed, with the reason. Deletes itself.
    QMenu *menuFor(const domain::SandboxId &sandbox, QWidget *parent);

    [[nodiscard]] bool isPending(const domain::SandboxId &sandbox) const
    {
        return m_pending.contains(sandbox);
    }
    //! The open question, if there is one.
    [[nodiscard]] ConfirmDialog *question() const;

Q_SIGNALS:
    void openThread(const berth::domain::ThreadId &thread);
    void showRuntime(const QString &runtime);
    //! A command was sent.
    void started();
    void failed(const QString &what, const berth::domain::Error &error);
    //! A copy is there.
    void copied(const QString &alias);

private:
    template <typename Command>
    void send(const Command &command, const domain::SandboxId &sandbox, const QString &failure);
    void take(const application::SandboxView &row);
    void take(const application::SandboxList &rows);
    void addThreads(QMenu *menu, const domain::SandboxId &sandbox);
    [[nodiscard]] QString threadsText(const domain::SandboxId &sandbox) const;

    application::EngineClient &m_client;
    SandboxModel &m_model;
    QSet<domain::SandboxId> m_pending;
    QPointer<ConfirmDialog> m_question;
};

} // namespace berth::ui
