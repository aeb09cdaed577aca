// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Skills of agents: what comes into their sandboxes, when, and what stands in the way.
#include "disk_files.h"
#include "engine_house.h"

#include "application/skills/skill_folder.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

using namespace berth;
using namespace berth::test;

namespace {

QString s(const char *text)
{
    return QString::fromUtf8(text);
}

} // namespace

class SkillsTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<QTemporaryDir> m_host;
    std::unique_ptr<QTemporaryDir> m_inside;
    std::shared_ptr<DiskConnection::Disk> m_disk;
    std::shared_ptr<ScriptedEngine> m_engine;
    std::unique_ptr<EngineHouse> m_house;

    static void write(const QString &path, const QByteArray &text)
    {
        QDir().mkpath(QFileInfo(path).absolutePath());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QString host(const char *below) const { return m_host->filePath(s(below)); }
    QString skillsPath() const { return m_inside->path() + s("/workspace/.berth/skills"); }
    QByteArray inside(const char *below) const
    {
        QFile file(skillsPath() + QLatin1Char('/') + s(below));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
    }
    QStringList names() const
    {
        return QDir(skillsPath())
            .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                       QDir::Name);
    }
    Result<SkillList> set(const QList<SkillView> &skills) const
    {
        return m_house->ask(SetSkills{domain::AgentId(s("default")), skills});
    }
    Result<SkillList> listed() const
    {
        return m_house->ask(ListSkills{domain::AgentId(s("default"))});
    }
    //! A command in the thread, so that its sandbox is made ready.
    ToolCallView use(const Started &thread) const
    {
        SendMessage send;
        send.thread = thread.thread;
        send.text = s("!true");
        const Result<Started> started = m_house->ask(send);
        if (!started)
            qFatal("%s", told(started).constData());
        ToolCallView last;
        waitUntil([&] {
            const auto call = m_house->ask(GetToolCall{started->toolCall});
            if (!call || !call->outcome)
                return false;
            last = *call;
            return true;
        });
        return last;
    }

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_host = std::make_unique<QTemporaryDir>();
        m_inside = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_inside->path()).mkpath(s("workspace")));
        m_disk = std::make_shared<DiskConnection::Disk>();
        m_disk->root = m_inside->path();
        m_engine = std::make_shared<ScriptedEngine>();
        m_engine->open = [disk = m_disk](const ExternalId &) {
            return std::make_shared<DiskConnection>(disk);
        };
        m_house = std::make_unique<EngineHouse>(m_directory->path(), m_engine);
        write(host("notes/SKILL.md"), "how to take notes");
        write(host("notes/lib/run.sh"), "#!/bin/sh\n");
        QFile::setPermissions(host("notes/lib/run.sh"),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        write(host("maths/SKILL.md"), "how to count");
        QVERIFY(QDir(m_host->path()).mkpath(s("notes/empty")));
    }
    void cleanup() { m_house.reset(); }

    void withoutSkillsNothingIsAsked()
    {
        m_house->newThread();
        QCOMPARE(m_disk->calls, 0);
        QVERIFY(names().isEmpty());
    }

    void theyAreThereAtTheFirstEnsure()
    {
        const Result<SkillList> kept = set({{s("notes"), host("notes"), {}}});
        BERTH_OK(kept);
        QCOMPARE(kept->skills.size(), 1);
        QVERIFY(kept->skills.first().problem.isEmpty());
        m_house->newThread();
        QCOMPARE(names(), QStringList{s("notes")});
        QCOMPARE(inside("notes/SKILL.md"), QByteArray("how to take notes"));
        QVERIFY(QFileInfo(skillsPath() + s("/notes/lib/run.sh")).isExecutable());
        QVERIFY(!QFileInfo(skillsPath() + s("/notes/SKILL.md")).isExecutable());
        QVERIFY(QFileInfo(skillsPath() + s("/notes/empty")).isDir());
        QVERIFY(listed()->pending.isEmpty());
    }

    void aChangeComesToOneThatIsConnected()
    {
        m_house->newThread();
        BERTH_OK(set({{s("notes"), host("notes"), {}}, {s("maths"), host("maths"), {}}}));
        QCOMPARE(names(), (QStringList{s("maths"), s("notes")}));
        const int writes = m_disk->writes;
        write(host("maths/SKILL.md"), "how to count better");
        BERTH_OK(set({{s("maths"), host("maths"), {}}, {s("notes"), host("notes"), {}}}));
        QCOMPARE(inside("maths/SKILL.md"), QByteArray("how to count better"));
        QVERIFY2(m_disk->writes == writes + 1, "what is equal is not sent again");
        BERTH_OK(set({{s("maths"), host("maths"), {}}}));
        QCOMPARE(names(), QStringList{s("maths")});
        // The empty set, too.
        BERTH_OK(set({}));
        QVERIFY(names().isEmpty());
        QVERIFY(listed()->pending.isEmpty());
    }

    void oneThatRestsGetsThemWhenItIsUsed()
    {
        const Started thread = m_house->newThread();
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        QCOMPARE(names(), QStringList{s("notes")});
        BERTH_OK(m_house->ask(PauseRuntime{thread.lease.toString()}));
        const Result<SkillList> wanted = set({});
        BERTH_OK(wanted);
        QCOMPARE(wanted->pending, QStringList{thread.sandboxAlias});
        QVERIFY2(names() == QStringList{s("notes")}, "nothing is done in one that is paused");
        // Kept over a restart of Berth.
        m_house->restart();
        QCOMPARE(listed()->pending, QStringList{thread.sandboxAlias});
        use(thread);
        QVERIFY(names().isEmpty());
        QVERIFY(listed()->pending.isEmpty());
    }

    void afterARestartNothingIsSentAgain()
    {
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        const Started thread = m_house->newThread();
        const int writes = m_disk->writes;
        QVERIFY(writes > 0);
        m_house->restart();
        use(thread);
        QCOMPARE(m_disk->writes, writes);
    }

    void whatWasChangedInsideIsMended()
    {
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        const Started thread = m_house->newThread();
        write(skillsPath() + s("/notes/SKILL.md"), "something else now");
        write(skillsPath() + s("/foreign/x"), "x");
        QVERIFY(QFile::link(s("/etc/passwd"), skillsPath() + s("/link")));
        m_house->restart();
        use(thread);
        QCOMPARE(names(), QStringList{s("notes")});
        QCOMPARE(inside("notes/SKILL.md"), QByteArray("how to take notes"));
        QVERIFY(QFile::exists(s("/etc/passwd")));
        QVERIFY(!QFileInfo::exists(m_inside->path() + s("/workspace/.berth/skills.tmp")));
    }

    void aLinkInPlaceOfTheFolderIsNotFollowed()
    {
        QTemporaryDir elsewhere;
        write(elsewhere.filePath(s("keep")), "mine");
        QVERIFY(QDir(m_inside->path()).mkpath(s("workspace/.berth")));
        QVERIFY(QFile::link(elsewhere.path(), skillsPath()));
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        m_house->newThread();
        QCOMPARE(names(), QStringList{s("notes")});
        QVERIFY(!QFileInfo(skillsPath()).isSymLink());
        QVERIFY(QFile::exists(elsewhere.filePath(s("keep"))));
    }

    void afterADestroyTheyComeAgain()
    {
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        const Started thread = m_house->newThread();
        DestroyRuntime destroy;
        destroy.runtime = thread.lease.toString();
        BERTH_OK(m_house->ask(destroy));
        QVERIFY(QDir(m_inside->path() + s("/workspace")).removeRecursively());
        QVERIFY(QDir(m_inside->path()).mkpath(s("workspace")));
        use(thread);
        QCOMPARE(inside("notes/SKILL.md"), QByteArray("how to take notes"));
    }

    void aFailureFailsTheEnsureWithItsReason()
    {
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        m_disk->failWrite = domain::Error{ErrorKind::Forbidden, s("read-only there"), {}, {}, {}};
        const Started thread = m_house->newThread();
        const auto failed = m_house->ask(GetToolCall{thread.toolCall});
        BERTH_OK(failed);
        QCOMPARE(*failed->outcome, domain::OutcomeKind::NotStarted);
        QVERIFY2(failed->outcomeDetail.contains(s("skills")), qPrintable(failed->outcomeDetail));
        m_disk->failWrite.reset();
        QCOMPARE(*use(thread).outcome, domain::OutcomeKind::Exited);
        QCOMPARE(names(), QStringList{s("notes")});
        // A source that went away.
        QVERIFY(QDir(host("notes")).removeRecursively());
        QVERIFY(!listed()->skills.first().problem.isEmpty());
        m_house->restart();
        QCOMPARE(*use(thread).outcome, domain::OutcomeKind::NotStarted);
    }

    void aWrongSetChangesNothing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("folder");
        QTest::newRow("name") << s("No Name") << s("notes");
        QTest::newRow("dots") << s("..") << s("notes");
        QTest::newRow("missing") << s("b") << s("nowhere");
        QTest::newRow("file") << s("b") << s("notes/SKILL.md");
        QTest::newRow("link inside") << s("b") << s("linked");
        QTest::newRow("link itself") << s("b") << s("alias");
        QTest::newRow("too large") << s("b") << s("large");
        QTest::newRow("too many") << s("b") << s("many");
        QTest::newRow("too deep") << s("b") << s("deep");
        QTest::newRow("twice") << s("maths") << s("maths");
    }
    void aWrongSetChangesNothing()
    {
        QFETCH(QString, name);
        QFETCH(QString, folder);
        write(host("linked/SKILL.md"), "x");
        QVERIFY(QFile::link(s("/etc/passwd"), host("linked/out")));
        QVERIFY(QFile::link(host("notes"), host("alias")));
        write(host("large/big"), QByteArray(int(application::kLargestSkillFile) + 1, 'x'));
        if (folder == s("many")) {
            for (int i = 0; i <= application::kMostSkillEntries; ++i)
                write(host("many/") + QString::number(i), "x");
        }
        QString deep = host("deep");
        for (int i = 0; i < 20; ++i)
            deep += s("/d");
        QVERIFY(QDir().mkpath(deep));
        BERTH_OK(set({{s("maths"), host("maths"), {}}}));
        const Result<SkillList> wrong =
            set({{s("maths"), host("maths"), {}}, {name, m_host->filePath(folder), {}}});
        BERTH_FAILS(wrong, ErrorKind::InvalidInput);
        QCOMPARE(listed()->skills.size(), 1);
        QCOMPARE(set({{s("x"), s("relative/path"), {}}}).error().kind, ErrorKind::InvalidInput);
    }

    //! Everything of an agent is one row, and everybody writes it whole.
    void whatOthersChangeLeavesThem()
    {
        const domain::AgentId agent(s("default"));
        BERTH_OK(set({{s("notes"), host("notes"), {}}}));
        QVERIFY(waitUntil([this] {
            return std::any_of(m_house->events.cbegin(), m_house->events.cend(),
                               [](const Event &event) {
                                   return std::holds_alternative<AgentsChanged>(event.body);
                               });
        }));
        SetLifecycle lifecycle;
        lifecycle.agent = agent;
        lifecycle.own.idleTimeoutMinutes = 7;
        BERTH_OK(m_house->ask(lifecycle));
        QCOMPARE(listed()->skills.size(), 1);
        BERTH_OK(set({{s("notes"), host("notes"), {}}, {s("maths"), host("maths"), {}}}));
        QCOMPARE(m_house->ask(GetLifecycle{agent, {}})->own, lifecycle.own);
        m_house->restart();
        QCOMPARE(listed()->skills.size(), 2);
        QCOMPARE(m_house->ask(GetLifecycle{agent, {}})->own, lifecycle.own);
    }

    void writesThatOverlapAreAllKept()
    {
        const domain::AgentId agent(s("default"));
        SetLifecycle lifecycle;
        lifecycle.agent = agent;
        lifecycle.own.idleTimeoutMinutes = 9;
        SaveAgent save;
        save.agent.id = agent;
        save.agent.name = s("Renamed");
        save.agent.instructions = s("be brief");
        auto first = std::make_shared<std::optional<Result<SecurityView>>>();
        auto second = std::make_shared<std::optional<Result<LifecycleView>>>();
        auto third = std::make_shared<std::optional<Result<SkillList>>>();
        auto fourth = std::make_shared<std::optional<Result<AgentView>>>();
        auto fifth = std::make_shared<std::optional<Result<LifecycleView>>>();
        m_house->later(SetSkills{agent, {{s("notes"), host("notes"), {}}}}, third);
        m_house->later(SetSecurity{agent, s("{\"members\":{\"bob\":\"user\"}}")}, first);
        m_house->later(lifecycle, second);
        m_house->later(save, fourth);
        lifecycle.own.idleTimeoutMinutes = 11;
        m_house->later(lifecycle, fifth);
        QVERIFY(waitUntil([&] {
            return first->has_value() && second->has_value() && third->has_value()
                && fourth->has_value() && fifth->has_value();
        }));
        BERTH_OK(**first);
        BERTH_OK(**second);
        BERTH_OK(**third);
        BERTH_OK(**fourth);
        BERTH_OK(**fifth);
        m_house->restart();
        QCOMPARE(listed()->skills.size(), 1);
        QCOMPARE(m_house->ask(GetLifecycle{agent, {}})->own, lifecycle.own);
        const Result<SecurityView> security = m_house->ask(GetSecurity{agent});
        BERTH_OK(security);
        QVERIFY2(security->document.contains(s("bob")), qPrintable(security->document));
        const Result<Snapshot> snapshot = m_house->ask(GetSnapshot{});
        BERTH_OK(snapshot);
        QCOMPARE(snapshot->agents.first().name, s("Renamed"));
        QCOMPARE(snapshot->agents.first().instructions, s("be brief"));
    }

    void anAgentThatIsNotThere()
    {
        BERTH_FAILS(m_house->ask(ListSkills{domain::AgentId(s("nobody"))}), ErrorKind::NotFound);
        BERTH_FAILS(m_house->ask(SetSkills{domain::AgentId(s("nobody")), {}}), ErrorKind::NotFound);
    }
};

QTEST_GUILESS_MAIN(SkillsTest)
#include "test_skills.moc"
