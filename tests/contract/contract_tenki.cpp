// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/cloud_faults_group.h"
#include "providers/tenki/provider.h"

#include <QtCore/QCoreApplication>

using namespace std::chrono_literals;

namespace {

using namespace berth;
using contract::CloudCall;
using contract::CloudFault;

const QByteArray kKey = QByteArrayLiteral("tk_CANARY00000000000");

//! Of TLS, before anything of an answer.
constexpr qint64 kHandshake = 900;

//! The fake of the service, which runs commands for real, over HTTP/2 as the service itself.
class TenkiFixture : public contract::CloudFixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.isRemote = true;
        traits.provider = QStringLiteral("tenki");
        traits.home = QByteArrayLiteral("/home/tenki");
        traits.liveInput = false;
        traits.backgroundCommands = false;
        traits.separateStreams = false;
        return traits;
    }
    QString unavailable() override
    {
        if (!m_fake.url(QStringLiteral("api")).isEmpty())
            return {};
        // Encrypted as the service is: of a clear connection that ends Qt 6.4 tells nothing.
        const QByteArray knobs =
            R"({"tls":true,"createMs":50,"resumeMs":50,"quota":500,"keys":[")" + kKey + R"("]})";
        if (!m_fake.start(QStringLiteral("tenki"),
                          {QStringLiteral("--knobs"), QString::fromUtf8(knobs)}))
            return m_fake.why();
        return {};
    }
    std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) override
    {
        domain::ProviderSettings settings;
        settings.name = domain::ConfigName(QStringLiteral("tenki"));
        const QString endpoint = m_fake.url(QStringLiteral("api"));
        settings.values = {{QStringLiteral("endpoint"), endpoint},
                           {QStringLiteral("ca_file"), m_fake.url(QStringLiteral("ca"))},
                           {QStringLiteral("proxy"), QStringLiteral("none")}};
        settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
        settings.confirmedOrigins = QStringList{endpoint};
        tenki::Patience patience;
        patience.answer = 1500ms;
        return std::make_unique<tenki::TenkiProvider>(settings, installation, patience);
    }
    //! Setting the gate ends the connections there are.
    bool cutConnection(const domain::ExternalId &) override
    {
        return m_fake.setKnobs(R"({"gate":{"data":{}}})");
    }

    test::FakeService &service() override { return m_fake; }
    [[nodiscard]] QStringList dataPlane() const override { return {QStringLiteral("data")}; }
    [[nodiscard]] QByteArray canary() const override { return kKey; }

    bool inject(CloudCall call, CloudFault fault, int skip, int times) override
    {
        // What is no gRPC at all comes from whatever stands before the service.
        if (fault == CloudFault::NotFoundUnsure)
            return m_fake.setKnobs(R"({"gate":{"api":{"bare404":true}}})");
        m_isList = call == CloudCall::List;
        return CloudFixture::inject(call, fault, skip, times);
    }
    void heal() override { m_fake.setKnobs(R"({"faults":[],"gate":{"api":{},"data":{}}})"); }
    //! Of the connection: TLS, HTTP/2's own frames, the messages.
    bool breakStream(bool silent, qint64 bytes, int) override
    {
        return !silent
            && m_fake.setKnobs(R"({"gate":{"data":{"cutAfter":)"
                               + QByteArray::number(kHandshake + bytes * 5) + "}}}");
    }
    int threePages() override { return m_fake.setKnobs(R"({"largestPage":1})") ? 3 : 0; }

protected:
    [[nodiscard]] QByteArray matchOf(CloudCall call) const override
    {
        switch (call) {
        case CloudCall::List:
            return "SandboxService/ListWorkspaceSandboxes$";
        case CloudCall::Inspect:
        case CloudCall::Metrics:
            return "SandboxService/GetSession$";
        case CloudCall::Create:
            return "SandboxService/CreateSession$";
        case CloudCall::Pause:
            return "SandboxService/PauseSession$";
        case CloudCall::Resume:
            return "SandboxService/(ResumeSession|GetSession)$";
        case CloudCall::Destroy:
            return "SandboxService/TerminateSession$";
        }
        return {};
    }
    [[nodiscard]] QByteArray matchOfStream() const override { return "DataPlaneService/Run$"; }
    [[nodiscard]] QByteArray wordsOf(CloudFault fault) const override
    {
        switch (fault) {
        case CloudFault::NotFound:
            return R"("grpcStatus":5,"message":"session not found")";
        case CloudFault::Conflict:
            return R"("grpcStatus":9,"message":"session is changing its state")";
        case CloudFault::RateLimited:
        case CloudFault::RateLimitedNoTime:
            return R"("grpcStatus":8,"message":"rate limit exceeded")";
        case CloudFault::UnknownState:
            return m_isList ? R"("merge":{"sessions":{"state":42}})"
                            : R"("merge":{"session":{"state":42}})";
        default:
            return {};
        }
    }

private:
    test::FakeService m_fake;
    bool m_isList = false;
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    TenkiFixture fixture;
    return contract::runCloudSuite(fixture, argc, argv);
}
