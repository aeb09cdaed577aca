// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_search.h"

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

//! The runner ends its answer with the frame that passes BG_MAX_SEARCH.
constexpr qint64 kMostBytes = BG_MAX_SEARCH + BG_MAX_DATA;
constexpr quint32 kLongestText = 1024;

domain::Error malformedSearch()
{
    return {ErrorKind::Protocol,
            QStringLiteral("The guest runner sent an answer that makes no sense"),
            {},
            {},
            {}};
}

std::optional<domain::Error> problemWith(const GuestChannel &channel, const QByteArray &pattern)
{
    if ((channel.hello().capabilities & BG_CAP_SEARCH) == 0)
        return domain::Error{ErrorKind::Unsupported,
                             QStringLiteral("The runner in this sandbox cannot search"),
                             QStringLiteral("It is of an older version. Restart the sandbox."),
                             {},
                             {}};
    if (pattern.contains('\0') || pattern.size() >= BG_MAX_PATH)
        return domain::Error{
            ErrorKind::InvalidInput, QStringLiteral("This cannot be a pattern"), {}, {}, {}};
    return std::nullopt;
}

// Relative, and each of its parts a name: whoever puts it behind the root stays below the root.
bool isBelow(const QByteArray &path)
{
    const QList<QByteArray> parts = path.split('/');
    return !path.contains('\0')
        && std::none_of(parts.begin(), parts.end(), [](const QByteArray &part) {
               return part.isEmpty() || part == "." || part == "..";
           });
}

struct Summary
{
    bool truncated = false;
    qint64 searched = 0;
    qint64 skipped = 0;
};

std::optional<Summary> summaryOf(const QByteArray &reply)
{
    GuestReader reader(reply);
    Summary summary;
    summary.truncated = reader.u8() != 0;
    summary.searched = static_cast<qint64>(reader.u64() & 0x7FFFFFFFFFFFFFFF);
    summary.skipped = static_cast<qint64>(reader.u64() & 0x7FFFFFFFFFFFFFFF);
    if (reader.isBad() || !reader.rest().isEmpty())
        return std::nullopt;
    return summary;
}

quint32 limitOf(int limit)
{
    return static_cast<quint32>(std::clamp(limit, 1, static_cast<int>(BG_MAX_FOUND)));
}

} // namespace

std::optional<GlobResult> decodeGlob(const GuestChannel::Answer &answer, int limit)
{
    const std::optional<Summary> summary = summaryOf(answer.reply);
    if (!summary)
        return std::nullopt;
    GlobResult result;
    result.truncated = summary->truncated;
    GuestReader reader(answer.data);
    while (!reader.atEnd()) {
        const QByteArray path = reader.bytes(BG_MAX_PATH);
        if (reader.isBad() || !isBelow(path) || result.paths.size() >= limit)
            return std::nullopt;
        result.paths.append(path);
    }
    std::sort(result.paths.begin(), result.paths.end());
    return result;
}

std::optional<GrepResult> decodeGrep(const GuestChannel::Answer &answer, int limit)
{
    const std::optional<Summary> summary = summaryOf(answer.reply);
    if (!summary)
        return std::nullopt;
    GrepResult result;
    result.truncated = summary->truncated;
    result.filesSearched = summary->searched;
    result.filesSkipped = summary->skipped;
    GuestReader reader(answer.data);
    while (!reader.atEnd()) {
        GrepMatch match;
        match.path = reader.bytes(BG_MAX_PATH);
        match.line = static_cast<qint64>(reader.u64() & 0x7FFFFFFFFFFFFFFF);
        match.text = reader.bytes(kLongestText);
        if (reader.isBad() || match.line < 1 || result.matches.size() >= limit
            || (!match.path.isEmpty() && !isBelow(match.path)))
            return std::nullopt;
        result.matches.append(match);
    }
    std::stable_sort(result.matches.begin(), result.matches.end(),
                     [](const GrepMatch &a, const GrepMatch &b) {
                         return a.path != b.path ? a.path < b.path : a.line < b.line;
                     });
    return result;
}

Async<GlobResult> globThroughGuest(std::shared_ptr<GuestChannel> channel, QByteArray head,
                                   GlobRequest request, std::stop_token stop)
{
    if (const auto problem = problemWith(*channel, request.pattern))
        co_return failure(*problem);
    const quint32 limit = limitOf(request.limit);
    GuestWriter body;
    body.raw(head).bytes(request.pattern).u32(limit).u8(request.hidden ? BG_SEARCH_HIDDEN : 0);
    const QByteArray bytes = body.body();
    const Result<GuestChannel::Answer> answer =
        co_await channel->request(BG_GLOB, bytes, kMostBytes, stop);
    if (!answer)
        co_return failure(answer.error());
    const std::optional<GlobResult> result = decodeGlob(*answer, static_cast<int>(limit));
    if (!result)
        co_return failure(malformedSearch());
    co_return *result;
}

Async<GrepResult> grepThroughGuest(std::shared_ptr<GuestChannel> channel, QByteArray head,
                                   GrepRequest request, std::stop_token stop)
{
    if (const auto problem = problemWith(*channel, request.pattern))
        co_return failure(*problem);
    if (const auto problem = problemWith(*channel, request.nameGlob))
        co_return failure(*problem);
    const quint32 limit = limitOf(request.limit);
    GuestWriter body;
    body.raw(head).bytes(request.pattern).bytes(request.nameGlob).u32(limit);
    body.u8(static_cast<quint8>((request.fixed ? BG_SEARCH_FIXED : 0)
                                | (request.ignoreCase ? BG_SEARCH_NO_CASE : 0)));
    const QByteArray bytes = body.body();
    const Result<GuestChannel::Answer> answer =
        co_await channel->request(BG_GREP, bytes, kMostBytes, stop);
    if (!answer)
        co_return failure(answer.error());
    const std::optional<GrepResult> result = decodeGrep(*answer, static_cast<int>(limit));
    if (!result)
        co_return failure(malformedSearch());
    co_return *result;
}

} // namespace berth::net
