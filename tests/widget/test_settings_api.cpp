// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Settings, HTTP API: serving, grants and tokens, by clicks and keys.
#include "ui/settings/api_section.h"
#include "ui/settings/entry_row.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/token_form.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/label.h"
#include "widget/support/scripted_engine.h"

#include <QtCore/QPointer>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>

using namespace berth;
using namespace berth::ui;
using test::ScriptedEngine;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

void click(QWidget *button)
{
    QTest::mouseClick(button, Qt::LeftButton);
}

struct ApiFixture
{
    ApiFixture()
    {
        application::TokenView token;
        token.id = s("t1");
        token.name = s("ci");
        token.scopes = {s("read"), s("run")};
        token.agent = domain::AgentId(s("default"));
        token.lastUsedAt = QDateTime(QDate(2026, 11, 3), QTime(12, 30));
        engine.security.tokens.tokens = {token};
        engine.security.api.tokenPath = s("/home/u/.local/share/berth/token");
        client = engine.makeClient();
        [this] { QTRY_VERIFY(client->isConnected()); }();
        section = std::make_unique<ApiSection>(*client);
        section->resize(860, 900);
        section->show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(section.get())); }();
        [this] { QTRY_COMPARE(section->rows().size(), 1); }();
    }
    void startToken(const char *name)
    {
        click(section->addButton());
        QVERIFY(section->form());
        QTest::keyClicks(section->form()->nameField()->input(), s(name));
    }
    //! It stands in a line or label that is shown.
    [[nodiscard]] bool isSeen(const QString &text) const
    {
        for (const QLineEdit *line : section->findChildren<QLineEdit *>()) {
            if (line->isVisible() && line->text().contains(text))
                return true;
        }
        for (const QLabel *label : section->findChildren<QLabel *>()) {
            if (label->isVisible() && label->text().contains(text))
                return true;
        }
        return false;
    }

    ScriptedEngine engine;
    std::unique_ptr<application::InProcessClient> client;
    std::unique_ptr<ApiSection> section;
};

} // namespace

class TestSettingsApi final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void isSwitchedOnAndOff()
    {
        ApiFixture f;
        QCOMPARE(f.section->state()->text(), s("Off"));
        QVERIFY(f.isSeen(s("/home/u/.local/share/berth/token")));
        click(f.section->enableSwitch());
        QTRY_VERIFY(f.engine.security.api.enabled);
        QTRY_COMPARE(f.section->state()->text(), s("Running"));
        QVERIFY(f.isSeen(s("http://127.0.0.1:8770")));
        QTRY_VERIFY(f.section->enableSwitch()->isEnabled());
        click(f.section->enableSwitch());
        QTRY_VERIFY(!f.engine.security.api.enabled);
        QTRY_COMPARE(f.section->state()->text(), s("Off"));
    }

    void aRefusalPutsTheSwitchBack()
    {
        ApiFixture f;
        f.engine.failures.insert(QString::fromLatin1(application::SetApi::kName),
                                 {domain::ErrorKind::Forbidden, s("Only a window may"), {}});
        click(f.section->enableSwitch());
        QTRY_VERIFY(f.section->problem()->isVisible());
        QVERIFY(!f.section->enableSwitch()->isChecked());
        QVERIFY(f.section->enableSwitch()->isEnabled());
    }

    void aRevokedGrantNeverComesBack()
    {
        ApiFixture f;
        f.engine.security.api.grantAdmin = true;
        f.engine.emitEvent(application::ApiChanged{f.engine.security.api});
        QTRY_VERIFY(f.section->adminSwitch()->isChecked());
        const QString set = QString::fromLatin1(application::SetApi::kName);
        f.engine.held = {set};
        click(f.section->adminSwitch());
        QTRY_COMPARE(f.engine.count(set), 1);
        QVERIFY(!f.engine.last<application::SetApi>().grantAdmin);
        QVERIFY(!f.section->adminSwitch()->isChecked());
        // Before the answer nothing else is sent.
        QVERIFY(!f.section->enableSwitch()->isEnabled());
        click(f.section->enableSwitch());
        click(f.section->approveSwitch());
        QTest::keyClick(f.section->enableSwitch(), Qt::Key_Space);
        QTest::qWait(30);
        QCOMPARE(f.engine.count(set), 1);
        f.engine.release();
        QTRY_VERIFY(f.section->enableSwitch()->isEnabled());
        QVERIFY(!f.engine.security.api.grantAdmin);
        click(f.section->enableSwitch());
        QTRY_COMPARE(f.engine.count(set), 2);
        QTRY_VERIFY(f.engine.security.api.enabled);
        QVERIFY(!f.engine.security.api.grantAdmin);
    }

    void eachFailedLoadIsSaidAndTriedAgain()
    {
        ScriptedEngine engine;
        const QString list = QString::fromLatin1(application::ListTokens::kName);
        const QString get = QString::fromLatin1(application::GetApi::kName);
        engine.failures.insert(list, {domain::ErrorKind::Storage, s("No tokens now"), {}, {}, {}});
        const auto client = engine.makeClient();
        QTRY_VERIFY(client->isConnected());
        ApiSection section(*client);
        section.resize(860, 900);
        section.show();
        QVERIFY(QTest::qWaitForWindowActive(&section));
        QTRY_VERIFY(section.tokenProblem()->isVisible());
        QTRY_VERIFY(section.enableSwitch()->isEnabled());
        // What came does not take away what is said of the other.
        QVERIFY(section.tokenProblem()->isVisible());
        QVERIFY(!section.apiProblem()->isVisible());
        QVERIFY(!section.noneLabel()->isVisible());
        engine.failures.clear();
        click(section.tokenAgainButton());
        QTRY_VERIFY(section.noneLabel()->isVisible());
        QVERIFY(!section.tokenProblem()->isVisible());
        engine.failures.insert(get, {domain::ErrorKind::Storage, s("No API now"), {}, {}, {}});
        section.load();
        QTRY_VERIFY(section.apiProblem()->isVisible());
        engine.failures.clear();
        click(section.apiAgainButton());
        QTRY_VERIFY(!section.apiProblem()->isVisible());
    }

    void aLateTokenLeavesAnotherFormOpen()
    {
        ApiFixture f;
        f.startToken("helper");
        f.engine.held = {QString::fromLatin1(application::NewToken::kName)};
        click(f.section->form()->createButton());
        QTRY_COMPARE(f.engine.count<application::NewToken>(), 1);
        click(f.section->form()->cancelButton());
        f.startToken("second");
        const QPointer<TokenForm> second = f.section->form();
        f.engine.release();
        QTRY_VERIFY(f.section->minted());
        QVERIFY(second && f.section->form() == second);
        QCOMPARE(second->nameField()->value(), s("second"));
    }

    void whyItDoesNotRunIsSaid()
    {
        ApiFixture f;
        f.engine.security.api.enabled = true;
        f.engine.security.api.problem = s("Port 8770 is taken by another program");
        f.engine.emitEvent(application::ApiChanged{f.engine.security.api});
        QTRY_COMPARE(f.section->state()->text(), s("Does not run"));
        QVERIFY(f.isSeen(s("Port 8770 is taken")));
    }

    void grantingAsksFirst()
    {
        ApiFixture f;
        click(f.section->approveSwitch());
        QVERIFY(f.section->question()->isVisible());
        QVERIFY(!f.section->approveSwitch()->isChecked());
        QVERIFY(f.section->question()->detail().contains(s("any command of any agent")));
        QCOMPARE(f.section->focusWidget(), f.section->cancelButton());
        // Return and Space mean the safe one.
        QTest::keyClick(f.section->focusWidget(), Qt::Key_Space);
        QVERIFY(!f.section->question()->isVisible());
        QCOMPARE(f.engine.count<application::SetApi>(), 0);
        click(f.section->approveSwitch());
        click(f.section->confirmButton());
        QTRY_VERIFY(f.engine.security.api.grantApprove);
        QVERIFY(!f.engine.security.api.grantAdmin);
        QVERIFY(!f.engine.security.api.enabled);
        QTRY_VERIFY(f.section->approveSwitch()->isChecked());
        // Less takes no question.
        QTRY_VERIFY(f.section->approveSwitch()->isEnabled());
        click(f.section->approveSwitch());
        QTRY_VERIFY(!f.engine.security.api.grantApprove);
    }

    void scopesThatWereNotGrantedCannotBeChosen()
    {
        ApiFixture f;
        f.startToken("helper");
        TokenForm *form = f.section->form();
        QVERIFY(form->scopeBox(s("run"))->isEnabled());
        QVERIFY(!form->scopeBox(s("approve"))->isEnabled());
        QVERIFY(!form->scopeBox(s("admin"))->isEnabled());
        QVERIFY(!form->scopeBox(s("admin"))->toolTip().isEmpty());
        f.engine.security.api.grantAdmin = true;
        f.engine.emitEvent(application::ApiChanged{f.engine.security.api});
        QTRY_VERIFY(form->scopeBox(s("admin"))->isEnabled());
        QVERIFY(!form->scopeBox(s("approve"))->isEnabled());
        form->scopeBox(s("admin"))->click();
        // Taken back while the form was open.
        f.engine.security.api.grantAdmin = false;
        f.engine.emitEvent(application::ApiChanged{f.engine.security.api});
        QTRY_VERIFY(!form->scopeBox(s("admin"))->isEnabled());
        QCOMPARE(form->command().scopes, QStringList{s("read")});
        form->scopeBox(s("read"))->click();
        QVERIFY(!form->createButton()->isEnabled());
    }

    void aTokenIsShownOnce()
    {
        ApiFixture f;
        const QString secret = QString::fromLatin1(f.engine.security.nextSecret);
        f.startToken("helper");
        TokenForm *form = f.section->form();
        form->scopeBox(s("run"))->click();
        QVERIFY(form->createButton()->isEnabled());
        click(form->createButton());
        QTRY_VERIFY(f.section->minted());
        const auto command = f.engine.last<application::NewToken>();
        QCOMPARE(command.name, s("helper"));
        QCOMPARE(command.scopes, (QStringList{s("read"), s("run")}));
        QVERIFY(command.agent.isNull());
        QVERIFY(f.isSeen(secret));
        QVERIFY(f.section->minted()->line()->isReadOnly());
        click(f.section->minted()->copyButton());
        QCOMPARE(QGuiApplication::clipboard()->text(), secret);
        QTRY_COMPARE(f.section->rows().size(), 2);
        QCOMPARE(f.section->rows().last()->title(), s("helper"));
        QVERIFY(f.section->rows().last()->detail().contains(s("never used")));
        click(f.section->minted()->doneButton());
        QVERIFY(!f.isSeen(secret));
        QVERIFY(!f.section->minted());
    }

    void aTokenIsGoneWithThePage()
    {
        ApiFixture f;
        f.startToken("helper");
        click(f.section->form()->createButton());
        QTRY_VERIFY(f.section->minted());
        f.section->hide();
        f.section->show();
        QVERIFY(!f.section->minted());
        QVERIFY(!f.isSeen(QString::fromLatin1(f.engine.security.nextSecret)));
    }

    void aRefusedTokenStaysInTheForm()
    {
        ApiFixture f;
        f.startToken("helper");
        f.engine.failures.insert(
            QString::fromLatin1(application::NewToken::kName),
            {domain::ErrorKind::Conflict, s("There is a token of that name"), {}});
        click(f.section->form()->createButton());
        QTRY_VERIFY(f.section->form()->problem()->isVisible());
        QCOMPARE(f.section->form()->nameField()->value(), s("helper"));
        QVERIFY(f.section->form()->createButton()->isEnabled());
    }

    void tokensSayWhatTheyMay()
    {
        ApiFixture f;
        const EntryRow *row = f.section->rows().first();
        QCOMPARE(row->title(), s("ci"));
        QVERIFY(row->detail().contains(s("may read, run")));
        QVERIFY(row->detail().contains(s("agent default only")));
        QVERIFY(row->detail().contains(s("last used")));
        QVERIFY(!row->editButton()->isVisible());
    }

    void revokingAsks()
    {
        ApiFixture f;
        EntryRow *row = f.section->rows().first();
        click(row->removeButton());
        QVERIFY(row->question()->isVisible());
        QCOMPARE(f.section->focusWidget(), row->cancelButton());
        QTest::keyClick(row->cancelButton(), Qt::Key_Space);
        QVERIFY(!row->question()->isVisible());
        QCOMPARE(f.engine.count<application::RevokeToken>(), 0);
        click(row->removeButton());
        click(row->confirmButton());
        QTRY_VERIFY(f.engine.security.tokens.tokens.isEmpty());
        QTRY_VERIFY(f.section->rows().isEmpty());
        QCOMPARE(f.engine.last<application::RevokeToken>().id, s("t1"));
    }
};

QTEST_MAIN(TestSettingsApi)
#include "test_settings_api.moc"
