// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/widgets/card.h"

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class AgentBasics;
class AgentSecurity;
class AgentSkills;
class Button;
class IconButton;
class Label;
class LifecycleForm;
class TabStrip;

//! One agent: what it is, its policy, its lifecycle, its skills. Of a new one only the first.
class AgentPanel final : public Card
{
    Q_OBJECT
public:
    enum class Tab { Basics, Security, Lifecycle, Skills };

    //! A null id in \a agent: a new one.
    AgentPanel(application::EngineClient &client, const application::AgentView &agent,
               QWidget *parent = nullptr);

    [[nodiscard]] const domain::AgentId &agent() const { return m_agent; }
    [[nodiscard]] bool isNew() const { return m_agent.isNull(); }
    //! As the Engine has it now.
    void setAgent(const application::AgentView &agent);
    void showTab(Tab tab);
    [[nodiscard]] bool hasChanges() const;

    [[nodiscard]] AgentBasics *basics() const { return m_basics; }
    //! Null until their tab was shown.
    [[nodiscard]] AgentSecurity *security() const { return m_security; }
    [[nodiscard]] LifecycleForm *lifecycle() const { return m_lifecycle; }
    [[nodiscard]] AgentSkills *skills() const { return m_skills; }
    [[nodiscard]] TabStrip *tabs() const { return m_tabs; }
    [[nodiscard]] Button *removeButton() const { return m_remove; }
    [[nodiscard]] IconButton *closeButton() const { return m_close; }

Q_SIGNALS:
    //! The user wants it away; what was typed may still be in it.
    void closed();
    //! A new one that is not wanted after all.
    void dropped();
    void saved(const berth::domain::AgentId &agent);
    void removeRequested();
    void providerSettingsRequested();

private:
    void showPart(QWidget *part);

    application::EngineClient &m_client;
    domain::AgentId m_agent;
    Label *m_title;
    IconButton *m_close;
    TabStrip *m_tabs = nullptr;
    QLayout *m_parts;
    AgentBasics *m_basics;
    AgentSecurity *m_security = nullptr;
    LifecycleForm *m_lifecycle = nullptr;
    AgentSkills *m_skills = nullptr;
    Button *m_remove = nullptr;
};

} // namespace berth::ui
