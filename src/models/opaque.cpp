// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/opaque.h"

#include "models/bounded_json.h"
#include "net/json_fields.h"

#include <nlohmann/json.hpp>

namespace berth::models {

using nlohmann::json;

QByteArray opaqueOf(const ReplyContext &context, const json &content)
{
    json whole = json::object();
    whole["origin"] = context.origin.toStdString();
    whole["model"] = context.model.toStdString();
    whole["content"] = content;
    return net::dumped(whole);
}

json contentOfOpaque(const QByteArray &opaque, const QString &origin, const QString &model)
{
    if (opaque.isEmpty())
        return nullptr;
    const json whole = boundedJson(opaque, kDeepestReply + 8);
    if (net::textIn(whole, "origin") != origin || net::textIn(whole, "model") != model)
        return nullptr;
    return net::memberIn(whole, "content");
}

} // namespace berth::models
