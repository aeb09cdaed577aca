// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/endpoint_client.h"

#include "domain/provider/check_steps.h"
#include "models/listing.h"

#include <algorithm>

namespace berth::models {

using domain::Async;
using domain::CheckSteps;
using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::HealthReport;
using domain::ModelReply;
using domain::ModelStop;
using domain::OfferedModel;
using domain::Result;
using domain::StepState;

namespace {

//! A smaller one holds no more than a few rounds of an agent.
constexpr qint64 kSmallContext = 16 * 1024;

domain::ModelRequest shortQuestion(const QString &model, const QString &text, int maxTokens)
{
    domain::ModelRequest request;
    request.model = model;
    request.turns.append(
        domain::ModelTurn{domain::ModelRole::User, text, {}, {}, {}, {}, false, {}});
    request.maxTokens = maxTokens;
    return request;
}

ReplyRunPtr runOf(const LinkPtr &link, domain::ModelRequest request, int attempts)
{
    const ReplyRunPtr run = std::make_shared<ReplyRun>();
    run->link = link;
    run->request = std::move(request);
    run->attempts = attempts;
    return run;
}

async::Task<ModelReply> replyWithin(ReplyRunPtr run, std::stop_token stop)
{
    const std::stop_callback onStop(stop, [run] { run->stop.request_stop(); });
    const ModelReply reply = co_await fetchReply(run);
    co_return reply;
}

//! Also a reply of one token that was cut by that limit is one.
bool isReply(const ModelReply &reply)
{
    return !reply.error && (reply.stop == ModelStop::End || reply.stop == ModelStop::Length);
}

void addList(CheckSteps &steps, const Result<QList<OfferedModel>> &listed, const QString &model)
{
    const QString name = QStringLiteral("Models");
    if (!listed) {
        steps.add(name, StepState::Warning, listed.error().message);
        return;
    }
    const bool known = std::any_of(listed->begin(), listed->end(),
                                   [&model](const OfferedModel &info) { return info.id == model; });
    if (known || model.isEmpty())
        steps.add(name, StepState::Ok, QStringLiteral("%1 models").arg(listed->size()));
    else
        steps.add(name, StepState::Warning,
                  QStringLiteral("%1 is not among its %2 models").arg(model).arg(listed->size()));
}

void addCall(CheckSteps &steps, const ModelReply &reply)
{
    const QString name = QStringLiteral("Tool call");
    if (reply.error) {
        steps.fail(name, *reply.error);
        return;
    }
    const auto fine =
        std::find_if(reply.turn.calls.begin(), reply.turn.calls.end(),
                     [](const domain::ModelCall &call) { return call.problem.isEmpty(); });
    if (fine != reply.turn.calls.end())
        steps.add(name, StepState::Ok,
                  QStringLiteral("%1 %2").arg(fine->name, QString::fromUtf8(fine->arguments)));
    else if (!reply.turn.calls.isEmpty())
        steps.add(name, StepState::Warning, reply.turn.calls.first().problem);
    else
        steps.add(name, StepState::Warning,
                  QStringLiteral("It called no tool although it was told to; an agent needs that"));
}

void addContext(CheckSteps &steps, qint64 tokens)
{
    const QString name = QStringLiteral("Context");
    if (tokens <= 0)
        steps.add(name, StepState::Skipped,
                  QStringLiteral("The server does not say its size; it can be entered"));
    else if (tokens < kSmallContext)
        steps.add(name, StepState::Warning,
                  QStringLiteral("%1 tokens: too few for an agent. 16384 is the least, 65536 is "
                                 "better; with Ollama set OLLAMA_CONTEXT_LENGTH")
                      .arg(tokens));
    else
        steps.add(name, StepState::Ok, QStringLiteral("%1 tokens").arg(tokens));
}

bool wasCancelled(const ModelReply &reply)
{
    return reply.stop == ModelStop::Cancelled;
}

Error cancelledCheck()
{
    return {ErrorKind::Cancelled, QStringLiteral("The check was cancelled"), {}, {}, {}};
}

Async<HealthReport> checkEndpoint(LinkPtr link, QString model, domain::StepSink sink,
                                  std::stop_token stop)
{
    const auto steps = std::make_shared<CheckSteps>(std::move(sink));
    if (link->problem()) {
        steps->fail(QStringLiteral("Settings"), *link->problem());
        co_return steps->done();
    }
    const Result<QList<OfferedModel>> listed = co_await listModels(link, stop);
    if (!listed && listed.error().kind == ErrorKind::Cancelled)
        co_return failure(listed.error());
    if (!listed && listed.error().kind != ErrorKind::Unsupported
        && listed.error().kind != ErrorKind::Protocol) {
        steps->fail(QStringLiteral("Models"), listed.error());
        co_return steps->done();
    }
    addList(*steps, listed, model);
    if (model.isEmpty() && listed && !listed->isEmpty())
        model = listed->first().id;
    if (model.isEmpty()) {
        const Error none{ErrorKind::InvalidInput,
                         QStringLiteral("No model is chosen"),
                         QStringLiteral("Enter the name of one that the server has"),
                         {},
                         {}};
        steps->fail(QStringLiteral("Reply"), none);
        co_return steps->done();
    }

    const ReplyRunPtr hello = runOf(link, shortQuestion(model, QStringLiteral("Say OK."), 1), 1);
    const ModelReply reply = co_await replyWithin(hello, stop);
    if (wasCancelled(reply))
        co_return failure(cancelledCheck());
    if (!isReply(reply)) {
        const Error withheld{ErrorKind::Protocol,
                             QStringLiteral("The model did not reply"),
                             reply.turn.text,
                             {},
                             {}};
        steps->fail(QStringLiteral("Reply"), reply.error.value_or(withheld));
        co_return steps->done();
    }
    steps->add(QStringLiteral("Reply"), StepState::Ok, model);

    // Room for the thoughts of models that think first.
    domain::ModelRequest forced =
        shortQuestion(model, QStringLiteral("Call the tool report with ok set to true."), 1024);
    forced.tools.append(domain::ModelTool{
        QStringLiteral("report"), QStringLiteral("Reports that tools work"),
        QByteArrayLiteral(R"({"type":"object","properties":{"ok":{"type":"boolean"}},)"
                          R"("required":["ok"]})")});
    forced.forcedTool = QStringLiteral("report");
    const ReplyRunPtr calling = runOf(link, forced, 1);
    const ModelReply called = co_await replyWithin(calling, stop);
    if (wasCancelled(called))
        co_return failure(cancelledCheck());
    addCall(*steps, called);

    // Last: Ollama tells the size of a model only while it is loaded.
    const Result<qint64> context = co_await findContext(link, model, stop);
    if (!context && context.error().kind == ErrorKind::Cancelled)
        co_return failure(context.error());
    addContext(*steps, context.value_or(0));
    steps->report.summary = QStringLiteral("%1 at %2").arg(model, link->origin());
    co_return steps->done();
}

} // namespace

EndpointClient::EndpointClient(ModelEndpoint settings)
    : m_link(std::make_shared<Link>(std::move(settings))), m_scope(std::make_shared<async::Scope>())
{}

std::unique_ptr<domain::ModelReplyStream> EndpointClient::ask(domain::ModelRequest request)
{
    const ReplyRunPtr run = runOf(m_link, std::move(request), m_link->settings().attempts);
    run->scope = m_scope;
    return std::make_unique<EndpointStream>(run);
}

Async<QList<OfferedModel>> EndpointClient::models(std::stop_token stop)
{
    return listModels(m_link, std::move(stop));
}

Async<qint64> EndpointClient::contextTokens(QString model, std::stop_token stop)
{
    return findContext(m_link, std::move(model), std::move(stop));
}

Async<HealthReport> EndpointClient::check(QString model, domain::StepSink step,
                                          std::stop_token stop)
{
    return checkEndpoint(m_link, std::move(model), std::move(step), std::move(stop));
}

} // namespace berth::models
