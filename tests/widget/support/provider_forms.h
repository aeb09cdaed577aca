// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

namespace berth::test {

//! Fields like those of the real schemas: one of each type that the form knows.
QList<application::FieldView> dockerFields();
QList<application::FieldView> localFields();
//! Of a service with a key, which comes from the environment.
QList<application::FieldView> e2bFields();
//! Of one that can be one's own, without a key.
QList<application::FieldView> daytonaFields();
QList<application::FormExample> daytonaExamples();

} // namespace berth::test
