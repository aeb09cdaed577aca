// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/command_wrappers.h"

#include "domain/policy/command_traits.h"

namespace berth::domain {

namespace {

constexpr int kDeepestWrapping = 8;
constexpr qsizetype kMostCommands = 20'000;

struct WrapperRow
{
    const char *names;
    //! Options whose argument is the next word.
    const char *withArgument;
    //! Words before the command: timeout's duration.
    int operands;
    //! The rest is one line for a shell.
    bool isLine;
};

constexpr WrapperRow kWrappers[] = {
    {"env", "-u --unset -C --chdir", 0, false},
    {"sudo doas pkexec",
     "-u --user -g --group -h --host -p --prompt -C -r --role -t --type -T -U -D --chdir -R -a", 0,
     false},
    {"timeout", "-k --kill-after -s --signal", 1, false},
    {"nice ionice chrt prlimit", "-n --adjustment -c --class -p --pid -T -P -D", 0, false},
    {"nohup setsid command builtin fakeroot unbuffer catsegv caffeinate torsocks busybox toybox "
     "proxychains proxychains4 rlwrap coproc dbus-run-session xvfb-run retry",
     "", 0, false},
    {"exec", "-a", 0, false},
    {"time", "-f --format -o --output", 0, false},
    {"stdbuf", "-i -o -e --input --output --error", 0, false},
    {"xargs", "-I -n -P -L -d -a -E -s --max-args --max-procs --delimiter --arg-file --replace", 0,
     false},
    {"parallel", "-j --jobs -I -a --arg-file -N -n --delay --retries --timeout", 0, false},
    {"chroot taskset flock setarch", "-w --timeout -E -c", 1, false},
    {"unshare nsenter setpriv systemd-run bwrap firejail capsh numactl strace ltrace valgrind perf "
     "gdb hyperfine chpst cgexec",
     "-t --target -S -G -p --property -u --unit -o -e -E", 0, false},
    {"ssh rsh", "-p -i -o -l -L -R -D -F -J -E -c -m -b -e -Q -S -w -W -B -I -O", 1, true},
    {"watch", "-n --interval", 0, true},
    {"eval", "", 0, true},
};

bool hasWord(const char *list, const QString &word)
{
    return QString::fromLatin1(list).split(u' ', Qt::SkipEmptyParts).contains(word);
}

bool looksLikeAssignment(const QString &text)
{
    const qsizetype equals = text.indexOf(u'=');
    return equals > 0 && !text.startsWith(u'-') && !text.left(equals).contains(u'/');
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
    void text(const QString &source, int depth)
    {
        if (depth >= kDeepestWrapping) {
            m_found->complete = false;
            return;
        }
        line(parseShell(source), depth + 1);
    }

    //! Words as one text, as eval and ssh join them.
    void joined(const QList<ShellWord> &words, qsizetype from, int depth)
    {
        QString all;
        for (qsizetype i = from; i < words.size(); ++i) {
            if (!words.at(i).isLiteral()) {
                m_found->complete = false;
                return;
            }
            all += words.at(i).text() + u' ';
        }
        if (from < words.size())
            text(all, depth);
    }

    void rest(const QList<ShellWord> &words, qsizetype from, int depth)
    {
        if (from >= words.size())
            return;
        if (depth >= kDeepestWrapping)
            m_found->complete = false;
        else
            command(words.mid(from), {}, depth + 1);
    }

    void shell(const QList<ShellWord> &words, const QList<ShellRedirect> &redirects, int depth)
    {
        bool takesCode = false;
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = words.at(i).text();
            if (!words.at(i).isLiteral()) {
                m_found->complete = false;
                return;
            }
            if (word.size() > 1 && (word.front() == u'-' || word.front() == u'+')) {
                if (word == QLatin1String("-o") || word == QLatin1String("-O")
                    || word == QLatin1String("--rcfile") || word == QLatin1String("--init-file"))
                    ++i;
                else if (!word.startsWith(QLatin1String("--")) && word.contains(u'c'))
                    takesCode = true;
                continue;
            }
            // A script is a program like any other.
            if (takesCode)
                text(word, depth);
            return;
        }
        // Code from standard input.
        bool known = false;
        for (const ShellRedirect &redirect : redirects) {
            if (!redirect.op.startsWith(QLatin1String("<<")))
                continue;
            known = redirect.bodyIsKnown;
            if (known)
                text(redirect.body, depth);
        }
        if (!known)
            m_found->complete = false;
    }

    void find(const QList<ShellWord> &words, int depth)
    {
        for (qsizetype i = 1; i < words.size(); ++i) {
            if (!hasWord("-exec -execdir -ok -okdir", words.at(i).text()))
                continue;
            qsizetype end = i + 1;
            while (end < words.size() && words.at(end).text() != QLatin1String(";")
                   && words.at(end).text() != QLatin1String("+"))
                ++end;
            if (depth < kDeepestWrapping)
                command(words.mid(i + 1, end - i - 1), {}, depth + 1);
            else
                m_found->complete = false;
            i = end;
        }
    }

    //! su, runuser, script: only the argument of -c.
    void dashC(const QList<ShellWord> &words, int depth)
    {
        for (qsizetype i = 1; i + 1 < words.size(); ++i) {
            const QString word = words.at(i).text();
            const bool isCode = word == QLatin1String("--command")
                || (word.startsWith(u'-') && !word.startsWith(QLatin1String("--"))
                    && word.endsWith(u'c'));
            if (!isCode)
                continue;
            if (words.at(i + 1).isLiteral())
                text(words.at(i + 1).text(), depth);
            else
                m_found->complete = false;
        }
    }

    void wrapped(const WrapperRow &row, const QList<ShellWord> &words, int depth)
    {
        const bool isEnv = words.first().text().endsWith(QLatin1String("env"));
        int operands = row.operands;
        for (qsizetype i = 1; i < words.size(); ++i) {
            const QString word = words.at(i).text();
            if (words.at(i).isLiteral() && word.size() > 1 && word.startsWith(u'-')) {
                const bool splits = word.startsWith(QLatin1String("-S"))
                    || word.startsWith(QLatin1String("--split-string"));
                if (isEnv && splits) {
                    const qsizetype equals = word.indexOf(u'=');
                    const QString joinedWord = word.startsWith(QLatin1String("--"))
                        ? (equals > 0 ? word.mid(equals + 1) : QString())
                        : word.mid(2);
                    if (!joinedWord.isEmpty())
                        text(joinedWord, depth);
                    joined(words, i + 1, depth);
                    return;
                }
                if (hasWord(row.withArgument, word))
                    ++i;
                continue;
            }
            if (looksLikeAssignment(word) && !row.isLine)
                continue;
            if (operands-- > 0)
                continue;
            if (row.isLine)
                joined(words, i, depth);
            else
                rest(words, i, depth);
            return;
        }
    }

    void command(const QList<ShellWord> &words, const QList<ShellRedirect> &redirects, int depth)
    {
        if (words.isEmpty())
            return;
        if (m_found->commands.size() >= kMostCommands) {
            m_found->complete = false;
            return;
        }
        m_found->commands.append(words);
        if (!words.first().isLiteral()) {
            m_found->complete = false;
            return;
        }
        const QString name = programName(words.first().text());
        if (isPlainShell(name)) {
            shell(words, redirects, depth);
            return;
        }
        if (name == QLatin1String("find")) {
            find(words, depth);
            return;
        }
        if (name == QLatin1String("trap")) {
            if (words.size() > 1 && words.at(1).isLiteral())
                text(words.at(1).text(), depth);
            else if (words.size() > 1)
                m_found->complete = false;
            return;
        }
        if (hasWord("su runuser script flock sg", name))
            dashC(words, depth);
        for (const WrapperRow &row : kWrappers) {
            if (hasWord(row.names, name)) {
                wrapped(row, words, depth);
                return;
            }
        }
    }

    InnerCommands *m_found;
};

} // namespace

InnerCommands innerCommands(const ShellLine &line)
{
    InnerCommands found;
    Collector(&found).line(line, 0);
    return found;
}

} // namespace berth::domain
