// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/provider_fields.h"

#include "ui/settings/field_editor.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::FieldView;

namespace {
constexpr int kBetween = 12;
}

ProviderFields::ProviderFields(const application::ProviderForm &form, QWidget *parent)
    : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kBetween);
    if (form.examples.size() > 1)
        buildExamples(form.examples, column);
    m_advanced = new QWidget;
    auto *folded = new QVBoxLayout(m_advanced);
    folded->setContentsMargins(0, 0, 0, 0);
    folded->setSpacing(kBetween);
    int hidden = 0;
    for (const FieldView &field : form.fields) {
        auto *editor = new FieldEditor(field);
        editor->setSaved(field, form.hasKeyStore);
        m_editors.append(editor);
        (field.advanced ? folded : column)->addWidget(editor);
        hidden += field.advanced ? 1 : 0;
        connect(editor, &FieldEditor::edited, this, [this, editor] {
            editor->showProblem(false);
            showExample();
            Q_EMIT changed();
        });
        connect(editor, &FieldEditor::storeRequested, this,
                [this, editor](const QString &key) { Q_EMIT storeRequested(editor->key(), key); });
        connect(editor, &FieldEditor::finished, this, [editor] { editor->showProblem(true); });
    }
    m_more = new Button(tr("More settings (%n)", nullptr, hidden), ButtonKind::Ghost);
    m_moreLine = new QHBoxLayout;
    m_moreLine->addWidget(m_more);
    m_moreLine->addStretch(1);
    column->addLayout(m_moreLine);
    m_more->setVisible(hidden > 0);
    column->addWidget(m_advanced);
    connect(m_more, &QPushButton::clicked, this,
            [this] { setAdvancedOpen(m_advanced->isHidden()); });
    setAdvancedOpen(false);
    m_hasKeyStore = form.hasKeyStore;
    m_saved = values();
    showExample();
}

void ProviderFields::buildExamples(const QList<application::FormExample> &examples,
                                   QVBoxLayout *column)
{
    m_exampleValues = examples;
    m_examples = new RadioChips;
    QList<QPair<QString, QString>> choices;
    for (const application::FormExample &example : examples)
        choices.append({example.name, example.name});
    m_examples->setChoices(choices);
    m_examplesRow = new FormRow(tr("Service"), m_examples);
    column->addWidget(m_examplesRow);
    connect(m_examples, &RadioChips::valueChosen, this, &ProviderFields::useExample);
}

void ProviderFields::useExample(const QString &name)
{
    for (const application::FormExample &example : std::as_const(m_exampleValues)) {
        if (example.name != name)
            continue;
        for (auto it = example.values.cbegin(); it != example.values.cend(); ++it) {
            FieldEditor *known = editor(it.key());
            // A key that is there already is not exchanged for an example's.
            if (known && !known->secret())
                known->setValue(it.value());
        }
    }
    showExample();
    Q_EMIT changed();
}

//! The kind that the fields are those of; none, when they are of no one.
void ProviderFields::showExample()
{
    if (!m_examples)
        return;
    QString shown;
    QString help;
    for (const application::FormExample &example : std::as_const(m_exampleValues)) {
        bool fits = true;
        for (auto it = example.values.cbegin(); it != example.values.cend() && fits; ++it) {
            const FieldEditor *known = editor(it.key());
            if (!known || known->secret())
                continue;
            const QString present = known->value();
            fits = (present.isEmpty() ? known->field().defaultValue : present) == it.value();
        }
        if (fits && shown.isEmpty()) {
            shown = example.name;
            help = example.help;
        }
    }
    m_examples->setValue(shown);
    m_examplesRow->setHelp(help);
}

void ProviderFields::setAdvancedOpen(bool open)
{
    m_more->setAccessibleDescription(open ? tr("open") : tr("folded"));
    m_more->setGlyph(open ? Glyph::ChevronDown : Glyph::ChevronRight);
    m_advanced->setVisible(open);
}

void ProviderFields::setIndent(int indent)
{
    m_moreLine->setContentsMargins(indent, 0, 0, 0);
}

QMap<QString, QString> ProviderFields::values() const
{
    QMap<QString, QString> all;
    for (const FieldEditor *editor : m_editors) {
        if (!editor->isUntouchedSecret())
            all.insert(editor->key(), editor->value());
    }
    return all;
}

void ProviderFields::setSaved(const application::ProviderForm &form)
{
    for (const FieldView &field : form.fields) {
        if (FieldEditor *known = editor(field.key))
            known->setSaved(field, form.hasKeyStore);
    }
    m_hasKeyStore = form.hasKeyStore;
    m_saved = values();
    showExample();
    Q_EMIT changed();
}

void ProviderFields::setSavedUnder(const application::ProviderForm &form)
{
    const QMap<QString, QString> before = m_saved;
    const QMap<QString, QString> mine = values();
    setSaved(form);
    for (auto it = mine.cbegin(); it != mine.cend(); ++it) {
        FieldEditor *known = editor(it.key());
        if (known && it.value() != before.value(it.key()))
            known->setValue(it.value());
    }
    showExample();
    Q_EMIT changed();
}

void ProviderFields::setSecrets(const application::ProviderForm &form)
{
    for (const FieldView &field : form.fields) {
        FieldEditor *known = editor(field.key);
        if (known && known->secret())
            known->setSaved(field, form.hasKeyStore);
    }
    m_hasKeyStore = form.hasKeyStore;
    Q_EMIT changed();
}

void ProviderFields::revert()
{
    for (FieldEditor *editor : std::as_const(m_editors)) {
        if (editor->secret())
            editor->setSaved(editor->field(), m_hasKeyStore);
        else
            editor->setValue(m_saved.value(editor->key()));
    }
    showExample();
    Q_EMIT changed();
}

bool ProviderFields::isValid() const
{
    return std::all_of(m_editors.cbegin(), m_editors.cend(),
                       [](const FieldEditor *editor) { return editor->problem().isEmpty(); });
}

void ProviderFields::showProblems()
{
    FieldEditor *first = nullptr;
    for (FieldEditor *editor : std::as_const(m_editors)) {
        editor->showProblem(true);
        if (first || editor->problem().isEmpty())
            continue;
        first = editor;
        if (editor->field().advanced)
            setAdvancedOpen(true);
    }
    if (first)
        first->input()->setFocus(Qt::OtherFocusReason);
}

FieldEditor *ProviderFields::editor(const QString &key) const
{
    for (FieldEditor *editor : m_editors) {
        if (editor->key() == key)
            return editor;
    }
    return nullptr;
}

} // namespace berth::ui
