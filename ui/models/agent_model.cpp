// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/agent_model.h"

#include "domain/text.h"
#include "ui/models/agent_text.h"
#include "ui/style/tokens.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QLocale>

#include <algorithm>

namespace berth::ui {

using application::AgentView;

AgentModel::AgentModel(QObject *parent) : QAbstractTableModel(parent) {}

void AgentModel::set(const application::Snapshot &snapshot)
{
    QList<Row> rows;
    for (const AgentView &agent : snapshot.agents) {
        Row row{agent, {}};
        int threads = 0;
        for (const application::ThreadView &thread : snapshot.threads) {
            if (thread.agent != agent.id)
                continue;
            ++threads;
            if (!row.activity.isValid() || thread.lastActivityAt > row.activity)
                row.activity = thread.lastActivityAt;
        }
        // The Engine also counts what this window was not told of; what came since is here.
        row.view.threads = qMax(threads, agent.threads);
        row.view.sandboxes = static_cast<int>(std::count_if(
            snapshot.sandboxes.cbegin(), snapshot.sandboxes.cend(), [&agent](const auto &sandbox) {
                return sandbox.agent == agent.id && sandbox.status != QLatin1String("deleted");
            }));
        rows.append(row);
    }
    const bool same = rows.size() == m_rows.size()
        && std::equal(rows.cbegin(), rows.cend(), m_rows.cbegin(),
                      [](const Row &a, const Row &b) { return a.view.id == b.view.id; });
    if (!same) {
        beginResetModel();
        m_rows = rows;
        endResetModel();
        return;
    }
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        if (rows[i] == m_rows[i])
            continue;
        m_rows[i] = rows[i];
        Q_EMIT dataChanged(index(i, 0), index(i, ColumnCount - 1));
    }
}

void AgentModel::tick()
{
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, Activity), index(rowCount() - 1, Activity));
}

const AgentView *AgentModel::find(const domain::AgentId &agent) const
{
    const QModelIndex at = indexOf(agent);
    return at.isValid() ? &m_rows.at(at.row()).view : nullptr;
}

QModelIndex AgentModel::indexOf(const domain::AgentId &agent) const
{
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        if (m_rows[i].view.id == agent)
            return index(i, 0);
    }
    return {};
}

int AgentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AgentModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString AgentModel::text(const Row &row, int column) const
{
    const QLocale locale;
    switch (column) {
    case Name:
        return row.view.name;
    case Model:
        return row.view.model.isEmpty() ? tr("default") : row.view.model;
    case Sandboxes:
        return locale.toString(row.view.sandboxes);
    case Threads:
        return locale.toString(row.view.threads);
    case Approvals:
        return approvalsText(row.view);
    case Access:
        return accessText(row.view.access);
    case Activity:
        return agoText(row.activity, domain::nowUtc());
    default:
        return {};
    }
}

QVariant AgentModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case Qt::AccessibleTextRole: {
        if (index.column() != Name)
            return text(row, index.column());
        QStringList parts{row.view.name};
        for (int column = Model; column < ColumnCount; ++column)
            parts.append(tr("%1 %2", "heading and value")
                             .arg(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                                  text(row, column)));
        return parts.join(QStringLiteral(", "));
    }
    case Qt::ToolTipRole:
        return index.column() == Name && row.view.name != row.view.id.toString()
            ? toolTipOf(tr("%1 · id %2").arg(row.view.name, row.view.id.toString()))
            : QString();
    case IdRole:
        return row.view.id.toString();
    case ViewRole:
        return QVariant::fromValue(row.view);
    case CardTable::TextRoleRole:
        return static_cast<int>(index.column() == Name ? TextRole::BodyStrong : TextRole::Body);
    case CardTable::InkRole:
        return static_cast<int>(index.column() == Name ? Ink::Text : Ink::Secondary);
    default:
        return {};
    }
}

QVariant AgentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Agent");
    case Model:
        return tr("Model");
    case Sandboxes:
        return tr("Sandboxes");
    case Threads:
        return tr("Threads");
    case Approvals:
        return tr("Approvals");
    case Access:
        return tr("Access");
    case Activity:
        return tr("Last activity");
    default:
        return {};
    }
}

} // namespace berth::ui
