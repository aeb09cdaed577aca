// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/daytona/provider.h"
#include "support/await.h"
#include "support/fake_service.h"

#include <nlohmann/json_fwd.hpp>

namespace berth::test {

//! Stands for the key wherever it must not be found.
constexpr char kDaytonaKey[] = "dtn_test";

//! The imitation of the service in tests/fakes, and providers that are impatient with it.
class DaytonaService
{
public:
    //! Why not; empty: it serves.
    QString start();
    //! Well again, as at its start.
    void heal();

    //! \a more: on top of the provider's settings.
    [[nodiscard]] std::shared_ptr<daytona::Core> makeCore(const domain::InstallationId &owner,
                                                          const QMap<QString, QString> &more = {});
    [[nodiscard]] std::unique_ptr<daytona::DaytonaProvider> makeProvider(
        const QMap<QString, QString> &more = {});
    [[nodiscard]] domain::CreateRequest request(const char *alias) const;
    //! A running one for tests that change nothing of it; null when it cannot be made.
    [[nodiscard]] domain::ExternalId shared();

    void knobs(const nlohmann::json &told);
    //! The only fault from now on.
    void fault(const nlohmann::json &told);
    [[nodiscard]] nlohmann::json requests();
    //! How often it was asked for what holds \a target.
    [[nodiscard]] int asked(const char *method, const char *target, const char *surface = "api");
    [[nodiscard]] QString url(const QString &listener) const { return m_fake.url(listener); }

    const domain::InstallationId installation = domain::InstallationId::create();

private:
    FakeService m_fake;
    domain::ExternalId m_shared;
};

} // namespace berth::test
