-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Whether the set-up commands of an instance have all worked; where not, they run again at its next need.
-- Instances from before are taken as set up.
ALTER TABLE sandbox_instances ADD COLUMN initialised INTEGER NOT NULL DEFAULT 0 CHECK (initialised IN (0, 1));
UPDATE sandbox_instances SET initialised = 1 WHERE status = 'live';
