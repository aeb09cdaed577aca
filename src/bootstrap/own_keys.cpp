// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/own_keys.h"

#include "domain/provider/provider.h"
#include "providers/registry/provider_kinds.h"

namespace berth::bootstrap {

namespace {

//! Written in main() only, while there is one thread.
QMap<QString, QString> &takenKeys()
{
    static QMap<QString, QString> keys;
    return keys;
}

QStringList keyVariables()
{
    // Also those of services that this build does not know.
    QStringList names{QStringLiteral("E2B_API_KEY"),       QStringLiteral("E2B_ACCESS_TOKEN"),
                      QStringLiteral("DAYTONA_API_KEY"),   QStringLiteral("DAYTONA_JWT_TOKEN"),
                      QStringLiteral("AGENTBAY_API_KEY"),  QStringLiteral("TENKI_API_KEY"),
                      QStringLiteral("TENKI_AUTH_TOKEN"),  QStringLiteral("OPENAI_API_KEY"),
                      QStringLiteral("ANTHROPIC_API_KEY"), QStringLiteral("OPENROUTER_API_KEY")};
    for (const auto &kind : providers::builtinProviderKinds()) {
        for (const domain::SchemaField &field : kind->schema().fields) {
            if (field.type == domain::FieldType::Secret)
                names << field.environmentVariables;
        }
    }
    return names;
}

} // namespace

void takeKeysOutOfEnvironment()
{
    for (const QString &name : keyVariables()) {
        const QByteArray raw = name.toLocal8Bit();
        if (!qEnvironmentVariableIsSet(raw.constData()))
            continue;
        takenKeys().insert(name, qEnvironmentVariable(raw.constData()));
        qunsetenv(raw.constData());
    }
}

QProcessEnvironment environmentWithKeys()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QMap<QString, QString> &keys = takenKeys();
    for (auto it = keys.cbegin(); it != keys.cend(); ++it)
        environment.insert(it.key(), it.value());
    return environment;
}

} // namespace berth::bootstrap
