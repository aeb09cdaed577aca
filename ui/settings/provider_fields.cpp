// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/provider_fields.h"

#include "ui/settings/field_editor.h"
#include "ui/widgets/button.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::FieldView;

namespace {
constexpr int kBetween = 12;
}

ProviderFields::ProviderFields(const QList<FieldView> &fields, QWidget *parent) : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kBetween);
    m_advanced = new QWidget;
    auto *folded = new QVBoxLayout(m_advanced);
    folded->setContentsMargins(0, 0, 0, 0);
    folded->setSpacing(kBetween);
    int hidden = 0;
    for (const FieldView &field : fields) {
        auto *editor = new FieldEditor(field);
        m_editors.append(editor);
        (field.advanced ? folded : column)->addWidget(editor);
        hidden += field.advanced ? 1 : 0;
        connect(editor, &FieldEditor::edited, this, [this, editor] {
            editor->showProblem(false);
            Q_EMIT changed();
        });
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
    m_saved = values();
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
    for (const FieldEditor *editor : m_editors)
        all.insert(editor->key(), editor->value());
    return all;
}

void ProviderFields::setSaved(const QList<FieldView> &fields)
{
    for (const FieldView &field : fields) {
        if (FieldEditor *known = editor(field.key))
            known->setValue(field.value);
    }
    m_saved = values();
    Q_EMIT changed();
}

void ProviderFields::revert()
{
    for (FieldEditor *editor : std::as_const(m_editors))
        editor->setValue(m_saved.value(editor->key()));
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
