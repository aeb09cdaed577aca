// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_options.h"

#include "domain/policy/command_git.h"
#include "domain/policy/word_list.h"

#include <QtCore/QRegularExpression>

#include <algorithm>
#include <iterator>

namespace berth::domain {

namespace {

struct OptionRow
{
    const char *programs;
    //! Exactly these words, or these with "=value".
    const char *exact;
    //! Long options; programs take any beginning of them.
    const char *longer;
    //! Letters of clusters of short options ("-xzf"), wherever they stand.
    const char *letters;
    //! Beginnings of words.
    const char *prefixes;
};

constexpr OptionRow kOptionRows[] = {
    {"find", "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from", "",
     "", ""},
    {"fd fdfind", "", "--exec --exec-batch", "xX", ""},
    {"rg", "", "--pre --hostname-bin --search-zip", "z", ""},
    {"tar", "",
     "--use-compress-program --to-command --checkpoint-action --rsh-command --info-script "
     "--new-volume-script --rmt-command",
     "IF", ""},
    {"sort", "", "--compress-program --output", "o", ""},
    {"shuf", "", "--output", "o", ""},
    // -R writes a file into each directory.
    {"tree", "", "--output", "oR", ""},
    {"uniq file", "", "--compile", "C", ""},
    {"rsync", "", "--rsh --rsync-path", "e", ""},
    {"man", "", "--pager --html --preprocessor --config-file", "PHC", ""},
    {"wget", "", "--use-askpass --execute --config --output-document --directory-prefix", "eOP",
     ""},
    {"curl", "",
     "--config --output --remote-name --output-dir --dump-header --cookie-jar --trace "
     "--trace-ascii --stderr --engine --hsts --alt-svc --etag-save --libcurl",
     "KoODc", ""},
    {"zip", "", "--unzip-command", "T", ""},
    {"make gmake", "", "--eval --file --makefile", "Ef", ""},
    // @file has further options; the others load code or say which programs do the work.
    {"gcc cc g++ c++ clang clang++", "-wrapper --wrapper -load -Xclang -Xlinker", "", "",
     "@ -B -fplugin -specs --specs -fuse-ld -Wl,-plugin"},
    {"ctags", "", "--options", "", ""},
    {"split", "", "--filter", "", ""},
    {"pip pip3", "", "--global-option --config-settings", "", ""},
    {"apt apt-get", "", "--option --config-file", "oc", ""},
    {"go",
     "-toolexec -vettool -exec -ldflags -gcflags -asmflags -gccgoflags -compiler -overlay -modfile "
     "-C -w -o --toolexec --vettool --exec --ldflags --gcflags --asmflags --gccgoflags --compiler "
     "--overlay --modfile --C --w --o",
     "", "", ""},
    {"cargo", "", "--config", "ZC", ""},
    {"helm", "", "--post-renderer --post-renderer-args --kubeconfig", "", ""},
    {"kubectl oc", "", "--kubeconfig", "", ""},
    {"docker podman nerdctl", "", "--config", "", ""},
    {"npm pnpm yarn", "",
     "--script-shell --prefix --node-options --userconfig --globalconfig --shell --dir --cwd", "C",
     ""},
};

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
            if (!word.isLiteral() || !listHas("-n -E -r -s -u -z -nE -nr -En", text))
                return why;
            continue;
        }
        if (!hasScript) {
            if (!word.isLiteral() || !isPlainSedScript(text))
                return why;
            hasScript = true;
        } else if (word.knownStart().isNull() || word.maySplit()) {
            return why;
        }
    }
    return {};
}

//! uniq writes its second operand.
bool hasSecondOperand(const ShellSegment &segment)
{
    int operands = 0;
    bool optionsEnded = false;
    for (qsizetype i = 1; i < segment.words.size(); ++i) {
        const ShellWord &word = segment.words.at(i);
        const QString text = word.text();
        if (!optionsEnded && word.knownStart() == u'-' && text.size() > 1) {
            optionsEnded = text == QLatin1String("--");
            continue;
        }
        operands += word.has(ShellPart::Glob) || word.has(ShellPart::Brace) ? 2 : 1;
    }
    return operands > 1;
}

//! \a isLetters: tar takes its first argument as letters also without a dash.
bool isOption(const OptionRow &row, const ShellWord &word, bool isLetters)
{
    const QString text = word.text();
    const QString option = text.section(u'=', 0, 0);
    if (listHas(row.exact, option)
        || anyWord(row.prefixes, [&text](QLatin1String one) { return text.startsWith(one); }))
        return true;
    if (text.startsWith(QLatin1String("--"))) {
        // What follows an expansion within the option's name is not known.
        return listHasBeginning(row.longer, option) || (!word.isLiteral() && !text.contains(u'='));
    }
    const bool isShort = word.knownStart() == u'-';
    if (!isShort && !isLetters)
        return false;
    const QStringView cluster = QStringView(text).mid(isShort ? 1 : 0);
    for (const char *letter = row.letters; *letter != '\0'; ++letter) {
        if (cluster.contains(QLatin1Char(*letter)))
            return true;
    }
    return !word.isLiteral() && (*row.letters != '\0' || *row.exact != '\0');
}

} // namespace

QString whyOptionsAsk(const ShellSegment &segment, const QString &name)
{
    if (name == QLatin1String("sed") || name == QLatin1String("gsed"))
        return whySedAsks(segment);
    if (name == QLatin1String("git"))
        return whyGitAsks(segment.words);
    if (name == QLatin1String("printf")) {
        // -v computes an array index.
        const bool known = segment.words.size() > 1 && !segment.words.at(1).knownStart().isNull();
        return !known || segment.words.at(1).knownStart() == u'-'
            ? QStringLiteral("printf may set a variable")
            : QString();
    }
    const auto row = std::find_if(
        std::begin(kOptionRows), std::end(kOptionRows),
        [&name](const OptionRow &candidate) { return listHas(candidate.programs, name); });
    if (row == std::end(kOptionRows))
        return {};
    const bool isMake = listHas(row->programs, QStringLiteral("make"));
    const bool endsAtDashes = name == QLatin1String("npm");
    for (qsizetype i = 1; i < segment.words.size(); ++i) {
        const ShellWord &word = segment.words.at(i);
        const QString text = word.text();
        if ((word.knownStart().isNull() && !word.parts.isEmpty()) || word.maySplit())
            return QStringLiteral("an argument of %1 may become an option that runs a program")
                .arg(name);
        // What follows is the script's.
        if (endsAtDashes && text == QLatin1String("--"))
            break;
        // A variable of make may be the shell or a call of it.
        const bool sets = isMake && word.knownStart() != u'-'
            && (text.contains(u'=') || text.contains(u'$') || !word.isLiteral());
        if (sets || isOption(*row, word, i == 1 && name == QLatin1String("tar")))
            return QStringLiteral("%1 with %2 runs or sets what it is given")
                .arg(name, text.section(u'=', 0, 0));
    }
    if (name == QLatin1String("uniq") && hasSecondOperand(segment))
        return QStringLiteral("uniq writes to the second file that it is given");
    return {};
}

} // namespace berth::domain
