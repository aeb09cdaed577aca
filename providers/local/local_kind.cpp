// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/local_kind.h"

#include "providers/local/local_provider.h"

namespace berth::local {

namespace {

class LocalKind : public domain::ProviderKind
{
public:
    explicit LocalKind(HostSystem system) : m_system(std::move(system)) {}

    [[nodiscard]] const domain::ProviderSchema &schema() const override { return localSchema(); }
    [[nodiscard]] std::optional<QString> problemWith(
        const QMap<QString, QString> &values) const override
    {
        return localProblem(values);
    }
    [[nodiscard]] QList<domain::SecretOrigin> secretOrigins(
        const QMap<QString, QString> &) const override
    {
        return {};
    }
    [[nodiscard]] QString summary(const QMap<QString, QString> &values) const override
    {
        if (values.value(QStringLiteral("isolation")) == QLatin1String("none"))
            return noIsolationWords();
        return values.value(QStringLiteral("network")) == QLatin1String("true")
            ? QStringLiteral("bubblewrap, network on: reaches this machine's services and the LAN")
            : QStringLiteral("bubblewrap");
    }
    [[nodiscard]] std::unique_ptr<domain::Provider> create(
        domain::ProviderSettings settings, domain::InstallationId,
        domain::ProviderPaths paths) const override
    {
        std::weak_ptr<Runtimes> &known = m_runtimes[paths.data];
        std::shared_ptr<Runtimes> runtimes = known.lock();
        if (!runtimes) {
            runtimes = std::make_shared<Runtimes>(paths, m_system);
            known = runtimes;
        }
        return std::make_unique<LocalProvider>(std::move(settings), std::move(runtimes));
    }

private:
    HostSystem m_system;
    //! By data directory; create() is called on the Engine's thread only.
    mutable QMap<QString, std::weak_ptr<Runtimes>> m_runtimes;
};

} // namespace

std::shared_ptr<const domain::ProviderKind> makeLocalKind(HostSystem system)
{
    return std::make_shared<LocalKind>(std::move(system));
}

} // namespace berth::local
