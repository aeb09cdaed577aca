// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/reply_stream.h"

namespace berth::models {

//! Either dialect, by the endpoint's settings.
class EndpointClient : public domain::ModelClient
{
public:
    explicit EndpointClient(ModelEndpoint settings);

    [[nodiscard]] std::unique_ptr<domain::ModelReplyStream> ask(
        domain::ModelRequest request) override;
    [[nodiscard]] domain::Async<QList<domain::OfferedModel>> models(std::stop_token stop) override;
    [[nodiscard]] domain::Async<qint64> contextTokens(QString model, std::stop_token stop) override;
    [[nodiscard]] domain::Async<domain::HealthReport> check(QString model, domain::StepSink step,
                                                            std::stop_token stop) override;

private:
    LinkPtr m_link;
    std::shared_ptr<async::Scope> m_scope;
};

} // namespace berth::models
