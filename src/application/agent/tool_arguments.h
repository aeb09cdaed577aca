// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/policy/tool_policy.h"
#include "domain/result.h"

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QStringList>
#include <QtCore/QVariant>

#include <optional>

namespace berth::application {

enum class ParameterType { Text, Integer, Flag };

//! Flat parameters of plain types only: small models and the grammars of local servers fail on
//! anything else.
struct ToolParameter
{
    QString name;
    ParameterType type = ParameterType::Text;
    bool required = false;
    QString help;
    //! Other names that models were trained on; taken without a word.
    QStringList aliases;
    //! Of integers; values outside are brought to the bound.
    std::optional<qint64> least;
    std::optional<qint64> most;
    //! Text may be empty.
    bool mayBeEmpty = false;
};

struct ToolSpec
{
    QString name;
    QString description;
    QList<ToolParameter> parameters;
    domain::ToolKind kind = domain::ToolKind::Read;

    //! Changes nothing: may run beside others.
    [[nodiscard]] bool isReadOnly() const { return kind == domain::ToolKind::Read; }
};

//! What a call asks for, checked against the spec; names are the spec's own.
class ToolArguments
{
public:
    void set(const QString &name, const QVariant &value) { m_values.insert(name, value); }
    [[nodiscard]] bool has(const QString &name) const { return m_values.contains(name); }
    [[nodiscard]] QString text(const char *name) const
    {
        return m_values.value(QLatin1String(name)).toString();
    }
    [[nodiscard]] qint64 number(const char *name, qint64 fallback) const
    {
        const auto found = m_values.find(QLatin1String(name));
        return found == m_values.end() ? fallback : found->toLongLong();
    }
    [[nodiscard]] bool flag(const char *name) const
    {
        return m_values.value(QLatin1String(name)).toBool();
    }

    [[nodiscard]] QVariant value(const QString &name) const { return m_values.value(name); }

private:
    QMap<QString, QVariant> m_values;
};

//! InvalidInput says in words for the model what does not fit. Numbers in text count as numbers.
domain::Result<ToolArguments> readArguments(const ToolSpec &spec, const QByteArray &json);
//! As JSON text, with the spec's names in its order and nothing else: what is done is what is
//! shown.
QString canonicalArguments(const ToolSpec &spec, const ToolArguments &arguments);
//! The JSON schema for ModelTool.
QByteArray schemaOf(const ToolSpec &spec);

} // namespace berth::application
