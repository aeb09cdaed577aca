// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/engine/engine_settings.h"
#include "application/engine/event_bus.h"
#include "domain/model/endpoint_file.h"
#include "domain/provider/key_store.h"

#include <QtCore/QDateTime>
#include <QtCore/QHash>

#include <memory>

namespace berth::application {

//! A model that can be asked now.
struct ReadyModel
{
    std::shared_ptr<domain::ModelClient> client;
    QString endpoint;
    QString model;
    //! 0: not known.
    qint64 contextTokens = 0;
    int maxTokens = 0;
    domain::ModelPrices prices;
};

//! The endpoints of models.json, their keys, and clients of them. The file is read again when it
//! has changed; a broken one is left as it is.
class ModelService final : public QObject
{
    Q_OBJECT
public:
    ModelService(EngineSettings settings, EventBus &bus);
    ~ModelService() override;

    domain::Async<void> start();

    //! The endpoint of that name can be asked; empty: the default one.
    [[nodiscard]] bool hasModel(const QString &name = {}) const;
    //! The endpoint of that name; empty: the default one. Unsupported: there is none; NotFound;
    //! Unauthorized: it has no key; InvalidInput: it names no model.
    domain::Async<ReadyModel> ready(QString name, std::stop_token stop);

    domain::Async<ModelList> list(bool refresh, std::stop_token stop);
    domain::Async<ModelEndpointView> save(ModelEndpointView view);
    domain::Async<Nothing> remove(QString name, std::stop_token stop);
    domain::Async<ModelEndpointView> storeKey(StoreModelKey request, std::stop_token stop);
    domain::Async<HealthView> test(QString name, domain::StepSink step, std::stop_token stop);

Q_SIGNALS:
    void changed();

private:
    //! What only memory knows of an endpoint.
    struct Known
    {
        QStringList models;
        qint64 contextTokens = -1;
        QString state;
        QString stateText;
        QString stateDetail;
        std::shared_ptr<domain::ModelClient> client;
    };
    struct FoundKey
    {
        domain::Secret key;
        QString origin;
        //! Why there is none, where that is more than its absence.
        QString why;
    };

    void reload();
    //! The same, with what was seen for the first time written down.
    domain::Async<void> refresh();
    //! The key of this endpoint was given for this address.
    [[nodiscard]] bool isConfirmed(const domain::ModelEndpointEntry &entry) const;
    domain::Async<void> confirm(domain::ModelEndpointEntry entry);
    //! It is in the file as it was when \a generation was read.
    [[nodiscard]] bool isStill(const domain::ModelEndpointEntry &entry, int generation) const;
    void forget(const QString &name);
    domain::Result<void> write(const domain::ModelEndpointFile &file);
    [[nodiscard]] const domain::ModelEndpointEntry *find(const QString &name) const;
    [[nodiscard]] const domain::ModelEndpointEntry *defaultEntry() const;
    [[nodiscard]] bool hasKeyStore() const;
    domain::Async<FoundKey> keyOf(domain::ModelEndpointEntry entry, std::stop_token stop);
    domain::Async<std::shared_ptr<domain::ModelClient>> clientOf(domain::ModelEndpointEntry entry,
                                                                 std::stop_token stop);
    domain::Async<ModelEndpointView> viewOf(domain::ModelEndpointEntry entry, std::stop_token stop);
    domain::Async<void> ask(domain::ModelEndpointEntry entry, std::stop_token stop);
    void note(const QString &name, const std::optional<domain::Error> &error);
    void publish();

    EngineSettings m_settings;
    EventBus &m_bus;
    QString m_path;
    domain::ModelEndpointFile m_file;
    //! Why the file cannot be used.
    QString m_problem;
    QDateTime m_readAt;
    qint64 m_readSize = -1;
    QHash<QString, Known> m_known;
    //! Counts what forget() did: an answer from before it is not kept.
    int m_generation = 0;
    //! Where the key of an endpoint may go, by the endpoint's name.
    QHash<QString, QStringList> m_confirmed;
    //! Endpoints with a key that were never seen before.
    QList<domain::ModelEndpointEntry> m_new;
    QStringList m_found;
};

} // namespace berth::application
