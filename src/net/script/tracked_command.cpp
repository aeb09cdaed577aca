// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/tracked_command.h"

#include "net/script/script_runner.h"

#include <QtCore/QRandomGenerator>

namespace berth::net {

using domain::CommandSpec;
using domain::ErrorKind;

namespace {

constexpr qsizetype kLongestRunPath = 4096;
constexpr qsizetype kLongestTag = 64;

// All variables and functions begin with _b: those of the sandbox's own environment must not
// change, and positional parameters are the functions' own.

// _bd: a private directory, or empty; _bf: where the files of this run begin. A directory that
// somebody else has made is not used. Names with other characters would need quoting in the trap.
constexpr char kPlace[] = R"sh(case $TMPDIR in /*) _bd=$TMPDIR;; *) _bd=/tmp;; esac
case $_bd in *[!A-Za-z0-9_./-]*) _bd=/tmp;; esac
_bd=$_bd/.berth
_bo() { [ -d "$1" ] && [ -O "$1" ] && [ ! -h "$1" ]; }
_bo "$_bd" || (umask 077; mkdir "$_bd") || _bo "$_bd" || { _bd=$_bd-RUN; _bo "$_bd"; } ||
  (umask 077; mkdir "$_bd") || _bd=/dev/null
_bf=$_bd/RUN
)sh";

// Ends every process that carries the run's mark in its environment, is in the session of its main
// process, or descends from one of those. They are stopped first, so that none can make others
// meanwhile. The main process counts only if it began when it was recorded: numbers come again.
// All are read at once: a shell reads a file byte by byte.
constexpr char kKill[] = R"sh(_bz() {
if printf 'a\0b\0' | grep -qzxF b; then grep -lzxF BERTH_RUN=RUN /proc/[0-9]*/environ
else for _bx in /proc/[0-9]*/environ; do tr '\0' '\n' <"$_bx" | grep -qxF BERTH_RUN=RUN && echo "$_bx"; done
fi; }
_bk() {
_bn=0 _bh=' ' _bp= _bt=
if read -r _bl <"$_bf.p"; then _bp=${_bl%% *}; set -- ${_bl##*) }; _bt=${20}; fi
while [ "$_bn" -lt 200 ]; do
_bn=$((_bn+1)) _bS=' ' _bA=
for _bx in $(_bz); do _bx=${_bx#/proc/}; _bS="$_bS${_bx%/*} "; done
if [ -n "$_bp" ] && read -r _bl <"/proc/$_bp/stat"; then
set -- ${_bl##*) }
if [ "${20}" != "$_bt" ]; then _bp=; elif [ "$1" != Z ]; then _bS="$_bS$_bp "; fi
fi
_bw=$(cat /proc/[0-9]*/stat) _bi=$IFS _bl=
set -f; IFS='
'
for _bx in $_bw; do
_bl=$_bl$_bx
case $_bl in *') '*) ;; *) continue;; esac
_by=${_bl%% *} _bl=${_bl##*) }
_br=${_bl#* } _bx=${_bl%% *}
_bu=${_br%% *} _br=${_br#* }
_br=${_br#* } _bl=
[ "$_bx" != Z ] && [ "$_bx" != X ] && [ "$_by" != "$$" ] || continue
case $_bS in *" $_by "*) continue;; esac
if [ -n "$_bp" ] && [ "${_br%% *}" = "$_bp" ]; then _bS="$_bS$_by "; else _bA="$_bA $_by:$_bu"; fi
done
set +f; IFS=$_bi
_bg=1
while [ -n "$_bg" ]; do
_bg=
for _bx in $_bA; do
case $_bS in *" ${_bx%:*} "*) continue;; esac
case $_bS in *" ${_bx#*:} "*) _bS="$_bS${_bx%:*} "; _bg=1;; esac
done
done
[ "$_bS" != ' ' ] || return 0
_bg=
for _bx in $_bS; do case $_bh in *" $_bx "*) ;; *) _bg=1; _bh="$_bh$_bx ";; esac; done
if [ -n "$_bg" ]; then kill -STOP $_bS; else kill -KILL $_bS; sleep 0.02 || sleep 1; fi
done
return 1; }
)sh";

// What is told at the end: code of the wait, code that the shell itself gave, why it ended.
constexpr char kTell[] = R"sh(_be() {
printf 'phase=ended code=%s' "$_bc"
[ ! -e "$_bf.r" ] || { read -r _bx <"$_bf.r"; printf ' refused=%s' "$_bx"; }
[ ! -e "$_bf.e" ] || { read -r _bx <"$_bf.e"; printf ' exit=%s' "$_bx"; }
[ ! -e "$_bf.t" ] || printf ' timeout=1'
[ ! -e "$_bf.k" ] || printf ' stopped=1'
}
_bv() {
if command -v base64 >/dev/null; then printf ' state=b64:'; cat "$@" | base64
else printf ' state=hex:'; cat "$@" | od -An -v -tx1; fi
}
)sh";

QByteArray filledIn(const char *text, const QByteArray &runId)
{
    QByteArray filled(text);
    filled.replace("RUN=RUN", "RUN=" + runId);
    filled.replace("-RUN", '-' + runId);
    filled.replace("/RUN", '/' + runId);
    return filled;
}

QByteArray directoryOf(const CommandSpec &command)
{
    // "cd -" would be another place.
    return command.cwd.startsWith('/') ? command.cwd : "./" + command.cwd;
}

//! Tells why the command is not started, and ends.
QByteArray refusal(const char *why, const QByteArray &what)
{
    return "_br " + QByteArray(why) + ':' + what.toBase64();
}

QByteArray entering(const CommandSpec &command)
{
    if (command.cwd.isEmpty())
        return {};
    const QByteArray directory = shellWord(directoryOf(command));
    return "CDPATH= cd -- " + directory + " || { if [ -d " + directory + " ]; then "
        + refusal("cwd-denied", command.cwd) + "; elif [ -e " + directory + " ]; then "
        + refusal("cwd-kind", command.cwd) + "; else " + refusal("cwd", command.cwd) + "; fi; }\n";
}

//! Name and value of what counts of several with one name.
domain::Environment lastOfEach(const domain::Environment &environment)
{
    domain::Environment last;
    for (qsizetype i = 0; i < environment.size(); ++i) {
        bool later = false;
        for (qsizetype k = i + 1; k < environment.size() && !later; ++k)
            later = environment.at(k).first == environment.at(i).first;
        if (!later)
            last.append(environment.at(i));
    }
    return last;
}

QByteArray findingProgram(const CommandSpec &command, const domain::Environment &environment)
{
    const QByteArray &program = command.argv.first();
    const QByteArray word = shellWord(program);
    if (program.contains('/'))
        return "[ -e " + word + " ] || " + refusal("program", program) + "\n{ [ ! -d " + word
            + " ] && [ -x " + word + " ]; } || " + refusal("program-denied", program) + '\n';
    if (program.startsWith('-'))
        return {};
    QByteArray path;
    for (const auto &[name, value] : environment)
        if (name == "PATH")
            path = "PATH=" + shellWord(value) + "; ";
    if (path.isEmpty())
        return "command -v " + word + " >/dev/null || " + refusal("program", program) + '\n';
    return "(" + path + "command -v " + word + ") >/dev/null || " + refusal("program", program)
        + '\n';
}

//! On the line of the text, so that line numbers in its messages stay right. Each part for itself:
//! the shell may have been told to end at the first that fails.
QByteArray settingTrap(const CommandSpec &command, const QByteArray &runId)
{
    QByteArray trap = R"sh(_bT="trap '{ command printf \"%s\\n\" \"\$?\" >$_bf.e; )sh";
    if (command.trackState)
        trap += R"sh({ command printf \"berth:)sh" + runId
            + R"sh(:state\\0\"; command pwd -P || :; command printf \"\\0\"; $_bC /proc/self/environ; } >$_bf.v; )sh";
    return trap + "} 2>/dev/null' EXIT; \"\n";
}

QByteArray executing(const CommandSpec &command, const TrackedOptions &options,
                     const domain::Environment &environment)
{
    QByteArray line = "exec";
    if (!command.terminal)
        line += " $_bs";
    const bool isPlain = !command.argv.isEmpty() && !command.argv.first().startsWith('-');
    if (!environment.isEmpty() || !(command.argv.isEmpty() || isPlain)) {
        line += " env --";
        for (const auto &[name, value] : environment)
            line += ' ' + shellWord(name + '=' + value);
    }
    if (command.argv.isEmpty())
        line += ' ' + shellWord(options.shell) + " -c \"$_bT\"" + shellWord(command.shellText);
    for (const QByteArray &argument : command.argv)
        line += ' ' + shellWord(argument);
    if (!command.openInput && !command.terminal)
        line += " </dev/null";
    return line + " 2>&8 8>&-\n";
}

//! Fires once, kills, and is itself ended with the command.
QByteArray watching(std::chrono::milliseconds timeout)
{
    const qint64 ms = timeout.count();
    const QByteArray precise =
        QByteArray::number(ms / 1000) + '.' + QByteArray::number(ms % 1000).rightJustified(3, '0');
    const QByteArray whole = QByteArray::number((ms + 999) / 1000);
    return "( trap 'kill \"$_bx\"; exit' TERM; sleep " + precise
        + " & _bx=$!; wait \"$_bx\" || { sleep " + whole
        + " & _bx=$!; wait \"$_bx\"; }; printf '' >\"$_bf.t\"; _bk ) </dev/null >/dev/null 8>&- &\n"
          "_bq=$!\n";
}

QByteArray mark(const QByteArray &runId, const char *what)
{
    return "printf '\\036berth:" + runId + ':' + what + "\\036'";
}

QByteArray runScript(const CommandSpec &command, const QByteArray &runId,
                     const TrackedOptions &options)
{
    const bool tracks = command.trackState && command.argv.isEmpty();
    const bool keeps = !options.marks || command.background;
    const bool watches = options.enforcesTimeout && command.timeout.count() > 0;
    const domain::Environment environment = lastOfEach(command.environment);

    QByteArray text = "exec 8>&2 2>/dev/null\n";
    // Not the keys of the terminal: they are for the command.
    if (command.terminal)
        text += "trap : INT QUIT TSTP\n";
    text += filledIn(kPlace, runId) + kTell;
    if (watches)
        text += filledIn(kKill, runId) + watching(command.timeout);
    text += "_bs=; ! command -v setsid >/dev/null || _bs=setsid\n";
    if (tracks)
        text += "_bC=/bin/cat; [ -x \"$_bC\" ] || _bC=/usr/bin/cat; [ -x \"$_bC\" ] || "
                "_bC=$(command -v cat)\n";
    if (command.argv.isEmpty())
        text += settingTrap(command, runId);
    // Before the word: whoever has heard that may end the script at once.
    if (options.marks)
        text += "_br() { rm -f \"$_bf\".?; printf '\\036berth:" + runId
            + ":refused=%s\\036' \"$1\" >&8; exit 125; }\n(\n";
    else
        text += "_br() { printf '%s\\n' \"$1\" >\"$_bf.r\"; exit 125; }\n(\n";
    text += "read -r _bx </proc/self/stat && printf '%s\\n' \"$_bx\" >\"$_bf.p\"\n"
            "[ ! -e \"$_bf.k\" ] || "
        + refusal("stopped", {}) + '\n';
    text += "BERTH_RUN=" + runId + "; export BERTH_RUN\n";
    text += entering(command);
    if (!command.argv.isEmpty())
        text += findingProgram(command, environment);
    if (options.marks)
        text += mark(runId, "start") + " >&8\n";
    text += executing(command, options, environment) + ")\n_bc=$?\n";
    if (watches)
        text += "kill \"$_bq\"\n";
    if (keeps) {
        if (tracks)
            text += "[ ! -e \"$_bf.v\" ] || cat \"/proc/$$/environ\" \"$_bf.v\" >\"$_bf.z\"\n";
        text += "[ ! -e \"$_bf.p\" ] || { _be >\"$_bf.y\"; mv -f \"$_bf.y\" \"$_bf.x\"; }\n";
    }
    if (options.marks) {
        text += "{ " + mark(runId, "state") + "; _be; ";
        if (tracks) {
            text += "[ ! -e \"$_bf.v\" ] || ";
            text += options.isBinarySafe && !command.terminal
                ? "{ printf ' state=raw:'; cat \"/proc/$$/environ\" \"$_bf.v\"; }; "
                : "_bv \"/proc/$$/environ\" \"$_bf.v\"; ";
        }
        text += "} >&8\n";
        // For the same reason before the last word.
        if (!keeps)
            text += "rm -f \"$_bf\".? >/dev/null 8>&- &\n";
        text += mark(runId, "over") + " >&8\n";
        if (!command.terminal)
            text += mark(runId, "over") + '\n';
    }
    return text + "exit \"$_bc\"";
}

QByteArray stoppingScript(const QByteArray &runId)
{
    return "exec 2>/dev/null\n" + filledIn(kPlace, runId) + filledIn(kKill, runId)
        + "printf '' >\"$_bf.k\"\n_bk";
}

QByteArray tellingScript(const QByteArray &runId)
{
    return "exec 2>/dev/null\n" + filledIn(kPlace, runId) + kTell + R"sh(
if [ -e "$_bf.x" ]; then
cat "$_bf.x"
[ ! -e "$_bf.z" ] || _bv "$_bf.z"
rm -f "$_bf".?
elif read -r _bl <"$_bf.p"; then
set -- ${_bl##*) }; _bt=${20}; _bp=${_bl%% *}
if read -r _bl <"/proc/$_bp/stat"; then set -- ${_bl##*) }; else set --; fi
if [ "$_bt" = "${20}" ]; then printf 'phase=running'
elif [ ! -e "$_bf.x" ]; then printf 'phase=unknown'
fi
else printf 'phase=unknown'
fi
printf ' over'
exit 0)sh";
}

bool cannotBeWord(const QByteArray &bytes)
{
    return bytes.contains('\0');
}

} // namespace

QByteArray newRunId()
{
    static constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    QByteArray id(20, Qt::Uninitialized);
    for (char &c : id)
        c = kDigits[QRandomGenerator::system()->bounded(36)];
    return id;
}

std::optional<domain::Error> commandProblem(const CommandSpec &command)
{
    const auto wrong = [](const QString &message) {
        return domain::Error{ErrorKind::InvalidInput, message, {}, {}, {}};
    };
    if (command.argv.isEmpty() && cannotBeWord(command.shellText))
        return wrong(QStringLiteral("The command holds a NUL byte"));
    for (const QByteArray &argument : command.argv)
        if (cannotBeWord(argument))
            return wrong(QStringLiteral("An argument holds a NUL byte"));
    if (!command.argv.isEmpty() && command.argv.first().isEmpty())
        return wrong(QStringLiteral("The program has no name"));
    if (cannotBeWord(command.cwd) || command.cwd.size() >= kLongestRunPath)
        return wrong(QStringLiteral("The working directory cannot be a path"));
    for (const auto &[name, value] : command.environment)
        if (name.isEmpty() || name.contains('=') || cannotBeWord(name) || cannotBeWord(value))
            return wrong(
                QStringLiteral("An environment variable has a name or value that cannot be"));
    if (command.tag.size() > kLongestTag)
        return wrong(QStringLiteral("The command's tag is too long"));
    return std::nullopt;
}

TrackedCommand trackedCommand(const CommandSpec &command, const QByteArray &runId,
                              const TrackedOptions &options)
{
    return {runScript(command, runId, options), stoppingScript(runId), tellingScript(runId)};
}

} // namespace berth::net
