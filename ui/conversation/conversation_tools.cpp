// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/conversation_page.h"

#include "ui/conversation/attachment_bar.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_view.h"
#include "ui/conversation/export_strip.h"
#include "ui/conversation/output_search.h"
#include "ui/conversation/output_viewer.h"
#include "ui/conversation/picture_view.h"
#include "ui/conversation/thread_search.h"
#include "ui/models/engine_state.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/page_header.h"

#include <QtCore/QFile>
#include <QtGui/QShortcut>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QMenu>
#include <QtWidgets/QVBoxLayout>

// What can be done with a thread besides talking: search, export, files and pictures.
namespace berth::ui {

using application::ExportFormat;
using application::ThreadView;

namespace {

//! Narrower, the agent's name gives way.
constexpr int kAgentFrom = 900;

} // namespace

void ConversationPage::buildTools(QWidget *talk)
{
    m_more = new IconButton(Glyph::More, tr("More of this thread"));
    m_header->addAction(m_more);
    connect(m_more, &QToolButton::clicked, this, &ConversationPage::openMoreMenu);

    auto *lines = static_cast<QVBoxLayout *>(talk->layout());
    m_exports = new ExportStrip(m_state.client());
    lines->addWidget(m_exports);
    m_search = new ThreadSearch(*m_model, *m_view);
    lines->addWidget(m_search);
    const auto add = [this, talk](const QKeySequence &keys, const std::function<void()> &action) {
        auto *shortcut = new QShortcut(keys, talk);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    add(QKeySequence::Find, [this] { m_search->open(); });
    add(Qt::Key_F3, [this] { m_search->isOpen() ? m_search->next() : m_search->open(); });
    add(Qt::SHIFT | Qt::Key_F3,
        [this] { m_search->isOpen() ? m_search->previous() : m_search->open(); });

    m_view->rows()->setPictures(m_pictures);
    connect(m_pictures, &PictureShelf::changed, m_view, &ConversationView::notePictures);
    connect(m_view, &ConversationView::pictureRequested, this, &ConversationPage::showPicture);

    m_attachments = new AttachmentBar(m_state.client());
    m_composer->setAttachments(m_attachments);
    connect(m_attachments, &AttachmentBar::changed, this, &ConversationPage::showAttachments);
    connect(m_composer, &Composer::filesGiven, this, &ConversationPage::attach);
    connect(m_composer, &Composer::attachRequested, this, [this] {
        auto *menu = new QMenu(this);
        menu->setObjectName(QStringLiteral("attachMenu"));
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Files…"), this, [this] { chooseFiles(false); });
        menu->addAction(tr("A folder…"), this, [this] { chooseFiles(true); });
        IconButton *button = m_composer->attachButton();
        menu->popup(button->mapToGlobal(QPoint(0, button->height())));
    });
}

void ConversationPage::openMoreMenu()
{
    const ThreadView *thread = m_state.thread(m_thread);
    if (!thread)
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("threadMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Find in this thread (Ctrl+F)"), this, &ConversationPage::find);
    menu->addAction(tr("Rename (F2)"), this, &ConversationPage::rename);
    menu->addSeparator();
    const auto exporting = [this](ExportFormat format) {
        const ThreadView *known = m_state.thread(m_thread);
        m_exports->choose(m_thread, known ? known->title : QString(), format);
    };
    QAction *markdown = menu->addAction(tr("Export as Markdown…"), this,
                                        [exporting] { exporting(ExportFormat::Markdown); });
    QAction *json = menu->addAction(tr("Export as JSON…"), this,
                                    [exporting] { exporting(ExportFormat::Json); });
    markdown->setEnabled(!m_exports->isRunning());
    json->setEnabled(!m_exports->isRunning());
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

void ConversationPage::find()
{
    if (isViewerOpen())
        m_viewer->search()->open();
    else
        m_search->open();
}

void ConversationPage::showPicture(quint64 row, const QString &path)
{
    const PictureShelf::Picture picture = m_pictures->find(row, path);
    if (picture.state != PictureShelf::State::Ready) {
        // The user asks for it: then the sandbox may be woken.
        m_pictures->want(row, path, true);
        return;
    }
    auto *large = new PictureView(picture.image, picture.words, this);
    large->show();
    large->activateWindow();
    large->setFocus();
}

QString ConversationPage::attachRefusal() const
{
    const ThreadView *thread = m_state.thread(m_thread);
    if (!thread)
        return {};
    if (thread->sandbox.isNull())
        return tr("This thread has no sandbox that files could be put into.");
    if (thread->archived)
        return tr("This thread is archived.");
    const application::AgentView *agent = m_state.agent(thread->agent);
    if (agent && agent->autonomy == QLatin1String("readonly"))
        return tr("The agent %1 may only read: nothing is written into its sandboxes.")
            .arg(agent->name);
    return {};
}

QString ConversationPage::workingDirectory() const
{
    for (int row = m_model->rowCount() - 1; row >= 0; --row) {
        const auto call = m_model->index(row)
                              .data(ConversationModel::CallRole)
                              .value<application::ToolCallView>();
        if (!call.cwd.isEmpty())
            return call.cwd;
    }
    return {};
}

void ConversationPage::attach(const QList<QByteArray> &localPaths)
{
    const QString refusal = attachRefusal();
    if (!refusal.isEmpty()) {
        m_composer->showError(
            {domain::ErrorKind::Conflict, tr("Files cannot be attached here"), refusal, {}, {}});
        return;
    }
    if (m_attachments->count() + localPaths.size() > AttachmentBar::kMost)
        m_composer->showError({domain::ErrorKind::InvalidInput,
                               tr("These are too many files"),
                               tr("A message takes %1. Put them into a folder and attach that.")
                                   .arg(AttachmentBar::kMost),
                               {},
                               {}});
    else
        m_attachments->add(localPaths, workingDirectory());
}

void ConversationPage::chooseFiles(bool folder)
{
    auto *dialog = new QFileDialog(this, folder ? tr("Attach a folder") : tr("Attach files"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList &files) {
        QList<QByteArray> paths;
        for (const QString &file : files)
            paths.append(QFile::encodeName(file));
        attach(paths);
    });
    dialog->open();
}

void ConversationPage::showAttachments()
{
    const int pending = m_attachments->pending();
    // Commands name no files.
    m_composer->setBlocked(pending > 0 ? tr("Waiting for %n file(s)", nullptr, pending) : QString(),
                           false);
}

void ConversationPage::showAgent()
{
    m_agent->setVisible(!m_agent->text().isEmpty() && width() >= kAgentFrom);
}

} // namespace berth::ui
