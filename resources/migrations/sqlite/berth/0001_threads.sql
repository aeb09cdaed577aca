-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Times are UTC, ISO-8601 with milliseconds and Z. The store gives every value; defaults are for people.

CREATE TABLE installation (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    uuid TEXT NOT NULL CHECK (length(uuid) = 36),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    -- {"sandbox_db": path, relative to the folder of this file when it lies there}
    paths_json TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(paths_json))
);

CREATE TABLE agents (
    agent_id TEXT PRIMARY KEY NOT NULL
        CHECK (length(agent_id) <= 32 AND agent_id GLOB '[a-z0-9]*' AND agent_id NOT GLOB '*[^a-z0-9_-]*'),
    name TEXT NOT NULL,
    model_ref TEXT NOT NULL DEFAULT '',
    instructions TEXT NOT NULL DEFAULT '',
    config_json TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(config_json)),
    security_json TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(security_json)),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    updated_at TEXT NOT NULL CHECK (updated_at GLOB '????-??-??T??:??:??.???Z')
);

INSERT INTO agents (agent_id, name, security_json, created_at, updated_at)
VALUES ('default', 'Default',
        '{"access":"private","autonomy_level":"supervised","require_approval_for":["exec"]}',
        strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

CREATE TABLE sandboxes (
    id TEXT PRIMARY KEY NOT NULL CHECK (id <> ''),
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    alias TEXT NOT NULL DEFAULT 'default'
        CHECK (length(alias) <= 32 AND alias GLOB '[a-z0-9]*' AND alias NOT GLOB '*[^a-z0-9_-]*'),
    type TEXT NOT NULL CHECK (type <> ''),
    config TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(config)),
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'provisioned', 'deleted')),
    external_id TEXT NOT NULL DEFAULT '',
    runtime_state TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(runtime_state)),
    provider_config TEXT NOT NULL,
    workspace TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    updated_at TEXT NOT NULL CHECK (updated_at GLOB '????-??-??T??:??:??.???Z'),
    last_seen_at TEXT CHECK (last_seen_at GLOB '????-??-??T??:??:??.???Z')
);

-- A deleted row frees its alias.
CREATE UNIQUE INDEX sandboxes_live_alias ON sandboxes (agent_id, alias) WHERE status <> 'deleted';

CREATE TRIGGER sandboxes_stay_deleted BEFORE UPDATE OF status ON sandboxes
WHEN OLD.status = 'deleted' AND NEW.status <> 'deleted'
BEGIN
    SELECT RAISE(ABORT, 'a deleted sandbox stays deleted');
END;

CREATE TABLE threads (
    id TEXT PRIMARY KEY NOT NULL CHECK (id <> ''),
    agent_id TEXT NOT NULL REFERENCES agents (agent_id),
    sandbox_id TEXT REFERENCES sandboxes (id),
    title TEXT NOT NULL DEFAULT '',
    draft TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    last_activity_at TEXT NOT NULL CHECK (last_activity_at GLOB '????-??-??T??:??:??.???Z'),
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))
);

CREATE INDEX threads_recent ON threads (archived, last_activity_at);
CREATE INDEX threads_sandbox ON threads (sandbox_id);

CREATE TRIGGER threads_bound_once BEFORE UPDATE OF sandbox_id ON threads
WHEN OLD.sandbox_id IS NOT NULL AND NEW.sandbox_id IS NOT OLD.sandbox_id
BEGIN
    SELECT RAISE(ABORT, 'a thread keeps its sandbox for its lifetime');
END;

CREATE TABLE runs (
    id TEXT PRIMARY KEY NOT NULL CHECK (id <> ''),
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'awaiting_approval', 'done', 'failed',
                                         'cancelled', 'interrupted')),
    usage_json TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(usage_json)),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    ended_at TEXT CHECK (ended_at GLOB '????-??-??T??:??:??.???Z')
);

CREATE INDEX runs_thread ON runs (thread_id, created_at);
CREATE INDEX runs_unfinished ON runs (state) WHERE state IN ('queued', 'running', 'awaiting_approval');

CREATE TABLE messages (
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    run_id TEXT REFERENCES runs (id),
    role TEXT NOT NULL CHECK (role IN ('user', 'agent', 'note')),
    content TEXT NOT NULL CHECK (json_valid(content)),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    PRIMARY KEY (thread_id, seq)
);

CREATE INDEX messages_run ON messages (run_id);

CREATE TABLE tool_calls (
    id TEXT PRIMARY KEY NOT NULL CHECK (id <> ''),
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq >= 1),
    tool TEXT NOT NULL CHECK (tool <> ''),
    arguments TEXT NOT NULL CHECK (json_valid(arguments)),
    origin TEXT NOT NULL CHECK (origin IN ('model', 'user')),
    state TEXT NOT NULL CHECK (state IN ('pending', 'preparing', 'running', 'done')),
    outcome TEXT CHECK (outcome IN ('exited', 'signalled', 'timed_out', 'cancelled', 'transport_lost',
                                    'interrupted', 'not_started')),
    -- The command's own: exit_code when it exited, signal when it was signalled.
    exit_code INTEGER,
    signal INTEGER,
    detail TEXT NOT NULL DEFAULT '',
    duration_ms INTEGER CHECK (duration_ms >= 0),
    end_cwd BLOB,
    output_ref TEXT NOT NULL DEFAULT '',
    output_bytes INTEGER NOT NULL DEFAULT 0 CHECK (output_bytes >= 0),
    -- Bytes, not text: a path need not be UTF-8.
    cwd BLOB,
    started_at TEXT CHECK (started_at GLOB '????-??-??T??:??:??.???Z'),
    ended_at TEXT CHECK (ended_at GLOB '????-??-??T??:??:??.???Z'),
    cpu_time_us INTEGER,
    peak_cpu REAL,
    peak_memory INTEGER,
    UNIQUE (run_id, seq),
    CHECK ((state = 'done') = (outcome IS NOT NULL))
);

CREATE INDEX tool_calls_thread ON tool_calls (thread_id);
CREATE INDEX tool_calls_unfinished ON tool_calls (state) WHERE state <> 'done';

CREATE TABLE requests (
    request_id TEXT PRIMARY KEY NOT NULL CHECK (request_id <> ''),
    result BLOB NOT NULL,
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z')
);

CREATE INDEX requests_age ON requests (created_at);
