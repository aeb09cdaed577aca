// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QHash>
#include <QtCore/QString>

namespace berth::domain {

enum class Capability {
    Pause,
    Resume,
    //! Commands and files; every provider has it as long as it works.
    Execute,
    SeparateStderr,
    Metrics,
    Terminal,
    //! Processes live on over pause and resume.
    ProcessesSurvivePause,
    //! Processes live on when the owning Engine ends.
    ProcessesSurviveRestart,
};

//! What a provider can do; a missing one comes with the reason in words for greyed controls.
class Capabilities
{
public:
    Capabilities &allow(Capability capability);
    Capabilities &deny(Capability capability, QString reason);

    [[nodiscard]] bool has(Capability capability) const;
    //! Empty when it is there.
    [[nodiscard]] QString reasonAgainst(Capability capability) const;

private:
    QHash<int, QString> m_denied;
    QHash<int, bool> m_allowed;
};

} // namespace berth::domain
