// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

// A server that escapes everything beyond ASCII may cut its pieces between the two halves of a
// character: one ends with \ud83d, the next begins with \ude00. Alone neither is valid JSON.
namespace berth::models {

//! \a text, which is JSON, with each lone half as a private character of its own, so that it can be
//! parsed; \a found is set when there was one.
QByteArray withHalvesKept(const QByteArray &text, bool &found);
//! Puts the halves back into text; those that stand beside each other are the character again.
QString withHalvesJoined(QString text);
QByteArray withHalvesJoined(const QByteArray &utf8);

} // namespace berth::models
