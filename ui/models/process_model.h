// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/process_contract.h"

#include <QtCore/QAbstractListModel>

namespace berth::ui {

//! Background commands of one sandbox, and terminals that go on without a tab; the newest first.
class ProcessModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        //! domain::ProcessId as text.
        IdRole = Qt::UserRole + 1,
        EndedRole,
    };

    using QAbstractListModel::QAbstractListModel;

    //! Rows that stay keep their index.
    void setProcesses(const QList<application::ProcessView> &processes);
    //! A second has gone by.
    void setNow(const QDateTime &now);
    [[nodiscard]] const QDateTime &now() const { return m_now; }
    [[nodiscard]] const application::ProcessView *at(const QModelIndex &index) const;
    [[nodiscard]] int running() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

private:
    QList<application::ProcessView> m_processes;
    QDateTime m_now = QDateTime::currentDateTimeUtc();
};

} // namespace berth::ui
