// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/provider_card.h"

#include "application/engine_client.h"
#include "ui/models/provider_model.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/provider_fields.h"
#include "ui/settings/provider_notes.h"
#include "ui/settings/test_steps.h"
#include "ui/settings/trust_question.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProviderForm;
using application::ProviderView;

namespace {

//! After the last key, the file's text follows.
constexpr int kPreviewDelayMs = 250;
constexpr int kLeastJsonLines = 4;
constexpr int kMostJsonLines = 16;
//! A form narrower than this has its labels above the fields (FormRow), with the card's margins.
constexpr int kWideForm = 440 + 2 * 20;
//! The steps of a test need more beside the column of labels.
constexpr int kWideSteps = 720;

} // namespace

ProviderCard::ProviderCard(application::EngineClient &client, ProviderModel &providers,
                           const domain::ConfigName &config, QWidget *parent)
    : Card(parent),
      m_client(client),
      m_providers(providers),
      m_config(config),
      m_head(new ExpandHead)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    m_body = buildBody();
    column->addWidget(m_body);
    m_body->hide();
    connect(m_head, &QAbstractButton::toggled, this, &ProviderCard::setExpanded);
    connect(&m_providers, &ProviderModel::providerChanged, this,
            [this](const domain::ConfigName &changed) {
                if (changed == m_config)
                    updateHead();
            });
    connect(&m_client, &application::EngineClient::event, this, &ProviderCard::onEvent);
    updateHead();
    updateButtons();
}

QWidget *ProviderCard::buildBody()
{
    auto *body = new QWidget;
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(19, 5, 19, 16);
    column->setSpacing(12);
    m_loading = new Label(tr("Loading…"), TextRole::Body, Ink::Secondary);
    m_trust = new TrustQuestion(m_client);
    connect(m_trust, &TrustQuestion::confirmed, this, [this](const ProviderView &provider) {
        hideProblem();
        m_providers.update(provider);
    });
    connect(m_trust, &TrustQuestion::failed, this, [this](const domain::Error &error) {
        showProblem(tr("Not confirmed"), error);
        loadForm();
    });
    column->addWidget(m_trust);
    column->addWidget(m_loading);
    m_form = new QVBoxLayout;
    column->addLayout(m_form);
    m_below = new QVBoxLayout;
    m_below->setSpacing(12);
    m_below->addWidget(buildActions());
    m_steps = new TestSteps;
    m_below->addWidget(m_steps);
    column->addLayout(m_below);
    m_problem = new Banner(Tone::Error);
    connect(m_problem->addAction(tr("Copy details")), &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_problemDetails); });
    m_problem->hide();
    column->addWidget(m_problem);
    m_jsonPanel = buildJson();
    m_jsonPanel->hide();
    column->addWidget(m_jsonPanel);
    m_notes = new ProviderNotes;
    m_below->addWidget(m_notes);
    return body;
}

QWidget *ProviderCard::buildActions()
{
    m_actions = new FlowRow;
    m_save = new Button(tr("Save"), ButtonKind::Primary);
    m_revert = new Button(tr("Revert"));
    m_test = new Button(tr("Test connection"));
    m_json = new Button(tr("Show as JSON"), ButtonKind::Ghost);
    m_result = new Chip;
    for (Button *button : {m_save, m_revert, m_test, m_json})
        m_actions->addWidget(button);
    m_actions->addAtEnd(m_result);
    connect(m_save, &QPushButton::clicked, this, &ProviderCard::save);
    connect(m_revert, &QPushButton::clicked, this, &ProviderCard::revert);
    connect(m_test, &QPushButton::clicked, this, [this] {
        if (m_testing.isNull())
            test();
        else
            cancelTest();
    });
    connect(m_json, &QPushButton::clicked, this, [this] { showJson(m_jsonPanel->isHidden()); });
    return m_actions;
}

QWidget *ProviderCard::buildJson()
{
    auto *panel = new QWidget;
    auto *column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto *head = new QHBoxLayout;
    m_jsonPath = new Label(TextRole::Caption, Ink::Secondary);
    m_jsonPath->setWrapped(true);
    auto *copy = new Button(tr("Copy"), ButtonKind::Ghost);
    copy->setGlyph(Glyph::Copy);
    head->addWidget(m_jsonPath, 1);
    head->addWidget(copy);
    column->addLayout(head);
    m_jsonText = new QPlainTextEdit;
    m_jsonText->setReadOnly(true);
    m_jsonText->setFont(fontFor(TextRole::Mono));
    m_jsonText->setTabChangesFocus(true);
    m_jsonText->setAccessibleName(tr("Text of the file as saving would write it"));
    column->addWidget(m_jsonText);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_jsonText->toPlainText()); });
    return panel;
}

void ProviderCard::setExpanded(bool expanded)
{
    m_head->setChecked(expanded);
    if (m_body->isHidden() != expanded)
        return;
    m_body->setVisible(expanded);
    if (expanded && !m_fields)
        loadForm();
    Q_EMIT expandedChanged(expanded);
}

bool ProviderCard::isExpanded() const
{
    return !m_body->isHidden();
}

bool ProviderCard::hasChanges() const
{
    return m_fields && m_fields->isChanged();
}

void ProviderCard::updateHead()
{
    const ProviderView *view = m_providers.find(m_config);
    if (!view)
        return;
    m_head->setProvider(*view);
    m_trust->setProvider(*view);
    m_jsonPath->setText(view->saved ? view->path : tr("%1 (not written yet)").arg(view->path));
    updateButtons();
}

void ProviderCard::loadForm()
{
    if (m_loadingForm)
        return;
    m_loadingForm = true;
    m_loading->show();
    application::deliver(this, m_client, application::GetProviderForm{m_config},
                         [this](const domain::Result<ProviderForm> &answer) {
                             m_loadingForm = false;
                             m_loading->hide();
                             if (answer)
                                 takeForm(*answer);
                             else
                                 showProblem(tr("The settings could not be read"), answer.error());
                         });
}

void ProviderCard::takeForm(const ProviderForm &form)
{
    if (m_fields) {
        m_fields->setSaved(form);
    } else {
        m_fields = new ProviderFields(form);
        m_form->addWidget(m_fields);
        m_fields->show();
        indent();
        connect(m_fields, &ProviderFields::changed, this, &ProviderCard::onEdited);
        connect(m_fields, &ProviderFields::storeRequested, this, &ProviderCard::storeKey);
        // It came after everything else; the focus goes through it where it stands.
        QWidget *before = m_head;
        for (QWidget *child : m_fields->findChildren<QWidget *>()) {
            if (!(child->focusPolicy() & Qt::TabFocus))
                continue;
            setTabOrder(before, child);
            before = child;
        }
    }
    m_notes->setForm(form);
    m_providers.update(form.provider);
    m_jsonText->setPlainText(form.json.trimmed());
    updateButtons();
}

void ProviderCard::storeKey(const QString &field, const QString &key)
{
    hideProblem();
    m_result->set(tr("Asking the key store…"), Tone::Info, Dot::Half);
    const bool removes = key.isEmpty();
    application::deliver(
        this, m_client,
        application::StoreProviderKey{m_config, field, domain::Secret(key.toUtf8())},
        [this, removes](const domain::Result<ProviderView> &answer) {
            m_result->set({}, Tone::Neutral);
            if (!answer) {
                showProblem(removes ? tr("The key was not removed") : tr("The key was not stored"),
                            answer.error());
                return;
            }
            m_providers.update(*answer);
            loadSecrets(removes ? tr("Key removed") : tr("Key stored"));
        });
}

void ProviderCard::loadSecrets(const QString &done)
{
    application::deliver(this, m_client, application::GetProviderForm{m_config},
                         [this, done](const domain::Result<ProviderForm> &answer) {
                             if (!answer) {
                                 showProblem(tr("The settings could not be read"), answer.error());
                                 return;
                             }
                             m_fields->setSecrets(*answer);
                             m_providers.update(answer->provider);
                             m_result->set(done, Tone::Ok, Dot::Filled);
                         });
}

void ProviderCard::onEdited()
{
    m_result->set({}, Tone::Neutral);
    hideProblem();
    updateButtons();
    if (!m_jsonPanel->isHidden())
        m_previewSoon.start(kPreviewDelayMs, this);
}

void ProviderCard::updateButtons()
{
    const ProviderView *view = m_providers.find(m_config);
    const bool broken = view && view->state == application::ProviderState::Broken;
    const bool changed = hasChanges();
    // A config that works by its defaults alone may be written down as it is.
    const bool first = m_fields && view && !view->saved;
    m_save->setEnabled(!m_saving && !broken && (changed || first) && m_fields->isValid());
    m_save->setText(m_saving ? tr("Saving…") : tr("Save"));
    if (broken)
        m_save->setToolTip(tr("The file has a mistake and is left as it is; mend it first."));
    else if (m_fields && !m_fields->isValid())
        m_save->setToolTip(tr("A field needs another value first."));
    else
        m_save->setToolTip(changed || first ? QString() : tr("Nothing has changed."));
    m_revert->setEnabled(changed && !m_saving);
    m_test->setEnabled(m_fields != nullptr);
    m_test->setText(m_testing.isNull() ? tr("Test connection") : tr("Cancel test"));
    m_json->setEnabled(m_fields != nullptr);
}

void ProviderCard::save()
{
    if (!m_fields || m_saving)
        return;
    if (!m_fields->isValid()) {
        m_fields->showProblems();
        return;
    }
    m_saving = true;
    hideProblem();
    updateButtons();
    application::deliver(this, m_client, application::SaveProvider{m_config, m_fields->values()},
                         [this](const domain::Result<ProviderView> &answer) {
                             m_saving = false;
                             if (!answer) {
                                 showProblem(tr("Not saved"), answer.error());
                                 updateButtons();
                                 return;
                             }
                             m_providers.update(*answer);
                             loadForm();
                             m_result->set(tr("Saved"), Tone::Ok, Dot::Filled);
                             updateButtons();
                         });
}

void ProviderCard::revert()
{
    if (m_fields)
        m_fields->revert();
}

void ProviderCard::test()
{
    if (!m_fields || !m_testing.isNull())
        return;
    if (!m_fields->isValid()) {
        m_fields->showProblems();
        return;
    }
    hideProblem();
    m_result->set({}, Tone::Neutral);
    m_steps->start();
    m_testing = application::deliver(
        this, m_client, application::TestProvider{m_config, m_fields->values()},
        [this](const domain::Result<application::HealthView> &answer) { testDone(answer); });
    updateButtons();
}

void ProviderCard::cancelTest()
{
    if (m_testing.isNull())
        return;
    m_test->setEnabled(false);
    m_client.cancel(m_testing);
}

void ProviderCard::onEvent(const application::Event &event)
{
    const auto *done = std::get_if<application::HealthStepDone>(&event.body);
    if (done && !m_testing.isNull() && done->request == m_testing)
        m_steps->add(done->step);
}

void ProviderCard::testDone(const domain::Result<application::HealthView> &answer)
{
    m_testing = {};
    m_steps->finish();
    updateButtons();
    if (!answer) {
        if (answer.error().kind == domain::ErrorKind::Cancelled)
            m_result->set(tr("Test cancelled"), Tone::Neutral, Dot::Ring);
        else
            showProblem(tr("The test could not be made"), answer.error());
        return;
    }
    // Events and the answer may come by different ways: the answer has all steps.
    for (qsizetype i = m_steps->count(); i < answer->steps.size(); ++i)
        m_steps->add(answer->steps[i]);
    const QString time = TestSteps::durationText(answer->durationMs);
    if (answer->ok) {
        m_result->set(answer->summary.isEmpty()
                          ? tr("Connected in %1").arg(time)
                          : tr("Connected in %1 · %2").arg(time, answer->summary),
                      Tone::Ok, Dot::Filled);
        return;
    }
    m_result->set(tr("Failed after %1").arg(time), Tone::Error, Dot::Square);
    if (answer->error)
        showProblem(tr("The test failed"), *answer->error);
}

void ProviderCard::showJson(bool show)
{
    m_json->setText(show ? tr("Hide JSON") : tr("Show as JSON"));
    m_jsonPanel->setVisible(show);
    if (show)
        requestJson();
}

void ProviderCard::requestJson()
{
    if (!m_fields)
        return;
    application::deliver(
        this, m_client, application::PreviewProvider{m_config, m_fields->values()},
        [this](const domain::Result<ProviderForm> &answer) {
            m_jsonText->setPlainText(answer ? answer->json.trimmed() : answer.error().message);
            const int lines = qBound(kLeastJsonLines, m_jsonText->blockCount(), kMostJsonLines);
            m_jsonText->setFixedHeight(lines * QFontMetrics(m_jsonText->font()).lineSpacing() + 24);
        });
}

void ProviderCard::showProblem(const QString &what, const domain::Error &error)
{
    m_problem->setText(tr("%1: %2", "what and why").arg(what, error.message), error.detail);
    m_problemDetails = QStringList{what, error.message, error.detail,
                                   QStringLiteral("kind: %1").arg(domain::wireName(error.kind)),
                                   QStringLiteral("provider: %1").arg(m_config.toString())}
                           .join(QLatin1Char('\n'));
    m_problem->show();
}

void ProviderCard::hideProblem()
{
    m_problem->hide();
}

void ProviderCard::indent()
{
    // Under the fields where they stand beside their labels, at the edge where those stand above.
    const int indent = width() >= kWideForm ? FormRow::kLabelWidth + 16 : 0;
    m_below->setContentsMargins(width() >= kWideSteps ? indent : 0, 0, 0, 0);
    if (m_fields)
        m_fields->setIndent(indent);
}

void ProviderCard::resizeEvent(QResizeEvent *event)
{
    Card::resizeEvent(event);
    indent();
}

void ProviderCard::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_previewSoon.timerId()) {
        Card::timerEvent(event);
        return;
    }
    m_previewSoon.stop();
    requestJson();
}

} // namespace berth::ui
