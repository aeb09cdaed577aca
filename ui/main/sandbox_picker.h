// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"
#include "ui/widgets/popover.h"

#include <QtCore/QPersistentModelIndex>
#include <QtWidgets/QPushButton>

class QListView;

namespace berth::ui {

class SandboxChoiceModel;

//! The list that opens below the picker.
class SandboxPopover final : public Popover
{
    Q_OBJECT
public:
    explicit SandboxPopover(SandboxChoiceModel &model, QWidget *parent = nullptr);

    void openAt(QWidget *anchor, const QString &chosen);
    [[nodiscard]] QListView *list() const { return m_list; }

Q_SIGNALS:
    void chosen(const QString &key);
    void setUpRequested(const berth::domain::ConfigName &config);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void activate(const QModelIndex &index);
    SandboxChoiceModel &m_model;
    QListView *m_list;
};

//! Where the new thread will run.
class SandboxPicker final : public QPushButton
{
    Q_OBJECT
public:
    explicit SandboxPicker(SandboxChoiceModel &model, QWidget *parent = nullptr);

    [[nodiscard]] const QString &key() const { return m_key; }
    //! Also one that is not there yet: it is shown as soon as it is.
    void setKey(const QString &key);
    //! The chosen one is there and can be used.
    [[nodiscard]] bool isUsable() const;
    void openList();
    [[nodiscard]] SandboxPopover *popover() const { return m_popover; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void keyChosen(const QString &key);
    void changed();
    void setUpRequested(const berth::domain::ConfigName &config);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void refresh();
    SandboxChoiceModel &m_model;
    SandboxPopover *m_popover;
    QString m_key;
    QString m_mark;
    QString m_label;
};

} // namespace berth::ui
