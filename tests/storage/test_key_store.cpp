// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/key_store.h"

#include "support/await.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using domain::ConfigName;
using domain::ErrorKind;
using test::await;

//! Desktops differ; what has to hold on all is that a missing key store is told apart and holds
//! nothing up.
class KeyStoreTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_directory;

private Q_SLOTS:
    void init()
    {
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qunsetenv("DISPLAY");
        qputenv("XDG_RUNTIME_DIR", m_directory.path().toLocal8Bit());
    }

    void withoutABusThereIsNone() { QVERIFY(!storage::desktopKeyStore()); }

    void aBusThatIsGoneIsNone()
    {
        qputenv("DBUS_SESSION_BUS_ADDRESS",
                "unix:path=" + m_directory.filePath(QStringLiteral("none")).toLocal8Bit());
        const auto store = storage::desktopKeyStore();
        QVERIFY(store && store->isPresent());
        QElapsedTimer timer;
        timer.start();
        const ConfigName config(QStringLiteral("berth-test"));
        const auto read = await(store->read(config, std::chrono::seconds(5), {}));
        BERTH_FAILS(read, ErrorKind::Unsupported);
        QVERIFY(timer.elapsed() < 4000);
        QVERIFY(!store->isPresent());
        BERTH_FAILS(
            await(store->store(config, domain::Secret("canary-5150"), std::chrono::seconds(5), {})),
            ErrorKind::Unsupported);
    }

    void stopAndDeadlineEndTheWait()
    {
        qputenv("DBUS_SESSION_BUS_ADDRESS",
                "unix:path=" + m_directory.filePath(QStringLiteral("none")).toLocal8Bit());
        const auto store = storage::desktopKeyStore();
        std::stop_source stopped;
        stopped.request_stop();
        BERTH_FAILS(await(store->read(ConfigName(QStringLiteral("x")), std::chrono::seconds(5),
                                      stopped.get_token())),
                    ErrorKind::Cancelled);
    }
};

QTEST_GUILESS_MAIN(KeyStoreTest)
#include "test_key_store.moc"
