// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/sandbox_contract.h"
#include "domain/result.h"
#include "ui/widgets/card.h"

#include <QtCore/QPointer>

class QComboBox;
class QLineEdit;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class ConfirmDialog;
class ExpandHead;
class FormRow;
class PresetFields;
class ProviderModel;
class SaveBar;

//! One preset: its head, and the form of its config by its provider's schema.
class PresetCard final : public Card
{
    Q_OBJECT
public:
    //! A preset without a name: a new one, not in the file before it was saved.
    PresetCard(application::EngineClient &client, ProviderModel &providers,
               const application::PresetView &preset, QWidget *parent = nullptr);

    //! As the file has it now; what was typed and not saved stays.
    void setPreset(const application::PresetView &preset, bool isDefault);
    [[nodiscard]] const application::PresetView &preset() const { return m_preset; }
    [[nodiscard]] bool isNew() const { return m_preset.name.isEmpty(); }
    void setExpanded(bool expanded);
    [[nodiscard]] bool hasChanges() const;
    void save();

    [[nodiscard]] ExpandHead *head() const { return m_head; }
    [[nodiscard]] QLineEdit *name() const { return m_name; }
    [[nodiscard]] QComboBox *type() const { return m_type; }
    [[nodiscard]] PresetFields *fields() const { return m_fields; }
    [[nodiscard]] SaveBar *bar() const { return m_bar; }
    [[nodiscard]] Button *defaultButton() const { return m_default; }
    [[nodiscard]] Button *removeButton() const { return m_remove; }
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] ConfirmDialog *question() const;

Q_SIGNALS:
    //! The file has changed.
    void changed(const berth::application::PresetList &presets);
    //! A new one that is not wanted after all.
    void dropped();

private:
    void buildNew(QLayout *column);
    void refresh();
    void refreshHead();
    void makeDefault();
    void remove();
    void done(const QString &what, const domain::Result<application::PresetList> &answer);

    application::EngineClient &m_client;
    ProviderModel &m_providers;
    application::PresetView m_preset;
    bool m_isDefault = false;
    ExpandHead *m_head;
    QWidget *m_body;
    QLineEdit *m_name = nullptr;
    FormRow *m_nameRow = nullptr;
    QComboBox *m_type = nullptr;
    Banner *m_problem;
    PresetFields *m_fields;
    SaveBar *m_bar;
    Button *m_default;
    Button *m_remove;
    QPointer<ConfirmDialog> m_question;
};

} // namespace berth::ui
