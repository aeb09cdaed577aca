// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/agents/agent_skills.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "domain/sandbox/naming.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/save_bar.h"

#include <QtCore/QDir>
#include <QtCore/QSet>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::SkillList;
using application::SkillView;
using domain::Result;

SkillRow::SkillRow(const SkillView &skill, QWidget *parent)
    : QWidget(parent),
      m_name(new QLineEdit(skill.name)),
      m_source(new QLineEdit(skill.source)),
      m_sourceRow(new FormRow(tr("Folder"), m_source)),
      m_remove(new IconButton(Glyph::Trash, tr("Remove skill %1").arg(skill.name)))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto *name = new FormRow(tr("Name"), m_name);
    name->addBeside(m_remove);
    column->addWidget(name);
    m_source->setFont(fontFor(TextRole::MonoSmall));
    auto *choose = new Button(tr("Choose…"));
    m_sourceRow->addBeside(choose);
    column->addWidget(m_sourceRow);
    column->addWidget(new Divider);
    setProblem(skill.problem);
    for (QLineEdit *line : {m_name, m_source})
        connect(line, &QLineEdit::textEdited, this, &SkillRow::edited);
    connect(choose, &QPushButton::clicked, this, &SkillRow::chooseRequested);
    connect(m_remove, &QToolButton::clicked, this, &SkillRow::removeRequested);
}

SkillView SkillRow::skill() const
{
    SkillView skill;
    skill.name = m_name->text().trimmed();
    skill.source = m_source->text().trimmed();
    return skill;
}

void SkillRow::setProblem(const QString &problem)
{
    m_sourceRow->setError(problem);
}

QString SkillRow::problem() const
{
    return m_sourceRow->error();
}

void SkillRow::setSource(const QString &source)
{
    m_source->setText(source);
    Q_EMIT edited();
}

AgentSkills::AgentSkills(application::EngineClient &client, const domain::AgentId &agent,
                         QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_agent(agent),
      m_column(new QVBoxLayout),
      m_none(new Label(tr("It has none."), TextRole::Body, Ink::Secondary)),
      m_pending(new Label(TextRole::Caption, Ink::Secondary)),
      m_add(new Button(tr("Add a folder…"))),
      m_bar(new SaveBar(tr("Save")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    auto *intro = new Label(tr("Folders of this machine that Berth copies into each of its "
                               "sandboxes, below .berth/skills."),
                            TextRole::Body, Ink::Secondary);
    intro->setWrapped(true);
    column->addWidget(intro);
    column->addWidget(m_none);
    m_column->setSpacing(12);
    column->addLayout(m_column);
    auto *line = new QHBoxLayout;
    m_add->setGlyph(Glyph::Plus);
    line->addWidget(m_add);
    line->addStretch(1);
    column->addLayout(line);
    m_pending->setWrapped(true);
    column->addWidget(m_pending);
    m_pending->hide();
    column->addWidget(m_bar);
    connect(m_add, &QPushButton::clicked, this, [this] { choose(nullptr); });
    connect(m_bar->saveButton(), &QPushButton::clicked, this, &AgentSkills::save);
    connect(m_bar->revertButton(), &QPushButton::clicked, this, [this] {
        m_bar->clearProblem();
        take(m_saved);
    });
    setEnabled(false);
    load();
}

void AgentSkills::load()
{
    application::deliver(this, m_client, application::ListSkills{m_agent},
                         [this](const Result<SkillList> &list) {
                             if (!list) {
                                 m_bar->showProblem(tr("The skills cannot be read"), list.error());
                                 return;
                             }
                             setEnabled(true);
                             const bool keeps = m_loaded && hasChanges();
                             m_loaded = true;
                             if (!keeps)
                                 take(*list);
                         });
}

void AgentSkills::take(const SkillList &list)
{
    m_saved = list;
    for (SkillRow *row : std::as_const(m_rows)) {
        m_column->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (const SkillView &skill : list.skills)
        addRow(skill);
    m_pending->setText(tr("Copied into %1 when used next.", "names of sandboxes")
                           .arg(list.pending.join(tr(", ", "between names of sandboxes"))));
    m_pending->setVisible(!list.pending.isEmpty());
    refresh();
}

QString AgentSkills::pendingText() const
{
    return m_pending->isHidden() ? QString() : m_pending->text();
}

SkillRow *AgentSkills::addRow(const SkillView &skill)
{
    auto *row = new SkillRow(skill, this);
    m_rows.append(row);
    m_column->addWidget(row);
    row->show();
    connect(row, &SkillRow::edited, this, [this, row] {
        row->setProblem({});
        refresh();
    });
    connect(row, &SkillRow::chooseRequested, this, [this, row] { choose(row); });
    connect(row, &SkillRow::removeRequested, this, [this, row] {
        m_rows.removeOne(row);
        m_column->removeWidget(row);
        row->hide();
        row->deleteLater();
        m_add->setFocus();
        refresh();
    });
    return row;
}

QList<SkillView> AgentSkills::skills() const
{
    QList<SkillView> list;
    for (const SkillRow *row : m_rows)
        list.append(row->skill());
    return list;
}

void AgentSkills::choose(SkillRow *row)
{
    if (m_chooser)
        return;
    m_chooser = new QFileDialog(this, tr("Choose a skill's folder"),
                                row ? row->skill().source : QDir::homePath());
    m_chooser->setAttribute(Qt::WA_DeleteOnClose);
    m_chooser->setFileMode(QFileDialog::Directory);
    m_chooser->setOption(QFileDialog::ShowDirsOnly);
    const QPointer<SkillRow> guard(row);
    const bool isNew = row == nullptr;
    connect(m_chooser, &QFileDialog::fileSelected, this, [this, guard, isNew](const QString &path) {
        if (isNew)
            addFolder(path);
        else if (guard)
            guard->setSource(path);
    });
    m_chooser->open();
}

void AgentSkills::addFolder(const QString &directory)
{
    SkillView skill;
    skill.source = QDir::cleanPath(directory);
    skill.name = domain::nameFrom(QDir(skill.source).dirName());
    addRow(skill)->name()->setFocus();
    refresh();
}

bool AgentSkills::hasChanges() const
{
    if (!m_loaded)
        return false;
    QList<SkillView> before = m_saved.skills;
    for (SkillView &skill : before)
        skill.problem.clear();
    return skills() != before;
}

bool AgentSkills::check()
{
    bool right = true;
    QSet<QString> names;
    for (SkillRow *row : std::as_const(m_rows)) {
        const SkillView skill = row->skill();
        QString problem;
        if (!domain::isValidName(skill.name))
            problem = tr("A skill's name has up to 32 small letters, digits, - and _.");
        else if (names.contains(skill.name))
            problem = tr("Two skills have this name.");
        else if (!QDir::isAbsolutePath(skill.source))
            problem = tr("Name a folder by its whole path.");
        names.insert(skill.name);
        if (!problem.isEmpty())
            row->setProblem(problem);
        right = right && problem.isEmpty();
    }
    return right;
}

void AgentSkills::refresh()
{
    m_none->setVisible(m_loaded && m_rows.isEmpty());
    m_bar->setState(hasChanges(), true);
}

void AgentSkills::save()
{
    if (!check())
        return;
    m_bar->setBusy(true);
    application::deliver(this, m_client, application::SetSkills{m_agent, skills()},
                         [this](const Result<SkillList> &list) {
                             m_bar->setBusy(false);
                             if (!list) {
                                 m_bar->showProblem(tr("Not saved"), list.error());
                                 return;
                             }
                             take(*list);
                             m_bar->showSaved();
                         });
}

} // namespace berth::ui
