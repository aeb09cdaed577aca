// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/contract/codec.h"

#include "application/contract/fields.h"
#include "application/contract/json_depth.h"
#include "application/contract/json_values.h"
#include "domain/json_depth.h"

#include <nlohmann/json.hpp>

#include <array>

namespace berth::application {

using nlohmann::json;

namespace wire {

namespace {

template <typename T>
struct EnumNames;

#define BERTH_ENUM(T, toName, fromName)                                                            \
    template <>                                                                                    \
    struct EnumNames<T>                                                                            \
    {                                                                                              \
        static QString name(T value) { return toName(value); }                                     \
        static std::optional<T> value(const QString &name) { return fromName(name); }              \
    };

// The enums that only the contract has.
template <typename T, size_t Size>
QString listedName(const std::array<std::pair<T, const char *>, Size> &names, T value)
{
    for (const auto &[candidate, name] : names) {
        if (candidate == value)
            return QString::fromLatin1(name);
    }
    return {};
}

template <typename T, size_t Size>
std::optional<T> listedValue(const std::array<std::pair<T, const char *>, Size> &names,
                             const QString &wanted)
{
    for (const auto &[value, name] : names) {
        if (wanted == QLatin1String(name))
            return value;
    }
    return std::nullopt;
}

#define BERTH_LISTED(T, ...)                                                                       \
    QString name##T(T value)                                                                       \
    {                                                                                              \
        return listedName(std::to_array<std::pair<T, const char *>>(__VA_ARGS__), value);          \
    }                                                                                              \
    std::optional<T> value##T(const QString &name)                                                 \
    {                                                                                              \
        return listedValue(std::to_array<std::pair<T, const char *>>(__VA_ARGS__), name);          \
    }                                                                                              \
    BERTH_ENUM(T, name##T, value##T)

using domain::FileKind;
using domain::OutputStream;
using domain::StepState;

BERTH_LISTED(ThreadLifecycle,
             {{ThreadLifecycle::Unbound, "unbound"},
              {ThreadLifecycle::Idle, "idle"},
              {ThreadLifecycle::Starting, "starting"},
              {ThreadLifecycle::Active, "active"},
              {ThreadLifecycle::Paused, "paused"},
              {ThreadLifecycle::Stopped, "stopped"},
              {ThreadLifecycle::Destroyed, "destroyed"},
              {ThreadLifecycle::Unreachable, "unreachable"}})
BERTH_LISTED(ProviderState,
             {{ProviderState::Checking, "checking"},
              {ProviderState::Ready, "ready"},
              {ProviderState::NotSetUp, "not_set_up"},
              {ProviderState::NeedsKey, "needs_key"},
              {ProviderState::Unreachable, "unreachable"},
              {ProviderState::Broken, "broken"}})
BERTH_LISTED(StepState,
             {{StepState::Ok, "ok"},
              {StepState::Warning, "warning"},
              {StepState::Failed, "failed"},
              {StepState::Skipped, "skipped"}})
BERTH_LISTED(ProcessKind,
             {{ProcessKind::Background, "background"}, {ProcessKind::Terminal, "terminal"}})
BERTH_LISTED(ProcessState,
             {{ProcessState::Starting, "starting"},
              {ProcessState::Running, "running"},
              {ProcessState::Unknown, "unknown"},
              {ProcessState::Ended, "ended"}})
BERTH_LISTED(FileKind,
             {{FileKind::Regular, "regular"},
              {FileKind::Directory, "directory"},
              {FileKind::Symlink, "symlink"},
              {FileKind::Other, "other"}})
BERTH_LISTED(OutputStream, {{OutputStream::Stdout, "stdout"}, {OutputStream::Stderr, "stderr"}})

BERTH_ENUM(domain::ErrorKind, domain::wireName, domain::errorKindFromWire)
BERTH_ENUM(domain::OutcomeKind, domain::wireName, domain::outcomeKindFromWire)
BERTH_ENUM(domain::ObservedState, domain::wireName, domain::observedStateFromWire)
BERTH_ENUM(domain::DesiredState, domain::wireName, domain::desiredStateFromWire)
BERTH_ENUM(domain::StartPolicy, domain::wireName, domain::startPolicyFromWire)
BERTH_ENUM(domain::StopPolicy, domain::wireName, domain::stopPolicyFromWire)
BERTH_ENUM(domain::RunState, domain::wireName, domain::runStateFromWire)
BERTH_ENUM(domain::MessageRole, domain::wireName, domain::messageRoleFromWire)
BERTH_ENUM(domain::ToolCallState, domain::wireName, domain::toolCallStateFromWire)

#undef BERTH_LISTED
#undef BERTH_ENUM

template <typename T>
concept Enum = std::is_enum_v<T>;

} // namespace

// Declared first: they call each other.
template <typename Tag>
json write(const domain::Id<Tag> &value);
template <Enum T>
json write(T value);
template <typename T>
json write(const QList<T> &list);
template <typename T>
    requires std::is_class_v<T> json write(const T &object);
template <typename Tag>
void read(const json &from, domain::Id<Tag> &value);
template <Enum T>
void read(const json &from, T &value);
template <typename T>
void read(const json &from, QList<T> &list);
template <typename T>
    requires std::is_class_v<T>
void read(const json &from, T &object);

template <typename Tag>
json write(const domain::Id<Tag> &value)
{
    return write(value.toString());
}

template <Enum T>
json write(T value)
{
    return write(EnumNames<T>::name(value));
}

template <typename T>
json write(const QList<T> &list)
{
    json array = json::array();
    for (const T &entry : list)
        array.push_back(write(entry));
    return array;
}

struct Writer
{
    json &object;

    template <typename T>
    void operator()(const char *name, const T &value) const
    {
        object[name] = write(value);
    }
    template <typename T>
    void operator()(const char *name, const std::optional<T> &value) const
    {
        if (value)
            object[name] = write(*value);
    }
};

template <typename T>
    requires std::is_class_v<T> json write(const T &value)
    {
        json object = json::object();
        fields(value, Writer{object});
        return object;
    }

template <typename Tag>
void read(const json &from, domain::Id<Tag> &value)
{
    QString text;
    read(from, text);
    value = domain::Id<Tag>(text);
}

template <Enum T>
void read(const json &from, T &value)
{
    QString name;
    read(from, name);
    const std::optional<T> known = EnumNames<T>::value(name);
    if (!known)
        throw Mismatch{QStringLiteral("Unknown value \"%1\"").arg(name)};
    value = *known;
}

template <typename T>
void read(const json &from, QList<T> &list)
{
    if (!from.is_array())
        throw Mismatch{QStringLiteral("Expected a list")};
    list.clear();
    for (const json &entry : from)
        read(entry, list.emplaceBack());
}

struct Reader
{
    const json &object;

    template <typename T>
    void operator()(const char *name, T &value) const
    {
        const auto found = object.find(name);
        if (found == object.end() || found->is_null())
            return;
        try {
            read(*found, value);
        } catch (const Mismatch &mismatch) {
            throw Mismatch{QLatin1String(name) + QStringLiteral(": ") + mismatch.message};
        }
    }
    template <typename T>
    void operator()(const char *name, std::optional<T> &value) const
    {
        value.reset();
        const auto found = object.find(name);
        if (found == object.end() || found->is_null())
            return;
        (*this)(name, value.emplace());
    }
};

template <typename T>
    requires std::is_class_v<T>
void read(const json &from, T &object)
{
    if (!from.is_object())
        throw Mismatch{QStringLiteral("Expected an object")};
    fields(object, Reader{from});
}

json write(const Event &event)
{
    return std::visit(
        [&event](const auto &body) {
            return json{{"seq", static_cast<std::int64_t>(event.seq)},
                        {"type", std::decay_t<decltype(body)>::kName},
                        {"data", write(body)}};
        },
        event.body);
}

template <size_t Index = 0>
bool readBody(const std::string &type, const json &data, EventBody &body)
{
    if constexpr (Index == std::variant_size_v<EventBody>) {
        return false;
    } else {
        using Body = std::variant_alternative_t<Index, EventBody>;
        if (type != Body::kName)
            return readBody<Index + 1>(type, data, body);
        Body value;
        read(data, value);
        body = std::move(value);
        return true;
    }
}

void read(const json &from, Event &event)
{
    if (!from.is_object())
        throw Mismatch{QStringLiteral("Expected an object")};
    read(from.at("seq"), event.seq);
    if (!readBody(from.at("type").get<std::string>(), from.at("data"), event.body))
        throw Mismatch{QStringLiteral("An event of an unknown type")};
}

} // namespace wire

template <typename T>
QByteArray toJson(const T &value)
{
    // Bad UTF-8 cannot get here: QString makes valid text and bytes are checked in wire::write().
    return QByteArray::fromStdString(
        wire::write(value).dump(-1, ' ', false, json::error_handler_t::replace));
}

template <typename T>
domain::Result<T> fromJson(const QByteArray &text)
{
    if (domain::nestsDeeperThan(text, kDeepestJson))
        return domain::failure(domain::ErrorKind::Protocol,
                               QStringLiteral("JSON nested too deeply"));
    const json parsed = json::parse(text.begin(), text.end(), nullptr, false);
    if (parsed.is_discarded())
        return domain::failure(domain::ErrorKind::Protocol, QStringLiteral("Not valid JSON"));
    try {
        T value{};
        wire::read(parsed, value);
        return value;
    } catch (const wire::Mismatch &mismatch) {
        return domain::failure(domain::ErrorKind::Protocol, mismatch.message);
    } catch (const json::exception &) {
        return domain::failure(domain::ErrorKind::Protocol,
                               QStringLiteral("A value has the wrong type"));
    }
}

#define BERTH_WIRE(T)                                                                              \
    template QByteArray toJson<T>(const T &);                                                      \
    template domain::Result<T> fromJson<T>(const QByteArray &);

BERTH_WIRE(domain::Error)
BERTH_WIRE(domain::HealthStep)
BERTH_WIRE(domain::ResourceSample)
BERTH_WIRE(EngineView)
BERTH_WIRE(ThreadView)
BERTH_WIRE(MessageView)
BERTH_WIRE(RunView)
BERTH_WIRE(ToolCallView)
BERTH_WIRE(ThreadDetail)
BERTH_WIRE(OutputSegment)
BERTH_WIRE(OutputChunk)
BERTH_WIRE(RuntimeView)
BERTH_WIRE(ProviderView)
BERTH_WIRE(SandboxView)
BERTH_WIRE(ProviderForm)
BERTH_WIRE(HealthView)
BERTH_WIRE(Snapshot)
BERTH_WIRE(ThreadList)
BERTH_WIRE(RuntimeList)
BERTH_WIRE(ProviderList)
BERTH_WIRE(Started)
BERTH_WIRE(Nothing)
BERTH_WIRE(GetSnapshot)
BERTH_WIRE(ListThreads)
BERTH_WIRE(GetThread)
BERTH_WIRE(NewThread)
BERTH_WIRE(SendMessage)
BERTH_WIRE(UpdateThread)
BERTH_WIRE(StopToolCall)
BERTH_WIRE(GetToolCall)
BERTH_WIRE(ReadOutput)
BERTH_WIRE(Exec)
BERTH_WIRE(ListRuntimes)
BERTH_WIRE(PauseRuntime)
BERTH_WIRE(ResumeRuntime)
BERTH_WIRE(DestroyRuntime)
BERTH_WIRE(GetMetrics)
BERTH_WIRE(WatchRuntimes)
BERTH_WIRE(ListProviders)
BERTH_WIRE(GetProviderForm)
BERTH_WIRE(SaveProvider)
BERTH_WIRE(TestProvider)
BERTH_WIRE(TrustProvider)
BERTH_WIRE(StoreProviderKey)
BERTH_WIRE(PreviewProvider)
BERTH_WIRE(Raised)
BERTH_WIRE(RaiseWindow)
BERTH_WIRE(AllowPassthrough)
BERTH_WIRE(UndoDestroy)
BERTH_WIRE(ProcessView)
BERTH_WIRE(ProcessList)
BERTH_WIRE(ListProcesses)
BERTH_WIRE(StartProcess)
BERTH_WIRE(StopProcess)
BERTH_WIRE(WriteProcess)
BERTH_WIRE(ResizeProcess)
BERTH_WIRE(ReadProcess)
BERTH_WIRE(RemoveProcess)
BERTH_WIRE(FileView)
BERTH_WIRE(FileList)
BERTH_WIRE(ListFiles)
BERTH_WIRE(StatFile)
BERTH_WIRE(FileChunk)
BERTH_WIRE(ReadFile)
BERTH_WIRE(UploadView)
BERTH_WIRE(OpenUpload)
BERTH_WIRE(WriteUpload)
BERTH_WIRE(CommitUpload)
BERTH_WIRE(AbortUpload)
BERTH_WIRE(MakeFolder)
BERTH_WIRE(RenameFile)
BERTH_WIRE(RemoveFile)
BERTH_WIRE(SessionView)
BERTH_WIRE(OpenSession)
BERTH_WIRE(HeartbeatSession)
BERTH_WIRE(CloseSession)
BERTH_WIRE(LifecycleView)
BERTH_WIRE(GetLifecycle)
BERTH_WIRE(SetLifecycle)
BERTH_WIRE(LeaseEventView)
BERTH_WIRE(LeaseEventList)
BERTH_WIRE(ListLeaseEvents)
BERTH_WIRE(ModelPresetView)
BERTH_WIRE(ModelEndpointView)
BERTH_WIRE(ModelList)
BERTH_WIRE(ListModels)
BERTH_WIRE(SaveModel)
BERTH_WIRE(RemoveModel)
BERTH_WIRE(StoreModelKey)
BERTH_WIRE(TestModel)
BERTH_WIRE(AgentView)
BERTH_WIRE(SaveAgent)
BERTH_WIRE(UsageView)
BERTH_WIRE(ApprovalView)
BERTH_WIRE(ApprovalList)
BERTH_WIRE(ListApprovals)
BERTH_WIRE(DecideApproval)
BERTH_WIRE(RuleView)
BERTH_WIRE(RuleList)
BERTH_WIRE(ListRules)
BERTH_WIRE(SaveRule)
BERTH_WIRE(RemoveRule)
BERTH_WIRE(AuditEntry)
BERTH_WIRE(AuditList)
BERTH_WIRE(ListAudit)
BERTH_WIRE(StopRun)
BERTH_WIRE(ContinueRun)
BERTH_WIRE(RetryRunNow)
BERTH_WIRE(EditMessage)
BERTH_WIRE(SandboxList)
BERTH_WIRE(PresetView)
BERTH_WIRE(PresetList)
BERTH_WIRE(ListPresets)
BERTH_WIRE(SavePreset)
BERTH_WIRE(RemovePreset)
BERTH_WIRE(SetAutoProvision)
BERTH_WIRE(ListSandboxes)
BERTH_WIRE(AddSandbox)
BERTH_WIRE(RemoveSandbox)
BERTH_WIRE(RestoreSandbox)
BERTH_WIRE(PurgeSandbox)
BERTH_WIRE(RemoveAgent)
BERTH_WIRE(SecurityView)
BERTH_WIRE(GetSecurity)
BERTH_WIRE(SetSecurity)
BERTH_WIRE(HookView)
BERTH_WIRE(HookList)
BERTH_WIRE(ListHooks)
BERTH_WIRE(SaveHooks)
BERTH_WIRE(SkillView)
BERTH_WIRE(SkillList)
BERTH_WIRE(ListSkills)
BERTH_WIRE(SetSkills)
BERTH_WIRE(ForkRuntime)
BERTH_WIRE(ApiView)
BERTH_WIRE(GetApi)
BERTH_WIRE(SetApi)
BERTH_WIRE(TokenView)
BERTH_WIRE(TokenList)
BERTH_WIRE(ListTokens)
BERTH_WIRE(NewToken)
BERTH_WIRE(MintedToken)
BERTH_WIRE(RevokeToken)
BERTH_WIRE(CheckToken)
BERTH_WIRE(Event)

#undef BERTH_WIRE

} // namespace berth::application
