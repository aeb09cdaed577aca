// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QObject>

namespace berth::ui {

class Button;
class Composer;

//! "Run anyway" for a command of the user's own that the policy denies: beside the reason, below
//! which the command stands, until either changes. Nothing is run by keys or clicks that were meant
//! for what stood there before.
class RunAnyway final : public QObject
{
    Q_OBJECT
public:
    //! Adds its button to the error bar of \a composer, which outlives it.
    explicit RunAnyway(Composer &composer);

    //! What sending \a text ended with; anything but a denied command takes the offer back.
    void offer(const domain::Error &error, const QString &text, bool asCommand);
    void withdraw();

    [[nodiscard]] Button *button() const { return m_button; }

Q_SIGNALS:
    void requested(const QString &text, bool asCommand);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void accept();

    Composer &m_composer;
    Button *m_button;
    QString m_text;
    bool m_asCommand = false;
    QElapsedTimer m_offered;
};

} // namespace berth::ui
