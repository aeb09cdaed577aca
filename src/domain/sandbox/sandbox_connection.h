// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/file_system.h"
#include "domain/execution/shell.h"

#include <QtCore/QObject>

namespace berth::domain {

//! Shell and files of one running instance. The last owner's release closes it.
class SandboxConnection : public QObject
{
    Q_OBJECT
public:
    explicit SandboxConnection(QObject *parent = nullptr);
    ~SandboxConnection() override;

    virtual Shell &shell() = 0;
    virtual FileSystem &fs() = 0;
    //! Where commands start when nothing else is said ("/workspace").
    [[nodiscard]] virtual QByteArray homeDirectory() const = 0;
    [[nodiscard]] virtual bool isOpen() const = 0;

Q_SIGNALS:
    //! The transport is gone; running commands have finished with TransportLost. Once.
    void lost(const QString &reason);
};

} // namespace berth::domain
