// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

namespace berth::test {

//! Fields like those of the real schemas: one of each type that the form knows.
QList<application::FieldView> dockerFields();
QList<application::FieldView> localFields();

} // namespace berth::test
