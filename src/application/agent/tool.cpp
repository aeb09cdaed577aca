// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/tool.h"

#include "domain/text.h"

#include <QtCore/QCryptographicHash>
#include <QtCore/QPointer>

namespace berth::application {

using domain::Async;
using domain::failure;
using domain::Result;

namespace {

//! Counts as a command in flight, so that no policy stops the sandbox meanwhile.
class OpenWork
{
public:
    explicit OpenWork(LeaseController *controller) : m_controller(controller)
    {
        m_controller->commandStarted();
    }
    ~OpenWork()
    {
        if (m_controller)
            m_controller->commandEnded();
    }
    OpenWork(const OpenWork &) = delete;
    OpenWork &operator=(const OpenWork &) = delete;

private:
    QPointer<LeaseController> m_controller;
};

QByteArray fingerprint(const QByteArray &content)
{
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256);
}

} // namespace

void SeenFiles::note(const QByteArray &path, const QByteArray &content)
{
    m_seen.insert(path, fingerprint(content));
}

bool SeenFiles::isUnchanged(const QByteArray &path, const QByteArray &content) const
{
    return m_seen.value(path) == fingerprint(content);
}

Async<ToolPreview> Tool::preview(ToolWork work, std::stop_token)
{
    ToolPreview preview;
    preview.command = titleOf(work.arguments);
    co_return preview;
}

QByteArray absolutePath(const QByteArray &home, const QString &text)
{
    QByteArray path = text.toUtf8();
    if (path == "~" || path.startsWith("~/"))
        path = home + path.mid(1);
    if (!path.startsWith('/'))
        path = home + '/' + path;
    QList<QByteArray> parts;
    for (const QByteArray &part : path.split('/')) {
        if (part.isEmpty() || part == ".")
            continue;
        if (part == "..") {
            if (!parts.isEmpty())
                parts.removeLast();
        } else {
            parts << part;
        }
    }
    return '/' + parts.join('/');
}

QByteArray OpenSandbox::path(const QString &text) const
{
    return absolutePath(connection->homeDirectory(), text);
}

Async<OpenSandbox> openSandbox(SandboxService &sandboxes, domain::SandboxId sandbox, QString source,
                               std::stop_token stop)
{
    const Result<LeaseController *> lease = co_await sandboxes.leaseFor(sandbox);
    if (!lease)
        co_return failure(lease.error());
    LeaseController *controller = *lease;
    OpenSandbox open;
    open.work = std::make_shared<OpenWork>(controller);
    const Result<ReadySandbox> ready = co_await controller->ensure(source, OnGone::Tell, {}, stop);
    if (!ready)
        co_return failure(ready.error());
    open.connection = ready->connection;
    co_return open;
}

QString errorText(const domain::Error &error)
{
    QString text = QStringLiteral("Error: ") + error.message;
    if (!error.detail.isEmpty())
        text += QStringLiteral(". ") + error.detail;
    return text;
}

Tool *ToolRegistry::find(const QString &name) const
{
    for (const std::unique_ptr<Tool> &tool : m_tools) {
        if (tool->spec().name == name)
            return tool.get();
    }
    return nullptr;
}

} // namespace berth::application
