// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runtime_model.h"

#include "ui/models/runtime_text.h"

#include <QtCore/QSet>

#include <algorithm>

namespace berth::ui {

using application::RuntimeView;

RuntimeModel::RuntimeModel(QObject *parent) : QAbstractListModel(parent) {}

RuntimeModel::~RuntimeModel() = default;

void RuntimeModel::setRuntimes(const QList<RuntimeView> &runtimes)
{
    QSet<QString> wanted;
    for (const RuntimeView &runtime : runtimes)
        wanted.insert(runtime.id);
    for (int i = static_cast<int>(m_rows.size()) - 1; i >= 0; --i) {
        if (wanted.contains(m_rows[static_cast<std::size_t>(i)]->view.id))
            continue;
        beginRemoveRows({}, i, i);
        m_rows.erase(m_rows.begin() + i);
        endRemoveRows();
    }
    for (const RuntimeView &runtime : runtimes)
        put(runtime);
    recount();
}

void RuntimeModel::setAgents(const QList<application::AgentView> &agents)
{
    m_agentNames.clear();
    for (const application::AgentView &agent : agents)
        m_agentNames.insert(agent.id.toString(), agent.name);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void RuntimeModel::apply(const application::Event &event)
{
    if (const auto *changed = std::get_if<application::RuntimeChanged>(&event.body))
        update(changed->runtime);
    else if (const auto *removed = std::get_if<application::RuntimeRemoved>(&event.body))
        remove(removed->runtime);
    else if (const auto *sampledNow = std::get_if<application::RuntimeSampled>(&event.body))
        addSample(sampledNow->runtime, sampledNow->sample);
}

void RuntimeModel::update(const RuntimeView &runtime)
{
    put(runtime);
    recount();
}

void RuntimeModel::put(const RuntimeView &runtime)
{
    const int row = rowOf(runtime.id);
    if (row < 0) {
        auto added = std::make_unique<Row>();
        added->view = runtime;
        if (runtime.sample)
            added->history.append(*runtime.sample);
        const int end = rowCount();
        beginInsertRows({}, end, end);
        m_rows.push_back(std::move(added));
        endInsertRows();
        return;
    }
    Row &known = *m_rows[static_cast<std::size_t>(row)];
    RuntimeView next = runtime;
    // A change of state need not carry the last measurement; what is known stays known, with its
    // age.
    if (!next.sample)
        next.sample = known.view.sample;
    else
        known.history.append(*next.sample);
    if (next == known.view)
        return;
    known.view = std::move(next);
    Q_EMIT dataChanged(index(row), index(row));
}

void RuntimeModel::addSample(const QString &id, const domain::ResourceSample &sample)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    Row &known = *m_rows[static_cast<std::size_t>(row)];
    known.history.append(sample);
    known.view.sample = sample;
    Q_EMIT dataChanged(index(row), index(row), {ViewRole, HistoryRole});
    Q_EMIT sampled(id);
}

void RuntimeModel::remove(const QString &id)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    beginRemoveRows({}, row, row);
    m_rows.erase(m_rows.begin() + row);
    endRemoveRows();
    recount();
}

void RuntimeModel::recount()
{
    Counts counts;
    for (const std::unique_ptr<Row> &row : m_rows) {
        const RuntimeView &view = row->view;
        ++counts.total;
        // An unreachable one is not counted as running: nobody knows.
        if (!view.unreachable && view.observed == domain::ObservedState::Running)
            ++counts.running;
        if (!view.unreachable && view.observed == domain::ObservedState::Paused)
            ++counts.paused;
        if (needsCare(view))
            ++counts.needsCare;
        if (view.orphan)
            ++counts.orphans;
        if (view.unreachable)
            ++counts.unreachable;
    }
    if (counts == m_counts)
        return;
    m_counts = counts;
    Q_EMIT countsChanged();
}

int RuntimeModel::rowOf(const QString &id) const
{
    const auto it =
        std::find_if(m_rows.begin(), m_rows.end(),
                     [&id](const std::unique_ptr<Row> &row) { return row->view.id == id; });
    return it == m_rows.end() ? -1 : static_cast<int>(it - m_rows.begin());
}

const RuntimeView *RuntimeModel::find(const QString &id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_rows[static_cast<std::size_t>(row)]->view;
}

const SampleHistory *RuntimeModel::history(const QString &id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &m_rows[static_cast<std::size_t>(row)]->history;
}

QString RuntimeModel::nameOf(const RuntimeView &runtime) const
{
    if (runtime.orphan || runtime.alias.isEmpty())
        return runtime.name.isEmpty() ? runtime.externalId : runtime.name;
    const QString agent = runtime.agent.toString();
    return tr("%1 / %2", "agent / alias of a sandbox")
        .arg(m_agentNames.value(agent, agent), runtime.alias);
}

int RuntimeModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant RuntimeModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = *m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return nameOf(row.view);
    case Qt::AccessibleTextRole:
        return accessibleText(row);
    case IdRole:
        return row.view.id;
    case ViewRole:
        return QVariant::fromValue(row.view);
    case HistoryRole:
        return QVariant::fromValue<const SampleHistory *>(&row.history);
    case StateTextRole:
        return stateOf(row.view).word;
    case ProviderConfigRole:
        return row.view.providerConfig.toString();
    case ProviderLabelRole:
        return row.view.providerLabel;
    case ThreadTitleRole:
        if (row.view.orphan)
            return tr("not in this database");
        if (row.view.threads.isEmpty())
            return tr("no thread");
        if (row.view.threads.size() > 1)
            return tr("%1 and %n more", nullptr, static_cast<int>(row.view.threads.size()) - 1)
                .arg(row.view.threads.first().title);
        return row.view.threads.first().title;
    case BusyRole:
        return row.view.busy;
    case NeedsCareRole:
        return needsCare(row.view);
    default:
        return {};
    }
}

QString RuntimeModel::accessibleText(const Row &row) const
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto spoken = [](const QString &label, const MetricText &metric) {
        if (!metric.known)
            return tr("%1 unknown: %2").arg(label, metric.reason);
        return metric.of.isEmpty()
            ? tr("%1 %2").arg(label, metric.value)
            : tr("%1 %2 %3", "CPU 62 % of 2 cores").arg(label, metric.value, metric.of);
    };
    const QStringList parts{nameOf(row.view),
                            row.view.providerLabel,
                            stateOf(row.view).word,
                            ageOf(row.view, now),
                            spoken(tr("CPU"), cpuOf(row.view, now)),
                            spoken(tr("memory"), memoryOf(row.view, now)),
                            spoken(tr("disk"), diskOf(row.view, now)),
                            careReason(row.view)};
    QStringList said;
    for (const QString &part : parts) {
        if (!part.isEmpty())
            said.append(part);
    }
    return said.join(QStringLiteral(", "));
}

QHash<int, QByteArray> RuntimeModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names.insert(IdRole, QByteArrayLiteral("id"));
    names.insert(ViewRole, QByteArrayLiteral("view"));
    names.insert(HistoryRole, QByteArrayLiteral("history"));
    names.insert(NameRole, QByteArrayLiteral("name"));
    names.insert(StateTextRole, QByteArrayLiteral("stateText"));
    names.insert(ProviderConfigRole, QByteArrayLiteral("providerConfig"));
    names.insert(ProviderLabelRole, QByteArrayLiteral("providerLabel"));
    names.insert(ThreadTitleRole, QByteArrayLiteral("threadTitle"));
    names.insert(BusyRole, QByteArrayLiteral("busy"));
    names.insert(NeedsCareRole, QByteArrayLiteral("needsCare"));
    return names;
}

} // namespace berth::ui
