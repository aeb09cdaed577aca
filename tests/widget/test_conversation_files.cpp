// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/picture_view.h"
#include "ui/widgets/banner.h"
#include "widget/support/conversation_rig.h"

#include <QtCore/QBuffer>
#include <QtCore/QDir>

using namespace berth;
using namespace berth::ui;
using Part = ConversationDelegate::Part;
using Tools = test::ConversationRig;

namespace {

QByteArray png(int width, int height)
{
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

} // namespace

class TestConversationFiles : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void dropUploadsAndTheMessageNames();
    void onlyWhatAMessageNamedIsCleared();
    void commandsWaitForNoFile();
    void takenNamesAsk();
    void foldersAsk();
    void filesStayWithTheirThread();
    void startsTheSandboxOrSaysWhy();
    void readOnlyThreadsSayWhy();
    void picturesComeFromTheSandbox();
    void picturesNeverWakeByThemselves();
    void noPicture_data();
    void noPicture();
};

void TestConversationFiles::dropUploadsAndTheMessageNames()
{
    Tools tools;
    QVERIFY(tools.start());
    tools.drop({tools.file(QStringLiteral("notes.txt"), "hello")});
    QTRY_COMPARE(tools.attachments()->count(), 1);
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    QCOMPARE(tools.engine.files.files.value(QStringLiteral("/workspace/notes.txt")),
             QByteArray("hello"));
    QCOMPARE(tools.attachments()->chipTexts(), QStringList{QStringLiteral("notes.txt")});
    QVERIFY(tools.composer()->text().isEmpty());
    // A command says nothing of them, and they wait for the next message.
    tools.send(QStringLiteral("!ls"));
    QTRY_COMPARE(tools.engine.count<application::SendMessage>(), 1);
    QCOMPARE(tools.engine.last<application::SendMessage>().text, QStringLiteral("!ls"));
    QCOMPARE(tools.attachments()->count(), 1);
    QTRY_VERIFY(tools.composer()->text().isEmpty());
    tools.send(QStringLiteral("read it"));
    QTRY_COMPARE(tools.engine.count<application::SendMessage>(), 2);
    const QString sent = tools.engine.last<application::SendMessage>().text;
    QVERIFY2(sent.startsWith(QLatin1String("read it\n\n"))
                 && sent.endsWith(QLatin1String("- /workspace/notes.txt")),
             qPrintable(sent));
    QTRY_COMPARE(tools.attachments()->count(), 0);
    QVERIFY(!tools.attachments()->isVisible());
}

void TestConversationFiles::onlyWhatAMessageNamedIsCleared()
{
    Tools tools;
    QVERIFY(tools.start());
    tools.drop({tools.file(QStringLiteral("first.txt"), "1")});
    QTRY_COMPARE(tools.attachments()->count(), 1);
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    tools.engine.held = {QString::fromLatin1(application::SendMessage::kName)};
    tools.send(QStringLiteral("read it"));
    QTRY_COMPARE(tools.engine.count<application::SendMessage>(), 1);
    // Given while the message is on its way.
    tools.attachments()->add({tools.file(QStringLiteral("second.txt"), "2")}, {});
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    QCOMPARE(tools.attachments()->count(), 2);
    tools.engine.release();
    QTRY_COMPARE(tools.attachments()->chipTexts(), QStringList{QStringLiteral("second.txt")});
}

void TestConversationFiles::commandsWaitForNoFile()
{
    Tools tools;
    tools.engine.failures.insert(
        QString::fromLatin1(application::ListFiles::kName),
        {domain::ErrorKind::Unavailable, QStringLiteral("Docker does not run"), {}, {}, {}});
    QVERIFY(tools.start());
    tools.drop({tools.file(QStringLiteral("b.txt"), "b")});
    QTRY_VERIFY(tools.attachments()->question()->isVisible());
    QTest::keyClicks(tools.composer()->edit(), QStringLiteral("read it"));
    QVERIFY(!tools.composer()->sendButton()->isEnabled());
    tools.composer()->edit()->clear();
    tools.send(QStringLiteral("!ls"));
    QTRY_COMPARE(tools.engine.count<application::SendMessage>(), 1);
    QCOMPARE(tools.engine.last<application::SendMessage>().text, QStringLiteral("!ls"));
    QCOMPARE(tools.attachments()->count(), 1);
}

void TestConversationFiles::takenNamesAsk()
{
    Tools tools;
    tools.engine.files.files.insert(QStringLiteral("/workspace/notes.txt"), "old");
    QVERIFY(tools.start());
    tools.drop({tools.file(QStringLiteral("notes.txt"), "new")});
    QTRY_VERIFY(tools.attachments()->question()->isVisible());
    QCOMPARE(tools.engine.files.files.value(QStringLiteral("/workspace/notes.txt")),
             QByteArray("old"));
    // Nothing is sent before it is answered.
    QTest::keyClicks(tools.composer()->edit(), QStringLiteral("read it"));
    QVERIFY(!tools.composer()->sendButton()->isEnabled());
    QVERIFY(tools.answer(AttachmentBar::tr("Replace")));
    QTest::mouseClick(tools.answer(AttachmentBar::tr("Keep both")), Qt::LeftButton);
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    QVERIFY(tools.composer()->sendButton()->isEnabled());
    QCOMPARE(tools.engine.files.files.value(QStringLiteral("/workspace/notes.txt")),
             QByteArray("old"));
    QCOMPARE(tools.engine.files.files.value(QStringLiteral("/workspace/notes (2).txt")),
             QByteArray("new"));
    QVERIFY(tools.attachments()->words().contains(QLatin1String("/workspace/notes (2).txt")));
    // And one can take it back.
    QTest::mouseClick(tools.attachments()->removeButton(0), Qt::LeftButton);
    QCOMPARE(tools.attachments()->count(), 0);
    QVERIFY(tools.attachments()->words().isEmpty());
}

void TestConversationFiles::foldersAsk()
{
    Tools tools;
    QVERIFY(tools.start());
    QVERIFY(QDir(tools.directory.path()).mkpath(QStringLiteral("data")));
    (void)tools.file(QStringLiteral("data/a.csv"), "1,2");
    tools.drop({QFile::encodeName(tools.directory.filePath(QStringLiteral("data")))});
    QTRY_VERIFY(tools.attachments()->question()->isVisible());
    QTest::qWait(80);
    QVERIFY(tools.engine.files.files.isEmpty());
    QTest::mouseClick(tools.answer(AttachmentBar::tr("Upload")), Qt::LeftButton);
    QTRY_COMPARE(tools.engine.files.files.value(QStringLiteral("/workspace/data/a.csv")),
                 QByteArray("1,2"));
    QTRY_VERIFY(tools.attachments()->words().contains(QLatin1String("/workspace/data/")));
    // Left out, it is not uploaded.
    QVERIFY(QDir(tools.directory.path()).mkpath(QStringLiteral("other")));
    tools.drop({QFile::encodeName(tools.directory.filePath(QStringLiteral("other")))});
    QTRY_VERIFY(tools.attachments()->question()->isVisible());
    QTest::mouseClick(tools.answer(AttachmentBar::tr("Leave out")), Qt::LeftButton);
    QCOMPARE(tools.attachments()->count(), 1);
}

void TestConversationFiles::filesStayWithTheirThread()
{
    Tools tools;
    const domain::ThreadId other =
        tools.engine.addThread(QStringLiteral("Other"), QDateTime::currentDateTimeUtc());
    QVERIFY(tools.start());
    tools.drop({tools.file(QStringLiteral("notes.txt"), "hello")});
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    tools.window->showThread(other);
    QCOMPARE(tools.attachments()->count(), 0);
    QVERIFY(tools.attachments()->chipTexts().isEmpty());
    tools.window->showThread(tools.thread);
    QCOMPARE(tools.attachments()->chipTexts(), QStringList{QStringLiteral("notes.txt")});
}

void TestConversationFiles::startsTheSandboxOrSaysWhy()
{
    Tools tools;
    tools.engine.files.asleep = true;
    QVERIFY(tools.start());
    tools.drop({tools.file(QStringLiteral("a.txt"), "a")});
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    QVERIFY(!tools.engine.files.asleep);
    tools.engine.failures.insert(
        QString::fromLatin1(application::ListFiles::kName),
        {domain::ErrorKind::Unavailable, QStringLiteral("Docker does not run"), {}, {}, {}});
    tools.drop({tools.file(QStringLiteral("b.txt"), "b")});
    QTRY_VERIFY(tools.attachments()->question()->isVisible());
    QVERIFY(
        tools.attachments()->question()->title().contains(QLatin1String("Docker does not run")));
    tools.engine.failures.clear();
    QTest::mouseClick(tools.answer(AttachmentBar::tr("Try again")), Qt::LeftButton);
    QTRY_COMPARE(tools.attachments()->pending(), 0);
    QCOMPARE(tools.engine.files.files.value(QStringLiteral("/workspace/b.txt")), QByteArray("b"));
}

void TestConversationFiles::readOnlyThreadsSayWhy()
{
    Tools tools;
    for (application::ThreadView &view : tools.engine.state.threads)
        view.sandbox = {};
    QVERIFY(tools.start());
    QVERIFY(!tools.composer()->attachButton()->isEnabled());
    tools.drop({tools.file(QStringLiteral("a.txt"), "a")});
    QTRY_VERIFY(tools.composer()->errorBar()->isVisible());
    QVERIFY(tools.composer()->errorBar()->detail().contains(QLatin1String("no sandbox")));
    QCOMPARE(tools.attachments()->count(), 0);
}

void TestConversationFiles::picturesComeFromTheSandbox()
{
    Tools tools;
    tools.engine.files.files.insert(QStringLiteral("/workspace/plot.png"), png(1600, 800));
    tools.engine.agents.ask(tools.thread, QStringLiteral("Plot it"));
    tools.engine.agents.say(tools.thread, QStringLiteral("Here:\n\n![the plot](plot.png)"));
    tools.engine.agents.used(tools.thread, QStringLiteral("read_file"),
                             QStringLiteral("/workspace/plot.png"),
                             QStringLiteral("(a binary file of 9 bytes; it is not shown)"));
    QVERIFY(tools.start());
    PictureShelf *shelf = tools.page()->pictures();
    const QModelIndex message = tools.model()->index(1);
    const quint64 key = message.data(ConversationModel::KeyRole).toULongLong();
    QTRY_COMPARE(shelf->find(key, QStringLiteral("plot.png")).state, PictureShelf::State::Ready);
    QCOMPARE(shelf->find(key, QStringLiteral("plot.png")).size, QSize(1600, 800));
    // Laid out below its words, no wider than the column.
    QTRY_VERIFY(tools.view()->visualRect(message).height() > 300);
    const quint64 callKey = tools.last().data(ConversationModel::KeyRole).toULongLong();
    QTRY_COMPARE(shelf->find(callKey, QStringLiteral("/workspace/plot.png")).state,
                 PictureShelf::State::Ready);
    QVERIFY(tools.last().data(ConversationModel::OpenRole).toBool());
    // A click opens it in a window of its own.
    tools.view()->scrollTo(message);
    const QPoint at = tools.view()->pointOf(message, Part::Picture);
    QVERIFY(at.x() >= 0);
    QTest::mouseClick(tools.view()->viewport(), Qt::LeftButton, {}, at);
    PictureView *large = nullptr;
    QTRY_VERIFY((large = tools.page()->findChild<PictureView *>(QStringLiteral("pictureView"))));
    QVERIFY(QTest::qWaitForWindowActive(large));
    QTest::keyClick(large, Qt::Key_Escape);
    QTRY_VERIFY(!tools.page()->findChild<PictureView *>(QStringLiteral("pictureView")));
}

void TestConversationFiles::picturesNeverWakeByThemselves()
{
    Tools tools;
    tools.engine.files.files.insert(QStringLiteral("/workspace/plot.png"), png(40, 40));
    tools.engine.files.asleep = true;
    tools.engine.agents.ask(tools.thread, QStringLiteral("Plot it"));
    tools.engine.agents.say(tools.thread, QStringLiteral("![the plot](plot.png)"));
    QVERIFY(tools.start());
    PictureShelf *shelf = tools.page()->pictures();
    const quint64 key = tools.last().data(ConversationModel::KeyRole).toULongLong();
    const auto state = [&] { return shelf->find(key, QStringLiteral("plot.png")).state; };
    QTRY_COMPARE(state(), PictureShelf::State::Failed);
    QTest::qWait(100);
    QVERIFY(tools.engine.files.asleep);
    QCOMPARE(tools.engine.count<application::ReadFile>(), 1);
    const QPoint at = tools.view()->pointOf(tools.last(), Part::Picture);
    QVERIFY(at.x() >= 0);
    QTest::mouseClick(tools.view()->viewport(), Qt::LeftButton, {}, at);
    QTRY_COMPARE(state(), PictureShelf::State::Ready);
    QVERIFY(!tools.engine.files.asleep);
}

void TestConversationFiles::noPicture_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("asked");
    QTest::newRow("remote") << QStringLiteral("https://x.example/a.png") << QByteArray() << false;
    QTest::newRow("remote without scheme")
        << QStringLiteral("//x.example/a.png") << QByteArray() << false;
    QTest::newRow("data") << QStringLiteral("data:image/png;base64,AAAA.png") << QByteArray()
                          << false;
    QTest::newRow("a file of this machine")
        << QStringLiteral("file:///etc/a.png") << QByteArray() << false;
    QTest::newRow("svg") << QStringLiteral("a.svg") << QByteArray("<svg/>") << false;
    QTest::newRow("svg with another name")
        << QStringLiteral("a.png")
        << QByteArray("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>") << true;
    QTest::newRow("broken") << QStringLiteral("a.png") << png(40, 40).left(60) << true;
    QByteArray huge = png(4, 4);
    // Width and height as the header tells them: 60000 each.
    huge.replace(16, 8, QByteArray::fromHex("0000ea600000ea60"));
    QTest::newRow("too many pixels") << QStringLiteral("a.png") << huge << true;
    QTest::newRow("too large") << QStringLiteral("a.png")
                               << QByteArray(PictureShelf::kMostBytes + 1, 'x') << true;
}

void TestConversationFiles::noPicture()
{
    QFETCH(QString, target);
    QFETCH(QByteArray, bytes);
    QFETCH(bool, asked);
    Tools tools;
    tools.engine.files.files.insert(QStringLiteral("/workspace/") + target, bytes);
    tools.engine.agents.ask(tools.thread, QStringLiteral("Plot it"));
    tools.engine.agents.say(tools.thread, QStringLiteral("![the plot](%1)").arg(target));
    QVERIFY(tools.start());
    const quint64 key = tools.last().data(ConversationModel::KeyRole).toULongLong();
    if (!asked) {
        QTest::qWait(120);
        QCOMPARE(tools.engine.count<application::ReadFile>(), 0);
        QCOMPARE(tools.view()->pointOf(tools.last(), Part::Picture), QPoint(-1, -1));
        return;
    }
    QTRY_COMPARE(tools.page()->pictures()->find(key, target).state, PictureShelf::State::Failed);
    QVERIFY(tools.page()->pictures()->find(key, target).image.isNull());
    QVERIFY(!tools.page()->pictures()->find(key, target).words.isEmpty());
}

QTEST_MAIN(TestConversationFiles)
#include "test_conversation_files.moc"
