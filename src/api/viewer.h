// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/access/access_facts.h"
#include "application/contract/commands.h"
#include "application/contract/events.h"

#include <QtCore/QMap>

// Who asks, and what there is for him: what is not his does not exist.
namespace berth::api {

class Viewer
{
public:
    //! \a user empty: the owner. \a only not null: this agent alone.
    Viewer(std::shared_ptr<const application::AccessTable> table, QString user,
           domain::AgentId only)
        : m_table(std::move(table)), m_user(std::move(user)), m_only(std::move(only))
    {}

    [[nodiscard]] const QString &user() const { return m_user; }
    [[nodiscard]] const domain::AgentId &only() const { return m_only; }
    //! By the facts of now. Nothing: there is no such agent for him.
    [[nodiscard]] std::optional<application::Role> roleFor(const domain::AgentId &agent) const;
    [[nodiscard]] bool sees(const domain::AgentId &agent, application::Role least) const;
    //! A guest sees only the threads that he began.
    [[nodiscard]] bool seesThread(const domain::AgentId &agent,
                                  const domain::ThreadId &thread) const;

private:
    std::shared_ptr<const application::AccessTable> m_table;
    QString m_user;
    domain::AgentId m_only;
};

//! Takes out of an answer what is not the viewer's. Everything that is no list of many agents'
//! things stays: those are asked for by a name, which is checked before.
template <typename T>
void keepVisible(const Viewer &, T &)
{}
void keepVisible(const Viewer &viewer, application::Snapshot &snapshot);
void keepVisible(const Viewer &viewer, application::ThreadList &list);
void keepVisible(const Viewer &viewer, application::RuntimeList &list);
void keepVisible(const Viewer &viewer, application::SandboxList &list);

//! Whose an event is. Both null: nobody's but the owner's.
struct EventOwner
{
    domain::AgentId agent;
    //! Null: of no thread.
    domain::ThreadId thread;
};

//! Knows from the events before whose things the later ones speak of.
class EventOwners
{
public:
    void learn(const application::Snapshot &snapshot);
    //! In the order in which they come.
    EventOwner ownerOf(const application::EventBody &body);

private:
    [[nodiscard]] EventOwner ofThread(const domain::ThreadId &thread) const;

    QHash<domain::ThreadId, domain::AgentId> m_threads;
    QHash<domain::SandboxId, domain::AgentId> m_sandboxes;
    QHash<domain::ToolCallId, domain::ThreadId> m_calls;
    QHash<domain::ProcessId, EventOwner> m_processes;
    QHash<QString, domain::AgentId> m_runtimes;
};

[[nodiscard]] bool isVisible(const Viewer &viewer, const EventOwner &owner);

} // namespace berth::api
