// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/reply_reader.h"

#include <nlohmann/json_fwd.hpp>

namespace berth::models {

//! ModelTurn::opaque with where it came from: signatures are of use only there.
QByteArray opaqueOf(const ReplyContext &context, const nlohmann::json &content);
//! What was put in; null when \a opaque is of another server or model.
nlohmann::json contentOfOpaque(const QByteArray &opaque, const QString &origin,
                               const QString &model);

} // namespace berth::models
