// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QObject>

namespace berth::ui {

class ConversationModel;

//! Reads the end of what the open cards of a conversation show: at most twenty times a second, one
//! question at a time for each card, whatever the command writes.
class OutputFeed final : public QObject
{
    Q_OBJECT
public:
    //! As much as twelve rows may need.
    static constexpr qint64 kTail = 16 * 1024;

    OutputFeed(application::EngineClient &client, ConversationModel &model,
               QObject *parent = nullptr);

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void read();
    application::EngineClient &m_client;
    ConversationModel &m_model;
    QBasicTimer m_pause;
    bool m_due = false;
};

//! Puts a call's output on the clipboard, up to a bound.
class OutputCopy final : public QObject
{
    Q_OBJECT
public:
    static constexpr qint64 kMost = 1 << 20;

    explicit OutputCopy(application::EngineClient &client, QObject *parent = nullptr);
    void copy(const domain::ToolCallId &call);

Q_SIGNALS:
    //! \a text says what was copied.
    void copied(const berth::domain::ToolCallId &call, const QString &text);

private:
    application::EngineClient &m_client;
};

} // namespace berth::ui
