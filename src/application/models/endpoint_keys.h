// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "domain/model/endpoint_file.h"

#include <QtCore/QUrl>

#include <chrono>

// What the parts of ModelService share.
namespace berth::application {

//! A locked store asks its user first.
inline constexpr std::chrono::milliseconds kReadModelKey{30'000};
inline constexpr std::chrono::milliseconds kStoreModelKey{120'000};

//! Of the key store and of the confirmations: "model-" and the endpoint's name.
inline domain::ConfigName keyEntryOf(const QString &endpoint)
{
    return domain::ConfigName(QStringLiteral("model-") + endpoint);
}

inline QString originOf(const QString &url)
{
    const QUrl parsed(url);
    return parsed.scheme() + QStringLiteral("://") + parsed.authority();
}

//! One that is sent where the address says.
inline bool hasOwnKey(const domain::ModelEndpointEntry &entry)
{
    return !entry.literalKey.isEmpty() || !entry.keyReference.isEmpty();
}

inline domain::Error noEndpoint()
{
    return {domain::ErrorKind::Unsupported,
            QStringLiteral("No model is connected"),
            QStringLiteral("Add one in Settings, Models."),
            {},
            {}};
}

} // namespace berth::application
