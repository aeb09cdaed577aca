// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/transfers/transfer_course.h"
#include "async/sleep.h"
#include "domain/text.h"

namespace berth::application {

using domain::Async;
using domain::Error;
using domain::ErrorKind;
using domain::Result;

namespace {

constexpr qint64 kTellEveryMs = 100;

} // namespace

Error TransferCourse::cancelled()
{
    return {ErrorKind::Cancelled, QStringLiteral("The transfer was stopped"), {}, {}, {}};
}

void TransferCourse::skip(const QByteArray &path, const QString &reason)
{
    ++report.skippedCount;
    if (report.skipped.size() < TransferReport::kMostSkips)
        report.skipped.append({domain::displayName(path), reason});
}

void TransferCourse::show(const QByteArray &path)
{
    progress.current = domain::displayName(path);
    tell();
}

void TransferCourse::advance(qint64 bytes)
{
    progress.bytes += bytes;
    progress.totalBytes = qMax(progress.totalBytes, progress.bytes);
    tell();
}

void TransferCourse::fileDone()
{
    ++progress.files;
    ++report.files;
    tell();
}

void TransferCourse::tell(bool now)
{
    if (!owner || (!now && told.isValid() && told.elapsed() < kTellEveryMs))
        return;
    told.restart();
    Q_EMIT owner->progress(progress);
}

void TransferCourse::lose()
{
    const auto unanswered = std::exchange(asked, {});
    for (const auto &giveUp : unanswered)
        giveUp({ErrorKind::Unavailable,
                QStringLiteral("The connection to Berth was lost"),
                {},
                {},
                {}});
}

Transfer::Transfer(EngineClient &client, QObject *parent)
    : QObject(parent), m_course(std::make_shared<TransferCourse>(this, &client))
{
    const std::weak_ptr<TransferCourse> weak = m_course;
    // Without a context: the course may outlive this object and has to be told all the same.
    connect(&client, &QObject::destroyed, [weak] {
        if (const std::shared_ptr<TransferCourse> course = weak.lock())
            course->lose();
    });
}

Transfer::~Transfer()
{
    m_course->owner.clear();
    cancel();
}

TransferProgress Transfer::state() const
{
    return m_course->progress;
}

void Transfer::cancel()
{
    if (m_course->isStopped())
        return;
    m_course->stop.request_stop();
    const QList<domain::RequestId> ids = m_course->asked.keys();
    for (const domain::RequestId &id : ids) {
        if (m_course->client)
            m_course->client->cancel(id);
    }
}

void Transfer::begin(std::function<Async<TransferReport>()> work)
{
    Q_ASSERT(!m_running);
    m_running = true;
    struct Runner
    {
        static async::Task<void> run(Course course, std::function<Async<TransferReport>()> transfer)
        {
            // Never before begin() has returned: whoever waits for finished() connects behind it.
            const bool rested = co_await async::sleepFor(std::chrono::milliseconds(0));
            Q_UNUSED(rested)
            Result<TransferReport> result = co_await transfer();
            if (!course->owner)
                co_return;
            // Other kinds are what the stop looks like from elsewhere.
            if (!result && course->isStopped())
                result = tl::unexpected(TransferCourse::cancelled());
            course->owner->m_running = false;
            course->tell(true);
            if (course->owner)
                Q_EMIT course->owner->finished(result);
        }
    };
    Runner::run(m_course, std::move(work));
}

void Transfer::upload(UploadRequest request)
{
    const Course course = m_course;
    begin([course, request = std::move(request)] { return uploadNow(course, request); });
}

void Transfer::download(DownloadRequest request)
{
    const Course course = m_course;
    begin([course, request = std::move(request)] { return downloadNow(course, request); });
}

} // namespace berth::application
