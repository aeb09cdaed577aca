// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/skills/skill_records.h"

#include "domain/result.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char *kSkills = "skills";

Json parsedObject(const QString &text)
{
    const Json parsed = Json::parse(text.toStdString(), nullptr, false);
    return parsed.is_object() ? parsed : Json::object();
}

QString textAt(const Json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string()
        ? QString::fromStdString(found->get<std::string>())
        : QString();
}

QList<SkillView> readSkills(const Json &list)
{
    QList<SkillView> skills;
    if (!list.is_array())
        return skills;
    for (const Json &entry : list) {
        if (!entry.is_object())
            continue;
        const SkillView skill{textAt(entry, "name"), textAt(entry, "source"), {}};
        if (!skill.name.isEmpty() && !skill.source.isEmpty())
            skills.append(skill);
    }
    return skills;
}

Json writtenSkills(const QList<SkillView> &skills)
{
    Json list = Json::array();
    for (const SkillView &skill : skills)
        list.push_back(
            {{"name", skill.name.toStdString()}, {"source", skill.source.toStdString()}});
    return list;
}

QString dumped(const Json &object)
{
    return QString::fromStdString(object.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace

QList<SkillView> skillsOfAgent(const QString &configJson)
{
    const Json config = parsedObject(configJson);
    const auto found = config.find(kSkills);
    return found == config.end() ? QList<SkillView>() : readSkills(*found);
}

domain::Result<QString> withAgentSkills(const QString &configJson, const QList<SkillView> &skills)
{
    Json config = Json::parse(configJson.toStdString(), nullptr, false);
    if (!config.is_object())
        return domain::failure(domain::ErrorKind::InvalidInput,
                               QStringLiteral("The agent's config is not a JSON object"));
    config.erase(kSkills);
    if (!skills.isEmpty())
        config[kSkills] = writtenSkills(skills);
    return dumped(config);
}

SandboxSkills sandboxSkills(const QString &runtimeState)
{
    SandboxSkills skills;
    const Json state = parsedObject(runtimeState);
    const auto found = state.find(kSkills);
    if (found == state.end() || !found->is_object())
        return skills;
    const auto pending = found->find("pending");
    skills.pending = pending != found->end() && pending->is_boolean() && pending->get<bool>();
    if (const auto wanted = found->find("wanted"); wanted != found->end())
        skills.wanted = readSkills(*wanted);
    skills.instance = textAt(*found, "instance");
    const auto applied = found->find("applied");
    if (applied != found->end() && applied->is_object()) {
        for (const auto &[name, entry] : applied->items()) {
            if (entry.is_object())
                skills.applied.insert(
                    QString::fromStdString(name),
                    {textAt(entry, "hash").toLatin1(), textAt(entry, "seen").toLatin1()});
        }
    }
    return skills;
}

QString withSandboxSkills(const QString &runtimeState, const SandboxSkills &skills)
{
    Json state = parsedObject(runtimeState);
    Json applied = Json::object();
    for (auto entry = skills.applied.cbegin(); entry != skills.applied.cend(); ++entry)
        applied[entry.key().toStdString()] = {{"hash", entry->hash.toStdString()},
                                              {"seen", entry->seen.toStdString()}};
    state[kSkills] = {{"pending", skills.pending},
                      {"wanted", writtenSkills(skills.wanted)},
                      {"instance", skills.instance.toStdString()},
                      {"applied", applied}};
    return dumped(state);
}

} // namespace berth::application
