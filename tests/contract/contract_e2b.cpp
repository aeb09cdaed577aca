// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "contract/cloud_faults_group.h"
#include "providers/e2b/provider.h"

#include <QtCore/QCoreApplication>

namespace {

using namespace berth;
using namespace std::chrono_literals;
using contract::CloudCall;
using contract::CloudFault;

const QByteArray kKey = "e2b_" + QByteArray(40, '0');

//! Against the fake of E2B, whose sandboxes run commands for real.
class E2bFixture : public contract::CloudFixture
{
public:
    [[nodiscard]] contract::Traits traits() const override
    {
        contract::Traits traits;
        traits.isRemote = true;
        traits.provider = QStringLiteral("e2b");
        traits.home = QByteArrayLiteral("/home/user");
        traits.processesSurvivePause = true;
        traits.commandsSurviveConnection = true;
        traits.separateStreams = false;
        traits.keepsOutput = false;
        return traits;
    }
    QString unavailable() override
    {
        if (m_fake.url(QStringLiteral("api")).isEmpty() && !m_fake.start(QStringLiteral("e2b")))
            return m_fake.why();
        return {};
    }
    std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) override
    {
        domain::ProviderSettings settings;
        settings.name = domain::ConfigName(QStringLiteral("e2b"));
        settings.values = {{QStringLiteral("api_url"), m_fake.url(QStringLiteral("api"))},
                           {QStringLiteral("sandbox_url"), m_fake.url(QStringLiteral("envd"))},
                           {QStringLiteral("template"), QStringLiteral("base")},
                           {QStringLiteral("proxy"), QStringLiteral("none")}};
        settings.secrets = {{QStringLiteral("api_key"), domain::Secret(kKey)}};
        settings.confirmedOrigins = {m_fake.url(QStringLiteral("api")),
                                     m_fake.url(QStringLiteral("envd"))};
        auto provider = std::make_unique<e2b::E2bProvider>(settings, installation);
        e2b::Core &core = provider->core();
        core.retries.first = 50ms;
        if (m_isImpatient) {
            // Each command has a stream of its own that can be broken.
            core.pace.keepsShells = false;
            core.pace.keepAliveSeconds = 1;
            core.pace.silence = 3s;
            core.pace.deadlines = {2s, 3s, 5s};
            core.slow = 3s;
            core.pageSize = 2;
            core.retries.attempts = 2;
            core.retries.cap = 2s;
        }
        return provider;
    }
    void beImpatient() override { m_isImpatient = true; }
    bool cutConnection(const domain::ExternalId &) override
    {
        return m_fake.setKnobs(R"({"cutStreams":true,"addFaults":[{"surface":"envd","reset":true,)"
                               R"("match":"/health","times":2}]})");
    }

    //! Every other way is cut for longer than the service keeps the end of a process.
    bool breakStream(bool silent, qint64 bytes, int times) override
    {
        if (silent)
            return CloudFixture::breakStream(silent, bytes, times);
        m_isLongCut = !m_isLongCut;
        return m_fake.setKnobs(R"({"keptSeconds":)" + QByteArray(m_isLongCut ? "0" : "30")
                               + R"(,"addFaults":[{"match":")" + matchOfStream()
                               + R"(","cutAfter":)" + QByteArray::number(bytes) + R"(,"times":)"
                               + QByteArray::number(times) + R"(,"whenOver":)"
                               + (m_isLongCut ? "true" : "false") + "}]}");
    }
    void heal() override { m_fake.setKnobs(R"({"faults":[],"keptSeconds":30})"); }

    test::FakeService &service() override { return m_fake; }
    [[nodiscard]] QStringList dataPlane() const override { return {QStringLiteral("envd")}; }
    //! With the one that the group has.
    int threePages() override { return 4; }
    [[nodiscard]] QByteArray canary() const override { return kKey; }

protected:
    [[nodiscard]] QByteArray matchOf(CloudCall call) const override
    {
        switch (call) {
        case CloudCall::List:
            return "GET /v2/sandboxes\\?";
        case CloudCall::Inspect:
            return "GET /sandboxes/[a-z0-9]+$";
        case CloudCall::Create:
            return "POST /(v2/)?sandboxes$";
        case CloudCall::Pause:
            return "POST /sandboxes/\\w+/pause";
        case CloudCall::Resume:
            return "POST /(v2/)?sandboxes/\\w+/connect";
        case CloudCall::Destroy:
            return "DELETE /sandboxes/";
        case CloudCall::Metrics:
            return "GET /sandboxes/\\w+/metrics";
        }
        return {};
    }
    [[nodiscard]] QByteArray matchOfStream() const override
    {
        return "POST /process.Process/Start";
    }
    [[nodiscard]] QByteArray wordsOf(CloudFault fault) const override
    {
        switch (fault) {
        case CloudFault::NotFound:
            return R"("status":404,"body":{"code":404,"message":"Sandbox \"x\" doesn't exist or )"
                   R"(you don't have access to it"})";
        case CloudFault::UnknownState:
            return R"("merge":{"state":"hibernating"})";
        default:
            return {};
        }
    }

private:
    test::FakeService m_fake;
    bool m_isImpatient = false;
    bool m_isLongCut = false;
};

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    E2bFixture fixture;
    return contract::runCloudSuite(fixture, argc, argv);
}
