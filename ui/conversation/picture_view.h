// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGui/QImage>
#include <QtWidgets/QDialog>

namespace berth::ui {

//! One picture in a window of its own, as large as that is. Esc closes it.
class PictureView final : public QDialog
{
    Q_OBJECT
public:
    //! \a words: name and size, also for assistive technology.
    PictureView(const QImage &image, const QString &words, QWidget *parent = nullptr);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QImage m_image;
};

} // namespace berth::ui
