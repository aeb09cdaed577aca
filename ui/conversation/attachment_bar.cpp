// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/attachment_bar.h"

#include "application/engine_client.h"
#include "domain/text.h"
#include "ui/conversation/ansi_text.h"
#include "ui/files/transfer_queue.h"
#include "ui/style/paint.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"

#include <QtCore/QFileInfo>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

#include <algorithm>

namespace berth::ui {

using domain::Result;
using domain::ThreadId;

//! One file: its name, how far it is, and a way to take it back.
class AttachmentChip final : public QWidget
{
public:
    AttachmentChip(int itemId, const QString &removeName)
        : id(itemId),
          text(new Label(TextRole::Caption)),
          remove(new IconButton(Glyph::Close, removeName))
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(12, 0, 0, 0);
        row->setSpacing(4);
        row->addWidget(text);
        row->addWidget(remove);
    }
    int id;
    Label *text;
    IconButton *remove;
    bool isBad = false;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Tokens &t = tokens(this);
        paintRounded(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kChipRadius,
                     isBad ? t.errorSoft : t.lineSoft, t.highContrast ? t.control : QColor());
    }
};

AttachmentBar::AttachmentBar(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_transfers(new TransferQueue(client, this)),
      m_row(new FlowRow),
      m_question(new Banner(Tone::Warn))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_row->setAccessibleName(tr("Attached files"));
    column->addWidget(m_row);
    for (int i = 0; i < 3; ++i) {
        Button *button = m_question->addAction(tr("Leave out"));
        connect(button, &QPushButton::clicked, this, [this, i] { answer(i); });
        m_answers.append(button);
    }
    m_question->hide();
    column->addWidget(m_question);
    hide();
    connect(m_transfers, &TransferQueue::changed, this, &AttachmentBar::onTransfer);
}

AttachmentBar::~AttachmentBar() = default;

const AttachmentBar::Items &AttachmentBar::items() const
{
    static const Items kNone;
    const auto known = m_items.constFind(m_thread);
    return known == m_items.constEnd() ? kNone : *known;
}

AttachmentBar::Item *AttachmentBar::find(const ThreadId &thread, int id)
{
    const auto known = m_items.find(thread);
    if (known == m_items.end())
        return nullptr;
    for (Item &item : *known) {
        if (item.id == id)
            return &item;
    }
    return nullptr;
}

void AttachmentBar::setThread(const ThreadId &thread)
{
    m_thread = thread;
    refresh();
}

void AttachmentBar::add(const QList<QByteArray> &localPaths, const QString &folder)
{
    for (const QByteArray &path : localPaths) {
        Items &all = m_items[m_thread];
        if (all.size() >= kMost)
            break;
        QByteArray local = path;
        while (local.size() > 1 && local.endsWith('/'))
            local.chop(1);
        Item item;
        item.id = ++m_lastId;
        item.localPath = local;
        item.name = domain::displayName(local.mid(local.lastIndexOf('/') + 1));
        item.folder = folder;
        item.isFolder = QFileInfo(QFile::decodeName(local)).isDir();
        item.state = item.isFolder ? State::Asking : State::Preparing;
        all.append(item);
        if (!item.isFolder)
            prepare(m_thread, item.id);
    }
    refresh();
}

//! Starts the sandbox where it does not run, and finds out where the file goes.
void AttachmentBar::prepare(const ThreadId &thread, int id)
{
    const Item *item = find(thread, id);
    if (!item)
        return;
    application::ListFiles command;
    command.target = thread.toString();
    command.path = item->folder;
    command.limit = 1;
    command.wake = true;
    application::deliver(this, m_client, command,
                         [this, thread, id](const Result<application::FileList> &there) {
                             Item *of = find(thread, id);
                             if (!of)
                                 return;
                             if (!there && there.error().kind == domain::ErrorKind::NotFound
                                 && !of->folder.isEmpty()) {
                                 // The last command may have removed the directory that it was in.
                                 of->folder.clear();
                                 prepare(thread, id);
                                 return;
                             }
                             if (there) {
                                 of->folder = there->directory;
                                 upload(thread, *of);
                             } else {
                                 of->state = State::Failed;
                                 of->error = there.error();
                             }
                             refresh();
                         });
}

void AttachmentBar::upload(const ThreadId &thread, Item &item)
{
    application::UploadRequest request;
    request.target = thread.toString();
    request.localPath = item.localPath;
    request.folder = item.folder;
    request.recursive = item.isFolder;
    request.wake = true;
    item.state = State::Uploading;
    item.percent = 0;
    // Told of before its number is known.
    const int id = item.id;
    const int transfer = m_transfers->upload(request);
    if (Item *of = find(thread, id))
        of->transfer = transfer;
    onTransfer(transfer);
}

void AttachmentBar::onTransfer(int transfer)
{
    const TransferQueue::Item *now = m_transfers->find(transfer);
    if (!now)
        return;
    using Course = TransferQueue::State;
    for (auto all = m_items.begin(); all != m_items.end(); ++all) {
        for (Item &item : *all) {
            if (item.transfer != transfer)
                continue;
            const auto &progress = now->progress;
            item.percent = progress.totalBytes > 0
                ? static_cast<int>(progress.bytes * 100 / progress.totalBytes)
                : 0;
            if (now->state == Course::Done) {
                item.state = State::Done;
                const QString folder = item.folder.endsWith(QLatin1Char('/'))
                    ? item.folder
                    : item.folder + QLatin1Char('/');
                item.path = folder + (now->report.name.isEmpty() ? item.name : now->report.name);
            } else if (now->state == Course::Failed || now->state == Course::Cancelled) {
                item.error = now->error.value_or(domain::Error());
                item.state =
                    item.error.kind == domain::ErrorKind::Conflict ? State::Taken : State::Failed;
            } else {
                item.state = State::Uploading;
            }
        }
    }
    refresh();
}

void AttachmentBar::remove(int id)
{
    Items &all = m_items[m_thread];
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (all[i].id != id)
            continue;
        const int transfer = all[i].transfer;
        all.removeAt(i);
        if (transfer > 0)
            m_transfers->cancel(transfer);
        break;
    }
    refresh();
}

void AttachmentBar::clear(const ThreadId &thread, const QList<int> &files)
{
    const auto all = m_items.find(thread);
    if (all == m_items.end() || files.isEmpty())
        return;
    all->removeIf([&files](const Item &item) { return files.contains(item.id); });
    if (all->isEmpty())
        m_items.erase(all);
    refresh();
}

int AttachmentBar::pending() const
{
    return static_cast<int>(std::count_if(items().cbegin(), items().cend(), [](const Item &item) {
        return item.state != State::Done;
    }));
}

qsizetype AttachmentBar::count() const
{
    return items().size();
}

QList<int> AttachmentBar::named() const
{
    QList<int> ids;
    for (const Item &item : items()) {
        if (item.state == State::Done)
            ids.append(item.id);
    }
    return ids;
}

QString AttachmentBar::words() const
{
    QStringList paths;
    for (const Item &item : items()) {
        if (item.state == State::Done)
            paths.append(QStringLiteral("- ") + item.path
                         + (item.isFolder ? QStringLiteral("/") : QString()));
    }
    if (paths.isEmpty())
        return {};
    return QStringLiteral("\n\n") + tr("Attached, in the sandbox:") + QLatin1Char('\n')
        + paths.join(QLatin1Char('\n'));
}

const AttachmentBar::Item *AttachmentBar::asking() const
{
    for (const Item &item : items()) {
        if (item.state == State::Asking || item.state == State::Taken
            || item.state == State::Failed)
            return &item;
    }
    return nullptr;
}

void AttachmentBar::answer(int button)
{
    const Item *asked = asking();
    Item *item = asked ? find(m_thread, asked->id) : nullptr;
    if (!item)
        return;
    const int id = item->id;
    const bool isLast = button == 2 || !m_answers[button + 1]->isVisibleTo(m_question);
    if (isLast) {
        remove(id);
        return;
    }
    if (item->state == State::Taken) {
        using application::OnExisting;
        item->state = State::Uploading;
        m_transfers->retry(item->transfer,
                           button == 0 ? OnExisting::Replace : OnExisting::KeepBoth);
    } else {
        item->state = State::Preparing;
        prepare(m_thread, id);
    }
    refresh();
}

QList<Button *> AttachmentBar::answers() const
{
    QList<Button *> shown;
    for (Button *button : m_answers) {
        if (button->isVisibleTo(m_question))
            shown.append(button);
    }
    return shown;
}

QString AttachmentBar::textOf(const Item &item)
{
    const QString name =
        visibleText(item.name.size() > 40 ? item.name.left(36) + QStringLiteral("…") : item.name);
    switch (item.state) {
    case State::Asking:
        return tr("%1 · upload it?", "a folder").arg(name);
    case State::Preparing:
        return tr("%1 · starting the sandbox…").arg(name);
    case State::Uploading:
        return tr("%1 · %2 %", "a file, how much of it is there").arg(name).arg(item.percent);
    case State::Taken:
        return tr("%1 · the name is taken").arg(name);
    case State::Failed:
        return tr("%1 · failed").arg(name);
    case State::Done:
        break;
    }
    return name;
}

QStringList AttachmentBar::chipTexts() const
{
    QStringList texts;
    for (const AttachmentChip *chip : m_chips)
        texts.append(chip->text->text());
    return texts;
}

QWidget *AttachmentBar::removeButton(qsizetype chip) const
{
    return m_chips.value(chip) ? m_chips.value(chip)->remove : nullptr;
}

void AttachmentBar::refresh()
{
    const Items &all = items();
    for (qsizetype i = m_chips.size() - 1; i >= 0; --i) {
        const int id = m_chips[i]->id;
        if (std::any_of(all.cbegin(), all.cend(), [id](const Item &item) { return item.id == id; }))
            continue;
        // Asked for by one of its own buttons.
        AttachmentChip *gone = m_chips.takeAt(i);
        gone->hide();
        gone->deleteLater();
    }
    for (const Item &item : all) {
        const auto known = std::find_if(m_chips.cbegin(), m_chips.cend(),
                                        [&item](const auto *chip) { return chip->id == item.id; });
        AttachmentChip *chip = known == m_chips.cend() ? nullptr : *known;
        if (!chip) {
            chip = new AttachmentChip(item.id, tr("Leave out %1").arg(visibleText(item.name)));
            connect(chip->remove, &QToolButton::clicked, this,
                    [this, id = item.id] { remove(id); });
            m_chips.append(chip);
            m_row->addWidget(chip);
            chip->show();
        }
        chip->isBad = item.state == State::Failed || item.state == State::Taken;
        chip->text->setText(textOf(item));
        chip->setToolTip(item.path.isEmpty() ? QString() : visibleText(item.path).toHtmlEscaped());
        chip->update();
    }
    if (const Item *item = asking()) {
        const QString name = visibleText(item->name);
        QStringList answers;
        if (item->state == State::Asking) {
            m_question->setText(tr("Upload the folder %1?").arg(name),
                                tr("With everything in it, into the sandbox's working directory."));
            answers = {tr("Upload"), tr("Leave out")};
        } else if (item->state == State::Taken) {
            m_question->setText(tr("%1 is there already").arg(name),
                                tr("In %1 of the sandbox.").arg(visibleText(item->folder)));
            answers = {tr("Replace"), tr("Keep both"), tr("Leave out")};
        } else {
            m_question->setText(tr("%1 was not uploaded: %2").arg(name, item->error.message),
                                item->error.detail);
            answers = {tr("Try again"), tr("Leave out")};
        }
        for (int i = 0; i < m_answers.size(); ++i) {
            m_answers[i]->setText(answers.value(i));
            m_answers[i]->setVisible(i < answers.size());
        }
    }
    m_question->setVisible(asking() != nullptr);
    setVisible(!all.isEmpty());
    Q_EMIT changed();
}

} // namespace berth::ui
