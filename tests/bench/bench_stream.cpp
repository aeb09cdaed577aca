// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the window stays quick while a model writes: 1,000 tokens a second of Markdown with code,
// lists and tables into the real window, behind a long thread, while somebody types. Gaps between
// frames and how long a key takes to be seen. Figures, not a test: they depend on what else runs.
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "widget/support/window_rig.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QThread>
#include <QtCore/QTimer>
#include <QtGui/QKeyEvent>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <vector>

using namespace berth;
using namespace berth::ui;

namespace {

constexpr int kSeconds = 20;
constexpr int kTokensPerSecond = 1000;
//! As the Engine tells of a reply.
constexpr int kTellMs = 50;
constexpr int kFrameMs = 16;

//! A wheel of what models write; a token is about four characters.
QString reply(qsizetype characters)
{
    QString text;
    for (int i = 0; text.size() < characters; ++i) {
        text += QStringLiteral("## Part %1\n\nThe *writer* is closed before `flush()` returns, so "
                               "that **part %1** may be counted twice; see "
                               "[the notes](https://example.org/%1) for why.\n\n")
                    .arg(i);
        for (int item = 0; item < 8; ++item)
            text += QStringLiteral("- item %1 says `value_%1` and goes on for a while\n").arg(item);
        text += QStringLiteral("\n```python\n");
        for (int line = 0; line < 60; ++line)
            text += QStringLiteral("    result[%1] = await self._writer.step(%1, \"part %1\")\n")
                        .arg(line);
        text += QStringLiteral("```\n\n| name | runs | mean |\n|:--|--:|--:|\n");
        for (int row = 0; row < 12; ++row)
            text += QStringLiteral("| case %1 | %1 of 20 | **4.%1 s** |\n").arg(row);
        text += QLatin1Char('\n');
    }
    return text;
}

//! One pixel of the window that asks to be painted at each frame.
class Frames final : public QWidget
{
public:
    explicit Frames(QWidget *parent) : QWidget(parent)
    {
        setFixedSize(1, 1);
        show();
        startTimer(kFrameMs, Qt::PreciseTimer);
    }
    std::vector<double> gaps;

protected:
    void timerEvent(QTimerEvent *) override { update(); }
    void paintEvent(QPaintEvent *) override
    {
        if (m_clock.isValid())
            gaps.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
        m_clock.start();
    }

private:
    QElapsedTimer m_clock;
};

//! Keys from another thread, as from a keyboard: their time begins before the window takes them.
class Keys final : public QObject
{
public:
    explicit Keys(ComposerEdit *edit) : m_edit(edit)
    {
        m_clock.start();
        edit->viewport()->installEventFilter(this);
        m_typist.reset(QThread::create([this] {
            for (int i = 0; !m_stop; ++i) {
                QThread::msleep(97);
                m_pressed = m_clock.nsecsElapsed();
                QMetaObject::invokeMethod(
                    m_edit,
                    [edit = m_edit, i] {
                        QKeyEvent key(QEvent::KeyPress, Qt::Key_A + i % 26, Qt::NoModifier,
                                      QString(QChar(u'a' + i % 26)));
                        QCoreApplication::sendEvent(edit, &key);
                    },
                    Qt::QueuedConnection);
            }
        }));
        m_typist->start();
    }
    ~Keys() override
    {
        m_stop = true;
        m_typist->wait();
    }
    std::vector<double> echoes;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const qsizetype length = m_edit->document()->characterCount();
        if (event->type() == QEvent::Paint && length != m_length && m_pressed > 0) {
            m_length = length;
            echoes.push_back(static_cast<double>(m_clock.nsecsElapsed() - m_pressed) / 1e6);
        }
        return QObject::eventFilter(watched, event);
    }

private:
    ComposerEdit *m_edit;
    QElapsedTimer m_clock;
    std::unique_ptr<QThread> m_typist;
    std::atomic<qint64> m_pressed{0};
    std::atomic<bool> m_stop{false};
    qsizetype m_length = 1;
};

double share(std::vector<double> values, double part)
{
    if (values.empty())
        return -1;
    std::sort(values.begin(), values.end());
    const auto at = static_cast<size_t>(part * static_cast<double>(values.size()));
    return values[std::min(at, values.size() - 1)];
}

void print(const char *what, const std::vector<double> &values, double limit)
{
    const double last = share(values, 0.999);
    std::printf("%-22s n=%zu  median %.1f ms  99 %% %.1f ms  99.9 %% %.1f ms  most %.1f ms  "
                "(wanted: %.0f ms)  %s\n",
                what, values.size(), share(values, 0.5), share(values, 0.99), last,
                share(values, 1), limit, last <= limit ? "holds" : "DOES NOT HOLD");
}

} // namespace

class BenchStream : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void streamWhileTyping()
    {
        test::WindowRig rig;
        const domain::ThreadId thread =
            rig.engine.addThread(QStringLiteral("Stream"), QDateTime::currentDateTimeUtc());
        rig.engine.state.engine.hasModel = true;
        // What stands above it.
        for (int i = 0; i < 40; ++i) {
            rig.engine.agents.ask(thread, QStringLiteral("Question %1").arg(i));
            rig.engine.agents.say(thread, reply(2000));
            rig.engine.agents.used(thread, QStringLiteral("read_file"), QStringLiteral("a.py"),
                                   QStringLiteral("line\n").repeated(40));
        }
        rig.engine.agents.ask(thread, QStringLiteral("And now?"));
        QVERIFY(rig.open({}, {1440, 900}));
        rig.window->showThread(thread);
        ConversationPage *page = rig.window->conversationPage();
        QTRY_VERIFY(page->model()->rowCount() >= 121);
        QTest::qWait(300);
        page->view()->jumpToLatest();

        const QString text = reply(4L * kTokensPerSecond * kSeconds);
        Frames frames(rig.window.get());
        Keys keys(page->composer()->edit());
        QElapsedTimer clock;
        clock.start();
        qsizetype told = 0;
        QTimer engine;
        engine.setTimerType(Qt::PreciseTimer);
        connect(&engine, &QTimer::timeout, &engine, [&] {
            const auto until =
                static_cast<qsizetype>(clock.elapsed() * 4 * kTokensPerSecond / 1000);
            const QString piece = text.mid(told, qMin(until, text.size()) - told);
            told += piece.size();
            rig.engine.agents.grow(thread, piece);
        });
        engine.start(kTellMs);
        QTest::qWait(kSeconds * 1000);
        engine.stop();
        QVERIFY(told > text.size() * 8 / 10);
        QVERIFY(page->view()->isAtEnd());
        std::printf("%lld characters in %d s, at most %d times a second\n",
                    static_cast<long long>(told), kSeconds, 1000 / kTellMs);
        print("gap between frames", frames.gaps, 33);
        print("key until it is seen", keys.echoes, 30);
        std::fflush(stdout);
        QVERIFY(frames.gaps.size() > 100 && keys.echoes.size() > 50);
    }
};

QTEST_MAIN(BenchStream)
#include "bench_stream.moc"
