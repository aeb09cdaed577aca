// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "local/local_sandbox.h"
#include "providers/local/process_metrics.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QProcess>

#include <csignal>

using namespace berth;
using namespace std::chrono_literals;
using domain::ObservedState;
using domain::OutcomeKind;

//! What lives how long: processes with Berth, files until destroyed.
class LocalLifetimeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { BERTH_NEEDS_BUBBLEWRAP(); }

    void restartKeepsFiles();
    void pausedStaysPausedOverARestart();
    void settingsOfCreationStay();
    void newProviderOfChangedSettingsEndsNothing();
    void connectTwiceAtOnceStartsOne();
    void lostSandboxStartsAgain();
    void nothingIsLeftAfterTheLastProvider();
    void killedBerthLeavesNothing();
    void destroyDoesNotFollowLinks();
    void destroyOfAHugeTreeDoesNotBlock();
    void leftoversAreCleared();
    void damagedRecordIsNotGone();
    void diskUseComesWithoutWaiting();
};

//! Processes of this machine whose arguments contain \a text.
static QList<qint64> processesWith(const QByteArray &text)
{
    QList<qint64> pids;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(name));
        const qint64 pid = name.toLongLong();
        if (pid > 0 && pid != QCoreApplication::applicationPid()
            && arguments.open(QIODevice::ReadOnly)
            && arguments.readAll().replace('\0', ' ').contains(text))
            pids << pid;
    }
    return pids;
}

void LocalLifetimeTest::restartKeepsFiles()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    {
        const auto connection = test::await(berth.provider->connect(created->externalId, {}));
        BERTH_OK(connection);
        QCOMPARE(test::run((*connection)->shell(), "echo kept > file; echo gone > /tmp/file")
                     .outcome.code,
                 0);
    }
    berth.restart();
    const auto found = test::await(berth.provider->inspect(created->externalId, {}));
    BERTH_OK(found);
    QCOMPARE(found->state, ObservedState::Stopped);
    QVERIFY(!found->stateDetail.isEmpty());
    QCOMPARE(found->labels, created->labels);
    QCOMPARE(found->createdAt, created->createdAt);
    BERTH_OK(test::await(berth.provider->resume(created->externalId, {})));
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(
        test::run((*connection)->shell(), "cat file; cat /tmp/file 2>/dev/null; cd /tmp && pwd")
            .out,
        QByteArrayLiteral("kept\n/tmp\n"));
}

void LocalLifetimeTest::pausedStaysPausedOverARestart()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    BERTH_OK(test::await(berth.provider->pause(created->externalId, {})));
    berth.restart();
    const auto found = test::await(berth.provider->inspect(created->externalId, {}));
    BERTH_OK(found);
    QCOMPARE(found->state, ObservedState::Paused);
    BERTH_FAILS(test::await(berth.provider->connect(created->externalId, {})),
                domain::ErrorKind::Conflict);
    BERTH_OK(test::await(berth.provider->resume(created->externalId, {})));
    BERTH_OK(test::await(berth.provider->connect(created->externalId, {})));
}

void LocalLifetimeTest::settingsOfCreationStay()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    berth.restart({{QStringLiteral("network"), QStringLiteral("true")},
                   {QStringLiteral("cwd"), QStringLiteral("/other")}});
    BERTH_OK(test::await(berth.provider->resume(created->externalId, {})));
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE((*connection)->homeDirectory(), QByteArrayLiteral("/workspace"));
    QCOMPARE(test::run((*connection)->shell(), "tail -n +3 /proc/net/dev | wc -l").out.trimmed(),
             QByteArrayLiteral("1"));
}

void LocalLifetimeTest::newProviderOfChangedSettingsEndsNothing()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    const auto command =
        test::start((*connection)->shell(), test::shellCommand("sleep 1; echo end"));
    QVERIFY(command);
    std::unique_ptr<domain::Provider> changed =
        berth.kind->create({domain::ConfigName(QStringLiteral("local")),
                            {{QStringLiteral("network"), QStringLiteral("true")}}},
                           berth.installation, {berth.data.path(), berth.runtime.path()});
    berth.provider = std::move(changed);
    QVERIFY(command->waitForEnd(10s));
    QCOMPARE(command->out, QByteArrayLiteral("end\n"));
    const auto found = test::await(berth.provider->inspect(created->externalId, {}));
    BERTH_OK(found);
    QCOMPARE(found->state, ObservedState::Running);
}

void LocalLifetimeTest::connectTwiceAtOnceStartsOne()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    berth.restart();
    using Landing =
        test::detail::Landing<domain::Result<std::shared_ptr<domain::SandboxConnection>>>;
    QList<std::shared_ptr<Landing>> landings;
    for (int i = 0; i < 5; ++i) {
        landings << std::make_shared<Landing>();
        test::detail::land(berth.provider->connect(created->externalId, {}), landings.last());
    }
    QVERIFY(test::waitUntil([&landings] {
        return std::all_of(landings.begin(), landings.end(),
                           [](const auto &landing) { return landing->value.has_value(); });
    }));
    for (const auto &landing : std::as_const(landings)) {
        BERTH_OK(*landing->value);
        QCOMPARE(**landing->value, **landings.first()->value);
    }
    // The outer bubblewrap and nothing more: the inner one has become the runner.
    QCOMPARE(processesWith(created->externalId.toString().toUtf8()).size(), 1);
}

void LocalLifetimeTest::lostSandboxStartsAgain()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    const QList<qint64> outer = processesWith(created->externalId.toString().toUtf8());
    QCOMPARE(outer.size(), 1);
    // The runner itself, as the kernel's memory killer might.
    const QList<qint64> inner = local::childProcesses(outer.first());
    QCOMPARE(inner.size(), 1);
    QCOMPARE(::kill(pid_t(inner.first()), SIGKILL), 0);
    QVERIFY(test::waitUntil([&connection] { return !(*connection)->isOpen(); }, 5s));
    const auto found = test::await(berth.provider->inspect(created->externalId, {}));
    BERTH_OK(found);
    QCOMPARE(found->state, ObservedState::Stopped);
    const auto again = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(again);
    QCOMPARE(test::run((*again)->shell(), "echo back").out, QByteArrayLiteral("back\n"));
    QCOMPARE(processesWith(created->externalId.toString().toUtf8()).size(), 1);
}

void LocalLifetimeTest::nothingIsLeftAfterTheLastProvider()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    const auto command = test::start(
        (*connection)->shell(),
        test::shellCommand("trap '' TERM HUP INT; setsid sleep 7654321 & echo up; sleep 7654322"));
    QVERIFY(command && command->waitForOutput("up"));
    QVERIFY(test::waitUntil([] { return processesWith("sleep 765432").size() >= 2; }, 5s));
    berth.provider.reset();
    QVERIFY(command->waitForEnd(5s));
    QCOMPARE(command->outcome().kind, OutcomeKind::TransportLost);
    QVERIFY(test::waitUntil([] { return processesWith("sleep 765432").isEmpty(); }, 5s));
    QVERIFY(test::waitUntil(
        [&created] { return processesWith(created->externalId.toString().toUtf8()).isEmpty(); },
        5s));
}

void LocalLifetimeTest::killedBerthLeavesNothing()
{
    // This program again, as a Berth that is killed in the middle.
    QTemporaryDir data;
    QProcess other;
    other.start(QCoreApplication::applicationFilePath(),
                {QStringLiteral("--as-berth"), data.path()});
    QVERIFY(test::waitUntil([&other] { return other.bytesAvailable() > 0; }, 15s));
    const QByteArray id = other.readLine().trimmed();
    QVERIFY2(id.size() == 36, id.constData());
    QVERIFY(!processesWith("sleep 7654329").isEmpty());
    other.kill();
    QVERIFY(test::waitUntil([&other] { return other.state() == QProcess::NotRunning; }, 5s));
    QVERIFY(test::waitUntil([] { return processesWith("sleep 7654329").isEmpty(); }, 5s));
    QVERIFY(test::waitUntil([&id] { return processesWith(id).isEmpty(); }, 5s));

    test::LocalBerth next;
    next.provider = next.kind->create({domain::ConfigName(QStringLiteral("local")), {}},
                                      next.installation, {data.path(), next.runtime.path()});
    const auto found =
        test::await(next.provider->inspect(domain::ExternalId(QString::fromLatin1(id)), {}));
    BERTH_OK(found);
    QCOMPARE(found->state, ObservedState::Stopped);
    const auto connection = test::await(next.provider->connect(found->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "cat file").out, QByteArrayLiteral("kept\n"));
}

void LocalLifetimeTest::destroyDoesNotFollowLinks()
{
    test::LocalBerth berth;
    QTemporaryDir outside;
    QFile precious(outside.filePath(QStringLiteral("precious")));
    QVERIFY(precious.open(QIODevice::WriteOnly));
    precious.close();
    const auto created = berth.create();
    BERTH_OK(created);
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    const QByteArray target = QFile::encodeName(outside.path());
    QCOMPARE(
        test::run((*connection)->shell(),
                  "ln -s " + target + " link; ln -s " + target
                      + "/precious file; mkdir -p a/b; ln -s " + target
                      + " a/b/link; chmod 000 a/b; printf x > -rf; mkdir -- --no-preserve-root")
            .outcome.code,
        0);
    BERTH_OK(test::await(berth.provider->destroy(created->externalId, {})));
    QVERIFY(QFile::exists(precious.fileName()));
    QCOMPARE(QDir(berth.data.path() + QStringLiteral("/local"))
                 .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList());
    QVERIFY(QFileInfo(outside.path()).permissions().testFlag(QFile::ReadOwner));

    // A link in place of an instance is none.
    const QString fake = domain::ExternalId::create().toString();
    QVERIFY(QFile::link(outside.path(), berth.data.path() + QStringLiteral("/local/") + fake));
    BERTH_OK(test::await(berth.provider->destroy(domain::ExternalId(fake), {})));
    BERTH_FAILS(test::await(berth.provider->inspect(domain::ExternalId(fake), {})),
                domain::ErrorKind::NotFound);
    QVERIFY(QFile::exists(precious.fileName()));
}

void LocalLifetimeTest::destroyOfAHugeTreeDoesNotBlock()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(),
                       "i=0; while [ $i -lt 40 ]; do mkdir d$i; (cd d$i; j=0; while [ $j -lt 250 "
                       "]; do : > f$j; "
                       "j=$((j+1)); done); i=$((i+1)); done",
                       60s)
                 .outcome.code,
             0);
    // The event loop goes on while the files go.
    qint64 longest = 0;
    QElapsedTimer clock;
    clock.start();
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&] { longest = qMax(longest, clock.restart()); });
    beat.start(5);
    BERTH_OK(test::await(berth.provider->destroy(created->externalId, {}), 60s));
    QVERIFY2(longest < 150, QByteArray::number(longest).constData());
    QVERIFY(QDir(berth.data.path() + QStringLiteral("/local"))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                .isEmpty());
}

void LocalLifetimeTest::leftoversAreCleared()
{
    test::LocalBerth berth;
    const QDir root(berth.data.path() + QStringLiteral("/local"));
    const QString id = domain::ExternalId::create().toString();
    for (const QString &name : {QStringLiteral(".gone-") + id, QStringLiteral(".new-") + id,
                                QStringLiteral(".gone-not-ours"), QStringLiteral("notes")})
        QVERIFY(QDir().mkpath(root.filePath(name + QStringLiteral("/workspace/deep"))));
    berth.restart();
    QVERIFY(test::waitUntil(
        [&root, &id] {
            return !root.exists(QStringLiteral(".gone-") + id)
                && !root.exists(QStringLiteral(".new-") + id);
        },
        5s));
    QVERIFY(root.exists(QStringLiteral(".gone-not-ours")));
    QVERIFY(root.exists(QStringLiteral("notes")));
}

void LocalLifetimeTest::damagedRecordIsNotGone()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    berth.restart();
    const QString record = berth.data.path() + QStringLiteral("/local/")
        + created->externalId.toString() + QStringLiteral("/instance.json");
    for (const QByteArray &content : {QByteArray(), QByteArray("{"), QByteArray("[]"),
                                      QByteArray("\xff"), QByteArray("{\"schema_version\": 99}")}) {
        QFile file(record);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        BERTH_FAILS(test::await(berth.provider->inspect(created->externalId, {})),
                    domain::ErrorKind::Storage);
        BERTH_FAILS(test::await(berth.provider->connect(created->externalId, {})),
                    domain::ErrorKind::Storage);
        const auto list = test::await(berth.provider->list({}));
        BERTH_OK(list);
        QVERIFY(list->isEmpty());
    }
    QVERIFY(QFile::exists(berth.workspace(created->externalId)));
    BERTH_OK(test::await(berth.provider->destroy(created->externalId, {})));
    QVERIFY(!QFile::exists(berth.workspace(created->externalId)));
}

void LocalLifetimeTest::diskUseComesWithoutWaiting()
{
    test::LocalBerth berth;
    const auto created = berth.create();
    BERTH_OK(created);
    const auto connection = test::await(berth.provider->connect(created->externalId, {}));
    BERTH_OK(connection);
    QCOMPARE(test::run((*connection)->shell(), "head -c 3000000 /dev/urandom > file").outcome.code,
             0);
    const auto first = test::await(berth.provider->metrics(created->externalId, {}));
    BERTH_OK(first);
    QVERIFY(!first->diskBytes.has_value());
    std::optional<qint64> bytes;
    QVERIFY(test::waitUntil(
        [&] {
            const auto sample = test::await(berth.provider->metrics(created->externalId, {}));
            bytes = sample ? sample->diskBytes : std::nullopt;
            return bytes.has_value();
        },
        10s));
    QVERIFY2(*bytes >= 3'000'000 && *bytes < 4'000'000, QByteArray::number(*bytes).constData());
}

//! Makes a sandbox in \a data, starts a command in it, says its id, and waits to be killed.
static int runAsBerth(const QString &data)
{
    QTemporaryDir runtime;
    const auto kind = local::makeLocalKind();
    const auto provider = kind->create({domain::ConfigName(QStringLiteral("local")), {}},
                                       domain::InstallationId::create(), {data, runtime.path()});
    domain::CreateRequest request;
    request.labels.installation = domain::InstallationId::create();
    request.name = QStringLiteral("berth-test");
    const auto created = test::await(provider->create(request, {}, {}));
    const auto connection = created ? test::await(provider->connect(created->externalId, {}))
                                    : domain::failure(created.error());
    if (!connection)
        return 1;
    const auto command =
        test::start((*connection)->shell(),
                    test::shellCommand("echo kept > file; trap '' TERM HUP; setsid sleep "
                                       "7654329 & echo up; sleep 7654329"));
    if (!command || !command->waitForOutput("up"))
        return 1;
    QFile out;
    if (!out.open(stdout, QIODevice::WriteOnly))
        return 1;
    out.write(created->externalId.toString().toLatin1() + '\n');
    out.flush();
    return QCoreApplication::exec();
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--as-berth") == 0)
        return runAsBerth(QString::fromLocal8Bit(argv[2]));
    LocalLifetimeTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_local_lifetime.moc"
