// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_sizes.h"

#include <QtCore/QCoreApplication>

namespace berth::ui {

namespace {

class ConversationWords
{
    Q_DECLARE_TR_FUNCTIONS(Conversation)
};

} // namespace

ConversationModel::Kind kindOf(const QModelIndex &index)
{
    return static_cast<ConversationModel::Kind>(index.data(ConversationModel::KindRole).toInt());
}

bool isSuperseded(const QModelIndex &index)
{
    return index.data(ConversationModel::MessageRole).value<application::MessageView>().superseded;
}

QString reasoningTitle(const QModelIndex &index)
{
    const bool live = index.data(ConversationModel::LiveRole).toBool();
    const auto message =
        index.data(ConversationModel::MessageRole).value<application::MessageView>();
    return live && message.text.isEmpty() ? ConversationWords::tr("Thinking…")
                                          : ConversationWords::tr("What it thought");
}

QString moreText(bool showsAll)
{
    return showsAll ? ConversationWords::tr("Show less") : ConversationWords::tr("Show all");
}

} // namespace berth::ui
