// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/scope.h"
#include "domain/provider/provider.h"
#include "providers/local/bubblewrap.h"
#include "providers/local/instance_store.h"
#include "providers/local/sandbox_process.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QHash>

#include <memory>
#include <optional>

namespace berth::local {

//! The Local sandboxes of one data directory and their processes, shared by all providers that work
//! on it, so that each sees the same and a provider made anew by changed settings ends nothing.
//! Engine thread only.
class Runtimes : public QObject, public std::enable_shared_from_this<Runtimes>
{
    Q_OBJECT
public:
    Runtimes(domain::ProviderPaths paths, HostSystem system);
    ~Runtimes() override;

    [[nodiscard]] const InstanceStore &store() const { return m_store; }
    [[nodiscard]] const HostSystem &system() const { return m_system; }
    [[nodiscard]] const domain::ProviderPaths &paths() const { return m_paths; }

    //! What runs \a settings over \a workspace; refuses where isolation is not to be had.
    static domain::Async<SandboxLaunch> prepare(std::shared_ptr<Runtimes> self,
                                                LocalSettings settings, QString hostName,
                                                QString workspace, std::stop_token stop);
    static domain::Async<domain::Instance> create(std::shared_ptr<Runtimes> self,
                                                  InstanceRecord record, std::stop_token stop);
    //! Running afterwards; \a evenPaused: also a paused one, else that is a Conflict.
    static domain::Async<std::shared_ptr<SandboxProcess>> ensureRunning(
        std::shared_ptr<Runtimes> self, domain::ExternalId id, bool evenPaused,
        std::stop_token stop);
    static domain::Async<void> pause(std::shared_ptr<Runtimes> self, domain::ExternalId id,
                                     std::stop_token stop);
    static domain::Async<void> destroy(std::shared_ptr<Runtimes> self, domain::ExternalId id);

    [[nodiscard]] domain::Instance instance(const InstanceRecord &record) const;
    [[nodiscard]] const QList<int> &version() const { return m_version; }
    //! Null when it does not run.
    [[nodiscard]] std::shared_ptr<SandboxProcess> running(const domain::ExternalId &id) const;
    //! What the workspace took when it was last measured; asks for a new measurement when that is
    //! long ago.
    std::optional<qint64> diskBytes(const domain::ExternalId &id);

Q_SIGNALS:
    //! A sandbox's processes have ended, whoever ended them.
    void ended(const berth::domain::ExternalId &id);

private:
    //! One command at a time for each sandbox.
    struct Gate
    {
        bool taken = false;
        QList<async::Completion<bool>> waiting;
    };
    class Pass;
    struct Disk
    {
        std::optional<qint64> bytes;
        QElapsedTimer measured;
        bool underWay = false;
    };

    static async::Task<std::shared_ptr<Pass>> enter(std::shared_ptr<Runtimes> self,
                                                    domain::ExternalId id);
    static domain::Async<std::shared_ptr<SandboxProcess>> startInstance(
        std::shared_ptr<Runtimes> self, InstanceRecord record, std::stop_token stop);
    static domain::Result<SandboxLaunch> prepareOpen(const std::shared_ptr<Runtimes> &self,
                                                     const LocalSettings &settings,
                                                     const QString &name, const QString &workspace);
    static async::Task<void> measureDisk(std::weak_ptr<Runtimes> weak, domain::ExternalId id,
                                         QString workspace, std::stop_token stop);
    static async::Task<bool> removeTree(QString path, std::stop_token stop);
    static async::Task<void> clearLeftovers(QStringList paths, std::stop_token stop);

    domain::ProviderPaths m_paths;
    HostSystem m_system;
    InstanceStore m_store;
    //! Of the bubblewrap found; empty: not asked yet.
    QList<int> m_version;
    QHash<QString, std::shared_ptr<SandboxProcess>> m_running;
    QHash<QString, std::shared_ptr<Gate>> m_gates;
    QHash<QString, Disk> m_disks;
    async::Scope m_scope;
};

} // namespace berth::local
