// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/widgets/confirm_dialog.h"

namespace berth::ui {

//! Says what destroy takes away and where.
class DestroyDialog final : public ConfirmDialog
{
    Q_OBJECT
public:
    DestroyDialog(const QString &name, const application::RuntimeView &runtime, QWidget *parent);

    [[nodiscard]] Button *destroyButton() const { return actionButton(); }

private:
    static Words wordsFor(const QString &name, const application::RuntimeView &runtime);
};

} // namespace berth::ui
