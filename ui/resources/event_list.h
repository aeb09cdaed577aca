// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <QtWidgets/QWidget>

class QTableWidget;

namespace berth::ui {

class EmptyState;

//! What happened to one runtime, newest first, and who did it.
class EventList final : public QWidget
{
    Q_OBJECT
public:
    explicit EventList(application::EngineClient &client, QWidget *parent = nullptr);

    //! Empty: an orphan, of which nothing is recorded.
    void setRuntime(const QString &runtime);
    //! Reads them.
    void enter();
    [[nodiscard]] QTableWidget *table() const { return m_table; }

private:
    void take(const domain::Result<application::LeaseEventList> &events);

    application::EngineClient &m_client;
    QString m_runtime;
    int m_generation = 0;
    bool m_pending = false;
    //! Something happened while they were read.
    bool m_again = false;
    QTableWidget *m_table;
    EmptyState *m_empty;
};

//! "Paused", "Seen from outside", … for the type of a lease event.
QString eventText(const QString &type);
//! "the window", "a policy", … for its source.
QString sourceText(const QString &source);

} // namespace berth::ui
