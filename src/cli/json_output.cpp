// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json_output.h"

#include <QtCore/QStringDecoder>

#include <nlohmann/json.hpp>

namespace berth::cli {

using nlohmann::json;

namespace {

QByteArray dumped(const json &object)
{
    return QByteArray::fromStdString(object.dump(-1, ' ', false, json::error_handler_t::replace))
        + '\n';
}

bool isUtf8(const QByteArray &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8,
                           QStringDecoder::Flag::Stateless
                               | QStringDecoder::Flag::ConvertInitialBom);
    const QString text = decoder.decode(bytes);
    return !decoder.hasError();
}

} // namespace

void printJson(const Context &context, const json &object)
{
    context->streams.out.write(dumped(object));
}

json parsedView(const QByteArray &text)
{
    return json::parse(text.begin(), text.end(), nullptr, false);
}

QByteArray errorJson(const domain::Error &error)
{
    return dumped({{"error",
                    {{"code", domain::wireName(error.kind).toStdString()},
                     {"message", error.message.toStdString()},
                     {"detail", error.detail.toStdString()}}}});
}

void putBytes(json &object, const char *key, const QByteArray &bytes)
{
    if (isUtf8(bytes))
        object[key] = bytes.toStdString();
    else
        object[std::string(key) + "_base64"] = bytes.toBase64().toStdString();
}

} // namespace berth::cli
