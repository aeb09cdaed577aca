// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtWidgets/QWidget>

class QLineEdit;

namespace berth::ui {

class IconButton;
class Label;

//! What stands above a text that is searched: a field, how many there are, and the way from match
//! to match: Return and Shift+Return, F3 and Shift+F3. Esc closes it, and nothing behind it.
class FindBar : public QWidget
{
    Q_OBJECT
public:
    //! \a placeholder says what is searched.
    explicit FindBar(const QString &placeholder, QWidget *parent = nullptr);

    [[nodiscard]] bool isOpen() const { return !isHidden(); }
    [[nodiscard]] QLineEdit *field() const { return m_field; }
    [[nodiscard]] Label *countLabel() const { return m_count; }
    virtual void close() = 0;
    virtual void next() = 0;
    virtual void previous() = 0;

Q_SIGNALS:
    void textChanged(const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    //! Shows it with the focus in its field.
    void begin();
    //! Match \a current, from 0, of \a count; \a reading: there may be more.
    void showCount(qsizetype current, qsizetype count, bool isCapped, bool reading);

private:
    bool onKey(QKeyEvent *event);

    QLineEdit *m_field;
    Label *m_count;
    IconButton *m_up;
    IconButton *m_down;
};

} // namespace berth::ui
