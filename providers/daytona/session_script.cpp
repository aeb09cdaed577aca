// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/session_script.h"

#include "net/script/script_runner.h"

#include <algorithm>

namespace berth::daytona {

using domain::OutputStream;

namespace {

constexpr qsizetype kMostNoise = 4096;
//! A log's line that is longer is none of ours.
constexpr qsizetype kLongestLine = 64 * 1024;

// _bd: where the files of runs lie. Names with other characters would need quoting.
constexpr char kPlace[] = R"sh(case $TMPDIR in /*) _bd=$TMPDIR;; *) _bd=/tmp;; esac
case $_bd in *[!A-Za-z0-9_./-]*) _bd=/tmp;; esac
)sh";

// Runs in the run's directory. $1: "b" for background, else "f"; $2: "i" for input.
// A line must not be longer than what a pipe takes at once (4096), or the two streams would mix.
// What the tools of the sandbox cost most is to be started, so each piece takes two of them.
constexpr char kWrapper[] = R"sh(k=$1 d=$3
b=$(printf x | base64 -w0 2>/dev/null)
if [ "$b" = eA== ]; then code() { base64 -w0; }; else code() { base64 | tr -d '\n'; }; fi
pump() {
i=0 n=1 t=0
while :; do
dd bs=65536 count=1 of=$1.$n 2>/dev/null
[ -s $1.$n ] || break
b=$(code <$1.$n)
s=$((${#b}/4*3))
case $b in *==) s=$((s-2));; *=) s=$((s-1));; esac
t=$((t+s)); echo $t >$1.c
if [ ${#b} -le 3000 ] && [ $i -lt 800 ]; then
i=$((i+1)); printf 'berth/%s %s\n' $1 $b
continue
fi
printf 'berth/%s+ %s %s\n' $1 $n $s
while [ -e $1.$((n-15)) ] && [ -e hold ]; do
[ $k = f ] || [ "$(cat hold)" -gt "$(date +%s)" ] || break
sleep 0.05 2>/dev/null || sleep 1
done
[ $k = f ] || [ ! -e $1.$((n-16)) ] || rm -f $1.$((n-16))
n=$((n+1))
done
echo $n >$1.n
}
if [ $k = f ]; then echo 0; else echo $(($(date +%s)+120)); fi >hold
echo $$ >w
mkfifo o e i || exit 125
pump o <o &
p1=$!
pump e <e &
p2=$!
p3=
if [ "$2" = i ]; then
exec 3<&0
{ while IFS= read -r l && [ "$l" != . ]; do printf %s "$l" | base64 -d; done >i; } <&3 2>/dev/null &
p3=$!
exec 3<&-
/bin/sh ./s <i >o 2>e
else
/bin/sh ./s </dev/null >o 2>e
fi
c=$?
echo $c >code
[ -z "$p3" ] || kill $p3 2>/dev/null
wait $p1 $p2
n=; read -r n <o.n; [ "$n" = 1 ] && read -r n <e.n
if [ $k = f ] && [ "$n" = 1 ]; then cd /; rm -rf "$d"; fi
exit $c
)sh";

// The same for what nobody but its caller follows, which is most: it takes half the processes. w is
// "w0" where base64 knows that option. Only what has more output than the log is for gets a
// directory, $d.
constexpr char kPump[] = R"sh(s() { base64 | tr -d '\n'; }
[ "$w" != w0 ] || s() { base64 -w0; }
spool() {
[ -d $d ] || { mkdir -m 700 $d 2>/dev/null && echo 0 >$d/hold && echo $$ >$d/w; }
while [ ! -e $d/w ] && [ -d $d ]; do sleep 0.05 2>/dev/null || sleep 1; done
cd $d || exit 125
printf %s $b | base64 -d >$k.$n
while :; do
z=$((${#b}/4*3))
case $b in *==) z=$((z-2));; *=) z=$((z-1));; esac
printf 'berth/%s+ %s %s\n' $k $n $z
while [ -e $k.$((n-15)) ] && [ -e hold ]; do sleep 0.05 2>/dev/null || sleep 1; done
n=$((n+1))
dd bs=65536 count=1 of=$k.$n 2>/dev/null
[ -s $k.$n ] || break
b=$(s <$k.$n)
done
rm -f $k.$n
}
pump() {
k=$1 i=0 n=1
while :; do
b=$(dd bs=65536 count=1 2>/dev/null | s)
[ -n "$b" ] || break
i=$((i+1))
if [ ${#b} -gt 3000 ] || [ $i -gt 800 ]; then spool; break; fi
printf 'berth/%s %s\n' $k $b
done; }
run() {
{ { /bin/sh -c "$1" </dev/null 2>&3 3>&- 4>&- | pump o >&4 3>&- 4>&-; } 3>&1 | pump e >&4 4>&-; } 4>&1
}
)sh";
// $1: the run, $2: its script, $3: w.
constexpr char kPlainWrapper[] = R"sh(w=$3 d=$_bd/.berth-run-$1
PUMP
run "$2"
)sh";
// $1: w. Each run comes by the input: its name, its script with a "+" before each line, a ".".
constexpr char kResident[] = R"sh(w=$1
PUMP
while IFS= read -r r && [ -n "$r" ]; do
d=$_bd/.berth-run-$r S=
while IFS= read -r l && [ "$l" != . ]; do S="$S${l#+}
"; done
run "$S"
echo "berth/free $r"
done
)sh";
//! Of a script that fits into an argument beside the wrapper.
constexpr qsizetype kPlainScript = 64 * 1024;

QByteArray directory(const QByteArray &runId)
{
    return "\"$_bd/.berth-run-" + runId + '"';
}

bool isRunId(const QByteArray &text)
{
    return text.size() >= 8 && text.size() <= 64
        && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
           });
}

std::optional<qint64> count(const QByteArray &text)
{
    bool fine = false;
    const qint64 number = text.toLongLong(&fine);
    return fine && number >= 0 ? std::optional(number) : std::nullopt;
}

QByteArray withPump(const char *script)
{
    return kPlace + QByteArray(script).replace("PUMP", kPump);
}

} // namespace

bool isPlain(const RunMark &mark, const QByteArray &script)
{
    return !mark.background && !mark.input && mark.tag.isEmpty() && script.size() < kPlainScript;
}

QByteArray residentCommand(bool hasWrap)
{
    return ": berth-shell\n(exec /bin/sh -c " + net::shellWord(withPump(kResident)) + " sh"
        + (hasWrap ? " w0)" : " -)");
}

bool isResident(const QByteArray &command)
{
    return command.startsWith(": berth-shell");
}

QByteArray residentInput(const QByteArray &runId, const QByteArray &script)
{
    return runId + "\n+" + QByteArray(script).replace("\n", "\n+") + "\n.";
}

QByteArray sessionCommand(const RunMark &mark, const QByteArray &script, bool hasWrap)
{
    // The session's shell may be zsh and must outlive the command: all it does is to start another.
    const QByteArray tag = mark.tag.isEmpty() ? QByteArrayLiteral("-") : mark.tag.toHex();
    const QByteArray kind = mark.background ? QByteArrayLiteral("b") : QByteArrayLiteral("f");
    const QByteArray input = mark.input ? QByteArrayLiteral("i") : QByteArrayLiteral("-");
    const QByteArray head =
        ": berth-run " + mark.runId + ' ' + kind + ' ' + input + ' ' + tag + '\n';
    if (isPlain(mark, script))
        return head + "(exec /bin/sh -c " + net::shellWord(withPump(kPlainWrapper)) + " sh "
            + mark.runId + ' ' + net::shellWord(script) + (hasWrap ? " w0)" : " -)");
    return head + kPlace + "_bd=" + directory(mark.runId) + "\nmkdir -m 700 \"$_bd\"\nprintf %s "
        + net::shellWord(kWrapper) + " >\"$_bd/w.sh\"\nprintf %s "
        + net::shellWord("echo $$ >pid\n" + script)
        + " >\"$_bd/s\"\n(cd \"$_bd\" && exec /bin/sh ./w.sh " + kind + ' ' + input + " \"$_bd\")";
}

QByteArray prepareScript(const QByteArray &runId, const QByteArray &script)
{
    return kPlace + ("_bd=" + directory(runId)) + "\nmkdir -m 700 \"$_bd\" || exit 3\nprintf %s "
        + net::shellWord("echo $$ >pid\necho $$ >w\n" + script)
        + " >\"$_bd/s\" || exit 3\nprintf %s \"$_bd\"";
}

std::optional<RunMark> runMark(const QByteArray &sessionCommand)
{
    const QList<QByteArray> words = sessionCommand.left(sessionCommand.indexOf('\n')).split(' ');
    if (words.size() != 6 || words[0] != ":" || words[1] != "berth-run" || !isRunId(words[2]))
        return std::nullopt;
    RunMark mark;
    mark.runId = words[2];
    mark.background = words[3] == "b";
    mark.input = words[4] == "i";
    mark.tag = words[5] == "-" ? QByteArray() : QByteArray::fromHex(words[5]);
    return mark;
}

QList<Piece> SessionLog::feed(QByteArrayView bytes)
{
    m_position += bytes.size();
    m_rest.append(bytes.data(), bytes.size());
    QList<Piece> pieces;
    qsizetype start = 0;
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n', start)) {
        line(m_rest.mid(start, end - start), pieces);
        start = end + 1;
    }
    m_rest.remove(0, start);
    if (m_rest.size() > kLongestLine)
        m_rest.clear();
    return pieces;
}

void SessionLog::line(QByteArray text, QList<Piece> &pieces)
{
    // The label of the stream, where the log has them.
    qsizetype label = 0;
    while (label < text.size() && (text.at(label) == '\x01' || text.at(label) == '\x02'))
        ++label;
    text.remove(0, label);
    if (text.endsWith('\r'))
        text.chop(1);
    const QList<QByteArray> words = text.split(' ');
    const QByteArray &name = words.first();
    Piece piece;
    piece.stream = name.startsWith("berth/o") ? OutputStream::Stdout : OutputStream::Stderr;
    if ((name == "berth/o" || name == "berth/e") && words.size() == 2) {
        const auto decoded =
            QByteArray::fromBase64Encoding(words[1], QByteArray::AbortOnBase64DecodingErrors);
        if (decoded) {
            piece.bytes = decoded.decoded;
            piece.size = piece.bytes.size();
            pieces.append(piece);
            return;
        }
    }
    if ((name == "berth/o+" || name == "berth/e+") && words.size() == 3) {
        const std::optional<qint64> number = count(words[1]);
        const std::optional<qint64> size = count(words[2]);
        if (number && size && *number > 0 && *number < 1'000'000'000) {
            piece.file = static_cast<int>(*number);
            piece.size = *size;
            pieces.append(piece);
            return;
        }
    }
    if (name == "berth/free" && words.size() == 2) {
        piece.freeAgain = words[1];
        pieces.append(piece);
        return;
    }
    if (m_noise.size() < kMostNoise)
        m_noise += text.left(kMostNoise) + '\n';
}

QByteArray fetchScript(const QByteArray &runId, const QList<std::pair<char, int>> &done,
                       const QList<std::pair<char, int>> &wanted)
{
    const auto names = [](const QList<std::pair<char, int>> &files) {
        QByteArray all;
        for (const auto &[stream, number] : files)
            all += QByteArray(" ") + stream + '.' + QByteArray::number(number);
        return all;
    };
    QByteArray script = kPlace + ("cd " + directory(runId)) + " || exit 3\n";
    if (!done.isEmpty())
        script += "rm -f" + names(done) + '\n';
    script += "[ ! -e hold ] || echo $(($(date +%s)+120)) >hold\n";
    if (!wanted.isEmpty())
        script += "set --\nfor f in" + names(wanted)
            + "; do [ ! -e $f ] || set -- \"$@\" $f; done\necho \"$*\"\n"
              "[ $# = 0 ] || cat \"$@\" | base64";
    return script;
}

std::optional<QList<std::optional<QByteArray>>> readFetched(const QByteArray &printed,
                                                            const QList<Piece> &pieces)
{
    const qsizetype line = printed.indexOf('\n');
    if (line < 0)
        return std::nullopt;
    const QList<QByteArray> there = printed.left(line).split(' ');
    const QByteArray bytes = QByteArray::fromBase64(printed.mid(line + 1));
    QList<std::optional<QByteArray>> made;
    qsizetype at = 0;
    for (const Piece &piece : pieces) {
        const QByteArray name =
            (piece.stream == OutputStream::Stdout ? "o." : "e.") + QByteArray::number(piece.file);
        if (!there.contains(name)) {
            made.append(std::nullopt);
            continue;
        }
        if (at + piece.size > bytes.size())
            return std::nullopt;
        made.append(bytes.mid(at, static_cast<qsizetype>(piece.size)));
        at += static_cast<qsizetype>(piece.size);
    }
    return at == bytes.size() ? std::optional(made) : std::nullopt;
}

QByteArray followScript(const QByteArray &runId)
{
    return kPlace + ("cd " + directory(runId)) + " || exit 3\necho $(($(date +%s)+120)) >hold";
}

QByteArray leaveScript(const QByteArray &runId)
{
    return kPlace + ("rm -f " + directory(runId)) + "/hold";
}

QByteArray clearScript(const QByteArray &runId)
{
    return kPlace + ("rm -rf " + directory(runId));
}

QByteArray countScript()
{
    return kPlace
        + QByteArrayLiteral(
               R"sh(for d in "$_bd"/.berth-run-*; do
[ -d "$d" ] || continue
pid=0 w=0 o=0 e=0 c=-
read -r pid <"$d/pid"; read -r w <"$d/w"; read -r o <"$d/o.c"; read -r e <"$d/e.c"; read -r c <"$d/code"
[ -e "$d/code" ] || [ "$w" = 0 ] || [ -d "/proc/$w" ] || { rm -rf "$d"; continue; }
echo "${d##*-} $pid $o $e $c"
done 2>/dev/null
)sh");
}

QList<RunCounts> readCounts(const QByteArray &printed)
{
    QList<RunCounts> made;
    for (const QByteArray &line : printed.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() != 5 || !isRunId(words[0]))
            continue;
        RunCounts counts;
        counts.runId = words[0];
        counts.pid = count(words[1]).value_or(0);
        counts.out = count(words[2]).value_or(0);
        counts.err = count(words[3]).value_or(0);
        counts.ended = words[4] != "-";
        // As the script of a command begins, before anything of its own.
        const qint64 start = QByteArrayLiteral("xberth::startx").size() + counts.runId.size();
        counts.err = std::max<qint64>(0, counts.err - start);
        made.append(counts);
    }
    return made;
}

QByteArray inputLine(const QByteArray &bytes)
{
    return bytes.toBase64();
}

} // namespace berth::daytona
