// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, Presets: what gateway.json has as cards, by clicks and keys.
#include "application/in_process_client.h"
#include "support/scripted_engine.h"
#include "ui/models/agent_documents.h"
#include "ui/models/provider_model.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/preset_card.h"
#include "ui/settings/preset_fields.h"
#include "ui/settings/preset_section.h"
#include "ui/settings/provider_fields.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/confirm_dialog.h"
#include "ui/widgets/save_bar.h"

#include <QtTest/QTest>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>

using namespace berth;
using namespace berth::ui;
using berth::test::ScriptedEngine;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

application::FieldView field(const char *key, const char *type)
{
    application::FieldView made;
    made.key = s(key);
    made.type = s(type);
    made.label = s(key);
    return made;
}

struct PresetsFixture
{
    explicit PresetsFixture(const std::function<void(ScriptedEngine &)> &more = {})
    {
        engine.fillProviders();
        application::FieldView key = field("api_key", "secret");
        application::FieldView pids = field("pids_limit", "integer");
        pids.minimum = 16;
        engine.forms[domain::ConfigName(s("docker"))].fields = {
            field("image", "text"), pids, field("init_commands", "string_list"), key};
        application::PresetView ubuntu;
        ubuntu.name = s("docker-ubuntu");
        ubuntu.type = s("docker");
        ubuntu.config = s("{\"image\":\"ubuntu:24.04\",\"lifecycle\":{\"start\":\"session\"}}");
        application::PresetView plain;
        plain.name = s("plain");
        plain.type = s("local");
        engine.agents.presets.presets = {ubuntu, plain};
        engine.agents.presets.autoProvision = s("docker-ubuntu");
        engine.agents.presets.path = s("/home/ada/.config/berth/gateway.json");
        if (more)
            more(engine);
        providers.setProviders(engine.state.providers);
        client = engine.makeClient();
        [this] { QTRY_VERIFY(client->isConnected()); }();
        section = std::make_unique<PresetSection>(*client, providers);
        section->resize(860, 900);
        section->show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(section.get())); }();
        [this] { QTRY_VERIFY(engine.count<application::ListPresets>() > 0); }();
        QTest::qWait(10);
    }

    PresetCard *open(const char *name)
    {
        PresetCard *card = section->card(s(name));
        if (!card)
            return nullptr;
        card->setExpanded(true);
        [card] { QTRY_VERIFY(card->fields()->fields()); }();
        return card;
    }
    static void type(PresetCard *card, const char *key, const char *text)
    {
        auto *line = qobject_cast<QLineEdit *>(card->fields()->fields()->editor(s(key))->input());
        QVERIFY(line);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, s(text));
    }
    static void click(QWidget *button) { QTest::mouseClick(button, Qt::LeftButton); }
    [[nodiscard]] const application::PresetView *stored(const char *name) const
    {
        for (const auto &preset : engine.agents.presets.presets) {
            if (preset.name == s(name))
                return &preset;
        }
        return nullptr;
    }

    ScriptedEngine engine;
    ProviderModel providers;
    std::unique_ptr<application::InProcessClient> client;
    std::unique_ptr<PresetSection> section;
};

} // namespace

class TestSettingsPresets final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void showsWhatTheFileHas()
    {
        PresetsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        QCOMPARE(f.section->card(s("docker-ubuntu"))->head()->chip()->text(), s("For new agents"));
        QCOMPARE(f.section->card(s("plain"))->head()->chip()->text(), s("Ready"));
        QVERIFY(f.section->defaultText().contains(s("docker-ubuntu")));
        QVERIFY(!f.section->problem()->isVisible());
    }

    void whatChangedMeanwhileIsKept()
    {
        PresetsFixture f;
        PresetCard *card = f.open("docker-ubuntu");
        QVERIFY(card);
        PresetsFixture::type(card, "image", "debian:12");
        application::PresetView theirs = card->preset();
        theirs.config = s("{\"image\":\"ubuntu:26.04\",\"pids_limit\":64,\"other\":1}");
        card->setPreset(theirs, true);
        QVERIFY(card->hasChanges());
        QCOMPARE(card->fields()->fields()->editor(s("pids_limit"))->value(), s("64"));
        PresetsFixture::click(card->bar()->saveButton());
        QTRY_VERIFY(f.stored("docker-ubuntu")->config.contains(s("debian:12")));
        const QString config = f.stored("docker-ubuntu")->config;
        QVERIFY2(config.contains(s("64")) && config.contains(s("\"other\":1"))
                     && !config.contains(s("lifecycle")),
                 qPrintable(config));
    }

    void theFormIsTheSchemasWithoutKeys()
    {
        PresetsFixture f;
        PresetCard *card = f.open("docker-ubuntu");
        QCOMPARE(card->fields()->fields()->editor(s("image"))->value(), s("ubuntu:24.04"));
        QVERIFY(!card->fields()->fields()->editor(s("api_key")));
        QVERIFY(!card->bar()->saveButton()->isEnabled());
    }

    void aChangeKeepsWhatIsNoField()
    {
        PresetsFixture f;
        PresetCard *card = f.open("docker-ubuntu");
        PresetsFixture::type(card, "image", "debian:12");
        PresetsFixture::type(card, "pids_limit", "200");
        PresetsFixture::click(card->bar()->saveButton());
        QTRY_COMPARE(f.engine.count<application::SavePreset>(), 1);
        QCOMPARE(f.stored("docker-ubuntu")->config,
                 s("{\"image\":\"debian:12\",\"lifecycle\":{\"start\":\"session\"},"
                   "\"pids_limit\":200}"));
        QTRY_VERIFY(!card->bar()->saveButton()->isEnabled());
    }

    void mistakesAreNotSaved()
    {
        PresetsFixture f;
        PresetCard *card = f.open("docker-ubuntu");
        PresetsFixture::type(card, "pids_limit", "3");
        QVERIFY(!card->bar()->saveButton()->isEnabled());
        PresetsFixture::click(card->bar()->revertButton());
        QTRY_VERIFY(card->fields()->fields()
                    && card->fields()->fields()->editor(s("pids_limit"))->value().isEmpty());
    }

    void oneIsAdded()
    {
        PresetsFixture f;
        QTRY_COMPARE(f.section->cards().size(), 2);
        PresetsFixture::click(f.section->addButton());
        QCOMPARE(f.section->cards().size(), 3);
        PresetCard *card = f.section->cards().last();
        QVERIFY(card->isNew() && card->name()->hasFocus());
        QCOMPARE(card->type()->currentData().toString(), s("docker"));
        QTRY_VERIFY(card->fields()->fields());
        QTest::keyClicks(card->name(), s("My preset"));
        QVERIFY(!card->bar()->saveButton()->isEnabled());
        card->name()->clear();
        QTest::keyClicks(card->name(), s("slim"));
        PresetsFixture::type(card, "image", "python:3.12-slim");
        PresetsFixture::click(card->bar()->saveButton());
        QTRY_VERIFY(f.stored("slim"));
        QCOMPARE(f.stored("slim")->type, s("docker"));
        QTRY_COMPARE(f.section->cards().size(), 3);
        QTRY_VERIFY(f.section->card(s("slim")));
    }

    void theDefaultIsChosen()
    {
        PresetsFixture f;
        PresetCard *card = f.open("plain");
        PresetsFixture::click(card->defaultButton());
        QTRY_COMPARE(f.engine.agents.presets.autoProvision, s("plain"));
        QTRY_COMPARE(card->head()->chip()->text(), s("For new agents"));
        PresetsFixture::click(card->defaultButton());
        QTRY_VERIFY(f.engine.agents.presets.autoProvision.isEmpty());
        QTRY_VERIFY(f.section->defaultText().contains(s("no sandbox")));
    }

    void removingAsks()
    {
        PresetsFixture f;
        PresetCard *card = f.open("plain");
        PresetsFixture::click(card->removeButton());
        QVERIFY(card->question());
        PresetsFixture::click(card->question()->cancelButton());
        QTRY_VERIFY(!card->question());
        QVERIFY(f.stored("plain"));
        PresetsFixture::click(card->removeButton());
        PresetsFixture::click(card->question()->actionButton());
        QTRY_VERIFY(!f.stored("plain"));
        QTRY_COMPARE(f.section->cards().size(), 1);
    }

    void whatTheEngineRefusesIsSaid()
    {
        PresetsFixture f;
        PresetCard *card = f.open("docker-ubuntu");
        domain::Error error;
        error.kind = domain::ErrorKind::InvalidInput;
        error.message = s("\"image\" can be set in a provider config only");
        error.detail = s("Keys and addresses belong into the provider's own settings");
        f.engine.failures.insert(s("preset.save"), error);
        PresetsFixture::type(card, "image", "x");
        PresetsFixture::click(card->bar()->saveButton());
        QTRY_VERIFY(card->bar()->problem()->isVisible());
        QVERIFY(card->bar()->problem()->title().contains(s("image")));
        QCOMPARE(card->fields()->fields()->editor(s("image"))->value(), s("x"));
    }

    void aBrokenFileIsShownAndLeft()
    {
        PresetsFixture f([](ScriptedEngine &engine) {
            engine.agents.presets = {};
            engine.agents.presets.problem = s("gateway.json is not what a gateway.json is");
        });
        QTRY_VERIFY(f.section->problem()->isVisible());
        QVERIFY(f.section->problem()->detail().contains(s("gateway.json")));
        QVERIFY(!f.section->addButton()->isEnabled());
    }

    void aDanglingDefaultCanBeMended()
    {
        PresetsFixture f([](ScriptedEngine &engine) {
            engine.agents.presets.autoProvision = s("gone");
            engine.agents.presets.problem = s("There is no preset \"gone\"");
        });
        QTRY_VERIFY(f.section->problem()->isVisible());
        QVERIFY(f.section->addButton()->isEnabled());
        PresetsFixture::click(f.section->problem()->findChild<Button *>());
        QTRY_VERIFY(f.engine.agents.presets.autoProvision.isEmpty());
        QTRY_VERIFY(!f.section->problem()->isVisible());
    }

    void aPresetThatCannotBeUsedSaysWhy()
    {
        PresetsFixture f([](ScriptedEngine &engine) {
            engine.agents.presets.presets[1].problem = s("There is no sandbox type \"locl\"");
        });
        QTRY_COMPARE(f.section->card(s("plain"))->head()->chip()->text(), s("Cannot be used"));
        PresetCard *card = f.section->card(s("plain"));
        card->setExpanded(true);
        QVERIFY(card->problem()->isVisible());
        QVERIFY(!card->defaultButton()->isEnabled());
    }

    void configsKeepTheirTypes()
    {
        const QList<application::FieldView> fields{field("on", "boolean"), field("n", "integer"),
                                                   field("l", "string_list"), field("t", "text")};
        const QString made = withConfigValues(
            s("{\"other\":{\"a\":1}}"), fields,
            {{s("on"), s("true")}, {s("n"), s("7")}, {s("l"), s("a\nb")}, {s("t"), s("7")}});
        QCOMPARE(made,
                 s("{\"other\":{\"a\":1},\"on\":true,\"n\":7,\"l\":[\"a\",\"b\"],"
                   "\"t\":\"7\"}"));
        QCOMPARE(configValues(made).value(s("l")), s("a\nb"));
        QCOMPARE(withConfigValues(made, fields, {}), s("{\"other\":{\"a\":1}}"));
    }
};

QTEST_MAIN(TestSettingsPresets)
#include "test_settings_presets.moc"
