// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_options.h"

#include <QtCore/QRegularExpression>
#include <QtCore/QStringList>

namespace berth::domain {

namespace {

struct OptionRow
{
    const char *program;
    //! Exactly these words, or these with "=value".
    const char *exact;
    //! Long options; programs take any beginning of them.
    const char *longer;
    //! Letters of clusters of short options ("-xzf"), wherever they stand.
    const char *letters;
};

constexpr OptionRow kOptionRows[] = {
    {"find", "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from", "",
     ""},
    {"fd", "", "--exec --exec-batch", "xX"},
    {"fdfind", "", "--exec --exec-batch", "xX"},
    {"rg", "", "--pre --hostname-bin --search-zip", ""},
    {"tar", "",
     "--use-compress-program --to-command --checkpoint-action --rsh-command --info-script "
     "--new-volume-script --rmt-command",
     "IF"},
    {"sort", "", "--compress-program --output", "o"},
    {"git", "",
     "--exec --exec-path --config-env --upload-pack --receive-pack --extcmd --open-files-in-pager "
     "--output --ext-diff --textconv --config --template --to-command --use-mailmap-program",
     ""},
    {"rsync", "", "--rsh --rsync-path", "e"},
    {"man", "", "--pager --html --preprocessor", "PH"},
    {"wget", "", "--use-askpass --execute --config", "e"},
    {"curl", "", "--config", "K"},
    {"zip", "", "--unzip-command", "T"},
    {"make", "", "--eval --file --makefile", "Ef"},
    {"gmake", "", "--eval --file --makefile", "Ef"},
    {"gcc", "", "-wrapper --wrapper", ""},
    {"ctags", "", "--options", ""},
    {"split", "", "--filter", ""},
    {"pip", "", "--global-option", ""},
    {"apt", "", "--option --config-file", "oc"},
    {"apt-get", "", "--option --config-file", "oc"},
    {"date", "", "", ""},
};

bool isListed(const QString &word, const char *list)
{
    return QString::fromLatin1(list).split(u' ', Qt::SkipEmptyParts).contains(word);
}

bool mayBeLong(const QString &option, const char *list)
{
    const QStringList names = QString::fromLatin1(list).split(u' ', Qt::SkipEmptyParts);
    for (const QString &name : names) {
        if (option.size() >= 3 && name.startsWith(option))
            return true;
    }
    return false;
}

//! One address and p, d, q or =; or one s command without flags that write or execute.
bool isPlainSedScript(const QString &script)
{
    static const QRegularExpression kPrint(QStringLiteral("\\A(\\d+|\\$)?(,(\\d+|\\$))?[pdq=]\\z"));
    if (kPrint.match(script).hasMatch())
        return true;
    if (script.size() < 4 || script.front() != u's' || script.contains(u'\n'))
        return false;
    const QChar mark = script.at(1);
    if (!mark.isPunct() && !mark.isSymbol())
        return false;
    if (mark == u'\\')
        return false;
    int marks = 0;
    for (qsizetype i = 1; i < script.size(); ++i) {
        const QChar c = script.at(i);
        if (c == u'\\') {
            ++i;
        } else if (c == mark) {
            ++marks;
        } else if (marks == 3 && !QStringView(u"gpiI0123456789").contains(c)) {
            return false;
        }
    }
    return marks == 3;
}

QString whySedAsks(const ShellSegment &segment)
{
    const QString why = QStringLiteral("the script of sed may write files or run commands");
    bool hasScript = false;
    for (qsizetype i = 1; i < segment.words.size(); ++i) {
        const ShellWord &word = segment.words.at(i);
        const QString text = word.text();
        if (word.knownStart() == u'-' && text.size() > 1) {
            if (!word.isLiteral() || !isListed(text, "-n -E -r -s -u -z -nE -nr -En"))
                return why;
            continue;
        }
        if (!hasScript) {
            if (!word.isLiteral() || !isPlainSedScript(text))
                return why;
            hasScript = true;
        } else if (word.knownStart().isNull()) {
            return why;
        }
    }
    return {};
}

} // namespace

QString whyOptionsAsk(const ShellSegment &segment, const QString &name)
{
    if (name == QLatin1String("sed") || name == QLatin1String("gsed"))
        return whySedAsks(segment);
    if (name == QLatin1String("printf")) {
        // -v computes an array index.
        const bool known = segment.words.size() > 1 && !segment.words.at(1).knownStart().isNull();
        return !known || segment.words.at(1).knownStart() == u'-'
            ? QStringLiteral("printf may set a variable")
            : QString();
    }
    const OptionRow *row = nullptr;
    for (const OptionRow &candidate : kOptionRows) {
        if (name == QLatin1String(candidate.program))
            row = &candidate;
    }
    if (!row)
        return {};
    bool first = true;
    for (qsizetype i = 1; i < segment.words.size(); ++i) {
        const ShellWord &word = segment.words.at(i);
        const QString text = word.text();
        const QChar start = word.knownStart();
        if (start.isNull() && !word.parts.isEmpty())
            return QStringLiteral("an argument of %1 may become an option that runs a program")
                .arg(name);
        const QString option = text.section(u'=', 0, 0);
        const QString why =
            QStringLiteral("%1 with %2 runs or sets what it is given").arg(name, option);
        if (isListed(option, row->exact))
            return why;
        if (text.startsWith(QLatin1String("--"))) {
            // What follows an expansion within the option's name is not known.
            if (mayBeLong(option, row->longer) || (!word.isLiteral() && !text.contains(u'=')))
                return why;
        } else if (start == u'-' || (first && name == QLatin1String("tar"))) {
            const QStringView cluster = QStringView(text).mid(start == u'-' ? 1 : 0);
            for (const char *letter = row->letters; *letter != '\0'; ++letter) {
                if (cluster.contains(QLatin1Char(*letter)))
                    return why;
            }
            if (!word.isLiteral() && *row->letters != '\0')
                return why;
        }
        if (name == QLatin1String("git")) {
            const bool global = first && start == u'-';
            if ((global && (text.startsWith(QLatin1String("-c")) || !word.isLiteral()))
                || text.startsWith(QLatin1String("-O")) || text.contains(QLatin1String("ext::"))
                || (text.startsWith(QLatin1String("-x"))))
                return why;
            // "-C dir": the next one is no subcommand yet.
            if (global) {
                if (text == QLatin1String("-C"))
                    ++i;
                continue;
            }
        }
        if (name == QLatin1String("make") && text.contains(QLatin1String("SHELL")))
            return why;
        first = false;
    }
    return {};
}

} // namespace berth::domain
