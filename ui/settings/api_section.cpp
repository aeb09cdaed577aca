// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/api_section.h"

#include "application/contract/commands.h"
#include "application/contract/events.h"
#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"
#include "ui/settings/entry_row.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/token_form.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/label.h"

#include <QtCore/QLocale>
#include <QtCore/QPointer>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ApiView;
using application::MintedToken;
using application::SetApi;
using application::TokenList;
using application::TokenView;
using domain::Result;

namespace {

Label *wrappedWords(const QString &text, TextRole role = TextRole::Body, Ink ink = Ink::Secondary)
{
    auto *label = new Label(text, role, ink);
    label->setWrapped(true);
    return label;
}

QString dayText(const QDateTime &at)
{
    return QLocale().toString(at.toLocalTime(), QLocale::ShortFormat);
}

QString aboutToken(const TokenView &token, const SecurityNames &names)
{
    QStringList scopes;
    for (const QString &scope : token.scopes)
        scopes.append(scopeText(scope));
    QStringList parts{
        ApiSection::tr("may %1").arg(scopes.join(ApiSection::tr(", ", "between scopes")))};
    if (!token.user.isEmpty())
        parts << ApiSection::tr("for %1", "user").arg(visibleText(token.user));
    if (!token.agent.isNull())
        parts << ApiSection::tr("agent %1 only").arg(names.agent(token.agent.toString()));
    parts << (token.lastUsedAt.isValid()
                  ? ApiSection::tr("last used %1").arg(dayText(token.lastUsedAt))
                  : ApiSection::tr("never used"));
    if (token.createdAt.isValid())
        parts << ApiSection::tr("made %1").arg(dayText(token.createdAt));
    return parts.join(QStringLiteral(" · "));
}

} // namespace

ApiSection::ApiSection(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_enable(new Switch(tr("Serve the HTTP API while Berth runs"))),
      m_approve(new Switch(tr("Tokens may approve"))),
      m_admin(new Switch(tr("Tokens may administer"))),
      m_state(new Chip),
      m_address(new Label(TextRole::Mono, Ink::Text)),
      m_tokenPath(wrappedWords({}, TextRole::Caption)),
      m_question(new Banner(Tone::Warn)),
      m_cancel(m_question->addAction(tr("Cancel"))),
      m_confirm(m_question->addAction(tr("Grant"))),
      m_problem(new Banner(Tone::Error)),
      m_apiProblem(new Banner(Tone::Error)),
      m_apiAgain(m_apiProblem->addAction(tr("Try again"))),
      m_tokenProblem(new Banner(Tone::Error)),
      m_tokenAgain(m_tokenProblem->addAction(tr("Try again"))),
      m_server(new Banner(Tone::Error)),
      m_add(new Button(tr("New token"))),
      m_none(wrappedWords(tr("There is no token but your own.")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(
        wrappedWords(tr("Lets programs on this machine do what this window does, over HTTP.")));
    column->addWidget(m_apiProblem);
    column->addWidget(buildServer());
    column->addWidget(m_question);
    column->addWidget(m_problem);
    m_question->hide();
    for (Banner *banner : {m_problem, m_apiProblem, m_tokenProblem})
        banner->hide();
    column->addWidget(buildTokens());
    column->addStretch(1);
    connect(&m_client, &application::EngineClient::event, this,
            [this](const application::Event &event) {
                if (const auto *changed = std::get_if<application::ApiChanged>(&event.body))
                    take(changed->api);
            });
    connect(m_enable, &QAbstractButton::clicked, this, [this] {
        closeQuestion();
        send(wanted());
    });
    for (Switch *grant : {m_approve, m_admin})
        connect(grant, &QAbstractButton::clicked, this, [this, grant] { ask(grant); });
    connect(m_cancel, &QPushButton::clicked, this, &ApiSection::closeQuestion);
    connect(m_apiAgain, &QPushButton::clicked, this, &ApiSection::loadApi);
    connect(m_tokenAgain, &QPushButton::clicked, this, &ApiSection::loadTokens);
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        SetApi command = wanted();
        if (m_asking == m_approve)
            command.grantApprove = true;
        else
            command.grantAdmin = true;
        closeQuestion();
        send(command);
    });
    refresh();
}

QWidget *ApiSection::buildServer()
{
    auto *card = new Card;
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(19, 14, 19, 14);
    column->setSpacing(10);
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    auto *title = new Label(tr("Serve the HTTP API while Berth runs"), TextRole::BodyStrong);
    head->addWidget(title);
    head->addWidget(m_state);
    head->addStretch(1);
    head->addWidget(m_enable);
    column->addLayout(head);
    m_address->setWrapped(true);
    m_address->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *where = new QVBoxLayout;
    where->setSpacing(4);
    m_tokenPath->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    where->addWidget(m_address);
    where->addWidget(m_tokenPath);
    column->addLayout(where);
    column->addWidget(m_server);
    m_server->hide();
    column->addWidget(new Divider);
    column->addWidget(buildGrant(
        m_approve, tr("Tokens may approve"),
        tr("A token with this right answers what waits for you, in your place: whoever has it "
           "decides what agents may do.")));
    column->addWidget(new Divider);
    column->addWidget(buildGrant(
        m_admin, tr("Tokens may administer"),
        tr("A token with this right changes agents and their security settings, members, "
           "providers and other tokens.")));
    return card;
}

QWidget *ApiSection::buildGrant(Switch *grant, const QString &title, const QString &words)
{
    auto *box = new QWidget;
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    column->addWidget(new Label(title));
    column->addWidget(wrappedWords(words, TextRole::Caption));
    row->addLayout(column, 1);
    row->addWidget(grant, 0, Qt::AlignTop);
    grant->setAccessibleDescription(words);
    return box;
}

QWidget *ApiSection::buildTokens()
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(12);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(tr("Tokens"), TextRole::BodyStrong));
    head->addStretch(1);
    m_add->setGlyph(Glyph::Plus);
    head->addWidget(m_add);
    column->addLayout(head);
    m_place = new QVBoxLayout;
    m_place->setSpacing(12);
    column->addLayout(m_place);
    column->addWidget(m_tokenProblem);
    auto *card = new Card;
    m_tokenCard = card;
    // Whether there are any is not known yet.
    card->hide();
    m_list = new QVBoxLayout(card);
    m_list->setContentsMargins(19, 5, 12, 5);
    m_list->setSpacing(0);
    m_none->setContentsMargins(0, 10, 0, 10);
    m_list->addWidget(m_none);
    column->addWidget(card);
    connect(m_add, &QPushButton::clicked, this, &ApiSection::openForm);
    return box;
}

void ApiSection::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    load();
}

void ApiSection::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    // Not left for whoever comes to this page next. A minimized window is no other page.
    if (!event->spontaneous())
        closeMinted();
}

void ApiSection::load()
{
    loadApi();
    loadTokens();
}

void ApiSection::loadApi()
{
    application::deliver(
        this, m_client, application::GetApi{}, [this](const Result<ApiView> &answer) {
            m_apiProblem->setVisible(!answer);
            if (answer)
                take(*answer);
            else
                m_apiProblem->setText(answer.error().message, answer.error().detail);
        });
}

void ApiSection::loadTokens()
{
    application::deliver(
        this, m_client, application::ListTokens{}, [this](const Result<TokenList> &answer) {
            m_tokenProblem->setVisible(!answer);
            if (answer)
                takeTokens(*answer);
            else
                m_tokenProblem->setText(answer.error().message, answer.error().detail);
        });
}

void ApiSection::setNames(const SecurityNames &names)
{
    m_names = names;
    for (qsizetype at = 0; at < m_rows.size(); ++at)
        m_rows[at]->setDetail(aboutToken(m_tokens[at], m_names));
}

void ApiSection::take(const ApiView &api)
{
    m_api = api;
    m_known = true;
    if (m_form)
        m_form->setApi(api);
    refresh();
}

void ApiSection::refresh()
{
    // One command at a time: the next is made from what the last one came to.
    m_enable->setChecked(m_sending ? m_sent.enabled : m_api.enabled);
    m_approve->setChecked(m_sending ? m_sent.grantApprove : m_api.grantApprove);
    m_admin->setChecked(m_sending ? m_sent.grantAdmin : m_api.grantAdmin);
    for (Switch *toggle : {m_enable, m_approve, m_admin})
        toggle->setEnabled(m_known && !m_sending);
    m_confirm->setEnabled(!m_sending);
    const bool serves = !m_api.address.isEmpty();
    if (!m_api.problem.isEmpty())
        m_state->set(tr("Does not run"), Tone::Error, Dot::Square);
    else if (serves)
        m_state->set(tr("Running"), Tone::Ok, Dot::Filled);
    else
        m_state->set(tr("Off"), Tone::Neutral, Dot::Ring);
    m_state->setVisible(m_known);
    m_server->setVisible(!m_api.problem.isEmpty());
    m_server->setText(tr("The API does not run although it should"), m_api.problem);
    m_address->setText(serves ? QStringLiteral("http://") + m_api.address : QString());
    m_address->setVisible(serves);
    m_tokenPath->setText(tr("Your own token is in %1", "path of a file").arg(m_api.tokenPath));
    m_tokenPath->setVisible(!m_api.tokenPath.isEmpty());
}

SetApi ApiSection::wanted() const
{
    SetApi command;
    command.enabled = m_enable->isChecked();
    command.grantApprove = m_api.grantApprove;
    command.grantAdmin = m_api.grantAdmin;
    return command;
}

void ApiSection::ask(Switch *grant)
{
    closeQuestion();
    SetApi command = wanted();
    command.enabled = m_api.enabled;
    if (!grant->isChecked()) {
        (grant == m_approve ? command.grantApprove : command.grantAdmin) = false;
        send(command);
        return;
    }
    // It is on once that was answered with yes.
    grant->setChecked(false);
    m_asking = grant;
    m_question->setText(
        grant == m_approve ? tr("Let tokens approve?") : tr("Let tokens administer?"),
        grant == m_approve
            ? tr("A program with such a token can allow any command of any agent without you "
                 "seeing it first. It can be taken back here at any time.")
            : tr("A program with such a token can loosen every agent's security settings and make "
                 "further tokens. It can be taken back here at any time."));
    m_confirm->setAccessibleName(m_question->title());
    m_question->show();
    // Return and Space mean the safe one.
    m_cancel->setFocus(Qt::OtherFocusReason);
}

void ApiSection::closeQuestion()
{
    Switch *asking = std::exchange(m_asking, nullptr);
    const bool had = m_question->isAncestorOf(window()->focusWidget());
    m_question->hide();
    if (asking && had)
        asking->setFocus(Qt::OtherFocusReason);
}

void ApiSection::send(const SetApi &command)
{
    if (m_sending)
        return;
    // Disabled, a switch loses the focus; it has it again with the answer.
    QPointer<Switch> focus;
    for (Switch *toggle : {m_enable, m_approve, m_admin}) {
        if (toggle->hasFocus())
            focus = toggle;
    }
    m_sending = true;
    m_sent = command;
    m_problem->hide();
    refresh();
    application::deliver(this, m_client, command, [this, focus](const Result<ApiView> &answer) {
        m_sending = false;
        if (answer) {
            take(*answer);
        } else {
            showProblem(answer.error());
            refresh();
        }
        if (focus && isVisible() && !m_form)
            focus->setFocus(Qt::OtherFocusReason);
    });
}

void ApiSection::takeTokens(const TokenList &list)
{
    m_tokenCard->show();
    m_tokenProblem->hide();
    m_none->setVisible(list.tokens.isEmpty());
    // Rows keep the focus and an open question.
    if (m_tokens == list.tokens && m_rows.size() == list.tokens.size())
        return;
    for (EntryRow *row : std::as_const(m_rows)) {
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    m_tokens = list.tokens;
    for (const TokenView &token : std::as_const(m_tokens))
        addRow(token);
}

void ApiSection::addRow(const TokenView &token)
{
    auto *row = new EntryRow;
    const QString name = visibleText(token.name);
    row->setTitle(name, false);
    row->setDetail(aboutToken(token, m_names));
    const bool strong = token.scopes.contains(QStringLiteral("approve"))
        || token.scopes.contains(QStringLiteral("admin"));
    row->setState(strong ? tr("May decide") : QString(), Tone::Warn, Dot::Half);
    row->setEditable(false);
    row->setRemoval(tr("Revoke"), tr("Revoke this token?"),
                    tr("Programs that use it are refused at once, also in the middle of what they "
                       "do. It cannot be brought back."));
    row->setSubject(name);
    row->setFirst(m_rows.isEmpty());
    m_rows.append(row);
    m_list->addWidget(row);
    row->show();
    connect(row, &EntryRow::removeConfirmed, this, [this, id = token.id] { revoke(id); });
}

void ApiSection::openForm()
{
    closeForm();
    closeMinted();
    m_form = new TokenForm(m_api, m_names);
    m_place->addWidget(m_form);
    m_form->show();
    connect(m_form, &TokenForm::cancelled, this, [this] {
        closeForm();
        m_add->setFocus(Qt::OtherFocusReason);
    });
    connect(m_form, &TokenForm::createRequested, this, &ApiSection::mint);
    m_form->nameField()->input()->setFocus(Qt::OtherFocusReason);
    scrollTo(m_form);
}

void ApiSection::closeForm()
{
    if (!m_form)
        return;
    m_form->hide();
    m_form->deleteLater();
    m_form = nullptr;
}

void ApiSection::mint(const application::NewToken &command)
{
    m_form->setBusy(true);
    // Another form may be there when the answer comes.
    const QPointer<TokenForm> asked = m_form;
    application::deliver(this, m_client, command, [this, asked](const Result<MintedToken> &answer) {
        const bool isOpen = asked && asked == m_form;
        if (!answer) {
            if (isOpen) {
                m_form->setBusy(false);
                m_form->showError(answer.error());
            } else {
                showProblem(answer.error());
            }
            return;
        }
        if (isOpen)
            closeForm();
        loadTokens();
        // Told this once: shown although somebody has left the page meanwhile.
        showMinted(*answer);
    });
}

void ApiSection::showMinted(const MintedToken &minted)
{
    closeMinted();
    m_minted = new MintedCard(minted);
    m_place->addWidget(m_minted);
    m_minted->show();
    connect(m_minted, &MintedCard::done, this, [this] {
        closeMinted();
        m_add->setFocus(Qt::OtherFocusReason);
    });
    m_minted->copyButton()->setFocus(Qt::OtherFocusReason);
    scrollTo(m_minted);
}

void ApiSection::closeMinted()
{
    if (!m_minted)
        return;
    m_minted->hide();
    m_minted->deleteLater();
    m_minted = nullptr;
}

void ApiSection::revoke(const QString &id)
{
    m_problem->hide();
    application::deliver(this, m_client, application::RevokeToken{id},
                         [this](const Result<TokenList> &answer) {
                             for (EntryRow *row : std::as_const(m_rows))
                                 row->closeQuestion();
                             if (answer) {
                                 takeTokens(*answer);
                                 m_add->setFocus(Qt::OtherFocusReason);
                                 return;
                             }
                             showProblem(answer.error());
                             // One that is gone already is gone.
                             if (answer.error().kind == domain::ErrorKind::NotFound)
                                 loadTokens();
                         });
}

void ApiSection::showProblem(const domain::Error &error)
{
    m_problem->setText(error.message, error.detail);
    m_problem->show();
}

void ApiSection::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !m_question->isHidden()) {
        closeQuestion();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace berth::ui
