// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/agent_contract.h"
#include "domain/result.h"

#include <QtCore/QPointer>
#include <QtWidgets/QWidget>

#include <functional>
#include <optional>

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
    //! The file cannot be used, or could not be asked for.
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] Button *againButton() const { return m_again; }
    //! A hook was not removed.
    [[nodiscard]] Banner *failure() const { return m_failure; }
    //! Says that there is no hook, once that is known.
    [[nodiscard]] Label *noneLabel() const { return m_none; }

private:
    void take(const application::HookList &list);
    void addRow(qsizetype at);
    //! Null: a new one.
    void openForm(const std::optional<application::HookView> &hook);
    void closeForm();
    //! In the place of \a before, which must still be there; null: at the end.
    void put(const std::optional<application::HookView> &before, const application::HookView &hook);
    void remove(const application::HookView &hook);

    //! What is done to the list; false: it is no longer as it was when that was decided.
    using Edit = std::function<bool(QList<application::HookView> &)>;
    using Failed = std::function<void(const domain::Error &)>;
    //! Asks for the list as it is now, changes that and saves it. \a form: closed when it is done.
    void change(const Edit &edit, const QPointer<HookForm> &form, const Failed &failed);
    void save(const QList<application::HookView> &hooks, const QPointer<HookForm> &form,
              const Failed &failed);

    application::EngineClient &m_client;
    application::HookList m_hooks;
    QList<EntryRow *> m_rows;
    Banner *m_warning;
    Banner *m_problem;
    Banner *m_failure;
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
