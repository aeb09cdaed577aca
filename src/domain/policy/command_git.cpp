// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_git.h"

#include "domain/policy/word_list.h"

namespace berth::domain {

namespace {

constexpr const char *kGitPlain =
    "status log diff show branch add commit checkout switch restore fetch pull push stash tag "
    "blame "
    "annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file diff-tree "
    "diff-index diff-files name-rev merge-base merge cherry-pick revert reset rm mv clean reflog "
    "grep whatchanged count-objects fsck check-ignore check-attr for-each-ref show-ref "
    "symbolic-ref version init";

constexpr const char *kGitRunners =
    "bisect submodule submodule--helper filter-branch difftool mergetool config send-email daemon "
    "shell credential svn p4 instaweb web--browse gui citool help hook merge-index merge-one-file "
    "remote-ext remote-fd for-each-repo maintenance upload-pack receive-pack upload-archive "
    "http-backend cvsserver cvsimport archimport quiltimport imap-send request-pull";

//! Taken by at least one subcommand as the name of a program, of a file that is written or of a
//! setting that may be either.
constexpr const char *kGitLong =
    "--exec --exec-path --config-env --upload-pack --receive-pack --extcmd --open-files-in-pager "
    "--output --output-directory --ext-diff --textconv --config --template --to-command "
    "--use-mailmap-program --separate-git-dir";

struct GitLetters
{
    const char *subcommands;
    const char *letters;
};

constexpr GitLetters kGitLetters[] = {
    {"grep", "O"},
    {"rebase", "x"},
    {"clone", "uc"},
    {"archive format-patch", "o"},
};

bool hasLetter(const QString &subcommand, const QString &option)
{
    for (const GitLetters &row : kGitLetters) {
        if (!listHas(row.subcommands, subcommand))
            continue;
        for (const char *letter = row.letters; *letter != '\0'; ++letter) {
            if (option.contains(QLatin1Char(*letter)))
                return true;
        }
    }
    return false;
}

//! Of the program itself, and harmless.
bool isPlainGlobal(const QString &option)
{
    return listHas("--no-pager -P --version --no-optional-locks --literal-pathspecs", option);
}

qsizetype subcommandAt(const QList<ShellWord> &words)
{
    qsizetype at = 1;
    while (at < words.size() && words.at(at).isLiteral() && isPlainGlobal(words.at(at).text()))
        ++at;
    return at;
}

} // namespace

QString whyGitAsks(const QList<ShellWord> &words)
{
    const qsizetype at = subcommandAt(words);
    if (at >= words.size())
        return {};
    const QString subcommand = words.at(at).text();
    // -c, --exec-path, and directories whose configuration names programs.
    if (!words.at(at).isLiteral() || subcommand.startsWith(u'-'))
        return QStringLiteral("git with an option before its subcommand may run what it is given");
    if (listHas(kGitRunners, subcommand) || subcommand.startsWith(QLatin1String("credential-")))
        return QStringLiteral("git %1 runs whatever it is given").arg(subcommand);
    for (qsizetype i = at + 1; i < words.size(); ++i) {
        const ShellWord &word = words.at(i);
        const QString text = word.text();
        // Also quoted: "e$x" may be an address ext::…, which is a command.
        const bool isKnown = !word.has(ShellPart::Parameter) && !word.has(ShellPart::Command)
            && !word.has(ShellPart::Arithmetic);
        if (!isKnown || (word.knownStart().isNull() && !word.parts.isEmpty()))
            return QStringLiteral("an argument of git may become an option that runs a program");
        const QString option = text.section(u'=', 0, 0);
        const bool isLong = text.startsWith(QLatin1String("--"));
        const bool asks = text.contains(QLatin1String("ext::"))
            || (isLong
                && (listHasBeginning(kGitLong, option)
                    || (!word.isLiteral() && !text.contains(u'='))))
            || (!isLong && text.startsWith(u'-')
                && (hasLetter(subcommand, text) || !word.isLiteral()));
        if (asks)
            return QStringLiteral("git with %1 runs or sets what it is given").arg(option);
    }
    return {};
}

bool isPlainGit(const QList<ShellWord> &words)
{
    const qsizetype at = subcommandAt(words);
    return at < words.size() && words.at(at).isLiteral() && listHas(kGitPlain, words.at(at).text());
}

} // namespace berth::domain
