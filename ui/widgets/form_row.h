// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace berth::ui {

class Label;

//! One field of a form: label in the left column, field, help and error below it.
class FormRow final : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kLabelWidth = 170;

    //! Takes \a field over; its accessible name becomes \a label unless it has one.
    FormRow(const QString &label, QWidget *field, QWidget *parent = nullptr);

    void setHelp(const QString &help);
    //! Empty: none. Shown with a glyph, and said with the field's accessible description.
    void setError(const QString &error);
    [[nodiscard]] QString error() const;
    void setRequired(bool required);
    //! Behind the field, on its line: a unit, a button.
    void addBeside(QWidget *widget);
    [[nodiscard]] QWidget *field() const { return m_field; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *m_field;
    QString m_text;
    QHBoxLayout *m_columns;
    QHBoxLayout *m_line;
    Label *m_label;
    Label *m_help;
    Label *m_error;
};

} // namespace berth::ui
