// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QAbstractListModel>

namespace berth::ui {

//! One row per provider config, or per kind that has none yet, in the Engine's order.
class ProviderModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role {
        ConfigRole = Qt::UserRole + 1,
        //! application::ProviderView
        ViewRole,
        StateTextRole,
        UsableRole,
    };

    explicit ProviderModel(QObject *parent = nullptr);

    void setProviders(const QList<application::ProviderView> &providers);
    void apply(const application::Event &event);
    void update(const application::ProviderView &provider);

    [[nodiscard]] const QList<application::ProviderView> &providers() const { return m_providers; }
    [[nodiscard]] const application::ProviderView *find(const domain::ConfigName &config) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

Q_SIGNALS:
    void providerChanged(const berth::domain::ConfigName &config);

private:
    QList<application::ProviderView> m_providers;
};

} // namespace berth::ui
