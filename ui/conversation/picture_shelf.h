// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/file_contract.h"

#include <QtCore/QCache>
#include <QtCore/QObject>
#include <QtCore/QSize>
#include <QtCore/QThreadPool>
#include <QtGui/QImage>

#include <memory>

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

//! Pictures that lie in a thread's sandbox and that its rows show. They are read through the
//! Engine, never from an address, without waking a sandbox unless the user asks for it; decoded on
//! another thread, within bounds; and kept within bounds.
class PictureShelf final : public QObject
{
    Q_OBJECT
public:
    enum class State { Unasked, Loading, Ready, Failed };
    struct Picture
    {
        State state = State::Unasked;
        QImage image;
        //! Of the file, in pixels.
        QSize size;
        //! Why it is not shown and what a click does, or what is being done.
        QString words;
    };
    //! A larger file is not read.
    static constexpr qint64 kMostBytes = 16 << 20;
    //! A picture of more pixels is not decoded; a smaller one is scaled down to kLargestSide.
    static constexpr qint64 kMostPixels = 50'000'000;
    static constexpr int kLargestSide = 2000;
    //! Of all pictures together, in KiB.
    static constexpr qsizetype kMostKept = 96 * 1024;

    explicit PictureShelf(application::EngineClient &client, QObject *parent = nullptr);
    ~PictureShelf() override;

    //! Forgets all that there is, of another thread.
    void setThread(const domain::ThreadId &thread);
    //! What is there of the file that row \a row calls \a path.
    [[nodiscard]] Picture find(quint64 row, const QString &path) const;
    //! Asks for it, once; \a wake: also of a sandbox that sleeps, and once more after a failure.
    void want(quint64 row, const QString &path, bool wake = false);
    //! Grows with each change of a picture of that row.
    [[nodiscard]] int version(quint64 row) const { return m_versions.value(row); }

Q_SIGNALS:
    void changed(quint64 row);

private:
    struct Key
    {
        quint64 row = 0;
        QString path;
        bool operator==(const Key &) const = default;
        friend size_t qHash(const Key &key, size_t seed = 0)
        {
            return qHashMulti(seed, key.row, key.path);
        }
    };
    struct Reading
    {
        Key key;
        QByteArray bytes;
        bool wake = false;
    };
    void read(const std::shared_ptr<Reading> &reading);
    void decode(const std::shared_ptr<Reading> &reading);
    void put(const Key &key, const Picture &picture);

    application::EngineClient &m_client;
    domain::ThreadId m_thread;
    QCache<Key, Picture> m_pictures{kMostKept};
    QHash<quint64, int> m_versions;
    QThreadPool m_pool;
    int m_generation = 0;
};

//! Path of a picture in the sandbox, as a text names it; empty: an address, or no picture.
QString picturePath(const QString &target);
//! How large it is shown within a row \a width wide.
QSize pictureSize(const QSize &size, int width);

} // namespace berth::ui
