// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The other process of the tests: holds a lock, serves a scripted Engine, or knocks as somebody
// else.
#include "cli/support/scripted_engine.h"
#include "remote/instance_lock.h"
#include "remote/remote_server.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFile>

#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace berth;

namespace {

void say(const QString &line)
{
    std::printf("%s\n", qPrintable(line));
    std::fflush(stdout);
}

int serve(const QString &directory)
{
    const domain::Result<remote::InstanceLock> lock = remote::InstanceLock::take(directory);
    if (!lock) {
        say(domain::wireName(lock.error().kind));
        return 1;
    }
    test::ScriptedEngine engine;
    engine.players.insert(QStringLiteral("never"),
                          [](const test::ScriptedEngine::Ask &) { say(QStringLiteral("asked")); });
    engine.players.insert(QStringLiteral("die"),
                          [](const test::ScriptedEngine::Ask &) { ::_exit(9); });
    remote::RemoteServer server(engine, lock->socketPath());
    const domain::Result<void> listening = server.listen(*lock);
    if (!listening) {
        say(listening.error().message);
        return 1;
    }
    say(QStringLiteral("ready ") + lock->socketPath());
    return QCoreApplication::exec();
}

//! 0: it was let in, 3: it was turned away after connecting, 4: it could not connect.
int knockAsNobody(const QString &path)
{
    if (::setuid(65534) != 0)
        return 5;
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    std::memcpy(address.sun_path, name.constData(), static_cast<size_t>(name.size()));
    if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        return 4;
    const QByteArray hello =
        remote::packed({"{\"kind\":\"hello\",\"protocol\":1,\"client\":\"cli\"}", {}});
    [[maybe_unused]] const ssize_t sent =
        ::send(socket, hello.constData(), static_cast<size_t>(hello.size()), MSG_NOSIGNAL);
    char byte = 0;
    return ::read(socket, &byte, 1) == 1 ? 0 : 3;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() != 3)
        return 2;
    if (arguments[1] == QLatin1String("serve"))
        return serve(arguments[2]);
    if (arguments[1] == QLatin1String("knock-as-nobody"))
        return knockAsNobody(arguments[2]);
    return 2;
}
