// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QTabBar>

namespace berth::ui {

//! Terminals side by side, each with its close button.
class TerminalTabs final : public QTabBar
{
    Q_OBJECT
public:
    explicit TerminalTabs(QWidget *parent = nullptr);

    void setTitle(int index, const QString &title);
    [[nodiscard]] QString title(int index) const;
    //! A terminal \a ended is shown in a quieter ink.
    void setEnded(int index, bool ended);

Q_SIGNALS:
    void closeClicked(int index);

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;
    void tabInserted(int index) override;
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace berth::ui
