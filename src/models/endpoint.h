// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/model/model_factory.h"
#include "models/reply_reader.h"
#include "net/web/web_client.h"

namespace berth::models {

using ModelEndpoint = domain::ModelEndpointSettings;

//! An endpoint with what its settings come to. What is wrong with them is in problem(), and nothing
//! is sent then.
class Link
{
public:
    explicit Link(ModelEndpoint settings);

    [[nodiscard]] const ModelEndpoint &settings() const { return m_settings; }
    [[nodiscard]] const std::optional<domain::Error> &problem() const { return m_problem; }
    [[nodiscard]] const std::shared_ptr<net::WebClient> &web() const { return m_web; }
    [[nodiscard]] bool isAnthropic() const { return m_isAnthropic; }
    //! Its server is on this machine or in its network: prompts are read slowly there.
    [[nodiscard]] bool isNear() const { return m_isNear; }
    [[nodiscard]] const QString &origin() const { return m_origin; }
    //! Stands for it in errors.
    [[nodiscard]] QString shownName() const;

    //! "/chat/completions" of the OpenAI dialect, "/v1/messages" of Anthropic's.
    [[nodiscard]] QUrl url(const QString &path) const;
    //! Likewise, beside /v1: "/props".
    [[nodiscard]] QUrl rootUrl(const QString &path) const;
    //! With the key and the deadlines for a short answer.
    [[nodiscard]] net::WebRequest request(const QByteArray &method, const QUrl &url,
                                          const QByteArray &body) const;
    //! A request for a reply, which may take its time.
    [[nodiscard]] net::WebRequest replyRequest(const domain::ModelRequest &request) const;
    [[nodiscard]] std::unique_ptr<ReplyReader> reader(const domain::ModelRequest &request) const;
    [[nodiscard]] std::chrono::milliseconds firstEvent() const;
    [[nodiscard]] std::chrono::milliseconds idle() const;

private:
    ModelEndpoint m_settings;
    bool m_isAnthropic;
    bool m_isNear = false;
    //! Without /v1 and a slash at its end.
    QString m_root;
    //! Likewise with the path that the dialect's own paths go behind.
    QString m_base;
    QString m_origin;
    std::optional<domain::Error> m_problem;
    std::shared_ptr<net::WebClient> m_web;
};

using LinkPtr = std::shared_ptr<const Link>;

QByteArray openAiBody(const Link &link, const domain::ModelRequest &request);
QByteArray anthropicBody(const Link &link, const domain::ModelRequest &request);

} // namespace berth::models
