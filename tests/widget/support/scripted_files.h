// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "application/contract/commands.h"

#include <QtCore/QMap>

#include <optional>

namespace berth::test {

//! Files in the sandbox of a ScriptedEngine, in memory: what attachments and pictures need.
class ScriptedFiles
{
public:
    //! By absolute path; the home directory is /workspace.
    QMap<QString, QByteArray> files;
    //! Commands that would have to wake it fail unless they may.
    bool asleep = false;

    //! Answers commands of this group; nullopt: not one of them.
    std::optional<domain::Result<application::Payload>> serve(
        const QString &command, const application::Payload &arguments);

private:
    [[nodiscard]] static QString absolute(const QString &path);
    [[nodiscard]] application::FileView viewOf(const QString &path) const;
    [[nodiscard]] bool isFolder(const QString &path) const;
    [[nodiscard]] domain::Result<void> awake(bool wake);

    QMap<QString, QByteArray> m_uploads;
};

} // namespace berth::test
