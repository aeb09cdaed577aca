// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_session.h"

#include <QtCore/QHash>
#include <QtCore/QMap>
#include <QtCore/QObject>
#include <QtCore/QPointer>

#include <chrono>
#include <functional>

// An Engine that plays a script: no provider, no storage, but the whole contract, so that a front
// door meets the same answers and events in the same order as with the real one. Qt Core only.
namespace berth::test {

//! What a command does in the play.
struct Script
{
    struct Piece
    {
        domain::OutputStream stream = domain::OutputStream::Stdout;
        QByteArray bytes;
    };
    QList<Piece> pieces;
    //! Between the pieces.
    std::chrono::milliseconds pace{0};
    int exitCode = 0;
    domain::OutcomeKind outcome = domain::OutcomeKind::Exited;
    QString detail;
    //! Does not end before it is stopped.
    bool hangs = false;
    //! Standard output of this many bytes, made while it is read; see syntheticBytes().
    qint64 synthetic = 0;
    //! What it says while the sandbox is made ready, each for \a pace.
    QStringList preparing;
};

//! A part of the endless text that a synthetic output is cut from; the same for the same offset.
QByteArray syntheticBytes(qint64 offset, qint64 length);

class ScriptedSession;

class ScriptedEngine final : public QObject, public application::EngineHost
{
    Q_OBJECT
public:
    struct Ask
    {
        QPointer<ScriptedSession> session;
        domain::RequestId id;
        application::Payload arguments;

        void answer(const application::Payload &payload) const;
        void fail(const domain::Error &error) const;
        template <typename T>
        void reply(const T &value) const
        {
            answer(application::encode(value));
        }
    };
    using Player = std::function<void(const Ask &)>;

    explicit ScriptedEngine(QObject *parent = nullptr);
    ~ScriptedEngine() override;

    std::unique_ptr<application::EngineSession> openSession(application::ClientKind kind) override;

    //! What is there; threads and tool calls made by commands are added.
    application::Snapshot state;
    QHash<domain::ThreadId, application::ThreadDetail> details;
    application::ProviderForm form;
    domain::ResourceSample sample;
    application::HealthView health;
    //! By the text of the command, without its "!".
    QMap<QString, Script> scripts;
    //! Instead of the usual play of a command.
    QHash<QString, Player> players;

    //! Commands got: name and JSON, in order.
    QList<QPair<QString, QByteArray>> received;
    QList<domain::RequestId> cancelled;
    [[nodiscard]] int sessionCount() const { return static_cast<int>(m_sessions.size()); }

    void publish(application::EventBody body);
    //! Without an event in between: as if one got lost.
    void skipSequence() { ++state.seq; }
    //! "t000…1" for 1: as long as a real id.
    static QString uuid(char letter, int number);

private:
    friend class ScriptedSession;
    struct Call;
    struct Reader
    {
        Ask ask;
        application::ReadOutput command;
    };

    void receive(const Ask &ask, const QString &command);
    void usualPlay();
    void newThread(const Ask &ask);
    void sendMessage(const Ask &ask);
    void exec(const Ask &ask);
    application::Started begin(const domain::ThreadId &thread, const domain::SandboxId &sandbox,
                               const QString &text);
    void advance(const domain::ToolCallId &id);
    void end(Call &call, domain::OutcomeKind outcome, int exitCode, const QString &detail);
    void readOutput(const Ask &ask);
    bool answerRead(const Call &call, const Reader &reader, bool timedOut);
    void wakeReaders(Call &call);
    void stop(const Ask &ask);
    void changeRuntime(const Ask &ask, const QString &runtime, domain::ObservedState observed);
    void testProvider(const Ask &ask);
    application::RuntimeView *runtime(const QString &id);

    QList<ScriptedSession *> m_sessions;
    QHash<domain::ToolCallId, std::shared_ptr<Call>> m_calls;
    int m_made = 0;
};

} // namespace berth::test
