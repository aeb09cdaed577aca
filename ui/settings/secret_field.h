// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

class QLineEdit;

namespace berth::ui {

class Button;
class FlowRow;
class Label;
class Switch;

//! A key in a form: where it comes from, never the key itself, which does not leave the Engine.
//! Only what is typed just now can be seen.
class SecretField final : public QWidget
{
    Q_OBJECT
public:
    explicit SecretField(const application::FieldView &field, QWidget *parent = nullptr);

    //! As the Engine has it; what was typed goes.
    void setSaved(const application::FieldView &field, bool hasKeyStore);
    //! What is typed: a key, a reference, or nothing to have the file's removed.
    [[nodiscard]] QString value() const;
    //! Untouched the file's key stays, whatever value() is.
    [[nodiscard]] bool isTouched() const { return m_touched; }
    //! What is wrong in a sentence; empty: nothing.
    [[nodiscard]] QString problem() const;

    [[nodiscard]] QLineEdit *line() const { return m_line; }
    [[nodiscard]] Label *originLabel() const { return m_origin; }
    [[nodiscard]] Button *revealButton() const { return m_reveal; }
    [[nodiscard]] Button *storeButton() const { return m_store; }
    [[nodiscard]] Button *removeButton() const { return m_remove; }
    [[nodiscard]] Switch *keepSwitch() const { return m_keep; }
    //! What "Store a key…" opens.
    [[nodiscard]] QLineEdit *storeLine() const { return m_storeLine; }
    [[nodiscard]] Button *confirmButton() const { return m_confirm; }

Q_SIGNALS:
    void edited();
    void finished();
    //! Into the key store, at once; an empty key takes the stored one away.
    void storeRequested(const QString &key);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum class Panel { None, Store, Remove };

    QWidget *buildPanel();
    void open(Panel panel);
    void confirm();
    void remove();
    void refresh();
    [[nodiscard]] QString originText() const;
    [[nodiscard]] bool holdsKey() const;

    application::FieldView m_field;
    QLineEdit *m_line;
    Button *m_reveal;
    Button *m_store;
    Button *m_remove;
    Label *m_origin;
    FlowRow *m_keepRow;
    Switch *m_keep;
    QWidget *m_panel = nullptr;
    Label *m_panelWords = nullptr;
    QLineEdit *m_storeLine = nullptr;
    Button *m_confirm = nullptr;
    Panel m_open = Panel::None;
    bool m_hasKeyStore = false;
    bool m_touched = false;
    bool m_revealed = false;
};

} // namespace berth::ui
