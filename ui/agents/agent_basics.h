// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class FormRow;
class RadioChips;
class SaveBar;

//! Name, model and instructions of an agent; of a new one also its first sandbox, approvals and
//! access.
class AgentBasics final : public QWidget
{
    Q_OBJECT
public:
    //! A null id in \a agent: a new one.
    AgentBasics(application::EngineClient &client, const application::AgentView &agent,
                QWidget *parent = nullptr);

    //! As the Engine has it now; what was typed and not saved stays.
    void setAgent(const application::AgentView &agent);
    [[nodiscard]] bool isNew() const { return m_agent.id.isNull(); }
    [[nodiscard]] bool hasChanges() const;
    void save();

    [[nodiscard]] QLineEdit *name() const { return m_name; }
    [[nodiscard]] QComboBox *model() const { return m_model; }
    [[nodiscard]] QComboBox *sandbox() const { return m_sandbox; }
    [[nodiscard]] QComboBox *approvals() const { return m_approvals; }
    [[nodiscard]] RadioChips *access() const { return m_access; }
    [[nodiscard]] QPlainTextEdit *instructions() const { return m_instructions; }
    [[nodiscard]] SaveBar *bar() const { return m_bar; }
    [[nodiscard]] FormRow *sandboxRow() const { return m_sandboxRow; }

Q_SIGNALS:
    void saved(const berth::domain::AgentId &agent);
    void cancelled();

private:
    void buildNew(QLayout *column);
    void loadModels();
    void loadPresets();
    void takePresets(const application::PresetList &presets);
    void showSandboxHelp();
    void refresh();
    [[nodiscard]] application::SaveAgent command() const;

    application::EngineClient &m_client;
    application::AgentView m_agent;
    application::PresetList m_presets;
    QLineEdit *m_name;
    FormRow *m_nameRow;
    QComboBox *m_model;
    QComboBox *m_sandbox = nullptr;
    FormRow *m_sandboxRow = nullptr;
    QComboBox *m_approvals = nullptr;
    RadioChips *m_access = nullptr;
    QPlainTextEdit *m_instructions;
    SaveBar *m_bar;
};

} // namespace berth::ui
