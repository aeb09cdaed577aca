// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sandbox_model.h"

#include "domain/text.h"
#include "ui/models/agent_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/card_table.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QLocale>

#include <algorithm>

namespace berth::ui {

using application::RuntimeView;
using application::SandboxView;

namespace {

//! After that the runtime's word is said with its age.
constexpr qint64 kFreshSeconds = 60;

bool isDeleted(const SandboxView &row)
{
    return row.status == QLatin1String("deleted");
}

bool isThere(const RuntimeView &runtime)
{
    return runtime.observed != domain::ObservedState::Gone;
}

Tone lifecycleTone(const SandboxView &row)
{
    if (row.status == QLatin1String("provisioned"))
        return Tone::Info;
    return isDeleted(row) ? Tone::Error : Tone::Neutral;
}

} // namespace

SandboxModel::SandboxModel(QObject *parent) : QAbstractTableModel(parent) {}

void SandboxModel::set(const application::Snapshot &snapshot)
{
    m_agents.clear();
    for (const application::AgentView &agent : snapshot.agents)
        m_agents.insert(agent.id.toString(), agent.name);
    m_threads = snapshot.threads;
    m_runtimes.clear();
    for (const RuntimeView &runtime : snapshot.runtimes) {
        if (!runtime.sandbox.isNull())
            m_runtimes.insert(runtime.sandbox, runtime);
    }
    QList<SandboxView> rows = snapshot.sandboxes;
    for (const SandboxView &known : std::as_const(m_rows)) {
        // A snapshot has the live rows only; deleted ones came by ListSandboxes.
        const bool listed = std::any_of(rows.cbegin(), rows.cend(),
                                        [&known](const auto &row) { return row.id == known.id; });
        if (!listed && isDeleted(known))
            rows.append(known);
    }
    setRows(rows);
}

void SandboxModel::setRows(const QList<SandboxView> &rows)
{
    QList<SandboxView> sorted = rows;
    std::stable_sort(sorted.begin(), sorted.end(), [this](const auto &a, const auto &b) {
        if (isDeleted(a) != isDeleted(b))
            return isDeleted(b);
        if (a.agent != b.agent)
            return QString::localeAwareCompare(agentName(a.agent), agentName(b.agent)) < 0;
        return QString::localeAwareCompare(a.alias, b.alias) < 0;
    });
    const bool same = sorted.size() == m_rows.size()
        && std::equal(sorted.cbegin(), sorted.cend(), m_rows.cbegin(),
                      [](const auto &a, const auto &b) { return a.id == b.id; });
    if (!same) {
        beginResetModel();
        m_rows = sorted;
        endResetModel();
        Q_EMIT setChanged();
        return;
    }
    const bool changed = sorted != m_rows;
    m_rows = sorted;
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    if (changed)
        Q_EMIT setChanged();
}

void SandboxModel::update(const SandboxView &row)
{
    QList<SandboxView> rows = m_rows;
    const auto known = std::find_if(rows.begin(), rows.end(),
                                    [&row](const auto &one) { return one.id == row.id; });
    if (known == rows.end())
        rows.append(row);
    else
        *known = row;
    setRows(rows);
}

void SandboxModel::tick()
{
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, Runtime), index(rowCount() - 1, LastSeen));
}

const SandboxView *SandboxModel::find(const domain::SandboxId &sandbox) const
{
    const QModelIndex at = indexOf(sandbox);
    return at.isValid() ? &m_rows.at(at.row()) : nullptr;
}

const RuntimeView *SandboxModel::runtimeOf(const domain::SandboxId &sandbox) const
{
    const auto found = m_runtimes.constFind(sandbox);
    return found == m_runtimes.cend() ? nullptr : &*found;
}

QList<application::ThreadView> SandboxModel::threadsOf(const domain::SandboxId &sandbox) const
{
    QList<application::ThreadView> list;
    std::copy_if(m_threads.cbegin(), m_threads.cend(), std::back_inserter(list),
                 [&sandbox](const auto &thread) { return thread.sandbox == sandbox; });
    return list;
}

QString SandboxModel::agentName(const domain::AgentId &agent) const
{
    return m_agents.value(agent.toString(), agent.toString());
}

QModelIndex SandboxModel::indexOf(const domain::SandboxId &sandbox) const
{
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
        if (m_rows[i].id == sandbox)
            return index(i, 0);
    }
    return {};
}

QList<domain::SandboxId> SandboxModel::leftRunning() const
{
    QList<domain::SandboxId> left;
    for (const SandboxView &row : m_rows) {
        const RuntimeView *runtime = runtimeOf(row.id);
        if (isDeleted(row) && runtime && runtime->observed == domain::ObservedState::Running)
            left.append(row.id);
    }
    return left;
}

StateText SandboxModel::stateOfRow(const SandboxView &row, bool withAge) const
{
    // Not to be seen from here: what it is now is not known.
    if (!row.notice.isEmpty())
        return {QStringLiteral("—"), Tone::Neutral, Dot::None};
    const RuntimeView *runtime = runtimeOf(row.id);
    if (!runtime || !isThere(*runtime)) {
        if (!runtime && !row.observed.isEmpty() && row.observed != QLatin1String("gone")
            && row.observed != QLatin1String("unknown"))
            return {row.observed, Tone::Neutral, Dot::Ring};
        return {QStringLiteral("—"), Tone::Neutral, Dot::None};
    }
    StateText state = stateOf(*runtime);
    if (isDeleted(row) && runtime->observed == domain::ObservedState::Running)
        return {tr("Still running"), Tone::Error, Dot::Filled};
    const qint64 age =
        runtime->observedAt.isValid() ? runtime->observedAt.secsTo(domain::nowUtc()) : 0;
    if (withAge && age > kFreshSeconds)
        state.word = tr("%1 · %2 ago", "state and age").arg(state.word, shortSpan(age));
    return state;
}

QString SandboxModel::text(const SandboxView &row, int column) const
{
    switch (column) {
    case Agent:
        return agentName(row.agent);
    case Alias:
        return row.alias;
    case Type:
        return row.providerConfig.isNull() ? row.type : row.providerConfig.toString();
    case Lifecycle:
        if (row.status == QLatin1String("pending"))
            return tr("pending");
        if (row.status == QLatin1String("provisioned"))
            return tr("provisioned");
        return isDeleted(row) ? tr("deleted") : row.status;
    case Runtime:
        return stateOfRow(row).word;
    case External: {
        const RuntimeView *runtime = runtimeOf(row.id);
        const QString id = !runtime   ? QString()
            : runtime->name.isEmpty() ? runtime->externalId
                                      : runtime->name;
        return id.isEmpty() ? QStringLiteral("—") : id;
    }
    case Threads: {
        const int known = static_cast<int>(threadsOf(row.id).size());
        return QLocale().toString(qMax(known, row.threads));
    }
    case LastSeen:
        return agoText(row.lastSeenAt, domain::nowUtc());
    default:
        return {};
    }
}

QString SandboxModel::why(const SandboxView &row, int column) const
{
    const RuntimeView *runtime = runtimeOf(row.id);
    switch (column) {
    case Lifecycle:
        if (row.status == QLatin1String("pending"))
            return tr("Nothing is made at the provider until it is needed.");
        return isDeleted(row) ? tr("Its threads stay readable. It can be restored.") : QString();
    case Runtime:
        if (!row.notice.isEmpty())
            return row.notice;
        if (!runtime)
            return tr("The provider shows nothing of it.");
        if (runtime->unreachable || !runtime->lastError.isEmpty())
            return careReason(*runtime);
        return runtime->observedAt.isValid()
            ? tr("As %1 said %2.")
                  .arg(runtime->providerLabel, agoText(runtime->observedAt, domain::nowUtc()))
            : QString();
    case External:
        return runtime ? runtime->externalId : tr("There is no instance of it.");
    default:
        return {};
    }
}

int SandboxModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SandboxModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SandboxModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SandboxView &row = m_rows.at(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        // A row that is not to be seen from here says why where its state would stand.
        return column == Runtime && !row.notice.isEmpty()
            ? tr("— %1", "no state, and why").arg(row.notice)
            : text(row, column);
    case Qt::AccessibleTextRole: {
        if (column == More)
            return tr("Actions");
        if (column != Agent)
            return data(index, Qt::DisplayRole);
        QStringList parts{tr("%1 of %2", "sandbox of agent").arg(row.alias, agentName(row.agent))};
        for (const int at : {Type, Lifecycle, Runtime, Threads, LastSeen})
            parts.append(tr("%1 %2", "heading and value")
                             .arg(headerData(at, Qt::Horizontal, Qt::DisplayRole).toString(),
                                  data(index.siblingAtColumn(at), Qt::DisplayRole).toString()));
        return parts.join(QStringLiteral(", "));
    }
    case Qt::ToolTipRole:
        return toolTipOf(why(row, column));
    case IdRole:
        return row.id.toString();
    case AgentIdRole:
        return row.agent.toString();
    case TypeRole:
        return row.type;
    case DeletedRole:
        return isDeleted(row);
    case PastRole: {
        const RuntimeView *runtime = runtimeOf(row.id);
        return isDeleted(row) && !(runtime && isThere(*runtime));
    }
    case SearchRole:
        return QStringList{agentName(row.agent), row.alias, text(row, Type), row.label,
                           text(row, External)}
            .join(QLatin1Char('\n'));
    case CardTable::MoreRole:
        return column == More;
    case CardTable::ToneRole:
        if (column == Lifecycle)
            return static_cast<int>(lifecycleTone(row));
        if (column == Runtime && stateOfRow(row).dot != Dot::None)
            return static_cast<int>(stateOfRow(row).tone);
        return {};
    case CardTable::DotRole:
        return column == Runtime ? QVariant(static_cast<int>(stateOfRow(row).dot)) : QVariant();
    case CardTable::TextRoleRole:
        if (column == Alias)
            return static_cast<int>(TextRole::BodyStrong);
        return static_cast<int>(column == External ? TextRole::MonoSmall : TextRole::Body);
    case CardTable::InkRole:
        return static_cast<int>(column == Agent || column == Alias ? Ink::Text : Ink::Secondary);
    default:
        return {};
    }
}

QVariant SandboxModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Agent:
        return tr("Agent");
    case Alias:
        return tr("Alias");
    case Type:
        return tr("Type");
    case Lifecycle:
        return tr("Lifecycle");
    case Runtime:
        return tr("Runtime");
    case External:
        return tr("External id");
    case Threads:
        return tr("Threads");
    case LastSeen:
        return tr("Last seen");
    default:
        return {};
    }
}

SandboxFilterModel::SandboxFilterModel(QObject *parent) : QSortFilterProxyModel(parent) {}

void SandboxFilterModel::setAgent(const QString &agent)
{
    m_agent = agent;
    invalidateFilter();
}

void SandboxFilterModel::setType(const QString &type)
{
    m_type = type;
    invalidateFilter();
}

void SandboxFilterModel::setText(const QString &text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

void SandboxFilterModel::setDeleted(bool shown)
{
    m_deleted = shown;
    invalidateFilter();
}

bool SandboxFilterModel::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex at = sourceModel()->index(row, 0, parent);
    if (at.data(SandboxModel::PastRole).toBool() && !m_deleted)
        return false;
    if (!m_agent.isEmpty() && at.data(SandboxModel::AgentIdRole).toString() != m_agent)
        return false;
    if (!m_type.isEmpty() && at.data(SandboxModel::TypeRole).toString() != m_type)
        return false;
    return m_text.isEmpty()
        || at.data(SandboxModel::SearchRole).toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace berth::ui
