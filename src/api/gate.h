// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/router.h"
#include "application/access/access_facts.h"

#include <variant>

// What is decided on the head of a request alone, before a byte of its body is kept.
namespace berth::api {

inline constexpr qsizetype kMostHeadBytes = 32 * 1024;
inline constexpr qint64 kMostBodyBytes = 1024 * 1024;

struct Admitted
{
    const Route *route = nullptr;
    Request request;
};

struct Gate
{
    const Router &router;
    const TokenFile &token;
    //! Of all tokens but that one; null: there are none.
    std::shared_ptr<const application::AccessTable> access;

    //! Admitted, or the refusal. \a port is the one that the server listens on.
    [[nodiscard]] std::variant<Admitted, Reply> admit(const Head &head, quint16 port) const;
};

[[nodiscard]] Reply refusal(int status, const char *code, const QString &message,
                            const QString &detail = {});

} // namespace berth::api
