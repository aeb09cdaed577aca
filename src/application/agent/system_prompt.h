// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QDate>
#include <QtCore/QString>

namespace berth::application {

//! What a model is told of where it is. The same bytes as long as none of this changes, so that
//! servers can keep what they have read.
struct PromptFacts
{
    //! "docker · python:3.12-slim"
    QString sandboxLabel;
    //! Without one there are no tools, and nothing else of this is said.
    bool hasSandbox = true;
    //! "/workspace"; empty: not known yet.
    QString workspace;
    //! "readonly", "supervised", "full"
    QString autonomy;
    //! The sandbox is none: what is run there runs on the user's machine as it is.
    bool passthrough = false;
    QString agentName;
    QString instructions;
    //! AGENTS.md of the workspace: text of others, which grants nothing.
    QString projectNotes;
    QDate date;
};

QString systemPrompt(const PromptFacts &facts);

} // namespace berth::application
