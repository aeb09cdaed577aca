// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/outcome.h"
#include "domain/thread/thread.h"

#include <QtCore/QByteArray>
#include <QtCore/QMap>
#include <QtCore/QString>

namespace berth::storage {

//! The JSON texts that stand in columns. Reading never fails: what does not fit is left out. A key
//! "a.b" stands as {"a": {"b": …}}; numbers and truth values are read as their text.
QString jsonOf(const QMap<QString, QString> &values);
QMap<QString, QString> mapOf(const QString &json);

//! {"text": …}, of an agent's message also reasoning, opaque, cut, superseded, tool_calls.
QString contentJson(const domain::Message &message);
//! The same back into \a message.
void readContent(const QString &json, domain::Message &message);

//! [[name, value], …]; bytes that are not UTF-8 as {"base64": …}.
QString jsonOf(const domain::Environment &environment);
domain::Environment environmentOf(const QString &json);

QString jsonOf(const QList<QByteArray> &names);
QList<QByteArray> namesOf(const QString &json);

} // namespace berth::storage
