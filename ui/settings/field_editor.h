// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

#include <functional>

namespace berth::ui {

class FormRow;
class SecretField;

//! One field of a provider's form, by its type. An empty value is one that the file does not name:
//! then the default, shown but not written, holds.
class FieldEditor final : public QWidget
{
    Q_OBJECT
public:
    explicit FieldEditor(const application::FieldView &field, QWidget *parent = nullptr);

    [[nodiscard]] const QString &key() const { return m_field.key; }
    [[nodiscard]] const application::FieldView &field() const { return m_field; }
    [[nodiscard]] QString value() const;
    void setValue(const QString &value);
    //! As the Engine has it now.
    void setSaved(const application::FieldView &field, bool hasKeyStore);
    //! A key that nobody touched: not part of what is saved.
    [[nodiscard]] bool isUntouchedSecret() const;
    //! Null for any other field.
    [[nodiscard]] SecretField *secret() const { return m_secret; }
    //! What is wrong with the value, in a sentence; empty: nothing. Shown by showProblem().
    [[nodiscard]] QString problem() const;
    //! While typing, a mistake is shown only once the field was left; mistakes that are gone vanish
    //! at once.
    void showProblem(bool evenIfNew);
    [[nodiscard]] QString shownProblem() const;
    //! The widget that is typed into.
    [[nodiscard]] QWidget *input() const { return m_input; }

Q_SIGNALS:
    //! By the user.
    void edited();
    //! The field was left.
    void finished();
    //! A key for the key store; empty: the stored one goes.
    void storeRequested(const QString &key);

private:
    QWidget *buildInput();
    QWidget *buildLine(bool mono);
    QWidget *buildSecret();
    QWidget *buildSwitch();
    QWidget *buildChoice();
    QWidget *buildList();

    application::FieldView m_field;
    QWidget *m_input = nullptr;
    FormRow *m_row = nullptr;
    SecretField *m_secret = nullptr;
    std::function<QString()> m_get;
    std::function<void(const QString &)> m_set;
};

} // namespace berth::ui
