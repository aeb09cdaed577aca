// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/registry.h"

#include "cli/verbs/verbs.h"

namespace berth::cli {

namespace {

OptionSpec flag(const char *name, const char *help)
{
    return {QString::fromLatin1(name), OptionKind::Flag, {}, QString::fromUtf8(help)};
}

OptionSpec text(const char *name, const char *valueName, const char *help)
{
    return {QString::fromLatin1(name), OptionKind::Text, QString::fromLatin1(valueName),
            QString::fromUtf8(help)};
}

OptionSpec timeout()
{
    return {QStringLiteral("--timeout"), OptionKind::Duration, QStringLiteral("<duration>"),
            QStringLiteral("kill the command after this time (500ms, 30s, 2m); exit code 137")};
}

VerbSpec verb(const char *noun, const char *name, const char *synopsis, const char *summary,
              VerbFunction run)
{
    VerbSpec spec;
    spec.noun = QString::fromLatin1(noun);
    spec.verb = QString::fromLatin1(name);
    spec.synopsis = QString::fromUtf8(synopsis);
    spec.summary = QString::fromUtf8(summary);
    spec.passesExitCode =
        spec.noun != QLatin1String("runtime") && spec.noun != QLatin1String("provider");
    spec.run = run;
    return spec;
}

VerbSpec withArguments(VerbSpec spec, const QStringList &names, qsizetype required)
{
    spec.argumentNames = names;
    spec.requiredArguments = required;
    return spec;
}

VerbSpec withOptions(VerbSpec spec, const QList<OptionSpec> &options)
{
    spec.options = options;
    return spec;
}

VerbSpec explained(VerbSpec spec, const char *details)
{
    spec.details = QString::fromUtf8(details);
    return spec;
}

QList<VerbSpec> threadVerbs()
{
    const QString thread = QStringLiteral("<thread>");
    const QString words = QStringLiteral("<text>");
    return {
        explained(
            withOptions(
                withArguments(
                    verb("thread", "new", "thread new --sandbox <config|alias> \"!<command>\"",
                         "begin a thread in a sandbox and run a command in it", &threadNew),
                    {words}, 1),
                {text("--sandbox", "<config|alias>",
                      "a provider config for a new sandbox, or the alias or id of one"),
                 text("--agent", "<agent>", "whose thread it is (default: default)"), timeout()}),
            "A text that begins with \"!\" runs as a shell command. Its output comes as it is "
            "made, both streams\n"
            "separately; notes go to standard error. Use single quotes: most shells treat ! "
            "specially in double ones."),
        explained(
            withOptions(withArguments(verb("thread", "send", "thread send <thread> \"!<command>\"",
                                           "run a further command in a thread", &threadSend),
                                      {thread, words}, 2),
                        {timeout()}),
            "Working directory and exported variables carry on from the command before."),
        withOptions(
            verb("thread", "list", "thread list [--archived]", "list the threads", &threadList),
            {flag("--archived", "archived ones, too")}),
        withOptions(withArguments(verb("thread", "show", "thread show <thread> [--output]",
                                       "show a thread", &threadShow),
                                  {thread}, 1),
                    {flag("--output", "with what its commands wrote")}),
    };
}

QList<VerbSpec> runtimeVerbs()
{
    const QStringList runtime{QStringLiteral("<runtime>")};
    return {
        withOptions(
            verb("runtime", "list", "runtime list [--refresh]", "list what runs", &runtimeList),
            {flag("--refresh", "ask the providers first")}),
        withArguments(
            verb("runtime", "pause", "runtime pause <runtime>", "pause a runtime", &runtimePause),
            runtime, 1),
        withArguments(verb("runtime", "resume", "runtime resume <runtime>", "resume a runtime",
                           &runtimeResume),
                      runtime, 1),
        explained(withOptions(
                      withArguments(verb("runtime", "destroy", "runtime destroy <runtime> [--yes]",
                                         "destroy a runtime with its files", &runtimeDestroy),
                                    runtime, 1),
                      {flag("--yes", "do not ask")}),
                  "Asks first. Without a terminal to ask at, --yes is needed."),
        withArguments(verb("runtime", "metrics", "runtime metrics <runtime>",
                           "show what a runtime uses now", &runtimeMetrics),
                      runtime, 1),
    };
}

QList<VerbSpec> providerVerbs()
{
    const QStringList config{QStringLiteral("<config>")};
    QList<VerbSpec> verbs{
        withOptions(verb("provider", "list", "provider list [--refresh]",
                         "list the places where sandboxes run", &providerList),
                    {flag("--refresh", "check their state first")}),
        withArguments(verb("provider", "show", "provider show <config>",
                           "show a provider's settings", &providerShow),
                      config, 1),
        explained(withArguments(verb("provider", "set", "provider set <config> <key>=<value>...",
                                     "change a provider's settings", &providerSet),
                                config, 1),
                  "Settings are given as image=python:3.12-slim or as --image python:3.12-slim; an "
                  "empty value goes back\n"
                  "to the default. \"berth-cli provider show <config>\" lists the keys."),
        explained(
            withArguments(verb("provider", "test", "provider test <config> [<key>=<value>...]",
                               "try whether a provider works", &providerTest),
                          config, 1),
            "Settings given here are tried without being saved."),
    };
    verbs[2].takesPairs = true;
    verbs[3].takesPairs = true;
    return verbs;
}

VerbSpec execVerb()
{
    VerbSpec spec = explained(
        withOptions(
            withArguments(verb("exec", "",
                               "exec <thread-or-sandbox> [--timeout <duration>] -- <command>...",
                               "run one command in a sandbox", &exec),
                          {QStringLiteral("<thread-or-sandbox>")}, 1),
            {timeout()}),
        "Not part of a conversation, but with the thread's working directory and variables when a "
        "thread is\n"
        "named. The bytes of both streams are passed on untouched.");
    spec.takesCommand = true;
    return spec;
}

} // namespace

QString VerbSpec::name() const
{
    return verb.isEmpty() ? noun : noun + QLatin1Char(' ') + verb;
}

const OptionSpec *VerbSpec::option(const QString &wanted) const
{
    for (const OptionSpec &candidate : options) {
        if (candidate.name == wanted)
            return &candidate;
    }
    return nullptr;
}

const QList<VerbSpec> &verbs()
{
    static const QList<VerbSpec> all =
        threadVerbs() + QList<VerbSpec>{execVerb()} + runtimeVerbs() + providerVerbs();
    return all;
}

} // namespace berth::cli
