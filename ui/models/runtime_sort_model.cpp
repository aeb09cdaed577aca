// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runtime_sort_model.h"

#include "ui/models/runtime_model.h"

namespace berth::ui {

using application::RuntimeView;

namespace {

RuntimeView viewAt(const QModelIndex &index)
{
    return index.data(RuntimeModel::ViewRole).value<RuntimeView>();
}

//! Unknown goes last, whatever the order.
template <typename T>
int descending(const std::optional<T> &left, const std::optional<T> &right)
{
    if (!left || !right)
        return static_cast<int>(right.has_value()) - static_cast<int>(left.has_value());
    return *left == *right ? 0 : (*left > *right ? -1 : 1);
}

} // namespace

RuntimeSortModel::RuntimeSortModel(QObject *parent) : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(false);
}

void RuntimeSortModel::setSourceModel(QAbstractItemModel *model)
{
    QSortFilterProxyModel::setSourceModel(model);
    // After the proxy's own slots, which append the new rows.
    connect(model, &QAbstractItemModel::rowsInserted, this, &RuntimeSortModel::resort);
    resort();
}

void RuntimeSortModel::setOrder(Order order)
{
    m_order = order;
    resort();
}

void RuntimeSortModel::setGrouped(bool grouped)
{
    m_grouped = grouped;
    resort();
}

void RuntimeSortModel::setProviderConfig(const QString &config)
{
    if (config == m_config)
        return;
    m_config = config;
    invalidateFilter();
    resort();
}

void RuntimeSortModel::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    invalidateFilter();
    resort();
}

void RuntimeSortModel::resort()
{
    sort(0);
}

bool RuntimeSortModel::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const RuntimeView view = viewAt(index);
    if (!m_config.isEmpty() && view.providerConfig.toString() != m_config)
        return false;
    const QStringList words = m_text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.isEmpty())
        return true;
    QStringList searched{index.data(RuntimeModel::NameRole).toString(),
                         index.data(RuntimeModel::StateTextRole).toString(),
                         view.providerLabel,
                         view.name,
                         view.image,
                         view.externalId,
                         view.id};
    for (const application::ThreadLink &thread : view.threads)
        searched.append(thread.title);
    const QString all = searched.join(QLatin1Char('\n'));
    for (const QString &word : words) {
        if (!all.contains(word, Qt::CaseInsensitive))
            return false;
    }
    return true;
}

bool RuntimeSortModel::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const RuntimeView a = viewAt(left);
    const RuntimeView b = viewAt(right);
    if (m_grouped && a.providerConfig != b.providerConfig) {
        const int byLabel = a.providerLabel.localeAwareCompare(b.providerLabel);
        return byLabel ? byLabel < 0 : a.providerConfig < b.providerConfig;
    }
    // What no sandbox here knows comes after what one has to do with.
    if (a.orphan != b.orphan)
        return b.orphan;
    int order = 0;
    const auto ofSample = [](const RuntimeView &view, auto member) {
        using Value = std::decay_t<decltype((*view.sample).*member)>;
        return view.sample ? (*view.sample).*member : Value();
    };
    switch (m_order) {
    case Order::Name:
        break;
    case Order::Cpu:
        order = descending(ofSample(a, &domain::ResourceSample::cpuCores),
                           ofSample(b, &domain::ResourceSample::cpuCores));
        break;
    case Order::Memory:
        order = descending(ofSample(a, &domain::ResourceSample::memoryBytes),
                           ofSample(b, &domain::ResourceSample::memoryBytes));
        break;
    case Order::Newest:
        order = a.createdAt == b.createdAt ? 0 : (a.createdAt > b.createdAt ? -1 : 1);
        break;
    }
    if (order == 0) {
        order = left.data(RuntimeModel::NameRole)
                    .toString()
                    .localeAwareCompare(right.data(RuntimeModel::NameRole).toString());
    }
    return order ? order < 0 : a.id < b.id;
}

} // namespace berth::ui
