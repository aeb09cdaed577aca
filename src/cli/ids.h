// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

// From what people type to ids. Full ids go to the Engine as they are, it knows best; else the id
// whose beginning it is.
namespace berth::cli {

struct Candidate
{
    QString id;
    //! Other names that mean it, only when typed whole.
    QStringList names;
    //! For the list of an ambiguous one.
    QString shown;
};

//! \a what as in "thread"; \a where says where to look them up.
domain::Result<QString> pick(const QString &typed, const QList<Candidate> &candidates,
                             const QString &what, const QString &where);

domain::Async<domain::ThreadId> resolveThread(Context context, QString typed);
//! A lease id or "<provider>:<external id>".
domain::Async<application::RuntimeView> resolveRuntime(Context context, QString typed);
//! What Exec takes.
domain::Async<QString> resolveTarget(Context context, QString typed);

[[nodiscard]] QList<Candidate> sandboxCandidates(const application::Snapshot &snapshot);

} // namespace berth::cli
