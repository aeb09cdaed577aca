// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_wrappers.h"

#include "domain/policy/command_patterns.h"
#include "domain/policy/command_traits.h"
#include "domain/policy/word_list.h"

#include <QtCore/QStringList>

#include <algorithm>
#include <iterator>

namespace berth::domain {

namespace {

constexpr int kDeepestWrapping = 8;
constexpr qsizetype kMostCommands = 20'000;

enum class WrapperForm {
    //! The command's words follow.
    Words,
    //! The rest is one line for a shell.
    Line,
    //! It is -c's argument.
    DashC,
    //! Its options are not known well enough: what looks like the command is taken for it, and that
    //! there may be another one is told.
    Guess,
};

//! A program that runs another command. Options that are in no list leave open where that begins.
struct WrapperRow
{
    const char *names;
    WrapperForm form;
    //! Letters of options without and with an argument.
    const char *flags;
    const char *taking;
    const char *longFlags;
    const char *longTaking;
    //! Words before the command: timeout's duration.
    int operands;
    //! Without a command it starts a shell, or one that it was told elsewhere.
    bool startsShell;
};

constexpr WrapperRow kWrappers[] = {
    {"env", WrapperForm::Words, "i0v", "uC", "--ignore-environment --null --debug",
     "--unset --chdir", 0, false},
    {"sudo", WrapperForm::Words, "ABbEeHiKklNnPSsVv", "ugphCrtTURDa",
     "--askpass --background --bell --edit --login --shell --non-interactive --stdin --set-home "
     "--preserve-env --preserve-groups --reset-timestamp --remove-timestamp --validate --list",
     "--user --group --host --prompt --chdir --chroot --close-from --command-timeout --role --type "
     "--other-user",
     0, true},
    {"doas", WrapperForm::Words, "Lns", "uCa", "", "", 0, true},
    {"pkexec", WrapperForm::Words, "", "", "--disable-internal-agent --keep-cwd", "--user", 0,
     true},
    {"timeout", WrapperForm::Words, "v", "ks", "--foreground --preserve-status --verbose",
     "--kill-after --signal", 1, false},
    {"nice", WrapperForm::Words, "0123456789", "n", "", "--adjustment", 0, false},
    {"ionice", WrapperForm::Words, "t", "cnpPu", "--ignore",
     "--class --classdata --pid --pgid --uid", 0, false},
    {"chrt", WrapperForm::Words, "abdefiormRv", "TPD",
     "--batch --deadline --fifo --idle --other --rr --reset-on-fork --all-tasks --verbose",
     "--sched-runtime --sched-period --sched-deadline", 1, false},
    {"nohup catchsegv busybox toybox linux32 linux64 builtin coproc dbus-run-session torsocks "
     "proxychains proxychains4 rlwrap retry prlimit",
     WrapperForm::Words, "", "", "", "", 0, false},
    {"setsid", WrapperForm::Words, "cfw", "", "--ctty --fork --wait", "", 0, false},
    {"command", WrapperForm::Words, "p", "", "", "", 0, false},
    {"exec", WrapperForm::Words, "cl", "a", "", "", 0, false},
    {"fakeroot", WrapperForm::Words, "u", "lisb", "--unknown-is-real", "--lib --faked", 0, true},
    {"unbuffer", WrapperForm::Words, "p", "", "", "", 0, false},
    {"caffeinate", WrapperForm::Words, "disum", "tw", "", "", 0, false},
    {"xvfb-run", WrapperForm::Words, "al", "efnpsw", "--auto-servernum --listen-tcp",
     "--error-file --auth-file --server-num --server-args --wait --xauth-protocol", 0, false},
    {"time", WrapperForm::Words, "apvq", "fo", "--append --portability --verbose --quiet",
     "--format --output", 0, false},
    {"stdbuf", WrapperForm::Words, "", "ioe", "", "--input --output --error", 0, false},
    {"xargs", WrapperForm::Words, "0oprtx", "IEdaLnPs",
     "--null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --replace "
     "--eof --max-lines",
     "--arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var", 0, false},
    {"chroot", WrapperForm::Words, "", "", "--skip-chdir", "--userspec --groups", 1, true},
    {"taskset", WrapperForm::Words, "acp", "", "--all-tasks --cpu-list --pid", "", 1, false},
    {"flock", WrapperForm::Words, "sxeonuFv", "wEc",
     "--shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose",
     "--timeout --wait --conflict-exit-code --command", 1, false},
    {"su sg newgrp script", WrapperForm::DashC, "", "", "", "", 0, true},
    {"runuser", WrapperForm::Words, "lmpP", "ugGcsTw", "--login --preserve-environment --pty",
     "--user --group --supp-group --command --session-command --shell --whitelist-environment", 0,
     true},
    {"ssh rsh", WrapperForm::Line, "46AaCfGgKkMNnqsTtVvXxYy", "BbcDEeFIiJLlmOopQRSWw", "", "", 1,
     true},
    {"watch", WrapperForm::Line, "bcdegtpxwCr", "nqs",
     "--beep --color --differences --errexit --chgexit --no-title --precise --exec --no-linewrap "
     "--no-rerun --no-color",
     "--interval --equexit", 0, false},
    {"eval", WrapperForm::Line, "", "", "", "", 0, false},
    {"parallel hyperfine entr setarch unshare nsenter setpriv systemd-run bwrap firejail capsh "
     "numactl strace ltrace valgrind perf gdb rust-gdb lldb chpst cgexec proot start-stop-daemon "
     "runcon daemonize softlimit wine scriptreplay",
     WrapperForm::Guess, "", "", "", "", 0, true},
    // Each has a function of its own.
    {"find trap", WrapperForm::Guess, "", "", "", "", 0, false},
};

const WrapperRow *rowOf(const QString &name)
{
    const auto row =
        std::find_if(std::begin(kWrappers), std::end(kWrappers),
                     [&name](const WrapperRow &one) { return listHas(one.names, name); });
    return row == std::end(kWrappers) ? nullptr : row;
}

enum class OptionKind { Unknown, Flag, TakesNext };

OptionKind longOption(const WrapperRow &row, const QString &word)
{
    const qsizetype equals = word.indexOf(u'=');
    const QStringView name = QStringView(word).left(equals < 0 ? word.size() : equals);
    const bool takes = listHasBeginning(row.longTaking, name);
    const bool isFlag = listHasBeginning(row.longFlags, name);
    // Cut short it may be either.
    if (takes == isFlag)
        return listHas(row.longFlags, name) ? OptionKind::Flag
            : listHas(row.longTaking, name)
            ? (equals < 0 ? OptionKind::TakesNext : OptionKind::Flag)
            : OptionKind::Unknown;
    return takes && equals < 0 ? OptionKind::TakesNext : OptionKind::Flag;
}

OptionKind shortOptions(const WrapperRow &row, const QString &word)
{
    for (qsizetype i = 1; i < word.size(); ++i) {
        const QChar letter = word.at(i);
        if (QLatin1String(row.taking).contains(letter))
            return i + 1 < word.size() ? OptionKind::Flag : OptionKind::TakesNext;
        if (!QLatin1String(row.flags).contains(letter))
            return OptionKind::Unknown;
    }
    return OptionKind::Flag;
}

bool looksLikeAssignment(const QString &text)
{
    const qsizetype equals = text.indexOf(u'=');
    return equals > 0 && !text.startsWith(u'-') && !text.left(equals).contains(u'/');
}

QString dequotedLine(const QList<ShellWord> &words, qsizetype from)
{
    QStringList texts;
    for (qsizetype i = from; i < words.size(); ++i)
        texts.append(words.at(i).text());
    return patternText(texts, false);
}

bool areLiteral(const QList<ShellWord> &words, qsizetype from)
{
    return std::all_of(words.cbegin() + std::min(from, words.size()), words.cend(),
                       [](const ShellWord &word) { return word.isLiteral(); });
}

class Collector
{
public:
    explicit Collector(InnerCommands *found) : m_found(found) {}

    void line(const ShellLine &line, int depth)
    {
        if (!line.isUnderstood())
            m_found->complete = false;
        for (const ShellSegment &segment : line.segments)
            command(segment.words, segment.redirects, depth);
    }

private:
    using Words = QList<ShellWord>;
    using Redirects = QList<ShellRedirect>;

    void open() { m_found->complete = false; }

    void text(const QString &source, int depth)
    {
        if (depth >= kDeepestWrapping)
            open();
        else
            line(parseShell(source), depth + 1);
    }

    //! Words as one text, as eval and ssh join them.
    void joined(const Words &words, qsizetype from, int depth)
    {
        if (!areLiteral(words, from)) {
            open();
            return;
        }
        QString all;
        for (qsizetype i = from; i < words.size(); ++i)
            all += words.at(i).text() + u' ';
        if (!all.isEmpty())
            text(all, depth);
    }

    void rest(const Words &words, qsizetype from, const Redirects &redirects, int depth)
    {
        if (depth >= kDeepestWrapping)
            open();
        else
            command(words.mid(from), redirects, depth + 1);
    }

    //! A shell that reads what to run from standard input.
    void input(const Redirects &redirects, int depth)
    {
        bool known = false;
        for (const ShellRedirect &redirect : redirects) {
            if (!redirect.isInput())
                continue;
            known = redirect.op.startsWith(QLatin1String("<<")) && redirect.bodyIsKnown;
            if (known)
                text(redirect.body, depth);
        }
        if (!known)
            open();
    }

    void shell(const Words &words, const Redirects &redirects, int depth)
    {
        // They read another language.
        if (listHas("fish csh tcsh elvish nu pwsh xonsh", programName(words.first().text())))
            open();
        bool takesCode = false;
        bool readsInput = false;
        bool optionsEnded = false;
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = words.at(i).text();
            if (!words.at(i).isLiteral()) {
                open();
                return;
            }
            const bool isOption = word.startsWith(u'-') || word.startsWith(u'+');
            if (isOption && !optionsEnded) {
                if (word == QLatin1String("-") || word == QLatin1String("--")) {
                    optionsEnded = true;
                } else if (word.startsWith(QLatin1String("--"))) {
                    if (listHas("--rcfile --init-file", word)) {
                        open();
                        ++i;
                    }
                } else {
                    takesCode = takesCode || word.contains(u'c');
                    readsInput = readsInput || word.contains(u's');
                    // The name of an option for each.
                    const qsizetype named = word.count(u'o') + word.count(u'O');
                    if (!areLiteral(words.mid(i + 1, named), 0))
                        open();
                    i += named;
                }
                continue;
            }
            if (takesCode) {
                text(word, depth);
                return;
            }
            if (readsInput || listHas("/dev/stdin /dev/fd/0 /proc/self/fd/0", word))
                break;
            // What a script runs is not known.
            open();
            return;
        }
        input(redirects, depth);
    }

    void find(const Words &words, int depth)
    {
        for (qsizetype i = 1; i < words.size(); ++i) {
            if (words.at(i).maySplit())
                open();
            if (!listHas("-exec -execdir -ok -okdir", words.at(i).text()))
                continue;
            qsizetype end = i + 1;
            while (end < words.size() && words.at(end).text() != QLatin1String(";")
                   && words.at(end).text() != QLatin1String("+"))
                ++end;
            rest(words.mid(i + 1, end - i - 1), 0, {}, depth);
            i = end;
        }
    }

    //! The argument of -c or --command, wherever it stands; \a isAll: there is no other way.
    void dashC(const Words &words, bool isAll, int depth)
    {
        bool any = false;
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = words.at(i).text();
            const bool isLong = word.startsWith(QLatin1String("--"));
            const qsizetype equals = word.indexOf(u'=');
            const qsizetype letter = !isLong && word.startsWith(u'-') ? word.indexOf(u'c') : -1;
            const bool named =
                isLong && listHasBeginning("--command --session-command", word.section(u'=', 0, 0));
            if (!named && letter < 0)
                continue;
            any = true;
            const QString attached =
                named ? (equals < 0 ? QString() : word.mid(equals + 1)) : word.mid(letter + 1);
            const bool isNext = named ? equals < 0 : attached.isEmpty();
            const qsizetype at = isNext ? i + 1 : i;
            if (at >= words.size() || !words.at(at).isLiteral())
                open();
            else
                text(isNext ? words.at(at).text() : attached, depth);
            i = at;
        }
        if (isAll && !any)
            open();
    }

    //! env -S: the text is split into further arguments of env.
    void split(const QString &source, const Words &words, qsizetype from, int depth)
    {
        if (!areLiteral(words, from) || source.contains(u'\\') || source.contains(u'$'))
            open();
        text(QStringLiteral("env %1 %2").arg(source, dequotedLine(words, from)), depth);
    }

    //! Of \a word, at \a i of an env; true: the rest was read.
    bool splits(const Words &words, qsizetype i, int depth)
    {
        const QString word = words.at(i).text();
        const bool isLong = word.startsWith(QLatin1String("--"));
        const qsizetype equals = word.indexOf(u'=');
        const qsizetype letter = isLong ? -1 : word.indexOf(u'S');
        if (isLong && !listHasBeginning("--split-string", word.section(u'=', 0, 0)))
            return false;
        if (!isLong && letter < 0)
            return false;
        const QString attached =
            isLong ? (equals < 0 ? QString() : word.mid(equals + 1)) : word.mid(letter + 1);
        if (!attached.isEmpty())
            split(attached, words, i + 1, depth);
        else if (i + 1 < words.size())
            split(words.at(i + 1).text(), words, i + 2, depth);
        return true;
    }

    void wrapped(const WrapperRow &row, const Words &words, const Redirects &redirects, int depth)
    {
        const QString name = programName(words.first().text());
        const bool isEnv = name == QLatin1String("env");
        int operands = row.operands;
        bool optionsEnded = false;
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = words.at(i).text();
            if (!words.at(i).isLiteral() && words.at(i).knownStart().isNull() && operands <= 0) {
                // The command itself is unknown.
                rest(words, i, redirects, depth);
                return;
            }
            if (!optionsEnded && word.startsWith(u'-')) {
                if (isEnv && splits(words, i, depth))
                    return;
                if (word == QLatin1String("--")) {
                    optionsEnded = true;
                    continue;
                }
                if (isEnv && word == QLatin1String("-"))
                    continue;
                const OptionKind option = word.startsWith(QLatin1String("--"))
                    ? longOption(row, word)
                    : shortOptions(row, word);
                // -o, -F and -J of ssh may name a command of this side.
                const bool isProxy = row.operands > 0 && row.form == WrapperForm::Line
                    && (word.contains(u'o') || word.contains(u'F') || word.contains(u'J'));
                if (option == OptionKind::Unknown || isProxy || !words.at(i).isLiteral())
                    open();
                if (option == OptionKind::TakesNext)
                    ++i;
                continue;
            }
            if (looksLikeAssignment(word) && row.form == WrapperForm::Words)
                continue;
            if (operands-- > 0) {
                // What an operand that is not known splits into may be the command.
                if (words.at(i).maySplit())
                    open();
                continue;
            }
            if (row.form == WrapperForm::Line) {
                joined(words, i, depth);
            } else if (name == QLatin1String("xargs")) {
                // What it reads comes behind.
                ShellWord read;
                read.parts.append({ShellPart::Parameter, {}, false});
                rest(words + Words{read}, i, {}, depth);
            } else {
                rest(words, i, redirects, depth);
            }
            return;
        }
        if (row.startsShell)
            open();
    }

    //! The first word that is no option; behind gdb's --args, and hyperfine's words are lines.
    void guess(const QString &name, const Words &words, int depth)
    {
        open();
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = words.at(i).text();
            if (word.startsWith(u'-') || (name == QLatin1String("perf") && i == 1)
                || looksLikeAssignment(word))
                continue;
            if (listHas("parallel hyperfine", name))
                joined(words, i, depth);
            else
                rest(words, i, {}, depth);
            // An option's argument, or the kind of machine, may have come first.
            if (depth == 0 && i + 1 < words.size()
                && listHas("setarch strace ltrace perf bwrap", name)
                && !words.at(i + 1).text().startsWith(u'-'))
                rest(words, i + 1, {}, depth);
            return;
        }
    }

    void trap(const Words &words, int depth)
    {
        const qsizetype at = words.size() > 1 && words.at(1).text() == QLatin1String("--") ? 2 : 1;
        if (at >= words.size())
            return;
        if (!words.at(at).isLiteral())
            open();
        else if (!words.at(at).text().startsWith(u'-'))
            text(words.at(at).text(), depth);
    }

    void command(const Words &words, const Redirects &redirects, int depth)
    {
        if (words.isEmpty())
            return;
        if (m_found->commands.size() >= kMostCommands) {
            open();
            return;
        }
        m_found->commands.append(words);
        if (!words.first().isLiteral()) {
            open();
            return;
        }
        const QString name = programName(words.first().text());
        if (isPlainShell(name)) {
            shell(words, redirects, depth);
            return;
        }
        const WrapperRow *row = rowOf(name);
        if (!row)
            return;
        if (name == QLatin1String("find"))
            find(words, depth);
        else if (name == QLatin1String("trap"))
            trap(words, depth);
        else if (name == QLatin1String("command") && words.size() > 1
                 && listHas("-v -V", words.at(1).text()))
            return;
        else if (row->form == WrapperForm::DashC)
            dashC(words, true, depth);
        else if (row->form == WrapperForm::Guess)
            guess(name, words, depth);
        else
            wrapped(*row, words, redirects, depth);
        // Either a command or -c.
        if (listHas("runuser flock", name))
            dashC(words, false, depth);
    }

    InnerCommands *m_found;
};

} // namespace

bool isWrapper(const QString &name)
{
    return rowOf(name) != nullptr;
}

InnerCommands innerCommands(const ShellLine &line)
{
    InnerCommands found;
    Collector(&found).line(line, 0);
    return found;
}

} // namespace berth::domain
