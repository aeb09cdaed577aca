// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "daytona/recording.h"

#include <QtCore/QFile>
#include <QtCore/QString>

#include <nlohmann/json.hpp>

namespace berth::test {

using nlohmann::json;

DaytonaRecording daytonaRecording(const char *number)
{
    static const json all = [] {
        QFile file(QStringLiteral(BERTH_DAYTONA_RECORDINGS));
        const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        return json::parse(bytes.begin(), bytes.end(), nullptr, false);
    }();
    DaytonaRecording made;
    if (!all.is_object() || !all.contains(number))
        return made;
    const json &one = all[number];
    made.method = QByteArray::fromStdString(one["request"]["method"].get<std::string>());
    made.target = QByteArray::fromStdString(one["request"]["target"].get<std::string>());
    made.sent = QByteArray::fromStdString(one["request"]["body"].dump());
    const json &response = one["response"];
    made.head.status = response["status"].get<int>();
    for (const auto &[name, value] : response["headers"].items())
        made.head.headers.append(QByteArray::fromStdString(name),
                                 QByteArray::fromStdString(value.get<std::string>()));
    const json &body = response["body"];
    if (body.is_string())
        made.body = QByteArray::fromStdString(body.get<std::string>());
    else if (!body.is_null())
        made.body = QByteArray::fromStdString(body.dump());
    return made;
}

} // namespace berth::test
