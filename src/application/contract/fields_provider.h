// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/commands.h"
#include "application/contract/events.h"
#include "application/contract/field_concept.h"

// As fields.h, for providers and their configs.
namespace berth::application::wire {

template <Of<ProviderView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.config);
    visit("kind", v.kind);
    visit("label", v.label);
    visit("mark", v.mark);
    visit("isolation", v.isolation);
    visit("cost", v.cost);
    visit("best_for", v.bestFor);
    visit("pause_keeps", v.pauseKeeps);
    visit("state", v.state);
    visit("state_text", v.stateText);
    visit("state_detail", v.stateDetail);
    visit("saved", v.saved);
    visit("path", v.path);
    visit("summary", v.summary);
    visit("usable", v.usable);
    visit("console_url", v.consoleUrl);
    visit("proof", v.proof);
    visit("unconfirmed_origins", v.unconfirmedOrigins);
    visit("unconfirmed_variables", v.unconfirmedVariables);
}

template <Of<FieldView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("key", v.key);
    visit("type", v.type);
    visit("label", v.label);
    visit("help", v.help);
    visit("placeholder", v.placeholder);
    visit("default", v.defaultValue);
    visit("required", v.required);
    visit("advanced", v.advanced);
    visit("minimum", v.minimum);
    visit("maximum", v.maximum);
    visit("unit", v.unit);
    visit("pattern", v.pattern);
    visit("pattern_hint", v.patternHint);
    visit("choices", v.choices);
    visit("value", v.value);
    visit("origin", v.origin);
    visit("hint", v.hint);
    visit("environment_variables", v.environmentVariables);
}

template <Of<FormExample> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("name", v.name);
    visit("help", v.help);
    visit("values", v.values);
}

template <Of<ProviderForm> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("provider", v.provider);
    visit("fields", v.fields);
    visit("json", v.json);
    visit("examples", v.examples);
    visit("has_key_store", v.hasKeyStore);
}

template <Of<HealthView> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("ok", v.ok);
    visit("summary", v.summary);
    visit("steps", v.steps);
    visit("error", v.error);
    visit("duration_ms", v.durationMs);
}

template <Of<ProviderList> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("providers", v.providers);
}

template <Of<ListProviders> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("refresh", v.refresh);
}

template <Of<GetProviderForm> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("config", v.config);
}

template <Of<SaveProvider> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("config", v.config);
    visit("values", v.values);
}

template <Of<TestProvider> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("config", v.config);
    visit("values", v.values);
}

template <Of<TrustProvider> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("config", v.config);
    visit("origins", v.origins);
    visit("variables", v.variables);
}

template <Of<StoreProviderKey> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("config", v.config);
    visit("field", v.field);
    visit("key", v.key);
}

template <Of<PreviewProvider> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("config", v.config);
    visit("values", v.values);
}

template <Of<HealthStepDone> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("request_id", v.request);
    visit("step", v.step);
}

template <Of<ProviderChanged> V, typename Visit>
void fields(V &v, Visit &&visit)
{
    visit("provider", v.provider);
}

} // namespace berth::application::wire
