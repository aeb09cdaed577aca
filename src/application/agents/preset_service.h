// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"
#include "application/providers/provider_service.h"
#include "domain/sandbox/sandbox.h"

namespace berth::application {

//! gateway.json: named templates of sandboxes, and which one a new agent gets. The file is read at
//! each use, so that what an editor wrote counts at once.
class PresetService
{
public:
    //! \a path: of the file, which need not exist.
    PresetService(QString path, ProviderService &providers);

    //! Every preset, those with a problem included; a file that cannot be read is a problem of the
    //! list.
    [[nodiscard]] PresetList list() const;
    domain::Result<PresetList> save(const PresetView &preset);
    domain::Result<PresetList> remove(const QString &name);
    domain::Result<PresetList> setAutoProvision(const QString &name);

    //! A row as \a name makes it, without agent and alias. InvalidInput for an unknown preset, with
    //! the names of the known ones, and for one with a problem.
    [[nodiscard]] domain::Result<domain::Sandbox> row(const QString &name) const;
    //! A row of this kind with these settings; \a config empty: the kind's own provider config.
    [[nodiscard]] domain::Result<domain::Sandbox> row(const QString &type,
                                                      const domain::ConfigName &config,
                                                      const QString &json) const;

private:
    QString m_path;
    ProviderService &m_providers;
};

} // namespace berth::application
