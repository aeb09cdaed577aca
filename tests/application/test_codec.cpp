// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/contract/codec.h"
#include "application/contract/fields.h"
#include "application/contract/json_values.h"
#include "domain/json_depth.h"

#include <QtTest/QTest>

#include <nlohmann/json.hpp>

#include <limits>

using namespace berth;
using namespace berth::application;
using domain::ErrorKind;
using nlohmann::json;

namespace {

// --- every field of a value set to something that is not its default
// -------------------------------

class Filler
{
public:
    template <typename T>
    void operator()(const char *, T &value)
    {
        fill(value);
        ++m_fields;
    }
    [[nodiscard]] int fields() const { return m_fields; }

private:
    void fill(QString &value)
    {
        value = QStringLiteral("text %1 \u00fc\u6f22\U0001f6a2 \"\\\n\t\u0001").arg(++m_next);
    }
    void fill(bool &value) { value = !value; }
    void fill(int &value) { value = ++m_next; }
    void fill(qint64 &value) { value = (qint64(1) << 40) + ++m_next; }
    void fill(double &value) { value = 0.1 + ++m_next; }
    void fill(QDateTime &value)
    {
        value = QDateTime::fromMSecsSinceEpoch(1767225600123 + ++m_next, Qt::UTC);
    }
    void fill(std::chrono::milliseconds &value) { value = std::chrono::milliseconds(++m_next); }
    void fill(std::chrono::seconds &value) { value = std::chrono::seconds(++m_next); }
    void fill(QMap<QString, QString> &value)
    {
        value = {{QStringLiteral("docker.image"), QStringLiteral("a")},
                 {QStringLiteral("\u6f22"), {}}};
    }
    void fill(QPair<QString, QString> &value)
    {
        fill(value.first);
        fill(value.second);
    }
    template <typename Tag>
    void fill(domain::Id<Tag> &value)
    {
        value = domain::Id<Tag>(QStringLiteral("id-%1").arg(++m_next));
    }
    template <typename T>
    void fill(std::optional<T> &value)
    {
        fill(value.emplace());
    }
    template <typename T>
    void fill(QList<T> &value)
    {
        value.resize(2);
        fill(value[0]);
        fill(value[1]);
    }
    template <typename T>
        requires std::is_enum_v<T>
    void fill(T &value)
    {
        value = value == static_cast<T>(1) ? static_cast<T>(2) : static_cast<T>(1);
    }
    template <typename T>
        requires std::is_class_v<T>
    void fill(T &value)
    {
        Filler inner;
        inner.m_next = m_next + 100;
        wire::fields(value, inner);
        m_next = inner.m_next;
    }

    int m_next = 0;
    int m_fields = 0;
};

//! How many members an aggregate has, found by trying: so that a member that fields() forgets is
//! noticed.
struct Anything
{
    template <typename T>
    operator T() const;
};
template <typename T, typename... Given>
constexpr int memberCount()
{
    if constexpr (requires { T{Given{}..., Anything{}}; })
        return memberCount<T, Given..., Anything>();
    else
        return sizeof...(Given);
}

template <typename T>
T filled()
{
    T value{};
    Filler filler;
    wire::fields(value, filler);
    return value;
}

template <typename T>
int fieldCount()
{
    T value{};
    Filler filler;
    wire::fields(value, filler);
    return filler.fields();
}

json parsed(const QByteArray &text)
{
    return json::parse(text.begin(), text.end());
}

QByteArray written(const json &value)
{
    return QByteArray::fromStdString(value.dump());
}

template <typename T>
void checkNames(const char *name)
{
    const int members = memberCount<T>() - (Binary<T> ? 1 : 0); // its bytes travel beside
    if (fieldCount<T>() != members)
        QFAIL(qPrintable(QStringLiteral("%1: %2 members, %3 names")
                             .arg(QLatin1String(name))
                             .arg(members)
                             .arg(fieldCount<T>())));
    const json object = parsed(toJson(filled<T>()));
    if (object.size() != static_cast<size_t>(members))
        QFAIL(qPrintable(QStringLiteral("%1: a name is used twice").arg(QLatin1String(name))));
}

template <typename T>
void checkWrongTypes(const char *name)
{
    const json good = parsed(toJson(filled<T>()));
    for (const auto &[key, value] : good.items()) {
        for (const json &wrong : {json(7.5), json("\x7f"), json(true),
                                  json::array({json::object()}), json::object({{"a", 1}})}) {
            if (wrong.type() == value.type())
                continue;
            if (value.is_number_integer() && wrong.is_number_integer())
                continue;
            if (value.is_number() && wrong.is_number_float() && value.is_number_float())
                continue;
            json bad = good;
            bad[key] = wrong;
            const domain::Result<T> result = fromJson<T>(written(bad));
            const bool objectOfAnything = value.is_object() && wrong.is_object();
            if (!objectOfAnything
                && (result.has_value() || result.error().kind != ErrorKind::Protocol)) {
                QFAIL(qPrintable(QStringLiteral("%1.%2 takes %3")
                                     .arg(QLatin1String(name), QString::fromStdString(key),
                                          QString::fromStdString(wrong.dump()))));
            }
        }
        json absent = good;
        absent[key] = nullptr;
        QVERIFY2(fromJson<T>(written(absent)).has_value(), key.c_str());
        absent.erase(key);
        QVERIFY2(fromJson<T>(written(absent)).has_value(), key.c_str());
    }
    for (const QByteArray &text :
         {QByteArray("[]"), QByteArray("7"), QByteArray("null"), QByteArray(""), QByteArray("{"),
          QByteArray("{}x"), QByteArray("\"\xff\"")}) {
        const domain::Result<T> result = fromJson<T>(text);
        QVERIFY2(!result && result.error().kind == ErrorKind::Protocol, name);
    }
}

template <typename T>
void checkCommon(const char *name)
{
    checkNames<T>(name);
    checkWrongTypes<T>(name);
    const QByteArray text = toJson(filled<T>());
    json more = parsed(text);
    more["a_key_of_tomorrow"] = {{"deep", {1, 2, 3}}};
    const domain::Result<T> again = fromJson<T>(written(more));
    QVERIFY2(again.has_value(), name);
    QCOMPARE(toJson(*again), text);
    const domain::Result<T> empty = fromJson<T>("{}");
    QVERIFY2(empty.has_value(), name);
    QCOMPARE(toJson(*empty), toJson(T{}));
}

template <typename T>
void checkView(const char *name)
{
    checkCommon<T>(name);
    const T value = filled<T>();
    const domain::Result<T> same = fromJson<T>(toJson(value));
    QVERIFY2(same && *same == value, name);
    const domain::Result<T> plain = fromJson<T>(toJson(T{}));
    QVERIFY2(plain && *plain == T{}, name);
    if (memberCount<T>() > 0)
        QVERIFY2(!(value == T{}), name);
}

template <typename Body>
void checkEvent()
{
    const Event event{41, filled<Body>()};
    const domain::Result<Event> same = fromJson<Event>(toJson(event));
    QVERIFY2(same && *same == event, Body::kName);
    const json text = parsed(toJson(event));
    QCOMPARE(text.at("type").get<std::string>(), std::string(Body::kName));
    for (const char *key : {"seq", "type", "data"}) {
        json bad = text;
        bad.erase(key);
        QVERIFY2(!fromJson<Event>(written(bad)), key);
        bad[key] = json::array();
        QVERIFY2(!fromJson<Event>(written(bad)), key);
    }
}

template <size_t... Index>
void checkEvents(std::index_sequence<Index...>)
{
    (checkEvent<std::variant_alternative_t<Index, EventBody>>(), ...);
}

//! How many of the first values of T in \a member of View come back from their name.
template <typename T, typename View>
int knownValues(T View::*member)
{
    int known = 0;
    for (int number = 0; number < 64; ++number) {
        View view{};
        view.*member = static_cast<T>(number);
        const domain::Result<View> same = fromJson<View>(toJson(view));
        if (same && (*same).*member == static_cast<T>(number))
            ++known;
    }
    return known;
}

class TestCodec : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void views()
    {
        checkView<domain::Error>("Error");
        checkView<domain::ResourceSample>("ResourceSample");
        checkView<EngineView>("EngineView");
        checkView<AgentView>("AgentView");
        checkView<ThreadView>("ThreadView");
        checkView<MessageView>("MessageView");
        checkView<RunView>("RunView");
        checkView<ToolCallView>("ToolCallView");
        checkView<ThreadDetail>("ThreadDetail");
        checkView<OutputChunk>("OutputChunk");
        checkView<RuntimeView>("RuntimeView");
        checkView<ProviderView>("ProviderView");
        checkView<SandboxView>("SandboxView");
        checkView<ProviderForm>("ProviderForm");
        checkView<HealthView>("HealthView");
        checkView<ProcessView>("ProcessView");
        checkView<ProcessList>("ProcessList");
        checkView<FileView>("FileView");
        checkView<FileList>("FileList");
        checkView<FileChunk>("FileChunk");
        checkView<UploadView>("UploadView");
        checkView<SessionView>("SessionView");
        checkView<LifecycleView>("LifecycleView");
        checkView<LeaseEventView>("LeaseEventView");
        checkView<LeaseEventList>("LeaseEventList");
        checkView<Snapshot>("Snapshot");
        checkView<ThreadList>("ThreadList");
        checkView<RuntimeList>("RuntimeList");
        checkView<ProviderList>("ProviderList");
        checkView<Started>("Started");
        checkView<Nothing>("Nothing");
        checkView<Raised>("Raised");
        checkView<ModelPresetView>("ModelPresetView");
        checkView<ModelEndpointView>("ModelEndpointView");
        checkView<ModelList>("ModelList");
        checkView<UsageView>("UsageView");
        checkView<ApprovalView>("ApprovalView");
        checkView<ApprovalList>("ApprovalList");
        checkView<RuleView>("RuleView");
        checkView<RuleList>("RuleList");
        checkView<AuditEntry>("AuditEntry");
        checkView<AuditList>("AuditList");
        checkView<HookView>("HookView");
        checkView<HookList>("HookList");
        checkView<SandboxList>("SandboxList");
        checkView<PresetView>("PresetView");
        checkView<PresetList>("PresetList");
        checkView<SkillView>("SkillView");
        checkView<SkillList>("SkillList");
        checkView<SecurityView>("SecurityView");
        checkView<ApiView>("ApiView");
        checkView<TokenView>("TokenView");
        checkView<TokenList>("TokenList");
        // Parts of others.
        QCOMPARE(fieldCount<OutputSegment>(), memberCount<OutputSegment>());
        QCOMPARE(fieldCount<ThreadLink>(), memberCount<ThreadLink>());
        QCOMPARE(fieldCount<FieldView>(), memberCount<FieldView>());
        QCOMPARE(fieldCount<domain::HealthStep>(), memberCount<domain::HealthStep>());
    }

    void commands()
    {
        checkCommon<GetSnapshot>("GetSnapshot");
        checkCommon<ListThreads>("ListThreads");
        checkCommon<GetThread>("GetThread");
        checkCommon<NewThread>("NewThread");
        checkCommon<SendMessage>("SendMessage");
        checkCommon<UpdateThread>("UpdateThread");
        checkCommon<StopToolCall>("StopToolCall");
        checkCommon<GetToolCall>("GetToolCall");
        checkCommon<ReadOutput>("ReadOutput");
        checkCommon<Exec>("Exec");
        checkCommon<ListRuntimes>("ListRuntimes");
        checkCommon<PauseRuntime>("PauseRuntime");
        checkCommon<ResumeRuntime>("ResumeRuntime");
        checkCommon<DestroyRuntime>("DestroyRuntime");
        checkCommon<GetMetrics>("GetMetrics");
        checkCommon<WatchRuntimes>("WatchRuntimes");
        checkCommon<ListProviders>("ListProviders");
        checkCommon<GetProviderForm>("GetProviderForm");
        checkCommon<SaveProvider>("SaveProvider");
        checkCommon<TestProvider>("TestProvider");
        checkCommon<PreviewProvider>("PreviewProvider");
        checkCommon<AllowPassthrough>("AllowPassthrough");
        checkCommon<UndoDestroy>("UndoDestroy");
        checkCommon<ListProcesses>("ListProcesses");
        checkCommon<StartProcess>("StartProcess");
        checkCommon<StopProcess>("StopProcess");
        checkCommon<WriteProcess>("WriteProcess");
        checkCommon<ResizeProcess>("ResizeProcess");
        checkCommon<ReadProcess>("ReadProcess");
        checkCommon<RemoveProcess>("RemoveProcess");
        checkCommon<ListFiles>("ListFiles");
        checkCommon<StatFile>("StatFile");
        checkCommon<ReadFile>("ReadFile");
        checkCommon<OpenUpload>("OpenUpload");
        checkCommon<WriteUpload>("WriteUpload");
        checkCommon<CommitUpload>("CommitUpload");
        checkCommon<AbortUpload>("AbortUpload");
        checkCommon<MakeFolder>("MakeFolder");
        checkCommon<RenameFile>("RenameFile");
        checkCommon<RemoveFile>("RemoveFile");
        checkCommon<OpenSession>("OpenSession");
        checkCommon<HeartbeatSession>("HeartbeatSession");
        checkCommon<CloseSession>("CloseSession");
        checkCommon<GetLifecycle>("GetLifecycle");
        checkCommon<SetLifecycle>("SetLifecycle");
        checkCommon<ListLeaseEvents>("ListLeaseEvents");
        checkCommon<RaiseWindow>("RaiseWindow");
        checkCommon<ListModels>("ListModels");
        checkCommon<SaveModel>("SaveModel");
        checkCommon<RemoveModel>("RemoveModel");
        checkCommon<TestModel>("TestModel");
        checkCommon<SaveAgent>("SaveAgent");
        checkCommon<RemoveAgent>("RemoveAgent");
        checkCommon<ListApprovals>("ListApprovals");
        checkCommon<DecideApproval>("DecideApproval");
        checkCommon<ListRules>("ListRules");
        checkCommon<SaveRule>("SaveRule");
        checkCommon<RemoveRule>("RemoveRule");
        checkCommon<ListAudit>("ListAudit");
        checkCommon<ListHooks>("ListHooks");
        checkCommon<SaveHooks>("SaveHooks");
        checkCommon<StopRun>("StopRun");
        checkCommon<ContinueRun>("ContinueRun");
        checkCommon<RetryRunNow>("RetryRunNow");
        checkCommon<EditMessage>("EditMessage");
        checkCommon<ListPresets>("ListPresets");
        checkCommon<SavePreset>("SavePreset");
        checkCommon<RemovePreset>("RemovePreset");
        checkCommon<SetAutoProvision>("SetAutoProvision");
        checkCommon<ListSandboxes>("ListSandboxes");
        checkCommon<AddSandbox>("AddSandbox");
        checkCommon<RemoveSandbox>("RemoveSandbox");
        checkCommon<RestoreSandbox>("RestoreSandbox");
        checkCommon<PurgeSandbox>("PurgeSandbox");
        checkCommon<GetSecurity>("GetSecurity");
        checkCommon<SetSecurity>("SetSecurity");
        checkCommon<ListSkills>("ListSkills");
        checkCommon<SetSkills>("SetSkills");
        checkCommon<ForkRuntime>("ForkRuntime");
        checkCommon<GetApi>("GetApi");
        checkCommon<SetApi>("SetApi");
        checkCommon<ListTokens>("ListTokens");
        checkCommon<NewToken>("NewToken");
        checkCommon<RevokeToken>("RevokeToken");
        checkCommon<TrustProvider>("TrustProvider");
    }

    void events()
    {
        checkEvents(std::make_index_sequence<std::variant_size_v<EventBody>>());
        const domain::Result<Event> unknown =
            fromJson<Event>("{\"seq\":1,\"type\":\"tomorrow\",\"data\":{}}");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().kind, ErrorKind::Protocol);
    }

    void absentIsNotEmpty()
    {
        UpdateThread command;
        command.title = QString();
        const domain::Result<UpdateThread> same = fromJson<UpdateThread>(toJson(command));
        QVERIFY(same);
        QVERIFY(same->title.has_value());
        QVERIFY(!same->draft.has_value());
        QVERIFY(!same->archived.has_value());
        domain::ResourceSample zero;
        zero.cpuCores = 0.0;
        const domain::Result<domain::ResourceSample> sample =
            fromJson<domain::ResourceSample>(toJson(zero));
        QVERIFY(sample && sample->cpuCores.has_value() && !sample->memoryBytes.has_value());
    }

    void everyEnumValue()
    {
        QCOMPARE(knownValues(&domain::Error::kind), 14);
        QCOMPARE(knownValues(&domain::HealthStep::state), 4);
        QCOMPARE(knownValues(&ThreadView::lifecycle), 8);
        QCOMPARE(knownValues(&ProviderView::state), 6);
        QCOMPARE(knownValues(&RuntimeView::observed), 9);
        QCOMPARE(knownValues(&RuntimeView::desired), 3);
        QCOMPARE(knownValues(&RunView::state), 7);
        QCOMPARE(knownValues(&MessageView::role), 3);
        QCOMPARE(knownValues(&ToolCallView::state), 4);
        QCOMPARE(knownValues(&OutputSegment::stream), 2);
        for (int number = 0; number < 7; ++number) {
            ToolCallView view;
            view.outcome = static_cast<domain::OutcomeKind>(number);
            const domain::Result<ToolCallView> same = fromJson<ToolCallView>(toJson(view));
            QVERIFY(same && same->outcome == view.outcome);
        }
    }

    void unknownEnumValue()
    {
        const domain::Result<ThreadView> view =
            fromJson<ThreadView>("{\"lifecycle\":\"dreaming\"}");
        QVERIFY(!view);
        QCOMPARE(view.error().kind, ErrorKind::Protocol);
        QVERIFY2(view.error().message.contains(QLatin1String("dreaming")),
                 qPrintable(view.error().message));
        QVERIFY2(view.error().message.contains(QLatin1String("lifecycle")),
                 qPrintable(view.error().message));
        QVERIFY(!fromJson<domain::Error>("{\"kind\":\"\"}"));
        QVERIFY(!fromJson<domain::Error>("{\"kind\":1}"));
    }

    void bytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("asText");
        QTest::newRow("empty") << QByteArray() << true;
        QTest::newRow("ascii") << QByteArray("/workspace") << true;
        QTest::newRow("utf-8") << QByteArray("/\xe6\xbc\xa2/\xf0\x9f\x9a\xa2") << true;
        QTest::newRow("control") << QByteArray("a\nb\x01\x1b") << true;
        QTest::newRow("nul") << QByteArray("a\0b", 3) << true;
        QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbfx") << false;
        QTest::newRow("latin-1") << QByteArray("caf\xe9") << false;
        QTest::newRow("overlong") << QByteArray("\xc0\xaf") << false;
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << false;
        QTest::newRow("cut") << QByteArray("\xe6\xbc") << false;
        QTest::newRow("all") << [] {
            QByteArray all;
            for (int c = 0; c < 256; ++c)
                all += static_cast<char>(c);
            return all;
        }() << false;
    }
    void bytes()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, asText);
        const json value = wire::write(bytes);
        if (asText)
            QVERIFY(value.is_string());
        else
            QVERIFY(value.is_object());
        const json again = json::parse(value.dump());
        QByteArray same;
        wire::read(again, same);
        QCOMPARE(same, bytes);
    }

    void badBase64()
    {
        QByteArray value;
        for (const json &bad : {json{{"base64", "*"}}, json{{"base64", 1}}, json{{"other", "YQ=="}},
                                json(1), json(nullptr)})
            QVERIFY_THROWS_EXCEPTION(wire::Mismatch, wire::read(bad, value));
    }

    void outputTravelsBeside()
    {
        OutputChunk chunk = filled<OutputChunk>();
        for (int c = 0; c < 256; ++c)
            chunk.bytes += static_cast<char>(c);
        const Payload payload = encode(chunk);
        QCOMPARE(payload.binary, chunk.bytes);
        QVERIFY(!parsed(payload.json).contains("bytes"));
        const domain::Result<OutputChunk> same = decode<OutputChunk>(payload);
        QVERIFY(same && *same == chunk);
    }

    void numbers()
    {
        const auto pid = [](const char *number) {
            return fromJson<EngineView>(QByteArray("{\"pid\":") + number + '}');
        };
        QCOMPARE(pid("9223372036854775807")->pid, std::numeric_limits<qint64>::max());
        QCOMPARE(pid("-9223372036854775808")->pid, std::numeric_limits<qint64>::min());
        for (const char *bad :
             {"9223372036854775808", "18446744073709551615", "1e30", "1.0", "-9223372036854775809"})
            QVERIFY2(!pid(bad), bad);
        QVERIFY(!fromJson<domain::Error>("{\"http_status\":2147483648}"));
        QVERIFY(!fromJson<domain::Error>("{\"http_status\":-2147483649}"));
        QCOMPARE(fromJson<domain::ResourceSample>("{\"cpu_cores\":2}")->cpuCores,
                 std::optional<double>(2.0));
        // What JSON has no word for is unknown, not zero.
        domain::ResourceSample sample;
        sample.cpuCores = std::numeric_limits<double>::quiet_NaN();
        const domain::Result<domain::ResourceSample> same =
            fromJson<domain::ResourceSample>(toJson(sample));
        QVERIFY(same && !same->cpuCores.has_value());
    }

    void times()
    {
        const auto at = [](const char *time) {
            return fromJson<RunView>(QByteArray("{\"created_at\":\"") + time + "\"}");
        };
        QCOMPARE(at("2026-01-31T12:00:00.123Z")->createdAt,
                 QDateTime(QDate(2026, 1, 31), QTime(12, 0, 0, 123), Qt::UTC));
        QVERIFY(!at("")->createdAt.isValid());
        for (const char *bad : {"yesterday", "2026-13-01T00:00:00.000Z", "2026-01-31T25:00:00Z"})
            QVERIFY2(!at(bad), bad);
    }

    void brokenText()
    {
        // Half a surrogate pair cannot be said in UTF-8; the rest of the text must survive it.
        ThreadView view;
        view.title = QStringLiteral("a") + QChar(0xd800) + QStringLiteral("b");
        const domain::Result<ThreadView> same = fromJson<ThreadView>(toJson(view));
        QVERIFY(same);
        QVERIFY(same->title.startsWith(QLatin1Char('a')) && same->title.endsWith(QLatin1Char('b')));
    }

    void deepNesting()
    {
        constexpr qsizetype kDepth = 2'000'000;
        for (const QByteArray &text :
             {QByteArray(kDepth, '['), QByteArray(kDepth, '[') + QByteArray(kDepth, ']'),
              "{\"threads\":" + QByteArray(kDepth, '[') + QByteArray(kDepth, ']') + '}',
              "{\"unknown\":" + QByteArray("{\"a\":").repeated(kDepth) + '1'
                  + QByteArray(kDepth, '}') + '}'}) {
            const domain::Result<ThreadList> result = fromJson<ThreadList>(text);
            QVERIFY(!result);
            QCOMPARE(result.error().kind, ErrorKind::Protocol);
        }
        QVERIFY(!domain::nestsDeeperThan("{\"a\":\"[[[[\\\"[[[\"}", 1));
        QVERIFY(!domain::nestsDeeperThan("[[]]", 2));
        QVERIFY(domain::nestsDeeperThan("[[[]]]", 2));
        QVERIFY(!domain::nestsDeeperThan("[[],[],[[]]]", 3));
        QVERIFY(!domain::nestsDeeperThan("\"\\", 1));
    }

    void hugeInput()
    {
        ThreadView view;
        view.title = QString(20'000'000, QLatin1Char('x'));
        const domain::Result<ThreadView> same = fromJson<ThreadView>(toJson(view));
        QVERIFY(same && *same == view);
        ThreadList list;
        list.threads.resize(20'000);
        const domain::Result<ThreadList> sameList = fromJson<ThreadList>(toJson(list));
        QVERIFY(sameList && *sameList == list);
    }

    void everyCut()
    {
        const QByteArray text = toJson(Event{7, filled<RuntimeChanged>()});
        for (qsizetype length = 0; length < text.size(); ++length) {
            const domain::Result<Event> result = fromJson<Event>(text.left(length));
            QVERIFY(!result);
            QCOMPARE(result.error().kind, ErrorKind::Protocol);
        }
    }

    void everyFlippedByte()
    {
        // Any answer will do, as long as there is one.
        const QByteArray text = toJson(Event{7, filled<ToolCallChanged>()});
        int refused = 0;
        for (qsizetype at = 0; at < text.size(); ++at) {
            for (const char c : {'\0', '"', '{', '\\', '\xff', '9'}) {
                QByteArray broken = text;
                broken[at] = c;
                if (!fromJson<Event>(broken))
                    ++refused;
            }
        }
        QVERIFY(refused > 0);
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestCodec)
#include "test_codec.moc"
