// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/local/instance_store.h"

#include "domain/text.h"

#include <QtCore/QFile>
#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>
#include <QtCore/QSaveFile>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace berth::local {

using domain::ErrorKind;
using nlohmann::json;

namespace {

const QString kRecord = QStringLiteral("instance.json");
const QString kWorkspace = QStringLiteral("workspace");
const QString kDiscarded = QStringLiteral(".gone-");
const QString kUnfinished = QStringLiteral(".new-");
constexpr int kSchemaVersion = 1;

bool isId(const QString &text)
{
    static const QRegularExpression pattern(
        QStringLiteral("\\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\z"));
    return pattern.match(text).hasMatch();
}

tl::unexpected<domain::Error> storageError(const QString &what, const QString &path, int error)
{
    return domain::failure(
        ErrorKind::Storage, what,
        QStringLiteral("%1: %2").arg(path, QString::fromLocal8Bit(strerror(error))));
}

bool makePrivate(const QString &path)
{
    return ::mkdir(QFile::encodeName(path).constData(), 0700) == 0;
}

//! A directory itself, not a link to one.
bool isRealDirectory(const QString &path)
{
    struct stat info = {};
    return ::lstat(QFile::encodeName(path).constData(), &info) == 0 && S_ISDIR(info.st_mode);
}

QString text(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_string()
        ? QString::fromStdString(it->get_ref<const std::string &>())
        : QString();
}

bool flag(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_boolean() && it->get<bool>();
}

template <typename Number>
Number number(const json &object, const char *key)
{
    const auto it = object.find(key);
    return it != object.end() && it->is_number() ? it->get<Number>() : Number(0);
}

QByteArray encoded(const InstanceRecord &record)
{
    json labels = json::object();
    const QMap<QString, QString> map = record.labels.toMap();
    for (auto it = map.begin(); it != map.end(); ++it)
        labels[it.key().toStdString()] = it.value().toStdString();
    const json object{{"schema_version", kSchemaVersion},
                      {"id", record.id.toString().toStdString()},
                      {"name", record.name.toStdString()},
                      {"labels", labels},
                      {"settings",
                       {{"isolation", record.settings.isolated ? "bubblewrap" : "none"},
                        {"network", record.settings.network},
                        {"cwd", record.settings.home.toStdString()},
                        {"memory_bytes", record.settings.memoryBytes},
                        {"cpus", record.settings.cpus},
                        {"pids", record.settings.pids}}},
                      {"state", record.paused ? "paused" : "running"},
                      {"created_at", domain::toWireTime(record.createdAt).toStdString()},
                      {"started_at", domain::toWireTime(record.startedAt).toStdString()}};
    return QByteArray::fromStdString(object.dump(2, ' ', false, json::error_handler_t::replace)
                                     + '\n');
}

std::optional<InstanceRecord> decoded(const QByteArray &bytes, const domain::ExternalId &id)
{
    const json object = json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!object.is_object() || object.value("schema_version", json()) != kSchemaVersion)
        return std::nullopt;
    if (text(object, "id") != id.toString())
        return std::nullopt;
    InstanceRecord record;
    record.id = id;
    record.name = text(object, "name");
    QMap<QString, QString> labels;
    if (const auto it = object.find("labels"); it != object.end() && it->is_object()) {
        for (const auto &[key, value] : it->items()) {
            if (value.is_string())
                labels.insert(QString::fromStdString(key),
                              QString::fromStdString(value.get<std::string>()));
        }
    }
    record.labels = domain::InstanceLabels::fromMap(labels);
    if (const auto it = object.find("settings"); it != object.end() && it->is_object()) {
        record.settings.network = flag(*it, "network");
        record.settings.home = text(*it, "cwd");
        record.settings.isolated = text(*it, "isolation") != QLatin1String("none");
        record.settings.memoryBytes = std::max<qint64>(0, number<qint64>(*it, "memory_bytes"));
        record.settings.cpus = std::max(0.0, number<double>(*it, "cpus"));
        record.settings.pids = std::max(0, number<int>(*it, "pids"));
    }
    record.paused = text(object, "state") == QLatin1String("paused");
    record.createdAt = domain::fromWireTime(text(object, "created_at"));
    record.startedAt = domain::fromWireTime(text(object, "started_at"));
    // A record that somebody edited must not choose where the workspace is mounted.
    if (localProblem({{QStringLiteral("cwd"), record.settings.home}})
        || record.settings.home.isEmpty())
        return std::nullopt;
    return record;
}

} // namespace

InstanceStore::InstanceStore(const QString &data)
    : m_root(QDir(data).filePath(QStringLiteral("local")))
{}

domain::Result<void> InstanceStore::writeRecord(const QString &directory,
                                                const InstanceRecord &record) const
{
    QSaveFile file(QDir(directory).filePath(kRecord));
    if (!file.open(QIODevice::WriteOnly)
        || !file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        || file.write(encoded(record)) < 0 || !file.commit())
        return domain::failure(ErrorKind::Storage,
                               QStringLiteral("A sandbox's record could not be written"),
                               QStringLiteral("%1: %2").arg(file.fileName(), file.errorString()));
    return {};
}

domain::Result<void> InstanceStore::add(const InstanceRecord &record) const
{
    static const QString what = QStringLiteral("A sandbox's directory could not be made");
    if (!makePrivate(m_root.path()) && errno != EEXIST)
        return storageError(what, m_root.path(), errno);
    if (!isRealDirectory(m_root.path()))
        return storageError(what, m_root.path(), ENOTDIR);
    const QString unfinished = m_root.filePath(kUnfinished + record.id.toString());
    const QString wanted = m_root.filePath(record.id.toString());
    if (!makePrivate(unfinished) || !makePrivate(QDir(unfinished).filePath(kWorkspace)))
        return storageError(what, unfinished, errno);
    if (const domain::Result<void> written = writeRecord(unfinished, record); !written)
        return written;
    if (::rename(QFile::encodeName(unfinished).constData(), QFile::encodeName(wanted).constData())
        != 0)
        return storageError(what, wanted, errno);
    return {};
}

domain::Result<void> InstanceStore::save(const InstanceRecord &record) const
{
    const domain::Result<InstanceRecord> present = load(record.id);
    if (!present)
        return domain::failure(present.error());
    return writeRecord(m_root.filePath(record.id.toString()), record);
}

domain::Result<InstanceRecord> InstanceStore::load(const domain::ExternalId &id) const
{
    const QString directory = m_root.filePath(id.toString());
    if (!isId(id.toString()) || !isRealDirectory(directory))
        return domain::failure(ErrorKind::NotFound,
                               QStringLiteral("There is no such Local sandbox"));
    QFile file(QDir(directory).filePath(kRecord));
    // Not NotFound: that would end the lease, while the workspace is still there.
    if (!file.open(QIODevice::ReadOnly))
        return domain::failure(ErrorKind::Storage,
                               QStringLiteral("A sandbox's record cannot be read"),
                               QStringLiteral("%1: %2").arg(file.fileName(), file.errorString()));
    if (std::optional<InstanceRecord> record = decoded(file.read(1024 * 1024), id))
        return *std::move(record);
    return domain::failure(ErrorKind::Storage, QStringLiteral("A sandbox's record is damaged"),
                           QStringLiteral("%1 is not what Berth wrote; the files are in %2")
                               .arg(file.fileName(), workspace(id)));
}

QList<InstanceRecord> InstanceStore::all(QStringList *broken) const
{
    QList<InstanceRecord> records;
    const QStringList names =
        m_root.entryList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QString &name : names) {
        if (!isId(name))
            continue;
        const domain::Result<InstanceRecord> record = load(domain::ExternalId(name));
        if (record)
            records << *record;
        else if (broken)
            *broken << m_root.filePath(name);
    }
    return records;
}

QString InstanceStore::workspace(const domain::ExternalId &id) const
{
    return m_root.filePath(id.toString() + QLatin1Char('/') + kWorkspace);
}

domain::Result<QString> InstanceStore::discard(const domain::ExternalId &id) const
{
    const QString directory = m_root.filePath(id.toString());
    if (!isId(id.toString()) || !isRealDirectory(directory))
        return domain::failure(ErrorKind::NotFound,
                               QStringLiteral("There is no such Local sandbox"));
    const QString gone = m_root.filePath(kDiscarded + id.toString());
    if (::rename(QFile::encodeName(directory).constData(), QFile::encodeName(gone).constData())
        != 0)
        return storageError(QStringLiteral("A sandbox's directory could not be removed"), directory,
                            errno);
    return gone;
}

QStringList InstanceStore::discarded() const
{
    QStringList paths;
    const QStringList names =
        m_root.entryList(QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks);
    for (const QString &name : names) {
        const bool ours = (name.startsWith(kDiscarded) && isId(name.mid(kDiscarded.size())))
            || (name.startsWith(kUnfinished) && isId(name.mid(kUnfinished.size())));
        if (ours)
            paths << m_root.filePath(name);
    }
    return paths;
}

} // namespace berth::local
