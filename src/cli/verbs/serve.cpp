// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/verbs/serve.h"

#include "cli/verbs/verbs.h"

namespace berth::cli {

namespace {

domain::Async<int> onlyByTheProgram(Context)
{
    co_return domain::failure(domain::ErrorKind::Unsupported,
                              QStringLiteral("Only the program berth-cli itself can do that"));
}

VerbSpec serveSpec(const char *noun, const char *name, const char *synopsis, const char *summary)
{
    VerbSpec spec;
    spec.noun = QString::fromLatin1(noun);
    spec.verb = QString::fromLatin1(name);
    spec.synopsis = QString::fromUtf8(synopsis);
    spec.summary = QString::fromUtf8(summary);
    spec.run = &onlyByTheProgram;
    return spec;
}

} // namespace

QList<VerbSpec> serveVerbs()
{
    VerbSpec serve = serveSpec("serve", "", "serve [--listen 127.0.0.1:<port>]",
                               "run without a window, with the HTTP API on this machine");
    serve.options = {{QStringLiteral("--listen"), OptionKind::Text, QStringLiteral("<address>"),
                      QStringLiteral("127.0.0.1:8420 unless said; port 0 takes any free one")}};
    serve.details = QStringLiteral(
        "The window and other commands connect to it while it runs. Ctrl-C or SIGTERM ends it, "
        "which counts as quitting\n"
        "Berth: sandboxes pause or go as their provider's settings say. The API wants the token of "
        "\"token show\";\n"
        "GET /api/openapi.json describes it.");
    VerbSpec show = serveSpec("token", "show", "token show", "print the token of the HTTP API");
    VerbSpec make = serveSpec("token", "new",
                              "token new [--name <name> --scopes <scopes> [--user <user>] "
                              "[--agent <agent>]]",
                              "make the token of the HTTP API, or with --name a further one");
    const auto option = [](const char *name, const char *value, const char *help) {
        return OptionSpec{QString::fromLatin1(name), OptionKind::Text, QString::fromLatin1(value),
                          QString::fromUtf8(help)};
    };
    make.options = {
        option("--name", "<name>", "a further token, for a program or a person"),
        option("--scopes", "<scopes>", "some of read,run,approve,admin (default: read)"),
        option("--user", "<user>", "a member of agents; else it is the owner's"),
        option("--agent", "<agent>", "only for this agent")};
    make.details = QStringLiteral(
        "A further token is shown this once; only its hash is kept. approve and admin have to be "
        "granted in the window\nfirst (Settings, API).");
    make.run = &tokenNew;
    VerbSpec rotate = serveSpec("token", "rotate", "token rotate",
                                "put a new token in place of the old one, which ends at once");
    show.details =
        QStringLiteral("It may read and run, not approve. Whoever has it can run commands "
                       "in your sandboxes.");
    VerbSpec list = serveSpec("token", "list", "token list", "list the further tokens");
    list.run = &tokenList;
    VerbSpec revoke = serveSpec("token", "revoke", "token revoke <token>",
                                "end a further token at once, by its name or id");
    revoke.argumentNames = {QStringLiteral("<token>")};
    revoke.requiredArguments = 1;
    revoke.run = &tokenRevoke;
    VerbSpec backup = serveSpec("backup", "", "backup <folder>",
                                "copy the records and settings, also while Berth runs");
    backup.argumentNames = {QStringLiteral("<folder>")};
    backup.requiredArguments = 1;
    backup.details = QStringLiteral(
        "The folder must not be there yet. Each database is copied as it is at one moment. Keys "
        "in the desktop's key\nstore and the workspaces of sandboxes are not in it.");
    VerbSpec completions = serveSpec("completions", "", "completions bash|zsh|fish",
                                     "print a shell's completions for berth-cli");
    completions.argumentNames = {QStringLiteral("<shell>")};
    completions.requiredArguments = 1;
    return {serve, show, make, rotate, list, revoke, backup, completions};
}

bool isServeVerb(const CliOptions &options)
{
    if (options.verb->noun == QLatin1String("serve")
        || options.verb->noun == QLatin1String("backup")
        || options.verb->noun == QLatin1String("completions"))
        return true;
    const QString &verb = options.verb->verb;
    return options.verb->noun == QLatin1String("token")
        && (verb == QLatin1String("show") || verb == QLatin1String("rotate")
            || (verb == QLatin1String("new") && options.values.isEmpty()));
}

} // namespace berth::cli
