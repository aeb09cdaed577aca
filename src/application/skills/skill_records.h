// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"

#include <QtCore/QMap>

// What is kept of skills: which ones an agent has in agents.config_json, and what was put into a
// sandbox in its row's runtime_state.
namespace berth::application {

struct AppliedSkill
{
    //! Of SkillFolder.
    QByteArray hash;
    //! Of what the sandbox listed behind the upload: another one has been changed there.
    QByteArray seen;
    bool operator==(const AppliedSkill &) const = default;
};

struct SandboxSkills
{
    //! To be done at the next ensure, also when there are none.
    bool pending = false;
    //! As was wanted then: names and sources.
    QList<SkillView> wanted;
    //! In which instance \a applied is.
    QString instance;
    QMap<QString, AppliedSkill> applied;
    //! Anything was ever done or wanted here.
    [[nodiscard]] bool isEmpty() const { return !pending && wanted.isEmpty() && applied.isEmpty(); }
};

//! Without problems.
[[nodiscard]] QList<SkillView> skillsOfAgent(const QString &configJson);
domain::Result<QString> withAgentSkills(const QString &configJson, const QList<SkillView> &skills);

[[nodiscard]] SandboxSkills sandboxSkills(const QString &runtimeState);
//! Other keys of it stay.
[[nodiscard]] QString withSandboxSkills(const QString &runtimeState, const SandboxSkills &skills);

} // namespace berth::application
