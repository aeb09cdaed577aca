// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/event_feed.h"

#include "application/contract/codec.h"

#include <QtCore/QRandomGenerator>

namespace berth::api {

using domain::Result;

namespace {

//! Sent at once at the most.
constexpr qsizetype kMostAtOnce = 256 * 1024;

struct Kept
{
    qint64 seq = 0;
    QByteArray frame;
};

} // namespace

struct EventFeed::State
{
    //! Of this run: sequences of another one mean nothing here.
    QByteArray epoch;
    std::deque<Kept> kept;
    qint64 newest = 0;
    //! Everything up to here is lost to those who have not seen it.
    qint64 lost = 0;
    QList<async::Completion<bool>> waiting;

    void wake()
    {
        for (const async::Completion<bool> &waiter : std::exchange(waiting, {}))
            waiter.complete(true);
    }
};

class EventFeed::Follower final : public Source
{
public:
    Follower(std::shared_ptr<State> state, qint64 seen, bool missed)
        : m_place(std::make_shared<Place>(Place{std::move(state), seen, missed, true, false, {}}))
    {}
    ~Follower() override { end(m_place); }

    domain::Async<QByteArray> next() override { return frames(m_place); }
    void close() override { end(m_place); }

private:
    struct Place
    {
        std::shared_ptr<State> state;
        qint64 seen = 0;
        bool missed = false;
        bool first = true;
        bool closed = false;
        std::optional<async::Completion<bool>> waiting;
    };

    static void end(const std::shared_ptr<Place> &place)
    {
        place->closed = true;
        if (place->waiting)
            place->waiting->complete(false);
    }

    static QByteArray due(Place &place)
    {
        QByteArray out;
        State &state = *place.state;
        if (std::exchange(place.first, false))
            out += "retry: 2000\n\n";
        const bool behind = place.seen < state.lost
            || (!state.kept.empty() && place.seen + 1 < state.kept.front().seq);
        if (std::exchange(place.missed, false) || behind) {
            place.seen = state.newest;
            out += "id: " + state.epoch + '-' + QByteArray::number(place.seen)
                + "\nevent: snapshot_needed\ndata: {}\n\n";
            return out;
        }
        const auto begin =
            std::upper_bound(state.kept.begin(), state.kept.end(), place.seen,
                             [](qint64 seen, const Kept &entry) { return seen < entry.seq; });
        for (auto entry = begin; entry != state.kept.end() && out.size() < kMostAtOnce; ++entry) {
            out += entry->frame;
            place.seen = entry->seq;
        }
        return out;
    }

    static domain::Async<QByteArray> frames(std::shared_ptr<Place> place)
    {
        if (place->closed)
            co_return QByteArray();
        const QByteArray ready = due(*place);
        if (!ready.isEmpty())
            co_return ready;
        const async::Completion<bool> waiter;
        place->waiting = waiter;
        place->state->waiting.append(waiter);
        const bool news = co_await waiter;
        Q_UNUSED(news)
        place->waiting.reset();
        place->state->waiting.removeIf(
            [](const async::Completion<bool> &other) { return other.isComplete(); });
        if (place->closed)
            co_return QByteArray();
        const QByteArray after = due(*place);
        // A line that says nothing finds out whether the client is still there.
        co_return after.isEmpty() ? QByteArrayLiteral(": still here\n\n") : after;
    }

    std::shared_ptr<Place> m_place;
};

EventFeed::EventFeed(std::chrono::milliseconds ping) : m_state(std::make_shared<State>())
{
    QObject::connect(&m_ping, &QTimer::timeout, &m_ping, [state = m_state] { state->wake(); });
    m_ping.start(ping);
    m_state->epoch = QByteArray::number(QRandomGenerator::system()->generate64(), 16);
}

void EventFeed::add(const application::Event &event)
{
    State &state = *m_state;
    if (std::holds_alternative<application::RaiseRequested>(event.body))
        return state.newest = event.seq, void();
    if (state.newest == 0)
        state.lost = event.seq - 1;
    const QByteArray type =
        std::visit([](const auto &body) { return QByteArray(std::decay_t<decltype(body)>::kName); },
                   event.body);
    state.newest = event.seq;
    state.kept.push_back({event.seq,
                          "id: " + state.epoch + '-' + QByteArray::number(event.seq) + "\nevent: "
                              + type + "\ndata: " + application::toJson(event) + "\n\n"});
    if (state.kept.size() > kKept) {
        state.lost = state.kept.front().seq;
        state.kept.pop_front();
    }
    state.wake();
}

void EventFeed::breakOff()
{
    m_state->kept.clear();
    m_state->lost = ++m_state->newest;
    m_state->wake();
}

std::shared_ptr<Source> EventFeed::follow(const QByteArray &lastEventId)
{
    qint64 seen = m_state->newest;
    bool missed = false;
    if (!lastEventId.isEmpty()) {
        const qsizetype dash = lastEventId.indexOf('-');
        bool ok = false;
        const qint64 said = lastEventId.mid(dash + 1).toLongLong(&ok);
        missed = !ok || dash < 0 || lastEventId.left(dash) != m_state->epoch || said < 0
            || said > m_state->newest;
        if (!missed)
            seen = said;
    }
    return std::make_shared<Follower>(m_state, seen, missed);
}

} // namespace berth::api
