// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"

#include <QtCore/QPointer>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QWidget>

class QLineEdit;
class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Button;
class FormRow;
class IconButton;
class Label;
class SaveBar;

//! One skill: the name of its folder in the sandboxes, and where it comes from.
class SkillRow final : public QWidget
{
    Q_OBJECT
public:
    explicit SkillRow(const application::SkillView &skill, QWidget *parent = nullptr);

    [[nodiscard]] application::SkillView skill() const;
    void setProblem(const QString &problem);
    [[nodiscard]] QString problem() const;
    void setSource(const QString &source);
    [[nodiscard]] QLineEdit *name() const { return m_name; }
    [[nodiscard]] QLineEdit *source() const { return m_source; }
    [[nodiscard]] IconButton *removeButton() const { return m_remove; }

Q_SIGNALS:
    void edited();
    void chooseRequested();
    void removeRequested();

private:
    QLineEdit *m_name;
    QLineEdit *m_source;
    FormRow *m_sourceRow;
    IconButton *m_remove;
};

//! Folders of this machine that are in every sandbox of an agent.
class AgentSkills final : public QWidget
{
    Q_OBJECT
public:
    AgentSkills(application::EngineClient &client, const domain::AgentId &agent,
                QWidget *parent = nullptr);

    void load();
    [[nodiscard]] bool hasChanges() const;
    //! As the folder was chosen; its name becomes the skill's.
    void addFolder(const QString &directory);

    [[nodiscard]] const QList<SkillRow *> &rows() const { return m_rows; }
    [[nodiscard]] Button *addButton() const { return m_add; }
    [[nodiscard]] SaveBar *bar() const { return m_bar; }
    [[nodiscard]] QString pendingText() const;
    //! The open chooser, if there is one.
    [[nodiscard]] QFileDialog *chooser() const { return m_chooser; }

private:
    void take(const application::SkillList &list);
    SkillRow *addRow(const application::SkillView &skill);
    [[nodiscard]] QList<application::SkillView> skills() const;
    //! \a row: whose source; nullptr: a new one.
    void choose(SkillRow *row);
    bool check();
    void refresh();
    void save();

    application::EngineClient &m_client;
    domain::AgentId m_agent;
    application::SkillList m_saved;
    QList<SkillRow *> m_rows;
    QVBoxLayout *m_column;
    Label *m_none;
    Label *m_pending;
    Button *m_add;
    SaveBar *m_bar;
    QPointer<QFileDialog> m_chooser;
    bool m_loaded = false;
};

} // namespace berth::ui
