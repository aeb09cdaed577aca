// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/health_run.h"
#include "cli/provider_keys.h"
#include "cli/verbs/verbs.h"

namespace berth::cli {

using namespace application;
using domain::Async;
using domain::failure;
using domain::Result;

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
    const TestProvider testProvider{config, *values};
    const Result<int> code = co_await testRun(context, testProvider);
    co_return code;
}

} // namespace berth::cli
