// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop is told while no window of Berth is in front; the bus is a private one.
#include "ui/conversation/approval_panel.h"
#include "ui/conversation/conversation_page.h"
#include "ui/main/notifier.h"
#include "ui/main/notifier_bus.h"
#include "ui/models/engine_state.h"
#include "ui/settings/notification_setting.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/label.h"
#include "widget/support/window_rig.h"

#include <QtCore/QProcess>
#include <QtDBus/QDBusConnection>
#include <QtTest/QSignalSpy>
#include <QtWidgets/QStackedWidget>

using namespace berth;
using namespace berth::ui;
using test::WindowRig;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

class RecordingPort final : public NotificationPort
{
    Q_OBJECT
public:
    void start() override { started = true; }
    void show(const DesktopNote &note) override
    {
        shown.append(note);
        open.insert(note.key, note);
    }
    void withdraw(const QString &key) override { open.remove(key); }

    bool started = false;
    QList<DesktopNote> shown;
    QHash<QString, DesktopNote> open;
};

struct Away : WindowRig
{
    Away()
    {
        first = engine.addThread(s("Push it"), QDateTime::currentDateTimeUtc());
        second = engine.addThread(s("Tidy up"), QDateTime::currentDateTimeUtc());
        engine.state.engine.hasModel = true;
    }
    [[nodiscard]] bool start()
    {
        if (!open())
            return false;
        notifier = std::make_unique<Notifier>(*window, port, directory.filePath(s("window.ini")));
        notifier->setInFront([this] { return inFront; });
        return true;
    }
    void endRun(const domain::ThreadId &thread, domain::RunState how)
    {
        engine.agents.ask(thread, s("do"));
        engine.agents.change(thread, [how](application::RunView &run) {
            run.state = how;
            run.endedAt = QDateTime::currentDateTimeUtc();
        });
    }

    RecordingPort port;
    std::unique_ptr<Notifier> notifier;
    domain::ThreadId first;
    domain::ThreadId second;
    bool inFront = false;
};

//! org.freedesktop.Notifications, as a desktop has it.
class FakeDesktop final : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    struct Told
    {
        uint replaces = 0;
        QString title;
        QString text;
        QStringList actions;
        QVariantMap hints;
    };
    QList<Told> told;
    QList<uint> closed;

public Q_SLOTS:
    QString GetServerInformation(QString &vendor, QString &version, QString &spec)
    {
        vendor = s("test");
        version = s("1");
        spec = s("1.2");
        return s("Fake Desktop");
    }
    QStringList GetCapabilities() { return {s("body"), s("body-markup"), s("actions")}; }
    uint Notify(const QString &, uint replaces, const QString &, const QString &title,
                const QString &text, const QStringList &actions, const QVariantMap &hints, int)
    {
        told.append({replaces, title, text, actions, hints});
        return replaces > 0 ? replaces : ++m_last;
    }
    void CloseNotification(uint id) { closed.append(id); }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString &action);
    void ActivationToken(uint id, const QString &token);
    void NotificationClosed(uint id, uint reason);

private:
    uint m_last = 40;
};

} // namespace

class TestNotifier final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingIsToldInFront();
    void whatComesTogetherIsToldTogether();
    void whatWasAnsweredIsTakenBack();
    void fewerMakeNoSound();
    void whatWaitedBeforeIsNoNews();
    void runsAreTold_data();
    void runsAreTold();
    void nothingButTheTitleIsTold();
    void aClickShowsTheThread();
    void canBeSwitchedOff();
    void theBus();
};

void TestNotifier::nothingIsToldInFront()
{
    Away away;
    QVERIFY(away.start());
    QVERIFY(away.port.started);
    away.inFront = true;
    away.engine.agents.askApproval(away.first, s("git push"));
    away.endRun(away.second, domain::RunState::Done);
    QTest::qWait(900);
    QVERIFY(away.port.shown.isEmpty());
    // It was seen: leaving the window tells nothing of it.
    away.inFront = false;
    away.engine.agents.askApproval(away.second, s("make"));
    QTRY_COMPARE(away.port.shown.size(), 1);
}

void TestNotifier::whatComesTogetherIsToldTogether()
{
    Away away;
    QVERIFY(away.start());
    QPointer<QWidget> focus = away.window->focusWidget();
    away.engine.agents.askApproval(away.first, s("git push"));
    away.engine.agents.askApproval(away.first, s("git tag"));
    away.engine.agents.askApproval(away.second, s("make"));
    QTRY_COMPARE(away.port.shown.size(), 1);
    const DesktopNote note = away.port.shown.first();
    QVERIFY(note.title.contains(s("3")));
    QVERIFY(note.text.contains(s("Push it")));
    QVERIFY(note.text.contains(s("Tidy up")));
    // The same thread and kind of action stands there once.
    QCOMPARE(note.text.count(s("Push it")), 1);
    // One more takes its place.
    away.engine.agents.askApproval(away.second, s("make install"));
    QTRY_COMPARE(away.port.shown.size(), 2);
    QCOMPARE(away.port.shown.last().key, note.key);
    QVERIFY(away.port.shown.last().title.contains(s("4")));
    QCOMPARE(away.port.open.size(), 1);
    QCOMPARE(away.window->focusWidget(), focus.data());
}

void TestNotifier::whatWasAnsweredIsTakenBack()
{
    Away away;
    QVERIFY(away.start());
    const auto one = away.engine.agents.askApproval(away.first, s("git push"));
    QTRY_COMPARE(away.port.open.size(), 1);
    away.engine.state.approvals.clear();
    away.engine.emitEvent(application::ApprovalClosed{one.toolCall, one.thread});
    QTRY_VERIFY(away.port.open.isEmpty());
    QCOMPARE(away.port.shown.size(), 1);
    away.engine.agents.askApproval(away.first, s("git push"));
    QTRY_COMPARE(away.port.open.size(), 1);
    // The window comes to the front: all of it is seen.
    away.inFront = true;
    Q_EMIT qApp->focusWindowChanged(nullptr);
    QVERIFY(away.port.open.isEmpty());
}

void TestNotifier::fewerMakeNoSound()
{
    Away away;
    QVERIFY(away.start());
    const auto one = away.engine.agents.askApproval(away.first, s("git push"));
    away.engine.agents.askApproval(away.second, s("make"));
    QTRY_COMPARE(away.port.shown.size(), 1);
    QVERIFY(!away.port.shown.last().quiet);
    away.engine.state.approvals.removeIf(
        [&one](const auto &open) { return open.toolCall == one.toolCall; });
    away.engine.emitEvent(application::ApprovalClosed{one.toolCall, one.thread});
    QTRY_COMPARE(away.port.shown.size(), 2);
    QVERIFY(away.port.shown.last().quiet);
    away.engine.agents.askApproval(away.first, s("git tag"));
    QTRY_COMPARE(away.port.shown.size(), 3);
    QVERIFY(!away.port.shown.last().quiet);
}

void TestNotifier::whatWaitedBeforeIsNoNews()
{
    Away away;
    away.engine.agents.askApproval(away.first, s("git push"));
    QVERIFY(away.start());
    QTest::qWait(900);
    QVERIFY(away.port.shown.isEmpty());
}

void TestNotifier::runsAreTold_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("title");
    QTest::newRow("done") << int(domain::RunState::Done) << s("A run has ended");
    QTest::newRow("failed") << int(domain::RunState::Failed) << s("A run has failed");
    // The user's own doing.
    QTest::newRow("stopped") << int(domain::RunState::Cancelled) << QString();
}

void TestNotifier::runsAreTold()
{
    QFETCH(int, state);
    QFETCH(QString, title);
    Away away;
    QVERIFY(away.start());
    away.endRun(away.first, static_cast<domain::RunState>(state));
    // Said again, as when its usage comes later: no second time.
    away.engine.agents.change(away.first, [](application::RunView &) {});
    QTest::qWait(900);
    QCOMPARE(away.port.shown.size(), title.isEmpty() ? 0 : 1);
    if (title.isEmpty())
        return;
    QCOMPARE(away.port.shown.first().title, title);
    QCOMPARE(away.port.shown.first().text, s("Push it"));
    away.endRun(away.second, domain::RunState::Failed);
    QTRY_COMPARE(away.port.shown.size(), 2);
    QVERIFY(away.port.shown.last().text.contains(s("Push it")));
    QVERIFY(away.port.shown.last().text.contains(s("Tidy up (failed)")));
}

void TestNotifier::nothingButTheTitleIsTold()
{
    Away away;
    away.engine.change(away.first, [](application::ThreadView &thread) {
        thread.title = QStringLiteral("a \u202e<b>long</b>\n") + QString(200, QLatin1Char('x'));
    });
    QVERIFY(away.start());
    away.engine.agents.askApproval(away.first, s("curl -H 'Authorization: s3cr3t' host"));
    QTRY_COMPARE(away.port.shown.size(), 1);
    const DesktopNote note = away.port.shown.first();
    QVERIFY(!note.title.contains(s("s3cr3t")) && !note.text.contains(s("s3cr3t")));
    QVERIFY(!note.text.contains(s("curl")));
    QVERIFY(!note.text.contains(QChar(0x202e)) && !note.text.contains(QLatin1Char('\n')));
    QVERIFY(note.text.size() < 120);
}

void TestNotifier::aClickShowsTheThread()
{
    Away away;
    QVERIFY(away.start());
    away.window->showSettings();
    away.engine.agents.askApproval(away.second, s("make"));
    QTRY_COMPARE(away.port.shown.size(), 1);
    Q_EMIT away.port.activated(away.port.shown.first().key);
    QCOMPARE(away.window->conversationPage()->thread(), away.second);
    QCOMPARE(away.window->pages()->currentWidget(), away.window->conversationPage());
    QVERIFY(away.port.open.isEmpty());
    // Nothing is answered by a key that comes with the click.
    QVERIFY(away.window->conversationPage()->approvals()->focusedCall().isNull());
}

void TestNotifier::canBeSwitchedOff()
{
    Away away;
    QVERIFY(away.start());
    NotificationSetting *setting = away.window->settingsPage()->notifications();
    away.window->showSettings();
    away.window->settingsPage()->showSection(SettingsPage::Section::Appearance);
    QVERIFY(setting->toggle()->isChecked());
    QTest::mouseClick(setting->toggle(), Qt::LeftButton);
    QVERIFY(!away.notifier->isEnabled());
    away.engine.agents.askApproval(away.first, s("make"));
    QTest::qWait(900);
    QVERIFY(away.port.shown.isEmpty());
    // Kept over a restart.
    away.notifier.reset();
    away.notifier = std::make_unique<Notifier>(*away.window, away.port,
                                               away.directory.filePath(s("window.ini")));
    QVERIFY(!away.notifier->isEnabled());
    QVERIFY(!setting->toggle()->isChecked());
    Q_EMIT away.port.serviceChanged({}, s("There is no session bus."));
    QCOMPARE(setting->state()->text(), s("Not available"));
    QVERIFY(setting->about()->text().contains(s("There is no session bus.")));
    Q_EMIT away.port.serviceChanged(s("Fake Desktop"), {});
    QVERIFY(!setting->state()->isVisible());
    QVERIFY(setting->about()->text().contains(s("Fake Desktop")));
}

void TestNotifier::theBus()
{
    QProcess daemon;
    daemon.start(s("dbus-daemon"), {s("--session"), s("--nofork"), s("--print-address=1")});
    QVERIFY2(daemon.waitForStarted(), "dbus-daemon is in the package list");
    QVERIFY(daemon.waitForReadyRead());
    const QString address = QString::fromLatin1(daemon.readLine()).trimmed();
    QDBusConnection mine = QDBusConnection::connectToBus(address, s("berth-test-mine"));
    QDBusConnection theirs = QDBusConnection::connectToBus(address, s("berth-test-theirs"));
    QVERIFY(mine.isConnected() && theirs.isConnected());

    BusNotifications port(s("berth-test-mine"), nullptr);
    QSignalSpy service(&port, &NotificationPort::serviceChanged);
    port.start();
    // Nobody is there: said, and nothing happens.
    QTRY_COMPARE(service.size(), 1);
    QVERIFY(!service.last().at(1).toString().isEmpty());

    FakeDesktop desktop;
    QVERIFY(
        theirs.registerObject(s("/org/freedesktop/Notifications"), &desktop,
                              QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
    QVERIFY(theirs.registerService(s("org.freedesktop.Notifications")));
    QTRY_VERIFY(service.size() >= 2 && service.last().at(1).toString().isEmpty());
    QCOMPARE(service.last().at(0).toString(), s("Fake Desktop"));
    QTest::qWait(50);

    port.show({s("approvals"), s("Title"), s("a <b> & c")});
    QTRY_COMPARE(desktop.told.size(), 1);
    QCOMPARE(desktop.told[0].replaces, 0U);
    QCOMPARE(desktop.told[0].text, s("a &lt;b&gt; &amp; c"));
    QVERIFY(desktop.told[0].actions.contains(s("default")));
    QTest::qWait(50);
    port.show({s("approvals"), s("Title 2"), s("x"), true});
    QTRY_COMPARE(desktop.told.size(), 2);
    QVERIFY(!desktop.told[0].hints.contains(s("suppress-sound")));
    QVERIFY(desktop.told[1].hints.value(s("suppress-sound")).toBool());
    QCOMPARE(desktop.told[1].replaces, 41U);

    QSignalSpy clicked(&port, &NotificationPort::activated);
    qunsetenv("XDG_ACTIVATION_TOKEN");
    QByteArray token;
    connect(&port, &NotificationPort::activated, this,
            [&token] { token = qgetenv("XDG_ACTIVATION_TOKEN"); });
    Q_EMIT desktop.ActivationToken(41, s("ours"));
    // Other programs' notes are none of our business.
    Q_EMIT desktop.ActivationToken(7, s("theirs"));
    Q_EMIT desktop.ActionInvoked(7, s("default"));
    Q_EMIT desktop.ActionInvoked(41, s("default"));
    QTRY_COMPARE(clicked.size(), 1);
    QCOMPARE(clicked.first().first().toString(), s("approvals"));
    QCOMPARE(token, QByteArray("ours"));
    QVERIFY(!qEnvironmentVariableIsSet("XDG_ACTIVATION_TOKEN"));
    port.withdraw(s("approvals"));
    QTRY_COMPARE(desktop.closed, QList<uint>{41});
    // Withdrawn before the desktop has answered: closed as soon as it has.
    port.show({s("runs"), s("Title"), s("x")});
    port.withdraw(s("runs"));
    QTRY_COMPARE(desktop.closed, (QList<uint>{41, 42}));

    QVERIFY(theirs.unregisterService(s("org.freedesktop.Notifications")));
    QTRY_VERIFY(!service.last().at(1).toString().isEmpty());
    QDBusConnection::disconnectFromBus(s("berth-test-mine"));
    QDBusConnection::disconnectFromBus(s("berth-test-theirs"));
    daemon.terminate();
    QVERIFY(daemon.waitForFinished());
}

QTEST_MAIN(TestNotifier)
#include "test_notifier.moc"
