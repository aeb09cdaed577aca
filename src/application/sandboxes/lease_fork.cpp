// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// The part of LeaseController that begins as a copy of another one's instance.
#include "application/lifecycle/backoff.h"
#include "application/sandboxes/lease_attempt.h"
#include "domain/log.h"
#include "domain/provider/forking_provider.h"

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Instance;
using domain::InstanceStatus;
using domain::Result;

namespace {

//! After a lost answer a copy that was made shows up within a few lists.
constexpr int kLooksForCopy = 4;
constexpr std::chrono::milliseconds kBetweenLooksForCopy{1500};

bool isCopyOf(const Instance &one, const domain::InstanceRecord &original)
{
    return one.labels.instance == original.id && one.externalId != original.externalId;
}

Async<QList<Instance>> copiesOf(std::shared_ptr<domain::Provider> provider,
                                domain::InstanceRecord original, std::shared_ptr<Clock> clock,
                                std::stop_token stop)
{
    const std::function<Async<QList<Instance>>()> list = [provider, stop] {
        return provider->list(stop);
    };
    const Result<QList<Instance>> all = co_await retried<QList<Instance>>(list, clock, stop);
    if (!all)
        co_return failure(all.error());
    QList<Instance> copies;
    for (const Instance &one : *all) {
        if (isCopyOf(one, original))
            copies << one;
    }
    const QList<Instance> found = copies;
    co_return found;
}

} // namespace

//! Asked once. Where it is not known whether there is a copy, the one that was not there before is
//! it.
Async<Instance> LeaseController::askForCopy(std::shared_ptr<domain::Provider> provider,
                                            domain::InstanceRecord original, std::stop_token stop)
{
    const auto forking = std::dynamic_pointer_cast<domain::ForkingProvider>(provider);
    if (!forking)
        co_return failure(
            ErrorKind::Unsupported,
            QStringLiteral("%1 cannot copy a sandbox").arg(m_lease.providerConfig.toString()));
    // Earlier copies have the same labels.
    const Result<QList<Instance>> before = co_await copiesOf(provider, original, m_clock, stop);
    if (!before)
        co_return failure(before.error());
    const Result<Instance> made = co_await forking->fork(original.externalId, stop);
    if (made || isSurelyNotCreated(made.error()))
        co_return made;
    // Looked for even when nobody waits any more: it would be paid for unseen.
    for (int look = 0; look < kLooksForCopy; ++look) {
        const bool slept = co_await m_clock->sleepFor(kBetweenLooksForCopy, {});
        Q_UNUSED(slept)
        const Result<QList<Instance>> after = co_await copiesOf(provider, original, m_clock, {});
        if (!after)
            continue;
        QList<Instance> fresh;
        for (const Instance &one : *after) {
            const auto same = [&one](const Instance &known) {
                return known.externalId == one.externalId;
            };
            if (std::none_of(before->begin(), before->end(), same))
                fresh << one;
        }
        if (fresh.size() == 1) {
            const Instance found = fresh.first();
            co_return found;
        }
    }
    domain::Error error = made.error();
    error.detail = QStringLiteral("%1. Whether there is a copy is not known, and it was not asked "
                                  "for again. Should one appear after all, Resources lists it")
                       .arg(error.detail.isEmpty() ? error.message : error.detail);
    error.message = QStringLiteral("The answer to the copying was lost");
    co_return failure(error);
}

Async<void> LeaseController::makeCopy(domain::InstanceRecord original, QString source,
                                      std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (m_instance)
        co_return failure(ErrorKind::Conflict, QStringLiteral("It has an instance already"));
    const Result<std::shared_ptr<domain::Provider>> provider =
        m_providers.provider(m_lease.providerConfig);
    if (!provider)
        co_return failure(provider.error());
    const std::shared_ptr<domain::Provider> asked = *provider;

    domain::InstanceRecord intent;
    intent.id = domain::InstanceId::create();
    intent.lease = m_lease.id;
    intent.createdAt = m_clock->wall();
    domain::Lease next = m_lease;
    next.desired = domain::DesiredState::Running;
    next.observed = domain::ObservedState::Starting;
    next.observedAt = intent.createdAt;
    const Result<void> written =
        co_await transition(next, intent, QStringLiteral("fork"), source, {});
    if (!written)
        co_return failure(written.error());
    setBusy(QStringLiteral("starting"));
    const Result<Instance> made = co_await askForCopy(asked, original, stop);
    setBusy({});
    next = m_lease;
    next.observedAt = m_clock->wall();
    domain::InstanceRecord record = *m_instance;
    if (!made) {
        record.status = InstanceStatus::Gone;
        next.observed = domain::ObservedState::Unknown;
        next.desired = domain::DesiredState::Destroyed;
        const Result<void> withdrawn = co_await transition(
            next, record, QStringLiteral("not_created"), source, made.error().message);
        if (!withdrawn)
            domain::log(domain::LogLevel::Warning, "lease", withdrawn.error().message);
        co_return failure(made.error());
    }
    record.externalId = made->externalId;
    record.name = made->name;
    record.image = made->image;
    record.status = InstanceStatus::Live;
    record.lastSeenAt = next.observedAt;
    // What the original was set up with is in the copy.
    record.initialised = original.initialised;
    next.engineId = asked->engineId();
    next.observed = made->state;
    const Result<void> stored =
        co_await transition(next, record, QStringLiteral("forked"), source, {});
    if (!stored)
        co_return failure(stored.error());
    m_startedAt = made->startedAt;
    m_controlled = true;
    Q_EMIT instanceMade(false);
    co_return Result<void>();
}

} // namespace berth::application
