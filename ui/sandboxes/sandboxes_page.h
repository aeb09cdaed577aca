// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

#include <functional>

class QCheckBox;

namespace berth::ui {

class AddSandboxPanel;
class Banner;
class Button;
class CardTable;
class ConfirmDialog;
class EmptyState;
class EngineState;
class Label;
class LinkButton;
class ListAndPanel;
class SandboxActions;
class SandboxFilterModel;
class SandboxModel;
class SandboxPanel;
class SearchField;

//! Every sandbox of every agent, and what can be done to one.
class SandboxesPage final : public QWidget
{
    Q_OBJECT
public:
    explicit SandboxesPage(EngineState &state, QWidget *parent = nullptr);

    void addSandbox();
    void showSandbox(const domain::SandboxId &sandbox);
    void closePanel();
    //! Also the deleted ones, from the Engine.
    void load();

    [[nodiscard]] CardTable *table() const { return m_table; }
    [[nodiscard]] SandboxModel *model() const { return m_model; }
    [[nodiscard]] SandboxFilterModel *filter() const { return m_filter; }
    [[nodiscard]] SandboxActions *actions() const { return m_actions; }
    [[nodiscard]] SearchField *search() const { return m_search; }
    [[nodiscard]] Button *addButton() const { return m_add; }
    [[nodiscard]] QCheckBox *deletedBox() const { return m_deleted; }
    [[nodiscard]] Button *agentButton() const { return m_agentButton; }
    [[nodiscard]] Button *typeButton() const { return m_typeButton; }
    [[nodiscard]] Banner *failure() const { return m_failure; }
    [[nodiscard]] EmptyState *emptyState() const { return m_empty; }
    [[nodiscard]] Button *emptyAction() const { return m_emptyAction; }
    [[nodiscard]] QString leftText() const;
    //! nullptr: none is open.
    [[nodiscard]] AddSandboxPanel *addPanel() const;
    [[nodiscard]] SandboxPanel *panel() const;
    //! Whether what was typed may go; null: it is not asked.
    [[nodiscard]] ConfirmDialog *question() const;

Q_SIGNALS:
    void openThread(const berth::domain::ThreadId &thread);
    void showRuntime(const QString &runtime);
    void providerSettingsRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void timerEvent(QTimerEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *buildList();
    QWidget *buildFilters();
    void onEvent(const application::Event &event);
    void refresh();
    void showAll();
    void chooseAgent();
    void chooseType();
    //! A menu of values for one filter below its button.
    void chooseFrom(Button *button, const QList<QPair<QString, QString>> &choices,
                    const QString &current, void (SandboxFilterModel::*set)(const QString &));
    void mark();
    //! Asks first where something is typed that is not saved.
    void leave(const std::function<void()> &then);
    void openAdd();
    void openRow(const domain::SandboxId &sandbox);

    EngineState &m_state;
    SandboxModel *m_model;
    SandboxFilterModel *m_filter;
    SandboxActions *m_actions;
    SearchField *m_search;
    Button *m_add;
    Button *m_agentButton = nullptr;
    Button *m_typeButton = nullptr;
    QCheckBox *m_deleted = nullptr;
    Banner *m_failure = nullptr;
    QWidget *m_card = nullptr;
    CardTable *m_table = nullptr;
    EmptyState *m_empty = nullptr;
    Button *m_emptyAction = nullptr;
    Label *m_note = nullptr;
    Label *m_left = nullptr;
    LinkButton *m_leftLink = nullptr;
    ListAndPanel *m_body;
    QPointer<ConfirmDialog> m_question;
    int m_minute = 0;
};

} // namespace berth::ui
