// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/output_pages.h"

#include <QtWidgets/QAbstractScrollArea>

#include <limits>
#include <optional>

class QTextLine;

namespace berth::ui {

//! A whole output to scroll through, of any size, with bounded memory.
class OutputView final : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit OutputView(application::EngineClient &client, QWidget *parent = nullptr);

    void open(const domain::ToolCallId &call, qint64 total);
    //! It grew; stays at the end when it is there.
    void setTotal(qint64 total);
    [[nodiscard]] OutputPages *pages() const { return m_pages; }
    [[nodiscard]] qint64 firstRow() const;
    static constexpr qint64 kLastLine = std::numeric_limits<qint32>::max();
    //! Shows line \a line of a page, of which the one near it with the text of setFound() is meant.
    void goToLine(qint64 page, qint64 line);
    //! Is marked wherever it is seen; empty: nothing.
    void setFound(const QString &text);
    [[nodiscard]] const QString &found() const { return m_found; }
    //! What is seen now, for copying and tests.
    [[nodiscard]] QString visibleRows();

Q_SIGNALS:
    void failed(const berth::domain::Error &error);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void measure();
    void onChanged();
    void paintFound(QPainter &painter, const QString &row, const QTextLine &line, double top) const;
    [[nodiscard]] int rowsPerPage() const;

    OutputPages *m_pages;
    OutputPages::Anchor m_top;
    //! Page and line that are shown once they are there.
    std::optional<std::pair<qint64, qint64>> m_wanted;
    QString m_found;
    QFont m_font;
    int m_rowHeight = 18;
    bool m_atEnd = false;
    bool m_adjusting = false;
};

} // namespace berth::ui
