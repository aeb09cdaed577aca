// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/web/web_client.h"

namespace berth::net {

class WebUploadState;

//! A request whose body is given piece by piece, also after the answer has begun: both directions
//! of a gRPC call. HTTP/2 only. Dropping it leaves the answer's stream as it is; dropping both
//! gives the request up. Qt asks for a body's length before, so a "content-length" of 1 GiB goes
//! out that is never reached, which gRPC servers ignore.
class WebUpload
{
public:
    static domain::Async<std::shared_ptr<WebUpload>> begin(std::shared_ptr<WebPool> pool,
                                                           WebRequest request,
                                                           std::stop_token stop);
    explicit WebUpload(std::shared_ptr<WebUploadState> state);
    ~WebUpload();
    WebUpload(const WebUpload &) = delete;
    WebUpload &operator=(const WebUpload &) = delete;

    //! Answers once \a bytes are taken, which waits while 256 KiB are still to be sent. Unavailable
    //! once the request has ended. One call at a time.
    domain::Async<void> write(QByteArray bytes, std::stop_token stop);
    //! Nothing more goes up; the answer may go on. Qt cannot end the body alone (6.4), so the
    //! server does not hear of it: the end has to be told by a message of the protocol's own, and a
    //! body that is known from the start goes by WebClient::open(), which ends it properly.
    void closeWriting();
    //! Answers at the end of the head. Once.
    domain::Async<std::shared_ptr<WebStream>> answer(std::stop_token stop);

private:
    std::shared_ptr<WebUploadState> m_state;
};

} // namespace berth::net
