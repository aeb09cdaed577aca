// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/help.h"

#include "cli/exit_codes.h"
#include "cli/registry.h"

namespace berth::cli {

namespace {

QString row(const QString &left, const QString &right)
{
    return QStringLiteral("  %1  %2\n").arg(left, -24).arg(right);
}

QString globalOptions()
{
    return row(QStringLiteral("--data-dir <directory>"),
               QStringLiteral("use the data in this directory"))
        + row(QStringLiteral("--json"),
              QStringLiteral("print exactly one JSON object on standard output"))
        + row(QStringLiteral("-h, --help"), QStringLiteral("this text; behind a command, its own"))
        + row(QStringLiteral("--version"), QStringLiteral("print the version"));
}

QString exitCodes()
{
    QString kinds;
    QString line;
    for (const domain::ErrorKind kind :
         {domain::ErrorKind::InvalidInput, domain::ErrorKind::Conflict, domain::ErrorKind::NotFound,
          domain::ErrorKind::Unauthorized, domain::ErrorKind::Quota, domain::ErrorKind::Unavailable,
          domain::ErrorKind::Internal, domain::ErrorKind::RateLimited,
          domain::ErrorKind::Unsupported, domain::ErrorKind::Cancelled, domain::ErrorKind::Storage,
          domain::ErrorKind::Timeout, domain::ErrorKind::Protocol, domain::ErrorKind::Forbidden}) {
        const QString entry =
            QStringLiteral("%1 %2").arg(exitCodeOf(kind)).arg(domain::wireName(kind));
        if (line.size() + entry.size() > 68) {
            kinds += QStringLiteral("       ") + line + QStringLiteral(",\n");
            line.clear();
        }
        line += (line.isEmpty() ? QString() : QStringLiteral(", ")) + entry;
    }
    return QStringLiteral("Exit codes:\n"
                          "  thread, exec and shell exit with the code of the command that they "
                          "ran (137 after its\n"
                          "  timeout, 128 + n for signal n), and with 125 when Berth itself "
                          "failed. A mistake in\n"
                          "  the command line is 64.\n"
                          "  Other commands exit with 0, or with\n")
        + kinds + QStringLiteral("       ") + line
        + QStringLiteral(".\n  Ctrl-C stops the command in the sandbox and exits with 130.\n");
}

QString programHelp()
{
    QString text = QStringLiteral("berth-cli runs threads and commands in sandboxes.\n\nUsage: "
                                  "berth-cli [options] <command> ...\n\nCommands:\n");
    for (const VerbSpec &spec : verbs())
        text += row(spec.name(), spec.summary);
    return text + QStringLiteral("\nOptions:\n") + globalOptions() + QLatin1Char('\n') + exitCodes()
        + QStringLiteral(
               "\nWherever an id is wanted, its first characters do as long as they fit only one.\n"
               "A runtime is named by its lease id, its sandbox's alias, or <provider>:<external "
               "id>.\n\n"
               "  berth-cli thread new --sandbox docker '!python3 --version'\n"
               "  berth-cli exec docker-1 -- ls -l\n");
}

} // namespace

QString helpText(const CliOptions &options)
{
    if (!options.verb)
        return programHelp();
    const VerbSpec &spec = *options.verb;
    QString text = QStringLiteral("berth-cli %1: %2\n\nUsage: berth-cli %3\n")
                       .arg(spec.name(), spec.summary, spec.synopsis);
    if (!spec.details.isEmpty())
        text += QLatin1Char('\n') + spec.details + QLatin1Char('\n');
    text += QStringLiteral("\nOptions:\n");
    for (const OptionSpec &option : spec.options)
        text += row(
            option.name
                + (option.valueName.isEmpty() ? QString() : QLatin1Char(' ') + option.valueName),
            option.help);
    return text + globalOptions();
}

} // namespace berth::cli
