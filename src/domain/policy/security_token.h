// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/secret.h"

#include <QtCore/QString>

namespace berth::domain {

//! "pbkdf2-sha256$rounds$salt$hash", both in Base64, with a salt of its own.
QString hashedToken(const Secret &token);
bool isTokenHash(const QString &text);

} // namespace berth::domain
