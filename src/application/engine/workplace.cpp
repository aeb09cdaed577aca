// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/engine/workplace.h"

#include "application/sandboxes/isolation.h"
#include "domain/agent/default_agent.h"

namespace berth::application {

namespace {

Workplace ofThread(const Engine::Services &services, const domain::ThreadId &id)
{
    const std::optional<domain::Thread> thread = services.threads.thread(id);
    return thread ? services.sandboxes.sandbox(thread->sandbox) : std::nullopt;
}

Workplace ofTarget(const Engine::Services &services, const QString &target)
{
    const domain::Result<domain::Thread> meant = services.threads.targetOf(target);
    return meant ? services.sandboxes.sandbox(meant->sandbox) : std::nullopt;
}

Workplace ofProcess(const Engine::Services &services, const domain::ProcessId &id)
{
    const std::optional<domain::LeaseId> lease = services.processes.leaseOf(id);
    const LeaseController *controller = lease ? services.sandboxes.controllerOf(*lease) : nullptr;
    return controller ? services.sandboxes.sandbox(controller->lease().sandbox) : std::nullopt;
}

} // namespace

Workplace workplaceOf(const Engine::Services &services, const NewThread &command)
{
    if (!command.sandbox.isNull())
        return services.sandboxes.findSandbox(command.agent.isNull() ? domain::defaultAgent()
                                                                     : command.agent,
                                              command.sandbox.toString());
    if (command.config.isNull())
        return std::nullopt;
    domain::Sandbox made;
    made.providerConfig = command.config;
    return made;
}

Workplace workplaceOf(const Engine::Services &services, const SendMessage &command)
{
    return ofThread(services, command.thread);
}

Workplace workplaceOf(const Engine::Services &services, const EditMessage &command)
{
    return ofThread(services, command.thread);
}

Workplace workplaceOf(const Engine::Services &services, const ContinueRun &command)
{
    return ofThread(services, command.thread);
}

Workplace workplaceOf(const Engine::Services &services, const RetryRunNow &command)
{
    return ofThread(services, command.thread);
}

Workplace workplaceOf(const Engine::Services &services, const Exec &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const StartProcess &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const WriteProcess &command)
{
    return ofProcess(services, command.process);
}

Workplace workplaceOf(const Engine::Services &services, const ListFiles &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const StatFile &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const ReadFile &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const OpenUpload &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const MakeFolder &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const RenameFile &command)
{
    return ofTarget(services, command.target);
}

Workplace workplaceOf(const Engine::Services &services, const RemoveFile &command)
{
    return ofTarget(services, command.target);
}

domain::Result<void> mayWorkIn(const CommandContext &context, const Workplace &place)
{
    if (context.mayApprove() || !place || !isPassthrough(context.services.providers, *place))
        return {};
    return domain::failure(
        domain::ErrorKind::Forbidden,
        QStringLiteral("This sandbox has no isolation, and the token may not approve"),
        QStringLiteral("Do it in Berth's window or by berth-cli."));
}

} // namespace berth::application
