// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The window open and the command line used beside it: one Engine, both see the same.
#include "bootstrap/engine_access.h"
#include "e2e/support/live_window.h"
#include "support/await.h"
#include "ui/conversation/conversation_page.h"
#include "ui/main/main_window.h"
#include "ui/models/engine_state.h"
#include "ui/models/thread_list_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/banner.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QProcess>
#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QListView>

using namespace berth;
using test::LiveWindow;
using test::waitUntil;
using namespace std::chrono_literals;

#define BERTH_WAIT(condition) QVERIFY(waitUntil([&] { return (condition); }, 60s))

namespace {

void startCli(QProcess &process, const QString &data, const QStringList &verb)
{
    process.start(QStringLiteral(BERTH_CLI),
                  QStringList{QStringLiteral("--data-dir"), data} + verb);
}

bool ended(const QProcess &process)
{
    return process.state() == QProcess::NotRunning;
}

QStringList newThread(const QString &text)
{
    return {QStringLiteral("thread"), QStringLiteral("new"), QStringLiteral("--sandbox"),
            QStringLiteral("local"), text};
}

} // namespace

class WindowBesideCliTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH"})
            qunsetenv(name);
    }

    void bothSeeTheSame()
    {
        LiveWindow live;
        QVERIFY(live.open(test::Way::InProcess));
        QProcess cli;
        startCli(cli, live.dataDirectory(),
                 newThread(QStringLiteral("!echo first; sleep 2; echo last")));
        // The window shows what the shell began while it runs, and opens it by a click.
        ui::ThreadListModel *threads = live.window->threadModel();
        BERTH_WAIT(threads->threadCount() == 1);
        const domain::ThreadId thread = live.snapshot().threads.first().id;
        QListView *list = live.window->sidebar()->threads();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(threads->indexOf(thread)).center());
        BERTH_WAIT(live.calls() == 1);
        BERTH_WAIT(live.shownText(0).trimmed() == QLatin1String("first"));
        QCOMPARE(live.call(0).state, domain::ToolCallState::Running);
        BERTH_WAIT(ended(cli));
        QCOMPARE(cli.exitCode(), 0);
        QCOMPARE(cli.readAllStandardOutput(), QByteArrayLiteral("first\nlast\n"));
        QVERIFY(live.waitDone(0));
        QVERIFY(live.shows(0, QStringLiteral("first\nlast")));

        // And the shell what the window says, in the same sandbox.
        live.send(QStringLiteral("!echo 'by the window' > note"));
        BERTH_WAIT(live.calls() == 2);
        QVERIFY(live.waitDone(1));
        startCli(cli, live.dataDirectory(),
                 {QStringLiteral("thread"), QStringLiteral("send"), thread.toString(),
                  QStringLiteral("!cat note")});
        BERTH_WAIT(ended(cli));
        QCOMPARE(cli.readAllStandardOutput(), QByteArrayLiteral("by the window\n"));
        BERTH_WAIT(live.calls() == 3);
        QVERIFY(live.waitDone(2));
        QVERIFY(live.shows(2, QStringLiteral("by the window")));
        live.openResources();
        BERTH_WAIT(live.cards() == 1);

        startCli(cli, live.dataDirectory(),
                 {QStringLiteral("runtime"), QStringLiteral("pause"),
                  live.snapshot().runtimes.first().id});
        BERTH_WAIT(ended(cli));
        QCOMPARE(cli.exitCode(), 0);
        BERTH_WAIT(live.cardState() == QLatin1String("Paused"));
    }

    void theWindowTakesOver()
    {
        QTemporaryDir directory;
        const QString data = directory.filePath(QStringLiteral("data"));
        const bootstrap::AppPaths paths = bootstrap::resolvePaths(data);
        QVERIFY(bootstrap::makeDirectories(paths));
        QProcess cli;
        startCli(cli, data, newThread(QStringLiteral("!echo begun; sleep 3; echo end")));
        BERTH_WAIT(cli.bytesAvailable() > 0);

        ui::Theme theme(*qApp);
        bootstrap::EngineAccess access(paths, application::ClientKind::Window);
        ui::MainWindow window(access.client(), theme,
                              {directory.filePath(QStringLiteral("window.ini")), data});
        window.show();
        access.start();
        // First as the guest of the shell's Engine …
        BERTH_WAIT(window.state()->isLoaded() && window.threadModel()->threadCount() == 1);
        QVERIFY(!access.ownsEngine());
        QVERIFY(!ended(cli));
        window.showThread(window.state()->snapshot().threads.first().id);
        const ui::ConversationModel *model = window.conversationPage()->model();
        BERTH_WAIT(model->underWay());
        const domain::ToolCallId call = model->underWay()->id;
        BERTH_WAIT(ended(cli));
        QCOMPARE(cli.exitCode(), 0);
        QCOMPARE(cli.readAllStandardOutput(), QByteArrayLiteral("begun\nend\n"));
        // … then as the owner of one, without any act of the user's.
        QVERIFY(
            waitUntil([&] { return access.ownsEngine() && access.client().isConnected(); }, 10s));
        BERTH_WAIT(!window.connectionBanner()->isVisible()
                   && window.threadModel()->threadCount() == 1);
        BERTH_WAIT(model->call(call) && model->call(call)->state == domain::ToolCallState::Done);
        QCOMPARE(model->call(call)->outcome, domain::OutcomeKind::Exited);
        QCOMPARE(model->call(call)->exitCode, 0);

        bool gone = false;
        QVERIFY(!window.state()->snapshot().runtimes.isEmpty());
        application::deliver(
            &window, access.client(),
            application::DestroyRuntime{window.state()->snapshot().runtimes.first().id},
            [&gone](const auto &answer) { gone = answer.has_value(); });
        BERTH_WAIT(gone);
        bool finished = false;
        connect(&access, &bootstrap::EngineAccess::finished, &window,
                [&finished] { finished = true; });
        access.shutDown(true);
        BERTH_WAIT(finished);
    }
};

QTEST_MAIN(WindowBesideCliTest)
#include "test_window_beside_cli.moc"
