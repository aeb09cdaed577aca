// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QDialog>

namespace berth::ui {

class Button;

//! Says what destroy takes away and where. Return and Esc both leave everything as it is.
class DestroyDialog final : public QDialog
{
    Q_OBJECT
public:
    DestroyDialog(const QString &name, const application::RuntimeView &runtime, QWidget *parent);

    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Button *destroyButton() const { return m_destroy; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Button *m_cancel;
    Button *m_destroy;
};

} // namespace berth::ui
