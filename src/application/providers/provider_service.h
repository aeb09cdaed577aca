// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "application/engine/engine_settings.h"
#include "application/engine/event_bus.h"
#include "application/providers/config_file.h"
#include "application/providers/resolved_config.h"
#include "async/completion.h"
#include "async/scope.h"
#include "domain/provider/provider.h"

#include <QtCore/QHash>

#include <memory>

namespace berth::application {

//! The provider config files, the providers made from them, and how each is doing.
class ProviderService final : public QObject
{
    Q_OBJECT
public:
    ProviderService(domain::ProviderKinds kinds, EngineSettings settings,
                    domain::InstallationId installation, EventBus &bus);
    ~ProviderService() override;

    //! "isolation": "none" may be used, or not any more. Providers that can be without are made
    //! anew; what runs in them goes on until it is used again.
    void allowPassthrough(bool allowed);

    //! Before start(): what the user confirmed earlier.
    domain::Async<void> prepare();
    //! Reads the directory, asks the key store for keys and checks every config in the background.
    void start();
    //! The key store has answered for every config, or \a bound is over.
    async::Task<void> keysAsked(std::chrono::milliseconds bound);
    void stop();
    domain::Async<void> drained();

    [[nodiscard]] QList<ProviderView> views() const;
    [[nodiscard]] std::optional<ProviderView> view(const domain::ConfigName &config) const;
    [[nodiscard]] std::shared_ptr<const domain::ProviderKind> kind(const QString &id) const;
    //! Every config that stands for a place where sandboxes may be.
    [[nodiscard]] QList<domain::ConfigName> configs() const;

    //! The provider of a config as saved now. InvalidInput: its file is broken; Forbidden: the user
    //! has not confirmed where its key goes; Unauthorized: it has no key; Unavailable: the key
    //! store has not answered yet. Then nothing was made of it that could send anything.
    domain::Result<std::shared_ptr<domain::Provider>> provider(const domain::ConfigName &config);
    //! The config's values with defaults, flat keys, without keys and what is not confirmed.
    [[nodiscard]] QMap<QString, QString> effective(const domain::ConfigName &config) const;
    //! "docker · python:3.12-slim" for a sandbox of this config with these settings of its own.
    [[nodiscard]] QString label(const domain::ConfigName &config,
                                const QMap<QString, QString> &overrides) const;

    domain::Result<ProviderForm> form(domain::ConfigName config) const;
    domain::Result<ProviderForm> preview(domain::ConfigName config,
                                         QMap<QString, QString> values) const;
    domain::Result<ProviderView> save(domain::ConfigName config, QMap<QString, QString> values);
    domain::Async<HealthView> test(domain::ConfigName config, QMap<QString, QString> values,
                                   domain::StepSink step, std::stop_token stop);
    //! Confirms what view() lists as unconfirmed. Conflict for anything else: it was not shown.
    domain::Async<ProviderView> trust(domain::ConfigName config, QStringList origins,
                                      QStringList variables);
    //! Into the key store, with a reference in the file; an empty key removes both.
    domain::Async<ProviderView> storeKey(domain::ConfigName config, QString field,
                                         domain::Secret key, std::stop_token stop);
    //! Checks all.
    domain::Async<void> refresh(std::stop_token stop);
    //! A call to the provider failed or worked: the state follows without another check.
    void noteReachable(const domain::ConfigName &config, const std::optional<domain::Error> &error);

Q_SIGNALS:
    //! Saved or seen changed on disk: connections made before go on as they are.
    void configChanged(const berth::domain::ConfigName &config);

private:
    struct Entry
    {
        ProviderConfig config;
        std::shared_ptr<const domain::ProviderKind> kind;
        std::shared_ptr<domain::Provider> provider;
        std::optional<domain::Error> broken;
        ProviderView view;
        StoredKey stored;
        //! The key store, at least once.
        bool wasAsked = false;
    };

    void load(const domain::ConfigName &name,
              const std::shared_ptr<const domain::ProviderKind> &kind);
    void describe(Entry &entry) const;
    void publish(Entry &entry);
    //! Read again, told, and checked: its file, its key or what is confirmed is another.
    void changed(const domain::ConfigName &config);
    [[nodiscard]] ResolvedConfig resolve(const Entry &entry,
                                         const QMap<QString, QString> &values) const;
    [[nodiscard]] bool hasKeyStore() const;
    [[nodiscard]] bool asksKeyStore(const Entry &entry, const QMap<QString, QString> &values) const;
    domain::Result<Entry *> known(const domain::ConfigName &config);
    //! Asks the key store; true when it has another answer than before.
    async::Task<bool> readKey(domain::ConfigName config, std::stop_token stop);
    async::Task<void> readKeys(std::stop_token stop);
    Entry *find(const domain::ConfigName &config);
    [[nodiscard]] const Entry *find(const domain::ConfigName &config) const;
    domain::Result<ProviderConfig> withValues(const domain::ConfigName &config,
                                              const QMap<QString, QString> &values,
                                              const Entry **entry) const;
    std::unique_ptr<domain::Provider> make(const Entry &entry,
                                           const ResolvedConfig &resolved) const;
    ProviderForm formOf(const Entry &entry, const QMap<QString, QString> &values) const;
    async::Task<void> checkInBackground(domain::ConfigName config, std::stop_token stop);

    domain::ProviderKinds m_kinds;
    EngineSettings m_settings;
    domain::InstallationId m_installation;
    EventBus &m_bus;
    std::map<QString, Entry> m_entries;
    QMap<domain::ConfigName, domain::Confirmations> m_confirmed;
    async::Completion<bool> m_keysAsked;
    bool m_passthrough = false;
    async::Scope m_scope;
};

} // namespace berth::application
