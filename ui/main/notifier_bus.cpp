// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main/notifier_bus.h"

#include <QtCore/QTimer>
#include <QtCore/QVariantMap>
#include <QtDBus/QDBusAbstractInterface>
#include <QtDBus/QDBusConnection>
#include <QtDBus/QDBusError>
#include <QtDBus/QDBusPendingCallWatcher>
#include <QtDBus/QDBusPendingReply>
#include <QtDBus/QDBusServiceWatcher>

namespace berth::ui {

namespace {

constexpr const char *kBusName = "org.freedesktop.Notifications";
constexpr const char *kBusPath = "/org/freedesktop/Notifications";
constexpr const char *kToken = "XDG_ACTIVATION_TOKEN";
constexpr int kAnswerMs = 5000;
//! The service's own: how long a note stays is the desktop's choice.
constexpr int kDefaultTime = -1;

QDBusConnection busOf(const QString &name)
{
    return name.isEmpty() ? QDBusConnection::sessionBus() : QDBusConnection(name);
}

} // namespace

//! The proxy; its signals are those of the bus, under their names there.
class BusNotifications::Service final : public QDBusAbstractInterface
{
    Q_OBJECT
public:
    explicit Service(const QDBusConnection &bus)
        : QDBusAbstractInterface(QString::fromLatin1(kBusName), QString::fromLatin1(kBusPath),
                                 kBusName, bus, nullptr)
    {
        setTimeout(kAnswerMs);
    }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString &action);
    void ActivationToken(uint id, const QString &token);
    void NotificationClosed(uint id, uint reason);
};

BusNotifications::BusNotifications(QObject *parent) : BusNotifications(QString(), parent) {}

BusNotifications::BusNotifications(const QString &connection, QObject *parent)
    : NotificationPort(parent), m_connection(connection)
{}

BusNotifications::~BusNotifications() = default;

void BusNotifications::start()
{
    // The window is shown first.
    QTimer::singleShot(0, this, &BusNotifications::begin);
}

void BusNotifications::begin()
{
    const QDBusConnection bus = busOf(m_connection);
    if (!bus.isConnected()) {
        fail(tr("There is no session bus."));
        return;
    }
    m_service = std::make_unique<Service>(bus);
    connect(m_service.get(), &Service::ActionInvoked, this, [this](uint id) {
        const QString key = keyOf(id);
        if (key.isEmpty())
            return;
        Q_EMIT activated(key);
        // For that one raise; programs that are started later must not inherit it.
        qunsetenv(kToken);
    });
    connect(m_service.get(), &Service::ActivationToken, this,
            [this](uint id, const QString &token) {
                // On Wayland a window comes to the front only with what the click gave for it.
                if (!keyOf(id).isEmpty())
                    qputenv(kToken, token.toUtf8());
            });
    connect(m_service.get(), &Service::NotificationClosed, this,
            [this](uint id) { m_shown.removeIf([id](auto it) { return it->id == id; }); });
    auto *watcher = new QDBusServiceWatcher(QString::fromLatin1(kBusName), bus,
                                            QDBusServiceWatcher::WatchForOwnerChange, this);
    const auto look = [this] {
        auto *call = new QDBusPendingCallWatcher(
            m_service->asyncCall(QStringLiteral("GetServerInformation")), this);
        connect(call, &QDBusPendingCallWatcher::finished, this, &BusNotifications::onServer);
    };
    connect(watcher, &QDBusServiceWatcher::serviceOwnerChanged, this,
            [this, look](const QString &, const QString &, const QString &owner) {
                m_shown.clear();
                if (owner.isEmpty())
                    fail(tr("The notification service has ended."));
                else
                    look();
            });
    look();
}

QString BusNotifications::keyOf(uint id) const
{
    for (auto it = m_shown.cbegin(); it != m_shown.cend(); ++it) {
        // 0: on its way, the desktop has not named it yet.
        if (id != 0 && it->id == id)
            return it.key();
    }
    return {};
}

void BusNotifications::onServer(QDBusPendingCallWatcher *call)
{
    call->deleteLater();
    const QDBusPendingReply<QString, QString, QString, QString> reply = *call;
    if (reply.isError()) {
        fail(tr("No notification service answers on the session bus."));
        return;
    }
    Q_EMIT serviceChanged(reply.argumentAt<0>(), {});
    auto *abilities =
        new QDBusPendingCallWatcher(m_service->asyncCall(QStringLiteral("GetCapabilities")), this);
    connect(
        abilities, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *done) {
            done->deleteLater();
            const QDBusPendingReply<QStringList> list = *done;
            m_hasMarkup = list.isValid() && list.value().contains(QStringLiteral("body-markup"));
        });
}

void BusNotifications::show(const DesktopNote &note)
{
    if (!m_service)
        return;
    Shown &shown = m_shown[note.key];
    shown.number = ++m_number;
    QVariantMap hints{{QStringLiteral("desktop-entry"), QStringLiteral("io.github.berth.Berth")},
                      {QStringLiteral("urgency"), QVariant::fromValue(uchar(1))}};
    if (note.quiet)
        hints.insert(QStringLiteral("suppress-sound"), true);
    const QStringList actions{QStringLiteral("default"), tr("Open")};
    const QString text = m_hasMarkup ? note.text.toHtmlEscaped() : note.text;
    auto *call = new QDBusPendingCallWatcher(
        m_service->asyncCall(QStringLiteral("Notify"), QStringLiteral("Berth"), shown.id,
                             QStringLiteral("io.github.berth.Berth"), note.title, text, actions,
                             hints, kDefaultTime),
        this);
    connect(call, &QDBusPendingCallWatcher::finished, this,
            [this, key = note.key, number = shown.number](QDBusPendingCallWatcher *done) {
                onShown(key, number, done);
            });
}

void BusNotifications::onShown(const QString &key, int number, QDBusPendingCallWatcher *call)
{
    call->deleteLater();
    const QDBusPendingReply<uint> reply = *call;
    if (reply.isError()) {
        fail(tr("The notification service did not take a message."));
        return;
    }
    const auto at = m_shown.find(key);
    if (at == m_shown.end())
        close(reply.value()); // withdrawn while it was on its way
    else if (at->number == number)
        at->id = reply.value();
    else if (at->id != reply.value())
        close(reply.value()); // another one was sent before this one was there to be replaced
}

void BusNotifications::withdraw(const QString &key)
{
    const Shown shown = m_shown.take(key);
    if (shown.id != 0)
        close(shown.id);
}

void BusNotifications::close(uint id)
{
    if (m_service)
        m_service->asyncCall(QStringLiteral("CloseNotification"), id);
}

void BusNotifications::fail(const QString &why)
{
    Q_EMIT serviceChanged(
        {}, tr("%1 What needs you is marked in the list of threads all the same.", "why").arg(why));
}

} // namespace berth::ui

#include "notifier_bus.moc"
