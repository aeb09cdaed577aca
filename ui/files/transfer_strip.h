// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/files/transfer_queue.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::ui {

class Button;
class ElidedLabel;
class ProgressLine;

//! The transfers of the window, a row each, with what can be done about them.
class TransferStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit TransferStrip(TransferQueue &queue, QWidget *parent = nullptr);
    ~TransferStrip() override;

    //! Of one row; for tests.
    [[nodiscard]] QString textOf(int id) const;
    [[nodiscard]] Button *buttonOf(int id, int index) const;

private:
    struct Row;
    void refresh(int id);
    void remove(int id);
    void makeRoom();
    Row *row(int id) const;

    TransferQueue &m_queue;
    QVBoxLayout *m_column;
    QList<Row *> m_rows;
};

//! What one row says: "Uploading notes.txt · 3 of 12 MB".
QString transferText(const TransferQueue::Item &item);

} // namespace berth::ui
