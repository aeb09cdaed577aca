// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "domain/result.h"

#include <QtWidgets/QWidget>

#include <functional>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Card;
class EntryRow;
class HookForm;
class Label;

//! The user's own programs that are asked before tool calls and told of them.
class HookSettings final : public QWidget
{
    Q_OBJECT
public:
    explicit HookSettings(application::EngineClient &client, QWidget *parent = nullptr);

    void load();

    [[nodiscard]] const QList<EntryRow *> &rows() const { return m_rows; }
    [[nodiscard]] Button *addButton() const { return m_add; }
    [[nodiscard]] HookForm *form() const { return m_form; }
    //! That hooks run outside of any sandbox.
    [[nodiscard]] Banner *warning() const { return m_warning; }
    //! The file cannot be used, or something else failed.
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] Button *againButton() const { return m_again; }

private:
    void take(const application::HookList &list);
    void addRow(qsizetype at);
    void openForm(qsizetype at);
    void closeForm();
    //! \a at: which of them it takes the place of; -1: a new one.
    void put(qsizetype at, const application::HookView &hook);
    void remove(const application::HookView &hook);
    void save(const QList<application::HookView> &hooks,
              const std::function<void(const domain::Error &)> &failed);

    application::EngineClient &m_client;
    application::HookList m_hooks;
    QList<EntryRow *> m_rows;
    Banner *m_warning;
    Banner *m_problem;
    Button *m_again;
    Button *m_add;
    Label *m_path;
    Label *m_none;
    Card *m_card;
    QVBoxLayout *m_list;
    QVBoxLayout *m_place;
    HookForm *m_form = nullptr;
};

} // namespace berth::ui
