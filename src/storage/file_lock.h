// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <memory>

namespace berth::storage {

//! Keeps every other Berth off a file for as long as it lives. Ends with the process, however that
//! ends.
class FileLock
{
public:
    //! Conflict when another one has it.
    static domain::Result<std::unique_ptr<FileLock>> take(const QString &file);
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

private:
    explicit FileLock(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor;
};

} // namespace berth::storage
