// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/security_section.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/settings/audit_view.h"
#include "ui/settings/hook_settings.h"
#include "ui/settings/rule_list.h"
#include "ui/widgets/tab_strip.h"

#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

SecuritySection::SecuritySection(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_tabs(new TabStrip),
      m_rules(new RuleList(client)),
      m_hooks(new HookSettings(client)),
      m_audit(new AuditView(client))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(14);
    m_tabs->setAccessibleName(tr("Parts of Security"));
    m_tabs->addTab(tr("Rules"));
    m_tabs->addTab(tr("Hooks"));
    m_tabs->addTab(tr("Audit"));
    column->addWidget(m_tabs);
    // Not a stack: that would be as high as its highest page.
    for (QWidget *part : std::initializer_list<QWidget *>{m_rules, m_hooks, m_audit})
        column->addWidget(part, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &SecuritySection::showTab);
    showTab(0);
}

void SecuritySection::showPart(Part part)
{
    m_tabs->setCurrentIndex(static_cast<int>(part));
}

void SecuritySection::showTab(int tab)
{
    m_rules->setVisible(tab == static_cast<int>(Part::Rules));
    m_hooks->setVisible(tab == static_cast<int>(Part::Hooks));
    m_audit->setVisible(tab == static_cast<int>(Part::Audit));
    if (isVisible())
        loadShown();
}

void SecuritySection::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    loadShown();
}

void SecuritySection::loadShown()
{
    if (!m_rules->isHidden())
        m_rules->load();
    else if (!m_hooks->isHidden())
        m_hooks->load();
    else
        m_audit->load();
}

void SecuritySection::loadNames()
{
    application::deliver(this, m_client, application::GetSnapshot{},
                         [this](const domain::Result<application::Snapshot> &answer) {
                             // Without them ids are shown.
                             if (!answer)
                                 return;
                             const SecurityNames names{answer->agents, answer->threads};
                             m_rules->setNames(names);
                             m_audit->setNames(names);
                             Q_EMIT namesChanged(names);
                         });
}

} // namespace berth::ui
