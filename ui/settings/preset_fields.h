// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"

#include <QtWidgets/QWidget>

class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Label;
class ProviderFields;

//! The config of a preset or a sandbox row as the form of its provider's schema, without what only
//! the provider's own file may say.
class PresetFields final : public QWidget
{
    Q_OBJECT
public:
    explicit PresetFields(application::EngineClient &client, QWidget *parent = nullptr);

    //! Asks for the schema of \a provider; what stands in \a config fills the fields.
    void load(const domain::ConfigName &provider, const QString &config);
    //! The same with another config; what the user changed stays.
    void setConfigUnder(const QString &config);
    [[nodiscard]] const domain::ConfigName &provider() const { return m_provider; }
    //! JSON object as text; keys that are no field stay.
    [[nodiscard]] QString config() const;
    [[nodiscard]] bool isChanged() const;
    [[nodiscard]] bool isValid() const;
    void showProblems();
    //! Null until the schema is there.
    [[nodiscard]] ProviderFields *fields() const { return m_fields; }

Q_SIGNALS:
    //! By the user, or the schema came.
    void changed();

private:
    //! \a form with what stands in the config, for the fields that a row has.
    [[nodiscard]] application::ProviderForm filled(application::ProviderForm form) const;
    void take(const domain::Result<application::ProviderForm> &form);

    application::EngineClient &m_client;
    domain::ConfigName m_provider;
    QString m_config = QStringLiteral("{}");
    QList<application::FieldView> m_known;
    ProviderFields *m_fields = nullptr;
    Label *m_note;
    QVBoxLayout *m_column;
    int m_asked = 0;
};

} // namespace berth::ui
