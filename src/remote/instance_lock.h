// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QtCore/QString>

#include <optional>

namespace berth::remote {

//! Where the Engine of \a dataDirectory (which should exist) listens:
//! $XDG_RUNTIME_DIR/berth/<16 hex of SHA-256 of the canonical path>.sock, without a usable such
//! directory /tmp/berth-<uid>/<the same>.sock. Makes nothing.
[[nodiscard]] QString engineSocketPath(const QString &dataDirectory);

//! Makes the directory of \a socketPath with mode 0700; Forbidden when it is there and is not ours
//! alone.
domain::Result<void> prepareSocketDirectory(const QString &socketPath);

//! What the lock file says of who holds it.
struct LockHolder
{
    qint64 pid = 0;
    QString dataDirectory;
    QString socketPath;
    bool operator==(const LockHolder &) const = default;
};

//! Who holds the lock of \a dataDirectory; nullopt when nobody does, or its holder has only just
//! taken it and not yet said where it listens.
[[nodiscard]] std::optional<LockHolder> lockHolder(const QString &dataDirectory);

//! The right to own the Engine of a data directory. Held by the open file and so gone with the
//! process, however that ends; the file itself stays.
class InstanceLock
{
public:
    //! Makes \a dataDirectory (0700) when it is missing. Conflict when another process, or another
    //! lock of this one, holds it: ask lockHolder().
    static domain::Result<InstanceLock> take(const QString &dataDirectory);

    InstanceLock(InstanceLock &&other) noexcept;
    InstanceLock &operator=(InstanceLock &&other) noexcept;
    InstanceLock(const InstanceLock &) = delete;
    InstanceLock &operator=(const InstanceLock &) = delete;
    ~InstanceLock();

    //! Canonical.
    [[nodiscard]] const QString &dataDirectory() const { return m_holder.dataDirectory; }
    [[nodiscard]] const QString &socketPath() const { return m_holder.socketPath; }

private:
    InstanceLock(int file, LockHolder holder);
    void release();

    int m_file = -1;
    LockHolder m_holder;
};

} // namespace berth::remote
