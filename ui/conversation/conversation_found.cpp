// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_delegate.h"

#include "ui/conversation/conversation_sizes.h"
#include "ui/models/thread_text.h"
#include "ui/style/type_scale.h"

#include <QtGui/QFontMetrics>

// What a search may find in a row, and where it is.
namespace berth::ui {

using application::ToolCallView;
using Kind = ConversationModel::Kind;

namespace {

//! Of what is folded away.
constexpr qsizetype kMostFolded = 256 * 1024;
//! Where the command begins in the head of a card, behind arrow and verb.
constexpr int kTitleLeft = 36;

} // namespace

QString ConversationDelegate::pictureOf(const QModelIndex &index)
{
    if (kindOf(index) != Kind::ToolCall)
        return {};
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    return showsPicture(call) ? call.command : QString();
}

void ConversationDelegate::setFound(const QString &text)
{
    m_found = text;
    m_foundText = -1;
}

void ConversationDelegate::setFoundNow(quint64 key, qsizetype text, qsizetype at)
{
    m_foundKey = key;
    m_foundText = text;
    m_foundAt = at;
}

FoundMarks ConversationDelegate::marksOf(const QModelIndex &index) const
{
    FoundMarks marks;
    marks.text = m_found;
    if (m_found.isEmpty() || m_foundText < 0
        || index.data(ConversationModel::KeyRole).toULongLong() != m_foundKey)
        return marks;
    const QList<ShownText> texts = textsOf(index);
    if (m_foundText < texts.size()) {
        marks.current = texts[m_foundText].layout;
        marks.at = m_foundAt;
    }
    return marks;
}

QList<ShownText> ConversationDelegate::textsOf(const QModelIndex &index) const
{
    switch (kindOf(index)) {
    case Kind::User:
        return {{textOf(index).layout.get(), QPointF(16, kPadY)}};
    case Kind::Note:
        return {{textOf(index).layout.get(), QPointF(24, 0)}};
    case Kind::Agent: {
        const AgentBox &agent = agentOf(index);
        QList<ShownText> texts;
        if (agent.reasoning)
            texts.append(
                {agent.reasoning->layout.get(), QPointF(20, agent.reasoningHead.bottom() + 5)});
        return texts + agent.text.texts(QPointF(0, agent.textTop));
    }
    case Kind::ToolCall:
        break;
    }
    CallBox &box = boxOf(index);
    QList<ShownText> texts;
    if (box.command) {
        texts.append({box.command->layout.get(), QPointF(box.commandRect.topLeft())});
    } else {
        const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
        const QFont mono = fontFor(TextRole::Mono);
        if (!box.title) {
            QString command = visibleText(call.command.left(2000));
            command.replace(QLatin1Char('\n'), QStringLiteral(" ⏎ "));
            box.title = words(command, mono, 1 << 20, 1);
        }
        const int verb =
            QFontMetrics(fontFor(TextRole::BodyStrong)).horizontalAdvance(verbOf(call));
        texts.append({box.title->layout.get(),
                      QPointF(kTitleLeft + verb + 11,
                              (box.headerHeight - QFontMetrics(mono).height()) / 2.0)});
    }
    if (box.output)
        texts += box.output->texts(QPointF(box.outputRect.topLeft()));
    return texts;
}

QString ConversationDelegate::foldedOf(const QModelIndex &index) const
{
    if (kindOf(index) == Kind::Agent) {
        if (index.data(ConversationModel::ReasoningOpenRole).toBool())
            return {};
        const auto message =
            index.data(ConversationModel::MessageRole).value<application::MessageView>();
        return visibleText(message.reasoning.trimmed().left(kMostFolded));
    }
    if (kindOf(index) != Kind::ToolCall)
        return {};
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    const CallBox &box = boxOf(index);
    if (isShell(call)) {
        const auto *tail = index.data(ConversationModel::OutputRole).value<const OutputTail *>();
        return box.open || !tail->loaded ? QString() : tail->text.plainText();
    }
    if (box.open && (!box.hasShowAll || box.showsAll))
        return {};
    return (call.diff.isEmpty() ? call.result : call.diff).left(kMostFolded);
}

QRect ConversationDelegate::placeOf(const QModelIndex &index, qsizetype text, qsizetype at) const
{
    const QList<ShownText> texts = textsOf(index);
    if (text < 0 || text >= texts.size())
        return {0, 0, 1, 1};
    const ShownText &shown = texts[text];
    const QTextLine line = shown.layout->lineForTextPosition(static_cast<int>(at));
    const QPointF corner = shown.at + (line.isValid() ? line.position() : QPointF());
    return {corner.toPoint(), QSize(1, line.isValid() ? qRound(line.height()) : 20)};
}

} // namespace berth::ui
