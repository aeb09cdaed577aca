// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shots/scenes_pages.h"
#include "shots/sample_state.h"
#include "ui/models/runtime_model.h"
#include "ui/resources/destroy_dialog.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_actions.h"
#include "ui/resources/runtime_grid.h"
#include "ui/resources/runtime_sheet.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/provider_card.h"
#include "ui/settings/provider_fields.h"
#include "ui/settings/sandbox_section.h"
#include "ui/settings/secret_field.h"
#include "ui/settings/settings_page.h"
#include "ui/settings/test_steps.h"
#include "ui/widgets/button.h"
#include "ui/widgets/tab_strip.h"

#include <QtWidgets/QLineEdit>

namespace berth::shots {

using namespace berth::ui;

namespace {

const domain::ConfigName kDocker(QStringLiteral("docker"));

bool playResources(Stage &stage, const QSize &size, bool filled,
                   const std::function<bool(ResourcesPage &)> &then)
{
    if (filled)
        fill(stage.engine);
    if (!stage.open(size))
        return false;
    ResourcesPage &page = *stage.window->resourcesPage();
    stage.window->showResources();
    if (filled) {
        tellHistory(stage.engine, 14);
        // The last one told is the last one taken.
        const QString last = stage.engine.state.runtimes[7].id;
        const RuntimeModel *runtimes = stage.window->findChild<RuntimeModel *>();
        if (!runtimes || !Stage::wait([&] { return runtimes->history(last)->size() > 800; }))
            return false;
    }
    const bool done = then(page);
    // A tick of the page's second, so that charts and ages are those of now.
    Stage::settle(1100);
    return done;
}

bool playSettings(Stage &stage, const QSize &size, const std::function<bool(SettingsPage &)> &then)
{
    fill(stage.engine);
    if (!stage.open(size))
        return false;
    stage.window->showSettings();
    return then(*stage.window->settingsPage());
}

ProviderCard *openCard(SettingsPage &page, const domain::ConfigName &config)
{
    ProviderCard *card = page.sandbox()->card(config);
    page.showProvider(config);
    Stage::wait([card] { return card->fields() != nullptr; });
    Stage::settle();
    return card;
}

ProviderCard *openDocker(SettingsPage &page)
{
    return openCard(page, kDocker);
}

bool testConnection(SettingsPage &page)
{
    ProviderCard *card = openDocker(page);
    if (!card->fields())
        return false;
    card->test();
    return Stage::wait(
        [card] { return card->steps()->count() == 4 && !card->steps()->isRunning(); });
}

} // namespace

QList<Scene> pageScenes()
{
    return {
        {QStringLiteral("resources-empty"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, false, [](ResourcesPage &) { return true; });
         }},
        {QStringLiteral("resources"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, true, [](ResourcesPage &) { return true; });
         }},
        {QStringLiteral("resources-focus"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, true, [](ResourcesPage &page) {
                 page.setOrder(RuntimeSortModel::Order::Cpu);
                 page.grid()->setFocus();
                 page.grid()->selectionModel()->setCurrentIndex(page.grid()->model()->index(0, 0),
                                                                QItemSelectionModel::NoUpdate);
                 page.grid()->cards()->setActive(page.grid()->model()->index(1, 0),
                                                 CardPart::PauseResume);
                 return true;
             });
         }},
        {QStringLiteral("detail"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, true, [&stage](ResourcesPage &page) {
                 page.showRuntime(stage.engine.state.runtimes.first().id);
                 return page.sheet()->isVisible();
             });
         }},
        {QStringLiteral("detail-facts"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, true, [&stage](ResourcesPage &page) {
                 page.showRuntime(stage.engine.state.runtimes[1].id);
                 page.sheet()->tabs()->setCurrentIndex(1);
                 return page.sheet()->isVisible();
             });
         }},
        {QStringLiteral("destroy"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, true, [&stage](ResourcesPage &page) {
                 page.actions()->destroy(stage.engine.state.runtimes.first().id, page.window());
                 stage.over = page.actions()->confirmation();
                 return stage.over != nullptr;
             });
         }},
        {QStringLiteral("resources-failure"),
         [](Stage &stage, const QSize &size) {
             return playResources(stage, size, true, [&stage](ResourcesPage &page) {
                 domain::Error error;
                 error.kind = domain::ErrorKind::Unavailable;
                 error.message =
                     QStringLiteral("The engine at /var/run/docker.sock does not answer");
                 error.detail = QStringLiteral(
                     "It may be restarting. Try again in a moment, or look at its log.");
                 stage.engine.failures.insert(QStringLiteral("runtime.pause"), error);
                 const QString id = stage.engine.state.runtimes.first().id;
                 page.actions()->pause(id);
                 return Stage::wait([&page, id] { return page.actions()->failure(id) != nullptr; });
             });
         }},
        {QStringLiteral("settings"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 const bool done = testConnection(page);
                 Stage::settle();
                 return done;
             });
         }},
        {QStringLiteral("settings-mistake"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 ProviderCard *card = openDocker(page);
                 FieldEditor *memory =
                     card->fields()->editor(QStringLiteral("docker.memory_limit"));
                 memory->setValue(QStringLiteral("lots"));
                 card->fields()->setAdvancedOpen(true);
                 card->save();
                 Stage::settle();
                 return !memory->shownProblem().isEmpty();
             });
         }},
        {QStringLiteral("settings-json"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 ProviderCard *card = openDocker(page);
                 card->showJson(true);
                 Stage::settle(150);
                 return true;
             });
         }},
        {QStringLiteral("settings-key"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 openCard(page, domain::ConfigName(QStringLiteral("e2b")));
                 return true;
             });
         }},
        {QStringLiteral("settings-key-store"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 ProviderCard *card = openCard(page, domain::ConfigName(QStringLiteral("e2b")));
                 auto *secret = card->findChild<SecretField *>();
                 secret->storeButton()->click();
                 secret->storeLine()->setText(QStringLiteral("0123456789abcdef"));
                 Stage::settle();
                 return true;
             });
         }},
        {QStringLiteral("settings-trust"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 openCard(page, domain::ConfigName(QStringLiteral("daytona")));
                 return true;
             });
         }},
        {QStringLiteral("settings-models"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 page.showSection(SettingsPage::Section::Models);
                 Stage::settle();
                 return true;
             });
         }},
        {QStringLiteral("appearance"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 page.showSection(SettingsPage::Section::Appearance);
                 Stage::settle();
                 return true;
             });
         }},
        {QStringLiteral("about"),
         [](Stage &stage, const QSize &size) {
             return playSettings(stage, size, [](SettingsPage &page) {
                 page.showSection(SettingsPage::Section::About);
                 Stage::settle();
                 return true;
             });
         }},
    };
}

} // namespace berth::shots
