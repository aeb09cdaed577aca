// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/provider_model.h"
#include "ui/models/sandbox_choice_model.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/provider_card.h"
#include "ui/settings/provider_fields.h"
#include "ui/settings/provider_notes.h"
#include "ui/settings/secret_field.h"
#include "ui/settings/trust_question.h"
#include "ui/style/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/label.h"
#include "widget/support/provider_forms.h"
#include "widget/support/scripted_engine.h"

#include <QtGui/QDesktopServices>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QLineEdit>

using namespace berth;
using namespace berth::ui;
using test::ScriptedEngine;

namespace {

const domain::ConfigName kE2b(QStringLiteral("e2b"));
const domain::ConfigName kDaytona(QStringLiteral("daytona"));
const QString kTyped = QStringLiteral("canary-typed-4711");

//! The card of one provider, opened.
struct Fixture
{
    explicit Fixture(const domain::ConfigName &config, bool hasKeyStore = true,
                     const std::function<void(application::ProviderForm &)> &change = {})
    {
        engine.addProvider(QStringLiteral("e2b"), QStringLiteral("E2"), QStringLiteral("E2B"),
                           QStringLiteral("base"), application::ProviderState::Ready);
        engine.addProvider(QStringLiteral("daytona"), QStringLiteral("Dy"),
                           QStringLiteral("Daytona"), QStringLiteral("base"),
                           application::ProviderState::NeedsKey);
        engine.forms[kE2b].fields = test::e2bFields();
        engine.forms[kDaytona].fields = test::daytonaFields();
        engine.forms[kDaytona].examples = test::daytonaExamples();
        application::ProviderForm &form = engine.forms[config];
        form.hasKeyStore = hasKeyStore;
        form.provider.saved = true;
        form.provider.consoleUrl = QStringLiteral("https://console.example/x");
        form.provider.proof = QStringLiteral("Tested against an imitation of the service only");
        if (change)
            change(form);
        for (application::ProviderView &view : engine.state.providers) {
            if (view.config == config)
                view = form.provider;
        }
        client = engine.makeClient();
        [this] { QTRY_VERIFY(client->isConnected()); }();
        QObject::connect(client.get(), &application::EngineClient::event, &providers,
                         &ProviderModel::apply);
        providers.setProviders(engine.state.providers);
        card = std::make_unique<ProviderCard>(*client, providers, config);
        card->resize(860, 700);
        card->show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(card.get())); }();
        card->setExpanded(true);
        [this] { QTRY_VERIFY(card->fields() && card->fields()->isVisible()); }();
    }
    SecretField *secret() const
    {
        for (SecretField *field : card->findChildren<SecretField *>())
            return field;
        return nullptr;
    }
    template <typename Command>
    bool neverGot(const QString &text) const
    {
        for (const ScriptedEngine::Received &one : engine.received) {
            if (one.command == QLatin1String(Command::kName)
                && one.arguments.json.contains(text.toUtf8()))
                return false;
        }
        return true;
    }

    ScriptedEngine engine;
    std::unique_ptr<application::InProcessClient> client;
    ProviderModel providers;
    std::unique_ptr<ProviderCard> card;
};

void type(QLineEdit *line, const QString &text)
{
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
}

} // namespace

class TestSettingsKeys final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        m_theme = std::make_unique<Theme>(*qApp, ThemeMode::Light);
    }

    void saysWhereTheKeyComesFrom()
    {
        Fixture f(kE2b);
        SecretField *field = f.secret();
        QVERIFY(field);
        QCOMPARE(field->originLabel()->text(),
                 QStringLiteral("From the environment: E2B_API_KEY \u20267f3a"));
        QCOMPARE(field->line()->text(), QString());
        QVERIFY(field->line()->placeholderText().endsWith(QLatin1String("7f3a")));
        QCOMPARE(field->line()->accessibleName(), QStringLiteral("API key"));
        QVERIFY(field->line()->accessibleDescription().contains(QLatin1String("E2B_API_KEY")));
        QVERIFY(!field->revealButton()->isVisible()); // there is nothing here to reveal
        QVERIFY(!field->removeButton()->isVisible());
        QVERIFY(field->storeButton()->isVisible());
        // Untouched: not part of what is saved.
        QVERIFY(!f.card->fields()->values().contains(QStringLiteral("e2b.api_key")));
        QVERIFY(f.card->fields()->isValid());
    }

    void storesInTheKeyStore()
    {
        Fixture f(kE2b);
        SecretField *field = f.secret();
        auto *other = qobject_cast<QLineEdit *>(
            f.card->fields()->editor(QStringLiteral("e2b.template"))->input());
        type(other, QStringLiteral("mine"));
        QTest::mouseClick(field->storeButton(), Qt::LeftButton);
        QVERIFY(field->storeLine()->isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), field->storeLine());
        QCOMPARE(field->storeLine()->echoMode(), QLineEdit::Password);
        QVERIFY(!field->confirmButton()->isEnabled());
        QTest::keyClicks(field->storeLine(), kTyped);
        QTest::keyClick(field->storeLine(), Qt::Key_Return);
        QTRY_COMPARE(f.engine.count<application::StoreProviderKey>(), 1);
        const auto sent = f.engine.last<application::StoreProviderKey>();
        QCOMPARE(sent.config, kE2b);
        QCOMPARE(sent.field, QStringLiteral("e2b.api_key"));
        QCOMPARE(sent.key.exposeForWire(), kTyped.toUtf8());
        QTRY_COMPARE(f.card->result()->text(), QStringLiteral("Key stored"));
        QVERIFY(!field->storeLine()->isVisible());
        QCOMPARE(field->storeLine()->text(), QString());
        QCOMPARE(field->originLabel()->text(),
                 QStringLiteral("From the desktop's key store: \u20264711"));
        QCOMPARE(field->line()->echoMode(), QLineEdit::Normal); // a reference is no secret
        QCOMPARE(field->line()->text(), QStringLiteral("${keyring:berth/e2b}"));
        // What else was typed is still there.
        QCOMPARE(other->text(), QStringLiteral("mine"));
        QVERIFY(f.card->hasChanges());
        QVERIFY(f.neverGot<application::SaveProvider>(kTyped));

        // Taking it out asks first.
        QTest::mouseClick(field->removeButton(), Qt::LeftButton);
        QCOMPARE(f.engine.count<application::StoreProviderKey>(), 1);
        QCOMPARE(field->confirmButton()->text(), QStringLiteral("Remove the key"));
        QTest::keyClick(field->confirmButton(), Qt::Key_Escape);
        QVERIFY(!field->confirmButton()->isVisible());
        QTest::mouseClick(field->removeButton(), Qt::LeftButton);
        QTest::mouseClick(field->confirmButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::StoreProviderKey>(), 2);
        QVERIFY(f.engine.last<application::StoreProviderKey>().key.isEmpty());
        QTRY_COMPARE(f.card->result()->text(), QStringLiteral("Key removed"));
    }

    void aRefusingKeyStoreStaysAtTheCard()
    {
        Fixture f(kE2b);
        domain::Error error;
        error.kind = domain::ErrorKind::Timeout;
        error.message = QStringLiteral("The desktop's key store did not answer");
        f.engine.failures.insert(QStringLiteral("provider.store_key"), error);
        SecretField *field = f.secret();
        QTest::mouseClick(field->storeButton(), Qt::LeftButton);
        QTest::keyClicks(field->storeLine(), kTyped);
        QTest::mouseClick(field->confirmButton(), Qt::LeftButton);
        QTRY_VERIFY(f.card->problem()->isVisible());
        QVERIFY(f.card->problem()->title().contains(QLatin1String("did not answer")));
        QCOMPARE(field->storeLine()->text(), kTyped); // to try again
    }

    void inTheFileOnlyWhenSaidSo()
    {
        Fixture f(kE2b, false);
        SecretField *field = f.secret();
        QVERIFY(!field->storeButton()->isVisible());
        type(field->line(), kTyped);
        QCOMPARE(field->line()->echoMode(), QLineEdit::Password);
        QVERIFY(field->keepSwitch()->isVisible());
        QVERIFY(!f.card->saveButton()->isEnabled());
        QTest::mouseClick(field->revealButton(), Qt::LeftButton);
        QCOMPARE(field->line()->echoMode(), QLineEdit::Normal);
        QTest::mouseClick(field->revealButton(), Qt::LeftButton);
        QCOMPARE(field->line()->echoMode(), QLineEdit::Password);
        QTest::mouseClick(field->keepSwitch(), Qt::LeftButton);
        QVERIFY(f.card->saveButton()->isEnabled());
        QTest::mouseClick(f.card->saveButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::SaveProvider>(), 1);
        QCOMPARE(
            f.engine.last<application::SaveProvider>().values.value(QStringLiteral("e2b.api_key")),
            kTyped);
        // Saved, it is gone from the form.
        QTRY_COMPARE(field->line()->text(), QString());
        QVERIFY(!field->isTouched());
    }

    void aReferenceNeedsNoQuestion()
    {
        Fixture f(kE2b);
        SecretField *field = f.secret();
        type(field->line(), QStringLiteral("${TEAM_KEY}"));
        QVERIFY(!field->keepSwitch()->isVisible());
        QCOMPARE(field->line()->echoMode(), QLineEdit::Normal);
        QVERIFY(f.card->saveButton()->isEnabled());
        QCOMPARE(f.card->fields()->values().value(QStringLiteral("e2b.api_key")),
                 QStringLiteral("${TEAM_KEY}"));
        QTest::mouseClick(f.card->revertButton(), Qt::LeftButton);
        QCOMPARE(field->line()->text(), QString());
        QVERIFY(!f.card->hasChanges());
    }

    void aKeyInTheFileCanBeTakenOut()
    {
        Fixture f(kE2b, true, [](application::ProviderForm &form) {
            form.fields[0].origin = QStringLiteral("file");
        });
        SecretField *field = f.secret();
        QCOMPARE(field->originLabel()->text(), QStringLiteral("From the file: \u20267f3a"));
        QTest::mouseClick(field->removeButton(), Qt::LeftButton);
        QVERIFY(f.card->hasChanges());
        const auto values = f.card->fields()->values();
        QVERIFY(values.contains(QStringLiteral("e2b.api_key")));
        QCOMPARE(values.value(QStringLiteral("e2b.api_key")), QString());
    }

    void aMissingKeyNamesTheVariable()
    {
        Fixture f(kDaytona, false);
        const QString text = f.secret()->originLabel()->text();
        QVERIFY(text.contains(QLatin1String("DAYTONA_API_KEY")));
        QVERIFY(text.contains(QLatin1String("no desktop key store")));
        // No key is no mistake of the form: it may be saved.
        QVERIFY(f.card->fields()->isValid());
    }

    void examplesFillTheForm()
    {
        Fixture f(kDaytona);
        RadioChips *examples = f.card->fields()->examples();
        QVERIFY(examples);
        QCOMPARE(examples->value(), QStringLiteral("SaaS"));
        for (QPushButton *chip : examples->findChildren<QPushButton *>()) {
            if (chip->text() == QLatin1String("Self-hosted"))
                QTest::mouseClick(chip, Qt::LeftButton);
        }
        const auto values = f.card->fields()->values();
        QCOMPARE(values.value(QStringLiteral("daytona.api_url")),
                 QStringLiteral("http://localhost:3986/api"));
        QCOMPARE(values.value(QStringLiteral("daytona.target")), QStringLiteral("us"));
        QCOMPARE(examples->value(), QStringLiteral("Self-hosted"));
        QVERIFY(f.card->saveButton()->isEnabled());
        // An address of one's own is neither.
        type(qobject_cast<QLineEdit *>(
                 f.card->fields()->editor(QStringLiteral("daytona.api_url"))->input()),
             QStringLiteral("https://daytona.example"));
        QCOMPARE(examples->value(), QString());
    }

    void asksWhereTheKeyMayGo()
    {
        Fixture f(kDaytona, true, [](application::ProviderForm &form) {
            form.provider.state = application::ProviderState::NotSetUp;
            form.provider.stateText = QStringLiteral("Needs your confirmation");
            form.provider.unconfirmedOrigins = {QStringLiteral("https://own.example")};
            form.provider.unconfirmedVariables = {QStringLiteral("AWS_SECRET_ACCESS_KEY")};
        });
        TrustQuestion *question = f.card->trust();
        QVERIFY(question->isVisible());
        QCOMPARE(f.card->head()->chip()->tone(), Tone::Warn);
        const QString said = question->banner()->detail();
        QVERIFY(said.contains(QLatin1String("https://own.example")));
        QVERIFY(said.contains(QLatin1String("AWS_SECRET_ACCESS_KEY")));
        QCOMPARE(question->confirmButton()->text(), QStringLiteral("Send the key there"));
        QVERIFY(question->confirmButton()->accessibleName().contains(
            QLatin1String("https://own.example")));
        QTest::mouseClick(question->confirmButton(), Qt::LeftButton);
        QTRY_COMPARE(f.engine.count<application::TrustProvider>(), 1);
        const auto sent = f.engine.last<application::TrustProvider>();
        QCOMPARE(sent.origins, QStringList{QStringLiteral("https://own.example")});
        QCOMPARE(sent.variables, QStringList{QStringLiteral("AWS_SECRET_ACCESS_KEY")});
        QTRY_VERIFY(!question->isVisible());
    }

    void aChangedQuestionIsAskedAgain()
    {
        Fixture f(kDaytona, true, [](application::ProviderForm &form) {
            form.provider.unconfirmedOrigins = {QStringLiteral("https://own.example")};
        });
        domain::Error error;
        error.kind = domain::ErrorKind::Conflict;
        error.message = QStringLiteral("What daytona asks for has changed");
        f.engine.failures.insert(QStringLiteral("provider.trust"), error);
        QTest::mouseClick(f.card->trust()->confirmButton(), Qt::LeftButton);
        QTRY_VERIFY(f.card->problem()->isVisible());
        QVERIFY(f.card->trust()->isVisible());
    }

    void notesAndConsole()
    {
        Fixture f(kE2b);
        QVERIFY(f.card->notes()->isVisible());
        QCOMPARE(f.card->notes()->words()->text(),
                 QStringLiteral("Nothing is to be installed. Tested against an imitation of the "
                                "service only."));
        QDesktopServices::setUrlHandler(QStringLiteral("https"), this, "take");
        QTest::mouseClick(f.card->notes()->console(), Qt::LeftButton);
        QDesktopServices::unsetUrlHandler(QStringLiteral("https"));
        QCOMPARE(m_opened, QUrl(QStringLiteral("https://console.example/x")));
    }

    void aPendingProviderIsGreyWithTheReason()
    {
        application::Snapshot snapshot;
        application::ProviderView view;
        view.config = kE2b;
        view.kind = QStringLiteral("e2b");
        view.label = QStringLiteral("E2B");
        view.state = application::ProviderState::NeedsKey;
        view.stateText = QStringLiteral("Needs an API key");
        view.stateDetail = QStringLiteral("Set E2B_API_KEY or store one in Settings");
        snapshot.providers = {view};
        SandboxChoiceModel model;
        model.set(snapshot, domain::AgentId(QStringLiteral("default")));
        const QModelIndex row = model.indexOfKey(SandboxChoiceModel::keyOf(kE2b));
        QVERIFY(row.isValid());
        QVERIFY(!row.data(SandboxChoiceModel::UsableRole).toBool());
        QCOMPARE(row.data(SandboxChoiceModel::DetailRole).toString(),
                 QStringLiteral("Needs an API key: set E2B_API_KEY or store one in Settings"));
    }

public Q_SLOTS:
    void take(const QUrl &url) { m_opened = url; }

private:
    std::unique_ptr<Theme> m_theme;
    QUrl m_opened;
};

QTEST_MAIN(TestSettingsKeys)
#include "test_settings_keys.moc"
