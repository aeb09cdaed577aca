// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/script_search.h"

#include "net/script/name_pattern.h"
#include "net/script/script_call.h"
#include "net/script/script_file_system.h"

#include <algorithm>

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::GlobRequest;
using domain::GlobResult;
using domain::GrepMatch;
using domain::GrepRequest;
using domain::GrepResult;
using domain::Result;

namespace {

constexpr int kMostResults = 10'000;
// Of names read for one pattern.
constexpr qint64 kMostNames = 2 * 1024 * 1024;
// A line is looked at so far, and shown so far.
constexpr int kLookedAt = 64 * 1024;
constexpr qsizetype kLongestText = 1024;

// Files beyond that are not looked into (blocks of 512 bytes): grep has to hold all of one that has
// no NUL.
constexpr char kLargest[] = "131072";

// Only a search from the very top can meet the kernel's own files.
constexpr char kWithoutKernel[] =
    "_e=; case $(pwd -P) in /) _e='-path ./proc -prune -o -path ./sys -prune -o';; esac\nset -f\n";

domain::Error patternError(const QString &what)
{
    return {ErrorKind::InvalidInput, what, {}, {}, {}};
}

QByteArray globBody(const GlobRequest &request, const PathPattern &pattern)
{
    QByteArray start = QByteArrayLiteral(".");
    for (const QByteArray &name : pattern.literalStart())
        start += '/' + name;
    QByteArray find = "find " + shellWord(start) + " -mindepth 1";
    find +=
        " -maxdepth " + QByteArray::number(std::min<qsizetype>(64, pattern.depth().value_or(64)));
    find += " $_e";
    if (!request.hidden && !pattern.namesHidden())
        find += " -name '.?*' -prune -o";
    if (pattern.onlyDirectories())
        find += " -type d";
    if (!pattern.simpleEnd().isEmpty())
        find += " -name " + shellWord(pattern.simpleEnd());
    return R"sh(_m "$_p"
[ -d "$_p" ] || _x kind
[ -r "$_p" ] && CDPATH= cd -- "$_p" || _x denied
)sh" + QByteArray(kWithoutKernel)
        + find + " -print0";
}

Async<GlobResult> globNow(std::shared_ptr<ScriptRunner> runner, GlobRequest request,
                          PathPattern pattern, std::stop_token stop)
{
    const qint64 piece = largestScriptOutput(*runner);
    const int limit = std::clamp(request.limit, 0, kMostResults);
    const QByteArray body = pathVariable("_p", request.root) + globBody(request, pattern);
    QByteArray names;
    GlobResult result;
    for (bool more = true; more;) {
        ScriptCall call{body, {}, QStringLiteral("Cannot search the directory"), request.root};
        call.body += " | tail -c +" + QByteArray::number(names.size() + 1) + " | head -c "
            + QByteArray::number(piece);
        const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
        if (!answer)
            co_return failure(answer.error());
        names += answer->body;
        more = answer->body.size() >= piece && names.size() < kMostNames;
        result.truncated = answer->body.size() >= piece;
    }
    QList<QByteArray> paths = names.split('\0');
    paths.removeLast(); // empty, or cut off
    for (const QByteArray &path : std::as_const(paths)) {
        const QByteArray relative = path.mid(2);
        if (path.startsWith("./") && pattern.matches(relative, request.hidden))
            result.paths.append(relative);
    }
    std::sort(result.paths.begin(), result.paths.end());
    if (result.paths.size() > limit) {
        result.paths.resize(limit);
        result.truncated = true;
    }
    const GlobResult found = result;
    co_return found;
}

//! What a file must hold to be worth a look: the pattern, also before a carriage return.
QByteArray widened(const GrepRequest &request)
{
    QByteArray pattern = request.pattern;
    return request.fixed ? pattern : pattern.replace('$', "\r?$");
}

//! First the files that hold it at all, then each of those by itself: only that way names with
//! newlines, long lines and binary files come out right with every grep. Says "<all> <searched>",
//! then for each file its path and "<number>:<line>" lines, with a NUL behind each of these.
QByteArray grepBody(const GrepRequest &request, qint64 most)
{
    const QByteArray lines = QByteArray::number(request.limit + 1);
    QByteArray body = pathVariable("_p", request.root);
    body += "_G=" + shellWord(request.pattern) + "\n_W=" + shellWord(widened(request)) + "\n_O=-"
        + (request.fixed ? "F" : "E") + (request.ignoreCase ? "i" : "") + '\n';
    body += R"sh(LC_ALL=C.UTF-8; export _G _W _O
echo | grep $_O -e "$_G"; [ $? -le 1 ] || _x pattern
_m "$_p"
_L='for _f; do
[ "$(grep -zc "" <"$_f")" -le 1 ] || continue
printf "%s\0" "$_f"
cut -b 1-)sh";
    body += QByteArray::number(kLookedAt)
        + R"sh( <"$_f" | sed "s/\r\$//" | grep -an $_O -e "$_G" | head -n )sh" + lines
        + " | cut -b 1-" + QByteArray::number(kLongestText + 64) + R"sh( | tr -d "\0"
printf "\0"
done'
if [ ! -d "$_p" ]; then
[ -f "$_p" ] || _x kind
[ -r "$_p" ] || _x denied
[ "$(grep -zc '' <"$_p")" -le 1 ] && printf '1 1 f\0' || printf '1 0 f\0'
sh -c "$_L" sh "$_p"
_x ok
fi
[ -r "$_p" ] && CDPATH= cd -- "$_p" || _x denied
)sh";
    body += kWithoutKernel;
    // "$@" of the directory's own files.
    body += "_s() { find . -maxdepth 64 $_e -type f ";
    if (!request.nameGlob.isEmpty())
        body += "-name " + shellWord(request.nameGlob) + ' ';
    body += R"sh("$@"; }
_t=$(_s -print0 | tr -dc '\0' | wc -c)
_q=$(_s -size -)sh";
    body += kLargest;
    body += R"sh( -exec grep -zcH '' {} + | LC_ALL=C grep -ac ':[01]$')sh";
    body += R"sh()
printf '%s %s d\0' $_t $_q
if echo a | grep -qZ a; then _s -size -)sh";
    body += kLargest;
    body += R"sh( -exec grep -alZ $_O -e "$_G" -e "$_W" {} +
else _s -size -)sh";
    body += kLargest;
    body +=
        R"sh( -exec sh -c 'for _f; do grep -q $_O -e "$_G" -e "$_W" "$_f" && printf "%s\0" "$_f"; done' sh {} +
fi | xargs -0 sh -c "$_L" sh | head -c )sh";
    return body + QByteArray::number(most);
}

bool readMatches(const QByteArray &path, const QByteArray &lines, QList<GrepMatch> &into)
{
    const QList<QByteArray> all = lines.split('\n');
    // Behind the last newline there is nothing, or a line that was cut off.
    for (qsizetype i = 0; i + 1 < all.size(); ++i) {
        const qsizetype colon = all.at(i).indexOf(':');
        GrepMatch match;
        match.path = path;
        bool ok = colon > 0;
        match.line = ok ? all.at(i).left(colon).toLongLong(&ok) : 0;
        if (!ok || match.line < 1)
            return false;
        match.text = all.at(i).mid(colon + 1);
        if (match.text.size() > kLongestText) {
            qsizetype size = kLongestText; // not in the middle of a character
            for (int k = 0; k < 3 && (static_cast<uchar>(match.text.at(size)) & 0xC0) == 0x80; ++k)
                --size;
            match.text.truncate(size);
        }
        into.append(match);
    }
    return true;
}

std::optional<GrepResult> readGrep(const QByteArray &body, int limit)
{
    const QList<QByteArray> parts = body.split('\0');
    const QList<QByteArray> counts = parts.first().split(' ');
    if (counts.size() != 3)
        return std::nullopt;
    const bool isFile = counts.at(2) == "f";
    GrepResult result;
    bool ok[2] = {};
    result.filesSearched = counts.at(1).toLongLong(&ok[0]);
    result.filesSkipped = counts.at(0).toLongLong(&ok[1]) - result.filesSearched;
    if (!ok[0] || !ok[1] || result.filesSkipped < 0)
        return std::nullopt;
    for (qsizetype i = 1; i + 1 < parts.size(); i += 2) {
        if (!isFile && !parts.at(i).startsWith("./"))
            return std::nullopt;
        if (!readMatches(isFile ? QByteArray() : parts.at(i).mid(2), parts.at(i + 1),
                         result.matches))
            return std::nullopt;
    }
    std::stable_sort(result.matches.begin(), result.matches.end(),
                     [](const GrepMatch &a, const GrepMatch &b) {
                         return a.path != b.path ? a.path < b.path : a.line < b.line;
                     });
    if (result.matches.size() > limit) {
        result.matches.resize(limit);
        result.truncated = true;
    }
    return result;
}

Async<GrepResult> grepNow(std::shared_ptr<ScriptRunner> runner, GrepRequest request,
                          std::stop_token stop)
{
    const QString what = QStringLiteral("Cannot search the files");
    // The counts come beside it.
    const qint64 most = largestScriptOutput(*runner) - 64;
    ScriptCall call{grepBody(request, most), {}, what, request.root};
    const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
    if (!answer)
        co_return failure(answer.error());
    std::optional<GrepResult> result = readGrep(answer->body, request.limit);
    if (!result)
        co_return failure(ErrorKind::Protocol,
                          what + QStringLiteral(": the sandbox answered nonsense"));
    result->truncated = result->truncated || answer->body.size() >= most;
    const GrepResult found = *result;
    co_return found;
}

} // namespace

Async<GlobResult> globByScript(std::shared_ptr<ScriptRunner> runner, GlobRequest request,
                               std::stop_token stop)
{
    if (auto problem = pathProblem(request.root))
        co_return failure(*problem);
    const std::optional<PathPattern> pattern = PathPattern::parse(request.pattern);
    if (!pattern)
        co_return failure(
            patternError(QStringLiteral("The pattern makes no sense, or leads out of its root")));
    const Result<GlobResult> result = co_await globNow(runner, request, *pattern, stop);
    co_return result;
}

Async<GrepResult> grepByScript(std::shared_ptr<ScriptRunner> runner, GrepRequest request,
                               std::stop_token stop)
{
    if (auto problem = pathProblem(request.root))
        co_return failure(*problem);
    if (request.pattern.isEmpty() || request.pattern.contains('\0')
        || request.nameGlob.contains('\0'))
        co_return failure(patternError(QStringLiteral("The pattern makes no sense")));
    request.limit = std::clamp(request.limit, 1, kMostResults);
    const Result<GrepResult> result = co_await grepNow(runner, request, stop);
    co_return result;
}

} // namespace berth::net
