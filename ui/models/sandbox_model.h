// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "ui/models/runtime_text.h"

#include <QtCore/QAbstractTableModel>
#include <QtCore/QSortFilterProxyModel>

namespace berth::ui {

//! Every sandbox row of every agent: its lifecycle from the database, and over it what the provider
//! last said of its runtime.
class SandboxModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Agent,
        Alias,
        Type,
        Lifecycle,
        Runtime,
        External,
        Threads,
        LastSeen,
        More,
        ColumnCount
    };
    enum Role {
        IdRole = Qt::UserRole + 1,
        AgentIdRole,
        TypeRole,
        DeletedRole,
        //! Deleted, and nothing of it is left anywhere.
        PastRole,
        //! What the search looks in.
        SearchRole,
    };

    explicit SandboxModel(QObject *parent = nullptr);

    //! Names, runtimes, threads, and the live rows.
    void set(const application::Snapshot &snapshot);
    //! The rows with the deleted ones, as ListSandboxes answers.
    void setRows(const QList<application::SandboxView> &rows);
    void update(const application::SandboxView &row);
    void tick();

    [[nodiscard]] const application::SandboxView *find(const domain::SandboxId &sandbox) const;
    //! nullptr: the provider shows nothing of it.
    [[nodiscard]] const application::RuntimeView *runtimeOf(const domain::SandboxId &sandbox) const;
    [[nodiscard]] QList<application::ThreadView> threadsOf(const domain::SandboxId &sandbox) const;
    [[nodiscard]] QString agentName(const domain::AgentId &agent) const;
    [[nodiscard]] QModelIndex indexOf(const domain::SandboxId &sandbox) const;
    [[nodiscard]] const QList<application::SandboxView> &rows() const { return m_rows; }
    //! Deleted rows whose runtime still is somewhere.
    [[nodiscard]] QList<domain::SandboxId> leftRunning() const;
    [[nodiscard]] StateText stateOfRow(const application::SandboxView &row,
                                       bool withAge = true) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

Q_SIGNALS:
    //! Rows came, went, or changed their agent, type or status.
    void setChanged();

private:
    [[nodiscard]] QString text(const application::SandboxView &row, int column) const;
    [[nodiscard]] QString why(const application::SandboxView &row, int column) const;

    QList<application::SandboxView> m_rows;
    QHash<domain::SandboxId, application::RuntimeView> m_runtimes;
    QList<application::ThreadView> m_threads;
    QHash<QString, QString> m_agents;
};

//! By agent, type, text; what is past only when asked for.
class SandboxFilterModel final : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit SandboxFilterModel(QObject *parent = nullptr);

    void setAgent(const QString &agent);
    void setType(const QString &type);
    void setText(const QString &text);
    void setDeleted(bool shown);
    [[nodiscard]] const QString &agent() const { return m_agent; }
    [[nodiscard]] const QString &type() const { return m_type; }
    [[nodiscard]] bool showsDeleted() const { return m_deleted; }
    [[nodiscard]] bool isFiltered() const
    {
        return !m_agent.isEmpty() || !m_type.isEmpty() || !m_text.isEmpty();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QString m_agent;
    QString m_type;
    QString m_text;
    bool m_deleted = false;
};

} // namespace berth::ui
