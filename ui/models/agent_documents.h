// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtCore/QMap>

#include <optional>

// The JSON documents that the Agents page and the presets are forms of. What a form does not know
// stays in them.
namespace berth::ui {

//! The parts of a security document that have fields.
struct SecurityFields
{
    QString autonomy;
    QString access;
    QString unattended;
    QStringList requireApprovalFor;
    bool operator==(const SecurityFields &) const = default;
};

//! nullopt: not a JSON object.
std::optional<SecurityFields> securityFieldsOf(const QString &document);
//! \a document with these values. \a token: absent keeps, empty removes, else sets it.
QString withSecurityFields(const QString &document, const SecurityFields &fields,
                           const std::optional<QString> &token = {});
//! Indented, without what only the Engine says. As it was when it is not JSON.
QString prettyDocument(const QString &document);
bool isJsonObject(const QString &text);

//! Values of a sandbox config by key, as they stand in text boxes.
QMap<QString, QString> configValues(const QString &config);
//! \a config with \a values, typed by \a fields; an empty value takes the key away. Keys that are
//! no field stay.
QString withConfigValues(const QString &config, const QList<application::FieldView> &fields,
                         const QMap<QString, QString> &values);
//! Fields of a provider's form that a sandbox row or a preset may set: no keys, no addresses. The
//! Engine has the last word.
QList<application::FieldView> rowFields(const QList<application::FieldView> &fields);
//! "ubuntu:24.04 · memory_limit 2g"; empty for an empty config.
QString configSummary(const QString &config);

} // namespace berth::ui
