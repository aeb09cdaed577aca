// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/completions.h"

#include "cli/registry.h"
#include "domain/text.h"

#include <QtCore/QMap>

namespace berth::cli {

namespace {

const QStringList &commonOptions()
{
    static const QStringList all{QStringLiteral("--data-dir"), QStringLiteral("--help"),
                                 QStringLiteral("--json"), QStringLiteral("--version")};
    return all;
}

//! Their verbs by noun; a noun that is a verb alone has an empty one.
QMap<QString, QStringList> nouns()
{
    QMap<QString, QStringList> all;
    for (const VerbSpec &spec : verbs())
        all[spec.noun] << spec.verb;
    return all;
}

QStringList optionsOf(const VerbSpec &spec)
{
    QStringList names;
    for (const OptionSpec &option : spec.options)
        names << option.name;
    return names + commonOptions();
}

QByteArray words(const QStringList &list)
{
    return list.join(QLatin1Char(' ')).trimmed().toUtf8();
}

//! Of bash and of zsh, which runs bash's: words by position, options by verb.
QByteArray bashBody()
{
    QByteArray script =
        "_berth_cli() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} noun= verb= word i\n"
        "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "        word=${COMP_WORDS[i]}\n"
        "        case $word in\n"
        "            --data-dir) ((i++)) ;;\n"
        "            -*) ;;\n"
        "            *) if [ -z \"$noun\" ]; then noun=$word; elif [ -z \"$verb\" ]; then "
        "verb=$word; fi ;;\n"
        "        esac\n"
        "    done\n"
        "    local candidates=\n"
        "    case \"$noun\" in\n";
    const QMap<QString, QStringList> all = nouns();
    script += "        '') candidates='" + words(all.keys() + commonOptions()) + "' ;;\n";
    for (auto entry = all.cbegin(); entry != all.cend(); ++entry)
        script += "        " + entry.key().toUtf8() + ") [ -n \"$verb\" ] || candidates='"
            + words(entry.value()) + "' ;;\n";
    script += "    esac\n    case \"$noun $verb\" in\n";
    for (const VerbSpec &spec : verbs()) {
        const QByteArray pattern = spec.verb.isEmpty() ? "'" + spec.noun.toUtf8() + " '*"
                                                       : "'" + spec.name().toUtf8() + "'";
        script += "        " + pattern + ") candidates=\"$candidates " + words(optionsOf(spec))
            + "\" ;;\n";
    }
    script += "    esac\n"
              "    COMPREPLY=($(compgen -W \"$candidates\" -- \"$cur\"))\n"
              "    # What is left is a name or a file.\n"
              "    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$cur\"))\n"
              "}\n"
              "complete -o filenames -F _berth_cli berth-cli\n";
    return script;
}

QByteArray fishScript()
{
    const auto quoted = [](const QString &text) { return domain::shellQuoted(text.toUtf8()); };
    QByteArray script = "complete -c berth-cli -f\n";
    const QMap<QString, QStringList> all = nouns();
    const QByteArray first = "'__fish_use_subcommand'";
    QMap<QString, QString> summaries;
    for (const VerbSpec &spec : verbs())
        summaries[spec.noun] = spec.verb.isEmpty() ? spec.summary : QString();
    for (auto entry = all.cbegin(); entry != all.cend(); ++entry)
        script += "complete -c berth-cli -n " + first + " -a " + entry.key().toUtf8() + " -d "
            + quoted(summaries.value(entry.key())) + '\n';
    for (const VerbSpec &spec : verbs()) {
        const QByteArray noun = "__fish_seen_subcommand_from " + spec.noun.toUtf8();
        QByteArray seen = noun;
        if (!spec.verb.isEmpty()) {
            script += "complete -c berth-cli -n '" + noun + "; and not __fish_seen_subcommand_from "
                + words(all.value(spec.noun)) + "' -a " + spec.verb.toUtf8() + " -d "
                + quoted(spec.summary) + '\n';
            seen += "; and __fish_seen_subcommand_from " + spec.verb.toUtf8();
        }
        for (const OptionSpec &option : spec.options) {
            const bool isLong = option.name.startsWith(QLatin1String("--"));
            const QByteArray name = option.name.mid(isLong ? 2 : 1).toUtf8();
            script += "complete -c berth-cli -n '" + seen + "' "
                + (isLong                 ? "-l "
                       : name.size() == 1 ? "-s "
                                          : "-o ")
                + name + (option.kind == OptionKind::Flag ? "" : " -r") + " -d "
                + quoted(option.help) + '\n';
        }
    }
    script += "complete -c berth-cli -l json -d 'JSON instead of text'\n"
              "complete -c berth-cli -l data-dir -r -F -d 'keep all data in this directory'\n";
    return script;
}

} // namespace

QByteArray completionScript(const QString &shell)
{
    if (shell == QLatin1String("bash"))
        return bashBody();
    if (shell == QLatin1String("zsh"))
        return "#compdef berth-cli\nautoload -U +X bashcompinit && bashcompinit\n" + bashBody();
    if (shell == QLatin1String("fish"))
        return fishScript();
    return {};
}

} // namespace berth::cli
