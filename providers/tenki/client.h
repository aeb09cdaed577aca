// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "providers/tenki/grpc.h"
#include "providers/tenki/messages.h"

// The calls of Tenki's control plane.
namespace berth::tenki {

Call<Account> whoAmI(GrpcChannel channel, std::stop_token stop);
//! Once: whether a call that was not answered made a session is for list() to tell.
Call<Reached> createSession(GrpcChannel channel, CreatePlan plan, std::stop_token stop);
Call<Session> getSession(GrpcChannel channel, QString id, std::stop_token stop);
Call<Session> pauseSession(GrpcChannel channel, QString id, std::stop_token stop);
Call<Session> resumeSession(GrpcChannel channel, QString id, std::stop_token stop);
Call<Session> terminateSession(GrpcChannel channel, QString id, std::stop_token stop);
Call<Session> extendSession(GrpcChannel channel, QString id, std::chrono::seconds more,
                            std::stop_token stop);
Call<Route> createCredential(GrpcChannel channel, QString id, std::stop_token stop);
//! All pages of one workspace (empty: the key's own). A list that is not whole is an error: what is
//! missing must not be taken for gone.
Call<QList<Session>> listSessions(GrpcChannel channel, QString workspaceId, bool withTerminated,
                                  std::stop_token stop);
//! Tells the state again and again until the session runs or has ended; decodeReached() reads it.
Call<std::shared_ptr<GrpcStream>> waitSession(GrpcChannel channel, QString id,
                                              std::chrono::milliseconds limit,
                                              std::stop_token stop);

} // namespace berth::tenki
