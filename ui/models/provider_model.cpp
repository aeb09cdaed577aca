// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/provider_model.h"

#include "ui/widgets/tool_tip.h"

namespace berth::ui {

ProviderModel::ProviderModel(QObject *parent) : QAbstractListModel(parent) {}

void ProviderModel::setProviders(const QList<application::ProviderView> &providers)
{
    // Mostly the same configs with another state: then open forms and selections stay.
    bool same = providers.size() == m_providers.size();
    for (qsizetype i = 0; same && i < providers.size(); ++i)
        same = providers[i].config == m_providers[i].config;
    if (same) {
        for (const application::ProviderView &provider : providers)
            update(provider);
        return;
    }
    beginResetModel();
    m_providers = providers;
    endResetModel();
}

void ProviderModel::apply(const application::Event &event)
{
    if (const auto *changed = std::get_if<application::ProviderChanged>(&event.body))
        update(changed->provider);
}

void ProviderModel::update(const application::ProviderView &provider)
{
    for (qsizetype i = 0; i < m_providers.size(); ++i) {
        if (m_providers[i].config != provider.config)
            continue;
        if (m_providers[i] == provider)
            return;
        m_providers[i] = provider;
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed);
        Q_EMIT providerChanged(provider.config);
        return;
    }
    const int row = static_cast<int>(m_providers.size());
    beginInsertRows({}, row, row);
    m_providers.append(provider);
    endInsertRows();
    Q_EMIT providerChanged(provider.config);
}

const application::ProviderView *ProviderModel::find(const domain::ConfigName &config) const
{
    for (const application::ProviderView &provider : m_providers) {
        if (provider.config == config)
            return &provider;
    }
    return nullptr;
}

int ProviderModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_providers.size());
}

QVariant ProviderModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const application::ProviderView &provider = m_providers.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return provider.label;
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(provider.label, provider.stateText);
    case Qt::ToolTipRole:
        return toolTipOf(provider.stateDetail);
    case ConfigRole:
        return provider.config.toString();
    case ViewRole:
        return QVariant::fromValue(provider);
    case StateTextRole:
        return provider.stateText;
    case UsableRole:
        return provider.usable;
    default:
        return {};
    }
}

QHash<int, QByteArray> ProviderModel::roleNames() const
{
    QHash<int, QByteArray> names = QAbstractListModel::roleNames();
    names.insert(ConfigRole, QByteArrayLiteral("config"));
    names.insert(ViewRole, QByteArrayLiteral("view"));
    names.insert(StateTextRole, QByteArrayLiteral("stateText"));
    names.insert(UsableRole, QByteArrayLiteral("usable"));
    return names;
}

} // namespace berth::ui
