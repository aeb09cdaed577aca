// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/paint.h"

#include <QtWidgets/QWidget>

namespace berth::ui {

class Banner;
class Button;
class Chip;
class ElidedLabel;
class Label;

//! One of several entries of a card: what it is, a line about it, and what can be done. Removing
//! asks in place.
class EntryRow final : public QWidget
{
    Q_OBJECT
public:
    explicit EntryRow(QWidget *parent = nullptr);

    //! \a isCode: a command or path.
    void setTitle(const QString &title, bool isCode);
    void setDetail(const QString &detail);
    void setState(const QString &word, Tone tone, Dot dot);
    //! \a word on the button, then the question with what follows from it.
    void setRemoval(const QString &word, const QString &question, const QString &detail);
    //! For the names of its buttons: "Remove: git status".
    void setSubject(const QString &subject);
    //! The first one has no line above it.
    void setFirst(bool first);
    void setEditable(bool editable);
    void setBusy(bool busy);
    void closeQuestion();

    [[nodiscard]] QString title() const;
    [[nodiscard]] QString detail() const;
    [[nodiscard]] Chip *chip() const { return m_chip; }
    [[nodiscard]] Button *editButton() const { return m_edit; }
    [[nodiscard]] Button *removeButton() const { return m_remove; }
    [[nodiscard]] Banner *question() const { return m_question; }
    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Button *confirmButton() const { return m_confirm; }

Q_SIGNALS:
    void editRequested();
    void removeConfirmed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    ElidedLabel *m_title;
    Label *m_detail;
    Chip *m_chip;
    Button *m_edit;
    Button *m_remove;
    Banner *m_question;
    Button *m_cancel;
    Button *m_confirm;
    bool m_first = false;
};

//! Scrolls to a form that was just opened in a page.
void scrollTo(QWidget *form);

} // namespace berth::ui
