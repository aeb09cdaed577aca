// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtCore/QList>

#include <optional>

class QNetworkReply;
class QSslError;
class QUrl;

namespace berth::net {

//! What is known of a request beside Qt's own words.
struct WebFacts
{
    QList<class QSslError> certificate;
    //! Without a password; empty for none.
    QString proxy;
    //! The settings name an authority's file.
    bool ownAuthority = false;
    //! It may have reached the server.
    bool sent = false;
};

//! Why \a reply ended, in words; nullopt when it ended well. Qt's error code also tells HTTP's own
//! errors: where there is a status, only those of the connection count.
std::optional<domain::Error> transportError(const QNetworkReply &reply, const WebFacts &facts);

} // namespace berth::net
