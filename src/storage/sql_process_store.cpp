// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/sql_process_store.h"

#include "storage/database.h"
#include "storage/process_table.h"

namespace berth::storage {

using namespace domain;

SqlProcessStore::SqlProcessStore(std::shared_ptr<Database> database)
    : m_database(std::move(database))
{}

SqlProcessStore::~SqlProcessStore() = default;

Async<QList<ProcessRecord>> SqlProcessStore::processes()
{
    return m_database->read<QList<ProcessRecord>>(&ProcessTable::all);
}

Async<void> SqlProcessStore::saveProcess(ProcessRecord process)
{
    return m_database->write<void>(
        [process](Connection &c) { return ProcessTable::save(c, process); });
}

Async<void> SqlProcessStore::removeProcess(ProcessId id)
{
    return m_database->write<void>([id](Connection &c) { return ProcessTable::remove(c, id); });
}

} // namespace berth::storage
