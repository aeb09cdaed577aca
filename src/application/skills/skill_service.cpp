// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/skills/skill_service.h"

#include "application/skills/skill_folder.h"
#include "application/skills/skill_sync.h"
#include "domain/log.h"
#include "domain/sandbox/naming.h"

#include <QtCore/QFileInfo>
#include <QtCore/QSet>

namespace berth::application {

using domain::Agent;
using domain::AgentId;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::SandboxId;

namespace {

//! What the whole set is read into; the first problem names its skill.
Result<QList<SkillFolder>> readAll(const QList<SkillView> &skills)
{
    QList<SkillFolder> folders;
    qint64 bytes = 0;
    for (const SkillView &skill : skills) {
        Result<SkillFolder> folder = readSkillFolder(skill.name, skill.source);
        if (!folder) {
            domain::Error error = folder.error();
            error.detail = error.detail.isEmpty()
                ? error.message
                : error.message + QStringLiteral(": ") + error.detail;
            error.message = QStringLiteral("The skill \"%1\" cannot be read").arg(skill.name);
            // What is missing here is no sandbox that is missing.
            error.kind = ErrorKind::InvalidInput;
            return failure(error);
        }
        for (const SkillFile &file : std::as_const(folder->files))
            bytes += file.content.size();
        if (bytes > kLargestSkillSet)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("The skills are larger than 16 MiB together"));
        folders.append(std::move(*folder));
    }
    return folders;
}

Result<QList<SkillView>> checkedSet(const QList<SkillView> &asked)
{
    if (asked.size() > kMostSkills)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("An agent has at most %1 skills").arg(kMostSkills));
    QList<SkillView> skills;
    QSet<QString> names;
    for (const SkillView &skill : asked) {
        if (!domain::isValidName(skill.name))
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("\"%1\" cannot be a skill's name").arg(skill.name),
                           QStringLiteral("Use up to 32 small letters, digits, - and _, beginning "
                                          "with a letter or a digit."));
        if (names.contains(skill.name))
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("There are two skills \"%1\"").arg(skill.name));
        names.insert(skill.name);
        skills.append({skill.name, skill.source, {}});
    }
    return skills;
}

} // namespace

SkillService::SkillService(AgentRows &rows, SandboxService &sandboxes)
    : m_rows(rows), m_sandboxes(sandboxes)
{
    m_reader.setMaxThreadCount(1);
    m_sandboxes.setPreparation([this](const SandboxId &sandbox, const domain::InstanceId &instance,
                                      const std::shared_ptr<domain::SandboxConnection> &connection,
                                      const std::stop_token &stop) {
        return prepare(sandbox, instance, connection, stop);
    });
}

Async<SkillService::Folders> SkillService::readFolders(QList<SkillView> skills)
{
    using Read = Result<QList<SkillFolder>>;
    const async::Completion<std::shared_ptr<Read>> done;
    m_reader.start([context = &m_context, done, skills] {
        const auto read = std::make_shared<Read>(readAll(skills));
        async::post(context, [done, read] { done.complete(read); });
    });
    const std::shared_ptr<Read> read = co_await done;
    if (!*read)
        co_return failure(read->error());
    co_return std::make_shared<const QList<SkillFolder>>(std::move(**read));
}

async::Task<QStringList> SkillService::problemsOf(QList<SkillView> skills)
{
    const async::Completion<QStringList> done;
    m_reader.start([context = &m_context, done, skills] {
        QStringList problems;
        for (const SkillView &skill : skills) {
            const Result<void> looked = checkSkillFolder(skill.source);
            if (looked)
                problems << QString();
            else
                problems << (looked.error().detail.isEmpty() ? looked.error().message
                                                             : looked.error().detail);
        }
        async::post(context, [done, problems] { done.complete(problems); });
    });
    const QStringList problems = co_await done;
    co_return problems;
}

QStringList SkillService::pendingOf(const AgentId &agent, const QList<SkillView> &skills) const
{
    QStringList aliases;
    const QList<SandboxView> rows = m_sandboxes.rows(agent, false);
    for (const SandboxView &row : rows) {
        const std::optional<domain::Sandbox> sandbox = m_sandboxes.sandbox(row.id);
        if (!sandbox)
            continue;
        const SandboxSkills known = sandboxSkills(sandbox->runtimeState);
        if (known.pending || (!skills.isEmpty() && known.applied.isEmpty()))
            aliases << row.alias;
    }
    aliases.sort();
    return aliases;
}

Async<SkillList> SkillService::list(AgentId id)
{
    const Result<Agent> agent = co_await m_rows.stored(id);
    if (!agent)
        co_return failure(agent.error());
    SkillList list;
    list.agent = id;
    list.skills = skillsOfAgent(agent->config);
    if (!list.skills.isEmpty()) {
        const QStringList problems = co_await problemsOf(list.skills);
        for (qsizetype at = 0; at < list.skills.size(); ++at)
            list.skills[at].problem = problems.value(at);
    }
    list.pending = pendingOf(id, list.skills);
    const SkillList result = list;
    co_return result;
}

Async<void> SkillService::want(SandboxId sandbox, QList<SkillView> skills)
{
    const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(sandbox);
    if (!row)
        co_return Result<void>();
    SandboxSkills state = sandboxSkills(row->runtimeState);
    state.pending = true;
    state.wanted = skills;
    const Result<void> kept =
        co_await m_sandboxes.setRuntimeState(sandbox, withSandboxSkills(row->runtimeState, state));
    co_return kept;
}

Async<SkillList> SkillService::set(SetSkills command, std::stop_token stop)
{
    const Result<Agent> known = co_await m_rows.stored(command.agent);
    if (!known)
        co_return failure(known.error());
    const Result<QList<SkillView>> skills = checkedSet(command.skills);
    if (!skills)
        co_return failure(skills.error());
    const Result<Folders> folders = co_await readFolders(*skills);
    if (!folders)
        co_return failure(folders.error());
    const AgentRows::Edit edit = [wanted = *skills](Agent &row) -> Result<bool> {
        const Result<QString> config = withAgentSkills(row.config, wanted);
        if (!config)
            return failure(config.error());
        row.config = *config;
        return true;
    };
    const Result<Agent> saved = co_await m_rows.change(command.agent, edit);
    if (!saved)
        co_return failure(saved.error());
    const auto fresh = std::make_shared<const Fresh>(Fresh{*skills, *folders});
    m_fresh.insert(command.agent, fresh);
    const Result<void> given = co_await give(command.agent, *skills, stop);
    // Read by nobody later: until then the folders may have changed.
    if (m_fresh.value(command.agent) == fresh)
        m_fresh.remove(command.agent);
    if (!given)
        co_return failure(given.error());
    const Result<SkillList> result = co_await list(command.agent);
    co_return result;
}

//! To all sandboxes of the agent: to those that are connected at once.
Async<void> SkillService::give(AgentId agent, QList<SkillView> skills, std::stop_token stop)
{
    const QList<SandboxView> rows = m_sandboxes.rows(agent, false);
    for (const SandboxView &row : rows) {
        // Kept first: what fails or has no connection is done at the next ensure.
        const Result<void> wanted = co_await want(row.id, skills);
        if (!wanted)
            co_return failure(wanted.error());
        LeaseController *controller = m_sandboxes.controllerOf(row.id);
        if (!controller)
            continue;
        controller->prepareAnew();
        const Result<void> prepared = co_await controller->prepareIfConnected(stop);
        if (!prepared)
            domain::log(domain::LogLevel::Warning, "skills",
                        QStringLiteral("%1: %2 %3")
                            .arg(row.alias, prepared.error().message, prepared.error().detail));
    }
    co_return Result<void>();
}

//! A part of ensure: its failure is the ensure's.
Async<void> SkillService::prepare(SandboxId id, domain::InstanceId instance,
                                  std::shared_ptr<domain::SandboxConnection> connection,
                                  std::stop_token stop)
{
    const std::optional<domain::Sandbox> row = m_sandboxes.sandbox(id);
    if (!row)
        co_return Result<void>();
    const Result<Agent> agent = co_await m_rows.stored(row->agent);
    if (!agent)
        co_return failure(ErrorKind::Conflict, agent.error().message);
    const QList<SkillView> skills = skillsOfAgent(agent->config);
    const SandboxSkills before = sandboxSkills(row->runtimeState);
    // Most agents have none: then nothing is asked of the sandbox.
    if (skills.isEmpty() && before.isEmpty())
        co_return Result<void>();
    Folders folders;
    if (const auto fresh = m_fresh.value(row->agent); fresh && fresh->skills == skills) {
        folders = fresh->folders;
    } else {
        const Result<Folders> read = co_await readFolders(skills);
        if (!read)
            co_return failure(ErrorKind::Conflict, read.error().message, read.error().detail);
        folders = *read;
    }
    const QMap<QString, AppliedSkill> known =
        before.instance == instance.toString() ? before.applied : QMap<QString, AppliedSkill>();
    const Result<QMap<QString, AppliedSkill>> applied =
        co_await syncSkills(connection, *folders, known, stop);
    if (!applied) {
        domain::Error error = applied.error();
        // A refusal of its file system says nothing of the sandbox as a whole.
        if (error.kind == ErrorKind::NotFound || error.kind == ErrorKind::Forbidden
            || error.kind == ErrorKind::InvalidInput)
            error.kind = ErrorKind::Conflict;
        error.detail = error.detail.isEmpty() ? error.message
                                              : error.message + QStringLiteral(": ") + error.detail;
        error.message = QStringLiteral("The agent's skills could not be put into the sandbox");
        co_return failure(error);
    }
    SandboxSkills after;
    after.wanted = skills;
    after.instance = instance.toString();
    after.applied = *applied;
    const std::optional<domain::Sandbox> now = m_sandboxes.sandbox(id);
    if (!now)
        co_return Result<void>();
    // Changed meanwhile: then that is still to be done.
    after.pending = sandboxSkills(now->runtimeState).pending
        && sandboxSkills(now->runtimeState).wanted != skills;
    if (after.pending)
        after.wanted = sandboxSkills(now->runtimeState).wanted;
    const QString state = withSandboxSkills(now->runtimeState, after);
    if (state == now->runtimeState)
        co_return Result<void>();
    const Result<void> kept = co_await m_sandboxes.setRuntimeState(id, state);
    co_return kept;
}

} // namespace berth::application
