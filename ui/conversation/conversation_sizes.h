// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/conversation_model.h"

// What laying out rows of a conversation and painting them share.
namespace berth::ui {

inline constexpr int kPadX = 14;
inline constexpr int kPadY = 10;
inline constexpr int kFooter = 32;

ConversationModel::Kind kindOf(const QModelIndex &index);
//! Replaced by a later edit.
bool isSuperseded(const QModelIndex &index);
//! "Thinking…" while it does, then "Thought".
QString reasoningTitle(const QModelIndex &index);
//! "Show all", or "Show less" once all is shown.
QString moreText(bool showsAll);

} // namespace berth::ui
