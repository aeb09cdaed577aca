// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"
#include "ui/models/agent_documents.h"

#include <QtWidgets/QWidget>

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Button;
class FormRow;
class RadioChips;
class SaveBar;

//! The security policy of an agent: as fields, or as the JSON document itself. Saved whole.
class AgentSecurity final : public QWidget
{
    Q_OBJECT
public:
    AgentSecurity(application::EngineClient &client, const domain::AgentId &agent,
                  QWidget *parent = nullptr);

    void load();
    [[nodiscard]] bool hasChanges() const;
    //! The document instead of the fields; both show the same.
    void showJson(bool json);

    [[nodiscard]] RadioChips *autonomy() const { return m_autonomy; }
    [[nodiscard]] QCheckBox *asks(const QString &kind) const { return m_kinds.value(kind); }
    [[nodiscard]] QLineEdit *tools() const { return m_tools; }
    [[nodiscard]] RadioChips *access() const { return m_access; }
    [[nodiscard]] QLineEdit *token() const { return m_token; }
    [[nodiscard]] Button *jsonButton() const { return m_jsonButton; }
    [[nodiscard]] QPlainTextEdit *json() const { return m_json; }
    [[nodiscard]] SaveBar *bar() const { return m_bar; }

private:
    void buildFields();
    void take(const application::SecurityView &view);
    //! Changed meanwhile by somebody else, while something is typed here.
    void takeUnder(const application::SecurityView &view);
    void showFields(const SecurityFields &fields);
    [[nodiscard]] SecurityFields fields() const;
    //! What would be saved now.
    [[nodiscard]] QString document() const;
    void refresh();
    void save();
    void sayOvertaken();

    application::EngineClient &m_client;
    domain::AgentId m_agent;
    application::SecurityView m_saved;
    //! What the fields are laid over: as saved, or as edited as JSON.
    QString m_base;
    QWidget *m_fields;
    RadioChips *m_autonomy = nullptr;
    FormRow *m_autonomyRow = nullptr;
    QMap<QString, QCheckBox *> m_kinds;
    QWidget *m_asksRow = nullptr;
    QLineEdit *m_tools = nullptr;
    RadioChips *m_unattended = nullptr;
    RadioChips *m_access = nullptr;
    FormRow *m_accessRow = nullptr;
    QLineEdit *m_token = nullptr;
    FormRow *m_tokenRow = nullptr;
    Button *m_removeToken = nullptr;
    QPlainTextEdit *m_json;
    Button *m_jsonButton;
    SaveBar *m_bar;
    bool m_loaded = false;
    bool m_tokenGoes = false;
    //! The whole document is typed here and another one was saved meanwhile: saved once that was
    //! said.
    bool m_isOvertaken = false;
};

} // namespace berth::ui
