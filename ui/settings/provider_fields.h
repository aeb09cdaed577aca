// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace berth::ui {

class Button;
class FieldEditor;
class FormRow;
class RadioChips;

//! The form of one provider config, from its schema; the seldom needed fields are folded away.
class ProviderFields final : public QWidget
{
    Q_OBJECT
public:
    explicit ProviderFields(const application::ProviderForm &form, QWidget *parent = nullptr);

    //! Without keys that nobody touched: those stay as they are.
    [[nodiscard]] QMap<QString, QString> values() const;
    //! What the file says; edits against it count as changes.
    void setSaved(const application::ProviderForm &form);
    //! As setSaved(), but what the user changed stays.
    void setSavedUnder(const application::ProviderForm &form);
    //! Only what the form says of keys; everything else that was typed stays.
    void setSecrets(const application::ProviderForm &form);
    void revert();
    [[nodiscard]] bool isChanged() const { return values() != m_saved; }
    [[nodiscard]] bool isValid() const;
    //! Shows every mistake, opens what is folded around it, and puts the focus on the first.
    void showProblems();

    [[nodiscard]] FieldEditor *editor(const QString &key) const;
    [[nodiscard]] Button *advancedButton() const { return m_more; }
    //! Null for a service that comes in one kind only.
    [[nodiscard]] RadioChips *examples() const { return m_examples; }
    void setAdvancedOpen(bool open);
    //! Where the fields begin, seen from the labels.
    void setIndent(int indent);

Q_SIGNALS:
    void changed();
    //! A key for the key store; empty: the stored one goes.
    void storeRequested(const QString &field, const QString &key);

private:
    void buildExamples(const QList<application::FormExample> &examples, QVBoxLayout *column);
    void useExample(const QString &name);
    void showExample();

    QList<FieldEditor *> m_editors;
    QList<application::FormExample> m_exampleValues;
    RadioChips *m_examples = nullptr;
    FormRow *m_examplesRow = nullptr;
    QMap<QString, QString> m_saved;
    bool m_hasKeyStore = false;
    QHBoxLayout *m_moreLine = nullptr;
    Button *m_more = nullptr;
    QWidget *m_advanced = nullptr;
};

} // namespace berth::ui
