// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/access/access_facts.h"
#include "application/agents/agent_service.h"
#include "application/contract/api_contract.h"
#include "domain/policy/access_store.h"

#include <QtCore/QObject>

namespace berth::application {

//! Tokens of the HTTP API, what was granted to them, and who the agents' members are.
class AccessService final : public QObject
{
    Q_OBJECT
public:
    //! \a store null: there are no tokens but the one in the file. \a tokenPath: of that file.
    AccessService(domain::AccessStore *store, AgentService &agents, EventBus &bus,
                  async::Scope &scope, QString tokenPath);
    ~AccessService() override;

    //! Behind that of the agents.
    domain::Async<void> start();
    [[nodiscard]] const std::shared_ptr<AccessTable> &table() const { return m_table; }
    [[nodiscard]] bool isEnabled() const { return m_grants.enabled; }
    [[nodiscard]] bool grants(const QString &scope) const;

    [[nodiscard]] ApiView api() const;
    domain::Async<ApiView> setApi(SetApi command);
    //! Where it is served now, or why not.
    void setServing(const QString &address, const QString &problem);

    [[nodiscard]] TokenList tokens() const;
    domain::Async<MintedToken> mint(NewToken command);
    //! It opens nothing from here on, also when this fails; then it can be repeated.
    domain::Async<TokenList> revoke(QString id);
    [[nodiscard]] domain::Result<TokenView> check(const domain::Secret &secret) const;

    [[nodiscard]] static QByteArray hashOf(const QByteArray &token);

Q_SIGNALS:
    void enabledChanged(bool enabled);

private:
    [[nodiscard]] TokenView viewOf(const domain::ApiToken &token) const;
    void publish();
    void noteUse(const QString &id);
    async::Task<void> storeUse(QString id, QDateTime at);
    domain::Async<void> noteThread(domain::ThreadId thread, QString user);
    domain::Async<Role> join(domain::AgentId agent, QString user, domain::Secret token);

    domain::AccessStore *m_store;
    AgentService &m_agents;
    EventBus &m_bus;
    async::Scope &m_scope;
    QString m_tokenPath;
    std::shared_ptr<AccessTable> m_table = std::make_shared<AccessTable>();
    QList<domain::ApiToken> m_tokens;
    //! Revoked, but still in the store: they would be back after a restart.
    QList<domain::ApiToken> m_unremoved;
    domain::ApiGrants m_grants;
    QHash<domain::ThreadId, QString> m_threadUsers;
    QString m_address;
    QString m_problem;
};

} // namespace berth::application
