// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "application/engine_client.h"
#include "ui/models/engine_state.h"

#include <QtCore/QHash>
#include <QtCore/QObject>

#include <functional>

namespace berth::ui {

class TerminalSession;

//! What this window knows of terminals and background commands, in whichever place they are shown:
//! one session for each that was looked at, and which of them have a tab.
class TerminalSessions final : public QObject
{
    Q_OBJECT
public:
    explicit TerminalSessions(EngineState &state, QObject *parent = nullptr);
    ~TerminalSessions() override;

    [[nodiscard]] EngineState &state() const { return m_state; }
    //! In the order in which they began.
    [[nodiscard]] QList<application::ProcessView> of(const domain::LeaseId &lease) const;
    [[nodiscard]] const application::ProcessView *find(const domain::ProcessId &id) const;
    [[nodiscard]] const application::RuntimeView *runtime(const domain::LeaseId &lease) const;
    //! Made when asked for first; null for an unknown one.
    TerminalSession *session(const domain::ProcessId &id);

    //! Has a tab: running terminals unless they were put away, others once they were opened.
    [[nodiscard]] bool isOpen(const application::ProcessView &process) const;
    void setOpen(const domain::ProcessId &id, bool open);

    using Started = std::function<void(const domain::Result<application::ProcessView> &)>;
    //! \a then is not called once \a context is gone.
    domain::RequestId start(QObject *context, const application::StartProcess &command,
                            Started then);
    void stop(const domain::ProcessId &id);
    void remove(const domain::ProcessId &id);
    void resumeRuntime(const domain::LeaseId &lease);

Q_SIGNALS:
    //! Something of a lease's processes, its runtime or their tabs is different.
    void changed();
    //! Stop, remove or resume did not work.
    void failed(const QString &what, const berth::domain::Error &error);

private:
    void onEvent(const application::Event &event);
    void onReset();
    template <typename Command>
    void send(const Command &command, const QString &failureWords);

    EngineState &m_state;
    QHash<domain::ProcessId, TerminalSession *> m_sessions;
    QHash<domain::ProcessId, bool> m_open;
    //! Started by this window and not looked at yet.
    QList<domain::ProcessId> m_fresh;
    //! Starts that were not answered yet.
    int m_starting = 0;
};

} // namespace berth::ui
