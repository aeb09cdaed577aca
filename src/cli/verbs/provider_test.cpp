// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/exit_codes.h"
#include "cli/human.h"
#include "cli/json_output.h"
#include "cli/provider_keys.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

namespace {

QString markOf(domain::StepState state)
{
    switch (state) {
    case domain::StepState::Ok:
        return QStringLiteral("ok");
    case domain::StepState::Warning:
        return QStringLiteral("warning");
    case domain::StepState::Failed:
        return QStringLiteral("failed");
    case domain::StepState::Skipped:
        return QStringLiteral("skipped");
    }
    return {};
}

QString lineOf(const domain::HealthStep &step)
{
    QString text = QStringLiteral("%1 %2  %3")
                       .arg(markOf(step.state), -8)
                       .arg(humanDuration(step.duration), 8)
                       .arg(onOneLine(step.name));
    if (!step.detail.isEmpty())
        text += QStringLiteral(": ") + onOneLine(step.detail);
    return text + QLatin1Char('\n');
}

//! Prints the steps while they come. Those of an answer that overtook its events follow in the end.
class StepPrinter : public QObject
{
public:
    explicit StepPrinter(const Context &context) : m_context(context.get())
    {
        connect(&context->client, &EngineClient::event, this, [this](const Event &event) {
            const auto *done = std::get_if<HealthStepDone>(&event.body);
            if (done && m_context->asked.contains(done->request))
                print(done->step);
        });
    }
    void print(const domain::HealthStep &step)
    {
        ++m_printed;
        if (!m_context->options.json)
            m_context->print(lineOf(step));
    }
    [[nodiscard]] qsizetype printed() const { return m_printed; }

private:
    CliContext *m_context;
    qsizetype m_printed = 0;
};

} // namespace

Async<int> providerTest(Context context)
{
    const domain::ConfigName config(context->options.arguments[0]);
    const GetProviderForm getProviderForm{config};
    const Result<ProviderForm> form = co_await ask(context, getProviderForm);
    if (!form)
        co_return failure(form.error());
    const Result<QMap<QString, QString>> values = valuesFor(*form, context->options.pairs);
    if (!values)
        co_return failure(values.error());
    StepPrinter printer(context);
    const TestProvider testProvider{config, *values};
    const Result<HealthView> health = co_await ask(context, testProvider);
    if (!health)
        co_return failure(health.error());
    for (qsizetype at = printer.printed(); at < health->steps.size(); ++at)
        printer.print(health->steps[at]);
    const int code = health->ok
        ? 0
        : exitCodeOf(health->error ? health->error->kind : domain::ErrorKind::Unavailable);
    if (context->options.json) {
        printView(context, *health);
        co_return code;
    }
    if (health->ok) {
        context->print(QStringLiteral("%1 (%2)\n")
                           .arg(onOneLine(health->summary),
                                humanDuration(std::chrono::milliseconds(health->durationMs))));
        co_return code;
    }
    if (health->error)
        co_return failure(*health->error);
    context->note(onOneLine(health->summary));
    co_return code;
}

} // namespace berth::cli
