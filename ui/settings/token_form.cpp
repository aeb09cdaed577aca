// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/token_form.h"

#include "ui/settings/field_editor.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::FieldView;
using application::NewToken;

namespace {

constexpr int kCopiedMs = 2000;

FieldView nameView()
{
    FieldView field =
        formField(QStringLiteral("name"), QStringLiteral("text"), TokenForm::tr("Name"), {},
                  TokenForm::tr("What it is for, so that it can be found again."));
    field.required = true;
    field.pattern = QStringLiteral(".{1,64}");
    field.patternHint = TokenForm::tr("Up to 64 characters.");
    return field;
}

FieldView agentView(const SecurityNames &names)
{
    FieldView field =
        formField(QStringLiteral("agent"), QStringLiteral("choice"), TokenForm::tr("Agent"), {});
    field.defaultValue = QStringLiteral("*");
    field.choices.append({QStringLiteral("*"), TokenForm::tr("Every agent")});
    for (const application::AgentView &agent : names.agents)
        field.choices.append({agent.id.toString(), names.agent(agent.id.toString())});
    return field;
}

} // namespace

TokenForm::TokenForm(const application::ApiView &api, const SecurityNames &names, QWidget *parent)
    : Card(parent),
      m_name(new FieldEditor(nameView())),
      m_user(new FieldEditor(
          formField(QStringLiteral("user"), QStringLiteral("text"), tr("Speaks for"), {},
                    tr("A user whom an agent's security settings name. Empty: you.")))),
      m_agent(new FieldEditor(agentView(names))),
      m_problem(new Banner(Tone::Error))
{
    setAccessibleName(tr("New token"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(19, 14, 19, 16);
    column->setSpacing(10);
    column->addWidget(new Label(tr("New token"), TextRole::BodyStrong));
    for (FieldEditor *field : {m_name, m_user, m_agent}) {
        column->addWidget(field);
        connect(field, &FieldEditor::edited, this, &TokenForm::refresh);
    }
    m_may = new FormRow(tr("May"), buildScopes());
    column->addWidget(m_may);
    column->addWidget(m_problem);
    m_problem->hide();
    column->addWidget(buildButtons());
    setApi(api);
}

QWidget *TokenForm::buildScopes()
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 2, 0, 2);
    column->setSpacing(2);
    const QList<QPair<QString, QString>> scopes{
        {QStringLiteral("read"), tr("Read: see threads, runs and resources")},
        {QStringLiteral("run"), tr("Run: send messages, start and stop sandboxes")},
        {QStringLiteral("approve"), tr("Approve: answer what waits for you")},
        {QStringLiteral("admin"), tr("Administer: agents, providers, tokens")}};
    for (const auto &[scope, words] : scopes) {
        auto *check = new QCheckBox(words);
        check->setObjectName(scope);
        check->setMinimumHeight(metrics::kTarget);
        check->setChecked(scope == QLatin1String("read"));
        connect(check, &QCheckBox::toggled, this, &TokenForm::refresh);
        column->addWidget(check);
        m_scopes.append(check);
    }
    return box;
}

QWidget *TokenForm::buildButtons()
{
    auto *buttons = new QWidget;
    auto *row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_create = new Button(tr("Create token"), ButtonKind::Primary);
    m_cancel = new Button(tr("Cancel"));
    row->addWidget(m_create);
    row->addWidget(m_cancel);
    row->addStretch(1);
    connect(m_create, &QPushButton::clicked, this, [this] { Q_EMIT createRequested(command()); });
    connect(m_cancel, &QPushButton::clicked, this, &TokenForm::cancelled);
    return buttons;
}

void TokenForm::setApi(const application::ApiView &api)
{
    const QString why = tr("Not granted above.");
    m_may->setHelp(api.grantApprove && api.grantAdmin
                       ? QString()
                       : tr("What is greyed has to be granted above first."));
    for (QCheckBox *check : std::as_const(m_scopes)) {
        const bool granted = check->objectName() == QLatin1String("approve") ? api.grantApprove
            : check->objectName() == QLatin1String("admin")                  ? api.grantAdmin
                                                                             : true;
        if (!granted)
            check->setChecked(false);
        check->setEnabled(granted);
        check->setToolTip(granted ? QString() : why);
        check->setAccessibleDescription(check->toolTip());
    }
    refresh();
}

QCheckBox *TokenForm::scopeBox(const QString &scope) const
{
    const auto at = std::find_if(m_scopes.cbegin(), m_scopes.cend(), [&scope](const auto *check) {
        return check->objectName() == scope;
    });
    return at == m_scopes.cend() ? nullptr : *at;
}

NewToken TokenForm::command() const
{
    NewToken command;
    command.name = m_name->value();
    command.user = m_user->value();
    if (m_agent->value() != QLatin1String("*"))
        command.agent = domain::AgentId(m_agent->value());
    for (const QCheckBox *check : m_scopes) {
        if (check->isChecked())
            command.scopes.append(check->objectName());
    }
    return command;
}

void TokenForm::setBusy(bool busy)
{
    m_busy = busy;
    refresh();
}

void TokenForm::showError(const domain::Error &error)
{
    m_problem->setText(tr("Not created: %1").arg(error.message), error.detail);
    m_problem->show();
}

void TokenForm::refresh()
{
    m_name->showProblem(false);
    const bool any = std::any_of(m_scopes.cbegin(), m_scopes.cend(),
                                 [](const QCheckBox *check) { return check->isChecked(); });
    m_create->setEnabled(!m_busy && any && m_name->problem().isEmpty());
}

void TokenForm::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT cancelled();
        return;
    }
    Card::keyPressEvent(event);
}

MintedCard::MintedCard(const application::MintedToken &minted, QWidget *parent)
    : Card(parent),
      m_line(new QLineEdit),
      m_copy(new Button(tr("Copy"), ButtonKind::Primary)),
      m_done(new Button(tr("Done")))
{
    setAccent(Tone::Accent);
    setAccessibleName(tr("New token: %1").arg(minted.token.name));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(19, 14, 19, 16);
    column->setSpacing(8);
    column->addWidget(
        new Label(tr("Token “%1” was made").arg(minted.token.name), TextRole::BodyStrong));
    auto *words = new Label(tr("It is shown only now: Berth keeps no more of it than what tells it "
                               "apart. Whoever has it may do what it may."),
                            TextRole::Body, Ink::Secondary);
    words->setWrapped(true);
    column->addWidget(words);
    // The one place where it is meant to be seen.
    m_line->setText(QString::fromUtf8(minted.secret.exposeForWire()));
    m_line->setReadOnly(true);
    m_line->setFont(fontFor(TextRole::Mono));
    m_line->setAccessibleName(tr("The new token"));
    m_copy->setGlyph(Glyph::Copy);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_line, 1);
    row->addWidget(m_copy);
    row->addWidget(m_done);
    column->addLayout(row);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_line->text());
        m_copy->setText(tr("Copied"));
        m_copied.start(kCopiedMs, this);
    });
    connect(m_done, &QPushButton::clicked, this, &MintedCard::done);
}

MintedCard::~MintedCard()
{
    m_line->clear();
}

void MintedCard::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_copied.timerId()) {
        m_copied.stop();
        m_copy->setText(tr("Copy"));
        return;
    }
    Card::timerEvent(event);
}

} // namespace berth::ui
