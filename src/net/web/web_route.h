// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtNetwork/QNetworkProxy>

#include <optional>

class QUrl;

namespace berth::net {

//! What WebSettings::proxy names; nullopt when it makes no sense. Empty means NoProxy, too.
std::optional<QNetworkProxy> proxyFromText(const QString &text);

//! The way to \a url with the system's settings: the variables all_proxy, http_proxy, https_proxy
//! and no_proxy where one of them is set (the meaning is curl's), else the desktop's.
QNetworkProxy systemProxyFor(const QUrl &url);

//! \a list as in no_proxy: "*", names with all below them, addresses, networks ("10.0.0.0/8"); each
//! may have a port.
bool isExcludedFromProxy(const QUrl &url, const QString &list);

//! Without the password, for messages; empty for none.
QString proxyName(const QNetworkProxy &proxy);

} // namespace berth::net
