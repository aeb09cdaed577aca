// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/codec.h"
#include "application/contract/commands.h"
#include "application/contract/events.h"

#include <functional>

namespace berth::test {

//! The hooks and the HTTP API of a ScriptedEngine.
class ScriptedSecurity
{
public:
    using Tell = std::function<void(application::EventBody)>;

    explicit ScriptedSecurity(Tell tell) : m_tell(std::move(tell)) {}

    application::HookList hooks;
    application::ApiView api;
    application::TokenList tokens;
    //! What the next token is; told once, by NewToken.
    QByteArray nextSecret = "berth_0123456789abcdef";

    //! Answers commands of this group; nullopt: not one of them.
    std::optional<domain::Result<application::Payload>> serve(
        const QString &command, const application::Payload &arguments);

private:
    Tell m_tell;
};

} // namespace berth::test
