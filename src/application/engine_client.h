// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "application/contract/commands.h"
#include "application/contract/events.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>

#include <functional>

namespace berth::application {

//! The border between a front door (window, CLI, API) and the Engine. Used on one thread, the one
//! it was made on; answers and events arrive there, never inside submit().
class EngineClient : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(domain::Result<Payload>)>;

    explicit EngineClient(QObject *parent = nullptr);
    ~EngineClient() override;

    //! \a done is called exactly once: with the answer, Cancelled, or Unavailable when the
    //! connection is lost (then what happened is not known; asking again under the same id is
    //! safe).
    virtual void submit(domain::RequestId id, const QString &command, Payload arguments,
                        Done done) = 0;
    //! Asks the Engine to stop working on it; the answer still comes.
    virtual void cancel(const domain::RequestId &id) = 0;
    [[nodiscard]] virtual bool isConnected() const = 0;

Q_SIGNALS:
    void event(const berth::application::Event &event);
    //! After true take a new Snapshot.
    void connectionChanged(bool connected, const QString &reason);
};

//! Sends \a command; \a callback gets the answer on this thread unless \a context is gone by then.
template <typename Command, typename Callback>
domain::RequestId deliver(QObject *context, EngineClient &client, const Command &command,
                          Callback callback)
{
    const domain::RequestId id = domain::RequestId::create();
    client.submit(id, QString::fromLatin1(Command::kName), encode(command),
                  [guard = QPointer<QObject>(context),
                   callback = std::move(callback)](domain::Result<Payload> answer) {
                      if (!guard)
                          return;
                      if (answer)
                          callback(decode<typename Command::Reply>(*answer));
                      else
                          callback(domain::Result<typename Command::Reply>(
                              tl::unexpect, std::move(answer.error())));
                  });
    return id;
}

} // namespace berth::application
