// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine/engine.h"
#include "bootstrap/app_paths.h"
#include "remote/instance_lock.h"

#include <QtCore/QObject>
#include <QtCore/QThread>

#include <functional>
#include <memory>

namespace berth::application {
class EngineClient;
}
namespace berth::api {
struct ApiSettings;
struct ListenAddress;
} // namespace berth::api

namespace berth::bootstrap {

//! The Engine, its storage and its socket on a thread of their own. Made and used on the main
//! thread.
class EngineThread final : public QObject
{
    Q_OBJECT
public:
    EngineThread(remote::InstanceLock lock, AppPaths paths, domain::ProviderKinds kinds,
                 QObject *parent = nullptr);
    //! Without shutDown() before, ends at once as after a crash.
    ~EngineThread() override;

    //! ready() or failed() follows.
    void start();
    //! After ready().
    std::unique_ptr<application::EngineClient> connectClient(application::ClientKind kind);
    //! After ready(): the HTTP API beside it, until the end. \a told is called on this thread with
    //! where it listens, unless this object is gone by then.
    void serveApi(const api::ApiSettings &settings,
                  std::function<void(const domain::Result<api::ListenAddress> &)> told);
    //! After ready(), in a window: the HTTP API as long as the user wants it, which is said in
    //! Settings. Where it listens, or why not, is said there, too.
    void serveApiWhenEnabled(const api::ApiSettings &settings);
    //! finished() follows, at the latest some seconds after the bound of on_exit.
    void shutDown(bool byUser);
    //! The same, not by the user's will, unless others use the Engine: then nothing happens; ask
    //! again.
    void shutDownWhenUnused();

Q_SIGNALS:
    void ready();
    void failed(const berth::domain::Error &error);
    void finished();

private:
    struct Inside;
    static domain::Result<api::ListenAddress> beginApi(const std::shared_ptr<Inside> &inside,
                                                       QObject *context, api::ApiSettings settings);
    static async::Task<void> switchApi(std::shared_ptr<Inside> inside, QObject *context,
                                       api::ApiSettings settings, bool enabled);
    static async::Task<void> open(std::shared_ptr<Inside> inside, EngineThread *owner);
    static void closeWhenUnused(const std::shared_ptr<Inside> &inside, EngineThread *owner);
    static async::Task<void> close(std::shared_ptr<Inside> inside, EngineThread *owner,
                                   bool byUser);

    QThread m_thread;
    //! Lives on the thread; what is posted to it runs there.
    QObject *m_context = nullptr;
    std::shared_ptr<Inside> m_inside;
};

} // namespace berth::bootstrap
