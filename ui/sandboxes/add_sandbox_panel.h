// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/widgets/card.h"

class QComboBox;
class QLineEdit;

namespace berth::ui {

class EngineState;
class FormRow;
class PresetFields;
class RadioChips;
class SaveBar;

//! A new sandbox row: whose, from a preset or a provider, with settings of its own.
class AddSandboxPanel final : public Card
{
    Q_OBJECT
public:
    AddSandboxPanel(EngineState &state, const domain::AgentId &agent, QWidget *parent = nullptr);

    void save();
    //! Something is typed that is not saved.
    [[nodiscard]] bool hasChanges() const;

    [[nodiscard]] QComboBox *agent() const { return m_agent; }
    [[nodiscard]] QLineEdit *alias() const { return m_alias; }
    //! "preset", "provider"
    [[nodiscard]] RadioChips *from() const { return m_from; }
    [[nodiscard]] QComboBox *preset() const { return m_preset; }
    [[nodiscard]] QComboBox *provider() const { return m_provider; }
    [[nodiscard]] PresetFields *fields() const { return m_fields; }
    [[nodiscard]] SaveBar *bar() const { return m_bar; }

Q_SIGNALS:
    void closed();
    void added(const berth::application::SandboxView &sandbox);
    void presetSettingsRequested();

private:
    void loadPresets();
    void takePresets(const application::PresetList &presets);
    void fillProviders();
    void loadFields();
    void refresh();
    [[nodiscard]] application::AddSandbox command() const;

    EngineState &m_state;
    application::PresetList m_presets;
    QComboBox *m_agent;
    QLineEdit *m_alias;
    FormRow *m_aliasRow;
    RadioChips *m_from;
    QComboBox *m_preset;
    FormRow *m_presetRow;
    QComboBox *m_provider;
    FormRow *m_providerRow;
    PresetFields *m_fields;
    SaveBar *m_bar;
    //! By the user: a preset or a type, and which.
    bool m_isChosen = false;
};

} // namespace berth::ui
