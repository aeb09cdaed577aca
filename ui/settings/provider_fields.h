// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

class QHBoxLayout;

namespace berth::ui {

class Button;
class FieldEditor;

//! The form of one provider config, from its schema; the seldom needed fields are folded away.
class ProviderFields final : public QWidget
{
    Q_OBJECT
public:
    explicit ProviderFields(const QList<application::FieldView> &fields, QWidget *parent = nullptr);

    [[nodiscard]] QMap<QString, QString> values() const;
    //! What the file says; edits against it count as changes.
    void setSaved(const QList<application::FieldView> &fields);
    void revert();
    [[nodiscard]] bool isChanged() const { return values() != m_saved; }
    [[nodiscard]] bool isValid() const;
    //! Shows every mistake, opens what is folded around it, and puts the focus on the first.
    void showProblems();

    [[nodiscard]] FieldEditor *editor(const QString &key) const;
    [[nodiscard]] Button *advancedButton() const { return m_more; }
    void setAdvancedOpen(bool open);
    //! Where the fields begin, seen from the labels.
    void setIndent(int indent);

Q_SIGNALS:
    void changed();

private:
    QList<FieldEditor *> m_editors;
    QMap<QString, QString> m_saved;
    QHBoxLayout *m_moreLine = nullptr;
    Button *m_more = nullptr;
    QWidget *m_advanced = nullptr;
};

} // namespace berth::ui
