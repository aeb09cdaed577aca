// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QString>

#include <functional>
#include <memory>
#include <optional>

namespace berth::domain {
class AccessStore;
class ConversationStore;
class KeyStore;
class ModelFactory;
class TrustStore;
} // namespace berth::domain

namespace berth::application {

class Clock;

//! Directories of one Engine; all exist and are private (0700) before it starts.
struct EnginePaths
{
    QString data;
    //! Provider config files.
    QString sandboxes;
    //! Output of tool calls.
    QString output;
    //! Sockets and the guest runner; gone after a reboot.
    QString runtime;
    //! models.json, gateway.json, hooks.json.
    QString config;
};

struct EngineSettings
{
    EnginePaths paths;
    QString version;
    //! Value of an environment variable of this process, for ${NAME} in provider config files.
    std::function<std::optional<QString>(const QString &)> environment;
    //! Empty: the system's.
    std::shared_ptr<Clock> clock;
    //! The desktop's; empty: there is none.
    std::shared_ptr<domain::KeyStore> keyStore;
    //! Makes clients of models; empty: no model can be asked.
    std::shared_ptr<domain::ModelFactory> models;
    //! Outlives the Engine; null: what is confirmed is forgotten at its end.
    domain::TrustStore *trust = nullptr;
    //! Outlives the Engine; null: the HTTP API has no tokens but the one in the file.
    domain::AccessStore *access = nullptr;
    //! Outlives the Engine; null: agents cannot answer.
    domain::ConversationStore *conversations = nullptr;
};

} // namespace berth::application
