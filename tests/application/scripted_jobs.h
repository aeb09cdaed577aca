// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scripted_provider.h"

#include <QtCore/QPointer>

#include <map>

// A sandbox whose background commands live in memory, beyond its connections, as a runner's do.
namespace berth::test {

class JobExecution;

//! One command that outlives connections.
struct ScriptedJob
{
    domain::Job job;
    domain::CommandSpec command;
    QByteArray out;
    QByteArray err;
    //! Older bytes are gone, as in a ring.
    qint64 outKept = 0;
    std::optional<domain::Outcome> outcome;
    QByteArray input;
    bool takesInput = true;
    domain::TerminalSize size;
    bool ignoresStop = false;
    int acknowledged = 0;
    QPointer<JobExecution> follower;
};

//! What runs in one sandbox.
struct ScriptedGuest
{
    std::map<quint32, std::shared_ptr<ScriptedJob>> jobs;
    quint32 next = 1;
    int connections = 0;
    int jobLists = 0;
    std::optional<domain::Error> failStart;
    std::optional<domain::Error> failJobs;
    //! Of a sandbox that paused: nothing answers.
    QList<QPointer<domain::SandboxConnection>> open;

    std::shared_ptr<ScriptedJob> only() const
    {
        return jobs.size() == 1 ? jobs.begin()->second : nullptr;
    }
    inline void say(const std::shared_ptr<ScriptedJob> &job, const QByteArray &bytes);
    inline void complain(const std::shared_ptr<ScriptedJob> &job, const QByteArray &bytes);
    inline void finish(const std::shared_ptr<ScriptedJob> &job, domain::Outcome outcome);
    inline void loseConnections();
    //! As a restart of its main process.
    void restart()
    {
        loseConnections();
        jobs.clear();
    }
};

class JobExecution final : public domain::Execution
{
public:
    JobExecution(std::shared_ptr<ScriptedJob> job, qint64 outOffset, qint64 errOffset)
        : m_job(std::move(job)), m_out(outOffset), m_err(errOffset)
    {
        m_job->follower = this;
        pumpLater();
    }
    void stop() override
    {
        if (m_job->ignoresStop)
            return;
        domain::Outcome outcome;
        outcome.kind = domain::OutcomeKind::Cancelled;
        m_job->outcome = outcome;
        m_job->job.ended = true;
        pumpLater();
    }
    void acknowledge(domain::OutputStream, qint64 bytes) override
    {
        m_job->acknowledged += static_cast<int>(bytes);
    }
    void writeInput(const QByteArray &bytes) override
    {
        m_pending += bytes;
        takeInput();
    }
    void takeInput()
    {
        if (!m_job->takesInput || m_pending.isEmpty())
            return;
        const qint64 size = m_pending.size();
        m_job->input += std::exchange(m_pending, {});
        QMetaObject::invokeMethod(
            this, [this, size] { Q_EMIT inputTaken(size); }, Qt::QueuedConnection);
    }
    void closeInput() override {}
    void resize(int columns, int rows) override { m_job->size = {columns, rows}; }
    void pumpLater()
    {
        QMetaObject::invokeMethod(
            this, [this] { pump(); }, Qt::QueuedConnection);
    }
    void pump()
    {
        if (m_over)
            return;
        if (m_out < m_job->outKept) {
            Q_EMIT skipped(domain::OutputStream::Stdout, m_job->outKept - m_out);
            m_out = m_job->outKept;
        }
        if (m_out < m_job->out.size()) {
            const QByteArray bytes = m_job->out.mid(m_out);
            m_out += bytes.size();
            Q_EMIT output(domain::OutputStream::Stdout, bytes);
        }
        if (m_err < m_job->err.size()) {
            const QByteArray bytes = m_job->err.mid(m_err);
            m_err += bytes.size();
            Q_EMIT output(domain::OutputStream::Stderr, bytes);
        }
        if (m_job->outcome) {
            m_over = true;
            Q_EMIT finished(*m_job->outcome);
        }
    }
    void lose()
    {
        if (std::exchange(m_over, true))
            return;
        domain::Outcome outcome;
        outcome.kind = domain::OutcomeKind::TransportLost;
        Q_EMIT finished(outcome);
    }

private:
    std::shared_ptr<ScriptedJob> m_job;
    qint64 m_out;
    qint64 m_err;
    QByteArray m_pending;
    bool m_over = false;
};

class JobConnection final : public ScriptedConnection
{
public:
    explicit JobConnection(std::shared_ptr<ScriptedGuest> guest) : m_guest(std::move(guest))
    {
        ++m_guest->connections;
        m_guest->open << QPointer<domain::SandboxConnection>(this);
    }
    ~JobConnection() override { end(); }
    bool isOpen() const override { return !m_lost; }
    void lose()
    {
        if (m_lost)
            return;
        end();
        Q_EMIT lost(QStringLiteral("cut"));
    }
    Async<std::shared_ptr<domain::Execution>> start(domain::CommandSpec command,
                                                    std::stop_token) override
    {
        if (!command.background)
            co_return std::make_shared<ScriptedExecution>();
        if (m_guest->failStart)
            co_return failure(*m_guest->failStart);
        auto job = std::make_shared<ScriptedJob>();
        job->job.id = m_guest->next++;
        job->job.tag = command.tag;
        job->job.hasTerminal = command.terminal.has_value();
        job->command = command;
        job->size = command.terminal.value_or(domain::TerminalSize{0, 0});
        m_guest->jobs[job->job.id] = job;
        co_return follow(job, 0, 0);
    }
    Async<QList<domain::Job>> jobs(std::stop_token) override
    {
        ++m_guest->jobLists;
        if (m_guest->failJobs)
            co_return failure(*m_guest->failJobs);
        QList<domain::Job> list;
        for (const auto &[id, job] : m_guest->jobs)
            list << job->job;
        co_return list;
    }
    Async<std::shared_ptr<domain::Execution>> attach(quint32 id, qint64 outOffset, qint64 errOffset,
                                                     std::stop_token) override
    {
        const auto found = m_guest->jobs.find(id);
        if (found == m_guest->jobs.end())
            co_return failure(ErrorKind::NotFound, QStringLiteral("no such job"));
        co_return follow(found->second, outOffset, errOffset);
    }

private:
    std::shared_ptr<domain::Execution> follow(const std::shared_ptr<ScriptedJob> &job, qint64 out,
                                              qint64 err)
    {
        auto execution = std::make_shared<JobExecution>(job, out, err);
        m_executions << execution;
        return execution;
    }
    void end()
    {
        m_lost = true;
        for (const std::weak_ptr<JobExecution> &weak : std::exchange(m_executions, {})) {
            if (const std::shared_ptr<JobExecution> execution = weak.lock())
                execution->lose();
        }
    }

    std::shared_ptr<ScriptedGuest> m_guest;
    QList<std::weak_ptr<JobExecution>> m_executions;
    bool m_lost = false;
};

void ScriptedGuest::say(const std::shared_ptr<ScriptedJob> &job, const QByteArray &bytes)
{
    job->out += bytes;
    job->job.outBytes += bytes.size();
    if (job->follower)
        job->follower->pumpLater();
}

void ScriptedGuest::complain(const std::shared_ptr<ScriptedJob> &job, const QByteArray &bytes)
{
    job->err += bytes;
    job->job.errBytes += bytes.size();
    if (job->follower)
        job->follower->pumpLater();
}

void ScriptedGuest::finish(const std::shared_ptr<ScriptedJob> &job, domain::Outcome outcome)
{
    job->outcome = outcome;
    job->job.ended = true;
    if (job->follower)
        job->follower->pumpLater();
}

void ScriptedGuest::loseConnections()
{
    for (const QPointer<domain::SandboxConnection> &connection : std::exchange(open, {})) {
        if (connection)
            static_cast<JobConnection *>(connection.data())->lose();
    }
}

} // namespace berth::test
