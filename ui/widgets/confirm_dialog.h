// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QDialog>

#include <functional>

namespace berth::ui {

class Button;

//! Asks before something goes, and says what. Return and Esc both leave everything as it is.
class ConfirmDialog : public QDialog
{
    Q_OBJECT
public:
    struct Words
    {
        QString question;
        //! "Docker · python:3.12-slim"; empty: none.
        QString place;
        //! Paragraphs.
        QStringList text;
        //! On the button that does it.
        QString action;
        //! It cannot be undone.
        bool dangerous = true;
    };

    ConfirmDialog(const Words &words, QWidget *parent);
    //! Opened, before a form goes in which something is typed. \a then: it may go.
    static ConfirmDialog *askToDrop(const QString &question, QWidget *parent,
                                    const std::function<void()> &then);

    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Button *actionButton() const { return m_action; }
    //! All that it says, for tests and screen readers.
    [[nodiscard]] QString text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Button *m_cancel;
    Button *m_action;
    QString m_text;
};

} // namespace berth::ui
