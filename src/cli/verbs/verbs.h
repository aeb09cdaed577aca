// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

// One function per verb; each in its own file.
namespace berth::cli {

domain::Async<int> agentCreate(Context context);
domain::Async<int> agentList(Context context);
domain::Async<int> agentRemove(Context context);
domain::Async<int> agentSkills(Context context);
domain::Async<int> approvalDecide(Context context);
domain::Async<int> approvalList(Context context);
domain::Async<int> configSecurity(Context context);
domain::Async<int> cp(Context context);
domain::Async<int> doctor(Context context);
domain::Async<int> exec(Context context);
domain::Async<int> ls(Context context);
domain::Async<int> mkdir(Context context);
domain::Async<int> modelKey(Context context);
domain::Async<int> modelList(Context context);
domain::Async<int> modelRemove(Context context);
domain::Async<int> modelSet(Context context);
domain::Async<int> modelTest(Context context);
domain::Async<int> mv(Context context);
domain::Async<int> presetList(Context context);
domain::Async<int> processAttach(Context context);
domain::Async<int> processList(Context context);
domain::Async<int> processLogs(Context context);
domain::Async<int> processRemove(Context context);
domain::Async<int> processStart(Context context);
domain::Async<int> processStop(Context context);
domain::Async<int> providerKey(Context context);
domain::Async<int> providerList(Context context);
domain::Async<int> providerSet(Context context);
domain::Async<int> providerShow(Context context);
domain::Async<int> providerTest(Context context);
domain::Async<int> providerTrust(Context context);
domain::Async<int> rm(Context context);
domain::Async<int> runtimeDestroy(Context context);
domain::Async<int> runtimeEvents(Context context);
domain::Async<int> runtimeFork(Context context);
domain::Async<int> runtimeList(Context context);
domain::Async<int> runtimeMetrics(Context context);
domain::Async<int> runtimePause(Context context);
domain::Async<int> runtimeResume(Context context);
domain::Async<int> sandboxAdd(Context context);
domain::Async<int> sandboxLifecycle(Context context);
domain::Async<int> sandboxList(Context context);
domain::Async<int> sandboxPurge(Context context);
domain::Async<int> sandboxRemove(Context context);
domain::Async<int> sandboxRestore(Context context);
domain::Async<int> shell(Context context);
domain::Async<int> threadExport(Context context);
domain::Async<int> threadList(Context context);
domain::Async<int> threadNew(Context context);
domain::Async<int> threadSend(Context context);
domain::Async<int> threadShow(Context context);
domain::Async<int> tokenList(Context context);
domain::Async<int> tokenNew(Context context);
domain::Async<int> tokenRevoke(Context context);

} // namespace berth::cli
