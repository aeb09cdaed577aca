// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/http_message.h"

#include <QtCore/QString>

namespace berth::net {

//! Reads one HTTP/1.1 answer from bytes that may be cut anywhere. Strict: what two readers could
//! take in two ways (both lengths, two different lengths, folded fields, a bare CR) is refused.
//! Interim answers (1xx except 101) are skipped. Holds the head and nothing of the body.
class HttpResponseParser
{
public:
    enum class Phase { Head, Body, Complete, Upgraded, Failed };

    struct Expectation
    {
        //! The answer to HEAD has no body, whatever its fields say.
        bool headOnly = false;
        //! The bytes after a 101 or a 2xx head are not HTTP any more.
        bool hijack = false;
    };

    static constexpr qsizetype kLargestHead = 64 * 1024;
    static constexpr qsizetype kMostFields = 256;

    explicit HttpResponseParser(Expectation expectation);

    //! Takes what belongs to this answer, appends body bytes to \a body, and answers how many bytes
    //! it took: all, unless the answer is complete, upgraded or failed.
    qsizetype feed(QByteArrayView bytes, QByteArray &body);
    //! The connection was closed.
    void finish();

    [[nodiscard]] Phase phase() const { return m_phase; }
    [[nodiscard]] bool hasHead() const { return m_phase != Phase::Head && m_head.status != 0; }
    [[nodiscard]] const HttpHead &head() const { return m_head; }
    //! Something of the answer has been seen.
    [[nodiscard]] bool hasStarted() const { return m_started; }
    //! Another request may follow on this connection.
    [[nodiscard]] bool keepsAlive() const { return m_keepAlive && m_phase == Phase::Complete; }
    //! Failed: what is wrong.
    [[nodiscard]] const QString &problem() const { return m_problem; }
    //! The connection ended too early, as opposed to nonsense on it.
    [[nodiscard]] bool wasCut() const { return m_cut; }

private:
    enum class Step { HeadLine, Fixed, UntilClose, ChunkSize, ChunkData, ChunkEnd, Trailer };

    bool takeLine(QByteArrayView bytes, qsizetype &at, QByteArray &line);
    void headLine(const QByteArray &line);
    void statusLine(const QByteArray &line);
    void field(const QByteArray &line);
    void headComplete();
    void chunkSize(const QByteArray &line);
    void fail(QString problem);

    Expectation m_expectation;
    Phase m_phase = Phase::Head;
    Step m_step = Step::HeadLine;
    HttpHead m_head;
    QByteArray m_line;
    QString m_problem;
    qint64 m_remaining = 0;
    qsizetype m_headBytes = 0;
    bool m_started = false;
    bool m_keepAlive = true;
    bool m_cut = false;
};

} // namespace berth::net
