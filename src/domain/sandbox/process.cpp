// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/sandbox/process.h"

namespace berth::domain {

ProcessStore::~ProcessStore() = default;

QString wireName(ProcessStage stage)
{
    switch (stage) {
    case ProcessStage::Starting:
        return QStringLiteral("starting");
    case ProcessStage::Running:
        return QStringLiteral("running");
    case ProcessStage::Ended:
        return QStringLiteral("ended");
    }
    return {};
}

std::optional<ProcessStage> processStageFromWire(QStringView name)
{
    for (const ProcessStage stage :
         {ProcessStage::Starting, ProcessStage::Running, ProcessStage::Ended}) {
        if (name == wireName(stage))
            return stage;
    }
    return std::nullopt;
}

} // namespace berth::domain
