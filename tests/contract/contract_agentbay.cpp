// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/cloud_faults_group.h"
#include "providers/agentbay/provider.h"

#include <QtCore/QCoreApplication>

namespace {

using namespace berth;
using namespace std::chrono_literals;
using contract::CloudCall;
using contract::CloudFault;

const QByteArray kKey = "akm-" + QByteArray(36, '0');

//! Against the fake of AgentBay, whose sandboxes run commands for real.
class AgentBayFixture : public contract::CloudFixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.isRemote = true;
        traits.provider = QStringLiteral("agentbay");
        traits.home = QByteArrayLiteral("/home/wuying");
        traits.processesSurvivePause = true;
        traits.liveInput = false;
        traits.backgroundCommands = false;
        return traits;
    }
    QString unavailable() override
    {
        if (m_fake.url(QStringLiteral("api")).isEmpty()
            && !m_fake.start(QStringLiteral("agentbay")))
            return m_fake.why();
        return {};
    }
    std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) override
    {
        domain::ProviderSettings settings;
        settings.name = domain::ConfigName(QStringLiteral("agentbay"));
        settings.values = {{QStringLiteral("endpoint"), m_fake.url(QStringLiteral("api"))},
                           {QStringLiteral("proxy"), QStringLiteral("none")}};
        settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
        settings.confirmedOrigins = {m_fake.url(QStringLiteral("api"))};
        auto provider = std::make_unique<agentbay::AgentBayProvider>(settings, installation);
        agentbay::Core &core = provider->core();
        core.pace.look = 50ms;
        core.pace.longest = 10s;
        // As much as one argument holds: the small ones are measured elsewhere.
        core.pieces = {90 * 1024, 1024 * 1024};
        core.slow = 3s;
        core.retries.attempts = 2;
        core.retries.first = 50ms;
        core.retries.cap = 2s;
        return provider;
    }
    bool cutConnection(const domain::ExternalId &) override { return false; }

    test::FakeService &service() override { return m_fake; }
    // Commands and lists go to one gateway.
    [[nodiscard]] QStringList dataPlane() const override { return {}; }
    [[nodiscard]] QByteArray canary() const override { return kKey; }
    int threePages() override { return m_fake.setKnobs(R"({"largestPage":2})") ? 5 : 0; }

protected:
    [[nodiscard]] QByteArray matchOf(CloudCall call) const override
    {
        switch (call) {
        case CloudCall::List:
            return "Action=ListSession&";
        case CloudCall::Inspect:
            return "Action=GetSession&";
        case CloudCall::Create:
            return "Action=CreateMcpSession&";
        case CloudCall::Pause:
            return "Action=PauseSessionAsync&";
        case CloudCall::Resume:
            return "Action=ResumeSessionAsync&";
        case CloudCall::Destroy:
            return "Action=DeleteSessionAsync&";
        case CloudCall::Metrics:
            return {};
        }
        return {};
    }
    [[nodiscard]] QByteArray matchOfStream() const override { return {}; }
    [[nodiscard]] QByteArray wordsOf(CloudFault fault) const override
    {
        switch (fault) {
        case CloudFault::NotFound:
            return R"("status":400,"body":{"RequestId":"x","Code":"InvalidMcpSession.NotFound",)"
                   R"("Message":"the session does not exist"})";
        case CloudFault::Unauthorized:
            return R"("status":401,"body":{"RequestId":"x","Code":"InvalidMcpAuthorization",)"
                   R"("Message":"the key is not known"})";
        case CloudFault::Conflict:
            return R"("status":409,"body":{"RequestId":"x","Code":"InvalidMcpSession.StatusInvalid",)"
                   R"("Message":"it changes"})";
        case CloudFault::RateLimited:
            return R"("status":429,"headers":{"x-acs-retry-after":"1","Retry-After":"1"},)"
                   R"("body":{"RequestId":"x","Code":"Throttling.User","Message":"slower"})";
        case CloudFault::UnknownState:
            return R"("merge":{"Data":{"Status":"HIBERNATING","SessionStatus":"HIBERNATING"}})";
        default:
            return {};
        }
    }

private:
    test::FakeService m_fake;
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    AgentBayFixture fixture;
    return contract::runCloudSuite(fixture, argc, argv);
}
