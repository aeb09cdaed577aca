// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "net/http_message.h"

#include <nlohmann/json_fwd.hpp>

namespace berth::models {

//! Of an answer with a status of 400 and above, in whatever shape: both dialects' objects, those of
//! Ollama and vLLM, a proxy's page. A full context has the status domain::kContextFullStatus.
domain::Error errorOfAnswer(const net::HttpHead &head, const QByteArray &body,
                            const QString &where);
//! Of an error object, or a text, inside of a stream.
domain::Error errorInStream(const nlohmann::json &error);
domain::Error errorInStream(const QString &text);

//! Whether an answer with that error is worth another attempt; the server's word on it first.
bool isWorthAsking(const net::HttpHead &head, const domain::Error &error);
//! The first line with something in it, without a page's markup and secrets.
QString shownLine(const QByteArray &body);

} // namespace berth::models
