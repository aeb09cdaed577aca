// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QAbstractTableModel>

namespace berth::ui {

//! One row per agent, with what the window knows of its sandboxes and threads.
class AgentModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Model, Sandboxes, Threads, Approvals, Access, Activity, ColumnCount };
    enum Role {
        IdRole = Qt::UserRole + 1,
        //! application::AgentView
        ViewRole,
    };

    explicit AgentModel(QObject *parent = nullptr);

    //! Rows of agents that stay keep their index.
    void set(const application::Snapshot &snapshot);
    //! Ages grow.
    void tick();

    [[nodiscard]] const application::AgentView *find(const domain::AgentId &agent) const;
    [[nodiscard]] QModelIndex indexOf(const domain::AgentId &agent) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Row
    {
        application::AgentView view;
        QDateTime activity;
        bool operator==(const Row &) const = default;
    };
    [[nodiscard]] QString text(const Row &row, int column) const;

    QList<Row> m_rows;
};

} // namespace berth::ui
