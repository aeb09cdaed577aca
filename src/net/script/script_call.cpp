// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/script_call.h"

#include <algorithm>

namespace berth::net {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;

namespace {

constexpr std::chrono::seconds kDeadline{60};
constexpr qsizetype kLine = 76;
// Of the last word and what goes with it.
constexpr qint64 kSlack = 64;

// _w PATH: says why there is nothing at the path, or comes back because there is.
// _v PATH: the same for a path that was to be made.
constexpr char kPrelude[] = R"sh(exec 2>/dev/null
LC_ALL=C; export LC_ALL
_x() { printf '\n=%s.' "$1"; exit 0; }
_w() {
_r=$1
case $_r in /*) _c=/;; *) _c=.;; esac
while :; do
while case $_r in /*) ;; *) false;; esac; do _r=${_r#/}; done
[ -n "$_r" ] || return 0
[ -d "$_c" ] || _x kind
[ -x "$_c" ] || _x denied
_n=${_r%%/*}
case $_r in */*) _r=${_r#*/};; *) _r=;; esac
_q=$_c
_c=${_c%/}/$_n
[ -e "$_c" ] || [ -h "$_c" ] || return 1
done; }
_m() { _w "$1" && [ -e "$1" ] || _x missing; }
_v() { if _w "$1"; then [ -d "$1" ] || _x kind; _x failed; fi; [ -w "$_q" ] || _x denied; _x failed; }
)sh";

Error errorOf(const QByteArray &word, const ScriptCall &call)
{
    struct Reason
    {
        const char *word;
        ErrorKind kind;
        const char *text;
    };
    static constexpr Reason reasons[] = {
        {"missing", ErrorKind::NotFound, "there is no such file or directory"},
        {"denied", ErrorKind::Forbidden, "no permission"},
        {"kind", ErrorKind::InvalidInput, "it is of another kind, or on the way there is a file"},
        {"exists", ErrorKind::Conflict, "it exists already"},
        {"busy", ErrorKind::Conflict, "it is not empty, or in use"},
        {"gone", ErrorKind::Conflict, "what was written so far is gone"},
        {"short", ErrorKind::Protocol, "not all bytes arrived"},
        {"full", ErrorKind::Quota, "the sandbox takes no more bytes"},
        {"pattern", ErrorKind::InvalidInput, "the pattern makes no sense"},
        {"failed", ErrorKind::Internal, "the sandbox could not do it"},
    };
    for (const Reason &reason : reasons)
        if (word == reason.word)
            return {reason.kind,
                    call.what + QStringLiteral(": ") + QString::fromLatin1(reason.text),
                    QString::fromUtf8(call.path),
                    {},
                    {}};
    return {ErrorKind::Protocol,
            call.what + QStringLiteral(": the sandbox answered nonsense"),
            QString::fromUtf8(call.path),
            {},
            {}};
}

//! Lines of base64, which any decoder takes.
QByteArray textOf(const QByteArray &bytes)
{
    const QByteArray encoded = bytes.toBase64();
    QByteArray lines;
    lines.reserve(encoded.size() + encoded.size() / kLine + 1);
    for (qsizetype at = 0; at < encoded.size(); at += kLine)
        lines += encoded.mid(at, kLine) + '\n';
    return lines;
}

std::optional<QByteArray> bytesOf(QByteArray text)
{
    const auto isSpace = [](char c) { return c == '\n' || c == '\r' || c == ' '; };
    text.erase(std::remove_if(text.begin(), text.end(), isSpace), text.end());
    const auto decoded =
        QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    return decoded ? std::optional(decoded.decoded) : std::nullopt;
}

} // namespace

qint64 largestScriptInput(const ScriptRunner &runner)
{
    const qint64 most = runner.largestInput();
    return runner.isBinarySafe() ? most : most / (kLine + 1) * kLine / 4 * 3 - 3;
}

qint64 largestScriptOutput(const ScriptRunner &runner)
{
    const qint64 most = runner.largestOutput() - kSlack;
    return runner.isBinarySafe() ? most : most / (kLine + 1) * kLine / 4 * 3 - kSlack;
}

QByteArray pathVariable(const char *name, const domain::SandboxPath &path)
{
    return QByteArray(name) + '=' + shellWord(path.startsWith('/') ? path : "./" + path) + '\n';
}

Async<ScriptAnswer> askByScript(std::shared_ptr<ScriptRunner> runner, ScriptCall call,
                                std::stop_token stop)
{
    if (stop.stop_requested())
        co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled"));
    const bool binary = runner->isBinarySafe();
    ScriptRequest request;
    request.timeout = kDeadline;
    request.script = kPrelude;
    // The input has to be decoded there, where the body reads it.
    request.script += binary ? "_i() { cat; }\n" : "_i() { base64 -d; }\n";
    request.script += "(\n" + call.body + "\n_x ok )";
    if (!binary)
        request.script += " | base64";
    request.input = binary ? call.input : textOf(call.input);
    const domain::Result<ScriptResult> result = co_await runner->run(request, stop);
    if (!result)
        co_return failure(result.error());
    const std::optional<QByteArray> out = binary ? result->out : bytesOf(result->out);
    const qsizetype last = out ? out->lastIndexOf("\n=") : -1;
    if (last < 0 || !out->endsWith('.')) {
        if (result->code == 127)
            co_return failure(ErrorKind::Unsupported,
                              call.what + QStringLiteral(": the sandbox lacks a tool"),
                              QStringLiteral("Its image needs a shell and base64."));
        const Error nonsense = errorOf({}, call);
        co_return failure(nonsense);
    }
    const QByteArray word = out->mid(last + 2, out->size() - last - 3);
    if (word != "ok" && word != "more") {
        const Error error = errorOf(word, call);
        co_return failure(error);
    }
    const ScriptAnswer answer{out->left(last), word == "more"};
    co_return answer;
}

} // namespace berth::net
