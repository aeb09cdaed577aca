-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Names of rows in berth.db (sandbox_id, agent_id, thread_id) carry no foreign key: it is another file.

CREATE TABLE sandbox_leases (
    lease_id TEXT PRIMARY KEY NOT NULL CHECK (lease_id <> ''),
    -- A sandbox has one lease for life; an instance that is gone is followed by another in the same lease.
    sandbox_id TEXT NOT NULL UNIQUE CHECK (sandbox_id <> ''),
    agent_id TEXT NOT NULL,
    alias TEXT NOT NULL,
    installation TEXT NOT NULL,
    provider_name TEXT NOT NULL CHECK (provider_name <> ''),
    provider_config TEXT NOT NULL,
    engine_id TEXT NOT NULL DEFAULT '',
    desired_state TEXT NOT NULL CHECK (desired_state IN ('running', 'paused', 'destroyed')),
    destroy_due_at TEXT CHECK (destroy_due_at GLOB '????-??-??T??:??:??.???Z'),
    observed_state TEXT NOT NULL
        CHECK (observed_state IN ('running', 'paused', 'stopped', 'archived', 'starting', 'stopping', 'error',
                                  'gone', 'unknown')),
    observed_at TEXT CHECK (observed_at GLOB '????-??-??T??:??:??.???Z'),
    version INTEGER NOT NULL CHECK (version >= 1),
    last_error TEXT NOT NULL DEFAULT '',
    on_exit TEXT NOT NULL CHECK (on_exit IN ('pause', 'destroy')),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    updated_at TEXT NOT NULL CHECK (updated_at GLOB '????-??-??T??:??:??.???Z')
);

CREATE TABLE sandbox_instances (
    -- Also the client token that the instance carries as a label.
    instance_id TEXT PRIMARY KEY NOT NULL CHECK (instance_id <> ''),
    lease_id TEXT NOT NULL REFERENCES sandbox_leases (lease_id),
    -- NULL while the create call is under way.
    provider_session_id TEXT,
    name TEXT NOT NULL DEFAULT '',
    image TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL CHECK (status IN ('creating', 'live', 'gone')),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    last_seen_at TEXT CHECK (last_seen_at GLOB '????-??-??T??:??:??.???Z'),
    CHECK (status <> 'live' OR provider_session_id IS NOT NULL)
);

CREATE INDEX sandbox_instances_lease ON sandbox_instances (lease_id, created_at);

CREATE TABLE lease_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lease_id TEXT NOT NULL REFERENCES sandbox_leases (lease_id),
    type TEXT NOT NULL CHECK (type <> ''),
    source TEXT NOT NULL,
    payload TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z')
);

CREATE INDEX lease_events_lease ON lease_events (lease_id, id);
CREATE INDEX lease_events_age ON lease_events (created_at);

CREATE TABLE usage_intervals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    lease_id TEXT NOT NULL REFERENCES sandbox_leases (lease_id),
    provider_config TEXT NOT NULL,
    state TEXT NOT NULL
        CHECK (state IN ('running', 'paused', 'stopped', 'archived', 'starting', 'stopping', 'error')),
    started_at TEXT NOT NULL CHECK (started_at GLOB '????-??-??T??:??:??.???Z'),
    ended_at TEXT CHECK (ended_at GLOB '????-??-??T??:??:??.???Z' AND ended_at >= started_at),
    -- Per hour, when a price is known.
    price REAL,
    currency TEXT
);

CREATE UNIQUE INDEX usage_intervals_open ON usage_intervals (lease_id) WHERE ended_at IS NULL;
CREATE INDEX usage_intervals_age ON usage_intervals (ended_at);

CREATE TABLE abstract_terminals (
    terminal_id TEXT PRIMARY KEY NOT NULL CHECK (terminal_id <> ''),
    thread_id TEXT NOT NULL CHECK (thread_id <> ''),
    lease_id TEXT REFERENCES sandbox_leases (lease_id),
    -- Bytes, not text: a path need not be UTF-8.
    cwd BLOB NOT NULL,
    -- [[name, value], …] in order; what is not UTF-8 is {"base64": …}.
    env_delta_json TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(env_delta_json)),
    -- Names of variables that were left out because they look like keys.
    withheld_json TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(withheld_json)),
    state_version INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    updated_at TEXT NOT NULL CHECK (updated_at GLOB '????-??-??T??:??:??.???Z')
);

CREATE INDEX abstract_terminals_thread ON abstract_terminals (thread_id, created_at);

CREATE TABLE sandbox_resource_snapshots (
    lease_id TEXT NOT NULL REFERENCES sandbox_leases (lease_id),
    -- Seconds: one minute or fifteen.
    resolution INTEGER NOT NULL CHECK (resolution IN (60, 900)),
    at TEXT NOT NULL CHECK (at GLOB '????-??-??T??:??:??.???Z'),
    cpu_min REAL, cpu_avg REAL, cpu_max REAL, cpu_limit REAL,
    memory_min INTEGER, memory_avg INTEGER, memory_max INTEGER, memory_limit INTEGER,
    disk_min INTEGER, disk_avg INTEGER, disk_max INTEGER, disk_limit INTEGER,
    receive_min REAL, receive_avg REAL, receive_max REAL,
    send_min REAL, send_avg REAL, send_max REAL,
    PRIMARY KEY (lease_id, resolution, at)
) WITHOUT ROWID;
