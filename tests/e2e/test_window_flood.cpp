// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// 100 MB of output, started from the window: it answers all the time, takes no memory, and has all
// of it.
#include "e2e/support/docker_probe.h"
#include "e2e/support/live_window.h"
#include "support/await.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/output_pages.h"
#include "ui/conversation/output_view.h"
#include "ui/conversation/output_viewer.h"
#include "ui/main/main_window.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QTimer>
#include <QtTest/QTest>
#include <QtWidgets/QScrollBar>

using namespace berth;
using test::LiveWindow;
using test::waitUntil;
using namespace std::chrono_literals;

namespace {

constexpr qint64 kBytes = 100'000'000;

qint64 statusOfThisProcess(const QByteArray &key)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return -1;
    const QByteArray text = status.readAll();
    const qsizetype at = text.indexOf(key + ':');
    return at < 0 ? -1 : text.mid(at + key.size() + 1).trimmed().split(' ').first().toLongLong();
}

//! So that VmHWM is the peak from now on.
bool forgetPeak()
{
    QFile references(QStringLiteral("/proc/self/clear_refs"));
    return references.open(QIODevice::WriteOnly | QIODevice::Unbuffered)
        && references.write("5") == 1;
}

//! How long the window did not come back to its event loop.
class Heartbeat : public QObject
{
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_largest = qMax(m_largest, m_clock.restart());
            ++m_beats;
        });
        m_clock.start();
        m_timer.start(5);
    }
    [[nodiscard]] qint64 largestGap() const { return qMax(m_largest, m_clock.elapsed()); }
    [[nodiscard]] int beats() const { return m_beats; }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_largest = 0;
    int m_beats = 0;
};

} // namespace

class WindowFloodTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        for (const char *name : {"LEON_SANDBOXES_DIR", "LEON_SANDBOX_DB_PATH"})
            qunsetenv(name);
    }

    void aHundredMegabytes_data()
    {
        QTest::addColumn<QString>("provider");
        QTest::newRow("local") << QStringLiteral("local");
        QTest::newRow("docker") << QStringLiteral("docker");
    }
    void aHundredMegabytes()
    {
        QFETCH(QString, provider);
        if (provider == QLatin1String("docker"))
            BERTH_NEEDS_ENGINE();
        LiveWindow live;
        QVERIFY(live.open(test::Way::InProcess));
        QVERIFY(live.setUp(provider));
        QVERIFY(live.startThread(provider, QStringLiteral("!echo ready")));
        QVERIFY(live.waitDone(0));
        QVERIFY(live.shows(0, QStringLiteral("ready")));
        test::spin(500ms);

        const qint64 before = statusOfThisProcess("VmRSS");
        QVERIFY(before > 0 && forgetPeak());
        Heartbeat heartbeat;
        QElapsedTimer timer;
        timer.start();
        live.send(QStringLiteral("!head -c 100000000 /dev/zero | tr '\\0' x"));
        bool seenLive = false;
        QVERIFY(waitUntil(
            [&] {
                const application::ToolCallView call = live.call(1);
                seenLive = seenLive
                    || (call.state == domain::ToolCallState::Running
                        && live.shownText(1).size() > 1000);
                return call.state == domain::ToolCallState::Done;
            },
            120s));
        const qint64 seconds = timer.elapsed();
        const qint64 gap = heartbeat.largestGap();
        const qint64 grown = statusOfThisProcess("VmHWM") - before;
        qInfo("%s: %lld ms, largest gap %lld ms in %d beats, memory from %lld by %lld kB",
              qPrintable(provider), seconds, gap, heartbeat.beats(), before, grown);
        QCOMPARE(live.outcomeWord(1), QStringLiteral("exit 0"));
        QCOMPARE(live.call(1).outputBytes, kBytes);
        QVERIFY(seenLive);
#if !defined(__SANITIZE_ADDRESS__)
        QVERIFY2(gap < 250, QByteArray::number(gap).constData());
        QVERIFY2(grown < 30 * 1024, QByteArray::number(grown).constData());
#endif

        // Its whole text, to the last byte.
        if (!live.clickCall(1, ui::ConversationDelegate::Part::ShowAll)) {
            QVERIFY(live.clickCall(1, ui::ConversationDelegate::Part::Header));
            QVERIFY(waitUntil(
                [&] { return live.clickCall(1, ui::ConversationDelegate::Part::ShowAll); }, 10s));
        }
        QVERIFY(live.talk()->isViewerOpen());
        ui::OutputView *view = live.talk()->viewer()->view();
        QCOMPARE(view->pages()->total(), kBytes);
        QVERIFY(
            waitUntil([&] { return view->visibleRows().startsWith(QLatin1String("xxxx")); }, 10s));
        view->setFocus();
        QTest::keyClick(view, Qt::Key_End);
        QCOMPARE(view->verticalScrollBar()->value(), view->verticalScrollBar()->maximum());
        QVERIFY(
            waitUntil([&] { return view->visibleRows().endsWith(QLatin1String("xxxx")); }, 10s));
        const QString file = m_directory.filePath(provider);
        live.talk()->viewer()->saveTo(file);
        QVERIFY(waitUntil([&] { return QFile(file).size() == kBytes; }, 60s));
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        for (qint64 left = kBytes; left > 0;) {
            const QByteArray part = saved.read(1 << 20);
            QVERIFY(!part.isEmpty());
            QCOMPARE(part.count('x'), part.size());
            left -= part.size();
        }
        const qint64 after = statusOfThisProcess("VmHWM") - before;
        qInfo("%s: with all of it read and saved, memory by %lld kB", qPrintable(provider), after);
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!live.talk()->isViewerOpen());
    }

private:
    QTemporaryDir m_directory;
};

QTEST_MAIN(WindowFloodTest)
#include "test_window_flood.moc"
