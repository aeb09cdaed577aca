// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "local/local_sandbox.h"

#include <QtCore/QDir>
#include <QtCore/QFile>

using namespace berth;
using domain::ErrorKind;
using domain::StepState;

//! That isolation which cannot be had is refused, with the setting named and the command to run.
class LocalCheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();

    void missingBubblewrap();
    void oldBubblewrap();
    void forbiddenUserNamespaces_data();
    void forbiddenUserNamespaces();
    void unknownRefusal();
    void bubblewrapThatRunsThingsUnisolated();
    void bubblewrapThatHangs();
    void worksHere();
    void networkIsAWarning();
    void passthroughIsRefused();

private:
    //! A machine whose bwrap is \a script.
    local::HostSystem system(const QByteArray &script);

    std::unique_ptr<QTemporaryDir> m_directory;
};

void LocalCheckTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_directory->path()).mkpath(QStringLiteral("sys/kernel")));
    QVERIFY(QDir(m_directory->path()).mkpath(QStringLiteral("sys/user")));
}

static void put(const QString &path, const QByteArray &content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

local::HostSystem LocalCheckTest::system(const QByteArray &script)
{
    local::HostSystem system;
    system.bubblewrap = m_directory->filePath(QStringLiteral("bwrap"));
    system.sysctls = m_directory->filePath(QStringLiteral("sys"));
    if (!script.isNull())
        put(system.bubblewrap,
            "#!/bin/sh\n[ \"$1\" != --version ] || { echo bubblewrap 0.9.0; exit; }\n" + script);
    return system;
}

//! Both ways in: Test connection and the making of a sandbox. The error of the latter.
static domain::Error refusal(test::LocalBerth &berth)
{
    const auto report = test::await(berth.provider->check({}, {}));
    const auto created = berth.create();
    if (!report || report->ok || !report->error || created)
        return {ErrorKind::Internal, QStringLiteral("it was not refused"), {}, {}, {}};
    if (report->error->message != created.error().message
        || report->error->detail != created.error().detail)
        return {ErrorKind::Internal,
                QStringLiteral("check and create differ"),
                report->error->detail,
                {},
                {}};
    if (report->steps.isEmpty() || report->steps.last().state != StepState::Failed)
        return {ErrorKind::Internal, QStringLiteral("no step failed"), {}, {}, {}};
    const auto list = test::await(berth.provider->list({}));
    if (!list || !list->isEmpty())
        return {ErrorKind::Internal, QStringLiteral("something was left"), {}, {}, {}};
    return created.error();
}

void LocalCheckTest::missingBubblewrap()
{
    test::LocalBerth berth({}, system({}));
    berth.restart({}, system({}));
    const domain::Error error = refusal(berth);
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY2(error.message.contains(QLatin1String("not installed")), qPrintable(error.message));
    QVERIFY(error.detail.contains(QLatin1String("apt install bubblewrap")));
}

void LocalCheckTest::oldBubblewrap()
{
    local::HostSystem old = system("exit 0\n");
    put(old.bubblewrap, "#!/bin/sh\necho bubblewrap 0.4.1\n");
    test::LocalBerth berth({}, old);
    berth.restart({}, old);
    const domain::Error error = refusal(berth);
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY(error.detail.contains(QLatin1String("0.7")));
}

void LocalCheckTest::forbiddenUserNamespaces_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("command");
    QTest::newRow("Ubuntu") << QStringLiteral("kernel/apparmor_restrict_unprivileged_userns")
                            << QByteArrayLiteral("1\n")
                            << QStringLiteral("kernel.apparmor_restrict_unprivileged_userns")
                            << QStringLiteral(
                                   "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
    QTest::newRow("Debian") << QStringLiteral("kernel/unprivileged_userns_clone")
                            << QByteArrayLiteral("0\n")
                            << QStringLiteral("kernel.unprivileged_userns_clone")
                            << QStringLiteral("sysctl -w kernel.unprivileged_userns_clone=1");
    QTest::newRow("limit") << QStringLiteral("user/max_user_namespaces") << QByteArrayLiteral("0\n")
                           << QStringLiteral("user.max_user_namespaces")
                           << QStringLiteral("sysctl -w user.max_user_namespaces=");
}

void LocalCheckTest::forbiddenUserNamespaces()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, value);
    QFETCH(QString, setting);
    QFETCH(QString, command);
    const local::HostSystem machine =
        system("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n");
    put(machine.sysctls + QLatin1Char('/') + file, value);
    test::LocalBerth berth;
    berth.restart({}, machine);
    const domain::Error error = refusal(berth);
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY2(error.detail.contains(setting), qPrintable(error.detail));
    QVERIFY2(error.detail.contains(command), qPrintable(error.detail));
}

void LocalCheckTest::unknownRefusal()
{
    test::LocalBerth berth;
    berth.restart({}, system("echo 'bwrap: No permissions to create new namespace' >&2; exit 1\n"));
    const domain::Error error = refusal(berth);
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY2(error.detail.contains(QLatin1String("No permissions to create new namespace")),
             qPrintable(error.detail));
}

void LocalCheckTest::bubblewrapThatRunsThingsUnisolated()
{
    // A wrapper that drops all options: the runner then sees that it is not process 1 of a sandbox.
    test::LocalBerth berth;
    berth.restart(
        {},
        system("while [ \"$1\" != -- ]; do case $1 in --ro-bind) [ \"$3\" != /.berth/guest ] || "
               "g=$2; shift 3;; *) shift;; esac; done; shift 2; exec \"$g\" \"$@\"\n"));
    const domain::Error error = refusal(berth);
    QCOMPARE(error.kind, ErrorKind::Unavailable);
    QVERIFY2(error.message.contains(QLatin1String("did not isolate")), qPrintable(error.message));
}

void LocalCheckTest::bubblewrapThatHangs()
{
    test::LocalBerth berth;
    berth.restart({}, system("exec sleep 60\n"));
    QElapsedTimer clock;
    clock.start();
    const auto report = test::await(berth.provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY(!report->ok);
    QVERIFY(report->error.has_value());
    QVERIFY2(clock.elapsed() < 15'000, QByteArray::number(clock.elapsed()).constData());
}

void LocalCheckTest::worksHere()
{
    BERTH_NEEDS_BUBBLEWRAP();
    test::LocalBerth berth;
    QStringList names;
    const auto report = test::await(berth.provider->check(
        [&names](const domain::HealthStep &step) { names << step.name; }, {}));
    BERTH_OK(report);
    QVERIFY2(report->ok, report->error ? qPrintable(report->error->detail) : "");
    QCOMPARE(names.size(), 5);
    QVERIFY(report->summary.startsWith(QLatin1String("bubblewrap ")));
    // Nothing is left of it.
    QVERIFY(QDir(berth.runtime.path()).entryList({QStringLiteral("check-*")}).isEmpty());
    const auto list = test::await(berth.provider->list({}));
    BERTH_OK(list);
    QVERIFY(list->isEmpty());
}

void LocalCheckTest::networkIsAWarning()
{
    BERTH_NEEDS_BUBBLEWRAP();
    test::LocalBerth berth({{QStringLiteral("network"), QStringLiteral("true")}});
    const auto report = test::await(berth.provider->check({}, {}));
    BERTH_OK(report);
    QVERIFY(report->ok);
    QCOMPARE(report->steps.first().state, StepState::Warning);
}

void LocalCheckTest::passthroughIsRefused()
{
    test::LocalBerth berth({{QStringLiteral("isolation"), QStringLiteral("none")}});
    const domain::Error error = refusal(berth);
    QCOMPARE(error.kind, ErrorKind::Forbidden);
    QVERIFY2(error.message.startsWith(QLatin1String("Passthrough is off")),
             qPrintable(error.message));
    QVERIFY(error.message.contains(QLatin1String("Settings, in Berth's window on this machine")));
    test::LocalBerth other;
    const QMap<QString, QString> none{{QStringLiteral("isolation"), QStringLiteral("none")}};
    BERTH_FAILS(other.create(QStringLiteral("x"), none), ErrorKind::Forbidden);
    // Nor can a row say that it may.
    QMap<QString, QString> both = none;
    both.insert(QStringLiteral("passthrough_allowed"), QStringLiteral("true"));
    BERTH_FAILS(other.create(QStringLiteral("x"), both), ErrorKind::Forbidden);
    BERTH_FAILS(other.create(QStringLiteral("x"),
                             {{QStringLiteral("passthrough_allowed"), QStringLiteral("true")}}),
                ErrorKind::InvalidInput);
    BERTH_FAILS(
        other.create(QStringLiteral("x"), {{QStringLiteral("isolation"), QStringLiteral("host")}}),
        ErrorKind::InvalidInput);
}

QTEST_GUILESS_MAIN(LocalCheckTest)
#include "test_local_check.moc"
