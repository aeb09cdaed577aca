// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contract/contract_suite.h"
#include "support/fake_service.h"

#include <QtCore/QStringList>

// What every cloud's provider has to do when the service or the way to it is in trouble, against
// the fake of that service. A provider's main runs it beside runContractSuite().
namespace berth::contract {

//! Calls of the service's control plane, as a provider's operations make them first.
enum class CloudCall { List, Inspect, Create, Pause, Resume, Destroy, Metrics };

enum class CloudFault {
    //! 401: the key is not known.
    Unauthorized,
    //! 403
    Forbidden,
    //! 404 in the service's own words: there is no such sandbox.
    NotFound,
    //! 404 of something else: a proxy, an old server, another account.
    NotFoundUnsure,
    //! 409: it just changes its state.
    Conflict,
    //! 429 with a time to wait, of a second at most.
    RateLimited,
    //! 429 without one.
    RateLimitedNoTime,
    //! 500 or 503
    ServerError,
    //! An answer with success and broken or foreign content.
    WrongAnswer,
    //! Nothing is answered for a while, then the connection ends.
    Stall,
    //! The connection is reset before the service looks at the request.
    Reset,
    //! The service does what was asked; its answer is lost.
    LostAnswer,
    //! Members that no document knows, in every answer.
    UnknownMembers,
    //! A state of a sandbox that no document knows.
    UnknownState,
};

//! A fixture whose service is a fake.
class CloudFixture : public Fixture
{
public:
    //! Providers made from now on have deadlines of a second or two and repeat within a second, so
    //! that the group ends soon.
    virtual void beImpatient() {}
    [[nodiscard]] virtual test::FakeService &service() = 0;
    //! The listeners of the fake whose calls are the sandboxes' own (data plane).
    [[nodiscard]] virtual QStringList dataPlane() const = 0;
    //! From now on \a call meets \a fault: first \a skip times not, then \a times times (-1:
    //! always). False: this service has no such thing, and the case is left out.
    virtual bool inject(CloudCall call, CloudFault fault, int skip, int times);
    //! The service is well again.
    virtual void heal();
    //! Likewise for the stream of a command's output: cut, or silent, after \a bytes bytes of its
    //! body, for the next \a times streams. False: commands have none.
    virtual bool breakStream(bool silent, qint64 bytes, int times);
    //! So many sandboxes fill two pages of the list and begin a third; 0: lists are not paged, or
    //! their pages are too large. May set a knob of the fake that makes pages small.
    virtual int threePages() { return 0; }
    //! The key, which must not be found in what is told.
    [[nodiscard]] virtual QByteArray canary() const = 0;

protected:
    // For inject() over HTTP as tests/fakes/base.py does it.
    //! Regular expression for "METHOD /target"; empty: no such call.
    [[nodiscard]] virtual QByteArray matchOf(CloudCall call) const = 0;
    //! Of the command's stream; empty: none.
    [[nodiscard]] virtual QByteArray matchOfStream() const = 0;
    //! Members of the fault of that kind, JSON without braces, where the service has words of its
    //! own: "\"status\":404,\"body\":{…}". Empty: as tests/fakes/base.py answers by itself.
    [[nodiscard]] virtual QByteArray wordsOf(CloudFault fault) const = 0;
};

int runCloudFaultsGroup(CloudFixture &fixture, const QStringList &arguments);

//! The whole suite and this group, or the one group that the first argument names ("faults").
int runCloudSuite(CloudFixture &fixture, int argc, char **argv);

} // namespace berth::contract
