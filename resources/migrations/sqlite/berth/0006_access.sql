-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Tokens of the HTTP API besides the one in the file, what was granted to them, and who began a thread.

CREATE TABLE tokens (
    token_id TEXT PRIMARY KEY NOT NULL CHECK (token_id <> ''),
    name TEXT NOT NULL,
    -- Empty: the owner.
    user_id TEXT NOT NULL DEFAULT '',
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    -- NULL: of all agents. With the agent its tokens go, so that a later one of its name has none.
    agent_id TEXT REFERENCES agents (agent_id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    last_used_at TEXT CHECK (last_used_at GLOB '????-??-??T??:??:??.???Z')
);

ALTER TABLE installation ADD COLUMN api_enabled INTEGER NOT NULL DEFAULT 0 CHECK (api_enabled IN (0, 1));
ALTER TABLE installation ADD COLUMN api_grant_approve INTEGER NOT NULL DEFAULT 0 CHECK (api_grant_approve IN (0, 1));
ALTER TABLE installation ADD COLUMN api_grant_admin INTEGER NOT NULL DEFAULT 0 CHECK (api_grant_admin IN (0, 1));

-- Threads that others than the owner began.
CREATE TABLE thread_users (
    thread_id TEXT PRIMARY KEY NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    user_id TEXT NOT NULL CHECK (user_id <> '')
);
