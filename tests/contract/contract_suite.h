// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/provider.h"

#include <QtCore/QByteArray>
#include <QtCore/QString>

// What every provider has to do, whatever it is made of. A provider's test main makes a fixture and
// calls runContractSuite().
namespace berth::contract {

struct Traits
{
    //! Kind: "local".
    QString provider;
    QByteArray home = QByteArrayLiteral("/workspace");
    //! Commands and background jobs live on over pause and resume; must agree with the capability.
    bool processesSurvivePause = false;
    //! The loss of the connection is not the end of what runs there.
    bool commandsSurviveConnection = false;
    //! Input may be written while a command runs; without it openInput is Unsupported, with the
    //! reason.
    bool liveInput = true;
    //! Likewise for CommandSpec::background, jobs() and attach().
    bool backgroundCommands = true;
    //! A stream of a command that nobody reads does not hold up the other one.
    bool separateStreams = true;
    //! What a command writes while nobody follows it is there for attach() later.
    bool keepsOutput = true;
    //! Each step is a request over the network, and what is on its way lies in buffers of others.
    bool isRemote = false;
};

class Fixture
{
public:
    virtual ~Fixture();

    [[nodiscard]] virtual Traits traits() const = 0;
    //! Why the suite cannot run here; empty: it can. With BERTH_REQUIRE_ENGINE=1 that is a failure,
    //! else a skip.
    virtual QString unavailable() = 0;
    //! The same settings and the same place each time, so that one finds what another made.
    virtual std::unique_ptr<domain::Provider> makeProvider(domain::InstallationId installation) = 0;
    //! Breaks the way to the instance as a crash in between would; false: this fixture has no way
    //! to.
    virtual bool cutConnection(const domain::ExternalId &id) = 0;
};

//! Runs the groups lifecycle, commands and files, or the one named by the first argument; further
//! arguments are those of Qt Test. Answers the number of failures. There must be a
//! QCoreApplication.
int runContractSuite(Fixture &fixture, int argc, char **argv);

} // namespace berth::contract
