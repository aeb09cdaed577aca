// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_feed.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/conversation_model.h"
#include "ui/models/runtime_text.h"

#include <QtCore/QTimerEvent>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>

#include <limits>

namespace berth::ui {

using application::OutputChunk;
using application::ReadOutput;

OutputFeed::OutputFeed(application::EngineClient &client, ConversationModel &model, QObject *parent)
    : QObject(parent), m_client(client), m_model(model)
{
    connect(&model, &ConversationModel::outputWanted, this, &OutputFeed::read);
}

void OutputFeed::read()
{
    if (m_pause.isActive()) {
        m_due = true;
        return;
    }
    const QList<domain::ToolCallId> wanting = m_model.wanting();
    if (wanting.isEmpty())
        return;
    m_pause.start(50, this);
    for (const domain::ToolCallId &id : wanting) {
        m_model.setLoading(id);
        ReadOutput command;
        command.toolCall = id;
        command.offset = -kTail;
        command.limit = kTail;
        application::deliver(this, m_client, command,
                             [this, id](const domain::Result<OutputChunk> &chunk) {
                                 if (chunk)
                                     m_model.setOutput(id, *chunk);
                                 else
                                     m_model.setOutputError(id, chunk.error());
                             });
    }
}

void OutputFeed::timerEvent(QTimerEvent *)
{
    m_pause.stop();
    if (std::exchange(m_due, false))
        read();
}

OutputCopy::OutputCopy(application::EngineClient &client, QObject *parent)
    : QObject(parent), m_client(client)
{}

void OutputCopy::copy(const domain::ToolCallId &call)
{
    ReadOutput command;
    command.toolCall = call;
    command.offset = -kMost;
    command.limit = kMost;
    application::deliver(
        this, m_client, command, [this, call](const domain::Result<OutputChunk> &chunk) {
            if (!chunk) {
                Q_EMIT copied(call, chunk.error().message);
                return;
            }
            AnsiText text(std::numeric_limits<qsizetype>::max());
            qint64 at = 0;
            for (const application::OutputSegment &segment : chunk->segments) {
                const qint64 end = qMin<qint64>(at + segment.length, chunk->bytes.size());
                text.feed(segment.stream, QByteArrayView(chunk->bytes).sliced(at, end - at));
                at = end;
            }
            QGuiApplication::clipboard()->setText(text.plainText());
            Q_EMIT copied(call,
                          chunk->offset > 0
                              ? tr("Copied the last %1").arg(byteText(chunk->bytes.size()))
                              : tr("Copied"));
        });
}

} // namespace berth::ui
