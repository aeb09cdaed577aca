// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_traits.h"

#include "domain/policy/command_git.h"
#include "domain/policy/command_options.h"
#include "domain/policy/command_wrappers.h"
#include "domain/policy/private_paths.h"
#include "domain/policy/word_list.h"

#include <QtCore/QDir>
#include <QtCore/QSet>

#include <algorithm>

namespace berth::domain {

namespace {

QSet<QString> setOf(const char *names)
{
    const QStringList list = QString::fromLatin1(names).split(u' ', Qt::SkipEmptyParts);
    return {list.cbegin(), list.cend()};
}

//! "python3.11" → "python"
QString withoutVersion(const QString &name)
{
    qsizetype end = name.size();
    while (end > 0) {
        const QChar c = name.at(end - 1);
        if ((c < u'0' || c > u'9') && c != u'.' && c != u'-')
            break;
        --end;
    }
    return name.left(end);
}

//! "bash-static" → "bash", "python3.11-dbg" → "python"
QString beforeVariant(const QString &name)
{
    qsizetype end = 0;
    while (end < name.size() && name.at(end).isLetter())
        ++end;
    return name.left(end);
}

bool isNamed(const QSet<QString> &names, const QString &name)
{
    return names.contains(name) || names.contains(withoutVersion(name))
        || names.contains(beforeVariant(name));
}

const QSet<QString> &plainShells()
{
    static const QSet<QString> kNames = setOf("sh bash dash ash zsh ksh mksh pdksh yash posh rbash "
                                              "fish csh tcsh elvish nu pwsh xonsh");
    return kNames;
}

const QSet<QString> &interpreters()
{
    static const QSet<QString> kNames = setOf(
        ". source python pypy ipython perl ruby irb node nodejs deno bun bunx npx pnpx tsx ts-node "
        "php lua luajit tclsh wish expect osascript Rscript R julia octave ghci runghc runhaskell "
        "scala groovy kotlin java jshell clojure bb erl escript elixir iex racket guile sbcl clisp "
        "gst swift raku awk gawk mawk nawk original-awk ed ex red vi vim nvim view vimdiff emacs "
        "emacsclient nano pico joe less more most dc m4 sqlite sqlite3 psql mysql mariadb ftp lftp "
        "sftp scp telnet nc ncat netcat socat at batch crontab screen tmux dialog debugfs mail "
        "mutt uvx pipx nix-shell nix nsh ld.so ld-linux.so.2 ld-linux-x86-64.so.2 gcore cscope "
        "ansible ansible-playbook salt cpan pry tcl wolframscript matlab sage jq-repl");
    return kNames;
}

//! Builtins that set what later commands are, or that compute their arguments, which can run
//! commands out of an array index.
const QSet<QString> &trickyBuiltins()
{
    static const QSet<QString> kNames = setOf(
        "alias unalias enable shopt declare typeset local export readonly unset let read mapfile "
        "readarray getopts hash bind complete compgen compopt history fc jobs wait function select "
        "repeat noglob nocorrect autoload zmodload emulate functions zle sched vared setopt");
    return kNames;
}

//! A subcommand of these runs what it is told, or sets what others will.
bool runsBySubcommand(const QString &name, const QList<ShellWord> &words, QString *which)
{
    struct Row
    {
        const char *programs;
        const char *subs;
    };
    static constexpr Row kRunners[] = {
        {"docker podman nerdctl kubectl oc lxc crictl ctr machinectl docker-compose",
         "run exec compose container cp build buildx debug attach shell create config plugin edit"},
        {"npm pnpm yarn", "exec x dlx create init innit explore node config c set"},
        {"uv poetry pipenv bundle hatch pdm rye conda mamba micromamba mise asdf direnv devbox "
         "vagrant flatpak snap gh opam rbenv pyenv nvm volta heroku fly terraform tofu packer helm",
         "run exec tool shell ssh alias extension console env plugin"},
        {"go cargo", "run generate tool"},
    };
    for (const Row &row : kRunners) {
        if (!listHas(row.programs, name))
            continue;
        // Behind options of the program itself it may be any word.
        const qsizetype last = words.at(1).knownStart() == u'-' ? words.size() - 1 : 1;
        for (qsizetype i = 1; i <= last; ++i) {
            *which = words.at(i).text();
            if (i == 1 && !words.at(i).isLiteral())
                return true;
            if (listHas(row.subs, *which))
                return true;
        }
    }
    return false;
}

bool isSafeSet(const ShellSegment &segment)
{
    constexpr const char *kOptions = "pipefail errexit nounset xtrace noglob verbose";
    for (qsizetype i = 1; i < segment.words.size(); ++i) {
        const QString word = segment.words.at(i).text();
        if (!segment.words.at(i).isLiteral() || word.size() < 2
            || (word.front() != u'-' && word.front() != u'+'))
            return false;
        bool takesName = false;
        for (const QChar c : word.mid(1)) {
            if (c == u'o')
                takesName = true;
            else if (!QStringView(u"eufxhbCv").contains(c))
                return false;
        }
        if (takesName
            && (++i >= segment.words.size() || !listHas(kOptions, segment.words.at(i).text())))
            return false;
    }
    return segment.words.size() > 1;
}

//! What "test" and "[" do not compute: a fixed operator between or before single words.
bool isSafeTest(const QList<ShellWord> &words)
{
    constexpr const char *kBinary = "= == != -eq -ne -lt -le -gt -ge -nt -ot -ef";
    constexpr const char *kUnary = "-z -n -f -d -e -x -r -w -s -L -h -p -S -b -c -t";
    qsizetype first = 1;
    qsizetype count = words.size() - 1;
    if (words.first().text() == QLatin1String("[")) {
        if (words.last().text() != QLatin1String("]"))
            return false;
        --count;
    }
    if (count > 0 && words.at(first).isLiteral() && words.at(first).text() == QLatin1String("!")) {
        ++first;
        --count;
    }
    for (qsizetype i = first; i < first + count; ++i) {
        if (!words.at(i).isSingle())
            return false;
    }
    if (count == 2)
        return words.at(first).isLiteral() && listHas(kUnary, words.at(first).text());
    if (count == 3)
        return words.at(first + 1).isLiteral() && listHas(kBinary, words.at(first + 1).text());
    return false;
}

bool isSafeDoubleTest(const QList<ShellWord> &words)
{
    return std::none_of(words.cbegin() + 1, words.cend(), [](const ShellWord &word) {
        return listHas("-eq -ne -lt -le -gt -ge -v -R", word.text());
    });
}

QString whyRedirectAsks(const ShellRedirect &redirect, const CommandPlace &place, bool movesAbout)
{
    if (redirect.op.startsWith(QLatin1String("<<")))
        return {};
    const QString target = redirect.target.text();
    if (!redirect.target.isLiteral())
        return redirect.writesFile() || redirect.op.endsWith(u'&')
            ? QStringLiteral("it writes to a file whose name is not known")
            : QString();
    if (target.startsWith(QLatin1String("/dev/tcp/"))
        || target.startsWith(QLatin1String("/dev/udp/")))
        return QStringLiteral("it opens a network connection");
    if (!redirect.writesFile())
        return {};
    if (listHas("/dev/null /dev/stdout /dev/stderr /dev/tty", target))
        return {};
    const QString outside = QStringLiteral("it writes to %1, outside the workspace").arg(target);
    if (place.workspace.isEmpty() || target.isEmpty())
        return outside;
    QString path = target;
    if (!target.startsWith(u'/')) {
        if (movesAbout || place.cwd.isEmpty())
            return QStringLiteral("it writes to %1 in a directory that is not known").arg(target);
        path = place.cwd + u'/' + target;
    }
    const QString clean = QDir::cleanPath(path);
    const QString root = QDir::cleanPath(place.workspace);
    const QString below = root.endsWith(u'/') ? root : root + u'/';
    if (!clean.startsWith(below))
        return outside;
    if (isRunByOthers(clean, place.workspace))
        return QStringLiteral("it writes to %1, which other programs run or read").arg(target);
    return {};
}

} // namespace

QString programName(const QString &command)
{
    return command.mid(command.lastIndexOf(u'/') + 1);
}

bool isPlainShell(const QString &command)
{
    return isNamed(plainShells(), programName(command));
}

bool isInterpreter(const QString &command)
{
    const QString name = programName(command);
    // find only with what it executes; see whyOptionsAsk().
    if (name == QLatin1String("find"))
        return false;
    return isWrapper(name) || isPlainShell(name) || isNamed(interpreters(), name);
}

namespace {

//! Whether setting it can make no program run another one. \a inherited: the command that follows
//! gets it, and for many a program a name in small letters is a setting.
bool isHarmlessVariable(const QString &name, bool inherited)
{
    if (listHas("LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES CI "
                "DEBUG VERBOSE DEBIAN_FRONTEND PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE NODE_ENV "
                "RUST_BACKTRACE RUST_LOG GOOS GOARCH CGO_ENABLED",
                name)
        || name.startsWith(QLatin1String("LC_")))
        return true;
    if (inherited || name.isEmpty() || name != name.toLower()
        || name.endsWith(QLatin1String("proxy")))
        return false;
    const bool isSetting =
        anyWord("npm_ pnpm_ yarn_", [&name](QLatin1String one) { return name.startsWith(one); });
    // By convention a variable of the line itself; zsh and csh tie these to PATH and to where
    // functions come from.
    return !isSetting
        && !listHas("path cdpath fpath manpath module_path mailpath shell home histchars term argv "
                    "status prompt psvar watch _",
                    name);
}

} // namespace

bool needsExactRule(const QList<ShellWord> &words)
{
    return !words.isEmpty() && programName(words.first().text()) == QLatin1String("git")
        && !isPlainGit(words);
}

bool changesDirectory(const ShellSegment &segment)
{
    if (segment.words.isEmpty())
        return false;
    return !segment.words.first().isLiteral()
        || listHas("cd pushd popd chdir z j", segment.words.first().text());
}

QString whyAlwaysAsks(const ShellSegment &segment, const CommandPlace &place, bool movesAbout)
{
    for (const ShellAssignment &assignment : segment.assignments) {
        if (!isHarmlessVariable(assignment.name, !segment.words.isEmpty()))
            return QStringLiteral("it sets %1, which may change what programs do")
                .arg(assignment.name);
    }
    for (const ShellRedirect &redirect : segment.redirects) {
        if (const QString why = whyRedirectAsks(redirect, place, movesAbout); !why.isEmpty())
            return why;
    }
    if (segment.words.isEmpty())
        return {};
    const ShellWord &first = segment.words.first();
    if (!first.isLiteral())
        return QStringLiteral("the name of a command is known only when it runs");
    const QString command = first.text();
    const QString name = programName(command);
    if (name.isEmpty())
        return QStringLiteral("a command has no name");
    if (name == QLatin1String("command") && segment.words.size() > 1
        && (segment.words.at(1).text() == QLatin1String("-v")
            || segment.words.at(1).text() == QLatin1String("-V")))
        return {};
    if (isInterpreter(command))
        return QStringLiteral("%1 runs whatever it is given").arg(name);
    if (trickyBuiltins().contains(name))
        return QStringLiteral("%1 changes what the shell does").arg(name);
    if (name == QLatin1String("set") && !isSafeSet(segment))
        return QStringLiteral("set changes what the shell does");
    const bool isTest = name == QLatin1String("test") || name == QLatin1String("[");
    if (isTest && !isSafeTest(segment.words))
        return QStringLiteral("it has a test of an unknown form");
    if (name == QLatin1String("[[") && !isSafeDoubleTest(segment.words))
        return QStringLiteral("it has a test that computes");
    if (segment.words.size() > 1) {
        QString sub;
        if (runsBySubcommand(name, segment.words, &sub))
            return QStringLiteral("%1 %2 runs whatever it is given").arg(name, sub);
    }
    return whyOptionsAsk(segment, name);
}

} // namespace berth::domain
