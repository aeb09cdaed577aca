// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/agent/history.h"

#include <stop_token>

namespace berth::application {

//! How a conversation is made to fit again.
class Compaction
{
public:
    Compaction(domain::ModelClient &client, domain::ModelRequest base)
        : m_client(client), m_base(std::move(base))
    {}

    //! The seq up to which tool results may become stubs: all but those of the last two replies; 0
    //! when there are no more.
    static qint64 stubsUpTo(const QList<domain::Message> &messages);
    //! Asks the model for a summary of \a turns: the text of the reply, which may be empty.
    domain::Async<domain::ModelReply> summarise(QList<domain::ModelTurn> turns,
                                                std::stop_token stop);

private:
    domain::ModelClient &m_client;
    domain::ModelRequest m_base;
};

//! One reply without anybody watching it come.
domain::Async<domain::ModelReply> askQuietly(domain::ModelClient &client,
                                             domain::ModelRequest request, std::stop_token stop);

} // namespace berth::application
