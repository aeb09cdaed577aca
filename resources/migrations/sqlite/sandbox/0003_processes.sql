-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Background commands and terminals. Their environment is not kept: it may hold keys.

CREATE TABLE sandbox_processes (
    -- Also the tag that the sandbox knows it by.
    process_id TEXT PRIMARY KEY NOT NULL CHECK (process_id <> ''),
    lease_id TEXT NOT NULL REFERENCES sandbox_leases (lease_id),
    -- NULL until the sandbox is ready.
    instance_id TEXT REFERENCES sandbox_instances (instance_id),
    thread_id TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('background', 'terminal')),
    title TEXT NOT NULL DEFAULT '',
    command TEXT NOT NULL DEFAULT '',
    -- Bytes, not text: a path need not be UTF-8.
    cwd BLOB NOT NULL,
    columns INTEGER NOT NULL DEFAULT 0,
    rows INTEGER NOT NULL DEFAULT 0,
    stage TEXT NOT NULL CHECK (stage IN ('starting', 'running', 'ended')),
    outcome TEXT,
    code INTEGER NOT NULL DEFAULT 0,
    detail TEXT NOT NULL DEFAULT '',
    duration_ms INTEGER NOT NULL DEFAULT 0,
    output_ref TEXT NOT NULL DEFAULT '',
    output_bytes INTEGER NOT NULL DEFAULT 0,
    skipped_bytes INTEGER NOT NULL DEFAULT 0,
    -- Bytes of each stream that were taken over; following goes on behind them.
    out_offset INTEGER NOT NULL DEFAULT 0,
    err_offset INTEGER NOT NULL DEFAULT 0,
    started_at TEXT NOT NULL CHECK (started_at GLOB '????-??-??T??:??:??.???Z'),
    ended_at TEXT CHECK (ended_at GLOB '????-??-??T??:??:??.???Z'),
    CHECK ((stage = 'ended') = (outcome IS NOT NULL)),
    CHECK ((kind = 'terminal') = (columns > 0 AND rows > 0))
);

CREATE INDEX sandbox_processes_lease ON sandbox_processes (lease_id, started_at);
