// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QList>
#include <QtWidgets/QWidget>

class QButtonGroup;

namespace berth::ui {

class Button;

//! "All 9  Docker 4  E2B 2": which provider's runtimes are shown. Wraps when narrow.
class FilterChips final : public QWidget
{
    Q_OBJECT
public:
    struct Choice
    {
        QString value;
        QString text;
        bool operator==(const Choice &) const = default;
    };

    explicit FilterChips(QWidget *parent = nullptr);

    //! Keeps the chosen one, or goes back to the first when it is no longer there.
    void setChoices(const QList<Choice> &choices);
    [[nodiscard]] QString value() const { return m_value; }
    [[nodiscard]] QList<Button *> buttons() const { return m_buttons; }

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(const QString &value);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int arrange(int width, bool apply) const;

    QButtonGroup *m_group;
    QList<Choice> m_choices;
    QList<Button *> m_buttons;
    QString m_value;
};

} // namespace berth::ui
