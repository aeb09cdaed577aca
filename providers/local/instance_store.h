// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/provider/instance.h"
#include "domain/result.h"
#include "providers/local/local_settings.h"

#include <QtCore/QDir>

namespace berth::local {

//! What is kept of one Local sandbox in <data>/local/<id>/instance.json, beside its workspace.
struct InstanceRecord
{
    domain::ExternalId id;
    QString name;
    domain::InstanceLabels labels;
    LocalSettings settings;
    //! Paused by the user; else it runs, or its Berth ended.
    bool paused = false;
    QDateTime createdAt;
    QDateTime startedAt;
};

//! The directories of Local sandboxes. Nothing here follows a link, and nothing a sandbox can write
//! is read.
class InstanceStore
{
public:
    //! \a data: ProviderPaths::data.
    explicit InstanceStore(const QString &data);

    //! Directory with an empty workspace, all or nothing.
    [[nodiscard]] domain::Result<void> add(const InstanceRecord &record) const;
    [[nodiscard]] domain::Result<void> save(const InstanceRecord &record) const;
    //! NotFound for what is not there or was never an id of ours.
    [[nodiscard]] domain::Result<InstanceRecord> load(const domain::ExternalId &id) const;
    //! Those that can be read; the others are left alone and named in \a broken.
    [[nodiscard]] QList<InstanceRecord> all(QStringList *broken = nullptr) const;
    [[nodiscard]] QString workspace(const domain::ExternalId &id) const;
    //! Takes the directory away from the instances at once. Answers where it lies for removal,
    //! which may take time.
    [[nodiscard]] domain::Result<QString> discard(const domain::ExternalId &id) const;
    //! What earlier removals left.
    [[nodiscard]] QStringList discarded() const;

private:
    [[nodiscard]] domain::Result<void> writeRecord(const QString &directory,
                                                   const InstanceRecord &record) const;

    QDir m_root;
};

} // namespace berth::local
