// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/tenki/provider.h"

#include "domain/provider/check_steps.h"

namespace berth::tenki {

using domain::Async;
using domain::ErrorKind;
using domain::HealthReport;
using domain::HealthStep;
using domain::Result;
using domain::StepState;

namespace {

QString accountWords(const Account &account, const QString &workspaceId)
{
    for (const auto &[id, name] : account.workspaces) {
        if (id == workspaceId || (workspaceId.isEmpty() && account.workspaces.size() == 1))
            return QStringLiteral("workspace %1").arg(name.isEmpty() ? id : name);
    }
    return account.ownerId.isEmpty() ? QStringLiteral("an account that is not named")
                                     : QStringLiteral("account %1").arg(account.ownerId);
}

} // namespace

Async<HealthReport> checkService(CorePtr core, domain::StepSink sink, std::stop_token stop)
{
    const auto steps = std::make_shared<domain::CheckSteps>(std::move(sink));
    const QString settingsStep = QStringLiteral("Settings");
    const Result<SandboxSettings> settings = sandboxSettings(core->settings.values, {});
    if (!settings) {
        steps->fail(settingsStep, settings.error());
        co_return steps->done();
    }
    steps->add(settingsStep, StepState::Ok, {});

    const QString keyStep = QStringLiteral("Key and address");
    const Result<GrpcChannel> channel = core->control();
    if (!channel) {
        steps->fail(keyStep, channel.error());
        co_return steps->done();
    }
    const domain::Secret key = core->settings.secrets.value(QStringLiteral("api_key"));
    const QByteArray bytes = key.exposeForWire().trimmed();
    const bool isKey = bytes.startsWith("tk_") || bytes.startsWith("ory_st_");
    steps->add(keyStep, isKey ? StepState::Ok : StepState::Warning,
               isKey
                   ? QStringLiteral("For %1").arg(net::originOf(channel->base))
                   : QStringLiteral("The key begins neither with tk_ nor with ory_st_; it is sent "
                                    "as the cookie of a browser's session"));

    const QString accountStep = QStringLiteral("Account");
    core->account.reset();
    const Result<Account> account = co_await readyAccount(core, stop);
    if (!account && account.error().kind == ErrorKind::Cancelled)
        co_return domain::failure(account.error());
    if (!account) {
        steps->fail(accountStep, account.error());
        co_return steps->done();
    }
    const QString whose = accountWords(*account, settings->workspaceId);
    bool isKnown = settings->workspaceId.isEmpty() || account->workspaces.isEmpty();
    for (const auto &[id, name] : account->workspaces)
        isKnown = isKnown || id == settings->workspaceId;
    steps->add(accountStep, isKnown ? StepState::Ok : StepState::Warning,
               isKnown ? whose
                       : QStringLiteral("The workspace %1 is not one of the key's")
                             .arg(settings->workspaceId));

    const QString listStep = QStringLiteral("Sandboxes");
    const Result<QList<Session>> all = co_await allSessions(core, stop);
    if (!all && all.error().kind == ErrorKind::Cancelled)
        co_return domain::failure(all.error());
    if (!all) {
        steps->fail(listStep, all.error());
        co_return steps->done();
    }
    steps->add(listStep, StepState::Ok, QStringLiteral("%1 there").arg(all->size()));
    steps->report.summary =
        QStringLiteral("Tenki at %1, %2").arg(net::originOf(channel->base), whose);
    co_return steps->done();
}

} // namespace berth::tenki
