// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/listen_address.h"
#include "api/token_file.h"
#include "async/task.h"
#include "domain/result.h"

#include <QtCore/QObject>

#include <chrono>
#include <memory>

namespace berth::application {
class AccessTable;
class EngineClient;
} // namespace berth::application

namespace berth::api {

struct ApiSettings
{
    ListenAddress listen;
    //! Where the token lies.
    QString dataDirectory;
    QString version;
    unsigned maximumClients = 64;
    std::chrono::milliseconds headDeadline{10'000};
    std::chrono::milliseconds bodyDeadline{30'000};
    std::chrono::seconds idle{30};
    //! Between two signs of life on /api/events.
    std::chrono::milliseconds ping{15'000};
    //! What the token may do; more than to read and run only where the user granted it.
    Scopes granted = kOwnerScopes;
    //! Further tokens and who the agents know; null: there is only the token in the file.
    std::shared_ptr<application::AccessTable> access;
};

//! The HTTP API: one more client of the Engine. Lives on one thread with an event loop.
class ApiServer final : public QObject
{
    Q_OBJECT
public:
    //! \a approver: the client for requests whose token may approve; null: none may.
    ApiServer(ApiSettings settings, std::unique_ptr<application::EngineClient> client,
              std::unique_ptr<application::EngineClient> approver = {}, QObject *parent = nullptr);
    //! Ends at once what has not ended by stop().
    ~ApiServer() override;

    //! Makes the token when there is none. Where it listens then.
    domain::Result<ListenAddress> listen();
    //! Answers what is under way with 503, ends the library's thread, and waits for our own
    //! coroutines.
    async::Task<void> stop();
    //! Coroutines that have not ended; 0 after stop().
    [[nodiscard]] int live() const;

private:
    struct Inside;
    void beginEnd();
    void finishEnd();

    std::shared_ptr<Inside> m_inside;
};

} // namespace berth::api
