// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "domain/secret.h"

#include <nlohmann/json_fwd.hpp>

// How single values look in JSON; used by codec.cpp alone. Objects are walked by their fields()
// (fields.h).
namespace berth::application::wire {

struct Mismatch
{
    QString message;
};

nlohmann::json write(const QString &value);
nlohmann::json write(const QByteArray &value);
//! Only between a client and the Engine, over a socket of this user alone.
nlohmann::json write(const domain::Secret &value);
nlohmann::json write(const QDateTime &value);
nlohmann::json write(bool value);
nlohmann::json write(int value);
nlohmann::json write(qint64 value);
nlohmann::json write(double value);
nlohmann::json write(const QMap<QString, QString> &value);
nlohmann::json write(const QPair<QString, QString> &value);
nlohmann::json write(std::chrono::milliseconds value);
nlohmann::json write(std::chrono::seconds value);

void read(const nlohmann::json &json, QString &value);
void read(const nlohmann::json &json, QByteArray &value);
void read(const nlohmann::json &json, domain::Secret &value);
void read(const nlohmann::json &json, QDateTime &value);
void read(const nlohmann::json &json, bool &value);
void read(const nlohmann::json &json, int &value);
void read(const nlohmann::json &json, qint64 &value);
void read(const nlohmann::json &json, double &value);
void read(const nlohmann::json &json, QMap<QString, QString> &value);
void read(const nlohmann::json &json, QPair<QString, QString> &value);
void read(const nlohmann::json &json, std::chrono::milliseconds &value);
void read(const nlohmann::json &json, std::chrono::seconds &value);

} // namespace berth::application::wire
