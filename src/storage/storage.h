// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QDateTime>

#include <functional>
#include <memory>

namespace berth::domain {
class BerthStore;
class LeaseStore;
class ProcessStore;
class ConversationStore;
class TrustStore;
class AccessStore;
} // namespace berth::domain

namespace berth::storage {

//! Absolute paths. Missing folders are made, private to the user.
struct StoragePaths
{
    QString berthDb;
    QString sandboxDb;
    //! Copies from before each migration step; the newest few are kept.
    QString backups;
};

//! What time it is, for tests.
using Clock = std::function<QDateTime()>;

//! Berth's records: two SQLite files and the one thread that uses them. Made, used and destroyed on
//! one thread with an event loop, which each call resumes on.
class Storage
{
public:
    struct Parts;
    explicit Storage(std::unique_ptr<Parts> parts);
    //! Without close() before, waits until the calls under way are stored.
    ~Storage();
    Storage(const Storage &) = delete;
    Storage &operator=(const Storage &) = delete;

    [[nodiscard]] domain::BerthStore &berth();
    [[nodiscard]] domain::LeaseStore &leases();
    [[nodiscard]] domain::ProcessStore &processes();
    [[nodiscard]] domain::TrustStore &trust();
    [[nodiscard]] domain::AccessStore &access();
    [[nodiscard]] domain::ConversationStore &conversations();

    //! The sandbox file that these records were used with before, when it was another one; else
    //! empty.
    [[nodiscard]] QString previousSandboxDb() const;
    //! The user wants the present sandbox file: no question at the next start.
    domain::Async<void> acceptSandboxDb();

    //! Takes no further calls, completes those under way, closes the files and ends the thread.
    //! Calls that come later answer Unavailable.
    domain::Async<void> close();

private:
    std::unique_ptr<Parts> m_parts;
};

//! Opens both files, making or migrating them as needed. Storage errors say what is wrong and what
//! to do; a file that is refused is not changed.
domain::Async<std::unique_ptr<Storage>> openStorage(StoragePaths paths, Clock clock = {});

} // namespace berth::storage
