// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/style/paint.h"

#include <QtCore/QString>

// The words for a runtime, the same on the card, in the sheet and for assistive technology.
namespace berth::ui {

struct StateText
{
    QString word;
    Tone tone = Tone::Neutral;
    Dot dot = Dot::Ring;
    bool operator==(const StateText &) const = default;
};

//! "Running", "Pausing…", "Unreachable".
StateText stateOf(const application::RuntimeView &runtime);
bool needsCare(const application::RuntimeView &runtime);
//! Why it needs care; empty when it does not.
QString careReason(const application::RuntimeView &runtime);

//! A value with what it is a part of. Without a value \a value is "—" and \a reason says why.
struct MetricText
{
    QString value;
    QString of;
    QString reason;
    bool known = false;
    //! The value is older than it should be; \a reason gives its age.
    bool stale = false;
};

MetricText cpuOf(const application::RuntimeView &runtime, const QDateTime &now);
MetricText memoryOf(const application::RuntimeView &runtime, const QDateTime &now);
MetricText diskOf(const application::RuntimeView &runtime, const QDateTime &now);
//! "↓ 84 kB/s  ↑ 3 kB/s"
MetricText networkOf(const application::RuntimeView &runtime, const QDateTime &now);

//! "up 4 m", "paused 2 h", "last seen 5 m ago", "not in this database".
QString ageOf(const application::RuntimeView &runtime, const QDateTime &now);

//! "412 MB", "1.2 GB": at most three digits, by the locale.
QString byteText(qint64 bytes);
QString rateText(double bytesPerSecond);
//! "62 %" of \a limit, or "0.62" cores without one.
QString cpuText(double cores, const std::optional<double> &limit);
//! "45 s", "4 m", "2 h", "3 d".
QString shortSpan(qint64 seconds);

} // namespace berth::ui
