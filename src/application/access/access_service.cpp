// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/access/access_service.h"

#include "domain/log.h"
#include "domain/text.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QRandomGenerator>
#include <QtCore/QUuid>

#include <array>

namespace berth::application {

using domain::AgentId;
using domain::ApiToken;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr qsizetype kLongestName = 80;
constexpr qsizetype kMostTokens = 500;
constexpr qsizetype kLongestToken = 256;
//! "Last used" is written no more often.
constexpr qint64 kUseSeconds = 60;

const QStringList &allScopes()
{
    static const QStringList all{QStringLiteral("read"), QStringLiteral("run"),
                                 QStringLiteral("approve"), QStringLiteral("admin")};
    return all;
}

QByteArray freshToken()
{
    std::array<quint32, 8> words{};
    QRandomGenerator::system()->fillRange(words.data(), static_cast<qsizetype>(words.size()));
    return "berth_"
        + QByteArray(reinterpret_cast<const char *>(words.data()), sizeof words)
              .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

domain::Error noStore()
{
    return {ErrorKind::Unsupported, QStringLiteral("No tokens can be kept here"), {}, {}, {}};
}

//! Of something taken away that could not be stored.
QString notKept(const QString &why, const QString &remedy)
{
    const QString said = QStringLiteral("It holds until Berth ends, and is undone then. ") + remedy;
    return why.isEmpty() ? said : why + QLatin1Char(' ') + said;
}

} // namespace

AccessService::AccessService(domain::AccessStore *store, AgentService &agents, EventBus &bus,
                             async::Scope &scope, QString tokenPath)
    : m_store(store),
      m_agents(agents),
      m_bus(bus),
      m_scope(scope),
      m_tokenPath(std::move(tokenPath))
{
    m_table->noteUse = [this](const QString &id) { noteUse(id); };
    m_table->noteThread = [this](const domain::ThreadId &thread, const QString &user) {
        return noteThread(thread, user);
    };
    m_table->join = [this](const AgentId &agent, const QString &user, const domain::Secret &token) {
        return join(agent, user, token);
    };
    connect(&m_bus, &EventBus::published, this, [this](const Event &event) {
        if (std::holds_alternative<AgentsChanged>(event.body))
            publish();
    });
}

AccessService::~AccessService()
{
    // The table may outlive us with whoever serves.
    m_table->noteUse = nullptr;
    m_table->noteThread = nullptr;
    m_table->join = nullptr;
}

Async<void> AccessService::start()
{
    if (m_store) {
        const Result<QList<ApiToken>> tokens = co_await m_store->tokens();
        if (!tokens)
            co_return failure(tokens.error());
        m_tokens = *tokens;
        const Result<domain::ApiGrants> grants = co_await m_store->grants();
        if (!grants)
            co_return failure(grants.error());
        m_grants = *grants;
        const Result<QMap<domain::ThreadId, QString>> users = co_await m_store->threadUsers();
        if (!users)
            co_return failure(users.error());
        for (auto entry = users->cbegin(); entry != users->cend(); ++entry)
            m_threadUsers.insert(entry.key(), entry.value());
    }
    publish();
    co_return Result<void>();
}

bool AccessService::grants(const QString &scope) const
{
    if (scope == QLatin1String("approve"))
        return m_grants.approve;
    if (scope == QLatin1String("admin"))
        return m_grants.admin;
    return true;
}

//! Whoever serves decides by this from now on.
void AccessService::publish()
{
    const auto facts = std::make_shared<AccessFacts>();
    facts->grantApprove = m_grants.approve;
    facts->grantAdmin = m_grants.admin;
    facts->threadUsers = m_threadUsers;
    for (const domain::Agent &agent : m_agents.agents()) {
        AgentAccess access;
        const Result<domain::SecurityPolicy> policy = domain::readStoredPolicy(agent.security);
        // One that cannot be read is nobody's but the owner's.
        if (policy) {
            access.access = policy->access;
            access.members = membersIn(*policy).value_or(QHash<QString, Role>());
        }
        facts->agents.insert(agent.id, access);
    }
    // Those of an agent that was removed went with it.
    m_tokens.removeIf([&facts](const ApiToken &token) {
        return !token.agent.isNull() && !facts->agents.contains(token.agent);
    });
    for (const ApiToken &token : std::as_const(m_tokens))
        facts->tokens.append({token.id, token.user, token.scopes, token.agent, token.hash});
    m_table->publish(facts);
}

ApiView AccessService::api() const
{
    ApiView view;
    view.enabled = m_grants.enabled;
    view.address = m_address;
    view.tokenPath = m_tokenPath;
    view.problem = m_problem;
    view.grantApprove = m_grants.approve;
    view.grantAdmin = m_grants.admin;
    return view;
}

Async<ApiView> AccessService::setApi(SetApi command)
{
    if (!m_store)
        co_return failure(noStore());
    const domain::ApiGrants wanted{command.enabled, command.grantApprove, command.grantAdmin};
    const bool changesEnabled = wanted.enabled != m_grants.enabled;
    const bool takesBack =
        (m_grants.approve && !wanted.approve) || (m_grants.admin && !wanted.admin);
    if (takesBack) {
        // At once, and also when it cannot be stored.
        m_grants.approve = m_grants.approve && wanted.approve;
        m_grants.admin = m_grants.admin && wanted.admin;
        publish();
    }
    const Result<void> stored = co_await m_store->setGrants(wanted);
    if (!stored) {
        domain::Error error = stored.error();
        if (takesBack) {
            m_bus.publish(ApiChanged{api()});
            error.detail = notKept(error.detail, QStringLiteral("Set it again."));
        }
        co_return failure(error);
    }
    m_grants = wanted;
    publish();
    if (changesEnabled && !m_grants.enabled)
        m_problem.clear();
    if (changesEnabled)
        Q_EMIT enabledChanged(m_grants.enabled);
    m_bus.publish(ApiChanged{api()});
    co_return api();
}

void AccessService::setServing(const QString &address, const QString &problem)
{
    if (m_address == address && m_problem == problem)
        return;
    m_address = address;
    m_problem = problem;
    m_bus.publish(ApiChanged{api()});
}

TokenView AccessService::viewOf(const ApiToken &token) const
{
    TokenView view;
    view.id = token.id;
    view.name = token.name;
    view.user = token.user;
    view.scopes = token.scopes;
    view.agent = token.agent;
    view.createdAt = token.createdAt;
    view.lastUsedAt = token.lastUsedAt;
    return view;
}

TokenList AccessService::tokens() const
{
    TokenList list;
    for (const ApiToken &token : m_tokens)
        list.tokens << viewOf(token);
    // Still to be seen, so that they can be revoked once more.
    for (const ApiToken &token : m_unremoved)
        list.tokens << viewOf(token);
    return list;
}

Async<MintedToken> AccessService::mint(NewToken command)
{
    if (!m_store)
        co_return failure(noStore());
    ApiToken token;
    token.name = command.name.simplified();
    if (token.name.isEmpty() || token.name.size() > kLongestName)
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("A token's name has 1 to %1 characters").arg(kLongestName));
    if (m_tokens.size() >= kMostTokens)
        co_return failure(ErrorKind::Conflict, QStringLiteral("There are too many tokens"),
                          QStringLiteral("Revoke those that are not used any more."));
    if (!command.user.isEmpty() && !isUserName(command.user))
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("\"%1\" cannot be a user's name").arg(command.user.left(80)),
            QStringLiteral("Use 1 to 64 letters, digits and . _ - @ +."));
    for (const QString &scope : std::as_const(command.scopes)) {
        if (!allScopes().contains(scope))
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("There is no scope \"%1\"").arg(scope.left(80)),
                              QStringLiteral("There are read, run, approve and admin."));
        if (!grants(scope))
            co_return failure(
                ErrorKind::Forbidden,
                QStringLiteral("Tokens may not be given the scope \"%1\"").arg(scope),
                QStringLiteral("It has to be granted in Berth's window first: Settings, API."));
    }
    if (command.scopes.isEmpty())
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("A token without scopes may do nothing"),
                          QStringLiteral("Name some of read, run, approve and admin."));
    if (!command.agent.isNull() && !m_agents.agent(command.agent))
        co_return failure(ErrorKind::NotFound,
                          QStringLiteral("There is no agent \"%1\"").arg(command.agent.toString()));
    // In one order, each once.
    for (const QString &scope : allScopes()) {
        if (command.scopes.contains(scope))
            token.scopes << scope;
    }
    const domain::Secret secret(freshToken());
    token.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    token.user = command.user;
    token.agent = command.agent;
    token.hash = hashOf(secret.exposeForWire());
    token.createdAt = domain::nowUtc();
    const Result<void> stored = co_await m_store->addToken(token);
    if (!stored)
        co_return failure(stored.error());
    m_tokens << token;
    publish();
    const MintedToken minted{viewOf(token), secret};
    co_return minted;
}

Async<TokenList> AccessService::revoke(QString id)
{
    if (!m_store)
        co_return failure(noStore());
    const auto isIt = [&id](const ApiToken &token) { return token.id == id; };
    const auto found = std::find_if(m_tokens.begin(), m_tokens.end(), isIt);
    if (found != m_tokens.end()) {
        // Before it is stored: from here on it opens nothing.
        m_unremoved << *found;
        m_tokens.erase(found);
        publish();
    } else if (std::none_of(m_unremoved.cbegin(), m_unremoved.cend(), isIt)) {
        co_return failure(ErrorKind::NotFound, QStringLiteral("There is no token %1").arg(id));
    }
    const Result<void> removed = co_await m_store->removeToken(id);
    if (!removed && removed.error().kind != ErrorKind::NotFound) {
        domain::Error error = removed.error();
        error.detail = notKept(error.detail, QStringLiteral("Revoke it again."));
        co_return failure(error);
    }
    m_unremoved.removeIf(isIt);
    co_return tokens();
}

Result<TokenView> AccessService::check(const domain::Secret &secret) const
{
    if (!secret.isEmpty() && secret.exposeForWire().size() <= kLongestToken) {
        const std::shared_ptr<const AccessFacts> facts = m_table->facts();
        if (const KnownToken *known = facts->tokenOf(hashOf(secret.exposeForWire()))) {
            for (const ApiToken &token : m_tokens) {
                if (token.id != known->id)
                    continue;
                TokenView view = viewOf(token);
                view.scopes = facts->scopesOf(*known);
                return view;
            }
        }
    }
    return failure(ErrorKind::NotFound, QStringLiteral("This is nobody's token"));
}

QByteArray AccessService::hashOf(const QByteArray &token)
{
    return QCryptographicHash::hash(token, QCryptographicHash::Sha256);
}

void AccessService::noteUse(const QString &id)
{
    for (ApiToken &token : m_tokens) {
        if (token.id != id)
            continue;
        const QDateTime now = domain::nowUtc();
        if (token.lastUsedAt.isValid() && token.lastUsedAt.secsTo(now) < kUseSeconds)
            return;
        token.lastUsedAt = now;
        m_scope.spawn(storeUse(id, now));
    }
}

async::Task<void> AccessService::storeUse(QString id, QDateTime at)
{
    const Result<void> stored = co_await m_store->noteTokenUsed(id, at);
    if (!stored)
        domain::log(domain::LogLevel::Warning, "access", stored.error().message);
}

Async<void> AccessService::noteThread(domain::ThreadId thread, QString user)
{
    m_threadUsers.insert(thread, user);
    publish();
    if (!m_store)
        co_return Result<void>();
    const Result<void> stored = co_await m_store->setThreadUser(thread, user);
    co_return stored;
}

Async<Role> AccessService::join(AgentId id, QString user, domain::Secret token)
{
    // One answer for an agent that is not there, one that is private, and a wrong token.
    const domain::Error closed{ErrorKind::NotFound,
                               QStringLiteral("There is no such agent, or it cannot be joined"),
                               {},
                               {},
                               {}};
    const domain::Agent *agent = m_agents.agent(id);
    if (!agent || !isUserName(user))
        co_return failure(closed);
    const Result<domain::SecurityPolicy> policy = domain::readStoredPolicy(agent->security);
    if (!policy)
        co_return failure(closed);
    // Whoever is known already keeps what he is.
    if (const std::optional<Role> role = m_table->facts()->roleOf(user, id);
        role && policy->access != domain::Access::Protected)
        co_return *role;
    const QHash<QString, Role> members = membersIn(*policy).value_or(QHash<QString, Role>());
    if (members.contains(user))
        co_return members.value(user);
    if (policy->access != domain::Access::Protected || !domain::isAccessToken(*policy, token))
        co_return failure(closed);
    const Result<void> joined = co_await m_agents.addMember(id, user, Role::User);
    if (!joined)
        co_return failure(joined.error());
    co_return Role::User;
}

} // namespace berth::application
