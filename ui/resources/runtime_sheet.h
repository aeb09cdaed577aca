// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "ui/resources/runtime_actions.h"

#include <QtWidgets/QFrame>

#include <optional>

class QStackedWidget;
class QVBoxLayout;

namespace berth::ui {

class Button;
class Chip;
class ElidedLabel;
class EventList;
class FailureBanner;
class FileBrowser;
class IconButton;
class Label;
class ProviderMark;
class ProviderModel;
class TabStrip;
class TerminalPanel;
class TerminalSessions;
class TimeChart;
class TransferQueue;

//! One runtime in full, from the right edge of Resources: what it uses, what it is, what can be
//! done.
class RuntimeSheet final : public QFrame
{
    Q_OBJECT
public:
    static constexpr int kWidth = 520;

    RuntimeSheet(RuntimeModel &runtimes, const ProviderModel &providers, RuntimeActions &actions,
                 QWidget *parent = nullptr);

    //! kWidth, more with a large font.
    [[nodiscard]] int wantedWidth() const;
    void showRuntime(const QString &runtime);
    //! Adds the tabs with files and with events.
    void setFiles(application::EngineClient &client, TransferQueue &transfers);
    [[nodiscard]] FileBrowser *files() const { return m_files; }
    //! Adds the tab with terminals and background commands.
    void setTerminals(TerminalSessions &sessions);
    [[nodiscard]] TerminalPanel *terminals() const { return m_terminals; }
    void showTerminals();
    [[nodiscard]] QString runtime() const { return m_runtime; }
    //! A second has gone by.
    void tick(const QDateTime &now);

    [[nodiscard]] Button *pauseResumeButton() const { return m_pauseResume; }
    [[nodiscard]] Button *openThreadButton() const { return m_openThread; }
    [[nodiscard]] Button *destroyButton() const { return m_destroy; }
    [[nodiscard]] TabStrip *tabs() const { return m_tabs; }
    [[nodiscard]] const QList<TimeChart *> &charts() const { return m_charts; }

Q_SIGNALS:
    void closeRequested();
    void openThread(const berth::domain::ThreadId &thread);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Part
    {
        TimeChart *chart = nullptr;
        Label *value = nullptr;
    };
    QWidget *buildHead();
    QWidget *buildMetrics();
    QWidget *buildDetails();
    Part addChart(QVBoxLayout *column, const QString &title, TimeChart *chart);
    void refresh();
    void refreshMetrics(const application::RuntimeView &view);
    void refreshTerminals(const application::RuntimeView &view);
    void refreshFiles(const application::RuntimeView &view);
    void refreshDetails(const application::RuntimeView &view);
    void addRow(const QString &label, const QString &value, bool mono = false);
    void setShared(std::optional<qint64> crosshair);

    RuntimeModel &m_runtimes;
    const ProviderModel &m_providers;
    RuntimeActions &m_actions;
    QString m_runtime;
    QDateTime m_now;

    ProviderMark *m_mark = nullptr;
    ElidedLabel *m_name = nullptr;
    Chip *m_state = nullptr;
    ElidedLabel *m_facts = nullptr;
    IconButton *m_close = nullptr;
    Button *m_pauseResume = nullptr;
    Button *m_openThread = nullptr;
    Button *m_copyId = nullptr;
    Button *m_destroy = nullptr;
    FailureBanner *m_failure = nullptr;
    TabStrip *m_tabs = nullptr;
    QStackedWidget *m_pages = nullptr;
    QList<TimeChart *> m_charts;
    Part m_cpu;
    Part m_memory;
    Part m_disk;
    Part m_network;
    QVBoxLayout *m_details = nullptr;
    TerminalPanel *m_terminals = nullptr;
    FileBrowser *m_files = nullptr;
    EventList *m_events = nullptr;
    int m_terminalTab = -1;
    //! What the details were built from, so that they are rebuilt only when something in them
    //! changed.
    std::optional<application::RuntimeView> m_detailed;
};

} // namespace berth::ui
