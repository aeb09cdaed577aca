// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/agents/agent_security.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/models/agent_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/save_bar.h"

#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QVBoxLayout>

#include <utility>

namespace berth::ui {

using application::SecurityView;
using domain::Result;

namespace {

constexpr int kJsonLines = 14;

QString autonomyMeaning(const QString &autonomy)
{
    if (autonomy == QLatin1String("readonly"))
        return AgentSecurity::tr("It reads. Commands and changes are refused, nobody is asked.");
    if (autonomy == QLatin1String("full"))
        return AgentSecurity::tr("It is never asked about; only deny rules and hooks hold it.");
    return AgentSecurity::tr("What is ticked below waits for you.");
}

} // namespace

AgentSecurity::AgentSecurity(application::EngineClient &client, const domain::AgentId &agent,
                             QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_agent(agent),
      m_fields(new QWidget),
      m_json(new QPlainTextEdit),
      m_jsonButton(new Button(tr("Edit as JSON"), ButtonKind::Ghost)),
      m_bar(new SaveBar(tr("Save")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    buildFields();
    column->addWidget(m_fields);
    column->addWidget(m_json);
    column->addWidget(m_bar);
    m_bar->addWidget(m_jsonButton);
    m_json->setFont(fontFor(TextRole::Mono));
    m_json->setTabChangesFocus(true);
    m_json->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    m_json->setAccessibleName(tr("Security policy as JSON"));
    m_json->setFixedHeight(kJsonLines * QFontMetrics(m_json->font()).lineSpacing() + 24);
    m_json->hide();
    connect(m_json, &QPlainTextEdit::textChanged, this, &AgentSecurity::refresh);
    connect(m_jsonButton, &QPushButton::clicked, this, [this] { showJson(m_json->isHidden()); });
    connect(m_bar->saveButton(), &QPushButton::clicked, this, &AgentSecurity::save);
    connect(m_bar->revertButton(), &QPushButton::clicked, this, [this] {
        m_bar->clearProblem();
        take(m_saved);
    });
    setEnabled(false);
    load();
}

void AgentSecurity::buildFields()
{
    auto *column = new QVBoxLayout(m_fields);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    m_autonomy = new RadioChips;
    m_autonomy->setChoices({{QStringLiteral("readonly"), tr("Read only")},
                            {QStringLiteral("supervised"), tr("Supervised")},
                            {QStringLiteral("full"), tr("Full")}});
    m_autonomyRow = new FormRow(tr("Autonomy"), m_autonomy);
    column->addWidget(m_autonomyRow);
    auto *asks = new QWidget;
    auto *boxes = new QVBoxLayout(asks);
    boxes->setContentsMargins(0, 0, 0, 0);
    boxes->setSpacing(0);
    const auto box = [&](const QString &kind, const QString &text) {
        auto *check = new QCheckBox(text);
        m_kinds.insert(kind, check);
        boxes->addWidget(check);
        connect(check, &QCheckBox::clicked, this, &AgentSecurity::refresh);
    };
    box(QStringLiteral("exec"), tr("Commands (exec)"));
    box(QStringLiteral("write"), tr("Changes to files (write)"));
    box(QStringLiteral("read"), tr("Reading (read)"));
    m_asksRow = new FormRow(tr("Ask before"), asks);
    column->addWidget(m_asksRow);
    m_tools = new QLineEdit;
    m_tools->setPlaceholderText(QStringLiteral("edit_file, glob"));
    auto *tools = new FormRow(tr("And before these tools"), m_tools);
    tools->setHelp(tr("Names, separated by commas."));
    column->addWidget(tools);
    m_unattended = new RadioChips;
    m_unattended->setChoices({{QStringLiteral("deny"), tr("Refuse it")},
                              {QStringLiteral("wait"), tr("Wait for an answer")}});
    auto *unattended = new FormRow(tr("When nobody is there"), m_unattended);
    unattended->setHelp(tr("Of a call that asks, in a run that no person started."));
    column->addWidget(unattended);
    m_access = new RadioChips;
    m_access->setChoices({{QStringLiteral("private"), tr("Private")},
                          {QStringLiteral("protected"), tr("Protected")},
                          {QStringLiteral("public"), tr("Public")}});
    m_accessRow = new FormRow(tr("Access"), m_access);
    column->addWidget(m_accessRow);
    m_token = new QLineEdit;
    m_token->setEchoMode(QLineEdit::Password);
    m_tokenRow = new FormRow(tr("Access token"), m_token);
    m_removeToken = new Button(tr("Remove"));
    m_tokenRow->addBeside(m_removeToken);
    column->addWidget(m_tokenRow);
    for (RadioChips *chips : {m_autonomy, m_unattended, m_access})
        connect(chips, &RadioChips::valueChosen, this, &AgentSecurity::refresh);
    connect(m_tools, &QLineEdit::textEdited, this, &AgentSecurity::refresh);
    connect(m_token, &QLineEdit::textEdited, this, [this] {
        m_tokenGoes = false;
        refresh();
    });
    connect(m_removeToken, &QPushButton::clicked, this, [this] {
        m_token->clear();
        m_tokenGoes = true;
        refresh();
    });
}

void AgentSecurity::load()
{
    application::deliver(this, m_client, application::GetSecurity{m_agent},
                         [this](const Result<SecurityView> &view) {
                             if (!view) {
                                 setEnabled(m_loaded);
                                 m_bar->showProblem(tr("The policy cannot be read"), view.error());
                                 return;
                             }
                             setEnabled(true);
                             const bool keeps = m_loaded && hasChanges();
                             m_loaded = true;
                             if (keeps)
                                 takeUnder(*view);
                             else
                                 take(*view);
                         });
}

void AgentSecurity::take(const SecurityView &view)
{
    m_saved = view;
    m_base = view.document;
    m_token->clear();
    m_tokenGoes = false;
    m_isOvertaken = false;
    showFields(securityFieldsOf(view.document).value_or(SecurityFields{}));
    m_json->setPlainText(prettyDocument(view.document));
    refresh();
}

void AgentSecurity::takeUnder(const SecurityView &view)
{
    const QString before = std::exchange(m_saved, view).document;
    if (before == view.document) {
        refresh();
        return;
    }
    if (!m_json->isHidden() || m_base != before) {
        // The whole document is typed here.
        m_isOvertaken = true;
        refresh();
        sayOvertaken();
        return;
    }
    const SecurityFields old = securityFieldsOf(before).value_or(SecurityFields{});
    const SecurityFields mine = fields();
    SecurityFields wanted = securityFieldsOf(view.document).value_or(SecurityFields{});
    if (mine.autonomy != old.autonomy)
        wanted.autonomy = mine.autonomy;
    if (mine.access != old.access)
        wanted.access = mine.access;
    if (mine.unattended != old.unattended)
        wanted.unattended = mine.unattended;
    for (const QString &name : old.requireApprovalFor) {
        if (!mine.requireApprovalFor.contains(name))
            wanted.requireApprovalFor.removeAll(name);
    }
    for (const QString &name : mine.requireApprovalFor) {
        if (!old.requireApprovalFor.contains(name) && !wanted.requireApprovalFor.contains(name))
            wanted.requireApprovalFor.append(name);
    }
    m_base = view.document;
    showFields(wanted);
    refresh();
}

void AgentSecurity::sayOvertaken()
{
    m_bar->showProblem(tr("The policy was changed meanwhile"),
                       tr("Revert shows it as it is now. Saving puts what stands here in its "
                          "place."));
}

void AgentSecurity::showFields(const SecurityFields &fields)
{
    m_autonomy->setValue(fields.autonomy);
    m_access->setValue(fields.access);
    m_unattended->setValue(fields.unattended);
    QStringList rest;
    for (QCheckBox *box : std::as_const(m_kinds))
        box->setChecked(false);
    for (const QString &name : fields.requireApprovalFor) {
        if (QCheckBox *box = m_kinds.value(name))
            box->setChecked(true);
        else
            rest.append(name);
    }
    m_tools->setText(rest.join(QStringLiteral(", ")));
}

SecurityFields AgentSecurity::fields() const
{
    SecurityFields fields{m_autonomy->value(), m_access->value(), m_unattended->value(), {}};
    // In the document's order, so that nothing looks changed that is not.
    const QStringList before =
        securityFieldsOf(m_base).value_or(SecurityFields{}).requireApprovalFor;
    QStringList wanted;
    for (auto it = m_kinds.cbegin(); it != m_kinds.cend(); ++it) {
        if (it.value()->isChecked())
            wanted.append(it.key());
    }
    for (const QString &name : m_tools->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (!name.trimmed().isEmpty() && !wanted.contains(name.trimmed()))
            wanted.append(name.trimmed());
    }
    for (const QString &name : before) {
        if (wanted.removeOne(name))
            fields.requireApprovalFor.append(name);
    }
    fields.requireApprovalFor += wanted;
    return fields;
}

QString AgentSecurity::document() const
{
    if (!m_json->isHidden())
        return m_json->toPlainText();
    std::optional<QString> token;
    if (m_tokenGoes)
        token = QString();
    else if (!m_token->text().isEmpty())
        token = m_token->text();
    return withSecurityFields(m_base, fields(), token);
}

bool AgentSecurity::hasChanges() const
{
    if (!m_loaded)
        return false;
    if (!m_json->isHidden())
        return m_json->toPlainText() != prettyDocument(m_saved.document);
    const SecurityFields saved = securityFieldsOf(m_saved.document).value_or(SecurityFields{});
    return m_tokenGoes || !m_token->text().isEmpty()
        || withSecurityFields(m_base, fields()) != withSecurityFields(m_saved.document, saved);
}

void AgentSecurity::showJson(bool json)
{
    if (json != m_json->isHidden())
        return;
    if (json) {
        m_json->setPlainText(prettyDocument(document()));
        m_token->clear();
        m_tokenGoes = false;
    } else if (const auto fields = securityFieldsOf(m_json->toPlainText())) {
        // Keys without a field stay in the document.
        m_base = m_json->toPlainText();
        showFields(*fields);
    } else {
        m_bar->showProblem(tr("This is not a JSON object"),
                           tr("Mend it, or take it back with Revert."));
        return;
    }
    m_json->setVisible(json);
    m_fields->setVisible(!json);
    m_jsonButton->setText(json ? tr("Show fields") : tr("Edit as JSON"));
    m_bar->clearProblem();
    refresh();
    if (json)
        m_json->setFocus();
}

void AgentSecurity::refresh()
{
    m_autonomyRow->setHelp(autonomyMeaning(m_autonomy->value()));
    m_asksRow->setEnabled(m_autonomy->value() == QLatin1String("supervised"));
    m_accessRow->setHelp(accessMeaning(m_access->value()));
    const bool isSet = m_saved.accessTokenSet && !m_tokenGoes;
    m_removeToken->setVisible(isSet && m_token->text().isEmpty());
    m_token->setPlaceholderText(isSet ? tr("set; type another to replace it") : tr("not set"));
    m_tokenRow->setHelp(m_access->value() == QLatin1String("protected") && !isSet
                                && m_token->text().isEmpty()
                            ? tr("Without one nobody could join a protected agent.")
                            : tr("Only a hash of it is kept."));
    m_bar->setState(hasChanges(), m_json->isHidden() || isJsonObject(m_json->toPlainText()));
    if (!m_json->isHidden() && !isJsonObject(m_json->toPlainText()))
        m_bar->saveButton()->setToolTip(tr("It is not a JSON object."));
    else
        m_bar->saveButton()->setToolTip({});
}

void AgentSecurity::save()
{
    if (std::exchange(m_isOvertaken, false)) {
        // Once more, and it is meant.
        sayOvertaken();
        return;
    }
    m_bar->setBusy(true);
    application::deliver(
        this, m_client, application::SetSecurity{m_agent, document()},
        [this](const Result<SecurityView> &view) {
            m_bar->setBusy(false);
            if (!view) {
                // One line for each thing that is wrong.
                QString why = view.error().detail;
                why.replace(QLatin1String("; "), QLatin1String("\n"));
                m_bar->showProblem(
                    tr("%1: %2", "what and why").arg(tr("Not saved"), view.error().message), why);
                return;
            }
            take(*view);
            m_bar->showSaved();
        });
}

} // namespace berth::ui
