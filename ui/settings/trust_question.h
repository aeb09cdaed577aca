// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"
#include "ui/widgets/banner.h"

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

//! Where a provider's key would go, or which variables its file would read, before anything does.
//! Not seen while there is nothing to confirm.
class TrustQuestion final : public QWidget
{
    Q_OBJECT
public:
    explicit TrustQuestion(application::EngineClient &client, QWidget *parent = nullptr);

    void setProvider(const application::ProviderView &provider);
    [[nodiscard]] Banner *banner() const { return m_banner; }
    [[nodiscard]] Button *confirmButton() const { return m_confirm; }

Q_SIGNALS:
    void confirmed(const berth::application::ProviderView &provider);
    void failed(const berth::domain::Error &error);

private:
    void send();

    application::EngineClient &m_client;
    Banner *m_banner;
    Button *m_confirm;
    //! What is shown, and so all that is confirmed.
    application::ProviderView m_shown;
};

} // namespace berth::ui
