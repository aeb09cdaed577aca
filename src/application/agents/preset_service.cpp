// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agents/preset_service.h"

#include "application/agents/row_config.h"
#include "domain/sandbox/naming.h"
#include "domain/text.h"

#include <QtCore/QFile>
#include <QtCore/QSaveFile>

#include <nlohmann/json.hpp>

namespace berth::application {

using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::Sandbox;
// Keeps the order of a file that a person wrote.
using GatewayJson = nlohmann::ordered_json;

namespace {

constexpr qint64 kLargestGateway = 1024 * 1024;
const char *const kPresets = "sandboxPresets";
const char *const kAuto = "autoProvisionSandbox";

Result<GatewayJson> readGateway(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return GatewayJson::object();
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be read").arg(path),
                       file.errorString());
    if (file.size() > kLargestGateway)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("%1 is larger than 1 MiB").arg(path));
    const QByteArray text = file.readAll();
    GatewayJson json = GatewayJson::parse(text.begin(), text.end(), nullptr, false);
    const auto presets = json.is_object() ? json.find(kPresets) : json.end();
    if (!json.is_object() || (presets != json.end() && !presets->is_object())) {
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("%1 is not what a gateway.json is").arg(path),
                       QStringLiteral("It is a JSON object with an object \"sandboxPresets\". Mend "
                                      "it in an editor; Berth leaves it as it is."));
    }
    return json;
}

Result<void> writeGateway(const QString &path, const GatewayJson &json)
{
    QSaveFile file(path);
    const std::string text = json.dump(2, ' ', false, GatewayJson::error_handler_t::replace) + "\n";
    if (!file.open(QIODevice::WriteOnly)
        || file.write(text.data(), static_cast<qint64>(text.size()))
            != static_cast<qint64>(text.size())
        || !file.commit())
        return failure(ErrorKind::Storage, QStringLiteral("%1 cannot be written").arg(path),
                       file.errorString());
    return {};
}

QString textOf(const GatewayJson &object, const char *key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string()
        ? QString::fromStdString(found->get<std::string>())
        : QString();
}

QString configOf(const GatewayJson &preset)
{
    const auto found = preset.is_object() ? preset.find("config") : preset.end();
    if (found == preset.end())
        return QStringLiteral("{}");
    return QString::fromStdString(
        found->dump(-1, ' ', false, GatewayJson::error_handler_t::replace));
}

QStringList namesIn(const GatewayJson &json)
{
    QStringList names;
    if (json.contains(kPresets)) {
        for (const auto &[name, preset] : json[kPresets].items())
            names << QString::fromStdString(name);
    }
    return names;
}

domain::Error unknownPreset(const QString &name, const QStringList &known)
{
    return {ErrorKind::InvalidInput, QStringLiteral("There is no preset \"%1\"").arg(name),
            known.isEmpty()
                ? QStringLiteral("gateway.json has no presets.")
                : QStringLiteral("There are: %1.").arg(known.join(QLatin1String(", ")))};
}

QString inWords(const domain::Error &error)
{
    return error.detail.isEmpty() ? error.message
                                  : error.message + QStringLiteral(". ") + error.detail;
}

} // namespace

PresetService::PresetService(QString path, ProviderService &providers)
    : m_path(std::move(path)), m_providers(providers)
{}

PresetList PresetService::list() const
{
    PresetList list;
    list.path = m_path;
    const Result<GatewayJson> json = readGateway(m_path);
    if (!json) {
        list.problem = inWords(json.error());
        return list;
    }
    list.autoProvision = textOf(*json, kAuto);
    const QStringList names = namesIn(*json);
    for (const QString &name : names) {
        const GatewayJson &preset = (*json)[kPresets][name.toStdString()];
        PresetView view{name, textOf(preset, "type"), configOf(preset), {}};
        const Result<Sandbox> made = row(view.type, {}, view.config);
        if (!domain::isValidName(name))
            view.problem = QStringLiteral("A preset's name has small letters, digits, - and _");
        else if (!made)
            view.problem = inWords(made.error());
        // What a row would not take may be a key: it is not shown.
        if (!view.problem.isEmpty())
            view.config = QStringLiteral("{}");
        list.presets << view;
    }
    if (!list.autoProvision.isEmpty() && !names.contains(list.autoProvision))
        list.problem = inWords(unknownPreset(list.autoProvision, names));
    return list;
}

Result<PresetList> PresetService::save(const PresetView &preset)
{
    if (!domain::isValidName(preset.name))
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("\"%1\" cannot be a preset's name").arg(preset.name),
                       QStringLiteral("Use up to 32 small letters, digits, - and _."));
    Result<GatewayJson> json = readGateway(m_path);
    if (!json)
        return failure(json.error());
    const Result<Sandbox> made = row(preset.type, {}, preset.config);
    if (!made)
        return failure(made.error());
    GatewayJson &entry = (*json)[kPresets][preset.name.toStdString()];
    if (!entry.is_object())
        entry = GatewayJson::object();
    entry["type"] = preset.type.toStdString();
    entry["config"] = GatewayJson::parse(
        preset.config.trimmed().isEmpty() ? std::string("{}") : preset.config.toStdString(),
        nullptr, false);
    if (const Result<void> written = writeGateway(m_path, *json); !written)
        return failure(written.error());
    return list();
}

Result<PresetList> PresetService::remove(const QString &name)
{
    Result<GatewayJson> json = readGateway(m_path);
    if (!json)
        return failure(json.error());
    const QStringList names = namesIn(*json);
    if (!names.contains(name)) {
        domain::Error error = unknownPreset(name, names);
        error.kind = ErrorKind::NotFound;
        return failure(error);
    }
    (*json)[kPresets].erase(name.toStdString());
    if (textOf(*json, kAuto) == name)
        (*json)[kAuto] = nullptr;
    if (const Result<void> written = writeGateway(m_path, *json); !written)
        return failure(written.error());
    return list();
}

Result<PresetList> PresetService::setAutoProvision(const QString &name)
{
    Result<GatewayJson> json = readGateway(m_path);
    if (!json)
        return failure(json.error());
    const QStringList names = namesIn(*json);
    if (!name.isEmpty() && !names.contains(name))
        return failure(unknownPreset(name, names));
    (*json)[kAuto] = name.isEmpty() ? GatewayJson() : GatewayJson(name.toStdString());
    if (const Result<void> written = writeGateway(m_path, *json); !written)
        return failure(written.error());
    return list();
}

Result<Sandbox> PresetService::row(const QString &name) const
{
    const Result<GatewayJson> json = readGateway(m_path);
    if (!json)
        return failure(json.error());
    const QStringList names = namesIn(*json);
    if (!names.contains(name))
        return failure(unknownPreset(name, names));
    const GatewayJson &preset = (*json)[kPresets][name.toStdString()];
    Result<Sandbox> made = row(textOf(preset, "type"), {}, configOf(preset));
    if (!made)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("The preset \"%1\" cannot be used").arg(name),
                       inWords(made.error()));
    return made;
}

Result<Sandbox> PresetService::row(const QString &type, const domain::ConfigName &config,
                                   const QString &json) const
{
    if (type == QLatin1String("host")) {
        return failure(ErrorKind::InvalidInput, QStringLiteral("There is no sandbox type \"host\""),
                       QStringLiteral("Commands never run on the host itself; choose local, docker "
                                      "or another provider."));
    }
    QStringList known;
    const QList<ProviderView> views = m_providers.views();
    for (const ProviderView &view : views) {
        if (!known.contains(view.kind))
            known << view.kind;
    }
    Sandbox sandbox;
    sandbox.type = type;
    sandbox.providerConfig = config.isNull() ? domain::ConfigName(type) : config;
    if (!config.isNull()) {
        const std::optional<ProviderView> view = m_providers.view(config);
        if (!view)
            return failure(
                ErrorKind::InvalidInput,
                QStringLiteral("There is no provider config \"%1\"").arg(config.toString()));
        if (type.isEmpty())
            sandbox.type = view->kind;
        else if (view->kind != type)
            return failure(ErrorKind::InvalidInput,
                           QStringLiteral("\"%1\" is a config of %2, not of %3")
                               .arg(config.toString(), view->kind, type));
    }
    const std::shared_ptr<const domain::ProviderKind> kind = m_providers.kind(sandbox.type);
    if (!kind)
        return failure(ErrorKind::InvalidInput,
                       QStringLiteral("There is no sandbox type \"%1\"").arg(sandbox.type),
                       QStringLiteral("There are: %1.").arg(known.join(QLatin1String(", "))));
    const Result<domain::SettingValues> values = rowConfigFrom(json, kind->schema());
    if (!values)
        return failure(values.error());
    sandbox.config = *values;
    sandbox.createdAt = domain::nowUtc();
    sandbox.updatedAt = sandbox.createdAt;
    return sandbox;
}

} // namespace berth::application
