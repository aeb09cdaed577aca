// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/model_card.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/test_steps.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/flow_row.h"

#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using application::FieldView;
using application::ModelEndpointView;
using domain::Result;

namespace {

const QString kName = QStringLiteral("name");
const QString kUrl = QStringLiteral("base_url");
const QString kModel = QStringLiteral("model");
const QString kKey = QStringLiteral("key");
const QString kDialect = QStringLiteral("dialect");
const QString kContext = QStringLiteral("context_tokens");
const QString kInput = QStringLiteral("input_price");
const QString kOutput = QStringLiteral("output_price");
const QString kCurrency = QStringLiteral("currency");

FieldView textField(const QString &key, const QString &label, const QString &value,
                    const QString &help = {})
{
    FieldView field;
    field.key = key;
    field.type = QStringLiteral("text");
    field.label = label;
    field.value = value;
    field.help = help;
    return field;
}

QString shownPrice(const std::optional<double> &price)
{
    return price ? QString::number(*price) : QString();
}

//! Empty is none: then no cost is shown.
std::optional<double> priceFrom(const QString &text)
{
    bool isNumber = false;
    const double price = text.trimmed().toDouble(&isNumber);
    return isNumber && price >= 0 ? std::optional(price) : std::nullopt;
}

application::ProviderState stateOf(const ModelEndpointView &endpoint)
{
    if (endpoint.state == QLatin1String("ready") || endpoint.state == QLatin1String("not_tested"))
        return application::ProviderState::Ready;
    if (endpoint.state == QLatin1String("needs_key"))
        return application::ProviderState::NeedsKey;
    if (endpoint.state == QLatin1String("unreachable"))
        return application::ProviderState::Unreachable;
    if (endpoint.state == QLatin1String("broken"))
        return application::ProviderState::Broken;
    return application::ProviderState::NotSetUp;
}

} // namespace

ModelCard::ModelCard(application::EngineClient &client, const ModelEndpointView &endpoint,
                     bool isNew, bool hasKeyStore, QWidget *parent)
    : Card(parent),
      m_client(client),
      m_endpoint(endpoint),
      m_isNew(isNew),
      m_hasKeyStore(hasKeyStore),
      m_head(new ExpandHead),
      m_body(new QWidget),
      m_steps(new TestSteps),
      m_problem(new Banner(Tone::Error))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_body);
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(19, 5, 19, 16);
    body->setSpacing(12);
    for (const FieldView &field : fields())
        addField(field);
    body->addWidget(buildActions());
    body->addWidget(m_steps);
    body->addWidget(m_problem);
    m_problem->hide();
    m_body->setVisible(false);
    connect(m_head, &QAbstractButton::toggled, this, &ModelCard::setExpanded);
    connect(&m_client, &application::EngineClient::event, this,
            [this](const application::Event &event) {
                const auto *done = std::get_if<application::HealthStepDone>(&event.body);
                if (done && !m_testing.isNull() && done->request == m_testing)
                    m_steps->add(done->step);
            });
    updateHead();
    updateButtons();
}

QList<FieldView> ModelCard::fields() const
{
    QList<FieldView> list;
    if (m_isNew) {
        FieldView name = textField(kName, tr("Name"), m_endpoint.name, tr("What agents call it."));
        name.required = true;
        name.pattern = QStringLiteral("[a-z0-9][a-z0-9_-]{0,31}");
        name.patternHint = tr("Up to 32 small letters, digits, - and _.");
        list << name;
    }
    FieldView url = textField(kUrl, tr("Base URL"), m_endpoint.baseUrl);
    url.required = true;
    url.placeholder = QStringLiteral("http://127.0.0.1:8080/v1");
    list << url;
    FieldView key = textField(kKey, tr("Key"), m_endpoint.keyReference);
    key.type = QStringLiteral("secret");
    key.origin = m_endpoint.keyOrigin;
    key.hint = m_endpoint.keyHint;
    list << key;
    FieldView model =
        textField(kModel, tr("Model"), m_endpoint.model,
                  m_endpoint.models.isEmpty()
                      ? QString()
                      : tr("It offers: %1").arg(m_endpoint.models.join(QStringLiteral(", "))));
    model.required = true;
    list << model;
    FieldView dialect = textField(kDialect, tr("Speaks"), m_endpoint.dialect);
    dialect.type = QStringLiteral("choice");
    dialect.choices = {
        {QStringLiteral("openai"), tr("OpenAI-compatible")},
        {QStringLiteral("anthropic"), tr("Anthropic Messages")},
        {QStringLiteral("anthropic-bearer"), tr("Anthropic Messages, older header")}};
    list << dialect;
    FieldView context = textField(
        kContext, tr("Context"),
        m_endpoint.contextTokens > 0 ? QString::number(m_endpoint.contextTokens) : QString(),
        tr("Empty: as the server says."));
    context.type = QStringLiteral("integer");
    context.minimum = 0;
    context.unit = tr("tokens");
    list << context;
    const QString help = tr("For a million tokens. Empty: no cost is shown.");
    list << textField(kInput, tr("Price in"), shownPrice(m_endpoint.inputPrice), help);
    list << textField(kOutput, tr("Price out"), shownPrice(m_endpoint.outputPrice), help);
    list << textField(kCurrency, tr("Currency"), m_endpoint.currency);
    for (qsizetype at = list.size() - 3; at < list.size(); ++at) {
        const bool isPrice = list[at].key != kCurrency;
        list[at].pattern =
            isPrice ? QStringLiteral("[0-9]+([.][0-9]+)?") : QStringLiteral("[A-Z]{3}");
        list[at].patternHint = isPrice ? tr("A number such as 2.5.") : tr("As in USD.");
    }
    return list;
}

void ModelCard::addField(const FieldView &view)
{
    auto *editor = new FieldEditor(view, m_body);
    editor->setSaved(view, m_hasKeyStore && !m_isNew);
    m_fields << editor;
    m_body->layout()->addWidget(editor);
    connect(editor, &FieldEditor::edited, this, &ModelCard::updateButtons);
    connect(editor, &FieldEditor::finished, this, [editor] { editor->showProblem(true); });
    connect(editor, &FieldEditor::storeRequested, this,
            [this](const QString &key) { storeKey(key, false); });
}

QWidget *ModelCard::buildActions()
{
    auto *actions = new FlowRow;
    m_save = new Button(tr("Save"), ButtonKind::Primary);
    m_test = new Button(tr("Test"));
    m_default = new Button(tr("Make default"));
    m_remove = new Button(m_isNew ? tr("Cancel") : tr("Remove"));
    m_result = new Chip;
    for (Button *button : {m_save, m_test, m_default, m_remove})
        actions->addWidget(button);
    actions->addAtEnd(m_result);
    connect(m_save, &QPushButton::clicked, this, &ModelCard::save);
    connect(m_test, &QPushButton::clicked, this, [this] {
        if (m_testing.isNull())
            test();
        else
            m_client.cancel(m_testing);
    });
    connect(m_default, &QPushButton::clicked, this, &ModelCard::makeDefault);
    connect(m_remove, &QPushButton::clicked, this, &ModelCard::remove);
    return actions;
}

void ModelCard::setEndpoint(const ModelEndpointView &endpoint)
{
    const bool keeps = hasChanges();
    m_endpoint = endpoint;
    m_isNew = false;
    const QList<FieldView> now = fields();
    for (const FieldView &view : now) {
        FieldEditor *editor = field(view.key);
        if (editor && (!keeps || view.key == kKey))
            editor->setSaved(view, m_hasKeyStore);
    }
    updateHead();
    updateButtons();
}

void ModelCard::setExpanded(bool expanded)
{
    m_head->setChecked(expanded);
    m_body->setVisible(expanded);
}

FieldEditor *ModelCard::field(const QString &key) const
{
    const auto found = std::find_if(m_fields.cbegin(), m_fields.cend(),
                                    [&key](const FieldEditor *one) { return one->key() == key; });
    return found == m_fields.cend() ? nullptr : *found;
}

void ModelCard::updateHead()
{
    // The same head as a provider's card.
    application::ProviderView shown;
    shown.config = domain::ConfigName(m_endpoint.name);
    shown.kind = m_endpoint.name;
    shown.label = m_isNew      ? tr("New endpoint")
        : m_endpoint.isDefault ? tr("%1 · default", "endpoint of a model").arg(m_endpoint.name)
                               : m_endpoint.name;
    shown.mark = m_endpoint.name.left(1).toUpper();
    shown.isolation = m_endpoint.dialect == QLatin1String("openai") ? tr("OpenAI-compatible")
                                                                    : tr("Anthropic Messages");
    shown.cost = m_endpoint.baseUrl;
    shown.state = stateOf(m_endpoint);
    shown.stateText = m_isNew            ? tr("Not saved")
        : m_endpoint.stateText.isEmpty() ? tr("Not tested")
                                         : m_endpoint.stateText;
    shown.stateDetail = m_endpoint.stateDetail;
    m_head->setProvider(shown);
}

bool ModelCard::hasChanges() const
{
    return std::any_of(m_fields.cbegin(), m_fields.cend(), [](const FieldEditor *one) {
        return !one->isUntouchedSecret() && one->value() != one->field().value;
    });
}

void ModelCard::updateButtons()
{
    const bool valid = std::all_of(m_fields.cbegin(), m_fields.cend(),
                                   [](const FieldEditor *one) { return one->problem().isEmpty(); });
    m_save->setEnabled(!m_saving && valid && (m_isNew || hasChanges()));
    m_save->setText(m_saving ? tr("Saving…") : tr("Save"));
    m_test->setText(m_testing.isNull() ? tr("Test") : tr("Cancel test"));
    m_test->setVisible(!m_isNew);
    m_test->setEnabled(!hasChanges() || !m_testing.isNull());
    m_test->setToolTip(hasChanges() ? tr("It is tried as it is saved: save it first.") : QString());
    m_default->setVisible(!m_isNew && !m_endpoint.isDefault);
    m_remove->setText(m_isNew ? tr("Cancel") : m_confirming ? tr("Really remove") : tr("Remove"));
}

QString ModelCard::typedKey() const
{
    const FieldEditor *key = field(kKey);
    if (key->isUntouchedSecret() || key->value().startsWith(QLatin1String("${")))
        return {};
    return key->value();
}

ModelEndpointView ModelCard::edited() const
{
    ModelEndpointView next = m_endpoint;
    if (const FieldEditor *name = field(kName); name && m_isNew)
        next.name = name->value();
    next.baseUrl = field(kUrl)->value();
    next.model = field(kModel)->value();
    next.dialect = field(kDialect)->value();
    next.contextTokens = field(kContext)->value().toLongLong();
    next.inputPrice = priceFrom(field(kInput)->value());
    next.outputPrice = priceFrom(field(kOutput)->value());
    next.currency = field(kCurrency)->value();
    if (!field(kKey)->isUntouchedSecret() && typedKey().isEmpty())
        next.keyReference = field(kKey)->value();
    return next;
}

void ModelCard::save()
{
    if (m_saving)
        return;
    m_saving = true;
    m_problem->hide();
    updateButtons();
    const QString key = typedKey();
    application::deliver(this, m_client, application::SaveModel{edited()},
                         [this, key](const Result<ModelEndpointView> &answer) {
                             m_saving = false;
                             if (!answer) {
                                 showProblem(tr("Not saved"), answer.error());
                                 updateButtons();
                                 return;
                             }
                             m_endpoint.name = answer->name;
                             if (key.isEmpty())
                                 saved(*answer);
                             else
                                 storeKey(key, true);
                         });
}

void ModelCard::saved(const ModelEndpointView &endpoint)
{
    m_endpoint = endpoint;
    m_isNew = false;
    for (const FieldView &view : fields()) {
        if (FieldEditor *editor = field(view.key))
            editor->setSaved(view, m_hasKeyStore);
    }
    if (FieldEditor *name = field(kName))
        name->hide();
    m_result->set(tr("Saved"), Tone::Ok, Dot::Filled);
    updateHead();
    updateButtons();
    Q_EMIT changed();
}

void ModelCard::storeKey(const QString &key, bool inFile)
{
    m_problem->hide();
    const bool removes = key.isEmpty();
    application::deliver(
        this, m_client,
        application::StoreModelKey{m_endpoint.name, domain::Secret(key.toUtf8()), inFile},
        [this, removes](const Result<ModelEndpointView> &answer) {
            if (!answer) {
                showProblem(removes ? tr("The key was not removed") : tr("The key was not stored"),
                            answer.error());
                return;
            }
            saved(*answer);
        });
}

void ModelCard::makeDefault()
{
    ModelEndpointView next = m_endpoint;
    next.isDefault = true;
    m_problem->hide();
    application::deliver(this, m_client, application::SaveModel{next},
                         [this](const Result<ModelEndpointView> &answer) {
                             if (!answer)
                                 showProblem(tr("Not saved"), answer.error());
                             else
                                 Q_EMIT changed();
                         });
}

void ModelCard::test()
{
    m_problem->hide();
    m_result->set({}, Tone::Neutral);
    m_steps->start();
    m_testing = application::deliver(
        this, m_client, application::TestModel{m_endpoint.name},
        [this](const Result<application::HealthView> &answer) { testDone(answer); });
    updateButtons();
}

void ModelCard::testDone(const Result<application::HealthView> &answer)
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
    for (qsizetype at = m_steps->count(); at < answer->steps.size(); ++at)
        m_steps->add(answer->steps[at]);
    const QString time = TestSteps::durationText(answer->durationMs);
    if (answer->ok) {
        m_result->set(tr("Answered in %1").arg(time), Tone::Ok, Dot::Filled);
    } else {
        m_result->set(tr("Failed after %1").arg(time), Tone::Error, Dot::Square);
        if (answer->error)
            showProblem(tr("The test failed"), *answer->error);
    }
    Q_EMIT changed();
}

void ModelCard::remove()
{
    if (m_isNew) {
        Q_EMIT dropped();
        return;
    }
    if (!m_confirming) {
        m_confirming = true;
        updateButtons();
        return;
    }
    application::deliver(this, m_client, application::RemoveModel{m_endpoint.name},
                         [this](const Result<application::Nothing> &answer) {
                             m_confirming = false;
                             updateButtons();
                             if (!answer)
                                 showProblem(tr("Not removed"), answer.error());
                             else
                                 Q_EMIT changed();
                         });
}

void ModelCard::showProblem(const QString &what, const domain::Error &error)
{
    m_problem->setText(tr("%1: %2", "what and why").arg(what, error.message), error.detail);
    m_problem->show();
}

} // namespace berth::ui
