// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/provider_model.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/provider_card.h"
#include "ui/settings/provider_fields.h"
#include "ui/settings/sandbox_section.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/test_steps.h"
#include "ui/style/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "widget/support/provider_forms.h"
#include "widget/support/scripted_engine.h"

#include <QtTest/QSignalSpy>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QPlainTextEdit>

using namespace berth;
using namespace berth::ui;
using test::ScriptedEngine;

namespace {

const domain::ConfigName kDocker(QStringLiteral("docker"));
const domain::ConfigName kLocal(QStringLiteral("local"));

struct Fixture
{
    explicit Fixture(Theme &theme)
    {
        engine.fillProviders();
        engine.forms[kDocker].fields = test::dockerFields();
        engine.forms[kLocal].fields = test::localFields();
        for (const domain::ConfigName &config : {kDocker, kLocal}) {
            engine.forms[config].provider.saved = true;
            for (application::ProviderView &provider : engine.state.providers) {
                if (provider.config == config)
                    provider.saved = true;
            }
        }
        client = engine.makeClient();
        [this] { QTRY_VERIFY(client->isConnected()); }();
        QObject::connect(client.get(), &application::EngineClient::event, &providers,
                         &ProviderModel::apply);
        providers.setProviders(engine.state.providers);
        page = std::make_unique<SettingsPage>(*client, providers, theme);
        page->setEngine(engine.state.engine);
        page->resize(1192, 1200);
        page->show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(page.get())); }();
    }

    ProviderCard *open(const domain::ConfigName &config)
    {
        ProviderCard *card = page->sandbox()->card(config);
        card->head()->setFocus();
        QTest::keyClick(card->head(), Qt::Key_Return);
        [card] { QTRY_VERIFY(card->fields() && card->fields()->isVisible()); }();
        return card;
    }

    static QLineEdit *line(ProviderCard *card, const char *key)
    {
        return qobject_cast<QLineEdit *>(card->fields()->editor(QString::fromLatin1(key))->input());
    }

    static QString problem(ProviderCard *card, const char *key)
    {
        return card->fields()->editor(QString::fromLatin1(key))->shownProblem();
    }

    ScriptedEngine engine;
    std::unique_ptr<application::InProcessClient> client;
    ProviderModel providers;
    std::unique_ptr<SettingsPage> page;
};

domain::HealthStep step(const char *name, domain::StepState state, int ms)
{
    return {QString::fromLatin1(name), state, QStringLiteral("found"),
            std::chrono::milliseconds(ms)};
}

} // namespace

class TestSettings final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>(*qApp, ThemeMode::Light);
    }

    void saysWhereTheFilesAre()
    {
        Fixture f(*m_theme);
        bool found = false;
        for (QLabel *label : f.page->sandbox()->findChildren<QLabel *>())
            found = found || label->text() == f.engine.state.engine.sandboxesDirectory;
        QVERIFY(found);
        QCOMPARE(f.page->sandbox()->cards().size(), 2);
        QCOMPARE(f.page->sandbox()->card(kDocker)->head()->chip()->text(), QStringLiteral("Ready"));
    }

    void typesAndSaves()
    {
        Fixture f(*m_theme);
        ProviderCard *card = f.open(kDocker);
        QVERIFY(!card->saveButton()->isEnabled());
        QVERIFY(!card->revertButton()->isEnabled());
        QLineEdit *image = Fixture::line(card, "docker.image");
        // The default is shown, not written.
        QCOMPARE(image->text(), QString());
        QCOMPARE(image->placeholderText(), QStringLiteral("python:3.12-slim"));
        image->setFocus();
        QTest::keyClicks(image, QStringLiteral("ubuntu:24.04"));
        QVERIFY(card->saveButton()->isEnabled());
        QTest::mouseClick(card->saveButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::SaveProvider>(), 1);
        const auto sent = f.engine.last<application::SaveProvider>();
        QCOMPARE(sent.config, kDocker);
        QCOMPARE(sent.values.value(QStringLiteral("docker.image")), QStringLiteral("ubuntu:24.04"));
        QCOMPARE(sent.values.value(QStringLiteral("docker.mount_path")),
                 QStringLiteral("/workspace"));
        // Nobody chose one: the key stays out of the file.
        QCOMPARE(sent.values.value(QStringLiteral("on_exit")), QString());
        QTRY_COMPARE(card->result()->text(), QStringLiteral("Saved"));
        QTRY_VERIFY(!card->saveButton()->isEnabled());
        QCOMPARE(image->text(), QStringLiteral("ubuntu:24.04"));
    }

    void mistakesAreShownAndNotSaved()
    {
        Fixture f(*m_theme);
        ProviderCard *card = f.open(kDocker);
        QLineEdit *memory = Fixture::line(card, "docker.memory_limit");
        memory->setFocus();
        QTest::keyClicks(memory, QStringLiteral("lots"));
        QVERIFY(!card->saveButton()->isEnabled());
        QCOMPARE(Fixture::problem(card, "docker.memory_limit"), QString()); // still typing
        QTest::keyClick(memory, Qt::Key_Tab);
        QVERIFY(Fixture::problem(card, "docker.memory_limit").contains(QLatin1String("512m")));
        QVERIFY(memory->accessibleDescription().contains(QLatin1String("512m")));
        memory->setFocus();
        memory->selectAll();
        QTest::keyClicks(memory, QStringLiteral("512m"));
        QCOMPARE(Fixture::problem(card, "docker.memory_limit"), QString()); // gone at once
        QVERIFY(card->saveButton()->isEnabled());
        // A mistake in what is folded away is opened.
        QLineEdit *shares = Fixture::line(card, "docker.cpu_shares");
        QVERIFY(!shares->isVisible());
        shares->setText(QStringLiteral("1"));
        card->save();
        QVERIFY(shares->isVisible());
        QVERIFY(shares->hasFocus());
        QCOMPARE(Fixture::problem(card, "docker.cpu_shares"),
                 QStringLiteral("CPU shares must be at least 2"));
        QCOMPARE(f.engine.count<application::SaveProvider>(), 0);
    }

    void revertBringsTheFileBack()
    {
        Fixture f(*m_theme);
        ProviderCard *card = f.open(kDocker);
        QLineEdit *home = Fixture::line(card, "docker.mount_path");
        home->setFocus();
        home->selectAll();
        QTest::keyClicks(home, QStringLiteral("work"));
        QTest::keyClick(home, Qt::Key_Tab);
        QVERIFY(!Fixture::problem(card, "docker.mount_path").isEmpty());
        QTest::mouseClick(card->revertButton(), Qt::LeftButton);
        QCOMPARE(home->text(), QStringLiteral("/workspace"));
        QCOMPARE(Fixture::problem(card, "docker.mount_path"), QString());
        QVERIFY(!card->fields()->isChanged());
        QVERIFY(!card->revertButton()->isEnabled());
    }

    void choicesAndSwitchesAreWrittenOnlyWhenChosen()
    {
        Fixture f(*m_theme);
        ProviderCard *card = f.open(kLocal);
        auto *network = card->findChild<Switch *>();
        QVERIFY(network && !network->isChecked());
        QCOMPARE(card->fields()->values().value(QStringLiteral("local.network")), QString());
        QTest::mouseClick(network, Qt::LeftButton);
        QCOMPARE(card->fields()->values().value(QStringLiteral("local.network")),
                 QStringLiteral("true"));
        auto *chips = card->findChild<RadioChips *>();
        QCOMPARE(chips->value(), QStringLiteral("pause"));
        for (QPushButton *chip : chips->findChildren<QPushButton *>()) {
            if (chip->text() == QLatin1String("Destroy, clean slate"))
                QTest::mouseClick(chip, Qt::LeftButton);
        }
        QCOMPARE(card->fields()->values().value(QStringLiteral("on_exit")),
                 QStringLiteral("destroy"));
    }

    void refusedSaveStaysAtTheCard()
    {
        Fixture f(*m_theme);
        domain::Error error;
        error.kind = domain::ErrorKind::Storage;
        error.message = QStringLiteral("docker.json cannot be written");
        error.detail = QStringLiteral("The disk is full.");
        f.engine.failures.insert(QStringLiteral("provider.save"), error);
        ProviderCard *card = f.open(kDocker);
        QLineEdit *image = Fixture::line(card, "docker.image");
        QTest::keyClicks(image, QStringLiteral("alpine"));
        QTest::mouseClick(card->saveButton(), Qt::LeftButton);
        QTRY_VERIFY(card->problem()->isVisible());
        QCOMPARE(card->problem()->title(),
                 QStringLiteral("Not saved: docker.json cannot be written"));
        QCOMPARE(card->problem()->detail(), QStringLiteral("The disk is full."));
        QCOMPARE(image->text(), QStringLiteral("alpine"));
        QVERIFY(card->saveButton()->isEnabled());
    }

    void testRunsOnUnsavedValues()
    {
        Fixture f(*m_theme);
        f.engine.health.ok = true;
        f.engine.health.summary = QStringLiteral("Engine 28.2");
        f.engine.health.durationMs = 310;
        f.engine.health.steps = {step("Find the engine", domain::StepState::Ok, 3),
                                 step("Negotiate", domain::StepState::Warning, 210)};
        ProviderCard *card = f.open(kDocker);
        QTest::keyClicks(Fixture::line(card, "docker.image"), QStringLiteral("alpine"));
        f.engine.held = {QStringLiteral("provider.test")};
        QTest::mouseClick(card->testButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::TestProvider>(), 1);
        QCOMPARE(
            f.engine.last<application::TestProvider>().values.value(QStringLiteral("docker.image")),
            QStringLiteral("alpine"));
        QVERIFY(card->steps()->isRunning());
        QCOMPARE(card->testButton()->text(), QStringLiteral("Cancel test"));
        // A step of another client's test is not ours.
        f.engine.emitEvent(application::HealthStepDone{domain::RequestId::create(),
                                                       step("Other", domain::StepState::Ok, 1)});
        QTest::qWait(10);
        QCOMPARE(card->steps()->count(), 0);
        f.engine.release();
        QTRY_COMPARE(card->steps()->count(), 2);
        QTRY_COMPARE(card->result()->text(), QStringLiteral("Connected in 0.31 s · Engine 28.2"));
        QVERIFY(!card->steps()->isRunning());
        QCOMPARE(card->testButton()->text(), QStringLiteral("Test connection"));
        QStringList chips;
        for (Chip *chip : card->steps()->findChildren<Chip *>())
            chips.append(chip->text());
        QCOMPARE(chips, (QStringList{QStringLiteral("ok"), QStringLiteral("warning")}));
        QCOMPARE(f.engine.count<application::SaveProvider>(), 0);
    }

    void failedTestSaysWhatToDo()
    {
        Fixture f(*m_theme);
        f.engine.health.ok = false;
        f.engine.health.durationMs = 12;
        f.engine.health.steps = {step("Find the engine", domain::StepState::Failed, 12)};
        domain::Error error;
        error.kind = domain::ErrorKind::Unavailable;
        error.message = QStringLiteral("No Docker engine was found");
        error.detail = QStringLiteral("Start Docker, or give its address.");
        f.engine.health.error = error;
        ProviderCard *card = f.open(kDocker);
        QTest::mouseClick(card->testButton(), Qt::LeftButton);
        QTRY_VERIFY(card->problem()->isVisible());
        QCOMPARE(card->problem()->detail(), error.detail);
        QCOMPARE(card->result()->text(), QStringLiteral("Failed after 12 ms"));
    }

    void runningTestCanBeCancelled()
    {
        Fixture f(*m_theme);
        f.engine.held = {QStringLiteral("provider.test")};
        ProviderCard *card = f.open(kDocker);
        QTest::mouseClick(card->testButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::TestProvider>(), 1);
        QTest::mouseClick(card->testButton(), Qt::LeftButton);
        QTRY_COMPARE(card->result()->text(), QStringLiteral("Test cancelled"));
        QVERIFY(!card->steps()->isRunning());
        QVERIFY(card->testButton()->isEnabled());
    }

    void jsonFollowsTheForm()
    {
        Fixture f(*m_theme);
        f.engine.forms[kDocker].json = QStringLiteral("{\n  \"provider\": \"docker\"\n}\n");
        ProviderCard *card = f.open(kDocker);
        QTest::mouseClick(card->jsonButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::PreviewProvider>(), 1);
        QTRY_VERIFY(
            card->jsonText()->toPlainText().contains(QLatin1String("\"provider\": \"docker\"")));
        QVERIFY(card->jsonText()->isReadOnly());
        QTest::keyClicks(Fixture::line(card, "docker.image"), QStringLiteral("alpine"));
        QTRY_COMPARE(f.engine.last<application::PreviewProvider>().values.value(
                         QStringLiteral("docker.image")),
                     QStringLiteral("alpine"));
        QTest::mouseClick(card->jsonButton(), Qt::LeftButton);
        QVERIFY(!card->jsonText()->isVisible());
    }

    void stateFollowsTheEngine()
    {
        Fixture f(*m_theme);
        ProviderCard *card = f.open(kDocker);
        QTest::keyClicks(Fixture::line(card, "docker.image"), QStringLiteral("alpine"));
        application::ProviderView view = f.engine.state.providers.last();
        view.state = application::ProviderState::Unreachable;
        view.stateText = QStringLiteral("Unreachable");
        view.stateDetail = QStringLiteral("Connection refused at /var/run/docker.sock");
        f.engine.emitEvent(application::ProviderChanged{view});
        QTRY_COMPARE(card->head()->chip()->text(), QStringLiteral("Unreachable"));
        QCOMPARE(card->head()->chip()->tone(), Tone::Error);
        QVERIFY(
            card->head()->accessibleDescription().contains(QLatin1String("Connection refused")));
        // What was typed is still there.
        QCOMPARE(Fixture::line(card, "docker.image")->text(), QStringLiteral("alpine"));
    }

    void brokenFileIsLeftAlone()
    {
        Fixture f(*m_theme);
        ProviderCard *card = f.open(kDocker);
        application::ProviderView view = f.engine.state.providers.last();
        view.state = application::ProviderState::Broken;
        view.stateText = QStringLiteral("File has a mistake");
        f.engine.emitEvent(application::ProviderChanged{view});
        QTRY_COMPARE(card->head()->chip()->text(), QStringLiteral("File has a mistake"));
        QTest::keyClicks(Fixture::line(card, "docker.image"), QStringLiteral("alpine"));
        QVERIFY(!card->saveButton()->isEnabled());
    }

    void opensOnAProvider()
    {
        Fixture f(*m_theme);
        f.page->showSection(SettingsPage::Section::About);
        f.page->showProvider(kDocker);
        ProviderCard *card = f.page->sandbox()->card(kDocker);
        QTRY_VERIFY(card->isExpanded() && card->isVisible() && card->fields());
        QTRY_COMPARE(QApplication::focusWidget(), card->head());
        QCOMPARE(f.page->sections()->currentRow(), 0);
        // From the head, Tab goes to the first field.
        QTest::keyClick(card->head(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), Fixture::line(card, "docker.image"));
    }

    void everyFieldHasAName()
    {
        Fixture f(*m_theme);
        for (const domain::ConfigName &config : {kDocker, kLocal}) {
            ProviderCard *card = f.open(config);
            card->fields()->setAdvancedOpen(true);
            for (const application::FieldView &field :
                 std::as_const(f.engine.forms[config].fields)) {
                const FieldEditor *editor = card->fields()->editor(field.key);
                QVERIFY2(editor && !editor->input()->accessibleName().isEmpty(),
                         qPrintable(field.key));
            }
        }
    }

    void themeChangesAtOnce()
    {
        Fixture f(*m_theme);
        f.page->showSection(SettingsPage::Section::Appearance);
        for (QPushButton *chip : f.page->themeChoice()->findChildren<QPushButton *>()) {
            if (chip->text() == QLatin1String("Dark"))
                QTest::mouseClick(chip, Qt::LeftButton);
        }
        QCOMPARE(m_theme->mode(), ThemeMode::Dark);
        QVERIFY(tokens(f.page.get()).dark);
        m_theme->setMode(ThemeMode::Light);
        QCOMPARE(f.page->themeChoice()->value(), QStringLiteral("light"));
    }

private:
    std::unique_ptr<Theme> m_theme;
};

QTEST_MAIN(TestSettings)
#include "test_settings.moc"
