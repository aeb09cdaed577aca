// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <QtCore/QObject>

namespace berth::ui {

//! The window's copy of what the Engine says: one snapshot, kept up by events. A gap in their
//! sequence or a new connection takes a new snapshot.
class EngineState final : public QObject
{
    Q_OBJECT
public:
    explicit EngineState(application::EngineClient &client, QObject *parent = nullptr);

    [[nodiscard]] application::EngineClient &client() const { return m_client; }
    //! There was a snapshot at least once.
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] bool isConnected() const { return m_connected; }
    //! Why not connected, in words; empty while connected.
    [[nodiscard]] const QString &lostReason() const { return m_lostReason; }
    [[nodiscard]] const application::Snapshot &snapshot() const { return m_snapshot; }
    [[nodiscard]] const application::ThreadView *thread(const domain::ThreadId &id) const;
    [[nodiscard]] const application::ProviderView *provider(const domain::ConfigName &config) const;

    [[nodiscard]] const application::AgentView *agent(const domain::AgentId &id) const;

    //! The answer of a command, before its event comes.
    void apply(const application::ThreadView &thread);
    void apply(const application::ProcessView &process);
    //! Decided by this window, before its event comes.
    void closeApproval(const domain::ToolCallId &call);
    void refresh();

Q_SIGNALS:
    //! A new snapshot is there.
    void reset();
    //! Already taken into snapshot().
    void event(const berth::application::Event &event);
    void connectionChanged(bool connected);
    //! Another set of calls waits for the user.
    void approvalsChanged();

private:
    void take(const application::Event &event);
    void onConnection(bool connected, const QString &reason);

    application::EngineClient &m_client;
    application::Snapshot m_snapshot;
    QList<application::Event> m_early;
    QString m_lostReason;
    bool m_loaded = false;
    bool m_connected = false;
    bool m_asking = false;
};

} // namespace berth::ui
