// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "application/contract/model_contract.h"
#include "domain/result.h"
#include "ui/widgets/card.h"

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Chip;
class ExpandHead;
class FieldEditor;
class TestSteps;

//! One endpoint of a model: its head, and its form with Save, Test, Make default and Remove.
class ModelCard final : public Card
{
    Q_OBJECT
public:
    //! A new one, filled from a preset, is not in the Engine before it was saved.
    ModelCard(application::EngineClient &client, const application::ModelEndpointView &endpoint,
              bool isNew, bool hasKeyStore, QWidget *parent = nullptr);

    //! As the Engine has it now; what was typed and not saved stays.
    void setEndpoint(const application::ModelEndpointView &endpoint);
    [[nodiscard]] const application::ModelEndpointView &endpoint() const { return m_endpoint; }
    [[nodiscard]] bool isNew() const { return m_isNew; }
    void setExpanded(bool expanded);

    //! By key: "base_url", "model", "key", … Null for an unknown one.
    [[nodiscard]] FieldEditor *field(const QString &key) const;
    [[nodiscard]] Button *saveButton() const { return m_save; }
    [[nodiscard]] Button *testButton() const { return m_test; }
    [[nodiscard]] Button *defaultButton() const { return m_default; }
    [[nodiscard]] Button *removeButton() const { return m_remove; }
    [[nodiscard]] TestSteps *steps() const { return m_steps; }
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] ExpandHead *head() const { return m_head; }

Q_SIGNALS:
    //! The list has changed: saved, made the default, or removed.
    void changed();
    //! A new one that is not wanted after all.
    void dropped();

private:
    QWidget *buildActions();
    void addField(const application::FieldView &field);
    [[nodiscard]] QList<application::FieldView> fields() const;
    void updateHead();
    void updateButtons();
    [[nodiscard]] bool hasChanges() const;
    [[nodiscard]] application::ModelEndpointView edited() const;
    //! A key that was typed into the field itself; empty: none.
    [[nodiscard]] QString typedKey() const;
    void save();
    void saved(const application::ModelEndpointView &endpoint);
    void storeKey(const QString &key, bool inFile);
    void makeDefault();
    void test();
    void testDone(const domain::Result<application::HealthView> &answer);
    void remove();
    void showProblem(const QString &what, const domain::Error &error);

    application::EngineClient &m_client;
    application::ModelEndpointView m_endpoint;
    bool m_isNew;
    bool m_hasKeyStore;
    bool m_saving = false;
    bool m_confirming = false;
    domain::RequestId m_testing;
    ExpandHead *m_head;
    QWidget *m_body;
    QList<FieldEditor *> m_fields;
    Button *m_save = nullptr;
    Button *m_test = nullptr;
    Button *m_default = nullptr;
    Button *m_remove = nullptr;
    Chip *m_result = nullptr;
    TestSteps *m_steps;
    Banner *m_problem;
};

} // namespace berth::ui
