// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Label;
class PassthroughSetting;
class ProviderCard;
class ProviderModel;

//! Where agents run: one card per provider config.
class SandboxSection final : public QWidget
{
    Q_OBJECT
public:
    SandboxSection(application::EngineClient &client, ProviderModel &providers,
                   QWidget *parent = nullptr);

    void setDirectory(const QString &directory);
    [[nodiscard]] ProviderCard *card(const domain::ConfigName &config) const;
    [[nodiscard]] const QList<ProviderCard *> &cards() const { return m_cards; }
    [[nodiscard]] PassthroughSetting *passthrough() const { return m_passthrough; }
    //! Something was typed that is not saved.
    [[nodiscard]] bool hasChanges() const;

private:
    void rebuild();

    application::EngineClient &m_client;
    ProviderModel &m_providers;
    Label *m_intro;
    Label *m_directory;
    QVBoxLayout *m_column;
    PassthroughSetting *m_passthrough;
    QList<ProviderCard *> m_cards;
};

} // namespace berth::ui
