// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "cli/context.h"
#include "cli/options.h"

#include <QtCore/QObject>
#include <QtCore/QTimer>

#include <functional>

namespace berth::cli {

//! Runs one verb against an Engine, in the caller's event loop.
class CliApplication final : public QObject
{
    Q_OBJECT
public:
    //! \a options need an Engine. \a client and the sinks of \a streams outlive this object.
    CliApplication(CliOptions options, application::EngineClient &client, CliStreams streams,
                   QObject *parent = nullptr);
    ~CliApplication() override;

    void start();
    //! Ctrl-C and its like: stops what runs in the sandbox and ends. A second time ends at once.
    void interrupt(int signalNumber);

Q_SIGNALS:
    //! Once, when all output has been written.
    void finished(int exitCode);

private:
    void finish(int code);

    QObject m_guard;
    Context m_context;
    QTimer m_grace;
    bool m_finished = false;

    friend async::Task<void> performVerb(Context context, QPointer<CliApplication> application);
};

//! For options that need no Engine: help, version, mistakes. Answers the exit code.
int reportWithoutEngine(const CliOptions &options, const QString &version, OutputSink &out,
                        OutputSink &err);
//! An error from before a verb could start, such as no connection.
int reportError(const CliOptions &options, const domain::Error &error, OutputSink &out,
                OutputSink &err);

//! The whole run on this process' standard files, with its signals; \a done is called once, from
//! the event loop.
void runCli(const CliOptions &options, application::EngineClient &client, QObject *context,
            std::function<void(int)> done);

} // namespace berth::cli
