// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QHash>

namespace berth::ui {

//! Threads by their last activity, below the headings Today, Yesterday and Earlier.
class ThreadListModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        //! domain::ThreadId as text; empty for a heading.
        IdRole = Qt::UserRole + 1,
        HeadingRole,
        //! application::ThreadView
        ViewRole,
        //! How many actions of it wait for the user.
        WaitingRole,
    };

    explicit ThreadListModel(QObject *parent = nullptr);

    void setThreads(const QList<application::ThreadView> &threads);
    void update(const application::ThreadView &thread);
    //! While frozen, rows keep their order (the pointer is over them); changes of a row show at
    //! once.
    void setFrozen(bool frozen);
    //! How many actions wait for the user, by thread.
    void setWaiting(const QHash<domain::ThreadId, int> &waiting);
    //! The day may have changed.
    void regroup();

    [[nodiscard]] QModelIndex indexOf(const domain::ThreadId &id) const;
    [[nodiscard]] int threadCount() const { return static_cast<int>(m_threads.size()); }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Row
    {
        QString heading;
        domain::ThreadId thread;
        bool operator==(const Row &) const = default;
    };
    [[nodiscard]] QList<Row> arranged() const;
    void rearrange();
    [[nodiscard]] const application::ThreadView *find(const domain::ThreadId &id) const;

    QList<application::ThreadView> m_threads;
    QList<Row> m_rows;
    QHash<domain::ThreadId, int> m_waiting;
    bool m_frozen = false;
    bool m_due = false;
};

} // namespace berth::ui
