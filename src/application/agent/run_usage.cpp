// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/run_usage.h"

#include "application/threads/bounded_json.h"

#include <nlohmann/json.hpp>

namespace berth::application {

using nlohmann::json;

namespace {

std::optional<qint64> countIn(const json &object, const char *name)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number_integer())
        return std::nullopt;
    return found->get<std::int64_t>();
}

void addTo(std::optional<qint64> &sum, const std::optional<qint64> &more)
{
    if (more)
        sum = sum.value_or(0) + *more;
}

} // namespace

RunUsage::RunUsage(const QString &stored)
{
    const json object = boundedJson(stored.toUtf8());
    if (!object.is_object())
        return;
    m_view.inputTokens = countIn(object, "input");
    m_view.cachedTokens = countIn(object, "cached");
    m_view.outputTokens = countIn(object, "output");
    m_view.reasoningTokens = countIn(object, "reasoning");
    m_view.contextUsed = countIn(object, "context_used").value_or(0);
    m_view.contextSize = countIn(object, "context_size").value_or(0);
    if (const auto cost = object.find("cost"); cost != object.end() && cost->is_number())
        m_view.cost = cost->get<double>();
    if (const auto text = object.find("currency"); text != object.end() && text->is_string())
        m_view.currency = QString::fromStdString(text->get<std::string>());
    if (const auto run = object.find("joined"); run != object.end() && run->is_string())
        m_joined = domain::RunId(QString::fromStdString(run->get<std::string>()));
    if (const auto asked = object.find("when_asked"); asked != object.end())
        m_unattended = *asked == "deny";
}

void RunUsage::add(const domain::ModelUsage &usage, const domain::ModelPrices &prices)
{
    addTo(m_view.inputTokens, usage.inputTokens);
    addTo(m_view.cachedTokens, usage.cachedTokens);
    addTo(m_view.outputTokens, usage.outputTokens);
    addTo(m_view.reasoningTokens, usage.reasoningTokens);
    const std::optional<double> cost = usage.cost ? usage.cost : domain::modelCost(usage, prices);
    if (cost) {
        m_view.cost = m_view.cost.value_or(0) + *cost;
        m_view.currency = prices.currency;
    }
}

void RunUsage::setContext(qint64 used, qint64 size)
{
    m_view.contextUsed = used;
    m_view.contextSize = size;
}

qint64 RunUsage::tokens() const
{
    return m_view.inputTokens.value_or(0) + m_view.cachedTokens.value_or(0)
        + m_view.outputTokens.value_or(0);
}

QString RunUsage::text() const
{
    json object = json::object();
    const auto put = [&object](const char *name, const std::optional<qint64> &value) {
        if (value)
            object[name] = static_cast<std::int64_t>(*value);
    };
    put("input", m_view.inputTokens);
    put("cached", m_view.cachedTokens);
    put("output", m_view.outputTokens);
    put("reasoning", m_view.reasoningTokens);
    if (m_view.cost)
        object["cost"] = *m_view.cost;
    if (!m_view.currency.isEmpty())
        object["currency"] = m_view.currency.toStdString();
    if (m_view.contextUsed > 0)
        object["context_used"] = static_cast<std::int64_t>(m_view.contextUsed);
    if (m_view.contextSize > 0)
        object["context_size"] = static_cast<std::int64_t>(m_view.contextSize);
    if (!m_joined.isNull())
        object["joined"] = m_joined.toString().toStdString();
    if (m_unattended)
        object["when_asked"] = "deny";
    return QString::fromStdString(object.dump());
}

} // namespace berth::application
