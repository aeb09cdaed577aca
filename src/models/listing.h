// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/endpoint.h"

namespace berth::models {

//! What the server lists. Unsupported where it has no list: the model's name is typed then.
domain::Async<QList<domain::OfferedModel>> listModels(LinkPtr link, std::stop_token stop);
//! See ModelClient::contextTokens(). Asks the list, then, of a server that is near, llama-server's
//! properties and Ollama's own interface.
domain::Async<qint64> findContext(LinkPtr link, QString model, std::stop_token stop);

} // namespace berth::models
