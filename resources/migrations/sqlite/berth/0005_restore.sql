-- SPDX-FileCopyrightText: 2026 Berth contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A deleted row may be restored, which makes it pending; a late success still does not raise it.

DROP TRIGGER sandboxes_stay_deleted;

CREATE TRIGGER sandboxes_stay_deleted BEFORE UPDATE OF status ON sandboxes
WHEN OLD.status = 'deleted' AND NEW.status = 'provisioned'
BEGIN
    SELECT RAISE(ABORT, 'a deleted sandbox stays deleted');
END;
