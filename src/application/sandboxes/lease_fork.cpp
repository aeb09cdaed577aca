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

//! What the record of an intent has for a name while there is no copy yet.
constexpr QLatin1String kMark("copy-of");

struct Copying
{
    //! The label that original and copies have in common.
    QString token;
    //! Those that were there before, the original among them.
    QStringList known;
};

QString markOf(const Copying &copying)
{
    return (QStringList{kMark, copying.token} + copying.known).join(QLatin1Char(' '));
}

std::optional<Copying> copyingIn(const std::optional<domain::InstanceRecord> &record)
{
    if (!record || record->status != InstanceStatus::Creating)
        return std::nullopt;
    const QStringList words = record->name.split(QLatin1Char(' '));
    if (words.size() < 3 || words.first() != kMark)
        return std::nullopt;
    return Copying{words[1], words.mid(2)};
}

//! A copy has the labels of its original, which may be a copy itself.
Copying copyingOf(const domain::InstanceRecord &original, const QList<Instance> &all)
{
    Copying copying{original.id.toString(), {original.externalId.toString()}};
    for (const Instance &one : all) {
        if (one.externalId == original.externalId)
            copying.token = one.labels.instance.toString();
    }
    for (const Instance &one : all) {
        if (one.labels.instance.toString() == copying.token
            && one.externalId != original.externalId)
            copying.known << one.externalId.toString();
    }
    return copying;
}

Async<QList<Instance>> allOf(std::shared_ptr<domain::Provider> provider,
                             std::shared_ptr<Clock> clock, std::stop_token stop)
{
    const std::function<Async<QList<Instance>>()> list = [provider, stop] {
        return provider->list(stop);
    };
    const Result<QList<Instance>> all = co_await retried<QList<Instance>>(list, clock, stop);
    co_return all;
}

} // namespace

bool LeaseController::isCopyIntent() const
{
    return copyingIn(m_instance).has_value();
}

bool LeaseController::mayBeItsCopy(const Instance &seen) const
{
    const std::optional<Copying> copying = copyingIn(m_instance);
    return copying && seen.labels.instance.toString() == copying->token
        && !copying->known.contains(seen.externalId.toString());
}

//! Asked once. Where it is not known whether there is a copy, the one that was not there before is
//! it.
Async<Instance> LeaseController::askForCopy(std::shared_ptr<domain::Provider> provider,
                                            domain::ExternalId original, std::stop_token stop)
{
    const auto forking = std::dynamic_pointer_cast<domain::ForkingProvider>(provider);
    if (!forking)
        co_return failure(
            ErrorKind::Unsupported,
            QStringLiteral("%1 cannot copy a sandbox").arg(m_lease.providerConfig.toString()));
    const Result<Instance> made = co_await forking->fork(original, stop);
    if (made || isSurelyNotCreated(made.error()))
        co_return made;
    // Looked for even when nobody waits any more: it would be paid for unseen.
    for (int look = 0; look < kLooksForCopy; ++look) {
        const bool slept = co_await m_clock->sleepFor(kBetweenLooksForCopy, {});
        Q_UNUSED(slept)
        const Result<QList<Instance>> after = co_await allOf(provider, m_clock, {});
        if (!after)
            continue;
        QList<Instance> fresh;
        for (const Instance &one : *after) {
            if (mayBeItsCopy(one))
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

    const Result<QList<Instance>> before = co_await allOf(asked, m_clock, stop);
    if (!before)
        co_return failure(before.error());
    domain::InstanceRecord intent;
    intent.id = domain::InstanceId::create();
    intent.lease = m_lease.id;
    intent.name = markOf(copyingOf(original, *before));
    // What the original was set up with is in the copy.
    intent.initialised = original.initialised;
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
    const Result<Instance> made = co_await askForCopy(asked, original.externalId, stop);
    setBusy({});
    if (!made)
        co_return failure(made.error());
    const Result<void> taken = co_await takeCopy(asked, *made, source);
    co_return taken;
}

Async<void> LeaseController::takeCopy(std::shared_ptr<domain::Provider> provider, Instance made,
                                      QString source)
{
    domain::InstanceRecord record = *m_instance;
    record.externalId = made.externalId;
    record.name = made.name;
    record.image = made.image;
    record.status = InstanceStatus::Live;
    record.lastSeenAt = m_clock->wall();
    domain::Lease next = m_lease;
    next.engineId = provider->engineId();
    next.observed = made.state;
    next.observedAt = record.lastSeenAt;
    const Result<void> stored =
        co_await transition(next, record, QStringLiteral("forked"), source, {});
    if (!stored)
        co_return failure(stored.error());
    m_startedAt = made.startedAt;
    m_controlled = true;
    Q_EMIT instanceMade(false);
    co_return Result<void>();
}

Async<bool> LeaseController::settleCopy(std::function<bool(const domain::ExternalId &)> isOwned,
                                        QString source, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!isCopyIntent())
        co_return true;
    const Result<std::shared_ptr<domain::Provider>> found =
        m_providers.provider(m_lease.providerConfig);
    if (!found)
        co_return failure(found.error());
    const std::shared_ptr<domain::Provider> provider = *found;
    const Result<QList<Instance>> all = co_await allOf(provider, m_clock, stop);
    if (!all)
        co_return failure(all.error());
    QList<Instance> fresh;
    for (const Instance &one : *all) {
        if (mayBeItsCopy(one) && !isOwned(one.externalId))
            fresh << one;
    }
    if (fresh.size() == 1) {
        const Result<void> taken = co_await takeCopy(provider, fresh.first(), source);
        if (!taken)
            co_return failure(taken.error());
        co_return true;
    }
    // Its request may still be under way.
    if (fresh.isEmpty() && isIntentBlocking())
        co_return failure(ErrorKind::Conflict, QStringLiteral("The copy may still appear"));
    co_return false;
}

Async<void> LeaseController::withdrawCopy(QString source, QString why)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await m_turn.enter();
    if (!isCopyIntent())
        co_return Result<void>();
    domain::InstanceRecord record = *m_instance;
    record.name.clear();
    record.status = InstanceStatus::Gone;
    domain::Lease next = m_lease;
    next.observed = domain::ObservedState::Unknown;
    next.observedAt = m_clock->wall();
    next.desired = domain::DesiredState::Destroyed;
    const Result<void> withdrawn =
        co_await transition(next, record, QStringLiteral("not_created"), source, why);
    co_return withdrawn;
}

} // namespace berth::application
