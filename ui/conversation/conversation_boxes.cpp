// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_delegate.h"

#include "ui/conversation/conversation_sizes.h"
#include "ui/models/thread_text.h"
#include "ui/style/type_scale.h"

#include <QtGui/QFontMetrics>

#include <cmath>

// How rows are laid out; painting is in conversation_delegate.cpp.
namespace berth::ui {

using application::ToolCallView;
using Kind = ConversationModel::Kind;

namespace {

constexpr int kBubbleWidth = 600;
constexpr qsizetype kLongestShown = 8000;
constexpr int kMostThoughtRows = 400;
//! Of a result that is told whole; what follows is not laid out.
constexpr qsizetype kLongestResult = 256 * 1024;

} // namespace

std::unique_ptr<ConversationDelegate::Words> ConversationDelegate::words(const QString &text,
                                                                         const QFont &font,
                                                                         int width, int maxRows)
{
    QString shown =
        text.size() > kLongestShown ? text.left(kLongestShown) + QStringLiteral(" …") : text;
    shown.replace(QLatin1Char('\n'), QChar::LineSeparator);
    auto result = std::make_unique<Words>();
    result->layout = std::make_unique<QTextLayout>(shown, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    result->layout->setTextOption(option);
    result->layout->setCacheEnabled(true);
    result->layout->beginLayout();
    double y = 0;
    double widest = 0;
    int rows = 0;
    for (QTextLine line = result->layout->createLine(); line.isValid() && rows < maxRows;
         line = result->layout->createLine(), ++rows) {
        line.setLineWidth(width);
        line.setPosition(QPointF(0, y + line.height() * 0.075));
        y += line.height() * 1.15;
        widest = qMax(widest, line.naturalTextWidth());
    }
    result->layout->endLayout();
    result->size = QSize(static_cast<int>(std::ceil(widest)), static_cast<int>(std::ceil(y)));
    return result;
}

const ConversationDelegate::Words &ConversationDelegate::textOf(const QModelIndex &index) const
{
    const Kind kind = kindOf(index);
    const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
    const int version = index.data(ConversationModel::VersionRole).toInt();
    if (const Words *known = m_texts.object(key); known && known->version == version)
        return *known;
    const QString text = index.data(ConversationModel::TextRole).toString();
    const Geometry area = column();
    const bool command = kind == Kind::User && text.startsWith(QLatin1Char('!'));
    const TextRole role = command ? TextRole::Mono
        : kind == Kind::Note      ? TextRole::Caption
                                  : TextRole::Body;
    const int width = kind == Kind::User ? qMin(kBubbleWidth, area.width) - 32
        : kind == Kind::Note             ? area.width - 24
                                         : area.width;
    const QString shown = isSuperseded(index)
        ? visibleText(text) + QLatin1Char('\n') + tr("(replaced by a later edit)")
        : visibleText(text);
    auto made = words(shown, fontFor(role), width, 400);
    made->version = version;
    Words *raw = made.release();
    m_texts.insert(key, raw);
    return *raw;
}

void ConversationDelegate::buildBox(CallBox &box, const QModelIndex &index) const
{
    const auto call = index.data(ConversationModel::CallRole).value<ToolCallView>();
    const OutputTail &tail = *index.data(ConversationModel::OutputRole).value<const OutputTail *>();
    const bool open = index.data(ConversationModel::OpenRole).toBool();
    const Tokens &t = tokens(view());
    const QFont mono = fontFor(TextRole::Mono);
    const QFont caption = fontFor(TextRole::Caption);
    const Geometry area = column();
    const int inner = area.width - 2 * kPadX;
    box.open = open;
    box.headerHeight = qMax(40, QFontMetrics(fontFor(TextRole::BodyStrong)).height() + 20);
    int y = box.headerHeight;
    if (open) {
        y += kPadY;
        const QString command = visibleText(call.command);
        if (command.contains(QLatin1Char('\n'))
            || QFontMetrics(mono).horizontalAdvance(command) > area.width - 320) {
            box.command = words(command, mono, inner, 24);
            box.commandRect = QRect(kPadX, y, inner, box.command->size.height());
            y = box.commandRect.bottom() + 1 + kPadY;
        }
        const bool done = call.state == domain::ToolCallState::Done;
        if (call.awaitsApproval && !done) {
            box.quiet = tr("Waits for your decision");
            box.outputRect = QRect(kPadX, y, inner, outputRowHeight(caption));
            y = box.outputRect.bottom() + 1;
        } else if (const QString path = m_pictures ? pictureOf(index) : QString();
                   !path.isEmpty()) {
            const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
            const PictureShelf::Picture picture = m_pictures->find(key, path);
            const QSize size = picture.image.isNull()
                ? QSize(inner, QFontMetrics(caption).height() + 16)
                : pictureSize(picture.size, inner);
            box.picture = path;
            box.pictureRect = QRect(QPoint(kPadX, y), size);
            y = box.pictureRect.bottom() + 1;
        } else if (!isShell(call) && (done || !call.diff.isEmpty())) {
            box.outputRect.setTop(y);
            buildResult(box, call, inner, index.data(ConversationModel::ExpandedRole).toBool());
            y = box.outputRect.bottom() + 1;
        } else if (call.state == domain::ToolCallState::Preparing
                   || call.state == domain::ToolCallState::Pending) {
            box.preparing =
                call.preparing.isEmpty() ? tr("Preparing the sandbox…") : call.preparing;
            box.fraction = call.preparingFraction;
            box.preparingRect = QRect(kPadX, y, inner, QFontMetrics(caption).height() + 14);
            y = box.preparingRect.bottom() + 1;
        } else if (tail.loaded && tail.text.lineCount() > 0) {
            box.output = std::make_unique<OutputBlock>(tail.text, kMaxRows, inner, mono, t);
            box.outputRect = QRect(kPadX, y, inner, box.output->height());
            y = box.outputRect.bottom() + 1;
        } else {
            if (!tail.error.isEmpty())
                box.quiet = tr("The output could not be read: %1").arg(tail.error);
            else if (!done)
                box.quiet = tr("No output yet");
            else if (call.outputBytes > 0)
                box.quiet = tr("Reading the output…");
            else
                box.quiet = tr("No output");
            box.outputRect = QRect(kPadX, y, inner, outputRowHeight(caption));
            y = box.outputRect.bottom() + 1;
        }
        box.used = resourcesText(call);
        buildDetail(box, call, inner, y);
        if (box.output && !isShell(call)) {
            box.hasCopy = true;
            box.footer = QRect(kPadX, y, inner, kFooter);
            y += kFooter + 2;
        } else if (box.output) {
            box.hasCopy = true;
            box.hasShowAll = tail.offset > 0 || box.output->isCut();
            if (tail.offset > 0)
                box.hidden = tr("… %1 above hidden").arg(byteText(tail.offset));
            else if (box.output->hiddenLines() > 0)
                box.hidden =
                    tr("… %n line(s) hidden", nullptr, static_cast<int>(box.output->hiddenLines()));
            else if (box.hasShowAll)
                box.hidden = tr("… part of a line hidden");
            box.footer = QRect(kPadX, y, inner, kFooter);
            y += kFooter + 2;
        } else {
            y += kPadY;
        }
    }
    box.height = y;
}

void ConversationDelegate::buildDetail(CallBox &box, const ToolCallView &call, int inner,
                                       int &y) const
{
    QString detail = call.outcomeDetail;
    box.detailIsError = !detail.isEmpty();
    if (!call.decision.isEmpty() && !call.awaitsApproval)
        detail =
            detail.isEmpty() ? call.decision : QStringLiteral("%1 · %2").arg(detail, call.decision);
    if (detail.isEmpty() && call.state == domain::ToolCallState::Done && !call.stateTracked
        && call.outcome == domain::OutcomeKind::Exited)
        detail = tr("The working directory and variables that this command left were not kept.");
    // Elsewhere it stands at the end of the row with the links.
    if (!box.output && !box.used.isEmpty())
        detail = detail.isEmpty() ? box.used : QStringLiteral("%1 · %2").arg(detail, box.used);
    if (detail.isEmpty())
        return;
    box.detail = words(detail, fontFor(TextRole::Caption), inner - 22, 8);
    box.detailRect = QRect(kPadX, y + 6, inner, qMax(18, box.detail->size.height()));
    y = box.detailRect.bottom() + 1;
}

ConversationDelegate::CallBox &ConversationDelegate::boxOf(const QModelIndex &index) const
{
    const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
    const int version = index.data(ConversationModel::VersionRole).toInt();
    const int pictures = m_pictures ? m_pictures->version(key) : 0;
    if (CallBox *known = m_boxes.object(key);
        known && known->version == version && known->pictures == pictures)
        return *known;
    auto *box = new CallBox;
    box->version = version;
    box->pictures = pictures;
    box->outcome = outcomeOf(index.data(ConversationModel::CallRole).value<ToolCallView>());
    buildBox(*box, index);
    m_boxes.insert(key, box);
    return *box;
}

const ConversationDelegate::AgentBox &ConversationDelegate::agentOf(const QModelIndex &index) const
{
    const quint64 key = index.data(ConversationModel::KeyRole).toULongLong();
    const auto *markdown = index.data(ConversationModel::MarkdownRole).value<const Markdown *>();
    const auto message =
        index.data(ConversationModel::MessageRole).value<application::MessageView>();
    const bool open = index.data(ConversationModel::ReasoningOpenRole).toBool();
    const QString status = index.data(ConversationModel::StatusRole).toString();
    const RowPictures pictures{m_pictures, key, !index.data(ConversationModel::LiveRole).toBool()};
    const int pictured = m_pictures ? m_pictures->version(key) : 0;
    AgentBox *box = m_agents.object(key);
    if (box && box->pictures == pictured && box->asked == pictures.ask
        && box->text.version() == markdown->version() && box->reasoningOpen == open
        && box->reasoningSize == message.reasoning.size() && box->status == status)
        return *box;
    if (!box) {
        box = new AgentBox;
        m_agents.insert(key, box);
    }
    const int width = column().width;
    const QFont caption = fontFor(TextRole::Caption);
    int y = 0;
    box->reasoningHead = QRect();
    if (!message.reasoning.isEmpty()) {
        const int words = QFontMetrics(caption).horizontalAdvance(reasoningTitle(index)) + 28;
        box->reasoningHead = QRect(0, 0, words, qMax(24, QFontMetrics(caption).height() + 8));
        y = box->reasoningHead.bottom() + 1;
    }
    if (!open || message.reasoning.isEmpty()) {
        box->reasoning.reset();
    } else {
        if (!box->reasoning || box->reasoningSize != message.reasoning.size())
            box->reasoning = words(visibleText(message.reasoning.trimmed()), caption, width - 20,
                                   kMostThoughtRows);
        y += 4 + box->reasoning->size.height();
    }
    box->reasoningOpen = open;
    box->reasoningSize = message.reasoning.size();
    box->pictures = pictured;
    box->asked = pictures.ask;
    box->text.update(*markdown, width, tokens(view()), pictures);
    box->textTop = y > 0 && box->text.height() > 0 ? y + 8 : y;
    if (box->text.height() > 0)
        y = box->textTop + box->text.height();
    box->status = status;
    if (!status.isEmpty()) {
        box->statusTop = y > 0 ? y + 4 : 0;
        y = box->statusTop + QFontMetrics(caption).height() + 4;
    }
    box->height = qMax(1, y);
    return *box;
}

void ConversationDelegate::buildResult(CallBox &box, const ToolCallView &call, int inner,
                                       bool expanded) const
{
    const Tokens &t = tokens(view());
    const QFont mono = fontFor(TextRole::Mono);
    const bool isDiff = !call.diff.isEmpty();
    const QString source = (isDiff ? call.diff : call.result).left(kLongestResult);
    const int y = box.outputRect.top();
    if (source.trimmed().isEmpty()) {
        box.quiet = tr("No result");
        box.outputRect = QRect(kPadX, y, inner, outputRowHeight(fontFor(TextRole::Caption)));
        return;
    }
    QList<QStringView> lines = QStringView(source).split(QLatin1Char('\n'));
    while (lines.size() > 1 && lines.last().trimmed().isEmpty())
        lines.removeLast();
    if (isDiff) {
        // The names stand above, in the head of the row.
        while (lines.size() > 1
               && (lines.first().startsWith(QLatin1String("--- "))
                   || lines.first().startsWith(QLatin1String("+++ "))))
            lines.removeFirst();
    }
    const qsizetype limit = expanded ? kMostRows : kMaxRows;
    const qsizetype count = qMin(lines.size(), limit);
    QByteArray bytes;
    for (qsizetype i = 0; i < count; ++i) {
        const QByteArray line = visibleText(lines[i].left(2000).toString()).toUtf8();
        if (!isDiff || line.isEmpty())
            bytes += line;
        else if (line.startsWith('+'))
            bytes += "\x1b[32m" + line + "\x1b[0m";
        else if (line.startsWith('-'))
            bytes += "\x1b[31m" + line + "\x1b[0m";
        else if (line.startsWith("@@"))
            bytes += "\x1b[2m" + line + "\x1b[0m";
        else
            bytes += line;
        bytes += '\n';
    }
    AnsiText text(kMostRows + 1);
    text.feed(domain::OutputStream::Stdout, bytes);
    // From the beginning, so that long lines push nothing out at the top.
    box.output = std::make_unique<OutputBlock>(text, 4 * kMostRows, inner, mono, t);
    box.outputRect = QRect(kPadX, y, inner, box.output->height());
    const auto hidden = static_cast<int>(lines.size() - count);
    if (hidden > 0)
        box.hidden = tr("… %n line(s) hidden", nullptr, hidden);
    box.showsAll = expanded;
    box.hasShowAll = expanded ? lines.size() > kMaxRows : hidden > 0;
}

} // namespace berth::ui
