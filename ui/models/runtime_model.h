// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "ui/models/sample_history.h"

#include <QtCore/QAbstractListModel>

#include <memory>
#include <vector>

namespace berth::ui {

//! What Resources shows: one row per runtime, in the order in which they became known, with the
//! samples since the window opened.
class RuntimeModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        IdRole = Qt::UserRole + 1,
        //! application::RuntimeView
        ViewRole,
        //! const SampleHistory *, valid until the row goes.
        HistoryRole,
        //! "agent / alias"
        NameRole,
        StateTextRole,
        ProviderConfigRole,
        ProviderLabelRole,
        //! First thread's title, or the words for none.
        ThreadTitleRole,
        BusyRole,
        NeedsCareRole,
    };

    struct Counts
    {
        int total = 0;
        int running = 0;
        int paused = 0;
        int needsCare = 0;
        int orphans = 0;
        int unreachable = 0;
        bool operator==(const Counts &) const = default;
    };

    explicit RuntimeModel(QObject *parent = nullptr);
    ~RuntimeModel() override;

    //! Takes over a snapshot's list: rows that stay keep their place, their index and their
    //! samples.
    void setRuntimes(const QList<application::RuntimeView> &runtimes);
    //! Names of agents for "agent / alias"; an unknown one is shown by its id.
    void setAgents(const QList<application::AgentView> &agents);
    //! What concerns runtimes in it.
    void apply(const application::Event &event);
    //! The answer of a command.
    void update(const application::RuntimeView &runtime);

    [[nodiscard]] const application::RuntimeView *find(const QString &id) const;
    [[nodiscard]] const SampleHistory *history(const QString &id) const;
    [[nodiscard]] int rowOf(const QString &id) const;
    [[nodiscard]] Counts counts() const { return m_counts; }
    [[nodiscard]] QString nameOf(const application::RuntimeView &runtime) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    //! Counts by state or the set of rows changed; not for mere samples.
    void countsChanged();
    void sampled(const QString &runtime);

private:
    struct Row
    {
        application::RuntimeView view;
        SampleHistory history;
    };
    void put(const application::RuntimeView &runtime);
    void addSample(const QString &id, const domain::ResourceSample &sample);
    void remove(const QString &id);
    void recount();
    [[nodiscard]] QString accessibleText(const Row &row) const;

    //! On the heap, so that HistoryRole's pointer outlives other rows' going.
    std::vector<std::unique_ptr<Row>> m_rows;
    QHash<QString, QString> m_agentNames;
    Counts m_counts;
};

} // namespace berth::ui

Q_DECLARE_METATYPE(const berth::ui::SampleHistory *)
