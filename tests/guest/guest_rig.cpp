// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "guest/guest_rig.h"

#include "guest/guest_binary.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QRandomGenerator>
#include <QtCore/QStandardPaths>
#include <QtCore/QSysInfo>

#include <grp.h>
#include <unistd.h>

namespace berth::test {

namespace {

constexpr unsigned kNobody = 65534;

const QStringList kBubblewrap{QStringLiteral("--unshare-user"), QStringLiteral("--unshare-pid"),
                              QStringLiteral("--as-pid-1"), QStringLiteral("--cap-drop"),
                              QStringLiteral("ALL")};

QString writeBinary(const QTemporaryDir &directory)
{
    QFile file(directory.filePath(QStringLiteral("guest")));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write the runner");
    file.write(guest::guestBinary(QSysInfo::currentCpuArchitecture()));
    file.close();
    file.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup
                        | QFile::ReadOther | QFile::ExeOther);
    return file.fileName();
}

} // namespace

GuestProcess::GuestProcess(GuestMode mode, const QStringList &arguments)
    : m_process(new QProcess, [](QProcess *process) {
          process->disconnect();
          process->kill();
          process->waitForFinished(5000);
          delete process;
      })
{
    QFile::setPermissions(m_directory.path(), QFile::Permissions(0x7777));
    QString program = writeBinary(m_directory);
    QStringList all = QStringList{QStringLiteral("run")} + arguments;
    if (mode == GuestMode::Checked)
        program = QStringLiteral(BERTH_GUEST_CHECKED);
    if (mode == GuestMode::Bubblewrap || mode == GuestMode::Checked) {
        QStringList outer = kBubblewrap;
        if (mode == GuestMode::Checked)
            outer << QStringLiteral("--ro-bind") << QStringLiteral("/") << QStringLiteral("/")
                  << QStringLiteral("--tmpfs") << QStringLiteral("/tmp") << QStringLiteral("--bind")
                  << m_directory.path() << QStringLiteral("/mnt");
        else
            outer << QStringLiteral("--bind") << QStringLiteral("/") << QStringLiteral("/");
        outer << QStringLiteral("--die-with-parent") << QStringLiteral("--proc")
              << QStringLiteral("/proc") << QStringLiteral("--dev") << QStringLiteral("/dev")
              << QStringLiteral("--") << program;
        all = outer + all;
        program = QStringLiteral("bwrap");
    }
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/local/bin:/usr/bin:/bin"));
    environment.insert(QStringLiteral("BASE"), QStringLiteral("base value"));
    environment.insert(QStringLiteral("ASAN_OPTIONS"),
                       QStringLiteral("detect_leaks=0:log_path=/mnt/complaint"));
    environment.insert(QStringLiteral("UBSAN_OPTIONS"), QStringLiteral("log_path=/mnt/complaint"));
    m_process->setProcessEnvironment(environment);
    m_process->setWorkingDirectory(mode == GuestMode::Checked ? QStringLiteral("/")
                                                              : m_directory.path());
    m_process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    if (mode == GuestMode::Nobody)
        m_process->setChildProcessModifier([] {
            if (setgroups(0, nullptr) || setresgid(kNobody, kNobody, kNobody)
                || setresuid(kNobody, kNobody, kNobody))
                _exit(99);
        });
    m_process->start(program, all);
    m_process->waitForStarted();
}

GuestProcess::~GuestProcess() = default;

QByteArray GuestProcess::directory() const
{
    return QFile::encodeName(m_directory.path());
}

QString GuestProcess::unavailable(GuestMode mode)
{
    if (mode == GuestMode::Nobody && geteuid() != 0)
        return QStringLiteral("only root can start it as another user");
    if (mode == GuestMode::Bubblewrap || mode == GuestMode::Checked) {
        QProcess probe;
        probe.start(QStringLiteral("bwrap"),
                    kBubblewrap
                        + QStringList{QStringLiteral("--ro-bind"), QStringLiteral("/"),
                                      QStringLiteral("/"), QStringLiteral("--proc"),
                                      QStringLiteral("/proc"), QStringLiteral("--"),
                                      QStringLiteral("/bin/true")});
        if (!probe.waitForFinished(10000) || probe.exitCode() != 0)
            return QStringLiteral("bubblewrap does not work here: ")
                + QString::fromLocal8Bit(probe.readAllStandardError());
    }
    return {};
}

GuestRig::GuestRig(GuestMode mode, net::GuestChannelOptions options) : m_process(mode)
{
    auto opened = await(net::GuestChannel::open(m_process.process(), options, {}));
    if (!opened) {
        m_problem = QString::fromUtf8(told(opened));
        return;
    }
    m_channel = *opened;
    net::GuestShellOptions shell;
    shell.homeDirectory = directory();
    m_shell = std::make_unique<net::GuestShell>(m_channel, shell);
    m_files = std::make_unique<net::GuestFileSystem>(m_channel);
}

Finished GuestRig::track(const QByteArray &text, const QByteArray &cwd)
{
    domain::CommandSpec command = shellCommand(text);
    command.trackState = true;
    command.cwd = cwd;
    return test::run(*m_shell, command);
}

RawGuest::RawGuest(GuestMode mode, const QStringList &arguments) : m_process(mode, arguments) {}

bool RawGuest::greet(const QByteArray &before)
{
    QByteArray nonce(BG_NONCE_SIZE, '\0');
    QRandomGenerator::system()->generate(nonce.begin(), nonce.end());
    m_decoder = std::make_unique<net::GuestDecoder>(nonce);
    write(before + QByteArray(BG_MAGIC, BG_MAGIC_SIZE) + nonce);
    const net::GuestFrame frame = next({}, std::chrono::seconds(10));
    if (frame.type != BG_HELLO)
        return false;
    const auto hello = net::decodeGuestHello(frame.body);
    if (hello)
        m_hello = *hello;
    return hello.has_value();
}

void RawGuest::write(const QByteArray &bytes)
{
    process().write(bytes);
}

void RawGuest::send(quint8 type, quint32 id, const QByteArray &body)
{
    write(net::encodeGuestFrame(type, id, body));
}

net::GuestFrame RawGuest::next(const QList<quint8> &types, std::chrono::milliseconds limit)
{
    net::GuestFrame found;
    waitUntil(
        [&] {
            m_decoder->append(process().readAllStandardOutput());
            while (const auto frame = m_decoder->next()) {
                if (types.isEmpty() || types.contains(frame->type)) {
                    found = *frame;
                    return true;
                }
            }
            return process().state() == QProcess::NotRunning || !m_decoder->problem().isEmpty();
        },
        limit);
    return found;
}

QByteArray startFrame(const QByteArray &shellText, StartBody with)
{
    net::GuestWriter body;
    body.u32(with.flags)
        .u32(with.uid)
        .u32(with.gid)
        .u32(with.timeout)
        .u32(with.credit)
        .u32(100)
        .u32(with.terminal);
    body.bytes({}).u32(3).bytes("sh").bytes("-c").bytes(shellText).u32(0).bytes(with.tag);
    return body.body();
}

QList<qint64> processesWith(const QByteArray &marker)
{
    QList<qint64> found;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool number = false;
        const qint64 pid = name.toLongLong(&number);
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(name));
        if (number && file.open(QIODevice::ReadOnly) && file.readAll().contains(marker))
            found << pid;
    }
    return found;
}

bool allGone(const QByteArray &marker, std::chrono::milliseconds limit)
{
    return waitUntil([&marker] { return processesWith(marker).isEmpty(); }, limit);
}

} // namespace berth::test
