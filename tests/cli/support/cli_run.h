// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/cli_application.h"
#include "cli/support/engine_thread.h"
#include "support/await.h"

#include <nlohmann/json_fwd.hpp>

#include <QtTest/QTest>

// berth-cli in a test: command line in, both streams and the exit code out.
namespace berth::test {

//! Keeps what is written; takes it only as far as \a room allows, when that is set.
class BufferSink final : public cli::OutputSink
{
public:
    void write(const QByteArray &bytes) override
    {
        m_waiting += bytes;
        m_most = qMax(m_most, pending());
        if (!m_held)
            release();
    }
    [[nodiscard]] qint64 pending() const override { return m_waiting.size(); }
    [[nodiscard]] bool isBroken() const override { return m_broken; }

    void hold() { m_held = true; }
    void release()
    {
        m_held = false;
        taken += std::exchange(m_waiting, {});
        Q_EMIT progressed();
    }
    void breakPipe()
    {
        m_broken = true;
        m_waiting.clear();
        Q_EMIT progressed();
    }
    [[nodiscard]] qint64 mostPending() const { return m_most; }

    QByteArray taken;

private:
    QByteArray m_waiting;
    qint64 m_most = 0;
    bool m_held = false;
    bool m_broken = false;
};

class CliRun
{
public:
    CliRun(application::EngineClient &client, const QStringList &arguments,
           cli::TerminalFacts terminal = {}, const QString &typed = {})
    {
        const cli::CliOptions options = cli::parseOptions(arguments);
        if (!options.needsEngine()) {
            code = cli::reportWithoutEngine(options, QStringLiteral("1.2.3"), out, err);
            return;
        }
        m_application = std::make_unique<cli::CliApplication>(
            options, client,
            cli::CliStreams{
                out, err, terminal,
                [this, typed](QObject *context, const std::function<void(QString)> &done) {
                    ++questions;
                    QMetaObject::invokeMethod(
                        context, [done, typed] { done(typed); }, Qt::QueuedConnection);
                },
                [this, typed](QObject *context, const std::function<void(QString)> &done) {
                    ++hiddenQuestions;
                    QMetaObject::invokeMethod(
                        context, [done, typed] { done(typed); }, Qt::QueuedConnection);
                }});
        QObject::connect(m_application.get(), &cli::CliApplication::finished, m_application.get(),
                         [this](int exitCode) {
                             ++finishes;
                             code = exitCode;
                         });
        m_application->start();
    }

    bool waitForEnd(std::chrono::milliseconds limit = std::chrono::seconds(20))
    {
        return waitUntil([this] { return code.has_value(); }, limit);
    }
    cli::CliApplication &application() { return *m_application; }
    //! Standard output, which must be one JSON object on one line.
    [[nodiscard]] nlohmann::json json() const;
    [[nodiscard]] QByteArray told() const
    {
        return "exit " + QByteArray::number(code.value_or(-1)) + ", out: " + out.taken.left(2000)
            + ", err: " + err.taken.left(2000);
    }

    BufferSink out;
    BufferSink err;
    std::optional<int> code;
    int questions = 0;
    int hiddenQuestions = 0;
    int finishes = 0;

private:
    std::unique_ptr<cli::CliApplication> m_application;
};

//! An Engine with something of everything: two threads, a sandbox, two runtimes, two providers.
void furnish(ScriptedEngine &engine);

//! Both ways to reach an Engine.
inline void transports()
{
    QTest::addColumn<bool>("remote");
    QTest::newRow("in process") << false;
    QTest::newRow("over a socket") << true;
}

//! An Engine that is furnished, and a client of it as the data row says.
struct Stage
{
    Stage()
    {
        engine.onEngine(furnish);
        const bool remote = *static_cast<bool *>(QTest::qData("remote", QMetaType::Bool));
        client = remote ? engine.overSocket() : engine.inProcess();
    }
    //! Commands that the Engine got, by name.
    QList<nlohmann::json> received(const char *name);

    EngineThread engine;
    std::unique_ptr<application::EngineClient> client;
};

} // namespace berth::test
