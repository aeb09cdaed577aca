// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/sandbox/process.h"

#include <memory>

namespace berth::storage {

class Database;

class SqlProcessStore final : public domain::ProcessStore
{
public:
    explicit SqlProcessStore(std::shared_ptr<Database> database);
    ~SqlProcessStore() override;

    domain::Async<QList<domain::ProcessRecord>> processes() override;
    domain::Async<void> saveProcess(domain::ProcessRecord process) override;
    domain::Async<void> removeProcess(domain::ProcessId id) override;

private:
    std::shared_ptr<Database> m_database;
};

} // namespace berth::storage
