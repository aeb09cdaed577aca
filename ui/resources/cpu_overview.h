// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/resources/series_paint.h"
#include "ui/widgets/card.h"

#include <QtCore/QStringList>

namespace berth::ui {

class RuntimeModel;

//! Cores in use over all runtimes, one line per provider, for the last fifteen minutes as far as
//! they were sampled.
class CpuOverview final : public Card
{
    Q_OBJECT
public:
    explicit CpuOverview(const RuntimeModel &runtimes, QWidget *parent = nullptr);

    //! Works the lines out anew; call it at most once a second.
    void refresh(const QDateTime &now);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    struct Line
    {
        QString label;
        QList<SampleHistory::Segment> segments;
    };
    [[nodiscard]] const QList<Line> &lines() const { return m_lines; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const RuntimeModel &m_runtimes;
    QList<Line> m_lines;
    TimeRange m_range;
};

} // namespace berth::ui
