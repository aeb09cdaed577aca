// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"

#include <QtCore/QObject>

namespace berth::ui {

//! The runs of one thread: whether one is under way, why one does not go on, and what they used.
class ThreadRuns final : public QObject
{
    Q_OBJECT
public:
    explicit ThreadRuns(QObject *parent = nullptr);

    void clear();
    void set(const application::ThreadDetail &detail);
    void apply(const application::Event &event);

    //! A run is queued, works or waits.
    [[nodiscard]] bool isActive() const;
    //! Why the last run does not go on by itself, or when it will; kind empty: nothing to say.
    [[nodiscard]] const application::RunNotice &notice() const { return m_notice; }
    //! "12.4k tokens · $0.03" of all runs; empty: not known.
    [[nodiscard]] QString usageText() const;
    //! The same in more words, with what is in the model's context.
    [[nodiscard]] QString usageDetail() const;

Q_SIGNALS:
    void changed();

private:
    void noteLast();

    domain::ThreadId m_thread;
    QList<application::RunView> m_runs;
    application::RunNotice m_notice;
};

//! "950", "12.4k", "1.2M"
QString tokensText(qint64 tokens);
//! "$0.03", "¥1.20", "0.03 CHF"
QString costText(double cost, const QString &currency);

} // namespace berth::ui
