// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/provider_keys.h"

#include "cli/human.h"

namespace berth::cli {

using application::FieldView;
using application::ProviderForm;

namespace {

QString shortKey(const QString &key)
{
    return key.mid(key.lastIndexOf(QLatin1Char('.')) + 1);
}

//! Null when none or more than one has it.
const FieldView *fieldFor(const ProviderForm &form, const QString &typed)
{
    const FieldView *byShortKey = nullptr;
    int count = 0;
    for (const FieldView &field : form.fields) {
        if (field.key == typed)
            return &field;
        // On a command line words are joined by "-" as often as by "_".
        if (shortKey(field.key) == QString(typed).replace(QLatin1Char('-'), QLatin1Char('_'))) {
            byShortKey = &field;
            ++count;
        }
    }
    return count == 1 ? byShortKey : nullptr;
}

} // namespace

QStringList keysOf(const ProviderForm &form)
{
    QStringList keys;
    for (const FieldView &field : form.fields) {
        const QString brief = shortKey(field.key);
        keys.append(fieldFor(form, brief) == &field ? brief : field.key);
    }
    return keys;
}

domain::Result<QMap<QString, QString>> valuesFor(const ProviderForm &form,
                                                 const QList<QPair<QString, QString>> &pairs)
{
    QMap<QString, QString> values;
    for (const auto &[typed, value] : pairs) {
        const FieldView *field = fieldFor(form, typed);
        if (!field) {
            return domain::failure(
                domain::ErrorKind::InvalidInput,
                QStringLiteral("%1 has no setting \"%2\"")
                    .arg(form.provider.label, onOneLine(typed)),
                QStringLiteral("Its settings: %1.").arg(keysOf(form).join(QStringLiteral(", "))));
        }
        if (field->type == QLatin1String("secret") && !value.isEmpty()
            && !value.startsWith(QLatin1String("${"))) {
            return domain::failure(
                domain::ErrorKind::InvalidInput,
                QStringLiteral("A key is not taken from the command line, which others can see"),
                QStringLiteral("Use \"berth-cli provider key %1\", or name a variable: %2=${%3}.")
                    .arg(form.provider.config.toString(), shortKey(field->key),
                         field->environmentVariables.value(0, QStringLiteral("NAME"))));
        }
        // Given several times, a list grows; anything else would lose one of two different wishes.
        if (values.contains(field->key) && field->type != QLatin1String("string_list")) {
            return domain::failure(domain::ErrorKind::InvalidInput,
                                   QStringLiteral("\"%1\" is given twice").arg(onOneLine(typed)),
                                   QStringLiteral("Give it once."));
        }
        QString &slot = values[field->key];
        slot = slot.isEmpty() ? value : slot + QLatin1Char('\n') + value;
    }
    return values;
}

} // namespace berth::cli
