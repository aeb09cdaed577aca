// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/error.h"
#include "ui/models/runtime_model.h"

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QSet>

#include <chrono>

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class DestroyDialog;

//! What can be done to a runtime, for card, menu and sheet alike: sends the command, keeps what
//! went wrong.
class RuntimeActions final : public QObject
{
    Q_OBJECT
public:
    struct Failure
    {
        //! "Could not pause default / docker-1"
        QString what;
        domain::Error error;
        //! For the clipboard: everything but secrets.
        QString details;
    };

    RuntimeActions(application::EngineClient &client, RuntimeModel &runtimes,
                   QObject *parent = nullptr);

    void pause(const QString &runtime);
    void resume(const QString &runtime);
    //! A destroy that is not due yet.
    void undoDestroy(const QString &runtime);
    //! What the one button of a card does: undo, resume or pause.
    void toggle(const application::RuntimeView &runtime);
    //! How long a destroy can be undone.
    void setUndoTime(std::chrono::seconds time) { m_undoTime = time; }
    //! Asks first, in a dialog over \a window.
    void destroy(const QString &runtime, QWidget *window);
    void copyId(const QString &runtime);

    [[nodiscard]] bool isPending(const QString &runtime) const
    {
        return m_pending.contains(runtime);
    }
    [[nodiscard]] const Failure *failure(const QString &runtime) const;
    void dismissFailure(const QString &runtime);
    //! The open confirmation, if there is one.
    [[nodiscard]] DestroyDialog *confirmation() const;

Q_SIGNALS:
    //! A command was sent or answered, or a failure came or went.
    void changed(const QString &runtime);
    void failed(const QString &runtime);

private:
    template <typename Command>
    void send(Command command, const QString &runtime, const QString &failureWords);

    application::EngineClient &m_client;
    RuntimeModel &m_runtimes;
    QSet<QString> m_pending;
    QHash<QString, Failure> m_failures;
    QPointer<DestroyDialog> m_dialog;
    std::chrono::seconds m_undoTime{30};
};

} // namespace berth::ui
