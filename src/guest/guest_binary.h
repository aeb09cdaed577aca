// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace berth::guest {

//! The static runner for \a arch, as the machine field of uname or as an image's Architecture names
//! it
//! ("x86_64", "amd64"). Empty when there is none: the provider then falls back to plain exec.
//! The bytes are not a copy. Write them with mode 0555 into a directory that only the user may
//! enter, and replace that file by rename only: a running sandbox keeps the old one.
QByteArray guestBinary(const QString &arch);

//! A short name that differs for different runners; good as part of a file name.
QString guestBinaryId(const QString &arch);

} // namespace berth::guest
