// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "async/completion.h"
#include "async/scope.h"
#include "models/endpoint.h"

#include <QtCore/QPointer>

namespace berth::models {

//! One request with its attempts, whether somebody looks on or not.
struct ReplyRun
{
    LinkPtr link;
    domain::ModelRequest request;
    int attempts = 1;
    QPointer<domain::ModelReplyStream> stream;
    std::stop_source stop;
    //! While it waits for another attempt.
    std::optional<async::Completion<bool>> pause;
    std::shared_ptr<async::Scope> scope;
};

using ReplyRunPtr = std::shared_ptr<ReplyRun>;

//! Asks until there is a reply or no attempt is left; what grows is told to the run's stream.
async::Task<domain::ModelReply> fetchReply(ReplyRunPtr run);

class EndpointStream : public domain::ModelReplyStream
{
public:
    explicit EndpointStream(ReplyRunPtr run);
    ~EndpointStream() override;

    void stop() override;
    void retryNow() override;

private:
    ReplyRunPtr m_run;
};

} // namespace berth::models
