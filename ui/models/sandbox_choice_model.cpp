// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sandbox_choice_model.h"

#include "ui/models/isolation_text.h"
#include "ui/models/runtime_text.h"

#include <algorithm>

namespace berth::ui {

using application::ProviderState;
using application::ProviderView;
using application::RuntimeView;
using application::SandboxView;

namespace {

constexpr QLatin1String kSandbox("sandbox:");

} // namespace

SandboxChoiceModel::SandboxChoiceModel(QObject *parent) : QAbstractListModel(parent) {}

QString SandboxChoiceModel::keyOf(const domain::ConfigName &config)
{
    return config.toString();
}

QString SandboxChoiceModel::keyOf(const domain::SandboxId &sandbox)
{
    return kSandbox + sandbox.toString();
}

domain::SandboxId SandboxChoiceModel::sandboxOf(const QString &key)
{
    return key.startsWith(kSandbox) ? domain::SandboxId(key.mid(kSandbox.size()))
                                    : domain::SandboxId();
}

domain::ConfigName SandboxChoiceModel::configOf(const QString &key)
{
    return key.startsWith(kSandbox) ? domain::ConfigName() : domain::ConfigName(key);
}

void SandboxChoiceModel::set(const application::Snapshot &snapshot, const domain::AgentId &agent)
{
    QList<Row> rows;
    if (!snapshot.providers.isEmpty())
        rows.append({tr("New sandbox")});
    for (const ProviderView &provider : snapshot.providers) {
        Row row;
        row.key = keyOf(provider.config);
        row.mark = provider.mark;
        // A further config of a kind is told apart by its file's name.
        const QString further = provider.config.toString().mid(provider.kind.size() + 1);
        row.label = provider.config.toString() == provider.kind || provider.label.contains(further)
            ? provider.label
            : tr("%1 · %2", "provider and config").arg(provider.label, provider.config.toString());
        row.summary = provider.summary;
        row.usable = provider.usable;
        row.config = provider.config;
        if (provider.usable) {
            const QString state = provider.stateText.left(1).toLower() + provider.stateText.mid(1);
            row.detail = provider.cost.isEmpty()
                ? provider.stateText
                : QStringLiteral("%1 · %2").arg(provider.cost, state);
            // Said by the second line whole; the first may be cut.
            if (hasNoIsolation(provider)) {
                row.detail = noIsolationWords();
                row.summary.clear();
            }
        } else {
            row.detail =
                provider.state == ProviderState::Checking ? tr("Checking…") : provider.stateText;
            // What the user can do about it is short.
            if (provider.state == ProviderState::NeedsKey && !provider.stateDetail.isEmpty())
                row.detail =
                    tr("%1: %2", "state and what to do")
                        .arg(provider.stateText,
                             provider.stateDetail.left(1).toLower() + provider.stateDetail.mid(1));
        }
        rows.append(row);
    }
    QString agentName = agent.toString();
    for (const auto &view : snapshot.agents) {
        if (view.id == agent)
            agentName = view.name;
    }
    bool first = true;
    for (const SandboxView &sandbox : snapshot.sandboxes) {
        if (sandbox.agent != agent || sandbox.status == QLatin1String("deleted"))
            continue;
        if (std::exchange(first, false))
            rows.append({tr("Sandboxes of %1").arg(agentName)});
        Row row;
        row.key = keyOf(sandbox.id);
        row.label = sandbox.alias;
        row.config = sandbox.providerConfig;
        const auto provider =
            std::find_if(snapshot.providers.cbegin(), snapshot.providers.cend(),
                         [&](const auto &p) { return p.config == sandbox.providerConfig; });
        const auto runtime =
            std::find_if(snapshot.runtimes.cbegin(), snapshot.runtimes.cend(), [&](const auto &r) {
                return !sandbox.lease.isNull() && r.lease == sandbox.lease;
            });
        if (provider != snapshot.providers.cend())
            row.mark = provider->mark;
        StateText state{tr("Not started yet"), Tone::Neutral, Dot::Ring};
        if (runtime != snapshot.runtimes.cend())
            state = stateOf(*runtime);
        row.tone = static_cast<int>(state.tone);
        row.dot = static_cast<int>(state.dot);
        row.summary =
            QStringLiteral("%1, %2").arg(sandbox.label.isEmpty() ? sandbox.type : sandbox.label,
                                         state.word.left(1).toLower() + state.word.mid(1));
        row.usable = provider == snapshot.providers.cend() || provider->usable;
        if (!row.usable)
            row.detail = provider->stateText;
        else if (sandbox.threads > 0)
            row.detail = sandbox.threads == 1
                ? tr("Has one thread so far; a second one shares its files")
                : tr("Shared by %n thread(s)", nullptr, sandbox.threads);
        if (row.usable && provider != snapshot.providers.cend() && hasNoIsolation(*provider))
            row.detail = noIsolationWords();
        rows.append(row);
    }
    if (rows == m_rows)
        return;
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

QModelIndex SandboxChoiceModel::indexOfKey(const QString &key) const
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (!key.isEmpty() && m_rows.at(row).key == key)
            return createIndex(row, 0);
    }
    return {};
}

QModelIndex SandboxChoiceModel::firstUsable() const
{
    for (int row = 0; row < m_rows.size(); ++row) {
        if (m_rows.at(row).usable && m_rows.at(row).heading.isEmpty())
            return createIndex(row, 0);
    }
    return {};
}

int SandboxChoiceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant SandboxChoiceModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return row.heading.isEmpty() ? row.label : row.heading;
    case Qt::AccessibleTextRole: {
        if (!row.heading.isEmpty())
            return row.heading;
        QStringList parts{row.label, row.summary, row.detail};
        parts.removeAll(QString());
        if (!row.usable)
            parts.append(tr("cannot be used yet, opens its settings"));
        return parts.join(QStringLiteral(", "));
    }
    case HeadingRole:
        return !row.heading.isEmpty();
    case KeyRole:
        return row.key;
    case MarkRole:
        return row.mark;
    case LabelRole:
        return row.label;
    case SummaryRole:
        return row.summary;
    case DetailRole:
        return row.detail;
    case UsableRole:
        return row.usable;
    case ConfigRole:
        return row.config.toString();
    case ToneRole:
        return row.tone;
    case DotRole:
        return row.dot;
    default:
        return {};
    }
}

Qt::ItemFlags SandboxChoiceModel::flags(const QModelIndex &index) const
{
    if (index.isValid() && !m_rows.at(index.row()).heading.isEmpty())
        return Qt::ItemNeverHasChildren;
    return QAbstractListModel::flags(index) | Qt::ItemNeverHasChildren;
}

} // namespace berth::ui
