// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/event_feed.h"

#include "application/contract/codec.h"
#include "application/contract/fields.h"

#include <QtCore/QRandomGenerator>

namespace berth::api {

using domain::Result;

namespace {

//! Sent at once at the most.
constexpr qsizetype kMostAtOnce = 256 * 1024;

QByteArray freshEpoch()
{
    return QByteArray::number(QRandomGenerator::system()->generate64(), 16);
}

QByteArray typeOf(const application::EventBody &body)
{
    return std::visit(
        [](const auto &one) { return QByteArray(std::decay_t<decltype(one)>::kName); }, body);
}

// About what a value of the contract takes, without making text of it.
constexpr qint64 kFieldBytes = 16;

template <typename T>
qint64 sizeOf(const T &value);

template <typename T>
qint64 sizeOf(const QList<T> &list)
{
    qint64 bytes = kFieldBytes;
    for (const T &entry : list)
        bytes += sizeOf(entry);
    return bytes;
}

template <typename T>
qint64 sizeOf(const std::optional<T> &value)
{
    return value ? sizeOf(*value) : kFieldBytes;
}

template <typename Key, typename Value>
qint64 sizeOf(const QMap<Key, Value> &map)
{
    qint64 bytes = kFieldBytes;
    for (auto entry = map.cbegin(); entry != map.cend(); ++entry)
        bytes += sizeOf(entry.key()) + sizeOf(entry.value());
    return bytes;
}

template <typename First, typename Second>
qint64 sizeOf(const std::pair<First, Second> &pair)
{
    return sizeOf(pair.first) + sizeOf(pair.second);
}

template <typename T>
concept WithFields = requires(const T &value)
{
    application::wire::fields(value, [](const char *, const auto &) {});
};

template <typename T>
qint64 sizeOf(const T &value)
{
    if constexpr (std::is_same_v<T, QString>) {
        return kFieldBytes + 2 * value.size();
    } else if constexpr (std::is_same_v<T, QByteArray>) {
        return kFieldBytes + value.size();
    } else if constexpr (WithFields<T>) {
        qint64 bytes = kFieldBytes;
        application::wire::fields(
            value, [&bytes](const char *, const auto &field) { bytes += sizeOf(field); });
        return bytes;
    } else {
        return kFieldBytes;
    }
}

struct Kept
{
    qint64 seq = 0;
    //! Until it is text.
    std::optional<application::EventBody> body;
    QByteArray frame;
    qint64 bytes = 0;
    EventOwner owner;
};

} // namespace

struct EventFeed::State
{
    //! Of this run: sequences of another one mean nothing here.
    QByteArray epoch;
    std::deque<Kept> kept;
    qint64 bytes = 0;
    qint64 newest = 0;
    //! Everything up to here is lost to those who have not seen it.
    qint64 lost = 0;
    QList<async::Completion<bool>> waiting;
    QHash<QString, int> held;

    void wake()
    {
        for (const async::Completion<bool> &waiter : std::exchange(waiting, {}))
            waiter.complete(true);
    }

    const QByteArray &frameOf(Kept &entry)
    {
        if (entry.body) {
            const application::Event event{entry.seq, std::move(*entry.body)};
            entry.body.reset();
            entry.frame = "id: " + epoch + '-' + QByteArray::number(entry.seq) + "\nevent: "
                + typeOf(event.body) + "\ndata: " + application::toJson(event) + "\n\n";
            bytes += entry.frame.size() - entry.bytes;
            entry.bytes = entry.frame.size();
        }
        return entry.frame;
    }

    void forgetAll()
    {
        kept.clear();
        bytes = 0;
    }
};

class EventFeed::Follower final : public Source
{
public:
    Follower(const std::shared_ptr<State> &state, qint64 seen, bool missed,
             std::shared_ptr<const Viewer> viewer)
        : m_place(std::make_shared<Place>(
            Place{state, state->epoch, std::move(viewer), seen, missed, true, false, {}}))
    {}
    ~Follower() override { end(m_place); }

    domain::Async<QByteArray> next() override { return frames(m_place); }
    void close() override { end(m_place); }

private:
    struct Place
    {
        std::shared_ptr<State> state;
        QByteArray epoch;
        std::shared_ptr<const Viewer> viewer;
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
        const bool behind = place.epoch != state.epoch || place.seen < state.lost;
        if (std::exchange(place.missed, false) || behind) {
            place.epoch = state.epoch;
            place.seen = state.newest;
            out += "id: " + state.epoch + '-' + QByteArray::number(place.seen)
                + "\nevent: snapshot_needed\ndata: {}\n\n";
            return out;
        }
        if (place.viewer && state.held.contains(place.viewer->user()))
            return out;
        const auto begin =
            std::upper_bound(state.kept.begin(), state.kept.end(), place.seen,
                             [](qint64 seen, const Kept &entry) { return seen < entry.seq; });
        for (auto entry = begin; entry != state.kept.end() && out.size() < kMostAtOnce; ++entry) {
            // By what he is now, not when it happened.
            if (!place.viewer || isVisible(*place.viewer, entry->owner))
                out += state.frameOf(*entry);
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
    m_state->epoch = freshEpoch();
}

void EventFeed::add(const application::Event &event)
{
    State &state = *m_state;
    if (state.newest != 0 && event.seq > state.newest + 1) {
        // One did not reach us: nobody who was here before it may think that he has seen all.
        state.forgetAll();
        state.lost = event.seq - 1;
    }
    state.newest = event.seq;
    const EventOwner owner = m_owners.ownerOf(event.body);
    if (std::holds_alternative<application::RaiseRequested>(event.body))
        return;
    const qint64 bytes = std::visit([](const auto &body) { return sizeOf(body); }, event.body);
    state.kept.push_back({event.seq, event.body, {}, bytes, owner});
    state.bytes += bytes;
    while (state.kept.size() > kKept || (state.bytes > kKeptBytes && !state.kept.empty())) {
        state.lost = state.kept.front().seq;
        state.bytes -= state.kept.front().bytes;
        state.kept.pop_front();
    }
    state.wake();
}

void EventFeed::hold(const QString &user)
{
    ++m_state->held[user];
}

void EventFeed::release(const QString &user)
{
    const auto found = m_state->held.find(user);
    if (found == m_state->held.end() || --*found > 0)
        return;
    m_state->held.erase(found);
    m_state->wake();
}

void EventFeed::breakOff()
{
    State &state = *m_state;
    state.forgetAll();
    // Another Engine counts anew.
    state.epoch = freshEpoch();
    state.newest = 0;
    state.lost = 0;
    state.wake();
}

EventFeed::History EventFeed::history() const
{
    History history;
    history.events = static_cast<qint64>(m_state->kept.size());
    history.bytes = m_state->bytes;
    for (const Kept &entry : m_state->kept)
        history.encoded += entry.body ? 0 : 1;
    return history;
}

void EventFeed::learn(const application::Snapshot &snapshot)
{
    m_owners.learn(snapshot);
}

std::shared_ptr<Source> EventFeed::follow(const QByteArray &lastEventId,
                                          std::shared_ptr<const Viewer> viewer)
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
    return std::make_shared<Follower>(m_state, seen, missed, std::move(viewer));
}

} // namespace berth::api
