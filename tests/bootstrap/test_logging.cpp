// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/logging.h"
#include "domain/log.h"
#include "domain/secret.h"

#include <QtCore/QDir>
#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;

class LoggingTest final : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;

    QByteArray written() const
    {
        QByteArray all;
        const QDir directory(m_directory.path());
        for (const QString &name : directory.entryList(QDir::Files)) {
            QFile file(directory.filePath(name));
            if (file.open(QIODevice::ReadOnly))
                all += file.readAll();
        }
        return all;
    }

private Q_SLOTS:
    void initTestCase()
    {
        bootstrap::startLogging(m_directory.path(), QStringLiteral("program"), false);
    }

    void aKeyNeverReachesTheFile()
    {
        const QByteArray canary = QByteArrayLiteral("canary\"key/0123456789+=");
        const domain::Secret secret(canary);
        QVERIFY(!secret.isEmpty());
        const QString text = QString::fromUtf8(canary);
        domain::log(domain::LogLevel::Error, "test", QStringLiteral("plain ") + text);
        domain::log(domain::LogLevel::Info, "test",
                    QStringLiteral("url ?key=") + QString::fromUtf8(canary.toPercentEncoding()));
        domain::log(domain::LogLevel::Info, "test",
                    QStringLiteral("basic ") + QString::fromUtf8(canary.toBase64()));
        qWarning("by Qt: %s", canary.constData());
        const QByteArray all = written();
        QVERIFY(all.contains("plain [redacted]"));
        QVERIFY(all.contains("by Qt: "));
        QVERIFY(!all.contains("0123456789"));
        QVERIFY(!all.contains(canary.toBase64()));
    }

    void oneEntryIsOneLine()
    {
        domain::log(domain::LogLevel::Info, "test",
                    QStringLiteral("first\n2026-01-01 forged\rentry"));
        const QByteArray all = written();
        QVERIFY(all.contains("first\\n2026-01-01 forged\\rentry\n"));
    }

    void filesArePrivate()
    {
        const QFileInfo file(m_directory.filePath(QStringLiteral("program.log")));
        QVERIFY(file.exists());
        QCOMPARE(
            file.permissions()
                & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
            QFile::Permissions());
    }

    void filesRotateAndAreBounded()
    {
        const QString line(4000, QLatin1Char('x'));
        for (int i = 0; i < 4000; ++i)
            domain::log(domain::LogLevel::Debug, "test", line);
        qint64 total = 0;
        const QFileInfoList files = QDir(m_directory.path()).entryInfoList(QDir::Files);
        for (const QFileInfo &file : files)
            total += file.size();
        QVERIFY2(files.size() > 1, "no rotation");
        QVERIFY2(total < 13 * 1024 * 1024, QByteArray::number(total).constData());
    }
};

QTEST_GUILESS_MAIN(LoggingTest)
#include "test_logging.moc"
