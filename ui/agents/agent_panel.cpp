// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/agents/agent_panel.h"

#include "domain/agent/default_agent.h"
#include "ui/agents/agent_basics.h"
#include "ui/agents/agent_security.h"
#include "ui/agents/agent_skills.h"
#include "ui/agents/lifecycle_form.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/save_bar.h"
#include "ui/widgets/tab_strip.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

AgentPanel::AgentPanel(application::EngineClient &client, const application::AgentView &agent,
                       QWidget *parent)
    : Card(parent),
      m_client(client),
      m_agent(agent.id),
      m_title(new Label(agent.id.isNull() ? tr("New agent") : agent.name, TextRole::Header)),
      m_close(new IconButton(Glyph::Close, tr("Close"))),
      m_basics(new AgentBasics(client, agent))
{
    setAccessibleName(isNew() ? tr("New agent") : tr("Agent %1").arg(agent.name));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(23, 15, 23, 19);
    column->setSpacing(12);
    auto *head = new QHBoxLayout;
    m_title->setWrapped(true);
    head->addWidget(m_title, 1);
    head->addWidget(m_close, 0, Qt::AlignTop);
    column->addLayout(head);
    auto *parts = new QVBoxLayout;
    parts->setSpacing(12);
    m_parts = parts;
    if (!isNew()) {
        m_tabs = new TabStrip;
        for (const QString &name : {tr("Agent"), tr("Security"), tr("Lifecycle"), tr("Skills")})
            m_tabs->addTab(name);
        m_tabs->setAccessibleName(tr("Parts of the agent"));
        column->addWidget(m_tabs);
        connect(m_tabs, &QTabBar::currentChanged, this,
                [this](int index) { showTab(static_cast<Tab>(index)); });
        // "default" is always there.
        if (m_agent != domain::defaultAgent()) {
            m_remove = new Button(tr("Delete agent…"), ButtonKind::Ghost);
            m_basics->bar()->addWidget(m_remove);
            connect(m_remove, &QPushButton::clicked, this, &AgentPanel::removeRequested);
        }
    }
    column->addLayout(parts);
    parts->addWidget(m_basics);
    connect(m_close, &QToolButton::clicked, this, &AgentPanel::closed);
    connect(m_basics, &AgentBasics::cancelled, this, &AgentPanel::dropped);
    connect(m_basics, &AgentBasics::saved, this, &AgentPanel::saved);
}

void AgentPanel::setAgent(const application::AgentView &agent)
{
    m_title->setText(agent.name);
    m_basics->setAgent(agent);
    // Somebody else may have changed what the agent's document says.
    if (m_security)
        m_security->load();
}

void AgentPanel::showTab(Tab tab)
{
    if (!m_tabs)
        return;
    m_tabs->setCurrentIndex(static_cast<int>(tab));
    switch (tab) {
    case Tab::Basics:
        showPart(m_basics);
        break;
    case Tab::Security:
        if (!m_security)
            m_security = new AgentSecurity(m_client, m_agent);
        showPart(m_security);
        break;
    case Tab::Lifecycle:
        if (!m_lifecycle) {
            m_lifecycle = new LifecycleForm(m_client, m_agent, {});
            connect(m_lifecycle, &LifecycleForm::providerSettingsRequested, this,
                    &AgentPanel::providerSettingsRequested);
        }
        showPart(m_lifecycle);
        break;
    case Tab::Skills:
        if (!m_skills)
            m_skills = new AgentSkills(m_client, m_agent);
        showPart(m_skills);
        break;
    }
}

void AgentPanel::showPart(QWidget *part)
{
    if (m_parts->indexOf(part) < 0)
        m_parts->addWidget(part);
    for (int i = 0; i < m_parts->count(); ++i)
        m_parts->itemAt(i)->widget()->setVisible(m_parts->itemAt(i)->widget() == part);
}

bool AgentPanel::hasChanges() const
{
    return m_basics->hasChanges() || (m_security && m_security->hasChanges())
        || (m_lifecycle && m_lifecycle->hasChanges()) || (m_skills && m_skills->hasChanges());
}

} // namespace berth::ui
