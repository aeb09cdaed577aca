// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace berth::cli {

//! Takes what is typed apart: Ctrl-P Ctrl-Q leaves the terminal, everything else is passed on.
class DetachKeys
{
public:
    //! What to pass on of \a typed, up to the keys.
    QByteArray taken(const QByteArray &typed);
    [[nodiscard]] bool areComplete() const { return m_complete; }

private:
    bool m_held = false;
    bool m_complete = false;
};

enum class Leaving {
    //! Ctrl-P Ctrl-Q leaves it running.
    Allowed,
    //! It would end with this program.
    Refused,
};

struct Interaction
{
    application::ProcessView process;
    //! Left running.
    bool detached = false;
};

//! Connects this program's terminal with a terminal in a sandbox until that has ended or is left.
domain::Async<Interaction> interact(Context context, application::ProcessView process,
                                    Leaving leaving, qint64 from);

//! Whether a process of this Engine would end when this program ends.
domain::Async<bool> endsWithThisProgram(Context context, application::ProcessView process);

//! From an id or its beginning.
domain::Async<application::ProcessView> resolveProcess(Context context, QString typed);
//! "running", "ended, exit 3", "unknown".
[[nodiscard]] QString stateText(const application::ProcessView &process);

} // namespace berth::cli
