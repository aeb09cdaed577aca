// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtCore/QSortFilterProxyModel>

namespace berth::ui {

//! The runtimes in the order and choice of the Resources page. Rows keep their places until
//! somebody asks for another order or rows come: a measurement alone never moves a card.
class RuntimeSortModel final : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    enum class Order { Name, Cpu, Memory, Newest };

    explicit RuntimeSortModel(QObject *parent = nullptr);

    void setSourceModel(QAbstractItemModel *model) override;

    void setOrder(Order order);
    [[nodiscard]] Order order() const { return m_order; }
    //! Runtimes of one provider config stand together, in the order of their labels.
    void setGrouped(bool grouped);
    [[nodiscard]] bool isGrouped() const { return m_grouped; }
    //! Empty: every provider's.
    void setProviderConfig(const QString &config);
    [[nodiscard]] QString providerConfig() const { return m_config; }
    //! Each word must occur in the name, thread titles, image, state or ids.
    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text; }

    //! Puts every row at its place by its present values.
    void resort();

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    Order m_order = Order::Name;
    bool m_grouped = true;
    QString m_config;
    QString m_text;
};

} // namespace berth::ui
