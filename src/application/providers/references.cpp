// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/providers/references.h"

#include <QtCore/QRegularExpression>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::FieldType;
using domain::Result;
using domain::SchemaField;

namespace {

const QRegularExpression &variablePattern()
{
    static const QRegularExpression pattern(QStringLiteral("\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}"));
    return pattern;
}

const QLatin1String kKeyring("${keyring:");

} // namespace

QStringList variablesIn(const QString &text)
{
    QStringList names;
    auto matches = variablePattern().globalMatch(text);
    while (matches.hasNext()) {
        const QString name = matches.next().captured(1);
        if (!names.contains(name))
            names << name;
    }
    return names;
}

QString keyringReference(const domain::ConfigName &config)
{
    return kKeyring + QStringLiteral("berth/%1}").arg(config.toString());
}

bool namesKeyring(const QString &text)
{
    return text.contains(kKeyring);
}

bool isReference(const QString &text)
{
    static const QRegularExpression whole(QRegularExpression::anchoredPattern(
        QStringLiteral("\\$\\{([A-Za-z_][A-Za-z0-9_]*|keyring:[a-z0-9/_-]*)\\}")));
    return whole.match(text.trimmed()).hasMatch();
}

std::optional<QString> expanded(
    const QString &text, const std::function<std::optional<QString>(const QString &)> &lookup)
{
    QString result;
    qsizetype at = 0;
    auto matches = variablePattern().globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        const std::optional<QString> value = lookup(match.captured(1));
        if (!value || value->isEmpty())
            return std::nullopt;
        result += text.mid(at, match.capturedStart() - at) + *value;
        at = match.capturedEnd();
    }
    return result + text.mid(at);
}

bool isExpandable(const SchemaField &field)
{
    return field.expandable || field.type == FieldType::Secret;
}

Result<void> checkReferences(const domain::ProviderSchema &schema, const domain::ConfigName &config,
                             const QMap<QString, QString> &values)
{
    for (const SchemaField &field : schema.fields) {
        const QString text = values.value(field.key);
        if (!namesKeyring(text))
            continue;
        if (field.type != FieldType::Secret) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("%1 cannot come from the key store; only a key can")
                               .arg(field.label),
                           field.key);
        }
        if (text.trimmed() != keyringReference(config)) {
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("%1: the key store entry of this config is %2")
                               .arg(field.label, keyringReference(config)),
                           field.key);
        }
    }
    return {};
}

} // namespace berth::application
