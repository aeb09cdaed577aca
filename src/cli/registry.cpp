// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/registry.h"

#include "cli/verbs/serve.h"
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

OptionSpec openAllowed()
{
    return flag("--yes-no-isolation",
                "run it although the sandbox has no isolation, without asking");
}

OptionSpec whenAsked()
{
    return text("--when-asked", "<wait|deny>",
                "what the agent's calls do that would ask you (default: wait on a terminal, else "
                "deny)");
}

OptionSpec runAnyway()
{
    return flag("--run-anyway", "your own \"!\" command although the agent's policy denies it");
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
        spec.noun == QLatin1String("thread") || spec.noun == QLatin1String("exec");
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
            withOptions(withArguments(verb("thread", "new",
                                           "thread new --sandbox <config|alias|none> "
                                           "\"!<command>\"",
                                           "begin a thread in a sandbox and run a command in it",
                                           &threadNew),
                                      {words}, 1),
                        {text("--sandbox", "<config|alias>",
                              "a provider config for a new sandbox, the alias or id of one, or "
                              "none: the agent only talks"),
                         text("--agent", "<agent>", "whose thread it is (default: default)"),
                         timeout(), whenAsked(), runAnyway(), openAllowed()}),
            "A text that begins with \"!\" runs as a shell command. Its output comes as it is "
            "made, both streams\n"
            "separately; notes go to standard error. Use single quotes: most shells treat ! "
            "specially in double ones."),
        withOptions(withArguments(verb("run", "", "run --sandbox <config|alias|none> \"<text>\"",
                                       "the same as \"thread new\"", &threadNew),
                                  {words}, 1),
                    {text("--sandbox", "<config|alias>", "as of \"thread new\""),
                     text("--agent", "<agent>", "whose thread it is (default: default)"), timeout(),
                     whenAsked(), runAnyway(), openAllowed()}),
        explained(
            withOptions(withArguments(verb("thread", "send", "thread send <thread> \"!<command>\"",
                                           "run a further command in a thread", &threadSend),
                                      {thread, words}, 2),
                        {timeout(), whenAsked(), runAnyway(), openAllowed()}),
            "Working directory and exported variables carry on from the command before."),
        withOptions(
            verb("thread", "list", "thread list [--archived]", "list the threads", &threadList),
            {flag("--archived", "archived ones, too")}),
        withOptions(withArguments(verb("thread", "show", "thread show <thread> [--output]",
                                       "show a thread", &threadShow),
                                  {thread}, 1),
                    {flag("--output", "with what its commands wrote")}),
        explained(
            withOptions(withArguments(verb("thread", "export",
                                           "thread export <thread> [--json|--format markdown] "
                                           "[--output <file>]",
                                           "write a thread down", &threadExport),
                                      {thread}, 1),
                        {text("--format", "<format>", "markdown (default) or json"),
                         text("--output", "<file>",
                              "where to; it is complete or not there (default: standard output)")}),
            "Messages, what the agent thought, its calls, changes and what they wrote, up to 256 "
            "KiB of each."),
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
        explained(
            withOptions(
                withArguments(verb("runtime", "fork", "runtime fork <runtime> [--alias <alias>]",
                                   "make a further sandbox as a copy of this one", &runtimeFork),
                              runtime, 1),
                {text("--alias", "<alias>", "its name with the agent")}),
            "Where the provider copies a running sandbox (E2B). The copy costs as much as the "
            "original."),
        explained(
            withArguments(verb("runtime", "events", "runtime events <runtime>",
                               "show what happened to a runtime, newest first", &runtimeEvents),
                          runtime, 1),
            "Also of one that is destroyed, by the id of its lease or the alias of its sandbox."),
        withArguments(verb("runtime", "metrics", "runtime metrics <runtime>",
                           "show what a runtime uses now", &runtimeMetrics),
                      runtime, 1),
    };
}

VerbSpec lifecycleVerb()
{
    return explained(
        withOptions(
            withArguments(verb("sandbox", "lifecycle",
                               "sandbox lifecycle <sandbox>|--agent <agent> [--start <when>] "
                               "[--stop <when>] [--idle-minutes <n>]",
                               "show or set when a sandbox starts and stops by itself",
                               &sandboxLifecycle),
                          {QStringLiteral("<sandbox>")}, 0),
            {text("--agent", "<agent>", "of all sandboxes of an agent that say nothing themselves"),
             text("--start", "<when>", "ondemand (at the first command), session, or inherit"),
             text("--stop", "<when>", "idle, session (when the last one ends), or inherit"),
             text("--idle-minutes", "<n>", "minutes without work until it pauses; 0: never")}),
        "A sandbox is never stopped while a command works in it. Background commands and terminals "
        "count by their\n"
        "input and output where pausing only freezes them (docker), and hold the sandbox where "
        "pausing ends them.");
}

QList<VerbSpec> processVerbs()
{
    const QStringList process{QStringLiteral("<process>")};
    QList<VerbSpec> verbs{
        withArguments(verb("process", "list", "process list [<thread-or-sandbox>]",
                           "list background commands and terminals", &processList),
                      {QStringLiteral("<thread-or-sandbox>")}, 0),
        explained(withOptions(
                      withArguments(
                          verb("process", "start",
                               "process start <thread-or-sandbox> [--title <text>] -- <command>...",
                               "start a background command", &processStart),
                          {QStringLiteral("<thread-or-sandbox>")}, 1),
                      {text("--title", "<text>", "what lists show instead of the command"),
                       openAllowed()}),
                  "Prints its id and returns. Where the provider keeps processes (docker) it runs "
                  "on when "
                  "Berth ends or the\n"
                  "sandbox is paused. Where not (local), it ends with Berth; without a window this "
                  "command then stays as long\n"
                  "as it runs."),
        explained(withOptions(withArguments(verb("process", "logs", "process logs <process> [-f]",
                                                 "show what a process wrote", &processLogs),
                                            process, 1),
                              {flag("--follow", "go on until it ends"), flag("-f", "the same")}),
                  "Kept are the last 8 MiB of a terminal, the first 4 and last 60 MiB of a "
                  "background command."),
        explained(withArguments(verb("process", "attach", "process attach <process>",
                                     "come back to a terminal that was left", &processAttach),
                                process, 1),
                  "Ctrl-P Ctrl-Q leaves it again."),
        withArguments(verb("process", "stop", "process stop <process>",
                           "kill a process with all its children", &processStop),
                      process, 1),
        withArguments(verb("process", "remove", "process remove <process>",
                           "forget a process that has ended, with its output", &processRemove),
                      process, 1),
    };
    verbs[1].takesCommand = true;
    return verbs;
}

VerbSpec shellVerb()
{
    VerbSpec spec = explained(
        withOptions(withArguments(verb("shell", "", "shell <thread-or-sandbox> [-- <command>...]",
                                       "open a terminal in a sandbox", &shell),
                                  {QStringLiteral("<thread-or-sandbox>")}, 1),
                    {openAllowed()}),
        "The user's shell there ($SHELL, bash or sh), or the command, on a terminal of its own. "
        "Exits with its exit\n"
        "code. Ctrl-P Ctrl-Q leaves it running; \"process attach\" comes back. A Ctrl-P is passed "
        "on with the next key.");
    spec.takesCommand = true;
    spec.commandMayBeMissing = true;
    spec.passesExitCode = true;
    return spec;
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
        explained(
            withOptions(withArguments(verb("provider", "key", "provider key <config> [--file]",
                                           "store the key of a provider", &providerKey),
                                      config, 1),
                        {flag("--file", "keep it in the config file, which only you can read"),
                         flag("--remove", "take it out again")}),
            "The key is typed unseen, or read from standard input; it is no argument, which others "
            "could see.\n"
            "It goes to the desktop's key store, and the config file gets a reference to it."),
        explained(
            withOptions(withArguments(verb("provider", "trust", "provider trust <config> [--yes]",
                                           "confirm where a provider's key may go", &providerTrust),
                                      config, 1),
                        {flag("--yes", "confirm what it asks for without being asked")}),
            "Shows the addresses and variables that the config names beside the service's own. "
            "Nothing is sent\n"
            "before they are confirmed."),
    };
    verbs[2].takesPairs = true;
    verbs[3].takesPairs = true;
    return verbs;
}

QList<VerbSpec> fileVerbs()
{
    const QString place = QStringLiteral("<thread-or-sandbox>:<path>");
    const QString names = QStringLiteral(
        "Names are shown with \\xNN for bytes that are no text, and can be typed like that.");
    QList<VerbSpec> all{
        withOptions(withArguments(verb("ls", "", "ls <thread-or-sandbox>[:<path>] [-a] [-l]",
                                       "list files in a sandbox", &ls),
                                  {QStringLiteral("<thread-or-sandbox>[:<path>]")}, 1),
                    {flag("-a", "also those that begin with a dot"),
                     flag("-l", "with mode, size and time"), flag("-la", "both"),
                     flag("--wake", "start or resume the sandbox")}),
        withOptions(withArguments(verb("cp", "", "cp [-r] <from> <to>",
                                       "copy files into or out of a sandbox", &cp),
                                  {QStringLiteral("<from>"), QStringLiteral("<to>")}, 2),
                    {flag("-r", "a directory with all that is in it"),
                     flag("--replace", "files that are there already"),
                     flag("--keep-both", "under a new name when one is there already")}),
        withOptions(withArguments(verb("rm", "", "rm [-r] <thread-or-sandbox>:<path>",
                                       "remove a file in a sandbox", &rm),
                                  {place}, 1),
                    {flag("-r", "a directory with all that is in it")}),
        withArguments(verb("mkdir", "", "mkdir <thread-or-sandbox>:<path>",
                           "make a directory in a sandbox, with those above it", &mkdir),
                      {place}, 1),
        withArguments(verb("mv", "", "mv <thread-or-sandbox>:<path> <new path>",
                           "rename a file in a sandbox", &mv),
                      {place, QStringLiteral("<new path>")}, 2),
    };
    all[0].details = names;
    all[1].details =
        QStringLiteral("One side is <thread-or-sandbox>:<path>, the other a file of this machine "
                       "(./a:b for a name with a\n"
                       "colon). Links below a copied directory are left out and named, and a file "
                       "is seen under its name\n"
                       "only once it is complete. ")
        + names;
    return all;
}

QList<VerbSpec> sandboxVerbs()
{
    const QStringList alias{QStringLiteral("<alias>")};
    const OptionSpec agent = text("--agent", "<agent>", "whose sandbox it is");
    return {
        withOptions(verb("sandbox", "list", "sandbox list [--agent <agent>] [--deleted]",
                         "list the sandboxes of an agent, or of all", &sandboxList),
                    {agent, flag("--deleted", "also those that were removed")}),
        withOptions(
            verb("sandbox", "add",
                 "sandbox add --agent <agent> --type <type> [--alias <alias>] [--config <json>]",
                 "add a sandbox; it is made when it is first needed", &sandboxAdd),
            {agent, text("--type", "<type>", "docker, e2b, daytona, …"),
             text("--preset", "<preset>", "instead of --type: a template of gateway.json"),
             text("--provider-config", "<config>", "a provider config other than the type's own"),
             text("--alias", "<alias>", "its name with the agent (default: default)"),
             text("--config", "<json>", "settings of its own, as a JSON object")}),
        explained(
            withOptions(
                withArguments(verb("sandbox", "remove", "sandbox remove --agent <agent> <alias>",
                                   "remove a sandbox; it can be restored", &sandboxRemove),
                              alias, 1),
                {agent, flag("--destroy", "also what runs at the provider")}),
            "What runs on this machine is stopped and kept; what runs in a cloud goes on, "
            "and costs, until\n"
            "\"sandbox purge\" or \"runtime destroy\"."),
        withOptions(
            withArguments(verb("sandbox", "restore", "sandbox restore --agent <agent> <alias>",
                               "bring a removed sandbox back", &sandboxRestore),
                          alias, 1),
            {agent}),
        withOptions(withArguments(verb("sandbox", "purge", "sandbox purge --agent <agent> <alias>",
                                       "destroy what a removed sandbox left", &sandboxPurge),
                                  alias, 1),
                    {agent}),
    };
}

VerbSpec skillsVerb()
{
    VerbSpec spec = explained(
        withArguments(verb("agent", "skills",
                           "agent skills <agent> [list | add <name> <folder> | remove <name> | "
                           "set [<name>=<folder>...]]",
                           "show or set the folders that are in each sandbox of an agent",
                           &agentSkills),
                      {QStringLiteral("<agent>"), QStringLiteral("<what>"),
                       QStringLiteral("<name>"), QStringLiteral("<folder>")},
                      1),
        "They come to .berth/skills/<name>/ in its sandboxes: at once in those that are connected, "
        "in the others when\n"
        "they are used next. Symbolic links are refused; a skill has at most 8 MiB. \"set\" alone "
        "takes them all away.");
    spec.takesPairs = true;
    return spec;
}

QList<VerbSpec> agentVerbs()
{
    const QStringList agent{QStringLiteral("<agent>")};
    return {
        verb("agent", "list", "agent list", "list agents", &agentList),
        withOptions(
            withArguments(verb("agent", "create", "agent create <agent> [--sandbox <preset>]",
                               "make an agent", &agentCreate),
                          agent, 1),
            {text("--name", "<name>", "as it is shown"),
             text("--model", "<endpoint>", "a model endpoint other than the default one"),
             text("--instructions", "<text>", "what it is told at the beginning of each thread"),
             text("--sandbox", "<preset>", "a preset instead of the default one"),
             flag("--no-sandbox", "without one")}),
        withArguments(verb("agent", "remove", "agent remove <agent>",
                           "remove an agent without threads and sandboxes", &agentRemove),
                      agent, 1),
        skillsVerb(),
        verb("preset", "list", "preset list", "list the templates of sandboxes", &presetList),
        explained(
            withOptions(
                withArguments(verb("config", "security", "config security show|get|set|write",
                                   "read or change an agent's security policy", &configSecurity),
                              {QStringLiteral("show|get|set|write"), QStringLiteral("<key>"),
                               QStringLiteral("<value>")},
                              1),
                {text("--agent", "<agent>", "whose policy (default: default)")}),
            "show prints the document, get <key> one value, set <key> <value> changes one; "
            "write takes the\n"
            "whole document from standard input. Nothing is saved unless all of it is "
            "right."),
    };
}

QList<VerbSpec> modelVerbs()
{
    const QStringList name{QStringLiteral("<name>")};
    const QStringList call{QStringLiteral("<tool call>")};
    return {
        withOptions(
            verb("model", "list", "model list [--refresh]", "list endpoints of models", &modelList),
            {flag("--refresh", "ask what answers on this machine and what is offered")}),
        withOptions(
            withArguments(verb("model", "set", "model set <name> [--preset <preset>] [--model <m>]",
                               "connect a model, or change an endpoint", &modelSet),
                          name, 1),
            {text("--preset", "<preset>", "llamacpp, ollama, openai, anthropic, …"),
             text("--url", "<url>", "its base URL, when no preset has it"),
             text("--dialect", "<dialect>", "openai, anthropic or anthropic-bearer"),
             text("--model", "<model>", "the model that is asked for"),
             text("--key-from-env", "<variable>", "its key stands in this variable"),
             text("--context", "<tokens>", "the size of its context, when it does not say"),
             flag("--default", "for agents that name none")}),
        withOptions(withArguments(verb("model", "key", "model key <name> [--file|--remove]",
                                       "store the key of an endpoint", &modelKey),
                                  name, 1),
                    {flag("--file", "into models.json (readable by you alone)"),
                     flag("--remove", "forget it")}),
        withArguments(verb("model", "test", "model test <name>",
                           "try an endpoint: list, reply, tool call, context", &modelTest),
                      name, 1),
        withArguments(
            verb("model", "remove", "model remove <name>", "disconnect an endpoint", &modelRemove),
            name, 1),
        verb("approval", "list", "approval list", "list tool calls that wait for you",
             &approvalList),
        withOptions(withArguments(verb("approval", "allow", "approval allow <tool call>",
                                       "let a tool call run", &approvalDecide),
                                  call, 1),
                    {text("--always", "<pattern>", "and commands like this from now on")}),
        withOptions(withArguments(verb("approval", "deny", "approval deny <tool call>",
                                       "refuse a tool call", &approvalDecide),
                                  call, 1),
                    {text("--reason", "<text>", "the model is told")}),
    };
}

VerbSpec execVerb()
{
    VerbSpec spec = explained(
        withOptions(
            withArguments(verb("exec", "",
                               "exec <thread-or-sandbox> [--timeout <duration>|--background] -- "
                               "<command>...",
                               "run one command in a sandbox", &exec),
                          {QStringLiteral("<thread-or-sandbox>")}, 1),
            {timeout(), flag("--background", "as \"process start\": print its id and return"),
             openAllowed()}),
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
    static const QList<VerbSpec> all = threadVerbs() + QList<VerbSpec>{execVerb(), shellVerb()}
        + fileVerbs() + processVerbs() + runtimeVerbs() + sandboxVerbs()
        + QList<VerbSpec>{lifecycleVerb()} + agentVerbs() + modelVerbs() + providerVerbs()
        + QList<VerbSpec>{verb("doctor", "", "doctor", "look whether everything works here",
                               &doctor)}
        + serveVerbs();
    return all;
}

} // namespace berth::cli
