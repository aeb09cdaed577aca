// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/capabilities.h"
#include "domain/provider/health.h"
#include "domain/provider/instance.h"
#include "domain/provider/schema.h"
#include "domain/resources/resource_sample.h"
#include "domain/result.h"
#include "domain/sandbox/sandbox_connection.h"
#include "domain/secret.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace berth::domain {

struct CreateRequest
{
    InstanceLabels labels;
    //! Wanted name at the provider, from sandboxName(); a taken one gets the suffix "-<n>".
    QString name;
    //! The sandbox row's own settings on top of the provider config, flat keys as in
    //! SchemaField::key without the provider's prefix ("image", "agent_home").
    QMap<QString, QString> overrides;
    //! The row's chosen directory of this machine as workspace; empty: a workspace of Berth's own.
    QString workspace;
};

//! Something happened to one instance outside of a call of ours; what, tells inspect().
using ProviderEventSink = std::function<void(const ExternalId &)>;

//! One provider config at work: docker.json makes one, docker-gpu.json another. Engine thread only.
//! Error kinds carry the decisions: NotFound from inspect(), pause(), resume(), destroy(),
//! connect() and metrics() means the provider itself said that it does not exist; anything not sure
//! is Unavailable, Timeout or Protocol.
class Provider
{
public:
    virtual ~Provider();

    [[nodiscard]] virtual Capabilities capabilities() const = 0;
    //! Which engine or account this is, to tell "on another engine"; empty until known.
    [[nodiscard]] virtual QString engineId() const = 0;
    //! Test connection: each step is told as it ends. An unreachable provider is a report that is
    //! not ok, no Error.
    virtual Async<HealthReport> check(StepSink step, std::stop_token stop) = 0;
    //! Makes and starts one. Not idempotent: the caller looks by token first (list()).
    virtual Async<Instance> create(CreateRequest request, ProgressSink progress,
                                   std::stop_token stop) = 0;
    //! All instances that carry a "berth.installation" label, any state, also those of other
    //! installations.
    virtual Async<QList<Instance>> list(std::stop_token stop) = 0;
    virtual Async<Instance> inspect(ExternalId id, std::stop_token stop) = 0;
    //! Already paused is success.
    virtual Async<void> pause(ExternalId id, std::stop_token stop) = 0;
    //! Brings it to running from paused or stopped; already running is success.
    virtual Async<void> resume(ExternalId id, std::stop_token stop) = 0;
    //! Removes the instance, its volume and Berth's own workspace. Already gone is success.
    virtual Async<void> destroy(ExternalId id, std::stop_token stop) = 0;
    //! Opens shell and files of a running one. Callers share one connection per instance.
    virtual Async<std::shared_ptr<SandboxConnection>> connect(ExternalId id,
                                                              std::stop_token stop) = 0;
    //! Tells of changes that others make, until \a stop; ends with an Error when the provider
    //! cannot tell (Unsupported: the caller polls) or when the stream was lost (the caller lists
    //! again and comes back). Observation only: wakes and bills nothing.
    virtual Async<void> watch(ProviderEventSink sink, std::stop_token stop) = 0;
    //! Control plane only: never wakes, extends or bills.
    virtual Async<ResourceSample> metrics(ExternalId id, std::stop_token stop) = 0;
};

//! Where a provider may put things of its own. All exist and are private (0700).
struct ProviderPaths
{
    //! Lasting: workspaces of Local sandboxes.
    QString data;
    //! Gone after a reboot: sockets, the guest runner's file.
    QString runtime;
};

//! A config as the provider needs it: flat keys ("image", "mount_path"), ${NAME} expanded, defaults
//! filled in.
struct ProviderSettings
{
    ConfigName name;
    //! Without the fields of type Secret.
    QMap<QString, QString> values;
    //! By field key; a missing one was found neither in the config nor in the key store nor in the
    //! environment.
    QMap<QString, Secret> secrets;
    //! Origins to which the user lets the secrets go, beside the service's own.
    QStringList confirmedOrigins;
};

//! A place to which a config would send its secrets.
struct SecretOrigin
{
    //! "https://api.example.com", "http://localhost:3986": scheme, host, and a port that is not the
    //! scheme's own.
    QString origin;
    //! The service's own, as the provider knows it; all others the user confirms first.
    bool isKnown = false;
    bool operator==(const SecretOrigin &) const = default;
};

//! A kind of provider. One per folder below providers/, listed in the registry.
class ProviderKind
{
public:
    virtual ~ProviderKind();
    [[nodiscard]] virtual const ProviderSchema &schema() const = 0;
    //! Values beyond the schema's own rules; the sentence to show, or nullopt.
    [[nodiscard]] virtual std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const = 0;
    //! Where these settings would send a secret; empty for a provider that has none.
    [[nodiscard]] virtual QList<SecretOrigin> secretOrigins(
        const QMap<QString, QString> &values) const = 0;
    //! What a sandbox of these settings is called in one word, e.g. the image.
    [[nodiscard]] virtual QString summary(const QMap<QString, QString> &values) const = 0;
    [[nodiscard]] virtual std::unique_ptr<Provider> create(ProviderSettings settings,
                                                           InstallationId installation,
                                                           ProviderPaths paths) const = 0;
};

using ProviderKinds = QList<std::shared_ptr<const ProviderKind>>;

} // namespace berth::domain
