// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/e2b/files.h"

#include "domain/text.h"
#include "net/script/tracked_command.h"

#include <algorithm>

namespace berth::e2b {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::SandboxPath;

namespace {

//! From here on the content goes by the service's own call; below that one script is quicker.
constexpr qint64 kLarge = 512 * 1024;

//! Paths go through JSON and forms.
bool isPlain(const QByteArray &path)
{
    // Control characters are not to be relied on in headers.
    const bool isPrintable = std::none_of(path.begin(), path.end(),
                                          [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; });
    return isPrintable && path.startsWith('/') && QString::fromUtf8(path).toUtf8() == path;
}

// Codes of the scripts below.
constexpr int kMissing = 40;
constexpr int kDenied = 41;
constexpr int kWrongKind = 42;

Error refusedBy(int code, const QByteArray &path, const QByteArray &said)
{
    const QString name = domain::displayName(path);
    switch (code) {
    case kMissing:
        return {ErrorKind::NotFound, QStringLiteral("%1 does not exist").arg(name), {}, {}, {}};
    case kDenied:
        return {ErrorKind::Forbidden, QStringLiteral("No permission for %1").arg(name), {}, {}, {}};
    case kWrongKind:
        return {ErrorKind::InvalidInput, QStringLiteral("%1 is no file").arg(name), {}, {}, {}};
    default:
        return {ErrorKind::Protocol,
                QStringLiteral("%1 cannot be looked at").arg(name),
                domain::displayName(said.trimmed().left(300)),
                {},
                {}};
    }
}

//! What the user may: the service reads as root.
QByteArray lookScript(const QByteArray &path)
{
    return "p=" + net::shellWord(path) + R"sh(
[ -e "$p" ] || { d=$p; while d=${d%/*}; [ -n "$d" ]; do
[ -e "$d" ] || continue
[ -d "$d" ] || exit 42; [ -x "$d" ] || exit 41; exit 40; done; exit 40; }
[ -f "$p" ] || exit 42
[ -r "$p" ] || exit 41
exit 0)sh";
}

//! A file beside the one to be written, with its mode; prints both paths.
QByteArray prepareScript(const QByteArray &path, const QByteArray &name)
{
    return "p=" + net::shellWord(path) + "; n=" + net::shellWord(name) + R"sh(
i=0; while [ -h "$p" ] && [ $i -lt 40 ]; do
l=$(readlink "$p"; echo x); l=${l%?x}
case $l in /*) p=$l;; *) p=${p%/*}/$l;; esac; i=$((i+1)); done
[ $i -lt 40 ] || exit 42
[ ! -d "$p" ] || exit 42
[ ! -e "$p" ] || [ -f "$p" ] || exit 42
d=${p%/*}; d=${d:-/}
[ -d "$d" ] || mkdir -p -- "$d" 2>/dev/null || { [ -d "$d" ] && exit 41
a=$d; while [ ! -e "$a" ]; do a=${a%/*}; [ -n "$a" ] || exit 41; done
[ -d "$a" ] || exit 42; exit 41; }
[ -w "$d" ] && [ -x "$d" ] || exit 41
t=${d%/}/$n
(set -C; : >"$t") 2>/dev/null || exit 41
[ ! -e "$p" ] || chmod "$(stat -c %a -- "$p")" "$t"
printf '%s\0%s\0' "$t" "$p")sh";
}

Async<QByteArray> readLarge(LinkPtr link, QByteArray path, qint64 offset, qint64 length,
                            std::stop_token stop)
{
    net::ScriptRequest look;
    look.script = lookScript(path);
    const Result<net::ScriptResult> looked = co_await runScript(link, look, stop);
    if (!looked)
        co_return failure(looked.error());
    if (looked->code != 0)
        co_return failure(refusedBy(looked->code, path, looked->err));
    const Result<QByteArray> content = co_await readFile(link->envd, path, offset, length, stop);
    co_return content;
}

Async<void> writeLarge(LinkPtr link, QByteArray path, QByteArray content, std::stop_token stop)
{
    net::ScriptRequest prepare;
    prepare.script = prepareScript(path, ".berth-" + net::newRunId());
    const Result<net::ScriptResult> prepared = co_await runScript(link, prepare, stop);
    if (!prepared)
        co_return failure(prepared.error());
    const QByteArrayList paths = prepared->out.split('\0');
    if (prepared->code != 0 || paths.size() != 3)
        co_return failure(refusedBy(prepared->code, path, prepared->err));
    const QByteArray temporary = paths.at(0);
    const Result<void> written = co_await writeFile(link->envd, temporary, content, stop);
    Result<QByteArray> moved;
    if (written)
        moved = co_await callEnvd(link->envd, "filesystem.Filesystem/Move",
                                  encodeMove(temporary, paths.at(1)),
                                  QStringLiteral("Moving the file into place"), stop);
    if (written && moved)
        co_return Result<void>{};
    // What the user asked for is over by then, so it has no stop token.
    const Result<QByteArray> removed =
        co_await callEnvd(link->envd, "filesystem.Filesystem/Remove", encodePath(temporary),
                          QStringLiteral("Removing the temporary file"), {});
    Q_UNUSED(removed)
    co_return failure(written ? moved.error() : written.error());
}

} // namespace

E2bFiles::E2bFiles(LinkPtr link)
    : net::ScriptFileSystem(std::make_shared<E2bRunner>(link)), m_link(std::move(link))
{}

Async<QByteArray> E2bFiles::read(SandboxPath path, qint64 offset, qint64 length,
                                 std::stop_token stop)
{
    if (length < kLarge || offset < 0 || !isPlain(path) || net::pathProblem(path))
        return net::ScriptFileSystem::read(std::move(path), offset, length, std::move(stop));
    return readLarge(m_link, std::move(path), offset, length, std::move(stop));
}

Async<void> E2bFiles::write(SandboxPath path, QByteArray content, std::stop_token stop)
{
    noteUse(m_link);
    if (content.size() < kLarge || !isPlain(path) || net::pathProblem(path))
        return net::ScriptFileSystem::write(std::move(path), std::move(content), std::move(stop));
    return writeLarge(m_link, std::move(path), std::move(content), std::move(stop));
}

} // namespace berth::e2b
