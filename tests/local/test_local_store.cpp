// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/instance_store.h"

#include <QtCore/QFileInfo>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using local::InstanceRecord;
using local::InstanceStore;

class LocalStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordComesBack();
    void directoriesArePrivate();
    void editedRecordCannotChooseTheMount();
    void discardTakesItAway();
};

static InstanceRecord someRecord()
{
    InstanceRecord record;
    record.id = domain::ExternalId::create();
    record.name = QStringLiteral("berth-12345678-default-\u6f22 \"x\"");
    record.labels.installation = domain::InstallationId::create();
    record.labels.lease = domain::LeaseId::create();
    record.labels.instance = domain::InstanceId::create();
    record.labels.sandbox = domain::SandboxId::create();
    record.labels.agent = domain::AgentId(QStringLiteral("default"));
    record.labels.alias = QStringLiteral("local-1");
    record.labels.configHash = QStringLiteral("0123456789abcdef");
    record.settings.network = true;
    record.settings.home = QStringLiteral("/home/agent");
    record.settings.isolated = false;
    record.settings.memoryBytes = qint64(1) << 33;
    record.settings.cpus = 1.5;
    record.settings.pids = 100;
    record.paused = true;
    record.createdAt = QDateTime::fromMSecsSinceEpoch(1'700'000'000'123, Qt::UTC);
    record.startedAt = QDateTime::fromMSecsSinceEpoch(1'700'000'001'456, Qt::UTC);
    return record;
}

void LocalStoreTest::recordComesBack()
{
    QTemporaryDir data;
    const InstanceStore store(data.path());
    QVERIFY(store.all().isEmpty());
    InstanceRecord record = someRecord();
    QVERIFY(store.add(record).has_value());
    record.paused = false;
    QVERIFY(store.save(record).has_value());
    const auto loaded = store.load(record.id);
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->name, record.name);
    QCOMPARE(loaded->labels, record.labels);
    QCOMPARE(loaded->settings, record.settings);
    QCOMPARE(loaded->paused, false);
    QCOMPARE(loaded->createdAt, record.createdAt);
    QCOMPARE(loaded->startedAt, record.startedAt);
    QCOMPARE(store.all().size(), 1);
    QVERIFY(!store.add(record).has_value());
}

void LocalStoreTest::directoriesArePrivate()
{
    QTemporaryDir data;
    const InstanceStore store(data.path());
    const InstanceRecord record = someRecord();
    QVERIFY(store.add(record).has_value());
    const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup
        | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    const QString directory = QFileInfo(store.workspace(record.id)).path();
    for (const QString &path : {QFileInfo(directory).path(), directory, store.workspace(record.id),
                                directory + QStringLiteral("/instance.json")}) {
        QVERIFY2(QFileInfo::exists(path), qPrintable(path));
        QCOMPARE(int(QFileInfo(path).permissions() & others), 0);
    }
}

void LocalStoreTest::editedRecordCannotChooseTheMount()
{
    QTemporaryDir data;
    const InstanceStore store(data.path());
    const InstanceRecord record = someRecord();
    QVERIFY(store.add(record).has_value());
    QFile file(QFileInfo(store.workspace(record.id)).path() + QStringLiteral("/instance.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    file.close();
    QVERIFY(text.contains("/home/agent"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.replace("/home/agent", "/usr/bin"));
    file.close();
    const auto loaded = store.load(record.id);
    QVERIFY(!loaded.has_value());
    QCOMPARE(loaded.error().kind, domain::ErrorKind::Storage);
}

void LocalStoreTest::discardTakesItAway()
{
    QTemporaryDir data;
    const InstanceStore store(data.path());
    const InstanceRecord record = someRecord();
    QVERIFY(store.add(record).has_value());
    const auto where = store.discard(record.id);
    QVERIFY(where.has_value());
    QVERIFY(QFileInfo::exists(*where + QStringLiteral("/workspace")));
    QVERIFY(store.all().isEmpty());
    QCOMPARE(store.load(record.id).error().kind, domain::ErrorKind::NotFound);
    QCOMPARE(store.discarded(), QStringList{*where});
    QCOMPARE(store.discard(record.id).error().kind, domain::ErrorKind::NotFound);
}

QTEST_GUILESS_MAIN(LocalStoreTest)
#include "test_local_store.moc"
