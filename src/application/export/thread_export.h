// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <QtCore/QObject>

#include <functional>
#include <memory>

class QSaveFile;

namespace berth::application {

class ThreadWriter;
struct CallOutput;

enum class ExportFormat { Markdown, Json };

struct ExportRequest
{
    domain::ThreadId thread;
    ExportFormat format = ExportFormat::Markdown;
    //! Bytes of each call's output: of a longer one the first and the last half of that, with what
    //! was left out said between them.
    qint64 mostOutput = 256 * 1024;
};

struct ExportReport
{
    QString title;
    qint64 messages = 0;
    qint64 calls = 0;
    //! Written.
    qint64 bytes = 0;
    //! Of output that was left out.
    qint64 leftOut = 0;
    bool operator==(const ExportReport &) const = default;
};

//! Writes a thread down, as its user sees it: messages, what the agent thought, its calls and what
//! they wrote. Nothing else of Berth goes along: no draft, no setting, no key. Reads outputs page
//! by page, and keeps no more than one call's in memory.
class ThreadExport final : public QObject
{
    Q_OBJECT
public:
    //! Takes the next piece and calls \a more once there is room for another.
    using Taker = std::function<void(const QByteArray &piece, const std::function<void()> &more)>;

    explicit ThreadExport(EngineClient &client, QObject *parent = nullptr);
    ~ThreadExport() override;

    //! One of them, once. A file is seen under its name only once it is complete.
    void toFile(const ExportRequest &request, const QString &path);
    void to(const ExportRequest &request, Taker taker);
    //! finished() still comes, with Cancelled.
    void cancel();

Q_SIGNALS:
    //! Messages and calls.
    void progress(qsizetype done, qsizetype total);
    //! Once.
    void finished(const berth::domain::Result<berth::application::ExportReport> &result);

private:
    struct Entry
    {
        //! Index of a message, or of a call.
        qsizetype message = -1;
        qsizetype call = -1;
        bool superseded = false;
    };
    void begin(const ExportRequest &request, Taker taker);
    void arrange();
    void goOn();
    void writeNext();
    void readCall(const std::shared_ptr<CallOutput> &output);
    void give(const QByteArray &piece);
    void end(const domain::Result<ExportReport> &result);

    EngineClient &m_client;
    ExportRequest m_request;
    Taker m_taker;
    std::unique_ptr<QSaveFile> m_file;
    std::unique_ptr<ThreadWriter> m_writer;
    ThreadDetail m_detail;
    QList<Entry> m_entries;
    qsizetype m_next = 0;
    ExportReport m_report;
    domain::RequestId m_asked;
    bool m_ended = false;
};

} // namespace berth::application
