// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/process_model.h"

#include "ui/models/process_text.h"
#include "ui/widgets/tool_tip.h"

#include <algorithm>

namespace berth::ui {

using application::ProcessState;
using application::ProcessView;

void ProcessModel::setProcesses(const QList<ProcessView> &processes)
{
    for (int row = static_cast<int>(m_processes.size()) - 1; row >= 0; --row) {
        const bool stays = std::any_of(processes.cbegin(), processes.cend(), [&](const auto &p) {
            return p.id == m_processes.at(row).id;
        });
        if (stays)
            continue;
        beginRemoveRows({}, row, row);
        m_processes.removeAt(row);
        endRemoveRows();
    }
    for (const ProcessView &process : processes) {
        const auto known = std::find_if(m_processes.begin(), m_processes.end(),
                                        [&](const auto &p) { return p.id == process.id; });
        if (known == m_processes.end()) {
            const auto before =
                std::find_if(m_processes.cbegin(), m_processes.cend(),
                             [&](const auto &p) { return p.startedAt <= process.startedAt; });
            const int row = static_cast<int>(before - m_processes.cbegin());
            beginInsertRows({}, row, row);
            m_processes.insert(row, process);
            endInsertRows();
        } else if (*known != process) {
            *known = process;
            const QModelIndex at = index(static_cast<int>(known - m_processes.begin()));
            Q_EMIT dataChanged(at, at);
        }
    }
}

void ProcessModel::setNow(const QDateTime &now)
{
    m_now = now;
    for (int row = 0; row < rowCount(); ++row) {
        if (!hasEnded(m_processes.at(row)))
            Q_EMIT dataChanged(index(row), index(row), {Qt::AccessibleTextRole});
    }
}

const ProcessView *ProcessModel::at(const QModelIndex &index) const
{
    return index.isValid() && index.row() < m_processes.size() ? &m_processes.at(index.row())
                                                               : nullptr;
}

int ProcessModel::running() const
{
    return static_cast<int>(std::count_if(m_processes.cbegin(), m_processes.cend(),
                                          [](const auto &p) { return !hasEnded(p); }));
}

int ProcessModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_processes.size());
}

QVariant ProcessModel::data(const QModelIndex &index, int role) const
{
    const ProcessView *process = at(index);
    if (!process)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return titleOf(*process);
    case Qt::ToolTipRole:
        return toolTipOf(process->detail.isEmpty()
                             ? process->command
                             : QStringLiteral("%1\n%2").arg(process->command, process->detail));
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3")
            .arg(titleOf(*process), stateOf(*process).word, factsOf(*process, m_now));
    case IdRole:
        return process->id.toString();
    case EndedRole:
        return hasEnded(*process);
    default:
        return {};
    }
}

} // namespace berth::ui
