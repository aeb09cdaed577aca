// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <memory>

namespace berth::bootstrap {

//! An EngineClient whose other end may change: the Engine of another process, then one's own.
class SwitchingClient final : public application::EngineClient
{
    Q_OBJECT
public:
    using EngineClient::EngineClient;
    ~SwitchingClient() override;

    //! nullptr: none for now, \a reason says why.
    void setTarget(std::unique_ptr<application::EngineClient> target, const QString &reason = {});

    //! At once, before the Engine that it leads to goes; not from within a signal of the target.
    void dropTarget(const QString &reason);

    void submit(domain::RequestId id, const QString &command, application::Payload arguments,
                Done done) override;
    void cancel(const domain::RequestId &id) override;
    [[nodiscard]] bool isConnected() const override;

private:
    std::unique_ptr<application::EngineClient> m_target;
};

} // namespace berth::bootstrap
