// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/key_store.h"
#include "scripted_provider.h"

#include <QtCore/QUrl>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

// A kind of provider that needs a key and really sends it: to the port of this machine that its
// api_url names.
namespace berth::test {

//! Counts who connects to it and keeps what they send.
class Listener
{
public:
    Listener() : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(m_socket, reinterpret_cast<sockaddr *>(&address), size) != 0
            || ::listen(m_socket, 16) != 0
            || ::getsockname(m_socket, reinterpret_cast<sockaddr *>(&address), &size) != 0)
            qFatal("no socket to listen on");
        m_port = ntohs(address.sin_port);
    }
    ~Listener() { ::close(m_socket); }
    Listener(const Listener &) = delete;
    Listener &operator=(const Listener &) = delete;

    [[nodiscard]] QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }
    //! Connections since it was made.
    int connections()
    {
        for (;;) {
            const int peer = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC);
            if (peer < 0)
                return m_connections;
            ++m_connections;
            char bytes[256];
            const ssize_t got = ::recv(peer, bytes, sizeof bytes, MSG_DONTWAIT);
            if (got > 0)
                received.append(bytes, static_cast<qsizetype>(got));
            ::close(peer);
        }
    }

    QByteArray received;

private:
    int m_socket;
    quint16 m_port = 0;
    int m_connections = 0;
};

//! What the providers of one test were made of.
struct KeyedWorld
{
    std::shared_ptr<ScriptedEngine> engine = std::make_shared<ScriptedEngine>();
    QList<domain::ProviderSettings> made;
    //! The service answers 401 and repeats the key in its words.
    bool refuses = false;
};

class KeyedProvider final : public domain::Provider
{
public:
    KeyedProvider(std::shared_ptr<KeyedWorld> world, domain::ProviderSettings settings)
        : m_world(std::move(world)), m_settings(std::move(settings)), m_rest(m_world->engine)
    {}
    domain::Capabilities capabilities() const override { return m_rest.capabilities(); }
    QString engineId() const override { return QStringLiteral("keyed"); }
    Async<domain::HealthReport> check(domain::StepSink step, std::stop_token) override
    {
        const Secret key = m_settings.secrets.value(QStringLiteral("api_key"));
        send(key.exposeForWire());
        domain::HealthReport report;
        report.ok = !m_world->refuses;
        report.summary = QStringLiteral("asked");
        if (m_world->refuses) {
            const QString echo = QString::fromUtf8(key.exposeForWire());
            report.error = domain::Error{ErrorKind::Unauthorized,
                                         QStringLiteral("no: ") + echo,
                                         QStringLiteral("key=") + echo,
                                         {},
                                         {}};
            report.steps = {{QStringLiteral("Ask"), domain::StepState::Failed, echo,
                             std::chrono::milliseconds(1)}};
        }
        if (step) {
            for (const domain::HealthStep &one : report.steps)
                step(one);
        }
        co_return report;
    }
    Async<Instance> create(domain::CreateRequest request, domain::ProgressSink sink,
                           std::stop_token stop) override
    {
        return m_rest.create(std::move(request), std::move(sink), stop);
    }
    Async<QList<Instance>> list(std::stop_token stop) override
    {
        send("list");
        return m_rest.list(stop);
    }
    Async<Instance> inspect(ExternalId id, std::stop_token stop) override
    {
        return m_rest.inspect(id, stop);
    }
    Async<void> pause(ExternalId id, std::stop_token stop) override
    {
        return m_rest.pause(id, stop);
    }
    Async<void> resume(ExternalId id, std::stop_token stop) override
    {
        return m_rest.resume(id, stop);
    }
    Async<void> destroy(ExternalId id, std::stop_token stop) override
    {
        return m_rest.destroy(id, stop);
    }
    Async<std::shared_ptr<domain::SandboxConnection>> connect(ExternalId id,
                                                              std::stop_token stop) override
    {
        return m_rest.connect(id, stop);
    }
    Async<void> watch(domain::ProviderEventSink sink, std::stop_token stop) override
    {
        return m_rest.watch(std::move(sink), stop);
    }
    Async<domain::ResourceSample> metrics(ExternalId id, std::stop_token stop) override
    {
        return m_rest.metrics(id, stop);
    }

private:
    using Secret = domain::Secret;

    void send(const QByteArray &bytes) const
    {
        const QUrl url(m_settings.values.value(QStringLiteral("api_url")));
        if (url.host() != QLatin1String("127.0.0.1"))
            return;
        const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<quint16>(url.port()));
        if (::connect(peer, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0
            && ::send(peer, bytes.constData(), size_t(bytes.size()), 0) < 0)
            qWarning("nothing sent");
        ::close(peer);
    }

    std::shared_ptr<KeyedWorld> m_world;
    domain::ProviderSettings m_settings;
    ScriptedProvider m_rest;
};

class KeyedKind final : public domain::ProviderKind
{
public:
    explicit KeyedKind(std::shared_ptr<KeyedWorld> world) : m_world(std::move(world))
    {
        m_schema.facts.kind = QStringLiteral("keyed");
        m_schema.facts.label = QStringLiteral("Keyed");
        m_schema.facts.consoleUrl = QStringLiteral("https://console.keyed.example");
        m_schema.facts.proof = QStringLiteral("Tested against an imitation of the service only");
        domain::SchemaField key;
        key.key = QStringLiteral("api_key");
        key.label = QStringLiteral("API key");
        key.type = domain::FieldType::Secret;
        key.scope = domain::FieldScope::Connection;
        key.required = true;
        key.expandable = true;
        key.environmentVariables = {QStringLiteral("KEYED_API_KEY"), QStringLiteral("KEYED_TOKEN")};
        domain::SchemaField url;
        url.key = QStringLiteral("api_url");
        url.label = QStringLiteral("API address");
        url.scope = domain::FieldScope::Connection;
        url.expandable = true;
        url.defaultValue = QStringLiteral("https://api.keyed.example/v1");
        url.environmentVariables = {QStringLiteral("KEYED_API_URL")};
        domain::SchemaField image;
        image.key = QStringLiteral("template");
        image.label = QStringLiteral("Template");
        image.expandable = true;
        image.defaultValue = QStringLiteral("base");
        m_schema.fields = QList<domain::SchemaField>{key, url, image} + domain::commonFields();
        m_schema.examples = {
            {QStringLiteral("Hosted"), {}, {{QStringLiteral("api_url"), url.defaultValue}}},
            {QStringLiteral("Own"),
             {},
             {{QStringLiteral("api_url"), QStringLiteral("http://localhost:3986/api")}}}};
    }
    const domain::ProviderSchema &schema() const override { return m_schema; }
    std::optional<QString> problemWith(const QMap<QString, QString> &) const override
    {
        return std::nullopt;
    }
    QList<domain::SecretOrigin> secretOrigins(const QMap<QString, QString> &values) const override
    {
        const QUrl url(values.value(QStringLiteral("api_url")));
        const QString origin = url.adjusted(QUrl::RemovePath | QUrl::RemoveQuery).toString();
        return {{origin, origin == QLatin1String("https://api.keyed.example")}};
    }
    QString summary(const QMap<QString, QString> &values) const override
    {
        return values.value(QStringLiteral("template"));
    }
    std::unique_ptr<domain::Provider> create(domain::ProviderSettings settings,
                                             domain::InstallationId,
                                             domain::ProviderPaths) const override
    {
        m_world->made << settings;
        return std::make_unique<KeyedProvider>(m_world, settings);
    }

private:
    std::shared_ptr<KeyedWorld> m_world;
    domain::ProviderSchema m_schema;
};

//! A key store in memory that refuses, waits and vanishes when told to.
class FakeKeyStore final : public domain::KeyStore
{
public:
    bool isPresent() const override { return present; }
    Async<std::optional<domain::Secret>> read(domain::ConfigName config, std::chrono::milliseconds,
                                              std::stop_token stop) override
    {
        ++reads;
        if (locked) {
            const async::Completion<bool> unlocked = opened;
            const std::stop_callback onStop(stop, [unlocked] { unlocked.complete(false); });
            co_await unlocked;
        }
        if (fails)
            co_return failure(*fails);
        if (!entries.contains(config))
            co_return std::optional<domain::Secret>();
        co_return std::optional<domain::Secret>(entries.value(config));
    }
    Async<void> store(domain::ConfigName config, domain::Secret key, std::chrono::milliseconds,
                      std::stop_token) override
    {
        if (fails)
            co_return failure(*fails);
        entries.insert(config, key);
        co_return Result<void>();
    }
    Async<void> remove(domain::ConfigName config, std::chrono::milliseconds,
                       std::stop_token) override
    {
        if (fails)
            co_return failure(*fails);
        entries.remove(config);
        co_return Result<void>();
    }

    QMap<domain::ConfigName, domain::Secret> entries;
    std::optional<domain::Error> fails;
    bool present = true;
    bool locked = false;
    async::Completion<bool> opened;
    int reads = 0;
};

} // namespace berth::test
