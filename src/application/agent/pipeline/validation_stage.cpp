// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/pipeline/tool_pipeline.h"

namespace berth::application {

using domain::Async;
using domain::OutcomeKind;
using domain::Result;

namespace {

//! The tool is known and its arguments fit. A model gets told what is wrong and can mend it.
class ValidationStage final : public CallStage
{
public:
    explicit ValidationStage(PipelinePlaces places) : m_places(places) {}

    Async<void> pass(Flight flight, std::stop_token) override
    {
        if (flight->isAnswered)
            co_return Result<void>();
        if (!flight->problem.isEmpty()) {
            flight->answer(OutcomeKind::NotStarted, QStringLiteral("Error: ") + flight->problem);
            co_return Result<void>();
        }
        if (flight->run->sandbox.isNull()) {
            flight->answer(OutcomeKind::NotStarted,
                           QStringLiteral("Error: this thread has no sandbox, so there are no "
                                          "tools"));
            co_return Result<void>();
        }
        flight->tool = m_places.tools.find(flight->call.tool);
        if (!flight->tool) {
            QStringList names;
            for (const std::unique_ptr<Tool> &tool : m_places.tools.all())
                names << tool->spec().name;
            flight->answer(OutcomeKind::NotStarted,
                           QStringLiteral("Error: there is no tool \"%1\"; there are %2")
                               .arg(flight->call.tool, names.join(QStringLiteral(", "))));
            co_return Result<void>();
        }
        const Result<ToolArguments> arguments =
            readArguments(flight->tool->spec(), flight->call.arguments.toUtf8());
        if (!arguments) {
            flight->answer(OutcomeKind::NotStarted,
                           QStringLiteral("Error: ") + arguments.error().message);
        } else {
            flight->arguments = *arguments;
            flight->call.arguments = canonicalArguments(flight->tool->spec(), *arguments);
        }
        co_return Result<void>();
    }

private:
    PipelinePlaces m_places;
};

} // namespace

std::unique_ptr<CallStage> validationStage(PipelinePlaces places)
{
    return std::make_unique<ValidationStage>(places);
}

} // namespace berth::application
