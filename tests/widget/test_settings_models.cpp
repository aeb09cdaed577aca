// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, Models: connecting, changing, testing and removing endpoints, by clicks and keys.
#include "application/in_process_client.h"
#include "support/scripted_engine.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/model_card.h"
#include "ui/settings/model_section.h"
#include "ui/settings/secret_field.h"
#include "ui/settings/test_steps.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtTest/QTest>
#include <QtWidgets/QLineEdit>

using namespace berth;
using namespace berth::ui;
using berth::test::ScriptedEngine;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

struct ModelsFixture
{
    explicit ModelsFixture(bool connected = true)
    {
        application::ModelPresetView ollama;
        ollama.id = s("ollama");
        ollama.label = s("Ollama");
        ollama.dialect = s("openai");
        ollama.baseUrl = s("http://127.0.0.1:11434/v1");
        ollama.found = true;
        engine.agents.models.presets = {ollama};
        if (connected) {
            application::ModelEndpointView local;
            local.name = s("local");
            local.dialect = s("openai");
            local.baseUrl = s("http://127.0.0.1:8080/v1");
            local.model = s("qwen3");
            local.keyOrigin = s("none");
            local.isDefault = true;
            local.state = s("ready");
            local.stateText = s("Ready");
            application::ModelEndpointView other = local;
            other.name = s("other");
            other.isDefault = false;
            engine.agents.models.endpoints = {local, other};
        }
        client = engine.makeClient();
        [this] { QTRY_VERIFY(client->isConnected()); }();
        section = std::make_unique<ModelSection>(*client);
        section->resize(860, 900);
        section->show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(section.get())); }();
        [this] { QTRY_VERIFY(!section->presetButtons().isEmpty()); }();
    }

    [[nodiscard]] ModelCard *card(const char *name) const
    {
        for (ModelCard *one : section->cards()) {
            if (one->endpoint().name == s(name))
                return one;
        }
        return nullptr;
    }
    static void type(ModelCard *card, const char *key, const char *text)
    {
        auto *line = qobject_cast<QLineEdit *>(card->field(s(key))->input());
        QVERIFY(line);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, s(text));
    }
    static void click(QWidget *button) { QTest::mouseClick(button, Qt::LeftButton); }
    [[nodiscard]] const application::ModelEndpointView *stored(const char *name) const
    {
        for (const auto &endpoint : engine.agents.models.endpoints) {
            if (endpoint.name == s(name))
                return &endpoint;
        }
        return nullptr;
    }

    ScriptedEngine engine;
    std::unique_ptr<application::InProcessClient> client;
    std::unique_ptr<ModelSection> section;
};

} // namespace

class TestSettingsModels final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void showsWhatIsConnected()
    {
        ModelsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        QVERIFY(!f.card("local")->defaultButton()->isVisibleTo(f.card("local")));
        QVERIFY(f.section->presetButtons().first()->text().contains(s("answers now")));
    }

    void aPresetIsConnectedByItsModel()
    {
        ModelsFixture f(false);
        ModelsFixture::click(f.section->presetButtons().first());
        ModelCard *card = f.card("ollama");
        QVERIFY(card && card->isNew());
        // Nothing is used unasked: it is not there before it was saved, and it needs its model.
        QVERIFY(!f.stored("ollama"));
        QVERIFY(!card->saveButton()->isEnabled());
        ModelsFixture::type(card, "model", "qwen3");
        QTRY_VERIFY(card->saveButton()->isEnabled());
        ModelsFixture::click(card->saveButton());
        QTRY_VERIFY(f.stored("ollama"));
        QCOMPARE(f.stored("ollama")->model, s("qwen3"));
        QCOMPARE(f.stored("ollama")->baseUrl, s("http://127.0.0.1:11434/v1"));
        QVERIFY(f.stored("ollama")->isDefault);
        QTRY_COMPARE(f.section->cards().size(), 1);
        QTRY_VERIFY(!f.section->cards().first()->isNew());
        QCOMPARE(f.section->cards().size(), 1);
    }

    void aNewOneCanBeDropped()
    {
        ModelsFixture f;
        ModelsFixture::click(f.section->presetButtons().first());
        QCOMPARE(f.section->cards().size(), 3);
        ModelsFixture::click(f.card("ollama")->removeButton());
        QCOMPARE(f.section->cards().size(), 2);
        QCOMPARE(f.engine.agents.models.endpoints.size(), 2);
    }

    void mistakesAreSaidAndNotSaved()
    {
        ModelsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        ModelCard *card = f.card("local");
        card->setExpanded(true);
        ModelsFixture::type(card, "input_price", "cheap");
        QVERIFY(!card->field(s("input_price"))->problem().isEmpty());
        QVERIFY(!card->saveButton()->isEnabled());
        ModelsFixture::type(card, "input_price", "2.5");
        QVERIFY(card->saveButton()->isEnabled());
        ModelsFixture::click(card->saveButton());
        QTRY_COMPARE(f.stored("local")->inputPrice, std::optional<double>(2.5));
    }

    void whatIsTypedSurvivesNews()
    {
        ModelsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        ModelCard *card = f.card("local");
        card->setExpanded(true);
        ModelsFixture::type(card, "model", "half-typ");
        ModelsFixture::click(f.card("other")->defaultButton());
        QTRY_VERIFY(f.stored("other")->isDefault);
        QTRY_VERIFY(card->defaultButton()->isVisibleTo(card));
        QCOMPARE(card->field(s("model"))->value(), s("half-typ"));
    }

    void theTestShowsItsSteps()
    {
        ModelsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        application::HealthView &health = f.engine.agents.modelHealth;
        health.steps = {
            {s("List models"), domain::StepState::Ok, s("3 found"), std::chrono::milliseconds(11)},
            {s("Tool call"), domain::StepState::Failed, s("none came"),
             std::chrono::milliseconds(40)}};
        health.ok = false;
        health.error = domain::Error{
            domain::ErrorKind::Protocol, s("It called no tool"), s("Choose another model"), {}, {}};
        ModelCard *card = f.card("local");
        card->setExpanded(true);
        ModelsFixture::click(card->testButton());
        QTRY_COMPARE(card->steps()->count(), 2);
        QTRY_VERIFY(card->problem()->isVisibleTo(card));
        QVERIFY(card->problem()->title().contains(s("It called no tool")));
        QCOMPARE(card->problem()->detail(), s("Choose another model"));
    }

    void removingAsksFirst()
    {
        ModelsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        ModelCard *card = f.card("other");
        card->setExpanded(true);
        ModelsFixture::click(card->removeButton());
        QTest::qWait(30);
        QVERIFY(f.stored("other"));
        ModelsFixture::click(card->removeButton());
        QTRY_VERIFY(!f.stored("other"));
        QTRY_COMPARE(f.section->cards().size(), 1);
    }
};

QTEST_MAIN(TestSettingsModels)
#include "test_settings_models.moc"
