// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "application/transfers/local_files.h"

#include <QtCore/QObject>

#include <functional>
#include <memory>

namespace berth::application {

//! Escaped paths (domain::escapedBytes()) name files of the sandbox, bytes those of this machine.
struct UploadRequest
{
    //! As in ListFiles.
    QString target;
    //! A file or, with \a recursive, a directory; a link is followed, but none below it.
    QByteArray localPath;
    //! The directory in the sandbox; "": home.
    QString folder;
    //! Its name there; empty: the one it has here.
    QString name;
    OnExisting onExisting = OnExisting::Refuse;
    bool recursive = false;
    bool wake = false;
};

struct DownloadRequest
{
    QString target;
    QString path;
    //! Must be there.
    QByteArray localFolder;
    //! Its name here; empty: the one it has there.
    QByteArray name;
    OnExisting onExisting = OnExisting::Refuse;
    bool recursive = false;
    bool wake = false;
};

struct TransferProgress
{
    qint64 bytes = 0;
    qint64 totalBytes = 0;
    qint64 files = 0;
    qint64 totalFiles = 0;
    //! The totals still grow.
    bool counting = false;
    //! For display.
    QString current;
};

struct TransferSkip
{
    //! For display.
    QString path;
    QString reason;
    bool operator==(const TransferSkip &) const = default;
};

struct TransferReport
{
    qint64 bytes = 0;
    qint64 files = 0;
    qint64 folders = 0;
    //! Links, devices, and what could not be read; at most kMostSkips of them in words.
    QList<TransferSkip> skipped;
    qint64 skippedCount = 0;
    //! For display: the name that it got.
    QString name;

    static constexpr qsizetype kMostSkips = 200;
    bool operator==(const TransferReport &) const = default;
};

struct TransferCourse;

//! One upload or download, between the files of this process' machine and a sandbox. Deleted
//! before its end it is cancelled. A file that is not complete is never seen under its name;
//! files that were complete before a failure stay.
class Transfer final : public QObject
{
    Q_OBJECT
public:
    explicit Transfer(EngineClient &client, QObject *parent = nullptr);
    ~Transfer() override;

    //! One of them, once.
    void upload(UploadRequest request);
    void download(DownloadRequest request);
    //! finished() still comes, with Cancelled.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }
    [[nodiscard]] TransferProgress state() const;

Q_SIGNALS:
    //! About ten times a second.
    void progress(const berth::application::TransferProgress &progress);
    //! Once.
    void finished(const berth::domain::Result<berth::application::TransferReport> &result);

private:
    friend struct TransferCourse;
    void begin(std::function<domain::Async<TransferReport>()> work);

    std::shared_ptr<TransferCourse> m_course;
    bool m_running = false;
};

} // namespace berth::application
