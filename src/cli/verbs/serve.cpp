// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/verbs/serve.h"

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
    VerbSpec make = serveSpec("token", "new", "token new", "make the token of the HTTP API");
    VerbSpec rotate = serveSpec("token", "rotate", "token rotate",
                                "put a new token in place of the old one, which ends at once");
    show.details =
        QStringLiteral("It may read and run, not approve. Whoever has it can run commands "
                       "in your sandboxes.");
    return {serve, show, make, rotate};
}

bool isServeVerb(const VerbSpec &spec)
{
    return spec.noun == QLatin1String("serve") || spec.noun == QLatin1String("token");
}

} // namespace berth::cli
