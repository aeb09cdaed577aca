// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/switching_client.h"

#include "async/post.h"

namespace berth::bootstrap {

SwitchingClient::~SwitchingClient() = default;

void SwitchingClient::setTarget(std::unique_ptr<application::EngineClient> target,
                                const QString &reason)
{
    const bool wasConnected = isConnected();
    if (m_target) {
        m_target->disconnect(this);
        // It may be telling us of its own end just now.
        m_target.release()->deleteLater();
    }
    m_target = std::move(target);
    if (m_target) {
        connect(m_target.get(), &EngineClient::event, this, &EngineClient::event);
        connect(m_target.get(), &EngineClient::connectionChanged, this,
                &EngineClient::connectionChanged);
    }
    if (wasConnected || !m_target)
        Q_EMIT connectionChanged(false, reason);
    if (isConnected())
        Q_EMIT connectionChanged(true, {});
}

void SwitchingClient::dropTarget(const QString &reason)
{
    const bool wasConnected = isConnected();
    m_target.reset();
    if (wasConnected)
        Q_EMIT connectionChanged(false, reason);
}

void SwitchingClient::submit(domain::RequestId id, const QString &command,
                             application::Payload arguments, Done done)
{
    if (m_target) {
        m_target->submit(id, command, std::move(arguments), std::move(done));
        return;
    }
    async::post(this, [done = std::move(done)] {
        done(domain::failure(domain::ErrorKind::Unavailable,
                             QStringLiteral("Berth's Engine is not there"),
                             QStringLiteral("It is being started; try again in a moment.")));
    });
}

void SwitchingClient::cancel(const domain::RequestId &id)
{
    if (m_target)
        m_target->cancel(id);
}

bool SwitchingClient::isConnected() const
{
    return m_target && m_target->isConnected();
}

} // namespace berth::bootstrap
