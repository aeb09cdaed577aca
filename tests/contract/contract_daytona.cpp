// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/cloud_faults_group.h"
#include "providers/daytona/provider.h"

#include <QtCore/QCoreApplication>

namespace {

using namespace berth;
using namespace std::chrono_literals;
using contract::CloudCall;
using contract::CloudFault;

//! Against the imitation of the service in tests/fakes, whose sandboxes are real.
class DaytonaFixture : public contract::CloudFixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.isRemote = true;
        traits.provider = QStringLiteral("daytona");
        traits.home = QByteArrayLiteral("/home/daytona/work");
        return traits;
    }
    QString unavailable() override
    {
        if (m_fake.url(QStringLiteral("api")).isEmpty() && !m_fake.start(QStringLiteral("daytona")))
            return m_fake.why();
        return {};
    }
    std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) override
    {
        const QString origin = m_fake.url(QStringLiteral("api"));
        domain::ProviderSettings settings;
        settings.name = domain::ConfigName(QStringLiteral("daytona"));
        settings.values = {{QStringLiteral("api_url"), origin + QStringLiteral("/api")},
                           {QStringLiteral("cwd"), QString::fromUtf8(traits().home)},
                           {QStringLiteral("target"), QStringLiteral("us")},
                           {QStringLiteral("proxy"), QStringLiteral("none")}};
        settings.secrets.insert(QStringLiteral("api_key"), domain::Secret(canary()));
        settings.confirmedOrigins = QStringList{origin};
        const auto core = std::make_shared<daytona::Core>(settings);
        core->installation = std::move(installation);
        core->api->patience = 2s;
        core->api->pageSize = 2;
        core->api->retry.attempts = 2;
        core->api->retry.first = 50ms;
        core->api->retry.cap = 2s;
        return std::make_unique<daytona::DaytonaProvider>(core);
    }
    //! Nothing lasting connects Berth with a sandbox: each request is a connection of its own.
    bool cutConnection(const domain::ExternalId &) override { return false; }

    test::FakeService &service() override { return m_fake; }
    [[nodiscard]] QStringList dataPlane() const override { return {QStringLiteral("proxy")}; }
    //! With the one that the group has.
    int threePages() override { return 4; }
    [[nodiscard]] QByteArray canary() const override { return QByteArrayLiteral("dtn_test"); }

protected:
    [[nodiscard]] QByteArray matchOf(CloudCall call) const override
    {
        switch (call) {
        case CloudCall::List:
            return "GET /api/sandbox\\?";
        case CloudCall::Create:
            return "POST /api/sandbox$";
        case CloudCall::Pause:
            return "POST /api/sandbox/[^/]+/stop";
        case CloudCall::Destroy:
            return "DELETE /api/sandbox/";
        case CloudCall::Inspect:
        case CloudCall::Resume:
        case CloudCall::Metrics:
            return "GET /api/sandbox/[^/]+$";
        }
        return {};
    }
    //! A cut one is followed from its start again, so that nothing is lost: a test of its own.
    [[nodiscard]] QByteArray matchOfStream() const override { return {}; }
    [[nodiscard]] QByteArray wordsOf(CloudFault fault) const override
    {
        switch (fault) {
        case CloudFault::NotFound:
            return R"("status":404,"body":{"statusCode":404,"error":"Not Found",)"
                   R"("message":"Sandbox with ID or name x not found"})";
        case CloudFault::RateLimited:
            return R"("status":429,"headers":{"Retry-After-authenticated":"1"})";
        case CloudFault::UnknownState:
            return R"("merge":{"state":"hibernating"})";
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
    DaytonaFixture fixture;
    return contract::runCloudSuite(fixture, argc, argv);
}
