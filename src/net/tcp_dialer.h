// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/byte_stream.h"

#include <QtCore/QByteArray>

#include <optional>

namespace berth::net {

//! What an encrypted connection is made with; all in PEM.
struct TlsOptions
{
    //! Who may have signed the server's certificate; empty: whom the system trusts.
    QByteArray authorities;
    //! Who we are; both or none.
    QByteArray certificate;
    QByteArray key;
    //! False: anybody may answer. Only for who asked for that elsewhere.
    bool verifies = true;
};

//! nullopt: fit for use; else what is wrong with the texts.
std::optional<QString> problemWith(const TlsOptions &options);

//! TCP, encrypted when there are options. The server's certificate must be for \a host. Refused or
//! unreachable is Unavailable; a certificate that is not right is Forbidden.
class TcpDialer : public Dialer
{
public:
    TcpDialer(QString host, quint16 port, std::optional<TlsOptions> tls);
    domain::Async<ByteStream> dial(std::chrono::milliseconds timeout,
                                   std::stop_token stop) override;

private:
    QString m_host;
    quint16 m_port;
    std::optional<TlsOptions> m_tls;
};

} // namespace berth::net
