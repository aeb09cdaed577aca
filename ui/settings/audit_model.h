// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/settings/security_words.h"

#include <QtCore/QAbstractTableModel>
#include <QtCore/QSet>
#include <QtCore/QSortFilterProxyModel>

namespace berth::ui {

//! What was done and decided, newest first.
class AuditModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { When, What, Thread, Decision, ColumnCount };
    enum Role {
        //! application::AuditEntry
        EntryRole = Qt::UserRole + 1,
    };

    explicit AuditModel(QObject *parent = nullptr);

    void setNames(const SecurityNames &names);
    //! The newest of all; what was there goes.
    void reset(const QList<application::AuditEntry> &entries);
    //! Behind the last one. The count of those that were not there yet.
    qsizetype append(const QList<application::AuditEntry> &entries);
    [[nodiscard]] const QList<application::AuditEntry> &entries() const { return m_entries; }
    //! The time before which further ones are to be asked for; invalid: that of none is known.
    [[nodiscard]] QDateTime oldest() const;
    //! All that is known of an entry, in lines of words.
    [[nodiscard]] QString detailOf(const application::AuditEntry &entry) const;
    //! One line, its parts separated by tabs.
    [[nodiscard]] QString lineOf(const application::AuditEntry &entry) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString cell(const application::AuditEntry &entry, int column) const;

    SecurityNames m_names;
    QList<application::AuditEntry> m_entries;
    QSet<QString> m_known;
};

//! Entries with a text in their command, tool, thread or reason, and of one decision.
class AuditFilter final : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit AuditFilter(AuditModel &model, QObject *parent = nullptr);

    void setText(const QString &text);
    //! "allowed", "asked", "denied" (also by a hook), "not run"; empty: all.
    void setDecision(const QString &decision);
    [[nodiscard]] bool isFiltering() const { return !m_text.isEmpty() || !m_decision.isEmpty(); }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    AuditModel &m_model;
    QString m_text;
    QString m_decision;
};

} // namespace berth::ui
