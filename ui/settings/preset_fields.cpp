// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preset_fields.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/models/agent_documents.h"
#include "ui/settings/provider_fields.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProviderForm;
using domain::Result;

PresetFields::PresetFields(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_note(new Label(TextRole::Body, Ink::Secondary)),
      m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(12);
    m_note->setWrapped(true);
    m_column->addWidget(m_note);
    m_note->hide();
}

void PresetFields::load(const domain::ConfigName &provider, const QString &config)
{
    m_provider = provider;
    m_config = config;
    const int asked = ++m_asked;
    application::deliver(this, m_client, application::GetProviderForm{provider},
                         [this, asked](const Result<ProviderForm> &form) {
                             // Another type was chosen in between.
                             if (asked == m_asked)
                                 take(form);
                         });
}

void PresetFields::take(const Result<ProviderForm> &form)
{
    if (m_fields) {
        m_column->removeWidget(m_fields);
        m_fields->hide();
        m_fields->deleteLater();
        m_fields = nullptr;
    }
    m_note->setVisible(!form);
    if (!form) {
        m_note->setText(form.error().message);
        Q_EMIT changed();
        return;
    }
    const ProviderForm shown = filled(*form);
    m_known = shown.fields;
    m_note->setVisible(m_known.isEmpty());
    m_note->setText(tr("It has no settings of its own."));
    m_fields = new ProviderFields(shown);
    m_column->insertWidget(0, m_fields);
    m_fields->show();
    connect(m_fields, &ProviderFields::changed, this, &PresetFields::changed);
    Q_EMIT changed();
}

ProviderForm PresetFields::filled(ProviderForm form) const
{
    form.examples.clear();
    form.fields = rowFields(form.fields);
    const QMap<QString, QString> values = configValues(m_config);
    for (application::FieldView &field : form.fields)
        field.value = values.value(field.key);
    return form;
}

void PresetFields::setConfigUnder(const QString &config)
{
    m_config = config;
    if (!m_fields)
        return;
    ProviderForm form;
    form.fields = m_known;
    form = filled(form);
    m_known = form.fields;
    m_fields->setSavedUnder(form);
}

QString PresetFields::config() const
{
    return m_fields ? withConfigValues(m_config, m_known, m_fields->values()) : m_config;
}

bool PresetFields::isChanged() const
{
    return m_fields && m_fields->isChanged();
}

bool PresetFields::isValid() const
{
    return m_fields && m_fields->isValid();
}

void PresetFields::showProblems()
{
    if (m_fields)
        m_fields->showProblems();
}

} // namespace berth::ui
