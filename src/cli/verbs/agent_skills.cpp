// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

#include <QtCore/QDir>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

//! The Engine has another working directory.
SkillView skillOf(const QString &name, const QString &folder)
{
    return {name, QDir::cleanPath(QDir::current().absoluteFilePath(folder)), {}};
}

tl::unexpected<domain::Error> usage(const QString &message)
{
    return failure(ErrorKind::InvalidInput, message,
                   QStringLiteral("agent skills <agent> [list | add <name> <folder> | "
                                  "remove <name> | set <name>=<folder>…]"));
}

//! What the words make of the skills there are.
Result<QList<SkillView>> changedSkills(QList<SkillView> skills, const CliOptions &options)
{
    const QString what = options.arguments[1];
    const QStringList rest = options.arguments.mid(2);
    const auto named = [](const QString &name) {
        return [name](const SkillView &skill) { return skill.name == name; };
    };
    if (what == QLatin1String("set")) {
        if (!rest.isEmpty())
            return usage(QStringLiteral("\"set\" takes <name>=<folder>, and nothing else"));
        skills.clear();
        for (const auto &[name, folder] : options.pairs)
            skills.append(skillOf(name, folder));
        return skills;
    }
    if (what == QLatin1String("add")) {
        if (rest.size() != 2 || !options.pairs.isEmpty())
            return usage(QStringLiteral("\"add\" takes a name and a folder"));
        skills.removeIf(named(rest[0]));
        skills.append(skillOf(rest[0], rest[1]));
        return skills;
    }
    if (what == QLatin1String("remove")) {
        if (rest.size() != 1 || !options.pairs.isEmpty())
            return usage(QStringLiteral("\"remove\" takes the name of a skill"));
        if (skills.removeIf(named(rest[0])) == 0)
            return failure(ErrorKind::NotFound,
                           QStringLiteral("The agent has no skill \"%1\"").arg(rest[0]));
        return skills;
    }
    return usage(QStringLiteral("There is no \"agent skills … %1\"").arg(onOneLine(what)));
}

void show(const Context &context, const SkillList &list)
{
    if (context->options.json)
        return printView(context, list);
    Table table({QStringLiteral("SKILL"), QStringLiteral("FOLDER"), QStringLiteral("NOTE")});
    for (const SkillView &skill : list.skills)
        table.add({skill.name, onOneLine(skill.source), onOneLine(skill.problem)});
    if (table.isEmpty())
        context->note(QStringLiteral("The agent %1 has no skills.").arg(list.agent.toString()));
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    if (!list.pending.isEmpty())
        context->note(QStringLiteral("When they are used next: %1.")
                          .arg(list.pending.join(QStringLiteral(", "))));
}

} // namespace

Async<int> agentSkills(Context context)
{
    const domain::AgentId agent(context->options.arguments[0]);
    const ListSkills listSkills{agent};
    const Result<SkillList> list = co_await ask(context, listSkills);
    if (!list)
        co_return failure(list.error());
    const QString what = context->options.arguments.value(1, QStringLiteral("list"));
    if (what == QLatin1String("list")) {
        if (context->options.arguments.size() > 2 || !context->options.pairs.isEmpty())
            co_return usage(QStringLiteral("\"list\" takes nothing else"));
        show(context, *list);
        co_return 0;
    }
    const Result<QList<SkillView>> skills = changedSkills(list->skills, context->options);
    if (!skills)
        co_return failure(skills.error());
    const SetSkills setSkills{agent, *skills};
    const Result<SkillList> changed = co_await ask(context, setSkills);
    if (!changed)
        co_return failure(changed.error());
    show(context, *changed);
    co_return 0;
}

} // namespace berth::cli
