// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/model/model.h"
#include "domain/secret.h"

#include <QtCore/QStringList>

namespace berth::domain {

//! How to reach one endpoint, with its key and all references resolved.
struct ModelEndpointSettings
{
    //! Names it in errors.
    QString name;
    //! "openai", "anthropic" (x-api-key), "anthropic-bearer" (Authorization)
    QString dialect;
    //! "http://127.0.0.1:8080/v1"; Anthropic's ends before /v1, and may end behind it.
    QString baseUrl;
    //! Empty: none is sent. Not sent without encryption except to this machine.
    Secret key;
    //! As net::WebSettings takes it; empty: the system's.
    QString proxy;
    QString caFile;
    //! "max_tokens", "max_completion_tokens"; empty: the first, and for OpenAI's own host the
    //! second.
    QString maxTokensField;
    //! Of a reply, where the request names no other; 0: the server's own (Anthropic: 8192).
    int maxTokens = 0;
    //! As the user entered it; 0: what the server says.
    qint64 contextTokens = 0;
    std::chrono::milliseconds connect{15000};
    //! From the request to the first event of the reply: reading a long prompt takes a local server
    //! minutes. 0: ten minutes for this machine, else two.
    std::chrono::milliseconds firstEvent{0};
    //! Between two pieces of the reply, pings included. 0: ten minutes for this machine, else two.
    std::chrono::milliseconds idle{0};
    //! In all, the first included.
    int attempts = 5;
};

//! Error::httpStatus of "the conversation is longer than the model's context", whatever the server
//! itself called it: shorten it and ask again.
inline constexpr int kContextFullStatus = 413;

//! Makes clients of endpoints. Engine thread.
class ModelFactory
{
public:
    virtual ~ModelFactory() = default;

    //! Asks nothing yet; what is wrong with the settings is told by each call of the client.
    [[nodiscard]] virtual std::shared_ptr<ModelClient> open(
        const ModelEndpointSettings &settings) = 0;
    //! Ids of the presets (see modelPresets()) whose server answers on its usual port of this
    //! machine. Sends no key and takes about a second at most.
    [[nodiscard]] virtual Async<QStringList> localServers(std::stop_token stop) = 0;
};

} // namespace berth::domain
