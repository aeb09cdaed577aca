// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/guest/guest_metrics.h"

namespace berth::net {

using domain::ResourceSample;

namespace {

std::optional<qint64> bytes(quint64 value)
{
    constexpr quint64 kSane = quint64(1) << 60;
    if (value == 0 || value >= kSane)
        return std::nullopt;
    return static_cast<qint64>(value);
}

} // namespace

GuestMetrics::GuestMetrics(std::shared_ptr<GuestChannel> channel, QByteArray diskPath)
    : m_channel(std::move(channel)),
      m_diskPath(std::move(diskPath)),
      m_state(std::make_shared<State>())
{}

domain::Async<ResourceSample> GuestMetrics::sample(std::stop_token stop)
{
    return sampleNow(m_channel, m_diskPath, m_state, std::move(stop));
}

domain::Async<ResourceSample> GuestMetrics::sampleNow(std::shared_ptr<GuestChannel> channel,
                                                      QByteArray diskPath,
                                                      std::shared_ptr<State> state,
                                                      std::stop_token stop)
{
    const QByteArray body = GuestWriter().u32(BG_SELF).u32(BG_SELF).bytes(diskPath).body();
    const domain::Result<GuestChannel::Answer> answer =
        co_await channel->request(BG_SAMPLE, body, 0, stop);
    if (!answer)
        co_return domain::failure(answer.error());
    GuestReader reader(answer->reply);
    reader.u8(); // where the numbers come from
    Clock now;
    now.wallMicros = reader.u64();
    now.cpuMicros = reader.u64();
    const quint64 memory = reader.u64();
    const quint64 memoryLimit = reader.u64();
    const quint32 processes = reader.u32();
    const quint32 cpus = reader.u32();
    const quint32 cpuLimitMilli = reader.u32();
    const quint64 diskTotal = reader.u64();
    const quint64 diskUsed = reader.u64();
    if (reader.isBad())
        co_return domain::failure(
            domain::ErrorKind::Protocol,
            QStringLiteral("The guest runner sent a sample that makes no sense"));

    ResourceSample sample;
    sample.at = QDateTime::currentDateTimeUtc();
    sample.memoryBytes = bytes(memory);
    sample.memoryLimitBytes = bytes(memoryLimit);
    sample.diskBytes = bytes(diskUsed);
    sample.diskLimitBytes = bytes(diskTotal);
    if (processes > 0 && processes < 10'000'000)
        sample.processes = static_cast<int>(processes);
    if (cpuLimitMilli > 0)
        sample.cpuLimitCores = cpuLimitMilli / 1000.0;
    if (state->before && now.wallMicros > state->before->wallMicros
        && now.cpuMicros >= state->before->cpuMicros) {
        const double cores = static_cast<double>(now.cpuMicros - state->before->cpuMicros)
            / static_cast<double>(now.wallMicros - state->before->wallMicros);
        // More than all processors is a counter that jumped, not load.
        if (cores <= cpus + 0.5)
            sample.cpuCores = cores;
    }
    state->before = now;
    co_return sample;
}

} // namespace berth::net
