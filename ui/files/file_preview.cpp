// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_preview.h"

#include "ui/files/hex_text.h"
#include "ui/models/runtime_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QBuffer>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtGui/QImageReader>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QPlainTextEdit>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

constexpr qint64 kPiece = 1024 * 1024;
constexpr qsizetype kHexBytes = 16 * 1024;
constexpr int kLargestSide = 16'384;
//! What decoding a picture may take, in MiB.
constexpr int kPictureMemory = 128;

//! A picture by its first bytes; formats with a decoder of Qt's own, none that is a document.
bool looksLikePicture(const QByteArray &bytes)
{
    return bytes.startsWith("\x89PNG\r\n") || bytes.startsWith("\xff\xd8\xff")
        || bytes.startsWith("GIF8") || bytes.startsWith("BM")
        || (bytes.startsWith("RIFF") && bytes.mid(8, 4) == "WEBP");
}

} // namespace

FilePreview::FilePreview(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_name(new ElidedLabel(TextRole::Mono)),
      m_download(new Button(tr("Download…"))),
      m_copy(new Button(tr("Copy path"))),
      m_note(new Label(TextRole::Caption, Ink::Caption)),
      m_pages(new QStackedWidget),
      m_text(new QPlainTextEdit),
      m_pictureArea(new QScrollArea),
      m_picture(new Label)
{
    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    m_name->setElideMode(Qt::ElideMiddle);
    head->addWidget(m_name, 1);
    head->addWidget(m_download);
    head->addWidget(m_copy);
    m_note->setWrapped(true);
    m_text->setReadOnly(true);
    m_text->setFont(fontFor(TextRole::MonoSmall));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Content of the file"));
    m_picture->setAlignment(Qt::AlignCenter);
    m_pictureArea->setWidget(m_picture);
    m_pictureArea->setWidgetResizable(true);
    m_pictureArea->setFrameShape(QFrame::NoFrame);
    m_pages->addWidget(m_text);
    m_pages->addWidget(m_pictureArea);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_note);
    column->addWidget(m_pages, 1);
    connect(m_download, &QPushButton::clicked, this, [this] { Q_EMIT downloadAsked(m_path); });
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_path); });
    clear();
}

void FilePreview::clear()
{
    ++m_generation;
    m_kind = Kind::None;
    m_path.clear();
    m_bytes.clear();
    m_text->clear();
    m_picture->clear();
    hide();
}

QString FilePreview::text() const
{
    return m_text->toPlainText();
}

void FilePreview::setNote(const QString &note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void FilePreview::showFile(const QString &target, const QString &path,
                           const application::FileView &file)
{
    clear();
    m_target = target;
    m_path = path;
    m_size = file.size;
    m_wanted = kTextBytes;
    m_name->setFullText(file.name);
    const bool isReadable = file.kind == domain::FileKind::Regular
        || (file.kind == domain::FileKind::Symlink && file.problem.isEmpty());
    m_download->setEnabled(isReadable);
    m_pages->setVisible(isReadable);
    QWidget::show();
    if (!isReadable) {
        setNote(file.problem.isEmpty() ? tr("Neither a file nor a folder: nothing to show.")
                                       : file.problem);
        return;
    }
    setNote(tr("Reading…"));
    fetch();
}

void FilePreview::fetch()
{
    application::ReadFile command;
    command.target = m_target;
    command.path = m_path;
    command.offset = m_bytes.size();
    command.length = qMin<qint64>(kPiece, m_wanted - m_bytes.size());
    application::deliver(
        this, m_client, command,
        [this, generation = m_generation](const domain::Result<application::FileChunk> &chunk) {
            if (generation == m_generation)
                take(chunk);
        });
}

void FilePreview::take(const domain::Result<application::FileChunk> &chunk)
{
    if (!chunk) {
        m_kind = Kind::Failed;
        setNote(chunk.error().detail.isEmpty()
                    ? chunk.error().message
                    : tr("%1. %2", "what, why").arg(chunk.error().message, chunk.error().detail));
        m_pages->hide();
        return;
    }
    const bool isEnd = chunk->bytes.isEmpty();
    m_bytes += chunk->bytes;
    if (looksLikePicture(m_bytes) && m_size <= kPictureBytes)
        m_wanted = m_size;
    if (!isEnd && m_bytes.size() < qMin(m_wanted, m_size)) {
        fetch();
        return;
    }
    show();
}

bool FilePreview::showPicture()
{
    if (!looksLikePicture(m_bytes) || m_bytes.size() < m_size)
        return false;
    QBuffer buffer(&m_bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader::setAllocationLimit(kPictureMemory);
    QImageReader reader(&buffer);
    const QSize size = reader.size();
    if (!size.isValid() || size.width() > kLargestSide || size.height() > kLargestSide)
        return false;
    QImage image = reader.read();
    if (image.isNull())
        return false;
    const int room = qMax(64, width() - 16);
    if (image.width() > room)
        image = image.scaledToWidth(room, Qt::SmoothTransformation);
    m_picture->setPixmap(QPixmap::fromImage(image));
    m_picture->setAccessibleName(
        tr("Picture, %1 × %2 pixels").arg(size.width()).arg(size.height()));
    setNote(tr("%1 × %2 pixels · %3").arg(size.width()).arg(size.height()).arg(byteText(m_size)));
    return true;
}

void FilePreview::show()
{
    if (showPicture()) {
        m_kind = Kind::Picture;
        m_pages->setCurrentWidget(m_pictureArea);
        return;
    }
    const bool isCut = m_bytes.size() < m_size;
    m_pages->setCurrentWidget(m_text);
    if (isPlainText(m_bytes, isCut)) {
        m_kind = Kind::Text;
        m_text->setPlainText(QString::fromUtf8(m_bytes));
        setNote(m_bytes.isEmpty() ? tr("The file is empty.")
                    : isCut
                    ? tr("The first %1 of %2").arg(byteText(m_bytes.size()), byteText(m_size))
                    : QString());
        return;
    }
    m_kind = Kind::Bytes;
    const QByteArray shown = m_bytes.left(kHexBytes);
    m_text->setPlainText(hexText(shown));
    setNote(shown.size() < m_size
                ? tr("Not text: the first %1 of %2").arg(byteText(shown.size()), byteText(m_size))
                : tr("Not text: %1").arg(byteText(m_size)));
}

} // namespace berth::ui
