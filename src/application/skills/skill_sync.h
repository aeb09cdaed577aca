// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/skills/skill_folder.h"
#include "application/skills/skill_records.h"
#include "domain/sandbox/sandbox_connection.h"

#include <stop_token>

namespace berth::application {

//! Makes <home>/.berth/skills/ contain exactly \a wanted: what has the same hash as \a before says
//! and still looks as it did then is left alone; the rest is written beside and renamed into its
//! place; anything else there is removed. Answers what is there then.
domain::Async<QMap<QString, AppliedSkill>> syncSkills(
    std::shared_ptr<domain::SandboxConnection> connection, QList<SkillFolder> wanted,
    QMap<QString, AppliedSkill> before, std::stop_token stop);

} // namespace berth::application
