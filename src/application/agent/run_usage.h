// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "domain/model/endpoint_file.h"

#include <optional>

namespace berth::application {

//! What a run used, and how it is stored in Run::usage.
class RunUsage
{
public:
    RunUsage() = default;
    explicit RunUsage(const QString &stored);

    void add(const domain::ModelUsage &usage, const domain::ModelPrices &prices);
    void setContext(qint64 used, qint64 size);
    [[nodiscard]] const UsageView &view() const { return m_view; }
    [[nodiscard]] qint64 tokens() const;
    //! JSON for Run::usage.
    [[nodiscard]] QString text() const;

    //! A message that went into a run under way has a run of its own, which says here whose.
    [[nodiscard]] domain::RunId joined() const { return m_joined; }
    void setJoined(const domain::RunId &run) { m_joined = run; }

    //! Nobody is there to answer: what would ask is denied. Kept with the run over restarts.
    [[nodiscard]] bool isUnattended() const { return m_unattended; }
    void setUnattended(bool unattended) { m_unattended = unattended; }

private:
    UsageView m_view;
    domain::RunId m_joined;
    bool m_unattended = false;
};

} // namespace berth::application
