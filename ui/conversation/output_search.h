// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "domain/id.h"
#include "ui/conversation/find_bar.h"

#include <vector>

namespace berth::application {
class EngineClient;
struct OutputChunk;
} // namespace berth::application

namespace berth::ui {

class OutputView;

//! Above a whole output: looks for text in all of it, also in what is not in memory, and goes from
//! match to match. Big and small letters are the same; a match does not cross a colour change.
class OutputSearch final : public FindBar
{
    Q_OBJECT
public:
    //! More are not told apart.
    static constexpr qsizetype kMostMatches = 100'000;

    OutputSearch(application::EngineClient &client, OutputView *view, QWidget *parent = nullptr);

    //! What is looked through from now on; nothing is asked before open().
    void setOutput(const domain::ToolCallId &call, qint64 total);
    void open();
    void close() override;
    void next() override;
    void previous() override;
    [[nodiscard]] qsizetype matchCount() const { return qsizetype(m_matches.size()); }
    //! From 0; -1 without matches.
    [[nodiscard]] qsizetype currentMatch() const { return m_current; }
    [[nodiscard]] bool isReading() const { return m_reading; }

Q_SIGNALS:
    void failed(const berth::domain::Error &error);

private:
    struct Match
    {
        qint64 offset = 0;
        //! Line breaks between the start of its page and the match.
        qint64 linesIntoPage = 0;
        //! The byte before its page ends a line.
        bool pageBeginsLine = true;
    };
    void restart();
    void readOn();
    void take(const application::OutputChunk &chunk);
    qsizetype look(const QByteArray &bytes, qint64 from);
    void stand(qsizetype match);
    void tellCount();

    application::EngineClient &m_client;
    OutputView *m_view;
    domain::ToolCallId m_call;
    qint64 m_total = 0;
    QByteArray m_needle;
    std::vector<Match> m_matches;
    qsizetype m_current = -1;
    //! Read so far; what is left of it for a match that crosses the border.
    qint64 m_readTo = 0;
    QByteArray m_rest;
    qint64 m_lines = 0;
    qint64 m_page = 0;
    bool m_pageBeginsLine = true;
    bool m_reading = false;
    int m_generation = 0;
};

} // namespace berth::ui
