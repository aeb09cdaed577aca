// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QWidget>

class QHBoxLayout;

namespace berth::ui {

class ElidedLabel;

//! The strip of 56 px above each page: title, what belongs to it, and at the far end its actions.
class PageHeader final : public QWidget
{
    Q_OBJECT
public:
    explicit PageHeader(const QString &title, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    [[nodiscard]] QString title() const;
    //! Right behind the title.
    void addBesideTitle(QWidget *widget);
    //! At the far end.
    void addAction(QWidget *widget);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ElidedLabel *m_title;
    QHBoxLayout *m_beside;
    QHBoxLayout *m_actions;
};

} // namespace berth::ui
