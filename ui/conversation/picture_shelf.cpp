// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/picture_shelf.h"

#include "application/engine_client.h"
#include "async/post.h"
#include "domain/text.h"
#include "ui/models/runtime_text.h"

#include <QtCore/QBuffer>
#include <QtCore/QUrl>
#include <QtGui/QImageReader>

namespace berth::ui {

using domain::Result;

namespace {

constexpr qint64 kPiece = 1 << 20;
constexpr int kTallest = 360;
//! Of one decoded picture, in MiB; what a format's plugin may ask for.
constexpr int kDecodeMemory = 256;

struct Decoded
{
    QImage image;
    QSize size;
    bool tooLarge = false;
};

//! Formats that name nothing else and run nothing.
bool isPlainFormat(const QByteArray &format)
{
    return format == "png" || format == "jpeg" || format == "jpg" || format == "gif"
        || format == "webp" || format == "bmp";
}

Decoded decoded(QByteArray bytes)
{
    Decoded result;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer);
    reader.setDecideFormatFromContent(true);
    reader.setAutoTransform(true);
    if (!isPlainFormat(reader.format()))
        return result;
    const QSize size = reader.size();
    if (!size.isValid() || size.isEmpty())
        return result;
    if (qint64(size.width()) * size.height() > PictureShelf::kMostPixels) {
        result.tooLarge = true;
        return result;
    }
    const int side = PictureShelf::kLargestSide;
    if (size.width() > side || size.height() > side)
        reader.setScaledSize(size.scaled(side, side, Qt::KeepAspectRatio));
    result.image = reader.read();
    // As it is turned, and before it was made smaller.
    const bool turned = reader.transformation() & QImageIOHandler::TransformationRotate90;
    result.size = turned ? size.transposed() : size;
    return result;
}

} // namespace

QString picturePath(const QString &target)
{
    static const QStringList endings{QStringLiteral(".png"),  QStringLiteral(".jpg"),
                                     QStringLiteral(".jpeg"), QStringLiteral(".gif"),
                                     QStringLiteral(".webp"), QStringLiteral(".bmp")};
    constexpr qsizetype kLongestPath = 1000;
    // "https://…", "data:…", "//host/…", and "file:" too, which would be of this machine.
    if (target.isEmpty() || target.size() > kLongestPath || target.startsWith(QLatin1String("//"))
        || target.startsWith(QLatin1Char('#')) || !QUrl(target).scheme().isEmpty())
        return {};
    for (const QString &ending : endings) {
        if (target.endsWith(ending, Qt::CaseInsensitive))
            return QUrl::fromPercentEncoding(target.toUtf8());
    }
    return {};
}

QSize pictureSize(const QSize &size, int width)
{
    if (size.isEmpty())
        return {};
    if (size.width() <= width && size.height() <= kTallest)
        return size;
    return size.scaled(width, kTallest, Qt::KeepAspectRatio).expandedTo(QSize(1, 1));
}

PictureShelf::PictureShelf(application::EngineClient &client, QObject *parent)
    : QObject(parent), m_client(client)
{
    m_pool.setMaxThreadCount(1);
    QImageReader::setAllocationLimit(kDecodeMemory);
}

PictureShelf::~PictureShelf()
{
    // What is being decoded posts to this object.
    m_pool.clear();
    m_pool.waitForDone();
}

void PictureShelf::setThread(const domain::ThreadId &thread)
{
    if (thread == m_thread)
        return;
    m_thread = thread;
    ++m_generation;
    m_pool.clear();
    m_pictures.clear();
    m_versions.clear();
}

PictureShelf::Picture PictureShelf::find(quint64 row, const QString &path) const
{
    const Picture *known = m_pictures.object({row, path});
    return known ? *known : Picture();
}

void PictureShelf::want(quint64 row, const QString &path, bool wake)
{
    const Picture known = find(row, path);
    if (m_thread.isNull() || known.state == State::Ready || known.state == State::Loading
        || (known.state == State::Failed && !wake))
        return;
    const auto reading = std::make_shared<Reading>();
    reading->key = {row, path};
    reading->wake = wake;
    Picture loading;
    loading.state = State::Loading;
    loading.words = tr("Reading %1…").arg(path);
    put(reading->key, loading);
    read(reading);
}

void PictureShelf::read(const std::shared_ptr<Reading> &reading)
{
    application::ReadFile command;
    command.target = m_thread.toString();
    command.path = domain::escapedBytes(reading->key.path.toUtf8());
    command.offset = reading->bytes.size();
    command.length = kPiece;
    command.wake = reading->wake;
    application::deliver(
        this, m_client, command,
        [this, reading, generation = m_generation](const Result<application::FileChunk> &chunk) {
            if (generation != m_generation)
                return;
            Picture failed;
            failed.state = State::Failed;
            if (!chunk) {
                const bool asleep = chunk.error().kind == domain::ErrorKind::Conflict;
                failed.words = asleep
                    ? tr("%1: the sandbox is not running. Click to start it and look.")
                          .arg(reading->key.path)
                    : tr("%1: %2", "a picture, why it is not shown")
                          .arg(reading->key.path, chunk.error().message);
                put(reading->key, failed);
                return;
            }
            reading->bytes += chunk->bytes;
            if (reading->bytes.size() > kMostBytes) {
                failed.words = tr("%1 is larger than %2 and is not shown")
                                   .arg(reading->key.path, byteText(kMostBytes));
                put(reading->key, failed);
            } else if (chunk->bytes.size() == kPiece) {
                read(reading);
            } else {
                decode(reading);
            }
        });
}

void PictureShelf::decode(const std::shared_ptr<Reading> &reading)
{
    m_pool.start([this, reading, generation = m_generation] {
        const Decoded result = decoded(std::move(reading->bytes));
        async::post(this, [this, key = reading->key, result, generation] {
            if (generation != m_generation)
                return;
            Picture picture;
            picture.state = result.image.isNull() ? State::Failed : State::Ready;
            picture.image = result.image;
            picture.size = result.size;
            if (result.tooLarge)
                picture.words = tr("%1 has too many pixels and is not shown").arg(key.path);
            else if (result.image.isNull())
                picture.words = tr("%1 is no picture that can be shown").arg(key.path);
            else
                picture.words = tr("%1, %2 × %3 pixels")
                                    .arg(key.path)
                                    .arg(result.size.width())
                                    .arg(result.size.height());
            put(key, picture);
        });
    });
}

void PictureShelf::put(const Key &key, const Picture &picture)
{
    const qsizetype cost = 1 + picture.image.sizeInBytes() / 1024;
    m_pictures.insert(key, new Picture(picture), cost);
    ++m_versions[key.row];
    Q_EMIT changed(key.row);
}

} // namespace berth::ui
