// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "docker/recording.h"

#include <QtCore/QDir>

#include <nlohmann/json.hpp>

namespace berth::test {

using nlohmann::json;

namespace {

QByteArray dumped(const json &value)
{
    return QByteArray::fromStdString(value.dump());
}

//! Head and body as curl prints them.
Recording fromText(const QByteArray &text)
{
    const qsizetype end = text.indexOf("\n\n");
    Recording made;
    made.status = text.mid(9, 3).toInt();
    made.body = text.mid(end + 2);
    for (const QByteArray &line : made.body.split('\n')) {
        if (!line.isEmpty())
            made.lines.append(line);
    }
    return made;
}

} // namespace

Recording recording(const QString &number)
{
    const QDir directory(QStringLiteral(BERTH_RECORDINGS));
    const QStringList names = directory.entryList({number + QStringLiteral("-*")});
    if (names.isEmpty())
        return {};
    QFile file(directory.filePath(names.front()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll().replace("\r\n", "\n");
    if (names.front().endsWith(QLatin1String(".txt")))
        return fromText(bytes);
    const json whole = json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (whole.is_discarded())
        return {};
    const json &response = whole["response"];
    Recording made;
    made.status =
        QByteArray::fromStdString(response["status_line"].get<std::string>()).mid(9, 3).toInt();
    if (response.contains("body_text")) {
        made.body = QByteArray::fromStdString(response["body_text"].get<std::string>());
    } else if (response.contains("body_lines")) {
        for (const json &line : response["body_lines"])
            made.lines.append(dumped(line));
    } else {
        made.body = dumped(response["body"]);
    }
    return made;
}

} // namespace berth::test
