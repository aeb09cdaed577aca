// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/resources/runtime_actions.h"
#include "ui/widgets/banner.h"

namespace berth::ui {

//! What went wrong with one runtime, at the place where it was asked for: what, why, Copy details.
class FailureBanner final : public QWidget
{
    Q_OBJECT
public:
    explicit FailureBanner(RuntimeActions &actions, QWidget *parent = nullptr);

    //! Empty: none, and hidden.
    void showFor(const QString &runtime);
    [[nodiscard]] QString runtime() const { return m_runtime; }
    [[nodiscard]] Banner *banner() const { return m_banner; }

private:
    void refresh();

    RuntimeActions &m_actions;
    QString m_runtime;
    Banner *m_banner;
};

} // namespace berth::ui
