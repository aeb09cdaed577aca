// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "ui/settings/security_words.h"

#include "application/contract/api_contract.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Card;
class Chip;
class EntryRow;
class Label;
class MintedCard;
class Switch;
class TokenForm;

//! Who may use the HTTP API, and for what. Asks the Engine when it is shown and when it changes.
class ApiSection final : public QWidget
{
    Q_OBJECT
public:
    explicit ApiSection(application::EngineClient &client, QWidget *parent = nullptr);

    void load();
    void setNames(const SecurityNames &names);

    [[nodiscard]] Switch *enableSwitch() const { return m_enable; }
    [[nodiscard]] Switch *approveSwitch() const { return m_approve; }
    [[nodiscard]] Switch *adminSwitch() const { return m_admin; }
    [[nodiscard]] Chip *state() const { return m_state; }
    //! Before more is granted: what that means.
    [[nodiscard]] Banner *question() const { return m_question; }
    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Button *confirmButton() const { return m_confirm; }
    [[nodiscard]] Banner *problem() const { return m_problem; }
    //! What is served could not be asked for, the tokens could not: each with a way to try again.
    [[nodiscard]] Banner *apiProblem() const { return m_apiProblem; }
    [[nodiscard]] Button *apiAgainButton() const { return m_apiAgain; }
    [[nodiscard]] Banner *tokenProblem() const { return m_tokenProblem; }
    [[nodiscard]] Button *tokenAgainButton() const { return m_tokenAgain; }
    //! Says that there is no token, once that is known.
    [[nodiscard]] Label *noneLabel() const { return m_none; }
    [[nodiscard]] const QList<EntryRow *> &rows() const { return m_rows; }
    [[nodiscard]] Button *addButton() const { return m_add; }
    [[nodiscard]] TokenForm *form() const { return m_form; }
    //! The token that was just made; null: none is shown.
    [[nodiscard]] MintedCard *minted() const { return m_minted; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *buildServer();
    QWidget *buildGrant(Switch *grant, const QString &title, const QString &words);
    QWidget *buildTokens();
    void loadApi();
    void loadTokens();
    void take(const application::ApiView &api);
    void takeTokens(const application::TokenList &list);
    void addRow(const application::TokenView &token);
    void ask(Switch *grant);
    void closeQuestion();
    void send(const application::SetApi &command);
    [[nodiscard]] application::SetApi wanted() const;
    void openForm();
    void closeForm();
    void mint(const application::NewToken &command);
    void showMinted(const application::MintedToken &minted);
    void closeMinted();
    void revoke(const QString &id);
    void showProblem(const domain::Error &error);
    void refresh();

    application::EngineClient &m_client;
    application::ApiView m_api;
    SecurityNames m_names;
    Switch *m_enable;
    Switch *m_approve;
    Switch *m_admin;
    Chip *m_state;
    Label *m_address;
    Label *m_tokenPath;
    Banner *m_question;
    Button *m_cancel;
    Button *m_confirm;
    Banner *m_problem;
    Banner *m_apiProblem;
    Button *m_apiAgain;
    Banner *m_tokenProblem;
    Button *m_tokenAgain;
    Banner *m_server;
    Button *m_add;
    Label *m_none;
    QWidget *m_tokenCard = nullptr;
    QVBoxLayout *m_list = nullptr;
    QVBoxLayout *m_place = nullptr;
    QList<application::TokenView> m_tokens;
    QList<EntryRow *> m_rows;
    TokenForm *m_form = nullptr;
    MintedCard *m_minted = nullptr;
    //! The switch that is asked about.
    Switch *m_asking = nullptr;
    bool m_sending = false;
    //! What was sent and is not answered.
    application::SetApi m_sent;
    //! What is served was told once.
    bool m_known = false;
};

} // namespace berth::ui
