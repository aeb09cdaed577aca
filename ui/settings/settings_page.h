// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

class QListWidget;
class QScrollArea;
class QStackedWidget;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Label;
class ApiSection;
class NotificationSetting;
class ProviderModel;
class RadioChips;
class SandboxSection;
class SectionList;
class SecuritySection;
class Theme;

//! Providers, models, security, looks, and what this is. Only parts with something in them.
class SettingsPage final : public QWidget
{
    Q_OBJECT
public:
    enum class Section { Sandbox, Models, Presets, Security, Api, Appearance, About };

    //! All three outlive the page.
    SettingsPage(application::EngineClient &client, ProviderModel &providers, Theme &theme,
                 QWidget *parent = nullptr);

    //! What About and the directory's line say.
    void setEngine(const application::EngineView &engine);
    void showSection(Section section);
    //! Opens that provider's card and puts the focus into it.
    void showProvider(const domain::ConfigName &config);

    [[nodiscard]] SandboxSection *sandbox() const { return m_sandbox; }
    [[nodiscard]] SecuritySection *security() const { return m_security; }
    [[nodiscard]] ApiSection *api() const { return m_api; }
    [[nodiscard]] NotificationSetting *notifications() const { return m_notifications; }
    [[nodiscard]] RadioChips *themeChoice() const { return m_themes; }
    [[nodiscard]] QListWidget *sections() const;

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void addSection(const QString &name, QWidget *content);
    QWidget *buildAppearance();
    QWidget *buildAbout();

    Theme &m_theme;
    SectionList *m_list;
    QStackedWidget *m_pages;
    QList<QScrollArea *> m_areas;
    SandboxSection *m_sandbox = nullptr;
    SecuritySection *m_security = nullptr;
    ApiSection *m_api = nullptr;
    NotificationSetting *m_notifications = nullptr;
    RadioChips *m_themes = nullptr;
    Label *m_version = nullptr;
    Label *m_data = nullptr;
    Label *m_sandboxes = nullptr;
    Label *m_installation = nullptr;
};

} // namespace berth::ui
