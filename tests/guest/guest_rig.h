// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "net/guest/guest_file_system.h"
#include "net/guest/guest_shell.h"
#include "support/command_run.h"

#include <QtCore/QProcess>
#include <QtCore/QTemporaryDir>

#include <memory>

namespace berth::test {

//! As whom and how the guest is started on this machine.
enum class GuestMode {
    Root,       //!< as the test's own user
    Nobody,     //!< as uid 65534; needs root
    Bubblewrap, //!< as process 1 of its own process namespace, without capabilities, on the
                //!< machine's files
    Checked, //!< built with the sanitizers, in bubblewrap with nothing writable but an empty /tmp
};

//! A guest of the built binary as a child of the test.
class GuestProcess
{
public:
    explicit GuestProcess(GuestMode mode,
                          const QStringList &arguments = {QStringLiteral("--eof=exit")});
    ~GuestProcess();

    //! Why this mode cannot be had here; empty: it can.
    static QString unavailable(GuestMode mode);

    [[nodiscard]] std::shared_ptr<QProcess> process() const { return m_process; }
    //! A directory that everybody may write to, gone afterwards. In Checked it is /mnt, where the
    //! sanitizers complain.
    [[nodiscard]] QByteArray directory() const;

private:
    QTemporaryDir m_directory;
    std::shared_ptr<QProcess> m_process;
};

//! With the ports of the product on top.
class GuestRig
{
public:
    explicit GuestRig(GuestMode mode, net::GuestChannelOptions options = {});

    [[nodiscard]] bool isOpen() const { return m_channel != nullptr; }
    [[nodiscard]] const QString &problem() const { return m_problem; }
    [[nodiscard]] net::GuestChannel &channel() const { return *m_channel; }
    [[nodiscard]] std::shared_ptr<net::GuestChannel> sharedChannel() const { return m_channel; }
    [[nodiscard]] domain::Shell &shell() const { return *m_shell; }
    [[nodiscard]] domain::FileSystem &files() const { return *m_files; }
    [[nodiscard]] QByteArray directory() const { return m_process.directory(); }
    [[nodiscard]] QProcess &process() const { return *m_process.process(); }

    Finished run(const QByteArray &text) { return test::run(*m_shell, text); }
    Finished track(const QByteArray &text, const QByteArray &cwd = {});

private:
    GuestProcess m_process;
    std::shared_ptr<net::GuestChannel> m_channel;
    std::unique_ptr<net::GuestShell> m_shell;
    std::unique_ptr<net::GuestFileSystem> m_files;
    QString m_problem;
};

//! Speaks frames by hand.
class RawGuest
{
public:
    explicit RawGuest(GuestMode mode,
                      const QStringList &arguments = {QStringLiteral("--eof=exit")});

    //! Sends magic and a fresh nonce behind \a before; true once the answer came.
    bool greet(const QByteArray &before = {});
    void write(const QByteArray &bytes);
    void send(quint8 type, quint32 id, const QByteArray &body = {});
    //! The next frame of one of \a types (any when empty); type 0 when none comes in time.
    net::GuestFrame next(const QList<quint8> &types = {},
                         std::chrono::milliseconds limit = std::chrono::seconds(5));

    [[nodiscard]] const net::GuestHello &hello() const { return m_hello; }
    [[nodiscard]] QProcess &process() const { return *m_process.process(); }
    [[nodiscard]] QByteArray directory() const { return m_process.directory(); }

private:
    GuestProcess m_process;
    std::unique_ptr<net::GuestDecoder> m_decoder;
    net::GuestHello m_hello;
};

struct StartBody
{
    quint32 flags = BG_START_INHERIT_ENV;
    quint32 uid = BG_SELF;
    quint32 gid = BG_SELF;
    quint32 timeout = 0;
    quint32 credit = 0;
    //! Columns, and rows in the upper half.
    quint32 terminal = 0;
    QByteArray tag = {};
};
QByteArray startFrame(const QByteArray &shellText, StartBody with = {});

//! Processes of this machine with \a marker in their command line.
QList<qint64> processesWith(const QByteArray &marker);
//! True once there is none.
bool allGone(const QByteArray &marker, std::chrono::milliseconds limit = std::chrono::seconds(5));

} // namespace berth::test

Q_DECLARE_METATYPE(berth::test::GuestMode)
