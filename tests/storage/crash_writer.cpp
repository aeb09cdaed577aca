// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Writes as fast as it can into the files of the given folder and says on stdout what was
// acknowledged, until it is killed.
#include "domain/sandbox/stores.h"
#include "domain/thread/stores.h"
#include "storage/storage.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>

#include <unistd.h>

using namespace berth;
using namespace berth::domain;

namespace {

void say(const QString &line)
{
    const QByteArray bytes = line.toUtf8() + '\n';
    // One write, unbuffered: what was said is in the pipe whatever happens next.
    if (::write(STDOUT_FILENO, bytes.constData(), size_t(bytes.size())) != bytes.size())
        ::_exit(3);
}

void fail(const Error &error)
{
    say(QStringLiteral("error %1: %2").arg(error.message, error.detail));
    ::_exit(2);
}

async::Task<void> writeThreads(storage::Storage *storage, int writer)
{
    for (int n = 0;; ++n) {
        FirstMessage first;
        first.thread.id = ThreadId::create();
        first.thread.agent = AgentId(QStringLiteral("default"));
        first.sandbox.type = QStringLiteral("docker");
        first.sandbox.providerConfig = ConfigName(QStringLiteral("docker"));
        first.sandbox.alias = QStringLiteral("w%1-%2-%3").arg(writer).arg(n).arg(::getpid());
        first.message.text = QString(200 + 997 * (n % 7), QLatin1Char('m'));
        Result<FirstMessage> stored = co_await storage->berth().addThread(first);
        if (!stored)
            fail(stored.error());
        say(QStringLiteral("thread ") + first.thread.id.toString());
        for (int i = 0; i < 5; ++i) {
            Message message;
            message.thread = first.thread.id;
            message.text = QString::number(i);
            Run run;
            run.id = RunId::create();
            ToolCall call;
            call.id = ToolCallId::create();
            call.tool = QStringLiteral("shell");
            call.arguments = QStringLiteral("{}");
            Result<Message> added = co_await storage->berth().addMessage(message, run, call);
            if (!added)
                fail(added.error());
            say(QStringLiteral("call ") + call.id.toString());
        }
    }
}

async::Task<void> writeLeases(storage::Storage *storage)
{
    for (;;) {
        Lease lease;
        lease.id = LeaseId::create();
        lease.sandbox = SandboxId::create();
        lease.providerName = QStringLiteral("docker");
        LeaseEvent event;
        event.type = QStringLiteral("ensure");
        Result<Lease> added = co_await storage->leases().addLease(lease, event);
        if (!added)
            fail(added.error());
        InstanceRecord instance;
        instance.id = InstanceId::create();
        Result<Lease> moved = co_await storage->leases().transition(*added, instance, event);
        if (!moved)
            fail(moved.error());
        say(QStringLiteral("lease ") + lease.id.toString());
    }
}

async::Task<void> start(QString folder)
{
    Result<std::unique_ptr<storage::Storage>> opened = co_await storage::openStorage(
        {folder + QStringLiteral("/berth.db"), folder + QStringLiteral("/sandbox.db"),
         folder + QStringLiteral("/backups")});
    if (!opened)
        fail(opened.error());
    storage::Storage *storage = opened->release();
    for (int writer = 0; writer < 4; ++writer)
        writeThreads(storage, writer);
    writeLeases(storage);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    start(QFile::decodeName(argv[1]));
    return QCoreApplication::exec();
}
