// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

#include <memory>

class QSaveFile;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Banner;
class Button;
class Chip;
class ElidedLabel;
class Label;
class OutputSearch;
class OutputView;

//! One command's whole output, over the conversation. Esc goes back.
class OutputViewer final : public QWidget
{
    Q_OBJECT
public:
    explicit OutputViewer(application::EngineClient &client, QWidget *parent = nullptr);
    ~OutputViewer() override;

    void open(const application::ToolCallView &call);
    //! It changed while it is shown.
    void update(const application::ToolCallView &call);
    [[nodiscard]] const domain::ToolCallId &call() const { return m_call.id; }
    [[nodiscard]] OutputView *view() const { return m_view; }
    [[nodiscard]] OutputSearch *search() const { return m_search; }
    //! Ctrl+F.
    void find();
    //! Writes all of it, byte for byte.
    void saveTo(const QString &path);

Q_SIGNALS:
    void closed();
    void saved(const QString &path);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void findNext();
    void findPrevious();
    void showState();
    void chooseFile();
    void saveNext();
    void endSaving(const QString &title, const QString &detail, bool ok);

    application::EngineClient &m_client;
    application::ToolCallView m_call;
    Button *m_back;
    ElidedLabel *m_command;
    Chip *m_outcome;
    Label *m_size;
    Button *m_save;
    Banner *m_banner;
    OutputView *m_view;
    OutputSearch *m_search;
    std::unique_ptr<QSaveFile> m_file;
    domain::ToolCallId m_saving;
    qint64 m_savedBytes = 0;
};

} // namespace berth::ui
