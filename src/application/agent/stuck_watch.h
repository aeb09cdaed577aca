// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/thread/thread.h"

#include <QtCore/QList>

namespace berth::application {

//! Notices that a run turns in circles. A question to the user, never an end by itself: polling
//! looks the same.
class StuckWatch
{
public:
    enum class Verdict {
        Fine,
        //! Tell the model first.
        Warn,
        Ask
    };

    //! The calls of one round as they ended.
    Verdict note(const QList<domain::ToolCall> &calls);
    [[nodiscard]] const QString &reason() const { return m_reason; }

private:
    struct Step
    {
        QString call;
        QString result;
        bool isError = false;
    };
    [[nodiscard]] QString pattern() const;

    QList<Step> m_steps;
    QString m_reason;
    bool m_warned = false;
};

} // namespace berth::application
