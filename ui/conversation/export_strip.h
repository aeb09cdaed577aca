// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/export/thread_export.h"

#include <QtWidgets/QWidget>

namespace berth::ui {

class Banner;
class Button;

//! Writes a thread into a file and says how that goes; it goes on while another page is looked at.
class ExportStrip final : public QWidget
{
    Q_OBJECT
public:
    explicit ExportStrip(application::EngineClient &client, QWidget *parent = nullptr);
    ~ExportStrip() override;

    //! Asks where to.
    void choose(const domain::ThreadId &thread, const QString &title,
                application::ExportFormat format);
    void start(const domain::ThreadId &thread, application::ExportFormat format,
               const QString &path);
    [[nodiscard]] bool isRunning() const { return m_work != nullptr; }
    [[nodiscard]] Banner *banner() const { return m_banner; }
    //! Cancel while it runs, then Close.
    [[nodiscard]] Button *button() const { return m_button; }

private:
    void end(const QString &path, const domain::Result<application::ExportReport> &result);

    application::EngineClient &m_client;
    Banner *m_banner;
    Button *m_button;
    application::ThreadExport *m_work = nullptr;
};

} // namespace berth::ui
