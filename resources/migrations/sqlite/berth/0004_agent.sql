-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- What an agent's runs leave: what the model called and was told, decisions, rules.

ALTER TABLE runs ADD COLUMN detail TEXT NOT NULL DEFAULT '';

ALTER TABLE tool_calls ADD COLUMN call_id TEXT NOT NULL DEFAULT '';
ALTER TABLE tool_calls ADD COLUMN result TEXT NOT NULL DEFAULT '';
ALTER TABLE tool_calls ADD COLUMN is_error INTEGER NOT NULL DEFAULT 0 CHECK (is_error IN (0, 1));
ALTER TABLE tool_calls ADD COLUMN diff TEXT NOT NULL DEFAULT '';
ALTER TABLE tool_calls ADD COLUMN decision TEXT NOT NULL DEFAULT '';
-- When it began, or as long as it has not, when its run did: the audit's order.
ALTER TABLE tool_calls ADD COLUMN begun_at TEXT NOT NULL DEFAULT '';
UPDATE tool_calls SET begun_at =
    coalesce(started_at, (SELECT created_at FROM runs WHERE runs.id = tool_calls.run_id));

CREATE TABLE approvals (
    tool_call_id TEXT PRIMARY KEY NOT NULL REFERENCES tool_calls (id) ON DELETE CASCADE,
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
    reason TEXT NOT NULL DEFAULT '',
    decision TEXT CHECK (decision IN ('allow', 'deny')),
    scope TEXT NOT NULL DEFAULT '' CHECK (scope IN ('', 'once', 'thread', 'always')),
    decided_by TEXT NOT NULL DEFAULT '',
    note TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    decided_at TEXT CHECK (decided_at GLOB '????-??-??T??:??:??.???Z'),
    CHECK ((decision IS NULL) = (decided_at IS NULL))
);

CREATE INDEX approvals_pending ON approvals (created_at) WHERE decision IS NULL;

CREATE TABLE approval_rules (
    id TEXT PRIMARY KEY NOT NULL CHECK (id <> ''),
    scope TEXT NOT NULL CHECK (scope IN ('thread', 'agent', 'global')),
    owner TEXT NOT NULL DEFAULT '',
    tool TEXT NOT NULL CHECK (tool <> ''),
    pattern TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('allow', 'ask', 'deny')),
    created_at TEXT NOT NULL CHECK (created_at GLOB '????-??-??T??:??:??.???Z'),
    CHECK ((scope = 'global') = (owner = ''))
);

CREATE INDEX tool_calls_begun ON tool_calls (begun_at, seq);
