// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/policy/hook_file.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QSaveFile>

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::Result;

namespace {

using json = nlohmann::json;

constexpr qint64 kLargestFile = 256 * 1024;
constexpr std::size_t kMostHooks = 50;

domain::Error invalidHooks(const QString &path, const QString &why)
{
    return {ErrorKind::InvalidInput,
            QStringLiteral("The hooks in %1 are not valid").arg(path),
            why,
            {},
            {}};
}

//! False when it is no list of texts.
bool readTexts(const json &row, const char *key, QStringList *texts)
{
    const auto found = row.find(key);
    if (found == row.end())
        return true;
    if (!found->is_array())
        return false;
    for (const json &entry : *found) {
        if (!entry.is_string())
            return false;
        texts->append(QString::fromStdString(entry.get_ref<const std::string &>()));
    }
    return true;
}

json textList(const QStringList &texts)
{
    json list = json::array();
    for (const QString &text : texts)
        list.push_back(text.toStdString());
    return list;
}

QString whyWrongHook(const Hook &hook)
{
    if (!QDir::isAbsolutePath(hook.program))
        return QStringLiteral("program must be an absolute path");
    if (hook.program.contains(QChar(0)))
        return QStringLiteral("program has a NUL");
    for (const QString &argument : hook.arguments) {
        if (argument.contains(QChar(0)))
            return QStringLiteral("arguments has a NUL");
    }
    return {};
}

Result<QList<Hook>> hooksOf(const QString &path, const QByteArray &text)
{
    const json document = json::parse(text.cbegin(), text.cend(), nullptr, false);
    if (!document.is_object() || !document.contains("hooks") || !document["hooks"].is_array())
        return failure(
            invalidHooks(path, QStringLiteral("It must be an object with a list hooks")));
    const auto version = document.find("schema_version");
    if (version == document.end() || *version != 1)
        return failure(invalidHooks(path, QStringLiteral("schema_version must be 1")));
    if (document["hooks"].size() > kMostHooks)
        return failure(invalidHooks(path, QStringLiteral("There are more than 50")));
    QList<Hook> hooks;
    for (const json &row : document["hooks"]) {
        const QString where = QStringLiteral("hooks[%1]: ").arg(hooks.size());
        if (!row.is_object())
            return failure(invalidHooks(path, where + QStringLiteral("must be an object")));
        Hook hook;
        const auto event = row.find("event");
        const std::optional<HookMoment> moment = event != row.end() && event->is_string()
            ? hookMomentFromWire(QString::fromStdString(event->get_ref<const std::string &>()))
            : std::nullopt;
        if (!moment)
            return failure(invalidHooks(
                path, where + QStringLiteral("event must be before_tool or after_tool")));
        hook.moment = *moment;
        const auto program = row.find("program");
        if (program != row.end() && program->is_string())
            hook.program = QString::fromStdString(program->get_ref<const std::string &>());
        if (!readTexts(row, "arguments", &hook.arguments) || !readTexts(row, "tools", &hook.tools))
            return failure(invalidHooks(
                path, where + QStringLiteral("arguments and tools must be lists of texts")));
        if (const QString why = whyWrongHook(hook); !why.isEmpty())
            return failure(invalidHooks(path, where + why));
        hooks.append(hook);
    }
    return hooks;
}

} // namespace

QString wireName(HookMoment moment)
{
    switch (moment) {
    case HookMoment::BeforeTool:
        return QStringLiteral("before_tool");
    case HookMoment::AfterTool:
        return QStringLiteral("after_tool");
    }
    return {};
}

std::optional<HookMoment> hookMomentFromWire(QStringView name)
{
    for (const HookMoment moment : {HookMoment::BeforeTool, HookMoment::AfterTool}) {
        if (name == wireName(moment))
            return moment;
    }
    return std::nullopt;
}

Result<QList<Hook>> readHooks(const QString &path)
{
    // Looked at through the descriptor that is read, and never through a link.
    const int descriptor =
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT)
        return QList<Hook>();
    const QString refused = QStringLiteral("The hooks in %1 are not used").arg(path);
    if (descriptor < 0) {
        return failure(ErrorKind::Forbidden, refused,
                       errno == ELOOP ? QStringLiteral("It is a link; it must be a plain file")
                                      : QStringLiteral("It cannot be opened"));
    }
    QFile file;
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0
        || !file.open(descriptor, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle)) {
        ::close(descriptor);
        return failure(ErrorKind::Forbidden, refused, QStringLiteral("It cannot be read"));
    }
    if (!S_ISREG(status.st_mode))
        return failure(ErrorKind::Forbidden, refused, QStringLiteral("It must be a plain file"));
    if (status.st_uid != ::geteuid())
        return failure(ErrorKind::Forbidden, refused,
                       QStringLiteral("It belongs to another user; it must be your own"));
    if ((status.st_mode & 07777) != 0600)
        return failure(ErrorKind::Forbidden, refused,
                       QStringLiteral("Its permissions are %1; they must be 600: chmod 600 %2")
                           .arg(QString::number(status.st_mode & 07777, 8), path));
    if (status.st_size > kLargestFile)
        return failure(invalidHooks(path, QStringLiteral("It is larger than 256 KiB")));
    return hooksOf(path, file.read(kLargestFile));
}

Result<void> saveHooks(const QString &path, const QList<Hook> &hooks)
{
    json rows = json::array();
    for (const Hook &hook : hooks) {
        if (const QString why = whyWrongHook(hook); !why.isEmpty())
            return failure(invalidHooks(path, why));
        rows.push_back(json{{"event", wireName(hook.moment).toStdString()},
                            {"program", hook.program.toStdString()},
                            {"arguments", textList(hook.arguments)},
                            {"tools", textList(hook.tools)}});
    }
    const json document{{"schema_version", 1}, {"hooks", rows}};
    QSaveFile file(path);
    const QByteArray text = QByteArray::fromStdString(document.dump(2)) + '\n';
    const bool written = file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        && file.write(text) == text.size() && file.commit();
    if (!written)
        return failure(ErrorKind::Storage, QStringLiteral("The hooks could not be saved"),
                       file.errorString());
    return {};
}

} // namespace berth::application
