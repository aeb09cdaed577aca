// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_view.h"

#include "ui/conversation/conversation_sizes.h"
#include "ui/models/thread_text.h"

#include <QtCore/QUrl>
#include <QtGui/QClipboard>
#include <QtGui/QDesktopServices>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QMenu>

namespace berth::ui {

namespace {

void copyToClipboard(const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
}

//! What may be opened: a page or a letter, never a file or a program of this machine.
bool mayBeOpened(const QUrl &url)
{
    const QString scheme = url.scheme().toLower();
    // "https://bank.example@evil.example/": a name in front of the host is there to mislead.
    return url.isValid() && !url.authority().contains(QLatin1Char('@'))
        && (scheme == QLatin1String("https") || scheme == QLatin1String("http")
            || scheme == QLatin1String("mailto"));
}

//! "https://xn--e1aybc.example:8080": where it leads, as it goes over the wire. Empty: nowhere.
QString originOf(const QUrl &url)
{
    const QString host = url.host(QUrl::FullyEncoded);
    if (!url.isValid() || host.isEmpty())
        return {};
    const QString port =
        url.port() < 0 ? QString() : QLatin1Char(':') + QString::number(url.port());
    return url.scheme() + QStringLiteral("://") + host + port;
}

//! \a target with a piece of its path left out when it is long, never of what stands before.
QString shortened(const QString &target)
{
    constexpr qsizetype kLongest = 120;
    constexpr qsizetype kTail = 25;
    const qsizetype scheme = target.indexOf(QLatin1String("://"));
    qsizetype head = scheme < 0 ? 0 : scheme + 3;
    while (head < target.size() && !QStringView(u"/?#\\").contains(target[head]))
        ++head;
    head = qMax<qsizetype>(90, head);
    if (target.size() <= kLongest || head + kTail >= target.size())
        return target;
    return target.left(head) + QStringLiteral(" … ") + target.right(kTail);
}

constexpr qsizetype kMostParts = 12;

//! The beginning of a text, for a menu.
QString headOf(const QString &text)
{
    QString head = visibleText(text.left(60)).simplified();
    if (text.size() > 60)
        head += QStringLiteral(" …");
    return head.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

void addWords(QMenu &menu, QString words)
{
    words.replace(QLatin1Char('&'), QStringLiteral("&&"));
    menu.addAction(words)->setEnabled(false);
}

} // namespace

void ConversationView::openMenu(const QModelIndex &index, const QPoint &at)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("rowMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (kindOf(index) == ConversationModel::Kind::ToolCall)
        addCallActions(*menu, index);
    else
        addMessageActions(*menu, index);
    menu->popup(at);
}

void ConversationView::addCallActions(QMenu &menu, const QModelIndex &index)
{
    const auto call = index.data(ConversationModel::CallRole).value<application::ToolCallView>();
    const QString text = call.command;
    const QPersistentModelIndex row(index);
    const bool shell = isShell(call);
    const bool hasOutput =
        shell ? call.outputBytes > 0 : !call.result.isEmpty() || !call.diff.isEmpty();
    using Part = ConversationDelegate::Part;
    menu.addAction(index.data(ConversationModel::OpenRole).toBool() ? tr("Close") : tr("Open"),
                   this, [this, row] { act(row, Part::Header); });
    if (shell)
        menu.addAction(tr("Show all output"), this, [this, row] { act(row, Part::ShowAll); })
            ->setEnabled(hasOutput);
    else if (const QString more = m_delegate->moreOf(index); !more.isEmpty())
        menu.addAction(more, this, [this, row] { act(row, Part::ShowAll); });
    menu.addAction(!call.diff.isEmpty() ? tr("Copy change")
                       : shell          ? tr("Copy output")
                                        : tr("Copy result"),
                   this, [this, row] { act(row, Part::Copy); })
        ->setEnabled(hasOutput);
    menu.addAction(shell ? tr("Copy command") : tr("Copy path"), this,
                   [text] { copyToClipboard(text); });
    if (shell)
        menu.addAction(tr("Use command again"), this,
                       [this, text] { Q_EMIT reuseRequested(QLatin1Char('!') + text); });
}

void ConversationView::addMessageActions(QMenu &menu, const QModelIndex &index)
{
    const auto message =
        index.data(ConversationModel::MessageRole).value<application::MessageView>();
    const QString text = message.text;
    switch (kindOf(index)) {
    case ConversationModel::Kind::Agent: {
        const auto *markdown =
            index.data(ConversationModel::MarkdownRole).value<const Markdown *>();
        menu.addAction(tr("Copy as Markdown"), this, [text] { copyToClipboard(text); });
        menu.addAction(tr("Copy as plain text"), this,
                       [plain = markdown->plainText()] { copyToClipboard(plain); });
        QStringList code;
        for (const MarkdownBlock &block : markdown->blocks()) {
            if (block.kind == MarkdownBlock::Kind::Code)
                code.append(block.code);
        }
        // One block that reads like a command can be tried at once.
        if (code.size() == 1) {
            menu.addAction(tr("Copy as command"), this,
                           [command = code.first()] { copyToClipboard(command); });
            // Not what was never seen.
            menu.addAction(tr("Use as command"), this,
                           [this, command = code.first()] {
                               Q_EMIT reuseRequested(QLatin1Char('!') + command);
                           })
                ->setEnabled(!isCodeCut(code.first()));
        }
        addParts(menu, *markdown, code);
        if (!message.reasoning.isEmpty()) {
            menu.addSeparator();
            menu.addAction(index.data(ConversationModel::ReasoningOpenRole).toBool()
                               ? tr("Hide what it thought")
                               : tr("Show what it thought"),
                           this, [this, row = QPersistentModelIndex(index)] { toggle(row); });
        }
        break;
    }
    case ConversationModel::Kind::User:
        menu.addAction(tr("Copy"), this, [text] { copyToClipboard(text); });
        menu.addAction(tr("Use again"), this, [this, text] { Q_EMIT reuseRequested(text); });
        if (!text.startsWith(QLatin1Char('!')) && !message.superseded)
            menu.addAction(tr("Edit and send again"), this,
                           [this, text, seq = message.seq] { Q_EMIT editRequested(seq, text); });
        break;
    default:
        menu.addAction(tr("Copy"), this, [text] { copyToClipboard(text); });
        break;
    }
}

void ConversationView::addParts(QMenu &menu, const Markdown &markdown, const QStringList &code)
{
    // What a pointer finds in the text, for those who have none.
    for (qsizetype i = 0; code.size() > 1 && i < qMin(code.size(), kMostParts); ++i)
        menu.addAction(tr("Copy code %1: %2").arg(i + 1).arg(headOf(code[i])), this,
                       [text = code[i]] { copyToClipboard(text); });
    QStringList links;
    const auto collect = [&links](const MarkdownText &text) {
        for (const MarkdownText::Span &span : text.spans) {
            if (!span.target.isEmpty() && !links.contains(span.target) && links.size() < kMostParts)
                links.append(span.target);
        }
    };
    for (const MarkdownBlock &block : markdown.blocks()) {
        collect(block.text);
        for (const auto &row : block.rows) {
            for (const MarkdownText &cell : row)
                collect(cell);
        }
    }
    for (const QString &target : std::as_const(links))
        menu.addAction(tr("Link: %1").arg(headOf(target)), this, [this, target] {
            askAboutLink(target, viewport()->mapToGlobal(visualRect(currentIndex()).center()));
        });
}

void ConversationView::askAboutLink(const QString &target, const QPoint &at)
{
    if (target.isEmpty())
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("linkMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QUrl url(target, QUrl::StrictMode);
    const QString origin = originOf(url);
    if (!origin.isEmpty())
        addWords(*menu, origin);
    addWords(*menu, shortened(visibleText(target)));
    if (url.authority().contains(QLatin1Char('@')))
        addWords(*menu, tr("Not opened: it has a user name in front of the host"));
    menu->addSeparator();
    QAction *open =
        menu->addAction(tr("Open in the browser"), this, [url] { QDesktopServices::openUrl(url); });
    open->setEnabled(mayBeOpened(url));
    menu->addAction(tr("Copy address"), this, [target] { copyToClipboard(target); });
    menu->popup(at);
}

} // namespace berth::ui
