// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/export/thread_writer.h"

#include "application/contract/codec.h"
#include "domain/text.h"

#include <QtCore/QStringDecoder>

#include <nlohmann/json.hpp>

namespace berth::application {

namespace {

using nlohmann::json;

//! As on the wire.
template <typename View>
json viewJson(const View &view)
{
    const json parsed = json::parse(toJson(view).toStdString(), nullptr, false);
    return parsed.is_object() ? parsed : json::object();
}

QByteArray dumped(const json &object)
{
    return QByteArray::fromStdString(object.dump(2, ' ', false, json::error_handler_t::replace));
}

void addPieces(json &list, const QList<CallOutput::Piece> &pieces, qint64 offset)
{
    for (const CallOutput::Piece &piece : pieces) {
        json one;
        one["stream"] = piece.stream == domain::OutputStream::Stderr ? "stderr" : "stdout";
        one["offset"] = offset;
        QStringDecoder decoder(QStringDecoder::Utf8);
        const QString text = decoder(piece.bytes);
        if (decoder.hasError())
            one["base64"] = piece.bytes.toBase64().toStdString();
        else
            one["text"] = text.toStdString();
        offset += piece.bytes.size();
        list.push_back(one);
    }
}

//! One object whose "entries" are written one after the other, in the names of the wire.
class JsonWriter final : public ThreadWriter
{
public:
    QByteArray begin(const ThreadDetail &detail) override
    {
        json thread = viewJson(detail.thread);
        // What was never sent is nobody else's.
        thread.erase("draft");
        json runs = json::array();
        for (const RunView &run : detail.runs)
            runs.push_back(viewJson(run));
        return "{\n\"format\": \"berth-thread\",\n\"version\": 1,\n\"exported_at\": \""
            + domain::toWireTime(domain::nowUtc()).toUtf8() + "\",\n\"thread\": " + dumped(thread)
            + ",\n\"runs\": " + dumped(runs) + ",\n\"entries\": [";
    }

    QByteArray message(const MessageView &message) override
    {
        json object = viewJson(message);
        object["kind"] = "message";
        return entry(object);
    }

    QByteArray call(const ToolCallView &call, const CallOutput &output, bool superseded) override
    {
        json object = viewJson(call);
        object["kind"] = "tool_call";
        object["superseded"] = superseded;
        json written;
        written["bytes"] = output.total;
        written["left_out_bytes"] = output.leftOut;
        if (!output.problem.isEmpty())
            written["problem"] = output.problem.toStdString();
        written["pieces"] = json::array();
        addPieces(written["pieces"], output.head, 0);
        qint64 tail = 0;
        for (const CallOutput::Piece &piece : output.tail)
            tail += piece.bytes.size();
        addPieces(written["pieces"], output.tail, output.total - tail);
        object["output"] = written;
        return entry(object);
    }

    QByteArray end() override { return "\n]\n}\n"; }

private:
    QByteArray entry(const json &object)
    {
        const QByteArray before = m_first ? "\n" : ",\n";
        m_first = false;
        return before + dumped(object);
    }
    bool m_first = true;
};

} // namespace

std::unique_ptr<ThreadWriter> makeJsonWriter()
{
    return std::make_unique<JsonWriter>();
}

} // namespace berth::application
