// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/security_words.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/thread_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QHash>

namespace berth::ui {

namespace {

class SecurityText
{
    Q_DECLARE_TR_FUNCTIONS(SecurityText)
};

} // namespace

QString SecurityNames::agent(const QString &id) const
{
    for (const application::AgentView &one : agents) {
        if (one.id.toString() == id)
            return one.name.isEmpty() ? id : one.name;
    }
    return id;
}

QString SecurityNames::thread(const QString &id) const
{
    for (const application::ThreadView &one : threads) {
        if (one.id.toString() == id)
            return one.title.isEmpty() ? id : one.title;
    }
    return id;
}

StateText ruleDecisionText(const QString &decision)
{
    if (decision == QLatin1String("allow"))
        return {SecurityText::tr("Allow"), Tone::Ok, Dot::Filled};
    if (decision == QLatin1String("deny"))
        return {SecurityText::tr("Deny"), Tone::Error, Dot::Square};
    return {SecurityText::tr("Ask"), Tone::Warn, Dot::Half};
}

QString ruleScopeText(const application::RuleView &rule, const SecurityNames &names)
{
    if (rule.scope == QLatin1String("agent"))
        return SecurityText::tr("Agent %1").arg(names.agent(rule.owner));
    if (rule.scope == QLatin1String("thread"))
        return SecurityText::tr("Thread “%1”").arg(names.thread(rule.owner));
    return SecurityText::tr("Every agent and thread");
}

StateText auditDecisionText(const QString &decision)
{
    if (decision == QLatin1String("allowed"))
        return {SecurityText::tr("Allowed"), Tone::Ok, Dot::Filled};
    if (decision == QLatin1String("asked"))
        return {SecurityText::tr("Waits for you"), Tone::Warn, Dot::Half};
    if (decision == QLatin1String("denied"))
        return {SecurityText::tr("Denied"), Tone::Error, Dot::Square};
    if (decision == QLatin1String("hook_denied"))
        return {SecurityText::tr("Denied by a hook"), Tone::Error, Dot::Square};
    if (decision == QLatin1String("not run"))
        return {SecurityText::tr("Not run"), Tone::Neutral, Dot::Ring};
    return {decision, Tone::Neutral, Dot::Ring};
}

QString auditReasonText(const QString &decidedBy)
{
    static const QHash<QString, const char *> kKnown{
        {QStringLiteral("typed by you"), QT_TRANSLATE_NOOP("SecurityText", "typed by you")},
        {QStringLiteral("run anyway by you"),
         QT_TRANSLATE_NOOP("SecurityText", "run anyway by you")},
        {QStringLiteral("allowed by you"), QT_TRANSLATE_NOOP("SecurityText", "by you")},
        {QStringLiteral("denied by you"), QT_TRANSLATE_NOOP("SecurityText", "by you")},
        {QStringLiteral("denied by hook"), QT_TRANSLATE_NOOP("SecurityText", "by a hook")},
        {QStringLiteral("denied by run ended"),
         QT_TRANSLATE_NOOP("SecurityText", "its run ended first")},
        {QStringLiteral("denied: read-only"),
         QT_TRANSLATE_NOOP("SecurityText", "the agent is read-only")},
        {QStringLiteral("denied: unattended"),
         QT_TRANSLATE_NOOP("SecurityText", "nobody was there to ask")},
        {QStringLiteral("denied: broken policy"),
         QT_TRANSLATE_NOOP("SecurityText", "the agent's policy could not be read")},
        {QStringLiteral("allowed: full autonomy"),
         QT_TRANSLATE_NOOP("SecurityText", "the agent has full autonomy")},
        {QStringLiteral("allowed: no approval required"),
         QT_TRANSLATE_NOOP("SecurityText", "no approval is required for it")}};
    if (const char *known = kKnown.value(decidedBy))
        return SecurityText::tr(known);
    for (const QLatin1String prefix :
         {QLatin1String("allowed by rule "), QLatin1String("denied by rule ")}) {
        if (decidedBy.startsWith(prefix))
            return SecurityText::tr("rule %1").arg(visibleText(decidedBy.mid(prefix.size())));
    }
    return visibleText(decidedBy);
}

QString auditOutcomeText(const QString &outcome)
{
    if (outcome == QLatin1String("exited"))
        return SecurityText::tr("ended");
    if (outcome == QLatin1String("signalled"))
        return SecurityText::tr("ended by a signal");
    if (outcome == QLatin1String("timed_out"))
        return SecurityText::tr("timed out");
    if (outcome == QLatin1String("cancelled"))
        return SecurityText::tr("stopped");
    if (outcome == QLatin1String("transport_lost"))
        return SecurityText::tr("connection lost");
    if (outcome == QLatin1String("interrupted"))
        return SecurityText::tr("interrupted");
    if (outcome == QLatin1String("not_started"))
        return SecurityText::tr("not started");
    return outcome;
}

QString hookMomentText(const QString &moment)
{
    return moment == QLatin1String("after_tool") ? SecurityText::tr("Told after")
                                                 : SecurityText::tr("Asked before");
}

QString scopeText(const QString &scope)
{
    if (scope == QLatin1String("read"))
        return SecurityText::tr("read");
    if (scope == QLatin1String("run"))
        return SecurityText::tr("run");
    if (scope == QLatin1String("approve"))
        return SecurityText::tr("approve");
    if (scope == QLatin1String("admin"))
        return SecurityText::tr("administer");
    return scope;
}

QList<QPair<QString, QString>> toolChoices()
{
    QList<QPair<QString, QString>> choices;
    for (const char *tool :
         {"shell", "read_file", "write_file", "edit_file", "list_files", "glob", "grep"}) {
        const QString name = QString::fromLatin1(tool);
        choices.append({name, verbOf(name)});
    }
    return choices;
}

application::FieldView formField(const QString &key, const QString &type, const QString &label,
                                 const QString &value, const QString &help)
{
    application::FieldView field;
    field.key = key;
    field.type = type;
    field.label = label;
    field.value = value;
    field.help = help;
    return field;
}

} // namespace berth::ui
