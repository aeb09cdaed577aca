// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

#include <nlohmann/json_fwd.hpp>

namespace berth::cli {

//! One object on standard output.
void printJson(const Context &context, const nlohmann::json &object);
//! A value of the contract as it is on the wire.
template <typename T>
void printView(const Context &context, const T &value)
{
    context->streams.out.write(application::toJson(value) + '\n');
}
[[nodiscard]] nlohmann::json parsedView(const QByteArray &json);
[[nodiscard]] QByteArray errorJson(const domain::Error &error);
//! \a key with the text of \a bytes, or \a key + "_base64" when they are not UTF-8.
void putBytes(nlohmann::json &object, const char *key, const QByteArray &bytes);

} // namespace berth::cli
