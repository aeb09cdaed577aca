// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

class QScrollArea;
class QSettings;
class QVBoxLayout;

namespace berth::ui {

class Button;
class Card;
class Chip;
class Composer;
class EngineState;
class Label;
class RunAnyway;
class SandboxChoiceModel;
class SandboxPicker;

//! The beginning of a thread: what to do, and where. With no thread yet it also shows where one
//! could run.
class NewThreadPage final : public QWidget
{
    Q_OBJECT
public:
    NewThreadPage(EngineState &state, QSettings &settings, QWidget *parent = nullptr);

    [[nodiscard]] RunAnyway *runAnyway() const { return m_anyway; }
    [[nodiscard]] Composer *composer() const { return m_composer; }
    [[nodiscard]] SandboxPicker *picker() const { return m_picker; }
    void setEnterSends(bool on);

Q_SIGNALS:
    void started(const berth::domain::ThreadId &thread);
    void setUpRequested(const berth::domain::ConfigName &config);
    void connectModelRequested();

protected:
    void timerEvent(QTimerEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void refresh();
    void refreshProviders();
    void chooseDefault();
    //! What is chosen has no isolation.
    [[nodiscard]] bool runsOpen() const;
    void start(const QString &text, bool asCommand);
    //! \a anyway: a command of the user's own although the policy denies it.
    void begin(const QString &text, bool asCommand, bool anyway);
    void saveDraft();

    EngineState &m_state;
    QSettings &m_settings;
    SandboxChoiceModel *m_choices;
    QScrollArea *m_area;
    QVBoxLayout *m_column = nullptr;
    Label *m_title;
    Label *m_subtitle;
    Composer *m_composer;
    RunAnyway *m_anyway;
    SandboxPicker *m_picker;
    Label *m_hint;
    QWidget *m_first;
    Chip *m_ready;
    Chip *m_model;
    QVBoxLayout *m_providerRows;
    QBasicTimer m_draftDue;
};

} // namespace berth::ui
