// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "domain/result.h"
#include "ui/widgets/card.h"

#include <QtCore/QBasicTimer>

class QPlainTextEdit;
class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Chip;
class ExpandHead;
class FlowRow;
class Label;
class ProviderFields;
class ProviderModel;
class ProviderNotes;
class TestSteps;
class TrustQuestion;

//! One provider config in Settings: its state in words, and behind it the form with Save, Test and
//! the file's text.
class ProviderCard final : public Card
{
    Q_OBJECT
public:
    ProviderCard(application::EngineClient &client, ProviderModel &providers,
                 const domain::ConfigName &config, QWidget *parent = nullptr);

    [[nodiscard]] const domain::ConfigName &config() const { return m_config; }
    void setExpanded(bool expanded);
    [[nodiscard]] bool isExpanded() const;
    [[nodiscard]] bool hasChanges() const;

    void save();
    void revert();
    void test();
    void cancelTest();
    void showJson(bool show);

    [[nodiscard]] ExpandHead *head() const { return m_head; }
    //! Null until the form has come.
    [[nodiscard]] ProviderFields *fields() const { return m_fields; }
    [[nodiscard]] Button *saveButton() const { return m_save; }
    [[nodiscard]] Button *revertButton() const { return m_revert; }
    [[nodiscard]] Button *testButton() const { return m_test; }
    [[nodiscard]] Button *jsonButton() const { return m_json; }
    [[nodiscard]] TestSteps *steps() const { return m_steps; }
    [[nodiscard]] QPlainTextEdit *jsonText() const { return m_jsonText; }
    [[nodiscard]] Banner *problem() const { return m_problem; }
    [[nodiscard]] Chip *result() const { return m_result; }
    [[nodiscard]] TrustQuestion *trust() const { return m_trust; }
    [[nodiscard]] ProviderNotes *notes() const { return m_notes; }

Q_SIGNALS:
    void expandedChanged(bool expanded);

protected:
    void timerEvent(QTimerEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildBody();
    QWidget *buildActions();
    QWidget *buildJson();
    void updateHead();
    void indent();
    void loadForm();
    void takeForm(const application::ProviderForm &form);
    void storeKey(const QString &field, const QString &key);
    void loadSecrets(const QString &done);
    void updateButtons();
    void onEdited();
    void onEvent(const application::Event &event);
    void testDone(const domain::Result<application::HealthView> &answer);
    void requestJson();
    void showProblem(const QString &what, const domain::Error &error);
    void hideProblem();

    application::EngineClient &m_client;
    ProviderModel &m_providers;
    domain::ConfigName m_config;

    ExpandHead *m_head;
    QWidget *m_body = nullptr;
    QVBoxLayout *m_form = nullptr;
    QVBoxLayout *m_below = nullptr;
    TrustQuestion *m_trust = nullptr;
    ProviderNotes *m_notes = nullptr;
    Label *m_loading = nullptr;
    ProviderFields *m_fields = nullptr;
    Banner *m_problem = nullptr;
    FlowRow *m_actions = nullptr;
    Button *m_save = nullptr;
    Button *m_revert = nullptr;
    Button *m_test = nullptr;
    Button *m_json = nullptr;
    Chip *m_result = nullptr;
    TestSteps *m_steps = nullptr;
    QWidget *m_jsonPanel = nullptr;
    Label *m_jsonPath = nullptr;
    QPlainTextEdit *m_jsonText = nullptr;
    QString m_problemDetails;
    //! Null when no test runs.
    domain::RequestId m_testing;
    QBasicTimer m_previewSoon;
    bool m_loadingForm = false;
    bool m_saving = false;
};

} // namespace berth::ui
