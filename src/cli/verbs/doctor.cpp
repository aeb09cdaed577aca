// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/table.h"
#include "cli/verbs/verbs.h"

#include <QtCore/QFileInfo>

#include <nlohmann/json.hpp>

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

namespace {

struct Finding
{
    QString what;
    //! "ok", "off" (not set up, which may be as wanted), "wrong".
    QString state;
    QString note;
};

Finding ofProvider(const ProviderView &provider)
{
    Finding finding{QStringLiteral("provider ") + provider.config.toString(), QStringLiteral("ok"),
                    provider.stateText};
    switch (provider.state) {
    case ProviderState::Ready:
        break;
    case ProviderState::Checking:
    case ProviderState::NotSetUp:
    case ProviderState::NeedsKey:
        finding.state = QStringLiteral("off");
        break;
    case ProviderState::Unreachable:
    case ProviderState::Broken:
        // A kind that nobody has set up is no fault of this machine.
        finding.state = provider.saved ? QStringLiteral("wrong") : QStringLiteral("off");
        break;
    }
    if (finding.state != QLatin1String("ok") && !provider.stateDetail.isEmpty())
        finding.note += QStringLiteral(". ") + provider.stateDetail;
    return finding;
}

Finding ofFolder(const QString &what, const QString &path)
{
    const QFileInfo folder(path);
    const bool isPrivate = folder.isDir() && folder.isWritable()
        && !(folder.permissions()
             & (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther));
    return {what, isPrivate ? QStringLiteral("ok") : QStringLiteral("wrong"),
            isPrivate ? path
                      : QStringLiteral("%1 has to be a directory that only you can read and write")
                            .arg(path)};
}

} // namespace

Async<int> doctor(Context context)
{
    const GetSnapshot getSnapshot;
    const Result<Snapshot> snapshot = co_await ask(context, getSnapshot);
    if (!snapshot)
        co_return failure(snapshot.error());
    QList<Finding> findings{
        {QStringLiteral("engine"), QStringLiteral("ok"),
         QStringLiteral("%1, process %2").arg(snapshot->engine.version).arg(snapshot->engine.pid)},
        ofFolder(QStringLiteral("data"), snapshot->engine.dataDirectory)};
    if (!snapshot->engine.databaseProblem.isEmpty())
        findings << Finding{QStringLiteral("records"), QStringLiteral("wrong"),
                            snapshot->engine.databaseProblem};
    const ListProviders listProviders{true};
    const Result<ProviderList> providers = co_await ask(context, listProviders);
    if (!providers)
        co_return failure(providers.error());
    for (const ProviderView &provider : providers->providers)
        findings << ofProvider(provider);
    const ListPresets listPresets;
    const Result<PresetList> presets = co_await ask(context, listPresets);
    if (!presets)
        co_return failure(presets.error());
    if (!presets->problem.isEmpty())
        findings << Finding{QStringLiteral("presets"), QStringLiteral("wrong"), presets->problem};
    const ListModels listModels;
    const Result<ModelList> models = co_await ask(context, listModels);
    if (!models)
        co_return failure(models.error());
    if (!models->problem.isEmpty())
        findings << Finding{QStringLiteral("models"), QStringLiteral("wrong"), models->problem};
    else if (models->endpoints.isEmpty())
        findings << Finding{QStringLiteral("models"), QStringLiteral("off"),
                            QStringLiteral("No model is connected; \"!\" lines work without")};
    for (const AgentView &agent : snapshot->agents) {
        const ListSkills listSkills{agent.id};
        const Result<SkillList> skills = co_await ask(context, listSkills);
        if (!skills)
            continue;
        for (const SkillView &skill : skills->skills) {
            if (!skill.problem.isEmpty())
                findings << Finding{
                    QStringLiteral("skill %1 of %2").arg(skill.name, agent.id.toString()),
                    QStringLiteral("wrong"), skill.problem};
        }
    }
    bool isWell = true;
    nlohmann::json list = nlohmann::json::array();
    Table table({QStringLiteral("WHAT"), QStringLiteral("STATE"), QStringLiteral("NOTE")});
    for (const Finding &finding : std::as_const(findings)) {
        isWell = isWell && finding.state != QLatin1String("wrong");
        table.add({finding.what, finding.state, onOneLine(finding.note)});
        list.push_back({{"what", finding.what.toStdString()},
                        {"state", finding.state.toStdString()},
                        {"note", finding.note.toStdString()}});
    }
    if (context->options.json)
        printJson(context, {{"ok", isWell}, {"findings", list}});
    else
        context->print(
            table.text(context->streams.terminal.columns, context->streams.terminal.colours));
    co_return isWell ? 0 : 1;
}

} // namespace berth::cli
