// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/http_parser.h"

#include <algorithm>
#include <limits>

namespace berth::net {

namespace {

bool isTokenCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

//! -1: not a plain number, or too large to be a length.
qint64 lengthFrom(const QByteArray &text)
{
    if (text.isEmpty() || text.size() > 18 || !std::all_of(text.begin(), text.end(), isDigit))
        return -1;
    return text.toLongLong();
}

} // namespace

HttpResponseParser::HttpResponseParser(Expectation expectation) : m_expectation(expectation) {}

qsizetype HttpResponseParser::feed(QByteArrayView bytes, QByteArray &body)
{
    qsizetype at = 0;
    QByteArray line;
    while (at < bytes.size() && (m_phase == Phase::Head || m_phase == Phase::Body)) {
        m_started = true;
        switch (m_step) {
        case Step::HeadLine:
            if (takeLine(bytes, at, line))
                headLine(line);
            break;
        case Step::Fixed:
        case Step::ChunkData: {
            const auto count = static_cast<qsizetype>(
                std::min(m_remaining, static_cast<qint64>(bytes.size() - at)));
            body.append(bytes.sliced(at, count));
            at += count;
            m_remaining -= count;
            if (m_remaining == 0) {
                if (m_step == Step::Fixed)
                    m_phase = Phase::Complete;
                else
                    m_step = Step::ChunkEnd;
            }
            break;
        }
        case Step::UntilClose:
            body.append(bytes.sliced(at));
            at = bytes.size();
            break;
        case Step::ChunkSize:
            if (takeLine(bytes, at, line))
                chunkSize(line);
            break;
        case Step::ChunkEnd:
            if (takeLine(bytes, at, line)) {
                if (line.isEmpty())
                    m_step = Step::ChunkSize;
                else
                    fail(QStringLiteral("a chunk is longer than it said"));
            }
            break;
        case Step::Trailer:
            if (takeLine(bytes, at, line) && line.isEmpty())
                m_phase = Phase::Complete;
            break;
        }
    }
    return at;
}

void HttpResponseParser::finish()
{
    if (m_phase == Phase::Body && m_step == Step::UntilClose) {
        m_phase = Phase::Complete;
    } else if (m_phase == Phase::Head || m_phase == Phase::Body) {
        m_cut = true;
        fail(m_started ? QStringLiteral("the connection ended in the middle of the answer")
                       : QStringLiteral("the connection ended without an answer"));
    }
}

//! Lines end with CR LF; the bound covers heads, chunk sizes and trailers alike.
bool HttpResponseParser::takeLine(QByteArrayView bytes, qsizetype &at, QByteArray &line)
{
    const QByteArrayView rest = bytes.sliced(at);
    const qsizetype end = rest.indexOf('\n');
    const qsizetype count = end < 0 ? rest.size() : end + 1;
    m_headBytes += count;
    if (m_headBytes > kLargestHead) {
        fail(QStringLiteral("the answer's head is larger than %1 KiB").arg(kLargestHead / 1024));
        return false;
    }
    m_line.append(rest.first(count));
    at += count;
    if (end < 0)
        return false;
    line = std::exchange(m_line, {});
    if (!line.endsWith("\r\n")) {
        fail(QStringLiteral("a line of the answer does not end with CR LF"));
        return false;
    }
    line.chop(2);
    if (line.contains('\r') || line.contains('\0')) {
        fail(QStringLiteral("a line of the answer's head holds a CR or NUL"));
        return false;
    }
    return true;
}

void HttpResponseParser::headLine(const QByteArray &line)
{
    if (m_head.status == 0)
        statusLine(line);
    else if (line.isEmpty())
        headComplete();
    else
        field(line);
}

void HttpResponseParser::statusLine(const QByteArray &line)
{
    // HTTP/1.x SP 3DIGIT SP reason; some servers leave the last space out.
    const bool shaped = line.size() >= 12
        && (line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 ")) && isDigit(line[9])
        && isDigit(line[10]) && isDigit(line[11]) && (line.size() == 12 || line[12] == ' ');
    const int status = shaped ? line.mid(9, 3).toInt() : 0;
    if (status < 100 || status > 599) {
        fail(QStringLiteral("what answers there does not speak HTTP/1.1"));
        return;
    }
    m_head.status = status;
    m_head.reason = line.mid(13);
    m_keepAlive = line[7] == '1';
}

void HttpResponseParser::field(const QByteArray &line)
{
    const qsizetype colon = line.indexOf(':');
    if (colon <= 0 || !std::all_of(line.begin(), line.begin() + colon, isTokenCharacter)) {
        fail(QStringLiteral("a field of the answer's head is malformed"));
        return;
    }
    if (m_head.headers.fields().size() >= kMostFields) {
        fail(QStringLiteral("the answer's head has more than %1 fields").arg(kMostFields));
        return;
    }
    m_head.headers.append(line.first(colon), line.mid(colon + 1).trimmed());
}

void HttpResponseParser::headComplete()
{
    const int status = m_head.status;
    if (status < 200 && status != 101) {
        m_head = {};
        m_keepAlive = true;
        return;
    }
    for (const QByteArray &connection : m_head.headers.values("Connection")) {
        if (connection.toLower().contains("close"))
            m_keepAlive = false;
        else if (connection.toLower().contains("keep-alive"))
            m_keepAlive = true;
    }
    m_headBytes = 0;
    if (status == 101 && !m_expectation.hijack) {
        fail(QStringLiteral("the answer switches to another protocol, which was not asked for"));
        return;
    }
    if (status == 101 || (m_expectation.hijack && status < 300)) {
        m_phase = Phase::Upgraded;
        return;
    }
    const QList<QByteArray> codings = m_head.headers.values("Transfer-Encoding");
    const QList<QByteArray> lengths = m_head.headers.values("Content-Length");
    if (!codings.isEmpty() && !lengths.isEmpty()) {
        fail(QStringLiteral("the answer gives its length in two ways"));
        return;
    }
    if (m_expectation.headOnly || status == 204 || status == 304) {
        m_phase = Phase::Complete;
        return;
    }
    m_phase = Phase::Body;
    if (!codings.isEmpty()) {
        if (codings.size() != 1 || codings.front().toLower() != "chunked") {
            fail(QStringLiteral("the answer comes in a transfer coding that is not known"));
            return;
        }
        m_step = Step::ChunkSize;
        return;
    }
    if (lengths.isEmpty()) {
        m_step = Step::UntilClose;
        m_keepAlive = false;
        return;
    }
    m_remaining = lengthFrom(lengths.front());
    const bool same =
        std::all_of(lengths.begin(), lengths.end(),
                    [&lengths](const QByteArray &other) { return other == lengths.front(); });
    if (m_remaining < 0 || !same) {
        fail(QStringLiteral("the answer's Content-Length is not a number"));
        return;
    }
    m_step = Step::Fixed;
    if (m_remaining == 0)
        m_phase = Phase::Complete;
}

void HttpResponseParser::chunkSize(const QByteArray &line)
{
    m_headBytes = 0;
    const qsizetype extension = line.indexOf(';');
    const QByteArray digits = (extension < 0 ? line : line.first(extension)).trimmed();
    // 15 hex digits are below the largest qint64.
    const bool shaped = !digits.isEmpty() && digits.size() <= 15
        && std::all_of(digits.begin(), digits.end(), [](char c) {
               return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
           });
    if (!shaped) {
        fail(QStringLiteral("the size of a chunk is not a number"));
        return;
    }
    m_remaining = digits.toLongLong(nullptr, 16);
    m_step = m_remaining == 0 ? Step::Trailer : Step::ChunkData;
}

void HttpResponseParser::fail(QString problem)
{
    m_phase = Phase::Failed;
    m_problem = std::move(problem);
}

} // namespace berth::net
