// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/hook_form.h"

#include "ui/settings/field_editor.h"
#include "ui/settings/security_words.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"

#include <QtGui/QKeyEvent>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::FieldView;
using application::HookView;

namespace {

FieldView momentView(const HookView &hook)
{
    FieldView field = formField(
        QStringLiteral("moment"), QStringLiteral("choice"), HookForm::tr("When"),
        hook.moment.isEmpty() ? QStringLiteral("before_tool") : hook.moment,
        HookForm::tr("Asked before a tool call it may deny it; told after one it cannot."));
    field.choices = {{QStringLiteral("before_tool"), HookForm::tr("Asked before")},
                     {QStringLiteral("after_tool"), HookForm::tr("Told after")}};
    return field;
}

FieldView programView(const HookView &hook)
{
    FieldView field = formField(QStringLiteral("program"), QStringLiteral("path"),
                                HookForm::tr("Program"), hook.program,
                                HookForm::tr("Its absolute path. It is started as it is, without a "
                                             "shell, and gets the call as JSON."));
    field.required = true;
    field.placeholder = QStringLiteral("/usr/local/bin/check-call");
    return field;
}

//! A field of lines gives them back as they are.
bool fitsLines(const QStringList &arguments)
{
    return std::all_of(arguments.cbegin(), arguments.cend(), [](const QString &one) {
        const bool breaks = std::any_of(one.cbegin(), one.cend(), [](QChar c) {
            return c == QLatin1Char('\n') || c == QLatin1Char('\r') || c == QChar(0x2028)
                || c == QChar(0x2029) || c == QChar(0xfdd0) || c == QChar(0xfdd1)
                || c == QChar(0x00a0) || c.isNull();
        });
        return !one.isEmpty() && one == one.trimmed() && !breaks;
    });
}

FieldView argumentsView(const HookView &hook)
{
    return formField(
        QStringLiteral("arguments"), QStringLiteral("string_list"), HookForm::tr("Arguments"),
        hook.arguments.join(QLatin1Char('\n')),
        fitsLines(hook.arguments)
            ? HookForm::tr("One in each line; may stay empty.")
            : HookForm::tr("They stay as they are: one of them is empty, has a line break or "
                           "begins or ends with a space, which a line cannot show. Change them in "
                           "the file."));
}

} // namespace

HookForm::HookForm(const HookView &hook, bool isNew, QWidget *parent)
    : Card(parent),
      m_argumentsBefore(hook.arguments),
      m_moment(new FieldEditor(momentView(hook))),
      m_program(new FieldEditor(programView(hook))),
      m_arguments(new FieldEditor(argumentsView(hook))),
      m_problem(new Banner(Tone::Error))
{
    setAccessibleName(isNew ? tr("New hook") : tr("Hook: %1").arg(hook.program));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(19, 14, 19, 16);
    column->setSpacing(10);
    column->addWidget(
        new Label(isNew ? tr("New hook") : tr("Change this hook"), TextRole::BodyStrong));
    for (FieldEditor *field : {m_moment, m_program, m_arguments}) {
        column->addWidget(field);
        connect(field, &FieldEditor::edited, this, &HookForm::refresh);
        connect(field, &FieldEditor::finished, this, [field] { field->showProblem(true); });
    }
    m_argumentsShown = m_arguments->value();
    if (auto *lines = qobject_cast<QPlainTextEdit *>(m_arguments->input()))
        lines->setReadOnly(!fitsLines(hook.arguments));
    auto *tools = new FormRow(tr("Tools"), buildTools(hook.tools));
    tools->setHelp(tr("None is chosen: every tool."));
    column->addWidget(tools);
    column->addWidget(m_problem);
    m_problem->hide();
    column->addWidget(buildButtons(isNew));
    refresh();
}

QWidget *HookForm::buildTools(const QStringList &chosen)
{
    auto *row = new FlowRow;
    QList<QPair<QString, QString>> all = toolChoices();
    for (const QString &tool : chosen) {
        const bool known = std::any_of(all.cbegin(), all.cend(),
                                       [&tool](const auto &one) { return one.first == tool; });
        if (!known)
            all.append({tool, tool});
    }
    for (const auto &[tool, words] : std::as_const(all)) {
        auto *box = new QCheckBox(words);
        box->setObjectName(tool);
        box->setMinimumHeight(metrics::kTarget);
        box->setChecked(chosen.contains(tool));
        row->addWidget(box);
        m_tools.append(box);
    }
    return row;
}

QWidget *HookForm::buildButtons(bool isNew)
{
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_save = new Button(isNew ? tr("Add hook") : tr("Save"), ButtonKind::Primary);
    m_cancel = new Button(tr("Cancel"));
    row->addWidget(m_save);
    row->addWidget(m_cancel);
    row->addStretch(1);
    connect(m_save, &QPushButton::clicked, this, [this] { Q_EMIT saveRequested(hook()); });
    connect(m_cancel, &QPushButton::clicked, this, &HookForm::cancelled);
    return buttons;
}

HookView HookForm::hook() const
{
    HookView hook;
    hook.moment = m_moment->value();
    hook.program = m_program->value();
    const QString arguments = m_arguments->value();
    hook.arguments = arguments == m_argumentsShown
        ? m_argumentsBefore
        : arguments.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QCheckBox *box : m_tools) {
        if (box->isChecked())
            hook.tools.append(box->objectName());
    }
    return hook;
}

void HookForm::setBusy(bool busy)
{
    m_busy = busy;
    refresh();
}

void HookForm::showError(const domain::Error &error)
{
    m_problem->setText(tr("Not saved: %1").arg(error.message), error.detail);
    m_problem->show();
}

void HookForm::refresh()
{
    m_program->showProblem(false);
    m_save->setEnabled(!m_busy && m_program->problem().isEmpty());
}

void HookForm::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT cancelled();
        return;
    }
    Card::keyPressEvent(event);
}

} // namespace berth::ui
