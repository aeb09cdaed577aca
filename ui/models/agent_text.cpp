// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/agent_text.h"

#include "ui/models/runtime_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>

namespace berth::ui {

using application::AgentView;

namespace {

constexpr qsizetype kNamed = 3;
constexpr qint64 kNowSeconds = 60;

class AgentText
{
    Q_DECLARE_TR_FUNCTIONS(AgentText)
};

QString someOf(const QStringList &names)
{
    QString list = QStringList(names.mid(0, kNamed)).join(AgentText::tr(", ", "between names"));
    const int more = static_cast<int>(names.size() - kNamed);
    return more > 0 ? AgentText::tr("%1 and %n more", nullptr, more).arg(list) : list;
}

} // namespace

QString approvalsText(const AgentView &agent)
{
    if (agent.autonomy == QLatin1String("readonly"))
        return AgentText::tr("read only");
    if (agent.autonomy == QLatin1String("full"))
        return AgentText::tr("never asks");
    if (agent.autonomy == QLatin1String("supervised"))
        return agent.requireApprovalFor.isEmpty()
            ? AgentText::tr("supervised")
            : AgentText::tr("asks for %1").arg(agent.requireApprovalFor.join(QStringLiteral(", ")));
    // A policy that cannot be read allows nothing.
    return agent.autonomy.isEmpty() ? AgentText::tr("cannot be read") : agent.autonomy;
}

QString accessText(const QString &access)
{
    if (access == QLatin1String("private"))
        return AgentText::tr("private");
    if (access == QLatin1String("protected"))
        return AgentText::tr("protected");
    if (access == QLatin1String("public"))
        return AgentText::tr("public");
    return access.isEmpty() ? QStringLiteral("—") : access;
}

QString accessMeaning(const QString &access)
{
    if (access == QLatin1String("public"))
        return AgentText::tr("Anybody who says who they are joins as a guest.");
    if (access == QLatin1String("protected"))
        return AgentText::tr("Whoever has its access token may join.");
    return AgentText::tr("Only you, and whom you add. For everybody else it does not exist.");
}

QString lifecycleText(const domain::LifecyclePolicy &policy)
{
    const QString start = policy.start == domain::StartPolicy::Session
        ? AgentText::tr("starts with a session")
        : AgentText::tr("starts on demand");
    QString stop = AgentText::tr("stops with the last session");
    if (policy.stop == domain::StopPolicy::Idle)
        stop = policy.idleTimeoutMinutes == 0
            ? AgentText::tr("never stops by itself")
            : AgentText::tr("stops after %n min idle", nullptr, policy.idleTimeoutMinutes);
    return AgentText::tr("%1, %2", "start and stop of a sandbox").arg(start, stop);
}

QString agoText(const QDateTime &at, const QDateTime &now)
{
    if (!at.isValid())
        return AgentText::tr("never");
    const qint64 seconds = at.secsTo(now);
    return seconds < kNowSeconds ? AgentText::tr("now")
                                 : AgentText::tr("%1 ago").arg(shortSpan(seconds));
}

void setApprovals(AgentView *agent, Approvals approvals)
{
    agent->autonomy = QStringLiteral("supervised");
    agent->requireApprovalFor.clear();
    switch (approvals) {
    case Approvals::Commands:
        agent->requireApprovalFor = {QStringLiteral("exec")};
        break;
    case Approvals::CommandsAndFiles:
        agent->requireApprovalFor = {QStringLiteral("exec"), QStringLiteral("write")};
        break;
    case Approvals::ReadOnly:
        agent->autonomy = QStringLiteral("readonly");
        break;
    case Approvals::Never:
        agent->autonomy = QStringLiteral("full");
        break;
    }
}

QStringList obstaclesOf(const application::Snapshot &snapshot, const domain::AgentId &agent)
{
    QStringList threads;
    for (const application::ThreadView &thread : snapshot.threads) {
        if (thread.agent == agent)
            threads.append(AgentText::tr("“%1”").arg(thread.title));
    }
    QStringList sandboxes;
    for (const application::SandboxView &sandbox : snapshot.sandboxes) {
        if (sandbox.agent == agent && sandbox.status != QLatin1String("deleted"))
            sandboxes.append(sandbox.alias);
    }
    QStringList all;
    if (!threads.isEmpty())
        all.append(AgentText::tr("%n thread(s): %1", nullptr, static_cast<int>(threads.size()))
                       .arg(someOf(threads)));
    if (!sandboxes.isEmpty())
        all.append(AgentText::tr("%n sandbox(es): %1", nullptr, static_cast<int>(sandboxes.size()))
                       .arg(someOf(sandboxes)));
    return all;
}

} // namespace berth::ui
