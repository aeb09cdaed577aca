// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer_error.h"
#include "models/opaque.h"
#include "models/reply_reader.h"

#include "net/json_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace berth::models {

using domain::ModelStop;
using nlohmann::json;

namespace {

//! Of chat completions; some servers send content as parts.
QString chatText(const json &content)
{
    if (content.is_string())
        return net::stringOf(content);
    QString text;
    if (content.is_array()) {
        for (const json &part : content)
            text += net::textIn(part, "text");
    }
    return text;
}

//! `finish_reason`; nullopt: none that says anything. Some servers end calls with "stop".
std::optional<ModelStop> chatStop(const QString &reason)
{
    if (reason.isEmpty())
        return std::nullopt;
    if (reason == QLatin1String("length"))
        return ModelStop::Length;
    if (reason == QLatin1String("content_filter"))
        return ModelStop::ContentFilter;
    return ModelStop::End;
}

class OpenAiReader : public ReplyReader
{
public:
    using ReplyReader::ReplyReader;

protected:
    void take(const QByteArray &name, const json &data) override
    {
        takeUsage(net::memberIn(data, "usage"));
        // Taken behind the choices, since OpenRouter sends both in one piece; its words are better
        // than what the finish reason says.
        const json &error = net::memberIn(data, "error");
        m_saysWhy = !error.is_null();
        const json &choices = net::memberIn(data, "choices");
        if (choices.is_array()) {
            for (const json &choice : choices) {
                // One reply was asked for.
                if (net::integerIn(choice, "index").value_or(0) == 0)
                    takeChoice(choice, net::memberIn(choice, "delta"));
            }
        }
        if (!error.is_null())
            fail(errorInStream(error));
        else if (name == "error")
            fail(errorInStream(data));
    }

    void takeBody(const json &body) override
    {
        takeUsage(net::memberIn(body, "usage"));
        const json &error = net::memberIn(body, "error");
        if (!error.is_null()) {
            fail(errorInStream(error));
            return;
        }
        const json &choices = net::memberIn(body, "choices");
        if (choices.is_array() && !choices.empty())
            takeChoice(choices.front(), net::memberIn(choices.front(), "message"));
    }

    [[nodiscard]] QByteArray opaque() const override
    {
        if (m_reasoningDetails.empty())
            return {};
        return opaqueOf(m_context, m_reasoningDetails);
    }

private:
    void takeChoice(const json &choice, const json &delta)
    {
        addText(chatText(net::memberIn(delta, "content")));
        takeReasoning(delta);
        const QString refusal = net::textIn(delta, "refusal");
        if (!refusal.isEmpty()) {
            m_refused = true;
            addText(refusal);
        }
        const json &calls = net::memberIn(delta, "tool_calls");
        if (calls.is_array()) {
            for (const json &call : calls)
                takeCall(call);
        }
        const QString reason = net::textIn(choice, "finish_reason");
        if (reason == QLatin1String("error")) {
            if (!m_saysWhy)
                fail(errorInStream(QStringLiteral("The server ended the reply with an error")));
        } else if (const auto stop = chatStop(reason)) {
            m_stop = stop;
            m_callsCount = true;
        }
    }

    //! Two spellings of one thing; a server that sends both sends the same in both.
    void takeReasoning(const json &delta)
    {
        const QString first = net::textIn(delta, "reasoning_content");
        const QString second = net::textIn(delta, "reasoning");
        addReasoning(first);
        if (second != first)
            addReasoning(second);
        const json &details = net::memberIn(delta, "reasoning_details");
        if (details.is_array() && !details.empty()) {
            count(net::dumped(details).size());
            m_reasoningDetails.insert(m_reasoningDetails.end(), details.begin(), details.end());
        }
    }

    void takeCall(const json &delta)
    {
        const json &function = net::memberIn(delta, "function");
        const QString id = net::textIn(delta, "id");
        const QString name = net::textIn(function, "name");
        const json &arguments = net::memberIn(function, "arguments");
        CallSlot &slot = slotFor(net::integerIn(delta, "index"), id, name, arguments.is_object());
        slot.hasGrown = true;
        if (!id.isEmpty())
            slot.id = id;
        if (!name.isEmpty())
            slot.name = name;
        if (arguments.is_string()) {
            if (!slot.isWhole)
                appendArguments(
                    slot, QByteArray::fromStdString(arguments.get_ref<const std::string &>()));
        } else if (!arguments.is_null()) {
            slot.arguments.clear();
            appendArguments(slot, net::dumped(arguments));
            slot.isWhole = true;
        }
    }

    CallSlot &slotFor(std::optional<qint64> index, const QString &id, const QString &name,
                      bool isWhole)
    {
        if (index) {
            // The last one counts: an index may be used again for another id.
            for (auto slot = m_slots.rbegin(); slot != m_slots.rend(); ++slot) {
                if (slot->index != index)
                    continue;
                const bool other = !id.isEmpty() && !slot->id.isEmpty() && slot->id != id;
                const bool again = isWhole && slot->isWhole && id.isEmpty() && !name.isEmpty();
                if (!other && !again)
                    return *slot;
                if (again)
                    break;
            }
        } else if (!id.isEmpty()) {
            const auto known = std::find_if(m_slots.begin(), m_slots.end(),
                                            [&id](const CallSlot &slot) { return slot.id == id; });
            if (known != m_slots.end())
                return *known;
        } else if (name.isEmpty() && !m_slots.empty()) {
            return m_slots.back();
        }
        return addSlot(CallSlot{index, {}, {}, {}, false, true});
    }

    void takeUsage(const json &usage)
    {
        if (!usage.is_object())
            return;
        const auto input = tokensIn(usage, "prompt_tokens");
        const auto cached =
            tokensIn(net::memberIn(usage, "prompt_tokens_details"), "cached_tokens");
        if (cached)
            m_usage.cachedTokens = cached;
        if (input)
            m_usage.inputTokens = std::max<qint64>(*input - m_usage.cachedTokens.value_or(0), 0);
        if (const auto output = tokensIn(usage, "completion_tokens"))
            m_usage.outputTokens = output;
        if (const auto reasoning =
                tokensIn(net::memberIn(usage, "completion_tokens_details"), "reasoning_tokens"))
            m_usage.reasoningTokens = reasoning;
        if (const auto cost = net::numberIn(usage, "cost"))
            m_usage.cost = std::max(*cost, 0.0);
    }

    json m_reasoningDetails = json::array();
    //! The piece at hand has an error of its own.
    bool m_saysWhy = false;
};

} // namespace

std::unique_ptr<ReplyReader> openAiReader(ReplyContext context)
{
    return std::make_unique<OpenAiReader>(std::move(context));
}

} // namespace berth::models
