-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sandboxes without isolation were allowed in Settings on this machine.

ALTER TABLE installation ADD COLUMN passthrough INTEGER NOT NULL DEFAULT 0 CHECK (passthrough IN (0, 1));
