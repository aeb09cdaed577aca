// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for a decision, the rules that decide, what was decided, and the models that ask.
#include "api/routes/forward.h"
#include "api/routes/routes.h"

namespace berth::api {

using namespace application;
using domain::Async;
using domain::Result;

namespace {

Async<Reply> saveRule(Call call)
{
    const Result<RuleView> rule = fromJson<RuleView>(call->request.body);
    if (!rule)
        co_return domain::failure(domain::ErrorKind::InvalidInput, rule.error().message);
    // Its id, if any, is the path's, and dry_run the query's.
    Result<SaveRule> command = commandOf<SaveRule>(call);
    if (!command)
        co_return domain::failure(command.error());
    command->rule = *rule;
    const SaveRule asked = *command;
    const domain::RequestId id = call->requestId();
    const Result<RuleView> saved = co_await ask(call, asked, id);
    if (!saved)
        co_return domain::failure(saved.error());
    const Reply reply = replyOf(call, *saved);
    co_return reply;
}

Async<Reply> models(Call call)
{
    const Result<ListModels> command = commandOf<ListModels>(call);
    if (!command)
        co_return domain::failure(command.error());
    const ListModels question = *command;
    Result<ModelList> list = co_await ask(call, question);
    if (!list)
        co_return domain::failure(list.error());
    for (ModelEndpointView &endpoint : list->endpoints)
        endpoint.keyHint.clear();
    const Reply reply = replyOf(call, *list);
    co_return reply;
}

} // namespace

QList<Route> decisionRoutes()
{
    const QList<Field> rule{
        {"scope", FieldType::Text, true, "", 0, 0, "thread|agent|global"},
        {"owner", FieldType::Text, false, "The thread or agent; of a global one nothing"},
        {"tool", FieldType::Text, true, "\"exec\""},
        {"pattern", FieldType::Text, true, "\"git status\""},
        {"decision", FieldType::Text, true, "", 0, 0, "allow|ask|deny"}};
    const Field dryRun{"dry_run", FieldType::Boolean, false,
                       "Only check it, and give examples of what it matches"};
    return {
        route("GET", "/api/approvals", "listApprovals", "What waits for a decision", Scope::Approve,
              &forward<ListApprovals>, "ApprovalList"),
        withBody(route("POST", "/api/approvals/{tool_call_id}", "decideApproval",
                       "Allow or deny; 409 when it was decided already", Scope::Approve,
                       &forward<DecideApproval>, "Ok"),
                 {{"allow", FieldType::Boolean, true},
                  {"scope", FieldType::Text, false, "Left out: once", 0, 0, "once|thread|always"},
                  {"pattern", FieldType::Text, false, "Of the rule for thread and always"},
                  {"reason", FieldType::Text, false, "Of a denial, for the model"}}),
        route("GET", "/api/rules", "listRules", "What is allowed, asked or denied by itself",
              Scope::Approve, &forward<ListRules>, "RuleList"),
        answering(withBody(withQuery(route("POST", "/api/rules", "addRule", "Add a rule",
                                           Scope::Approve, &saveRule, "Rule"),
                                     {dryRun}),
                           rule),
                  {201}),
        withBody(withQuery(route("PUT", "/api/rules/{id}", "saveRule", "Replace a rule",
                                 Scope::Approve, &saveRule, "Rule"),
                           {dryRun}),
                 rule),
        route("DELETE", "/api/rules/{id}", "removeRule", "Remove a rule", Scope::Approve,
              &forward<RemoveRule>, "Ok"),
        withQuery(route("GET", "/api/audit", "listAudit",
                        "What agents and users did and what was decided, newest first", Scope::Read,
                        &forward<ListAudit>, "AuditList"),
                  {{"before", FieldType::Text, false, "A time: 2026-01-02T03:04:05.678Z"},
                   {"limit", FieldType::Integer, false, "", 1, 500}}),
        withQuery(route("GET", "/api/models", "listModels",
                        "The endpoints of language models, without keys", Scope::Read, &models,
                        "ModelList"),
                  {{"refresh", FieldType::Boolean, false, "Ask the endpoints first"}}),
    };
}

} // namespace berth::api
