// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/schemas.h"

#include "application/contract/fields.h"

#include <nlohmann/json.hpp>

namespace berth::api {

using nlohmann::json;
using namespace application;

namespace {

template <typename T>
struct SchemaOf;

struct Describer
{
    json &properties;
    json &required;

    template <typename T>
    void operator()(const char *name, const T &) const
    {
        properties[name] = SchemaOf<T>::make();
        required.push_back(name);
    }
    template <typename T>
    void operator()(const char *name, const std::optional<T> &) const
    {
        properties[name] = SchemaOf<T>::make();
    }
};

template <typename T>
struct SchemaOf
{
    static json make()
    {
        if constexpr (std::is_same_v<T, bool>) {
            return {{"type", "boolean"}};
        } else if constexpr (std::is_integral_v<T>) {
            return {{"type", "integer"}};
        } else if constexpr (std::is_floating_point_v<T>) {
            return {{"type", "number"}};
        } else if constexpr (
            std::is_enum_v<
                T> || std::is_same_v<T, QString> || std::is_same_v<T, QDateTime> || std::is_same_v<T, QByteArray>) {
            return {{"type", "string"}};
        } else {
            json properties = json::object();
            json required = json::array();
            const T value{};
            wire::fields(value, Describer{properties, required});
            return {{"type", "object"}, {"properties", properties}, {"required", required}};
        }
    }
};

template <typename Tag>
struct SchemaOf<domain::Id<Tag>>
{
    static json make() { return {{"type", "string"}}; }
};

template <typename Rep, typename Period>
struct SchemaOf<std::chrono::duration<Rep, Period>>
{
    static json make() { return {{"type", "integer"}}; }
};

template <typename T>
struct SchemaOf<QList<T>>
{
    static json make() { return {{"type", "array"}, {"items", SchemaOf<T>::make()}}; }
};

template <>
struct SchemaOf<QMap<QString, QString>>
{
    static json make()
    {
        return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
    }
};

template <>
struct SchemaOf<QPair<QString, QString>>
{
    static json make() { return SchemaOf<QStringList>::make(); }
};

json text()
{
    return {{"type", "string"}};
}

json listOf(const char *component)
{
    return {{"type", "array"},
            {"items", {{"$ref", std::string("#/components/schemas/") + component}}}};
}

json object(const json &properties)
{
    json required = json::array();
    for (const auto &[key, value] : properties.items())
        required.push_back(key);
    return {{"type", "object"}, {"properties", properties}, {"required", required}};
}

} // namespace

json schemaComponents()
{
    json all = json::object();
    all["Snapshot"] = SchemaOf<Snapshot>::make();
    all["Thread"] = SchemaOf<ThreadView>::make();
    all["ThreadList"] = SchemaOf<ThreadList>::make();
    all["ThreadDetail"] = SchemaOf<ThreadDetail>::make();
    all["Started"] = SchemaOf<Started>::make();
    all["ToolCall"] = SchemaOf<ToolCallView>::make();
    all["Runtime"] = SchemaOf<RuntimeView>::make();
    all["RuntimeList"] = SchemaOf<RuntimeList>::make();
    all["Metrics"] = SchemaOf<domain::ResourceSample>::make();
    all["LeaseEventList"] = SchemaOf<LeaseEventList>::make();
    all["ProviderList"] = SchemaOf<ProviderList>::make();
    all["Provider"] = SchemaOf<ProviderView>::make();
    all["ProviderForm"] = SchemaOf<ProviderForm>::make();
    all["ProcessList"] = SchemaOf<ProcessList>::make();
    all["Process"] = SchemaOf<ProcessView>::make();
    all["File"] = SchemaOf<FileView>::make();
    all["FileList"] = SchemaOf<FileList>::make();
    all["Session"] = SchemaOf<SessionView>::make();
    all["Lifecycle"] = SchemaOf<LifecycleView>::make();
    all["Message"] = SchemaOf<MessageView>::make();
    all["Run"] = SchemaOf<RunView>::make();
    all["MessageList"] = object({{"messages", listOf("Message")}});
    all["RunList"] = object({{"runs", listOf("Run")}});
    all["ToolCallList"] = object({{"tool_calls", listOf("ToolCall")}});
    json output = SchemaOf<OutputChunk>::make();
    output["properties"]["base64"] = text();
    output["required"].push_back("base64");
    all["Output"] = output;
    json sandbox =
        object({{"id", text()},
                {"agent_id", text()},
                {"alias", text()},
                {"type", text()},
                {"config", {{"type", "object"}}},
                {"status", {{"type", "string"}, {"enum", {"pending", "provisioned", "deleted"}}}},
                {"external_id", {{"type", {"string", "null"}}}},
                {"runtime_state", {{"type", "object"}}},
                {"last_seen_at", {{"type", {"string", "null"}}}},
                {"provider_config", text()},
                {"lease_id", text()},
                {"threads", {{"type", "integer"}}},
                {"notice", text()},
                {"runtime", {{"type", {"object", "null"}}}}});
    all["Sandbox"] = sandbox;
    all["SandboxList"] = listOf("Sandbox");
    all["RemovedSandbox"] =
        object({{"ok", {{"type", "boolean"}}},
                {"sandbox", {{"$ref", "#/components/schemas/Sandbox"}}},
                {"left_running", {{"type", "array"}, {"items", {{"type", "object"}}}}}});
    all["Agent"] = SchemaOf<AgentView>::make();
    all["AgentList"] = object({{"agents", listOf("Agent")}});
    json preset = object({{"name", text()}, {"type", text()}, {"config", {{"type", "object"}}}});
    preset["properties"]["problem"] = text();
    json presets = object({{"presets", {{"type", "array"}, {"items", preset}}},
                           {"auto_provision", {{"type", {"string", "null"}}}}});
    presets["properties"]["problem"] = text();
    all["PresetList"] = presets;
    all["SkillList"] = SchemaOf<SkillList>::make();
    all["Membership"] = object({{"agent_id", text()}, {"user", text()}, {"role", text()}});
    all["ApprovalList"] = SchemaOf<ApprovalList>::make();
    all["Rule"] = SchemaOf<RuleView>::make();
    all["RuleList"] = SchemaOf<RuleList>::make();
    all["AuditList"] = SchemaOf<AuditList>::make();
    all["ModelList"] = SchemaOf<ModelList>::make();
    all["Health"] = object({{"ok", {{"type", "boolean"}}}, {"version", text()}});
    all["Ok"] = object({{"ok", {{"type", "boolean"}}}});
    all["Document"] = {{"type", "object"}};
    all["Error"] = {{"type", "object"},
                    {"properties",
                     {{"error",
                       {{"type", "object"},
                        {"properties", {{"code", text()}, {"message", text()}, {"detail", text()}}},
                        {"required", {"code", "message"}}}}}},
                    {"required", {"error"}}};
    return all;
}

} // namespace berth::api
