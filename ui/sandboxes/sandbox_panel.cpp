// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/sandbox_panel.h"

#include "ui/agents/lifecycle_form.h"
#include "ui/models/agent_documents.h"
#include "ui/models/agent_text.h"
#include "ui/models/sandbox_model.h"
#include "ui/sandboxes/sandbox_actions.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtWidgets/QGridLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

SandboxPanel::SandboxPanel(application::EngineClient &client, SandboxModel &model,
                           SandboxActions &actions, const domain::SandboxId &sandbox,
                           QWidget *parent)
    : Card(parent),
      m_model(model),
      m_actions(actions),
      m_sandbox(sandbox),
      m_title(new Label(TextRole::Header)),
      m_facts(new QGridLayout),
      m_notice(new Banner(Tone::Warn)),
      m_lifecycle(new LifecycleForm(client, {}, sandbox)),
      m_actionsButton(new Button(tr("Actions")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(23, 15, 23, 19);
    column->setSpacing(12);
    auto *head = new QHBoxLayout;
    m_title->setWrapped(true);
    head->addWidget(m_title, 1);
    m_actionsButton->setOpens(true);
    head->addWidget(m_actionsButton, 0, Qt::AlignTop);
    auto *close = new IconButton(Glyph::Close, tr("Close"));
    head->addWidget(close, 0, Qt::AlignTop);
    column->addLayout(head);
    column->addWidget(m_notice);
    m_facts->setHorizontalSpacing(16);
    m_facts->setVerticalSpacing(8);
    m_facts->setColumnStretch(1, 1);
    column->addLayout(m_facts);
    m_status = addFact(tr("Lifecycle"));
    m_runtime = addFact(tr("Runtime"));
    m_place = addFact(tr("Provider"));
    m_external = addFact(tr("External id"));
    m_threads = addFact(tr("Threads"));
    m_config = addFact(tr("Config"));
    for (Label *mono : {m_external, m_config})
        mono->setRole(TextRole::MonoSmall);
    column->addWidget(new Divider);
    column->addWidget(new Label(tr("When it starts and stops"), TextRole::BodyStrong));
    column->addWidget(m_lifecycle);
    connect(close, &QToolButton::clicked, this, &SandboxPanel::closed);
    connect(m_lifecycle, &LifecycleForm::providerSettingsRequested, this,
            &SandboxPanel::providerSettingsRequested);
    connect(m_actionsButton, &QPushButton::clicked, this, [this] {
        m_actions.menuFor(m_sandbox, m_actionsButton)
            ->popup(m_actionsButton->mapToGlobal(QPoint(0, m_actionsButton->height() + 4)));
    });
    refresh();
}

Label *SandboxPanel::addFact(const QString &name)
{
    auto *label = new Label;
    label->setWrapped(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    const int row = m_facts->rowCount();
    m_facts->addWidget(new Label(name, TextRole::Body, Ink::Secondary), row, 0, Qt::AlignTop);
    m_facts->addWidget(label, row, 1);
    return label;
}

void SandboxPanel::refresh()
{
    const application::SandboxView *row = m_model.find(m_sandbox);
    if (!row)
        return;
    const QModelIndex index = m_model.indexOf(m_sandbox);
    const auto cell = [&index](int column) {
        return index.siblingAtColumn(column).data().toString();
    };
    m_title->setText(
        tr("%1 / %2", "agent and sandbox").arg(m_model.agentName(row->agent), row->alias));
    setAccessibleName(m_title->text());
    m_notice->setText(row->notice);
    m_notice->setVisible(!row->notice.isEmpty());
    const QString why =
        index.siblingAtColumn(SandboxModel::Lifecycle).data(Qt::ToolTipRole).toString();
    m_status->setText(cell(SandboxModel::Lifecycle));
    m_status->setToolTip(why);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QString state = m_model.stateOfRow(*row, false).word;
    m_runtime->setText(row->lastSeenAt.isValid()
                           ? tr("%1, last seen %2").arg(state, agoText(row->lastSeenAt, now))
                           : tr("%1, never seen").arg(state));
    QStringList titles;
    for (const application::ThreadView &thread : m_model.threadsOf(m_sandbox))
        titles.append(thread.title);
    m_threads->setText(titles.isEmpty() ? tr("none") : titles.join(QLatin1Char('\n')));
    m_place->setText(row->label.isEmpty() ? row->type : row->label);
    m_external->setText(cell(SandboxModel::External));
    m_config->setText(configValues(row->config).isEmpty() ? QStringLiteral("{}")
                                                          : prettyDocument(row->config));
    m_lifecycle->setVisible(row->status != QLatin1String("deleted"));
}

bool SandboxPanel::hasChanges() const
{
    return !m_lifecycle->isHidden() && m_lifecycle->hasChanges();
}

QString SandboxPanel::config() const
{
    return m_config->text();
}

} // namespace berth::ui
