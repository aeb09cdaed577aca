// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The HTTP API as its clients meet it: "berth-cli serve" as a process of its own, raw sockets, a
// real sandbox on this machine.
#include "api/raw_client.h"

#include <QtCore/QDir>
#include <QtCore/QElapsedTimer>
#include <QtCore/QFile>
#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>
#include <QtNetwork/QTcpSocket>
#include <QtTest/QTest>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace berth;
using nlohmann::json;
using test::Answer;

class TestServe : public QObject, private test::RawClient
{
    Q_OBJECT

    QTemporaryDir m_home;
    QProcess m_serve;

    QString data() const { return m_home.filePath(QStringLiteral("data")); }

    QProcess *cli(const QStringList &arguments, const QByteArray &input = {})
    {
        auto *process = new QProcess(this);
        process->start(QStringLiteral(BERTH_CLI),
                       QStringList{QStringLiteral("--data-dir"), data()} + arguments);
        process->write(input);
        process->closeWriteChannel();
        if (!process->waitForFinished(30'000))
            qWarning("berth-cli did not end");
        return process;
    }

    //! A thread of the CLI, which may approve its own lines; what it began.
    json threadOf(const QString &line)
    {
        QProcess *made =
            cli({QStringLiteral("--json"), QStringLiteral("thread"), QStringLiteral("new"),
                 QStringLiteral("--sandbox"), QStringLiteral("local"), line});
        const QByteArray out = made->readAllStandardOutput();
        json told = json::parse(out.cbegin(), out.cend(), nullptr, false);
        if (!told.is_object() || !told.contains("thread_id"))
            qWarning("%s%s", out.constData(), made->readAllStandardError().constData());
        return told;
    }

    //! What a command of a thread ended with.
    json ended(const std::string &toolCall)
    {
        QElapsedTimer clock;
        clock.start();
        json call;
        while (clock.elapsed() < 30'000) {
            call = ask("GET", "/api/tool-calls/" + QByteArray::fromStdString(toolCall)).parsed();
            if (call.value("state", "") == "done")
                break;
            QTest::qWait(50);
        }
        return call;
    }

    QByteArray output(const std::string &toolCall)
    {
        return ask("GET",
                   "/api/tool-calls/" + QByteArray::fromStdString(toolCall)
                       + "/output?raw=true&wait_ms=2000&limit=1048576")
            .body;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_serve.start(QStringLiteral(BERTH_CLI),
                      {QStringLiteral("--data-dir"), data(), QStringLiteral("--json"),
                       QStringLiteral("serve"), QStringLiteral("--listen"),
                       QStringLiteral("127.0.0.1:0")});
        QVERIFY2(m_serve.waitForReadyRead(60'000), m_serve.readAllStandardError().constData());
        const QByteArray line = m_serve.readLine();
        const json told = json::parse(line.cbegin(), line.cend(), nullptr, false);
        QVERIFY2(told.is_object() && told.contains("listening"), line.constData());
        const QString address = QString::fromStdString(told["listening"].get<std::string>());
        m_port = address.section(QLatin1Char(':'), -1).toUShort();
        QFile file(QString::fromStdString(told["token_file"].get<std::string>()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        m_token = file.readAll().trimmed();
        QVERIFY(m_token.size() > 30);
        QVERIFY(!line.contains(m_token));
        struct stat facts = {};
        QCOMPARE(::stat(QFile::encodeName(file.fileName()).constData(), &facts), 0);
        QCOMPARE(static_cast<int>(facts.st_mode & 0777), 0600);
    }

    void aWholeStory()
    {
        const json started =
            threadOf(QStringLiteral("!cd /tmp && echo out && echo err >&2; exit 3"));
        QVERIFY(started.is_object());
        QCOMPARE(started["exit_code"].get<int>(), 3);
        QCOMPARE(ended(started["tool_call_id"])["exit_code"].get<int>(), 3);
        const QByteArray wrote = output(started["tool_call_id"]);
        QVERIFY2(wrote.contains("out\n") && wrote.contains("err\n"), wrote.constData());

        const QByteArray thread =
            QByteArray::fromStdString(started["thread_id"].get<std::string>());
        const Answer other = ask("POST", "/api/threads/" + thread + "/messages",
                                 "{\"text\":\"!pwd\",\"sandbox\":\"another\"}");
        QCOMPARE(other.status, 409);
        // A line of the API itself is not approved by the token that sends it.
        const Answer own =
            ask("POST", "/api/threads/" + thread + "/messages", "{\"text\":\"!id\"}");
        QVERIFY2(own.status == 403, own.body.constData());
        const json messages = ask("GET", "/api/threads/" + thread + "/messages").parsed();
        QVERIFY(messages["messages"].size() >= 1);

        const QByteArray lease = QByteArray::fromStdString(started["lease_id"].get<std::string>());
        const QByteArray runtime = "/api/sandbox/runtimes/" + lease;
        const json listed = ask("GET", "/api/sandbox/runtimes").parsed();
        QCOMPARE(listed["runtimes"].size(), size_t(1));
        QCOMPARE(ask("GET", runtime + "?provider=docker").status, 409);
        QCOMPARE(ask("GET", runtime + "?provider=local").status, 200);
        const json rows = ask("GET", "/api/agents/default/sandboxes").parsed();
        QCOMPARE(rows.size(), size_t(1));
        QCOMPARE(rows[0]["status"].get<std::string>(), std::string("provisioned"));
        QVERIFY(rows[0]["config"].is_object());
        const Answer metrics = ask("GET", "/metrics");
        QVERIFY2(metrics.body.contains("berth_runtimes{provider=\"local\""),
                 metrics.body.constData());

        const Answer paused = ask("POST", runtime + "/pause?provider=local&wait=20");
        QVERIFY2(paused.status == 200, paused.body.constData());
        QCOMPARE(paused.parsed()["observed_state"].get<std::string>(), std::string("paused"));
        QCOMPARE(ask("POST", runtime + "/pause").status, 200);
        QVERIFY(ask("POST", runtime + "/resume").status == 202);
        const Answer destroyed = ask("DELETE", runtime + "?wait=20");
        QVERIFY2(destroyed.status == 200, destroyed.body.constData());
        QCOMPARE(ask("DELETE", runtime).status, 200);
    }

    void filesBothWays()
    {
        const json started = threadOf(QStringLiteral("!true"));
        const std::string thread = started["thread_id"];
        QCOMPARE(ended(started["tool_call_id"])["exit_code"].get<int>(), 0);
        QByteArray bytes(5 * 1024 * 1024 + 17, Qt::Uninitialized);
        for (qsizetype at = 0; at < bytes.size(); ++at)
            bytes[at] = static_cast<char>((static_cast<quint64>(at) * 2654435761u) >> 13);
        const QByteArray files = "/api/files/" + QByteArray::fromStdString(thread);
        const QByteArray type = "Content-Type: application/octet-stream\r\n";
        const Answer up = ask("PUT", files + "/content?path=big.bin", bytes, type);
        QVERIFY2(up.status == 201, up.body.constData());
        QCOMPARE(up.parsed()["size"].get<qint64>(), qint64(bytes.size()));
        const Answer down = ask("GET", files + "/content?path=big.bin");
        QCOMPARE(down.status, 200);
        QVERIFY(down.body == bytes);
        const Answer small = ask("PUT", files + "/content?path=empty", "", type);
        QVERIFY2(small.status == 201, small.body.constData());
        QCOMPARE(ask("PUT", files + "/content?path=big.bin", "x", type).status, 409);
        QCOMPARE(ask("GET", files + "/stat?path=nothing").status, 404);
        QCOMPARE(ask("GET", files + "/content?path=nothing").status, 404);
        // Half of a file and away: nothing is to be seen of it.
        {
            const std::unique_ptr<QTcpSocket> socket = connected();
            socket->write("PUT " + files + "/content?path=half HTTP/1.1\r\nHost: " + authority()
                          + "\r\nAuthorization: Bearer " + m_token + "\r\n" + type
                          + "Content-Length: 1000000\r\n\r\n" + bytes.left(600'000));
            socket->waitForBytesWritten(2'000);
            QTest::qWait(200);
            socket->abort();
        }
        QCOMPARE(ask("GET", files + "/stat?path=half").status, 404);
        const json list = ask("GET", files).parsed();
        QVERIFY(list["entries"].size() >= 2);
        const QByteArray lease = QByteArray::fromStdString(started["lease_id"].get<std::string>());
        QCOMPARE(ask("DELETE", "/api/sandbox/runtimes/" + lease + "?wait=20").status, 200);
    }

    void eventsGoOnWhereTheyStopped()
    {
        const auto follow = [this](const QByteArray &last) {
            std::unique_ptr<QTcpSocket> socket = connected();
            socket->write("GET /api/events HTTP/1.1\r\nHost: " + authority()
                          + "\r\nAuthorization: Bearer " + m_token + "\r\n"
                          + (last.isEmpty() ? QByteArray() : "Last-Event-ID: " + last + "\r\n")
                          + "\r\n");
            return socket;
        };
        const auto until = [](QTcpSocket &socket, const QByteArray &wanted) {
            QByteArray all;
            QElapsedTimer clock;
            clock.start();
            while (!all.contains(wanted) && clock.elapsed() < 10'000) {
                socket.waitForReadyRead(500);
                all += socket.readAll();
            }
            return all;
        };
        std::unique_ptr<QTcpSocket> first = follow({});
        QVERIFY(until(*first, "retry:").contains("text/event-stream"));
        const json started = threadOf(QStringLiteral("!true"));
        QByteArray seen = until(*first, "event: thread_changed");
        const qsizetype id = seen.indexOf("id: ");
        QVERIFY2(id >= 0, seen.constData());
        const QByteArray last = seen.mid(id + 4, seen.indexOf('\n', id) - id - 4).trimmed();
        first.reset();
        QCOMPARE(ended(started["tool_call_id"])["exit_code"].get<int>(), 0);
        std::unique_ptr<QTcpSocket> second = follow(last);
        const QByteArray resumed = until(*second, "tool_call_changed");
        QVERIFY2(resumed.contains("tool_call_changed"), resumed.constData());
        QVERIFY(!resumed.contains("id: " + last + "\n"));
        QVERIFY(!resumed.contains("snapshot_needed"));
        std::unique_ptr<QTcpSocket> lost = follow("abc-7");
        QVERIFY(until(*lost, "snapshot_needed").contains("event: snapshot_needed"));
        const QByteArray lease = QByteArray::fromStdString(started["lease_id"].get<std::string>());
        ask("DELETE", "/api/sandbox/runtimes/" + lease + "?wait=20");
    }

    //! Another user's token: nothing of an agent that does not know him, and all of it once it
    //! does.
    void furtherTokens()
    {
        const json started = threadOf(QStringLiteral("!true"));
        const QByteArray thread =
            "/api/threads/" + QByteArray::fromStdString(started["thread_id"].get<std::string>());
        QProcess *refused =
            cli({QStringLiteral("token"), QStringLiteral("new"), QStringLiteral("--name"),
                 QStringLiteral("x"), QStringLiteral("--scopes"), QStringLiteral("approve")});
        QVERIFY(refused->exitCode() != 0);
        QVERIFY(refused->readAllStandardOutput().isEmpty());
        QProcess *made =
            cli({QStringLiteral("token"), QStringLiteral("new"), QStringLiteral("--name"),
                 QStringLiteral("bob's"), QStringLiteral("--scopes"), QStringLiteral("read,run"),
                 QStringLiteral("--user"), QStringLiteral("bob")});
        const QByteArray token = made->readAllStandardOutput().trimmed();
        QVERIFY2(token.size() > 30, made->readAllStandardError().constData());
        const QByteArray owner = std::exchange(m_token, token);
        QCOMPARE(ask("GET", "/api/agents").parsed()["agents"].size(), size_t(0));
        QCOMPARE(ask("GET", "/api/threads").parsed()["threads"].size(), size_t(0));
        QCOMPARE(ask("GET", thread).status, 404);
        QCOMPARE(ask("POST", thread + "/messages", "{\"text\":\"hello\"}").status, 404);
        QCOMPARE(ask("POST", "/api/threads", "{\"text\":\"hello\",\"config\":\"local\"}").status,
                 404);
        QCOMPARE(ask("POST", "/api/agents/default/members").status, 404);
        QCOMPARE(ask("GET", "/api/approvals").status, 403);
        QCOMPARE(ask("GET", "/api/providers").status, 403);
        QProcess *known =
            cli({QStringLiteral("config"), QStringLiteral("security"), QStringLiteral("write"),
                 QStringLiteral("--agent"), QStringLiteral("default")},
                "{\"access\":\"private\",\"autonomy_level\":\"supervised\","
                "\"require_approval_for\":[\"exec\"],\"members\":{\"bob\":\"user\"}}");
        QVERIFY2(known->exitCode() == 0, known->readAllStandardError().constData());
        QCOMPARE(ask("GET", "/api/agents").parsed()["agents"].size(), size_t(1));
        QCOMPARE(ask("GET", thread).status, 200);
        QCOMPARE(ask("DELETE", "/api/agents/default/sandboxes/default").status, 403);
        QProcess *revoked =
            cli({QStringLiteral("token"), QStringLiteral("revoke"), QStringLiteral("bob's")});
        QVERIFY2(revoked->exitCode() == 0, revoked->readAllStandardError().constData());
        QCOMPARE(ask("GET", thread).status, 401);
        m_token = owner;
        const QByteArray lease = QByteArray::fromStdString(started["lease_id"].get<std::string>());
        QCOMPARE(ask("DELETE", "/api/sandbox/runtimes/" + lease + "?wait=20").status, 200);
    }

    //! A real sandbox has them, and a change comes to it while it runs.
    void skillsInARealSandbox()
    {
        const QString folder = m_home.filePath(QStringLiteral("notes"));
        QVERIFY(QDir().mkpath(folder));
        const auto write = [&folder](const QByteArray &text) {
            QFile file(folder + QStringLiteral("/SKILL.md"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const auto skills = [this](const QStringList &words) {
            return cli(QStringList{QStringLiteral("agent"), QStringLiteral("skills"),
                                   QStringLiteral("default")}
                       + words);
        };
        write("how to take notes\n");
        QProcess *set = skills({QStringLiteral("add"), QStringLiteral("notes"), folder});
        QVERIFY2(set->exitCode() == 0, set->readAllStandardError().constData());
        const json started = threadOf(QStringLiteral("!cat .berth/skills/notes/SKILL.md"));
        QCOMPARE(started["exit_code"].get<int>(), 0);
        QCOMPARE(output(started["tool_call_id"]), QByteArray("how to take notes\n"));
        const QByteArray files =
            "/api/files/" + QByteArray::fromStdString(started["thread_id"].get<std::string>());
        write("how to take better notes\n");
        QCOMPARE(skills({QStringLiteral("add"), QStringLiteral("notes"), folder})->exitCode(), 0);
        QCOMPARE(ask("GET", files + "/content?path=.berth/skills/notes/SKILL.md").body,
                 QByteArray("how to take better notes\n"));
        const json list = ask("GET", "/api/agents/default/skills").parsed();
        QCOMPARE(list["skills"].size(), size_t(1));
        QCOMPARE(ask("PUT", "/api/agents/default/skills", "{\"skills\":{}}").status, 403);
        QCOMPARE(skills({QStringLiteral("set")})->exitCode(), 0);
        QCOMPARE(ask("GET", files + "?path=.berth/skills").parsed()["entries"].size(), size_t(0));
        QVERIFY(QFile::link(QStringLiteral("/etc/passwd"), folder + QStringLiteral("/link")));
        QVERIFY(skills({QStringLiteral("add"), QStringLiteral("notes"), folder})->exitCode() != 0);
        const QByteArray lease = QByteArray::fromStdString(started["lease_id"].get<std::string>());
        QCOMPARE(ask("DELETE", "/api/sandbox/runtimes/" + lease + "?wait=20").status, 200);
    }

    void aBackupOpens()
    {
        const QString folder = m_home.filePath(QStringLiteral("backup"));
        QProcess *made = cli({QStringLiteral("backup"), folder});
        QVERIFY2(made->exitCode() == 0, made->readAllStandardError().constData());
        for (const char *name : {"berth.db", "sandbox.db"}) {
            QFile file(folder + QLatin1Char('/') + QString::fromLatin1(name));
            QVERIFY2(file.open(QIODevice::ReadOnly), name);
            QVERIFY(file.read(16).startsWith("SQLite format 3"));
            QVERIFY(!(file.permissions() & (QFile::ReadGroup | QFile::ReadOther)));
        }
        QVERIFY(!QFileInfo::exists(folder + QStringLiteral(".part")));
        // What is there is not written over.
        QVERIFY(cli({QStringLiteral("backup"), folder})->exitCode() != 0);
        // Without a database there is nothing that could be called a backup.
        const QString none = m_home.filePath(QStringLiteral("none"));
        const QString nothing = m_home.filePath(QStringLiteral("nothing"));
        const auto backUp = [&nothing, &none] {
            QProcess process;
            process.start(QStringLiteral(BERTH_CLI),
                          {QStringLiteral("--data-dir"), nothing, QStringLiteral("backup"), none});
            process.waitForFinished(30'000);
            return qMakePair(process.exitCode(), process.readAllStandardError());
        };
        const auto leftNothing = [&none] {
            return !QFileInfo::exists(none) && !QFileInfo::exists(none + QStringLiteral(".part"));
        };
        auto failed = backUp();
        QVERIFY(failed.first != 0);
        QVERIFY2(failed.second.contains("berth.db"), failed.second.constData());
        QVERIFY(leftNothing());
        // One that fails half-way leaves nothing, either.
        QVERIFY(QDir().mkpath(nothing));
        QVERIFY(QFile::copy(folder + QStringLiteral("/berth.db"),
                            nothing + QStringLiteral("/berth.db")));
        QFile leases(nothing + QStringLiteral("/sandbox.db"));
        QVERIFY(leases.open(QIODevice::WriteOnly));
        leases.write(QByteArray(8192, 'x'));
        leases.close();
        failed = backUp();
        QVERIFY(failed.first != 0);
        QVERIFY2(leftNothing(), failed.second.constData());
        QVERIFY(leases.remove());
        failed = backUp();
        QVERIFY2(failed.first == 0, failed.second.constData());
        QVERIFY(QFileInfo::exists(none + QStringLiteral("/berth.db")));
        QProcess *doctor = cli({QStringLiteral("--json"), QStringLiteral("doctor")});
        const QByteArray out = doctor->readAllStandardOutput();
        const json told = json::parse(out.cbegin(), out.cend(), nullptr, false);
        QVERIFY2(told.is_object() && told["findings"].size() > 3, out.constData());
        QCOMPARE(doctor->exitCode(), told["ok"].get<bool>() ? 0 : 1);
        QProcess *completions = cli({QStringLiteral("completions"), QStringLiteral("fish")});
        QVERIFY(completions->readAllStandardOutput().contains("complete -c berth-cli"));
    }

    void othersAreRefused()
    {
        QProcess *second = cli(
            {QStringLiteral("serve"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0")});
        QCOMPARE(second->exitCode(), 65);
        QVERIFY(second->readAllStandardError().contains(QByteArray::number(m_serve.processId())));
        QProcess *open = cli(
            {QStringLiteral("serve"), QStringLiteral("--listen"), QStringLiteral("0.0.0.0:8420")});
        QCOMPARE(open->exitCode(), 64);
    }

    void aRotatedTokenHoldsAtOnce()
    {
        QProcess *shown = cli({QStringLiteral("token"), QStringLiteral("show")});
        QCOMPARE(shown->readAllStandardOutput().trimmed(), m_token);
        QCOMPARE(cli({QStringLiteral("token"), QStringLiteral("new")})->exitCode(), 65);
        QProcess *rotated = cli({QStringLiteral("token"), QStringLiteral("rotate")});
        const QByteArray fresh = rotated->readAllStandardOutput().trimmed();
        QVERIFY(fresh != m_token);
        QCOMPARE(ask("GET", "/api/threads").status, 401);
        m_token = fresh;
        QCOMPARE(ask("GET", "/api/threads").status, 200);
    }

    void cleanupTestCase()
    {
        // With a client on it that waits.
        const std::unique_ptr<QTcpSocket> events = connected();
        events->write("GET /api/events HTTP/1.1\r\nHost: " + authority()
                      + "\r\nAuthorization: Bearer " + m_token + "\r\n\r\n");
        events->waitForReadyRead(2'000);
        ::kill(static_cast<pid_t>(m_serve.processId()), SIGTERM);
        QVERIFY(m_serve.waitForFinished(20'000));
        QCOMPARE(m_serve.exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_serve.exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(TestServe)
#include "test_serve.moc"
