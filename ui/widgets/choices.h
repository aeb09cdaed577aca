// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtCore/QPair>
#include <QtWidgets/QAbstractButton>

class QButtonGroup;

namespace berth::ui {

class Button;

//! On or off, at once.
class Switch final : public QAbstractButton
{
    Q_OBJECT
public:
    explicit Switch(const QString &name, QWidget *parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
};

//! One of a few, side by side; wraps to further lines when narrow.
class RadioChips final : public QWidget
{
    Q_OBJECT
public:
    explicit RadioChips(QWidget *parent = nullptr);

    //! value, shown text
    void setChoices(const QList<QPair<QString, QString>> &choices);
    [[nodiscard]] QString value() const;
    //! One that is no choice: none is chosen.
    void setValue(const QString &value);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    //! By the user.
    void valueChosen(const QString &value);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int arrange(int width, bool apply) const;
    void refresh();
    QButtonGroup *m_group;
    QList<QPair<QString, Button *>> m_chips;
};

} // namespace berth::ui
