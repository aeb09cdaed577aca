// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/key_store.h"

#include "async/completion.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTimer>

#include <qt6keychain/keychain.h>

namespace berth::storage {

using domain::Async;
using domain::ConfigName;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Secret;

namespace {

const QString kService = QStringLiteral("berth");

enum class KeychainEnd { Finished, TimedOut, Stopped };

struct KeychainAnswer
{
    KeychainEnd end = KeychainEnd::Finished;
    QKeychain::Error error = QKeychain::NoError;
    Secret key;
};

//! Runs \a job, which deletes itself. It cannot be broken off: when nobody waits any more it ends
//! by itself, unheard.
async::Task<KeychainAnswer> keychainAnswer(QKeychain::Job *job, std::chrono::milliseconds deadline,
                                           std::stop_token stop)
{
    const async::Completion<KeychainAnswer> done;
    QObject context;
    QObject::connect(job, &QKeychain::Job::finished, &context, [done](QKeychain::Job *finished) {
        KeychainAnswer answer;
        answer.error = finished->error();
        const auto *read = qobject_cast<QKeychain::ReadPasswordJob *>(finished);
        if (read && answer.error == QKeychain::NoError)
            answer.key = Secret(read->textData().toUtf8());
        done.complete(answer);
    });
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &context, [done] {
        done.complete({KeychainEnd::TimedOut, {}, {}});
    });
    timer.start(deadline);
    job->start();
    const std::stop_callback onStop(stop, [done] {
        done.complete({KeychainEnd::Stopped, {}, {}});
    });
    const KeychainAnswer answer = co_await done;
    co_return answer;
}

class DesktopKeyStore final : public domain::KeyStore
{
public:
    [[nodiscard]] bool isPresent() const override { return m_present; }

    Async<std::optional<Secret>> read(ConfigName config, std::chrono::milliseconds deadline,
                                      std::stop_token stop) override
    {
        auto *job = new QKeychain::ReadPasswordJob(kService);
        job->setKey(config.toString());
        const KeychainAnswer answer = co_await keychainAnswer(job, deadline, stop);
        if (answer.end == KeychainEnd::Finished && answer.error == QKeychain::EntryNotFound)
            co_return std::optional<Secret>();
        const Result<void> done = judged(answer);
        if (!done)
            co_return failure(done.error());
        co_return std::optional<Secret>(answer.key);
    }

    Async<void> store(ConfigName config, Secret key, std::chrono::milliseconds deadline,
                      std::stop_token stop) override
    {
        auto *job = new QKeychain::WritePasswordJob(kService);
        job->setKey(config.toString());
        job->setTextData(QString::fromUtf8(key.exposeForWire()));
        const KeychainAnswer answer = co_await keychainAnswer(job, deadline, stop);
        co_return judged(answer);
    }

    Async<void> remove(ConfigName config, std::chrono::milliseconds deadline,
                       std::stop_token stop) override
    {
        auto *job = new QKeychain::DeletePasswordJob(kService);
        job->setKey(config.toString());
        const KeychainAnswer answer = co_await keychainAnswer(job, deadline, stop);
        if (answer.end == KeychainEnd::Finished && answer.error == QKeychain::EntryNotFound)
            co_return Result<void>();
        co_return judged(answer);
    }

private:
    //! Its own words are left out: they differ by desktop and could hold anything.
    Result<void> judged(const KeychainAnswer &answer)
    {
        if (answer.end == KeychainEnd::Stopped)
            return failure(ErrorKind::Cancelled, QStringLiteral("Stopped"));
        if (answer.end == KeychainEnd::TimedOut)
            return failure(ErrorKind::Timeout,
                           QStringLiteral("The desktop's key store did not answer"),
                           QStringLiteral("It may be waiting to be unlocked."));
        switch (answer.error) {
        case QKeychain::NoError:
            return {};
        case QKeychain::EntryNotFound:
            return failure(ErrorKind::NotFound, QStringLiteral("The key store has no such key"));
        case QKeychain::CouldNotDeleteEntry:
            return failure(ErrorKind::Storage,
                           QStringLiteral("The key store did not remove the key"));
        case QKeychain::AccessDeniedByUser:
        case QKeychain::AccessDenied:
            return failure(ErrorKind::Forbidden, QStringLiteral("The desktop's key store refused"),
                           QStringLiteral("Unlock it, and let Berth use it."));
        case QKeychain::NoBackendAvailable:
        case QKeychain::NotImplemented:
        // Without a bus, or with nobody on it who keeps keys.
        case QKeychain::OtherError:
            break;
        }
        m_present = false;
        return failure(ErrorKind::Unsupported,
                       QStringLiteral("This desktop has no key store that answers"));
    }

    bool m_present = true;
};

bool hasSessionBus()
{
    if (!qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return true;
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtime.isEmpty() && QFileInfo::exists(runtime + QStringLiteral("/bus"));
}

} // namespace

std::shared_ptr<domain::KeyStore> desktopKeyStore()
{
    return hasSessionBus() ? std::make_shared<DesktopKeyStore>() : nullptr;
}

} // namespace berth::storage
