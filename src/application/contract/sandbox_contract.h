// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtCore/QList>
#include <QtCore/QStringList>

// Sandboxes of agents as rows, and the presets that they are made from.
namespace berth::application {

struct AgentView;
struct Nothing;
struct SandboxView;

//! A named template in gateway.json.
struct PresetView
{
    QString name;
    //! Provider kind.
    QString type;
    //! JSON object as text; without secrets.
    QString config = QStringLiteral("{}");
    //! Why it cannot be used; empty: it can.
    QString problem;
    bool operator==(const PresetView &) const = default;
};

struct PresetList
{
    QList<PresetView> presets;
    //! Which one a new agent gets; empty: none.
    QString autoProvision;
    QString path;
    //! Why the file could not be read (it is left as it is), or that the default names no preset.
    QString problem;
    bool operator==(const PresetList &) const = default;
};

struct ListPresets
{
    using Reply = PresetList;
    static constexpr const char *kName = "preset.list";
};

//! Adds or replaces one by its name; validated by its provider's schema.
struct SavePreset
{
    using Reply = PresetList;
    static constexpr const char *kName = "preset.save";
    PresetView preset;
};

struct RemovePreset
{
    using Reply = PresetList;
    static constexpr const char *kName = "preset.remove";
    QString name;
};

//! Empty: new agents get no sandbox by themselves.
struct SetAutoProvision
{
    using Reply = PresetList;
    static constexpr const char *kName = "preset.auto_provision";
    QString name;
};

struct SandboxList;

struct ListSandboxes
{
    using Reply = SandboxList;
    static constexpr const char *kName = "sandbox.list";
    //! Null: of all agents.
    domain::AgentId agent;
    //! Also the deleted rows.
    bool deleted = false;
};

//! A row; nothing is made at the provider until it is needed.
struct AddSandbox
{
    using Reply = SandboxView;
    static constexpr const char *kName = "sandbox.add";
    domain::AgentId agent;
    //! Empty: "<type>-<n>".
    QString alias;
    //! Either a preset, or a type with or without a provider config.
    QString preset;
    QString type;
    domain::ConfigName providerConfig;
    //! JSON object as text; over the preset's.
    QString config = QStringLiteral("{}");
};

//! Takes the row away (it can be restored). A cloud runtime goes on unless \a destroy.
struct RemoveSandbox
{
    using Reply = SandboxList;
    static constexpr const char *kName = "sandbox.remove";
    domain::SandboxId sandbox;
    bool destroy = false;
};

//! Conflict while another live row has its alias.
struct RestoreSandbox
{
    using Reply = SandboxView;
    static constexpr const char *kName = "sandbox.restore";
    domain::SandboxId sandbox;
};

//! Of a deleted row: destroys its instance for good.
struct PurgeSandbox
{
    using Reply = SandboxView;
    static constexpr const char *kName = "sandbox.purge";
    domain::SandboxId sandbox;
};

//! Conflict while it has threads or live sandboxes.
struct RemoveAgent
{
    using Reply = Nothing;
    static constexpr const char *kName = "agent.remove";
    domain::AgentId agent;
};

//! A folder of this machine that is in every sandbox of an agent.
struct SkillView
{
    //! Of the folder in the sandbox.
    QString name;
    //! Directory on this machine.
    QString source;
    //! Why it cannot be used; empty: it can.
    QString problem;
    bool operator==(const SkillView &) const = default;
};

struct SkillList
{
    domain::AgentId agent;
    QList<SkillView> skills;
    //! Aliases of sandboxes that get them when they are used next.
    QStringList pending;
    bool operator==(const SkillList &) const = default;
};

struct ListSkills
{
    using Reply = SkillList;
    static constexpr const char *kName = "agent.skills";
    domain::AgentId agent;
};

//! Replaces them all; none of them is changed when one is wrong.
struct SetSkills
{
    using Reply = SkillList;
    static constexpr const char *kName = "agent.set_skills";
    domain::AgentId agent;
    QList<SkillView> skills;
};

//! A further sandbox of the same agent whose instance begins as a copy of this one. Unsupported
//! where the provider cannot, see RuntimeView::forkReason.
struct ForkRuntime
{
    using Reply = SandboxView;
    static constexpr const char *kName = "runtime.fork";
    QString runtime;
    //! Empty: made from the original's.
    QString alias;
};

struct SecurityView
{
    domain::AgentId agent;
    //! The document as JSON text, without the access token.
    QString document;
    bool accessTokenSet = false;
    bool operator==(const SecurityView &) const = default;
};

struct GetSecurity
{
    using Reply = SecurityView;
    static constexpr const char *kName = "agent.security";
    domain::AgentId agent;
};

//! Validated whole before it is saved. access_token: absent keeps, null removes.
struct SetSecurity
{
    using Reply = SecurityView;
    static constexpr const char *kName = "agent.set_security";
    domain::AgentId agent;
    QString document;
};

} // namespace berth::application
