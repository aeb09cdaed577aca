// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/export/thread_export.h"

#include "application/export/thread_writer.h"

#include <QtCore/QSaveFile>

#include <algorithm>

namespace berth::application {

using domain::ErrorKind;
using domain::Result;

namespace {

constexpr qint64 kPage = 64 * 1024;

//! Adds \a chunk to \a pieces, joined with what came before on the same stream.
void append(QList<CallOutput::Piece> &pieces, const OutputChunk &chunk)
{
    qint64 at = 0;
    for (const OutputSegment &segment : chunk.segments) {
        const QByteArray bytes = chunk.bytes.mid(at, segment.length);
        at += segment.length;
        if (bytes.isEmpty())
            continue;
        if (!pieces.isEmpty() && pieces.last().stream == segment.stream)
            pieces.last().bytes += bytes;
        else
            pieces.append({segment.stream, bytes});
    }
}

qint64 sizeOf(const QList<CallOutput::Piece> &pieces)
{
    qint64 size = 0;
    for (const CallOutput::Piece &piece : pieces)
        size += piece.bytes.size();
    return size;
}

bool continuesCharacter(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

//! A character of UTF-8 that a cut went through is left out whole.
void trimCut(CallOutput &output)
{
    if (output.leftOut == 0)
        return;
    if (!output.head.isEmpty()) {
        QByteArray &bytes = output.head.last().bytes;
        qsizetype at = bytes.size();
        while (at > 0 && bytes.size() - at < 3 && continuesCharacter(bytes[at - 1]))
            --at;
        if (at > 0 && (static_cast<unsigned char>(bytes[at - 1]) & 0xc0) == 0xc0) {
            output.leftOut += bytes.size() - at + 1;
            bytes.truncate(at - 1);
        }
    }
    if (!output.tail.isEmpty()) {
        QByteArray &bytes = output.tail.first().bytes;
        qsizetype at = 0;
        while (at < qMin<qsizetype>(3, bytes.size()) && continuesCharacter(bytes[at]))
            ++at;
        output.leftOut += at;
        bytes.remove(0, at);
    }
}

} // namespace

std::unique_ptr<ThreadWriter> ThreadWriter::create(ExportFormat format)
{
    return format == ExportFormat::Json ? makeJsonWriter() : makeMarkdownWriter();
}

ThreadExport::ThreadExport(EngineClient &client, QObject *parent)
    : QObject(parent), m_client(client)
{}

ThreadExport::~ThreadExport() = default;

void ThreadExport::toFile(const ExportRequest &request, const QString &path)
{
    m_file = std::make_unique<QSaveFile>(path);
    begin(request, [this](const QByteArray &piece, const std::function<void()> &more) {
        if (m_file->write(piece) == piece.size()) {
            more();
            return;
        }
        end(domain::failure(ErrorKind::Internal, QStringLiteral("The file cannot be written"),
                            m_file->errorString()));
    });
    if (!m_file->open(QIODevice::WriteOnly)) {
        // Not within this call: whoever waits for finished() connects behind it.
        QMetaObject::invokeMethod(
            this,
            [this] {
                end(domain::failure(ErrorKind::InvalidInput,
                                    QStringLiteral("The file cannot be written"),
                                    m_file->errorString()));
            },
            Qt::QueuedConnection);
    }
}

void ThreadExport::to(const ExportRequest &request, Taker taker)
{
    begin(request, std::move(taker));
}

void ThreadExport::begin(const ExportRequest &request, Taker taker)
{
    m_request = request;
    m_taker = std::move(taker);
    m_writer = ThreadWriter::create(request.format);
    const GetThread command{request.thread};
    m_asked = deliver(this, m_client, command, [this](const Result<ThreadDetail> &detail) {
        if (m_ended)
            return;
        if (!detail) {
            end(domain::failure(detail.error()));
            return;
        }
        m_detail = *detail;
        m_report.title = detail->thread.title;
        arrange();
        give(m_writer->begin(m_detail));
    });
}

//! In the order in which it is read: calls behind the message that asked for them, the user's own
//! behind his message.
void ThreadExport::arrange()
{
    QList<MessageView> &messages = m_detail.messages;
    QList<ToolCallView> &calls = m_detail.toolCalls;
    const auto bySeq = [](const auto &a, const auto &b) { return a.seq < b.seq; };
    std::stable_sort(messages.begin(), messages.end(), bySeq);
    std::stable_sort(calls.begin(), calls.end(), bySeq);
    QHash<domain::ToolCallId, qsizetype> byId;
    QSet<domain::ToolCallId> named;
    for (qsizetype i = 0; i < calls.size(); ++i)
        byId.insert(calls[i].id, i);
    for (const MessageView &message : std::as_const(messages)) {
        for (const domain::ToolCallId &id : message.toolCalls)
            named.insert(id);
    }
    QSet<domain::ToolCallId> placed;
    const auto place = [&](qsizetype call, bool superseded) {
        if (placed.contains(calls[call].id))
            return;
        placed.insert(calls[call].id);
        m_entries.append({-1, call, superseded});
    };
    for (qsizetype i = 0; i < messages.size(); ++i) {
        const MessageView &message = messages[i];
        m_entries.append({i, -1, message.superseded});
        for (const domain::ToolCallId &id : message.toolCalls) {
            if (byId.contains(id))
                place(byId.value(id), message.superseded);
        }
        if (message.role != domain::MessageRole::User)
            continue;
        for (qsizetype call = 0; call < calls.size(); ++call) {
            if (calls[call].run == message.run && !named.contains(calls[call].id))
                place(call, message.superseded);
        }
    }
    for (qsizetype call = 0; call < calls.size(); ++call)
        place(call, false);
}

void ThreadExport::give(const QByteArray &piece)
{
    m_report.bytes += piece.size();
    m_taker(piece, [guard = QPointer<ThreadExport>(this)] {
        // By the event loop, so that a long thread neither blocks nor fills the stack. Who takes
        // the pieces may be slower than a cancel.
        if (guard)
            QMetaObject::invokeMethod(guard.data(), &ThreadExport::goOn, Qt::QueuedConnection);
    });
}

void ThreadExport::goOn()
{
    if (m_ended)
        return;
    if (m_next > m_entries.size()) {
        if (m_file && !m_file->commit()) {
            end(domain::failure(ErrorKind::Internal, QStringLiteral("The file cannot be written"),
                                m_file->errorString()));
            return;
        }
        end(m_report);
        return;
    }
    Q_EMIT progress(m_next, m_entries.size());
    if (m_next == m_entries.size()) {
        ++m_next;
        give(m_writer->end());
        return;
    }
    writeNext();
}

void ThreadExport::writeNext()
{
    const Entry &entry = m_entries[m_next];
    if (entry.message >= 0) {
        ++m_next;
        ++m_report.messages;
        give(m_writer->message(m_detail.messages[entry.message]));
        return;
    }
    const auto output = std::make_shared<CallOutput>();
    output->total = m_detail.toolCalls[entry.call].outputBytes;
    readCall(output);
}

void ThreadExport::readCall(const std::shared_ptr<CallOutput> &output)
{
    const Entry entry = m_entries[m_next];
    const ToolCallView &call = m_detail.toolCalls[entry.call];
    const qint64 half = m_request.mostOutput / 2;
    const bool isWhole = output->total <= m_request.mostOutput;
    const qint64 headEnd = isWhole ? output->total : half;
    const qint64 tailFrom = isWhole ? output->total : output->total - half;
    const qint64 head = sizeOf(output->head);
    const qint64 tail = sizeOf(output->tail);
    const bool inHead = head < headEnd;
    ReadOutput command;
    command.toolCall = call.id;
    command.offset = inHead ? head : tailFrom + tail;
    command.limit = qMin(kPage, inHead ? headEnd - head : output->total - command.offset);
    const auto write = [this, output, entry] {
        output->leftOut = output->problem.isEmpty()
            ? output->total - sizeOf(output->head) - sizeOf(output->tail)
            : 0;
        trimCut(*output);
        m_report.leftOut += output->leftOut;
        ++m_report.calls;
        ++m_next;
        give(m_writer->call(m_detail.toolCalls[entry.call], *output, entry.superseded));
    };
    if (command.limit <= 0) {
        write();
        return;
    }
    m_asked = deliver(
        this, m_client, command, [this, output, inHead, write](const Result<OutputChunk> &chunk) {
            if (m_ended)
                return;
            if (!chunk && chunk.error().kind == ErrorKind::Unavailable) {
                end(domain::failure(chunk.error()));
            } else if (!chunk || chunk->bytes.isEmpty()) {
                // Told in its place; the rest of the thread is worth having.
                output->problem =
                    chunk ? QStringLiteral("The output is not all there") : chunk.error().message;
                write();
            } else {
                append(inHead ? output->head : output->tail, *chunk);
                readCall(output);
            }
        });
}

void ThreadExport::cancel()
{
    if (m_ended || !m_taker)
        return;
    m_client.cancel(m_asked);
    end(domain::failure(ErrorKind::Cancelled, QStringLiteral("The export was stopped"),
                        QStringLiteral("Nothing half written is left.")));
}

void ThreadExport::end(const Result<ExportReport> &result)
{
    if (m_ended)
        return;
    m_ended = true;
    if (m_file && !result)
        m_file->cancelWriting();
    m_detail = {};
    Q_EMIT finished(result);
}

} // namespace berth::application
