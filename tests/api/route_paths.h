// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "api/route.h"

namespace berth::test {

//! The path of a route with the things of \a agent in it, and the query that it needs.
inline QByteArray pathOf(const api::Route &route, const QByteArray &agent)
{
    QByteArray path = route.path;
    const QList<QPair<QByteArray, QByteArray>> values{{"{agent_id}", agent},
                                                      {"{thread_id}", agent + "-thread"},
                                                      {"{sandbox_id}", agent + "-sandbox"},
                                                      {"{process_id}", agent + "-process"},
                                                      {"{session_id}", agent + "-session"},
                                                      {"{tool_call_id}", agent + "-call"},
                                                      {"{target}", agent + "-thread"},
                                                      {"{id}", agent + "-lease"},
                                                      {"{alias}", "default"},
                                                      {"{seq}", "1"},
                                                      {"{config}", "docker"}};
    for (const auto &[name, value] : values)
        path.replace(name, value);
    QByteArray query;
    for (const api::Field &field : route.query) {
        const bool isTarget = QByteArray(field.name) == "target";
        if (!field.required && !isTarget)
            continue;
        query += (query.isEmpty() ? '?' : '&') + QByteArray(field.name) + '='
            + (isTarget ? agent + "-sandbox" : QByteArray("x"));
    }
    return path + query;
}

} // namespace berth::test
