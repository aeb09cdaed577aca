// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/stats_watch.h"

#include "async/sleep.h"
#include "net/line_splitter.h"

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::ResourceSample;
using domain::Result;
using namespace std::chrono_literals;

namespace {

constexpr auto kUnaskedLimit = 15s;
constexpr auto kFirstSample = 7s;
constexpr auto kSilence = 12s;
//! The engine walks the container's files for it.
constexpr auto kDiskPeriod = 5min;

} // namespace

StatsWatch::StatsWatch(EnginePtr engine, QString id, const StatsWatch *former)
    : m_engine(std::move(engine)), m_id(std::move(id))
{
    if (!former)
        return;
    m_before = former->m_latest ? former->m_latest : former->m_before;
    m_cpuLimit = former->m_cpuLimit;
    m_disk = former->m_disk;
}

void StatsWatch::start(async::Scope &scope)
{
    scope.spawn(run(shared_from_this(), scope.token()));
    scope.spawn(measureDisk(shared_from_this(), scope.token()));
}

Async<ResourceSample> StatsWatch::sample(std::stop_token stop)
{
    m_asked = Clock::now();
    return sampleOf(shared_from_this(), std::move(stop));
}

Async<ResourceSample> StatsWatch::sampleOf(std::shared_ptr<StatsWatch> self, std::stop_token stop)
{
    if (!self->m_latest && !self->m_ended) {
        const async::Completion<bool> told;
        self->m_waiting.push_back(told);
        const std::stop_callback onStop(stop, [told] { told.complete(false); });
        const bool came = co_await told;
        if (!came)
            co_return failure(ErrorKind::Cancelled, QStringLiteral("Cancelled while measuring"));
    }
    if (self->m_error)
        co_return failure(*self->m_error);
    // An empty sample would look like a container that uses nothing.
    if (!self->m_latest)
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The engine's measurements ended before the first one"));
    ResourceSample sample = sampleFrom(self->m_before, *self->m_latest);
    if (self->m_cpuLimit)
        sample.cpuLimitCores = self->m_cpuLimit;
    sample.diskBytes = self->m_disk;
    co_return sample;
}

async::Task<void> StatsWatch::askOften(std::shared_ptr<StatsWatch> self, std::stop_token stop)
{
    bool goesOn = true;
    while (goesOn && Clock::now() - self->m_asked < kUnaskedLimit) {
        const Result<QByteArray> sample = co_await sampleOnce(self->m_engine, self->m_id, stop);
        if (!sample) {
            if (sample.error().kind != ErrorKind::Cancelled && !self->m_latest)
                self->m_error = sample.error();
            break;
        }
        if (!self->takeAll({*sample}))
            break;
        goesOn = co_await async::sleepFor(1s, stop);
    }
    self->m_ended = true;
    self->wake();
}

async::Task<void> StatsWatch::run(std::shared_ptr<StatsWatch> self, std::stop_token stop)
{
    if (self->m_engine->isPodman) {
        // Its stream tells every five seconds, its single answers come within some milliseconds.
        co_await askOften(self, stop);
        co_return;
    }
    const Result<std::shared_ptr<net::HttpBodyStream>> opened =
        co_await openStats(self->m_engine, self->m_id, stop);
    if (opened) {
        const std::shared_ptr<net::HttpBodyStream> stream = *opened;
        net::LineSplitter splitter;
        while (!stop.stop_requested() && Clock::now() - self->m_asked < kUnaskedLimit) {
            const Result<QByteArray> piece =
                co_await stream->next(self->m_latest ? kSilence : kFirstSample, stop);
            if (!piece || piece->isEmpty())
                break; // The container stopped or went away, or the engine did: the next question
                       // finds out.
            if (!self->takeAll(splitter.feed(*piece)))
                break;
        }
    } else if (opened.error().kind != ErrorKind::Cancelled) {
        self->m_error = opened.error();
    }
    self->m_ended = true;
    self->wake();
}

async::Task<void> StatsWatch::measureDisk(std::shared_ptr<StatsWatch> self, std::stop_token stop)
{
    // The limits first, which cost nothing; the walk over the files not while the first sample is
    // awaited.
    const Result<Container> known =
        co_await inspectContainer(self->m_engine, self->m_id, false, stop);
    if (known)
        self->m_cpuLimit = known->cpuLimitCores;
    bool goesOn = co_await async::sleepFor(3s, stop);
    while (goesOn && !self->m_ended) {
        const Result<Container> measured =
            co_await inspectContainer(self->m_engine, self->m_id, true, stop);
        if (measured)
            self->m_disk = measured->writtenBytes;
        // Short steps, so that an ended watch is not kept for minutes.
        const Clock::time_point next = Clock::now() + kDiskPeriod;
        while (goesOn && !self->m_ended && Clock::now() < next)
            goesOn = co_await async::sleepFor(2s, stop);
    }
}

bool StatsWatch::takeAll(const QList<QByteArray> &lines)
{
    for (const QByteArray &line : lines) {
        const Result<StatsReading> reading = decodeStats(line);
        if (!reading)
            continue;
        // A stopped container sends readings without a time, for as long as somebody listens; its
        // last values must not go on as if it ran.
        if (!reading->at.isValid())
            return false;
        if (m_latest)
            m_before = m_latest;
        m_latest = *reading;
        wake();
    }
    return true;
}

void StatsWatch::wake()
{
    for (const async::Completion<bool> &waiting : std::exchange(m_waiting, {}))
        waiting.complete(true);
}

} // namespace berth::docker
