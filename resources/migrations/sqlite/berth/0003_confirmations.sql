-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- What the user confirmed of a provider config: where its keys may go, and which variables of the
-- environment its fields may name. No key ever stands in here.

CREATE TABLE confirmed_origins (
    config TEXT NOT NULL CHECK (config <> ''),
    value TEXT NOT NULL CHECK (value <> ''),
    confirmed_at TEXT NOT NULL CHECK (confirmed_at GLOB '????-??-??T??:??:??.???Z'),
    PRIMARY KEY (config, value)
);

CREATE TABLE confirmed_variables (
    config TEXT NOT NULL CHECK (config <> ''),
    value TEXT NOT NULL CHECK (value <> ''),
    confirmed_at TEXT NOT NULL CHECK (confirmed_at GLOB '????-??-??T??:??:??.???Z'),
    PRIMARY KEY (config, value)
);
