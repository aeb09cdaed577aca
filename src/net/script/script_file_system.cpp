// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/script_file_system.h"

#include "net/script/script_call.h"
#include "net/script/script_search.h"
#include "net/script/script_write.h"

#include <QtCore/QHash>

#include <algorithm>

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileEntry;
using domain::FileKind;
using domain::FilePage;
using domain::Result;
using domain::SandboxPath;

namespace {

constexpr qsizetype kLongestPath = 4096;
constexpr qsizetype kLongestName = 255;
// Of an entry in a list, with more than most names.
constexpr qint64 kEntry = 400;
constexpr qint64 kLatest = 253402300800; // the year 10000

using Runner = std::shared_ptr<ScriptRunner>;

domain::Error invalid(const QString &message)
{
    return {ErrorKind::InvalidInput, message, {}, {}, {}};
}

domain::Error nonsense(const QString &what)
{
    return {
        ErrorKind::Protocol, what + QStringLiteral(": the sandbox answered nonsense"), {}, {}, {}};
}

//! "81a4 5 1580702706": type and permissions in hexadecimal, size, seconds.
bool readNumbers(const QByteArray &text, FileEntry &entry)
{
    const QList<QByteArray> parts = text.split(' ');
    if (parts.size() != 3)
        return false;
    bool ok[3] = {};
    const uint mode = parts[0].toUInt(&ok[0], 16);
    entry.size = parts[1].toLongLong(&ok[1]);
    const qint64 seconds = parts[2].toLongLong(&ok[2]);
    if (!ok[0] || !ok[1] || !ok[2] || entry.size < 0)
        return false;
    entry.mode = static_cast<int>(mode & 07777);
    switch (mode & 0170000) {
    case 0100000:
        entry.kind = FileKind::Regular;
        break;
    case 0040000:
        entry.kind = FileKind::Directory;
        break;
    case 0120000:
        entry.kind = FileKind::Symlink;
        break;
    default:
        entry.kind = FileKind::Other;
    }
    if (seconds > -kLatest && seconds < kLatest)
        entry.modified = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    return true;
}

SandboxPath withoutSlashes(SandboxPath path)
{
    while (path.size() > 1 && path.endsWith('/'))
        path.chop(1);
    return path;
}

Async<FileEntry> statByScript(Runner runner, SandboxPath path, std::stop_token stop)
{
    if (const auto problem = pathProblem(path))
        co_return failure(*problem);
    const QString what = QStringLiteral("Cannot look at the file");
    ScriptCall call{pathVariable("_p", path), {}, what, path};
    call.body += R"sh(_w "$_p" || _x missing
stat -c '%f %s %Y' -- "$_p" || _x failed
[ ! -h "$_p" ] || readlink -n -- "$_p")sh";
    const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
    if (!answer)
        co_return failure(answer.error());
    FileEntry entry;
    const qsizetype line = answer->body.indexOf('\n');
    if (line < 0 || !readNumbers(answer->body.left(line), entry))
        co_return failure(nonsense(what));
    entry.name = path;
    entry.linkTarget = answer->body.mid(line + 1);
    const FileEntry result = entry;
    co_return result;
}

//! "<numbers> ./<name>/" and a newline each; then a NUL, and for each link "<name>/<target>" and a
//! NUL. A name has no slash, so no name can look like an end.
std::optional<QList<FileEntry>> readList(const QByteArray &body)
{
    const qsizetype middle = body.indexOf('\0');
    if (middle < 0)
        return std::nullopt;
    QHash<QByteArray, QByteArray> targets;
    const QList<QByteArray> links = body.mid(middle + 1).split('\0');
    for (const QByteArray &link : links) {
        const qsizetype slash = link.indexOf('/');
        if (slash > 0)
            targets.insert(link.left(slash), link.mid(slash + 1));
    }
    QList<FileEntry> entries;
    const QByteArray records = body.left(middle);
    for (qsizetype at = 0; at < records.size();) {
        const qsizetype name = records.indexOf(" ./", at);
        const qsizetype end = name < 0 ? -1 : records.indexOf("/\n", name + 3);
        FileEntry entry;
        if (end < 0 || !readNumbers(records.mid(at, name - at), entry))
            return std::nullopt;
        entry.name = records.mid(name + 3, end - name - 3);
        if (entry.kind == FileKind::Symlink)
            entry.linkTarget = targets.value(entry.name);
        entries.append(entry);
        at = end + 2;
    }
    return entries;
}

Async<FilePage> listByScript(Runner runner, SandboxPath path, QByteArray cursor, int limit,
                             std::stop_token stop)
{
    if (const auto problem = pathProblem(path))
        co_return failure(*problem);
    bool ok = true;
    const qint64 from = cursor.isEmpty() ? 0 : cursor.toLongLong(&ok);
    if (!ok || from < 0 || limit < 1)
        co_return failure(invalid(QStringLiteral("This is no place in a list")));
    const QString what = QStringLiteral("Cannot list the directory");
    const qint64 most = std::max<qint64>(largestScriptOutput(*runner) / kEntry, 16);
    const QByteArray count = QByteArray::number(std::min<qint64>(most, limit));
    ScriptCall call{pathVariable("_p", path), {}, what, path};
    // The shell itself finds the names, in the same order each time, whatever bytes are in them.
    call.body += "_m \"$_p\"\n[ -d \"$_p\" ] || _x kind\n"
                 "[ -r \"$_p\" ] && CDPATH= cd -- \"$_p\" || _x denied\n"
                 "set +f; set -- * .[!.]* ..?*\n"
                 "[ $# -gt "
        + QByteArray::number(from) + " ] || { printf '\\0'; _x ok; }\nshift "
        + QByteArray::number(from) + "\n_e() { _k=0; for _f; do\n[ $_k -lt " + count
        + R"sh( ] || break
_k=$((_k+1))
[ -h "./$_f" ] || { [ "$_l" = no ] && [ -e "./$_f" ]; } || continue
if [ "$_l" = no ]; then printf './%s\0' "$_f"
else printf '%s/' "$_f"; readlink -n -- "./$_f"; printf '\0'
fi; done; }
_l=no; _e "$@" | xargs -0 stat -c '%f %s %Y %n/'
printf '\0'
_l=yes; _e "$@"
[ $# -le )sh"
        + count + " ] || _x more";
    const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const std::optional<QList<FileEntry>> entries = readList(answer->body);
    if (!entries)
        co_return failure(nonsense(what));
    FilePage page;
    page.entries = *entries;
    if (answer->hasMore)
        page.next = QByteArray::number(from + count.toLongLong());
    const FilePage result = page;
    co_return result;
}

Async<QByteArray> readByScript(Runner runner, SandboxPath path, qint64 offset, qint64 length,
                               std::stop_token stop)
{
    if (const auto problem = pathProblem(path))
        co_return failure(*problem);
    if (offset < 0 || length < 0)
        co_return failure(invalid(QStringLiteral("Offset and length cannot be negative")));
    const QString what = QStringLiteral("Cannot read the file");
    const qint64 piece = largestScriptOutput(*runner);
    QByteArray bytes;
    for (;;) {
        const qint64 wanted = std::min(piece, length - bytes.size());
        const QByteArray at = QByteArray::number(offset + bytes.size());
        const QByteArray count = QByteArray::number(wanted);
        ScriptCall call{pathVariable("_p", path), {}, what, path};
        call.body += "_m \"$_p\"\n[ -f \"$_p\" ] || _x kind\n[ -r \"$_p\" ] || _x denied\n";
        // dd of long ago does not know the flags and says so before it reads.
        if (wanted > 0)
            call.body += "dd if=\"$_p\" bs=65536 iflag=skip_bytes,count_bytes skip=" + at
                + " count=" + count + " || tail -c +$((" + at + "+1)) <\"$_p\" | head -c " + count;
        const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
        if (!answer)
            co_return failure(answer.error());
        if (answer->body.size() > wanted)
            co_return failure(nonsense(what));
        bytes += answer->body;
        if (answer->body.size() < wanted || bytes.size() == length)
            break;
    }
    const QByteArray result = bytes;
    co_return result;
}

Async<void> doByScript(Runner runner, ScriptCall call, std::stop_token stop)
{
    const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
    if (!answer)
        co_return failure(answer.error());
    co_return Result<void>();
}

Async<void> refusedCall(domain::Error error)
{
    co_return failure(error);
}

} // namespace

std::optional<domain::Error> pathProblem(const SandboxPath &path)
{
    bool fits = !path.isEmpty() && !path.contains('\0') && path.size() < kLongestPath;
    const QList<QByteArray> names = path.split('/');
    for (const QByteArray &name : names)
        fits = fits && name.size() <= kLongestName;
    if (fits)
        return std::nullopt;
    return invalid(QStringLiteral("This cannot be a path"));
}

ScriptFileSystem::ScriptFileSystem(std::shared_ptr<ScriptRunner> runner)
    : m_runner(std::move(runner))
{}

Async<FileEntry> ScriptFileSystem::stat(SandboxPath path, std::stop_token stop)
{
    return statByScript(m_runner, std::move(path), std::move(stop));
}

Async<FilePage> ScriptFileSystem::list(SandboxPath path, QByteArray cursor, int limit,
                                       std::stop_token stop)
{
    return listByScript(m_runner, std::move(path), std::move(cursor), limit, std::move(stop));
}

Async<QByteArray> ScriptFileSystem::read(SandboxPath path, qint64 offset, qint64 length,
                                         std::stop_token stop)
{
    return readByScript(m_runner, std::move(path), offset, length, std::move(stop));
}

Async<void> ScriptFileSystem::write(SandboxPath path, QByteArray content, std::stop_token stop)
{
    return writeByScript(m_runner, std::move(path), std::move(content), std::move(stop));
}

Async<std::shared_ptr<domain::FileWriter>> ScriptFileSystem::openWrite(SandboxPath path, int mode,
                                                                       bool refuseExisting,
                                                                       std::stop_token stop)
{
    return openWriteByScript(m_runner, std::move(path), mode, refuseExisting, std::move(stop));
}

Async<domain::GlobResult> ScriptFileSystem::glob(domain::GlobRequest request, std::stop_token stop)
{
    return globByScript(m_runner, std::move(request), std::move(stop));
}

Async<domain::GrepResult> ScriptFileSystem::grep(domain::GrepRequest request, std::stop_token stop)
{
    return grepByScript(m_runner, std::move(request), std::move(stop));
}

Async<void> ScriptFileSystem::makeDirectory(SandboxPath path, std::stop_token stop)
{
    if (const auto problem = pathProblem(path))
        return refusedCall(*problem);
    ScriptCall call{
        pathVariable("_p", path), {}, QStringLiteral("Cannot make the directory"), path};
    call.body += R"sh([ -d "$_p" ] || mkdir -p -- "$_p" || [ -d "$_p" ] || _v "$_p")sh";
    return doByScript(m_runner, call, std::move(stop));
}

Async<void> ScriptFileSystem::rename(SandboxPath from, SandboxPath to, std::stop_token stop)
{
    from = withoutSlashes(from);
    to = withoutSlashes(to);
    for (const SandboxPath &path : {from, to})
        if (const auto problem = pathProblem(path))
            return refusedCall(*problem);
    ScriptCall call{pathVariable("_p", from) + pathVariable("_t", to),
                    {},
                    QStringLiteral("Cannot rename the file"),
                    from};
    // Tools that do not know -T would move it into a directory.
    call.body += R"sh(_w "$_p" || _x missing
_d=${_t%/*}; [ -n "$_d" ] || _d=/
_m "$_d"; [ -d "$_d" ] || _x kind
case $_t/ in "$_p"/?*) _x kind;; esac
if [ -d "$_t" ] && [ ! -h "$_t" ]; then [ -d "$_p" ] && [ ! -h "$_p" ] || _x kind; fi
mv -f -T -- "$_p" "$_t" || { [ ! -d "$_t" ] && mv -f -- "$_p" "$_t"; } || {
[ -w "$_d" ] && [ -w "${_p%/*}/" ] || _x denied
[ ! -d "$_t" ] || _x busy
_x failed; })sh";
    return doByScript(m_runner, call, std::move(stop));
}

Async<void> ScriptFileSystem::remove(SandboxPath path, bool recursive, std::stop_token stop)
{
    path = withoutSlashes(path);
    if (const auto problem = pathProblem(path))
        return refusedCall(*problem);
    if (path == "/")
        return refusedCall(invalid(QStringLiteral("The root directory cannot be removed")));
    ScriptCall call{pathVariable("_p", path), {}, QStringLiteral("Cannot remove the file"), path};
    call.body += R"sh(_w "$_p" || _x missing
if [ -h "$_p" ] || [ ! -d "$_p" ]; then rm -f -- "$_p"
else )sh";
    call.body += recursive ? "rm -rf -- \"$_p\"\n"
                           : "rmdir -- \"$_p\" || [ ! -w \"${_p%/*}/\" ] || _x busy\n";
    call.body += R"sh(fi
if [ -e "$_p" ] || [ -h "$_p" ]; then _x denied; fi)sh";
    return doByScript(m_runner, call, std::move(stop));
}

} // namespace berth::net
