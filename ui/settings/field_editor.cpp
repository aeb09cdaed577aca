// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/field_editor.h"

#include "domain/provider/schema.h"
#include "ui/settings/secret_field.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"

#include <QtCore/QLocale>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::FieldView;

namespace {

//! More than these stand in a list that opens.
constexpr qsizetype kMostChips = 3;
constexpr int kNumberWidth = 130;
constexpr int kListLines = 3;

//! The same check that the Engine makes.
domain::SchemaField schemaField(const FieldView &view)
{
    static const QHash<QString, domain::FieldType> kTypes{
        {QStringLiteral("text"), domain::FieldType::Text},
        {QStringLiteral("path"), domain::FieldType::Path},
        {QStringLiteral("integer"), domain::FieldType::Integer},
        {QStringLiteral("boolean"), domain::FieldType::Boolean},
        {QStringLiteral("choice"), domain::FieldType::Choice},
        {QStringLiteral("string_list"), domain::FieldType::StringList},
        {QStringLiteral("secret"), domain::FieldType::Secret}};
    domain::SchemaField field;
    field.key = view.key;
    field.type = kTypes.value(view.type, domain::FieldType::Text);
    field.label = view.label;
    field.required = view.required;
    field.defaultValue = view.defaultValue;
    field.minimum = view.minimum;
    field.maximum = view.maximum;
    field.pattern = view.pattern;
    field.patternHint = view.patternHint;
    for (const QPair<QString, QString> &choice : view.choices)
        field.choices.append({choice.first, choice.second});
    return field;
}

QString rangeText(const FieldView &field)
{
    const QLocale locale;
    QString range;
    if (field.minimum && field.maximum)
        range = FieldEditor::tr("%1 to %2")
                    .arg(locale.toString(*field.minimum), locale.toString(*field.maximum));
    else if (field.minimum)
        range = FieldEditor::tr("%1 or more").arg(locale.toString(*field.minimum));
    else if (field.maximum)
        range = FieldEditor::tr("up to %1").arg(locale.toString(*field.maximum));
    if (field.unit.isEmpty())
        return range;
    return range.isEmpty() ? field.unit
                           : FieldEditor::tr("%1 · %2", "unit and range").arg(field.unit, range);
}

} // namespace

FieldEditor::FieldEditor(const FieldView &field, QWidget *parent) : QWidget(parent), m_field(field)
{
    m_input = buildInput();
    m_input->setObjectName(field.key);
    m_row = new FormRow(field.label, m_input);
    m_row->setRequired(field.required);
    m_row->setHelp(field.help);
    if (field.type == QLatin1String("integer")) {
        m_input->setFixedWidth(kNumberWidth);
        auto *range = new Label(rangeText(field), TextRole::Body, Ink::Secondary);
        range->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        m_row->addBeside(range);
    }
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_row);
    setValue(field.value);
}

QWidget *FieldEditor::buildInput()
{
    if (m_field.type == QLatin1String("boolean"))
        return buildSwitch();
    if (m_field.type == QLatin1String("choice"))
        return buildChoice();
    if (m_field.type == QLatin1String("string_list"))
        return buildList();
    if (m_field.type == QLatin1String("secret"))
        return buildSecret();
    return buildLine(m_field.type == QLatin1String("path"));
}

QWidget *FieldEditor::buildSecret()
{
    m_secret = new SecretField(m_field);
    connect(m_secret, &SecretField::edited, this, &FieldEditor::edited);
    connect(m_secret, &SecretField::finished, this, &FieldEditor::finished);
    connect(m_secret, &SecretField::storeRequested, this, &FieldEditor::storeRequested);
    m_get = [this] { return m_secret->value(); };
    m_set = [](const QString &) {};
    return m_secret;
}

QWidget *FieldEditor::buildLine(bool mono)
{
    auto *line = new QLineEdit;
    if (mono)
        line->setFont(fontFor(TextRole::Mono));
    line->setPlaceholderText(m_field.placeholder.isEmpty() ? m_field.defaultValue
                                                           : m_field.placeholder);
    connect(line, &QLineEdit::textEdited, this, &FieldEditor::edited);
    connect(line, &QLineEdit::editingFinished, this, &FieldEditor::finished);
    m_get = [line] { return line->text().trimmed(); };
    m_set = [line](const QString &value) { line->setText(value); };
    return line;
}

QWidget *FieldEditor::buildSwitch()
{
    // The row stretches its field; the switch itself keeps its size at the near end.
    auto *box = new QWidget;
    auto *toggle = new Switch(m_field.label);
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 2, 0, 2);
    row->addWidget(toggle);
    row->addStretch(1);
    box->setFocusProxy(toggle);
    connect(toggle, &QAbstractButton::clicked, this, [this, toggle] {
        toggle->setProperty("chosen", true);
        Q_EMIT edited();
        Q_EMIT finished();
    });
    m_get = [toggle] {
        if (!toggle->property("chosen").toBool())
            return QString();
        return toggle->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
    };
    m_set = [this, toggle](const QString &value) {
        toggle->setProperty("chosen", !value.isEmpty());
        toggle->setChecked((value.isEmpty() ? m_field.defaultValue : value)
                           == QLatin1String("true"));
    };
    return box;
}

QWidget *FieldEditor::buildChoice()
{
    if (m_field.choices.size() <= kMostChips) {
        auto *chips = new RadioChips;
        chips->setChoices(m_field.choices);
        connect(chips, &RadioChips::valueChosen, this, [this, chips] {
            chips->setProperty("chosen", true);
            Q_EMIT edited();
            Q_EMIT finished();
        });
        m_get = [chips] { return chips->property("chosen").toBool() ? chips->value() : QString(); };
        m_set = [this, chips](const QString &value) {
            chips->setProperty("chosen", !value.isEmpty());
            chips->setValue(value.isEmpty() ? m_field.defaultValue : value);
        };
        return chips;
    }
    auto *box = new QComboBox;
    // A long entry does not widen the page.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    for (const QPair<QString, QString> &choice : m_field.choices)
        box->addItem(choice.second, choice.first);
    connect(box, &QComboBox::activated, this, [this, box] {
        box->setProperty("chosen", true);
        Q_EMIT edited();
        Q_EMIT finished();
    });
    m_get = [box] {
        return box->property("chosen").toBool() ? box->currentData().toString() : QString();
    };
    m_set = [this, box](const QString &value) {
        box->setProperty("chosen", !value.isEmpty());
        box->setCurrentIndex(box->findData(value.isEmpty() ? m_field.defaultValue : value));
    };
    return box;
}

QWidget *FieldEditor::buildList()
{
    auto *text = new QPlainTextEdit;
    text->setFont(fontFor(TextRole::Mono));
    text->setTabChangesFocus(true);
    text->setPlaceholderText(m_field.placeholder.isEmpty() ? m_field.defaultValue
                                                           : m_field.placeholder);
    text->setFixedHeight(kListLines * QFontMetrics(text->font()).lineSpacing() + 20);
    connect(text, &QPlainTextEdit::textChanged, this, [this, text] {
        if (text->hasFocus())
            Q_EMIT edited();
    });
    m_get = [text] {
        QStringList lines;
        for (const QString &line : text->toPlainText().split(QLatin1Char('\n'))) {
            if (!line.trimmed().isEmpty())
                lines.append(line.trimmed());
        }
        return lines.join(QLatin1Char('\n'));
    };
    m_set = [text](const QString &value) { text->setPlainText(value); };
    return text;
}

QString FieldEditor::value() const
{
    return m_get();
}

void FieldEditor::setValue(const QString &value)
{
    m_set(value);
    m_row->setError({});
}

void FieldEditor::setSaved(const FieldView &field, bool hasKeyStore)
{
    m_field = field;
    if (m_secret)
        m_secret->setSaved(field, hasKeyStore);
    setValue(field.value);
}

bool FieldEditor::isUntouchedSecret() const
{
    return m_secret && !m_secret->isTouched();
}

QString FieldEditor::problem() const
{
    if (m_secret)
        return m_secret->problem();
    return domain::validationProblem(schemaField(m_field), value()).value_or(QString());
}

void FieldEditor::showProblem(bool evenIfNew)
{
    const QString found = problem();
    if (evenIfNew || found.isEmpty() || !m_row->error().isEmpty())
        m_row->setError(found);
}

QString FieldEditor::shownProblem() const
{
    return m_row->error();
}

} // namespace berth::ui
