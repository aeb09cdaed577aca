// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <QtCore/QAbstractTableModel>

#include <optional>

namespace berth::ui {

//! One directory of a sandbox, page by page. Looks only when told to; wakes nothing by itself.
class FileModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Size, Modified, ColumnCount };
    enum class State {
        Idle,
        Loading,
        Ready,
        //! The sandbox would have to be started or resumed for it.
        Asleep,
        Failed
    };
    //! Of one directory; beyond it the model says that there is more.
    static constexpr int kMostEntries = 20'000;

    explicit FileModel(application::EngineClient &client, QObject *parent = nullptr);

    //! As in ListFiles; empty: nothing is shown.
    void setTarget(const QString &target);
    [[nodiscard]] const QString &target() const { return m_target; }
    //! \a path escaped; "" is the home directory.
    void open(const QString &path, bool wake = false);
    void reload();
    void setShowHidden(bool show);
    [[nodiscard]] bool showsHidden() const { return m_showHidden; }

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const std::optional<domain::Error> &error() const { return m_error; }
    //! Escaped, absolute; what was asked for while it is not known yet.
    [[nodiscard]] const QString &directory() const { return m_directory; }
    [[nodiscard]] bool hasMore() const { return !m_next.isEmpty(); }
    [[nodiscard]] int hiddenCount() const;

    [[nodiscard]] const application::FileView *entry(const QModelIndex &index) const;
    //! Escaped, absolute.
    [[nodiscard]] QString pathOf(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex find(const QString &name) const;
    static bool opensAsFolder(const application::FileView &file);
    static QString joined(const QString &directory, const QString &name);
    static QString parentOf(const QString &directory);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    //! The name only: asks for a rename.
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    //! Directories stay in front.
    void sort(int column, Qt::SortOrder order) override;
    [[nodiscard]] bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;

Q_SIGNALS:
    void stateChanged();
    void renameAsked(const QString &from, const QString &to);

private:
    void ask(const QString &path, const QString &cursor, bool wake);
    void take(const domain::Result<application::FileList> &answer, bool first);
    void arrange();
    [[nodiscard]] bool before(const application::FileView &a, const application::FileView &b) const;
    [[nodiscard]] QString nameText(const application::FileView &file) const;

    application::EngineClient &m_client;
    QString m_target;
    QString m_directory;
    QString m_next;
    State m_state = State::Idle;
    std::optional<domain::Error> m_error;
    QList<application::FileView> m_all;
    //! Rows as shown, into m_all.
    QList<qsizetype> m_rows;
    bool m_showHidden = false;
    bool m_fetching = false;
    int m_sortColumn = Name;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    //! Answers to older questions are dropped.
    int m_generation = 0;
};

} // namespace berth::ui
