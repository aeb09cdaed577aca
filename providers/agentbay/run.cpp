// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/run.h"

#include "net/script/script_runner.h"

namespace berth::agentbay {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

constexpr char kNames[] = {'o', 'e'};

QByteArray place(const QByteArray &run)
{
    return "_t=/tmp; case $TMPDIR in /*) _t=$TMPDIR;; esac\n_d=$_t/.berth-run-" + run + '\n';
}

// Copies a pipe into numbered files and waits while the one before the last is there. What is left
// of the command after its end must not be held up, nor ended by a pipe that nobody reads.
constexpr char kPump[] = R"sh(cd "$1" || exit
exec <"$2"
n=0
while :; do
dd bs=16384 count=24 of="$2.$n" 2>/dev/null
[ -d "$1" ] || exec cat >/dev/null
[ -s "$2.$n" ] || break
n=$((n+1))
while [ -e "$2.$((n-2))" ]; do sleep 0.05; done
done
: >"$2.eof"
)sh";

} // namespace

QByteArray launchScript(const QByteArray &run, const QByteArray &script, bool isUploaded)
{
    QByteArray text = place(run);
    text += "mkdir -m 700 \"$_d\" && mkfifo -m 600 \"$_d/o\" \"$_d/e\" || exit 97\n";
    if (isUploaded)
        text += "mv -f \"$_t/.berth-" + run + "\" \"$_d/s\" || exit 97\n";
    text += "_s=; ! command -v setsid >/dev/null || _s=setsid\nfor _f in o e; do $_s /bin/sh -c "
        + net::shellWord(kPump) + " sh \"$_d\" $_f </dev/null >/dev/null 2>&1 & done\n$_s /bin/sh ";
    text += isUploaded ? QByteArrayLiteral("\"$_d/s\"") : "-c " + net::shellWord(script);
    return text + " </dev/null >\"$_d/o\" 2>\"$_d/e\" &\n";
}

QByteArray lookScript(const QByteArray &run, const Readings &at,
                      const std::array<qint64, 2> &wanted, std::chrono::milliseconds longest)
{
    QByteArray text = place(run);
    text += R"sh(cd "$_d" 2>/dev/null || { echo gone; exit 0; }
_y() { [ -e "$1.eof" ] || [ -e "$1.$(($2+1))" ] || { [ -s "$1.$2" ] && { [ "$3" = 0 ] || [ "$(wc -c <"$1.$2")" -gt "$3" ]; }; }; }
_l() {
_m=0; if [ -e "$1.$(($2+1))" ]; then _m=1; elif [ -e "$1.eof" ]; then _m=2; fi
printf '%s %s ' "$1" "$_m"
if [ ! -s "$1.$2" ]; then :
elif [ "$3" = 0 ]; then head -c "$4" "$1.$2" | base64
else tail -c +"$(($3+1))" "$1.$2" | head -c "$4" | base64; fi
echo ';'
}
)sh";
    QByteArray ready = "false";
    QByteArray tell;
    for (std::size_t i = 0; i < 2; ++i) {
        const QByteArray name(1, kNames[i]);
        const QByteArray segment = QByteArray::number(at[i].segment);
        const QByteArray where = name + ' ' + segment + ' ' + QByteArray::number(at[i].offset);
        if (at[i].segment > 0)
            text += "rm -f " + name + '.' + QByteArray::number(at[i].segment - 1) + '\n';
        if (wanted[i] <= 0)
            continue;
        ready += " || _y " + where;
        tell += "_l " + where + ' ' + QByteArray::number(wanted[i]) + '\n';
    }
    // At first often: most commands end soon.
    const qint64 rounds = longest.count() / 100;
    text += "_i=0\nwhile ! { " + ready + "; }; do\n[ $_i -lt " + QByteArray::number(rounds)
        + " ] || break\nif [ $_i -lt 5 ]; then sleep 0.02; else sleep 0.1; "
          "fi\n_i=$((_i+1))\ndone\n";
    return text + tell + "echo =";
}

QByteArray clearScript(const QByteArray &run)
{
    return place(run) + "rm -rf \"$_d\" \"$_t/.berth-" + run + '"';
}

Result<Look> readLook(const QByteArray &printed, const Readings &at,
                      const std::array<qint64, 2> &wanted)
{
    Look look;
    look.next = at;
    const QByteArray text = printed.trimmed();
    if (text.endsWith("gone")) {
        look.isGone = true;
        return look;
    }
    const auto cut = [] {
        return failure(ErrorKind::Protocol,
                       QStringLiteral("What a command wrote did not arrive whole"));
    };
    if (!text.endsWith('='))
        return cut();
    // One piece for each stream: "o 1 <base64 in lines>;".
    const QList<QByteArray> pieces = text.left(text.size() - 1).split(';');
    for (std::size_t i = 0; i < 2; ++i) {
        if (wanted[i] <= 0)
            continue;
        const QByteArray start = QByteArray(1, kNames[i]) + ' ';
        QByteArray piece;
        for (qsizetype k = 0; k + 1 < pieces.size(); ++k)
            if (pieces.at(k).trimmed().startsWith(start))
                piece = pieces.at(k).trimmed();
        const QList<QByteArray> parts = piece.split(' ');
        if (parts.size() < 2)
            return cut();
        QByteArray encoded = parts.value(2);
        encoded.replace('\n', QByteArray());
        encoded.replace('\r', QByteArray());
        const auto bytes =
            QByteArray::fromBase64Encoding(encoded, QByteArray::AbortOnBase64DecodingErrors);
        if (!bytes || bytes.decoded.size() > wanted[i])
            return cut();
        look.bytes[i] = bytes.decoded;
        Reading &next = look.next[i];
        next.offset += bytes.decoded.size();
        // Less than wanted of a file that has an end: that was all of it.
        if (bytes.decoded.size() < wanted[i]) {
            if (parts.at(1) == "1")
                next = {next.segment + 1, 0, false};
            else if (parts.at(1) == "2")
                next.isOver = true;
        }
    }
    return look;
}

} // namespace berth::agentbay
