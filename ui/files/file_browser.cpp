// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_browser.h"

#include "ui/files/file_preview.h"
#include "ui/files/transfer_queue.h"
#include "ui/files/transfer_strip.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QFile>
#include <QtCore/QMimeData>
#include <QtCore/QUrl>
#include <QtGui/QClipboard>
#include <QtGui/QDragEnterEvent>
#include <QtGui/QDropEvent>
#include <QtGui/QGuiApplication>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QCheckBox>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QTableView>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::FileView;

namespace {

constexpr int kSizeColumn = 90;
constexpr int kTimeColumn = 130;
constexpr int kRow = 36;

} // namespace

FileBrowser::FileBrowser(application::EngineClient &client, TransferQueue &transfers,
                         QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_transfers(transfers),
      m_model(new FileModel(client, this)),
      m_banner(new Banner),
      m_pages(new QStackedWidget),
      m_table(new QTableView),
      m_empty(new EmptyState({}, {})),
      m_status(new Label(TextRole::Caption, Ink::Caption)),
      m_hidden(new QCheckBox(tr("Hidden files"))),
      m_preview(new FilePreview(client)),
      m_strip(new TransferStrip(transfers))
{
    setAcceptDrops(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(buildBar());
    column->addWidget(buildNewFolder());
    m_confirm = m_banner->addAction(tr("Delete"));
    m_dismiss = m_banner->addAction(tr("Cancel"), true);
    m_banner->hide();
    column->addWidget(m_banner);

    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(FileModel::Name, Qt::AscendingOrder);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(qMax(kRow, fontMetrics().height() + 12));
    m_table->horizontalHeader()->setSectionResizeMode(FileModel::Name, QHeaderView::Stretch);
    m_table->setColumnWidth(FileModel::Size, kSizeColumn);
    m_table->setColumnWidth(FileModel::Modified, kTimeColumn);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setAccessibleName(tr("Files"));
    m_table->setTabKeyNavigation(false);
    m_table->installEventFilter(this);
    m_emptyAction = m_empty->setAction(tr("Resume and look"));
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    auto *split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->addWidget(m_pages);
    split->addWidget(m_preview);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    column->addWidget(split, 1);
    auto *foot = new QHBoxLayout;
    foot->addWidget(m_status, 1);
    foot->addWidget(m_hidden);
    column->addLayout(foot);
    column->addWidget(m_strip);

    connect(m_model, &FileModel::stateChanged, this, &FileBrowser::refresh);
    connect(m_model, &FileModel::renameAsked, this, [this](const QString &from, const QString &to) {
        application::RenameFile command;
        command.target = m_model->target();
        command.from = from;
        command.to = to;
        application::deliver(this, m_client, command,
                             [this](const domain::Result<FileView> &answer) {
                                 if (!answer)
                                     showError(tr("Not renamed"), answer.error());
                                 else
                                     m_wanted = answer->name;
                                 m_model->reload();
                             });
    });
    connect(m_table, &QTableView::doubleClicked, this, &FileBrowser::openIndex);
    connect(m_table, &QTableView::customContextMenuRequested, this, &FileBrowser::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &FileBrowser::showSelection);
    connect(m_hidden, &QCheckBox::toggled, m_model, &FileModel::setShowHidden);
    connect(m_emptyAction, &QPushButton::clicked, this, [this] {
        m_model->open(m_model->directory(), m_model->state() == FileModel::State::Asleep);
    });
    connect(m_preview, &FilePreview::downloadAsked, this, &FileBrowser::pickFolderFor);
    connect(m_dismiss, &QPushButton::clicked, m_banner, &QWidget::hide);
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        m_banner->hide();
        if (const auto confirmed = std::exchange(m_confirmed, {}))
            confirmed();
    });
    connect(&m_transfers, &TransferQueue::uploaded, this, [this](const QString &target) {
        if (target == m_model->target() && m_model->state() == FileModel::State::Ready)
            m_model->reload();
    });
    refresh();
}

QWidget *FileBrowser::buildBar()
{
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_up = new IconButton(Glyph::ChevronUp, tr("Folder above"));
    m_path = new QLineEdit;
    m_path->setAccessibleName(tr("Folder"));
    m_path->setFont(fontFor(TextRole::Mono));
    m_reload = new IconButton(Glyph::Refresh, tr("Look again"));
    m_upload = new Button(tr("Upload"));
    m_upload->setOpens(true);
    m_newFolder = new Button(tr("New folder"));
    row->addWidget(m_up);
    row->addWidget(m_path, 1);
    row->addWidget(m_reload);
    row->addWidget(m_upload);
    row->addWidget(m_newFolder);
    auto *menu = new QMenu(m_upload);
    menu->addAction(tr("Files…"), this, [this] { pickFiles(false); });
    menu->addAction(tr("Folder…"), this, [this] { pickFiles(true); });
    connect(m_upload, &QPushButton::clicked, this,
            [this, menu] { menu->popup(m_upload->mapToGlobal(QPoint(0, m_upload->height()))); });
    connect(m_up, &QToolButton::clicked, this, [this] {
        m_wanted = m_model->directory().section(QLatin1Char('/'), -1);
        m_model->open(FileModel::parentOf(m_model->directory()));
    });
    connect(m_reload, &QToolButton::clicked, m_model, &FileModel::reload);
    connect(m_path, &QLineEdit::returnPressed, this, [this] { m_model->open(m_path->text()); });
    connect(m_newFolder, &QPushButton::clicked, this, [this] {
        m_newBar->setVisible(!m_newBar->isVisible());
        m_newName->clear();
        if (m_newBar->isVisible())
            m_newName->setFocus();
    });
    return bar;
}

QWidget *FileBrowser::buildNewFolder()
{
    m_newBar = new QWidget;
    auto *row = new QHBoxLayout(m_newBar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_newName = new QLineEdit;
    m_newName->setPlaceholderText(tr("Name of the new folder"));
    m_newName->setAccessibleName(tr("Name of the new folder"));
    auto *make = new Button(tr("Create"), ButtonKind::Primary);
    row->addWidget(m_newName, 1);
    row->addWidget(make);
    connect(make, &QPushButton::clicked, this, &FileBrowser::makeFolder);
    connect(m_newName, &QLineEdit::returnPressed, this, &FileBrowser::makeFolder);
    m_newBar->hide();
    return m_newBar;
}

void FileBrowser::setTarget(const QString &target, const QString &name, const QString &refusal)
{
    m_name = name;
    const bool same = target == m_model->target() && refusal == m_refusal;
    m_refusal = refusal;
    if (same)
        return;
    m_preview->clear();
    m_banner->hide();
    m_newBar->hide();
    m_removing.clear();
    m_model->setTarget(refusal.isEmpty() ? target : QString());
    refresh();
    if (isVisible())
        enter();
}

void FileBrowser::enter()
{
    if (m_model->state() == FileModel::State::Idle && !m_model->target().isEmpty())
        m_model->open({});
}

void FileBrowser::refresh()
{
    using State = FileModel::State;
    const State state = m_model->state();
    if (!m_path->hasFocus() || state == State::Ready)
        m_path->setText(m_model->directory());
    const bool ready = state == State::Ready;
    for (QWidget *widget : {static_cast<QWidget *>(m_upload), static_cast<QWidget *>(m_newFolder)})
        widget->setEnabled(ready);
    m_up->setEnabled(ready && m_model->directory() != QLatin1String("/"));
    m_reload->setEnabled(state != State::Idle && state != State::Loading);
    m_path->setEnabled(m_refusal.isEmpty());
    m_emptyAction->setVisible(state == State::Asleep || state == State::Failed);
    m_pages->setCurrentWidget(m_empty);
    if (!m_refusal.isEmpty()) {
        m_empty->setText(tr("No files to show"), m_refusal);
    } else if (state == State::Asleep) {
        m_empty->setText(tr("%1 is not running").arg(m_name),
                         tr("Its files can be seen once it runs."));
        m_emptyAction->setText(tr("Resume and look"));
    } else if (state == State::Failed) {
        m_empty->setText(m_model->error()->message, m_model->error()->detail);
        m_emptyAction->setText(tr("Try again"));
    } else if (ready && m_model->rowCount() == 0) {
        m_empty->setText(tr("This folder is empty"),
                         m_model->hiddenCount() > 0 ? tr("%n hidden file(s) are not shown.",
                                                         nullptr, m_model->hiddenCount())
                                                    : tr("Drop files here to bring them in."));
    } else if (state == State::Idle) {
        m_empty->setText(tr("Files"), {});
    } else {
        m_pages->setCurrentWidget(m_table);
    }
    QStringList facts;
    if (state == State::Loading)
        facts << tr("Looking…");
    if (ready) {
        facts << tr("%n entries", nullptr, m_model->rowCount());
        if (m_model->hiddenCount() > 0)
            facts << tr("%n hidden", nullptr, m_model->hiddenCount());
        if (m_model->hasMore())
            facts << tr("more below; sorted among these");
    }
    m_status->setText(facts.join(QStringLiteral(" · ")));
    if (ready && !m_wanted.isEmpty()) {
        const QModelIndex wanted = m_model->find(std::exchange(m_wanted, {}));
        if (wanted.isValid())
            m_table->setCurrentIndex(wanted);
    }
}

void FileBrowser::openIndex(const QModelIndex &index)
{
    const FileView *file = m_model->entry(index);
    if (!file)
        return;
    if (FileModel::opensAsFolder(*file))
        m_model->open(m_model->pathOf(index));
    else
        m_preview->showFile(m_model->target(), m_model->pathOf(index), *file);
}

void FileBrowser::showSelection()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows(FileModel::Name);
    const FileView *file = rows.size() == 1 ? m_model->entry(rows.first()) : nullptr;
    if (file && !FileModel::opensAsFolder(*file))
        m_preview->showFile(m_model->target(), m_model->pathOf(rows.first()), *file);
    else
        m_preview->clear();
}

QStringList FileBrowser::selectedPaths() const
{
    QStringList paths;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows(FileModel::Name);
    for (const QModelIndex &row : rows)
        paths << m_model->pathOf(row);
    return paths;
}

void FileBrowser::setBanner(Tone tone, const QString &title, const QString &detail)
{
    m_banner->setTone(tone);
    m_banner->setText(title, detail);
    m_confirm->hide();
    m_dismiss->setText(tr("Close"));
    m_confirmed = {};
    m_banner->show();
}

void FileBrowser::showError(const QString &what, const domain::Error &error)
{
    setBanner(Tone::Error, tr("%1: %2", "what failed, why").arg(what, error.message), error.detail);
}

void FileBrowser::makeFolder()
{
    const QString name = m_newName->text();
    if (name.isEmpty())
        return;
    application::MakeFolder command;
    command.target = m_model->target();
    command.path = FileModel::joined(m_model->directory(), name);
    application::deliver(this, m_client, command,
                         [this, name](const domain::Result<FileView> &answer) {
                             if (!answer) {
                                 showError(tr("No folder made"), answer.error());
                                 return;
                             }
                             m_newBar->hide();
                             m_wanted = name;
                             m_model->reload();
                         });
}

void FileBrowser::askToRemove()
{
    const QStringList paths = selectedPaths();
    if (paths.isEmpty())
        return;
    bool hasFolder = false;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows(FileModel::Name);
    for (const QModelIndex &row : rows)
        hasFolder = hasFolder || m_model->entry(row)->kind == domain::FileKind::Directory;
    setBanner(Tone::Warn,
              paths.size() == 1
                  ? tr("Delete %1?").arg(paths.first())
                  : tr("Delete %n files and folders?", nullptr, static_cast<int>(paths.size())),
              hasFolder ? tr("With everything in it. This cannot be undone.")
                        : tr("This cannot be undone."));
    m_confirm->setText(tr("Delete"));
    m_confirm->show();
    m_dismiss->setText(tr("Cancel"));
    m_confirmed = [this, paths, target = m_model->target()] {
        const bool idle = m_removing.isEmpty();
        if (target != m_model->target())
            return;
        m_removing += paths;
        if (idle)
            removeNext();
    };
    m_dismiss->setFocus();
}

void FileBrowser::removeNext()
{
    if (m_removing.isEmpty()) {
        m_model->reload();
        return;
    }
    const QString path = m_removing.takeFirst();
    application::RemoveFile command;
    command.target = m_model->target();
    command.path = path;
    command.recursive = true;
    application::deliver(this, m_client, command,
                         [this, path](const domain::Result<application::Nothing> &answer) {
                             if (!answer) {
                                 // What stands behind it is left for a second thought.
                                 m_removing.clear();
                                 showError(tr("%1 was not deleted").arg(path), answer.error());
                             }
                             removeNext();
                         });
}

void FileBrowser::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const QStringList paths = selectedPaths();
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid()) {
        menu->addAction(tr("Open"), this, [this, index] { openIndex(index); });
        menu->addAction(tr("Download…"), this, [this, paths] {
            m_downloads = paths;
            pickFolderFor({});
        });
        menu->addAction(tr("Rename"), this,
                        [this, index] { m_table->edit(index.siblingAtColumn(FileModel::Name)); });
        menu->addAction(tr("Copy path"), this, [paths] {
            QGuiApplication::clipboard()->setText(paths.join(QLatin1Char('\n')));
        });
        menu->addSeparator();
        menu->addAction(tr("Delete…"), this, &FileBrowser::askToRemove);
    } else {
        menu->addAction(tr("Upload files…"), this, [this] { pickFiles(false); });
        menu->addAction(tr("Upload folder…"), this, [this] { pickFiles(true); });
        menu->addAction(tr("New folder"), m_newFolder, &QAbstractButton::click);
        menu->addAction(tr("Look again"), m_model, &FileModel::reload);
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void FileBrowser::pickFiles(bool folder)
{
    auto *dialog = new QFileDialog(this, folder ? tr("Upload folder") : tr("Upload files"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList &files) {
        QList<QByteArray> paths;
        for (const QString &file : files)
            paths << QFile::encodeName(file);
        upload(paths);
    });
    dialog->open();
}

void FileBrowser::pickFolderFor(const QString &path)
{
    if (!path.isEmpty())
        m_downloads = {path};
    auto *dialog = new QFileDialog(this, tr("Download into"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString &folder) { downloadTo(QFile::encodeName(folder)); });
    dialog->open();
}

void FileBrowser::upload(const QList<QByteArray> &localPaths)
{
    for (const QByteArray &path : localPaths) {
        application::UploadRequest request;
        request.target = m_model->target();
        request.localPath = path;
        request.folder = m_model->directory();
        request.recursive = true;
        m_transfers.upload(request);
    }
}

void FileBrowser::downloadTo(const QByteArray &localFolder)
{
    const QStringList paths =
        m_downloads.isEmpty() ? selectedPaths() : std::exchange(m_downloads, {});
    for (const QString &path : paths) {
        application::DownloadRequest request;
        request.target = m_model->target();
        request.path = path;
        request.localFolder = localFolder;
        request.recursive = true;
        m_transfers.download(request);
    }
}

void FileBrowser::dragEnterEvent(QDragEnterEvent *event)
{
    if (m_model->state() == FileModel::State::Ready && event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void FileBrowser::dropEvent(QDropEvent *event)
{
    QList<QByteArray> paths;
    const QList<QUrl> urls = event->mimeData()->urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            paths << QFile::encodeName(url.toLocalFile());
    }
    if (paths.isEmpty() || m_model->state() != FileModel::State::Ready)
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    upload(paths);
}

bool FileBrowser::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        openIndex(m_table->currentIndex());
        return true;
    case Qt::Key_Backspace:
        if (m_up->isEnabled())
            m_up->click();
        return true;
    case Qt::Key_Delete:
        askToRemove();
        return true;
    case Qt::Key_F5:
        m_model->reload();
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

} // namespace berth::ui
