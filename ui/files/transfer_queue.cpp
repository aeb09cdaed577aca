// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/transfer_queue.h"

#include "domain/text.h"

#include <algorithm>

namespace berth::ui {

using application::DownloadRequest;
using application::OnExisting;
using application::Transfer;
using application::TransferReport;
using application::UploadRequest;

struct TransferQueue::Entry
{
    Item item;
    std::optional<UploadRequest> up;
    std::optional<DownloadRequest> down;
    std::unique_ptr<Transfer> transfer;
};

TransferQueue::TransferQueue(application::EngineClient &client, QObject *parent)
    : QObject(parent), m_client(client)
{}

TransferQueue::~TransferQueue() = default;

int TransferQueue::upload(const UploadRequest &request)
{
    auto entry = std::make_unique<Entry>();
    entry->up = request;
    entry->item.target = request.target;
    const QByteArray name = request.localPath.mid(request.localPath.lastIndexOf('/') + 1);
    entry->item.title = request.name.isEmpty() ? domain::displayName(name) : request.name;
    return add(std::move(entry));
}

int TransferQueue::download(const DownloadRequest &request)
{
    auto entry = std::make_unique<Entry>();
    entry->down = request;
    entry->item.isUpload = false;
    entry->item.target = request.target;
    entry->item.title = request.path.mid(request.path.lastIndexOf(QLatin1Char('/')) + 1);
    return add(std::move(entry));
}

int TransferQueue::add(std::unique_ptr<Entry> entry)
{
    const int id = ++m_lastId;
    entry->item.id = id;
    m_entries.push_back(std::move(entry));
    Q_EMIT changed(id);
    const auto ended = [](const std::unique_ptr<Entry> &e) {
        return e->item.state != State::Waiting && e->item.state != State::Running;
    };
    while (std::count_if(m_entries.begin(), m_entries.end(), ended) > kMostKept)
        dismiss((*std::find_if(m_entries.begin(), m_entries.end(), ended))->item.id);
    startNext();
    return id;
}

TransferQueue::Entry *TransferQueue::entry(int id)
{
    for (const std::unique_ptr<Entry> &candidate : m_entries) {
        if (candidate->item.id == id)
            return candidate.get();
    }
    return nullptr;
}

const TransferQueue::Item *TransferQueue::find(int id) const
{
    for (const std::unique_ptr<Entry> &candidate : m_entries) {
        if (candidate->item.id == id)
            return &candidate->item;
    }
    return nullptr;
}

QList<TransferQueue::Item> TransferQueue::items() const
{
    QList<Item> all;
    for (const std::unique_ptr<Entry> &candidate : m_entries)
        all << candidate->item;
    return all;
}

int TransferQueue::running() const
{
    return static_cast<int>(
        std::count_if(m_entries.begin(), m_entries.end(), [](const std::unique_ptr<Entry> &e) {
            return e->item.state == State::Running;
        }));
}

void TransferQueue::startNext()
{
    for (std::size_t at = 0; at < m_entries.size() && running() < kMostRunning; ++at) {
        if (m_entries[at]->item.state == State::Waiting)
            begin(*m_entries[at]);
    }
}

void TransferQueue::begin(Entry &entry)
{
    const int id = entry.item.id;
    entry.item.state = State::Running;
    entry.item.error.reset();
    entry.transfer = std::make_unique<Transfer>(m_client);
    connect(entry.transfer.get(), &Transfer::progress, this,
            [this, id](const application::TransferProgress &progress) {
                if (Entry *of = this->entry(id)) {
                    of->item.progress = progress;
                    Q_EMIT changed(id);
                }
            });
    connect(entry.transfer.get(), &Transfer::finished, this,
            [this, id](const domain::Result<TransferReport> &result) { end(id, result); });
    if (entry.up)
        entry.transfer->upload(*entry.up);
    else
        entry.transfer->download(*entry.down);
    Q_EMIT changed(id);
}

void TransferQueue::end(int id, const domain::Result<TransferReport> &result)
{
    Entry *of = entry(id);
    if (!of)
        return;
    // Not inside its own signal.
    of->transfer.release()->deleteLater();
    if (result) {
        of->item.state = State::Done;
        of->item.report = *result;
        if (of->item.isUpload)
            Q_EMIT uploaded(of->item.target);
    } else {
        of->item.state =
            result.error().kind == domain::ErrorKind::Cancelled ? State::Cancelled : State::Failed;
        of->item.error = result.error();
    }
    Q_EMIT changed(id);
    startNext();
}

void TransferQueue::cancel(int id)
{
    Entry *of = entry(id);
    if (!of)
        return;
    if (of->item.state == State::Waiting) {
        of->item.state = State::Cancelled;
        Q_EMIT changed(id);
    } else if (of->item.state == State::Running) {
        of->transfer->cancel();
    }
}

void TransferQueue::retry(int id, OnExisting onExisting)
{
    Entry *of = entry(id);
    if (!of || of->item.state == State::Running || of->item.state == State::Waiting)
        return;
    if (of->up)
        of->up->onExisting = onExisting;
    else
        of->down->onExisting = onExisting;
    of->item.progress = {};
    of->item.state = State::Waiting;
    Q_EMIT changed(id);
    startNext();
}

void TransferQueue::dismiss(int id)
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(),
                     [id](const std::unique_ptr<Entry> &e) { return e->item.id == id; });
    if (found == m_entries.end() || (*found)->item.state == State::Running
        || (*found)->item.state == State::Waiting)
        return;
    m_entries.erase(found);
    Q_EMIT removed(id);
}

} // namespace berth::ui
