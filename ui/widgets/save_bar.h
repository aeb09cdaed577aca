// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtWidgets/QWidget>

namespace berth::ui {

class Banner;
class Button;
class Chip;
class FlowRow;

//! Save and Revert of a form, what came of it, and what went wrong.
class SaveBar final : public QWidget
{
    Q_OBJECT
public:
    //! \a save: what the first button says.
    explicit SaveBar(const QString &save, QWidget *parent = nullptr);

    //! There is something to save, and it may be.
    void setState(bool changed, bool valid);
    //! A command is under way.
    void setBusy(bool busy);
    void showSaved();
    void showProblem(const QString &what, const QString &why);
    void showProblem(const QString &what, const domain::Error &error);
    void clearProblem();
    //! At the near end, behind Revert.
    void addWidget(QWidget *widget);

    [[nodiscard]] Button *saveButton() const { return m_save; }
    [[nodiscard]] Button *revertButton() const { return m_revert; }
    [[nodiscard]] Banner *problem() const { return m_problem; }

private:
    void refresh();

    Banner *m_problem;
    FlowRow *m_row;
    Button *m_save;
    Button *m_revert;
    Chip *m_result;
    QString m_words;
    bool m_changed = false;
    bool m_valid = true;
    bool m_busy = false;
};

} // namespace berth::ui
