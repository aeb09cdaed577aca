// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "ui/settings/security_words.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Card;
class EntryRow;
class Label;
class RuleForm;

//! The rules by which calls are allowed, asked for or denied: in a list, with a form to add and
//! change them.
class RuleList final : public QWidget
{
    Q_OBJECT
public:
    explicit RuleList(application::EngineClient &client, QWidget *parent = nullptr);

    void load();
    void setNames(const SecurityNames &names);

    [[nodiscard]] const QList<EntryRow *> &rows() const { return m_rows; }
    [[nodiscard]] Button *addButton() const { return m_add; }
    //! Null: nothing is being changed.
    [[nodiscard]] RuleForm *form() const { return m_form; }
    //! The list could not be asked for.
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] Button *againButton() const { return m_again; }
    //! A rule was not removed.
    [[nodiscard]] Banner *failure() const { return m_failure; }
    //! Says that there is no rule, once that is known.
    [[nodiscard]] Label *noneLabel() const { return m_none; }

private:
    void show(const domain::Result<application::RuleList> &answer);
    void addRow(const application::RuleView &rule);
    void openForm(const application::RuleView &rule);
    void closeForm();
    void remove(const QString &id);

    application::EngineClient &m_client;
    SecurityNames m_names;
    QList<application::RuleView> m_rules;
    QList<EntryRow *> m_rows;
    Banner *m_problem;
    Button *m_again;
    Banner *m_failure;
    Button *m_add;
    Label *m_none;
    Card *m_card;
    QVBoxLayout *m_list;
    QVBoxLayout *m_place;
    RuleForm *m_form = nullptr;
};

} // namespace berth::ui
