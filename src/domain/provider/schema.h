// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QMap>
#include <QtCore/QString>
#include <QtCore/QStringList>

#include <optional>

namespace berth::domain {

enum class FieldType { Text, Path, Integer, Boolean, Choice, StringList, Secret };

//! Where a field may be set: the provider config file only, or also in a preset and a sandbox row.
enum class FieldScope { Connection, Sandbox };

//! One field of a provider's config: the one truth for form, CLI, API and file.
struct SchemaField
{
    //! Flat: "image" stands at docker.image in the file. Those of commonFields() stand at its top
    //! level.
    QString key;
    FieldType type = FieldType::Text;
    QString label;
    QString help;
    //! As it stands in a text box; empty: none.
    QString defaultValue;
    QString placeholder;
    bool required = false;
    bool advanced = false;
    //! ${NAME} is expanded in it, once, when used.
    bool expandable = false;
    FieldScope scope = FieldScope::Sandbox;
    QStringList environmentVariables;
    //! Choice: value and shown text.
    QList<std::pair<QString, QString>> choices;
    std::optional<qint64> minimum;
    std::optional<qint64> maximum;
    QString unit;
    //! Regular expression for the whole value, with the sentence that says what is allowed.
    QString pattern;
    QString patternHint;
};

struct ProviderFacts
{
    //! "docker"
    QString kind;
    //! "Docker"
    QString label;
    //! Two letters at most, for the avatar: "D".
    QString mark;
    QString isolation;
    QString cost;
    QString bestFor;
    //! What pause keeps, in words.
    QString pauseKeeps;
    //! Where the service's own console is, for a link; empty: none.
    QString consoleUrl;
    //! "Seen against the real service", "Tested against an imitation of the service only".
    QString proof;
};

//! Values to begin a form with, for a service that comes in several kinds.
struct SettingsExample
{
    //! "SaaS", "Self-hosted"
    QString name;
    QString help;
    QMap<QString, QString> values;
};

struct ProviderSchema
{
    ProviderFacts facts;
    QList<SchemaField> fields;
    QList<SettingsExample> examples;

    [[nodiscard]] const SchemaField *field(const QString &key) const;
};

//! nullopt: fine; else the sentence to show at the field. \a text is as it stands in a text box,
//! "true"/"false" for Boolean, one entry per line for StringList.
std::optional<QString> validationProblem(const SchemaField &field, const QString &text);

//! on_exit and init_commands, which every provider config has.
QList<SchemaField> commonFields();

} // namespace berth::domain
