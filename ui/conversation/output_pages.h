// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"
#include "ui/conversation/ansi_text.h"

#include <QtCore/QHash>
#include <QtCore/QObject>
#include <QtCore/QSet>

#include <memory>
#include <optional>
#include <vector>

namespace berth::ui {

//! A whole output as rows of text, of which only the pages near what is looked at are in memory.
//! Where a page was not read yet, its number of rows is estimated.
class OutputPages final : public QObject
{
    Q_OBJECT
public:
    static constexpr qint64 kPage = 32 * 1024;
    //! A line that crosses a page's end belongs to the page where it began, up to this length.
    static constexpr qint64 kOverlap = 4 * 1024;
    static constexpr int kMostPages = 24;

    struct Row
    {
        const AnsiLine *line = nullptr;
        const QList<SgrStyle> *styles = nullptr;
        qsizetype from = 0;
        qsizetype length = 0;
    };
    //! A row that stays the same when estimates change.
    struct Anchor
    {
        qint64 page = 0;
        qint64 row = 0;
    };

    OutputPages(application::EngineClient &client, QObject *parent = nullptr);
    ~OutputPages() override;

    void open(const domain::ToolCallId &call, qint64 total);
    void setTotal(qint64 total);
    //! Characters per row.
    void setColumns(int columns);
    [[nodiscard]] qint64 total() const { return m_total; }
    [[nodiscard]] qint64 rowCount() const { return m_rowCount; }
    [[nodiscard]] int loadedPages() const { return static_cast<int>(m_loaded.size()); }
    //! Row \a row where its page is there; asks for the page where not.
    [[nodiscard]] Row rowAt(qint64 row);
    [[nodiscard]] Anchor anchorAt(qint64 row) const;
    [[nodiscard]] qint64 rowOf(const Anchor &anchor) const;
    //! The row near line \a line of a page that holds \a text, else that line's; nullopt: the page
    //! is not there yet and was asked for.
    [[nodiscard]] std::optional<Anchor> find(qint64 page, qint64 line, const QString &text);
    //! Pages of these rows are kept, others may go.
    void setVisible(qint64 first, qint64 last);

Q_SIGNALS:
    //! Rows may have moved: rowOf() gives the new place of an anchor.
    void changed();
    void failed(const berth::domain::Error &error);

private:
    struct Piece
    {
        qsizetype line = 0;
        qsizetype from = 0;
        qsizetype length = 0;
    };
    struct Page
    {
        AnsiText text{1 << 16};
        std::vector<Piece> rows;
        qint64 readTo = 0;
        qint64 used = 0;
    };
    void request(qint64 page);
    void take(qint64 page, const application::OutputChunk &chunk, qint64 from);
    void wrap(Page &page) const;
    void recount();
    void trim();
    [[nodiscard]] qint64 estimate(qint64 page) const;
    [[nodiscard]] qint64 pageCount() const { return static_cast<qint64>(m_rows.size()); }

    application::EngineClient &m_client;
    domain::ToolCallId m_call;
    qint64 m_total = 0;
    int m_columns = 80;
    //! Of each page; exact for those that were read once at these columns.
    std::vector<qint32> m_rows;
    std::vector<bool> m_exact;
    qint64 m_rowCount = 0;
    qint64 m_firstVisible = 0;
    qint64 m_lastVisible = 0;
    qint64 m_clock = 0;
    QHash<qint64, std::shared_ptr<Page>> m_loaded;
    QSet<qint64> m_asked;
};

} // namespace berth::ui
