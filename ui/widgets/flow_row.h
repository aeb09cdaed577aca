// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtWidgets/QWidget>

namespace berth::ui {

//! Widgets side by side at their own width; what does not fit goes to further lines.
class FlowRow final : public QWidget
{
    Q_OBJECT
public:
    explicit FlowRow(QWidget *parent = nullptr);

    //! Takes \a widget over.
    void addWidget(QWidget *widget);
    //! Pushed to the far end of its line.
    void addAtEnd(QWidget *widget);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    int arrange(int width, bool apply) const;

    QList<QWidget *> m_widgets;
    QWidget *m_end = nullptr;
};

} // namespace berth::ui
