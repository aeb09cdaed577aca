// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

#include <nlohmann/json_fwd.hpp>

#include <optional>

// Reading JSON without exceptions: what is missing or of another type is absent.
namespace berth::net {

//! Discarded when it is no JSON.
nlohmann::json parsed(const QByteArray &bytes);
QByteArray dumped(const nlohmann::json &value);

//! Of a value that is a string.
QString stringOf(const nlohmann::json &value);
//! Empty when missing, null or no string.
QString textIn(const nlohmann::json &object, const char *key);
std::optional<double> numberIn(const nlohmann::json &object, const char *key);
//! Also of a string, as proto3's JSON writes 64 bits.
std::optional<qint64> integerIn(const nlohmann::json &object, const char *key);
//! What is there, of any type; a JSON null when there is nothing.
const nlohmann::json &memberIn(const nlohmann::json &object, const char *key);
//! The object there; null when there is none.
const nlohmann::json *objectIn(const nlohmann::json &object, const char *key);

} // namespace berth::net
