// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtCore/QAbstractListModel>

namespace berth::ui {

//! Where a new thread can run: new sandboxes by provider, then those that the agent has.
class SandboxChoiceModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        HeadingRole = Qt::UserRole + 1,
        //! "docker" for a new sandbox, "sandbox:<id>" for an existing one; what is remembered.
        KeyRole,
        MarkRole,
        LabelRole,
        //! Behind the label: "python:3.12-slim"
        SummaryRole,
        //! Second line: cost and state, or why it cannot be used.
        DetailRole,
        UsableRole,
        //! The provider config whose settings make it usable.
        ConfigRole,
        //! int of Tone and of Dot, for an existing sandbox.
        ToneRole,
        DotRole,
    };

    explicit SandboxChoiceModel(QObject *parent = nullptr);

    void set(const application::Snapshot &snapshot, const domain::AgentId &agent);

    [[nodiscard]] QModelIndex indexOfKey(const QString &key) const;
    //! The first that can be used; invalid when none can.
    [[nodiscard]] QModelIndex firstUsable() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

    static QString keyOf(const domain::ConfigName &config);
    static QString keyOf(const domain::SandboxId &sandbox);
    //! Null unless \a key names a sandbox.
    static domain::SandboxId sandboxOf(const QString &key);
    static domain::ConfigName configOf(const QString &key);

private:
    struct Row
    {
        QString heading;
        QString key;
        QString mark;
        QString label;
        QString summary;
        QString detail;
        bool usable = false;
        domain::ConfigName config;
        int tone = 0;
        int dot = 0;
        bool operator==(const Row &) const = default;
    };
    QList<Row> m_rows;
};

} // namespace berth::ui
