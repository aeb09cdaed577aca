// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QMetaType>
#include <QtCore/QString>

#include <chrono>
#include <optional>
#include <utility>

namespace berth::domain {

//! Variables in the order given; names and values are bytes, without NUL.
using Environment = QList<std::pair<QByteArray, QByteArray>>;

enum class OutputStream { Stdout = 1, Stderr = 2 };

//! How a command ended. Closed.
enum class OutcomeKind {
    Exited,
    Signalled,
    TimedOut,
    Cancelled,
    //! The connection was lost; whether the command goes on is not known. It is never run again by
    //! itself.
    TransportLost,
    //! The Engine died while it ran; its end is not known.
    Interrupted,
    NotStarted,
};

struct Outcome
{
    OutcomeKind kind = OutcomeKind::NotStarted;
    //! Exited: the exit code. Signalled: the signal's number. Else 0.
    int code = 0;
    //! Why, in words, where the kind does not say it all; for users and models.
    QString detail;
    std::chrono::milliseconds duration{0};
    //! The working directory at the end; nullopt: not tracked for this command, keep the previous
    //! one.
    std::optional<QByteArray> cwd;
    //! The exported variables at the end; nullopt: not tracked for this command, keep the previous
    //! ones.
    std::optional<Environment> environment;
    std::optional<qint64> peakMemoryBytes;
    std::optional<std::chrono::microseconds> cpuTime;
};

//! As a shell would tell it: the exit code, 128 + signal, 137 for a timeout, 130 for a cancel, 125
//! when the end is not known or there was no start.
int exitCodeOf(const Outcome &outcome);
QString wireName(OutcomeKind kind);
std::optional<OutcomeKind> outcomeKindFromWire(QStringView name);
//! "SIGKILL" for 9; "signal 77" for one without a name.
QString signalName(int number);

} // namespace berth::domain

Q_DECLARE_METATYPE(berth::domain::Outcome)
Q_DECLARE_METATYPE(berth::domain::OutputStream)
