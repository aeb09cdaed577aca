// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/transfers/transfer.h"

#include <QtCore/QObject>

#include <memory>
#include <vector>

namespace berth::ui {

//! Uploads and downloads of this window. They go on when one looks elsewhere, one after the other
//! per sandbox is not promised: each runs at once, up to kMostRunning, the rest wait.
class TransferQueue final : public QObject
{
    Q_OBJECT
public:
    enum class State { Waiting, Running, Done, Failed, Cancelled };
    struct Item
    {
        int id = 0;
        bool isUpload = true;
        //! As in the request: whose list it changes.
        QString target;
        QString title;
        State state = State::Waiting;
        application::TransferProgress progress;
        application::TransferReport report;
        std::optional<domain::Error> error;
    };
    static constexpr int kMostRunning = 2;
    //! Ended ones are forgotten beyond that.
    static constexpr int kMostKept = 50;

    explicit TransferQueue(application::EngineClient &client, QObject *parent = nullptr);
    ~TransferQueue() override;

    int upload(const application::UploadRequest &request);
    int download(const application::DownloadRequest &request);
    void cancel(int id);
    //! Once more, deciding about what is there already.
    void retry(int id, application::OnExisting onExisting);
    //! Forgets one that has ended.
    void dismiss(int id);

    [[nodiscard]] QList<Item> items() const;
    [[nodiscard]] const Item *find(int id) const;
    [[nodiscard]] int running() const;

Q_SIGNALS:
    void changed(int id);
    void removed(int id);
    //! Something new lies in \a target.
    void uploaded(const QString &target);

private:
    struct Entry;
    Entry *entry(int id);
    int add(std::unique_ptr<Entry> entry);
    void startNext();
    void begin(Entry &entry);
    void end(int id, const domain::Result<application::TransferReport> &result);

    application::EngineClient &m_client;
    std::vector<std::unique_ptr<Entry>> m_entries;
    int m_lastId = 0;
};

} // namespace berth::ui
