// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/process_metrics.h"

#include <QtCore/QByteArray>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtCore/QThread>

#include <algorithm>

#include <unistd.h>

namespace berth::local {

namespace {

//! A fork bomb must not keep the Engine busy with counting.
constexpr int kMostProcesses = 4096;
//! Below that a rate says more about the clock than about the sandbox.
constexpr qint64 kShortestInterval = 200;

QByteArray readSmall(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) ? file.read(16 * 1024)
                                                                  : QByteArray();
}

QString procPath(qint64 pid, const QString &name)
{
    return QStringLiteral("/proc/%1/%2").arg(pid).arg(name);
}

//! The fields behind the program's name, which may hold anything.
QList<QByteArray> statFields(qint64 pid)
{
    const QByteArray stat = readSmall(procPath(pid, QStringLiteral("stat")));
    const qsizetype end = stat.lastIndexOf(')');
    return end < 0 ? QList<QByteArray>() : stat.mid(end + 2).split(' ');
}

QList<qint64> childrenByKernel(qint64 pid)
{
    QList<qint64> children;
    const QString tasks = procPath(pid, QStringLiteral("task"));
    const QStringList threads = QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &thread : threads) {
        const QByteArray list =
            readSmall(tasks + QLatin1Char('/') + thread + QLatin1String("/children"));
        for (const QByteArray &child : list.split(' ')) {
            if (const qint64 number = child.trimmed().toLongLong())
                children << number;
        }
    }
    return children;
}

//! Kernels without CONFIG_PROC_CHILDREN do not say it; then everybody is asked for his parent.
QHash<qint64, QList<qint64>> childrenByScan()
{
    QHash<qint64, QList<qint64>> children;
    const QStringList names =
        QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        bool isPid = false;
        const qint64 pid = name.toLongLong(&isPid);
        if (isPid)
            children[statFields(pid).value(1).toLongLong()] << pid;
    }
    return children;
}

bool kernelTellsChildrenOf(qint64 pid)
{
    return QFile::exists(procPath(pid, QStringLiteral("task/%1/children").arg(pid)));
}

QList<qint64> descendants(qint64 root)
{
    const bool kernelTells = kernelTellsChildrenOf(root);
    const QHash<qint64, QList<qint64>> scanned =
        kernelTells ? QHash<qint64, QList<qint64>>() : childrenByScan();
    QList<qint64> found;
    QList<qint64> open{root};
    while (!open.isEmpty() && found.size() < kMostProcesses) {
        const qint64 pid = open.takeLast();
        const QList<qint64> children = kernelTells ? childrenByKernel(pid) : scanned.value(pid);
        found += children;
        open += children;
    }
    return found;
}

} // namespace

QList<qint64> childProcesses(qint64 pid)
{
    return kernelTellsChildrenOf(pid) ? childrenByKernel(pid) : childrenByScan().value(pid);
}

std::optional<ProcessTotals> processTotals(qint64 root)
{
    if (root <= 0 || !QFile::exists(QStringLiteral("/proc/%1").arg(root)))
        return std::nullopt;
    static const qint64 kTick = std::max<qint64>(1, sysconf(_SC_CLK_TCK));
    static const qint64 kPage = sysconf(_SC_PAGESIZE);
    ProcessTotals totals;
    for (const qint64 pid : descendants(root)) {
        const QList<QByteArray> stat = statFields(pid);
        if (stat.size() < 15)
            continue;
        qint64 ticks = 0;
        for (int field = 11; field <= 14; ++field)
            ticks += stat.at(field).toLongLong();
        totals.cpu += std::chrono::microseconds(ticks * 1'000'000 / kTick);
        const QList<QByteArray> memory =
            readSmall(procPath(pid, QStringLiteral("statm"))).split(' ');
        totals.memoryBytes +=
            std::max<qint64>(0, memory.value(1).toLongLong() - memory.value(2).toLongLong())
            * kPage;
        ++totals.processes;
    }
    return totals;
}

domain::ResourceSample ProcessMeter::sample(const ProcessTotals &totals)
{
    domain::ResourceSample sample;
    sample.at = QDateTime::currentDateTimeUtc();
    sample.memoryBytes = totals.memoryBytes;
    sample.processes = totals.processes;
    const double limit = std::max(1, QThread::idealThreadCount());
    sample.cpuLimitCores = limit;
    if (!m_clock.isValid()) {
        m_clock.start();
        m_cpu = totals.cpu;
    } else if (m_clock.elapsed() >= kShortestInterval) {
        const auto used = totals.cpu - m_cpu;
        const double elapsed = double(m_clock.nsecsElapsed()) / 1000.0;
        // Time of children that nobody waited for gets lost: the sum can fall.
        m_cores = used.count() >= 0 ? std::optional(std::min(double(used.count()) / elapsed, limit))
                                    : std::nullopt;
        m_clock.restart();
        m_cpu = totals.cpu;
    }
    sample.cpuCores = m_cores;
    return sample;
}

} // namespace berth::local
