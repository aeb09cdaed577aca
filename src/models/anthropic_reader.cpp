// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer_error.h"
#include "models/opaque.h"
#include "models/reply_reader.h"

#include "net/json_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace berth::models {

using domain::ModelStop;
using nlohmann::json;

namespace {

constexpr std::size_t kMostBlocks = 4096;

//! One content block. Blocks are told apart by their index alone: llama-server stops the first one
//! only after the second.
struct MessageBlock
{
    QString type;
    //! Of text, in UTF-16 units; of a call, its place among the calls.
    qsizetype length = 0;
    size_t slot = 0;
    QString thinking;
    QByteArray signature;
    //! One to be sent back as it came.
    json whole;
};

class AnthropicReader : public ReplyReader
{
public:
    using ReplyReader::ReplyReader;

protected:
    void take(const QByteArray &name, const json &data) override
    {
        const QString type = net::textIn(data, "type");
        const json &error = net::memberIn(data, "error");
        if (!error.is_null()) {
            fail(errorInStream(error));
        } else if (type == QLatin1String("error") || name == "error") {
            fail(errorInStream(data));
        } else if (type == QLatin1String("message_start")) {
            takeUsage(net::memberIn(net::memberIn(data, "message"), "usage"), false);
        } else if (type == QLatin1String("content_block_start")) {
            startBlock(net::integerIn(data, "index").value_or(0),
                       net::memberIn(data, "content_block"));
        } else if (type == QLatin1String("content_block_delta")) {
            takeDelta(net::integerIn(data, "index").value_or(0), net::memberIn(data, "delta"));
        } else if (type == QLatin1String("message_delta")) {
            takeUsage(net::memberIn(data, "usage"), true);
            takeStop(net::textIn(net::memberIn(data, "delta"), "stop_reason"));
        } else if (type == QLatin1String("message_stop")) {
            markOver();
        }
    }

    void takeBody(const json &body) override
    {
        const json &error = net::memberIn(body, "error");
        if (!error.is_null()) {
            fail(errorInStream(error));
            return;
        }
        takeUsage(net::memberIn(body, "usage"), true);
        qint64 index = 0;
        const json &content = net::memberIn(body, "content");
        if (content.is_array()) {
            for (const json &block : content)
                startBlock(index++, block);
        }
        takeStop(net::textIn(body, "stop_reason"));
    }

    //! The blocks in their order, when some have to go back as they came: signed thinking.
    [[nodiscard]] QByteArray opaque() const override
    {
        json content = json::array();
        bool needed = false;
        for (const auto &[index, block] : m_blocks) {
            json told = json::object();
            if (block.type == QLatin1String("text")) {
                told = {{"type", "text"}, {"length", block.length}};
            } else if (block.type == QLatin1String("tool_use")) {
                told = {{"type", "tool_use"}, {"id", m_slots[block.slot].id.toStdString()}};
            } else if (block.type == QLatin1String("thinking") && !block.signature.isEmpty()) {
                told = {{"type", "thinking"},
                        {"thinking", block.thinking.toStdString()},
                        {"signature", block.signature.toStdString()}};
                needed = true;
            } else if (block.type == QLatin1String("redacted_thinking")) {
                told = block.whole;
                needed = true;
            } else {
                continue;
            }
            content.push_back(std::move(told));
        }
        return needed ? opaqueOf(m_context, content) : QByteArray();
    }

private:
    void startBlock(qint64 index, const json &content)
    {
        if (m_blocks.size() >= kMostBlocks && !m_blocks.contains(index)) {
            fail({domain::ErrorKind::Protocol,
                  QStringLiteral("The reply has too many parts"),
                  {},
                  {},
                  {}});
            return;
        }
        MessageBlock &block = m_blocks[index];
        block = {};
        block.type = net::textIn(content, "type");
        if (block.type == QLatin1String("text")) {
            takeText(block, net::textIn(content, "text"));
        } else if (block.type == QLatin1String("thinking")) {
            takeThinking(block, net::textIn(content, "thinking"));
            takeSignature(block, net::textIn(content, "signature"));
        } else if (block.type == QLatin1String("redacted_thinking")) {
            block.whole = content;
            count(net::dumped(content).size());
        } else if (block.type == QLatin1String("tool_use")) {
            CallSlot &slot = addSlot(CallSlot{
                index, net::textIn(content, "id"), net::textIn(content, "name"), {}, false, true});
            block.slot = m_slots.size() - 1;
            // It stands there whole only where nothing is streamed.
            const json &input = net::memberIn(content, "input");
            if (input.is_object() && !input.empty())
                appendArguments(slot, net::dumped(input));
        }
    }

    void takeDelta(qint64 index, const json &delta)
    {
        const auto found = m_blocks.find(index);
        const QString type = net::textIn(delta, "type");
        if (found == m_blocks.end()) {
            // Its start was lost; text is text all the same.
            if (type == QLatin1String("text_delta"))
                addText(net::textIn(delta, "text"));
            return;
        }
        MessageBlock &block = found->second;
        if (type == QLatin1String("text_delta")) {
            takeText(block, net::textIn(delta, "text"));
        } else if (type == QLatin1String("thinking_delta")) {
            takeThinking(block, net::textIn(delta, "thinking"));
        } else if (type == QLatin1String("signature_delta")) {
            takeSignature(block, net::textIn(delta, "signature"));
        } else if (type == QLatin1String("input_json_delta")
                   && block.type == QLatin1String("tool_use")) {
            appendArguments(m_slots[block.slot], net::textIn(delta, "partial_json").toUtf8());
        }
    }

    void takeText(MessageBlock &block, const QString &piece)
    {
        block.length += addText(piece).size();
    }

    void takeThinking(MessageBlock &block, const QString &piece)
    {
        block.thinking += addReasoning(piece);
    }

    void takeSignature(MessageBlock &block, const QString &piece)
    {
        count(piece.size());
        block.signature += piece.toUtf8();
    }

    void takeStop(const QString &reason)
    {
        if (reason.isEmpty())
            return;
        m_stop = ModelStop::End;
        if (reason == QLatin1String("max_tokens")
            || reason == QLatin1String("model_context_window_exceeded"))
            m_stop = ModelStop::Length;
        else if (reason == QLatin1String("refusal"))
            m_stop = ModelStop::Refused;
        m_callsCount = reason == QLatin1String("tool_use");
    }

    //! The counts at the end are totals; the output told at the start is none yet.
    void takeUsage(const json &usage, bool atEnd)
    {
        const auto input = tokensIn(usage, "input_tokens");
        const auto written = tokensIn(usage, "cache_creation_input_tokens");
        const auto cached = tokensIn(usage, "cache_read_input_tokens");
        if (written)
            m_written = *written;
        if (input)
            m_input = *input;
        if (m_input)
            m_usage.inputTokens = *m_input + m_written;
        if (cached)
            m_usage.cachedTokens = cached;
        if (atEnd) {
            if (const auto output = tokensIn(usage, "output_tokens"))
                m_usage.outputTokens = output;
        }
    }

    std::map<qint64, MessageBlock> m_blocks;
    std::optional<qint64> m_input;
    qint64 m_written = 0;
};

} // namespace

std::unique_ptr<ReplyReader> anthropicReader(ReplyContext context)
{
    return std::make_unique<AnthropicReader>(std::move(context));
}

} // namespace berth::models
