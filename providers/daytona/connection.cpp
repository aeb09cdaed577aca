// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/connection.h"

#include "net/script/script_runner.h"
#include "providers/daytona/session_run.h"
#include "providers/daytona/terminal_run.h"

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;

Async<ConnectionPtr> openConnection(ServicePtr toolbox, QByteArray home, std::stop_token stop)
{
    const auto box = std::make_shared<Box>();
    box->toolbox = toolbox;
    box->runner = std::make_shared<ToolboxRunner>(toolbox);
    box->home = home;
    box->suspect = [] {};
    const QByteArray word = net::shellWord(home);
    net::ScriptRequest request;
    request.script = "for t in dd base64 mkfifo tr wc; do command -v $t >/dev/null || "
                     "{ echo \"$t is missing\" >&2; exit 3; }; done\n"
                     "[ -d "
        + word + " ] || mkdir -p " + word + " || exit 4\ncd " + word
        + " || exit 5\n"
          "[ \"$(printf x | base64 -w0 2>/dev/null)\" != eA== ] || echo w0";
    const Result<net::ScriptResult> ready = co_await box->runner->run(request, stop);
    if (!ready)
        co_return failure(ready.error());
    const QString said = QString::fromUtf8(ready->err.left(500)).trimmed();
    if (ready->code == 3)
        co_return failure(ErrorKind::Unsupported,
                          QStringLiteral("The sandbox's image lacks a tool that Berth needs"),
                          said);
    if (ready->code != 0)
        co_return failure(
            ErrorKind::InvalidInput,
            QStringLiteral("The working directory %1 cannot be used").arg(QString::fromUtf8(home)),
            said + QStringLiteral(". Choose another cwd or username in the settings"));
    box->hasWrap = ready->out.contains("w0");
    co_return std::make_shared<DaytonaConnection>(box);
}

namespace {

//! Everything that this connection follows ends for it.
void loseAll(const BoxPtr &box, const QString &reason)
{
    box->isOpen = false;
    box->idle.clear();
    const QHash<QByteArray, std::weak_ptr<SessionRun>> runs = box->runs;
    for (const std::weak_ptr<SessionRun> &one : runs) {
        if (const RunPtr run = one.lock())
            run->lose(reason);
    }
    const QHash<QByteArray, std::shared_ptr<TerminalRun>> terminals =
        std::exchange(box->terminals, {});
    for (const std::shared_ptr<TerminalRun> &one : terminals)
        one->lose(reason);
    box->scope.requestStop();
}

} // namespace

DaytonaConnection::DaytonaConnection(BoxPtr box)
    : m_box(std::move(box)), m_shell(m_box), m_files(m_box->runner)
{
    m_box->suspect = [] {};
}

DaytonaConnection::~DaytonaConnection()
{
    m_box->suspect = [] {};
    loseAll(m_box, QStringLiteral("The connection to the sandbox was closed"));
}

void DaytonaConnection::close(const QString &reason)
{
    if (!m_box->isOpen)
        return;
    loseAll(m_box, reason);
    Q_EMIT lost(reason);
}

} // namespace berth::daytona
