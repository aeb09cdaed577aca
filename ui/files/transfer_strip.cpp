// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/transfer_strip.h"

#include "ui/models/runtime_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QCoreApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

//! Beyond that the oldest of those that have ended give way.
constexpr int kMostRows = 6;

QString words(const char *text)
{
    return QCoreApplication::translate("berth::ui::TransferStrip", text);
}

} // namespace

//! How far along the edge of a row its work has come.
class ProgressLine final : public QWidget
{
public:
    explicit ProgressLine(QWidget *parent = nullptr) : QWidget(parent) { setFixedHeight(3); }
    //! Below 0: not known.
    void set(double fraction)
    {
        if (qFuzzyCompare(fraction + 2, m_fraction + 2))
            return;
        m_fraction = fraction;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const Tokens &colors = tokens(this);
        painter.fillRect(rect(), colors.lineSoft);
        const int filled =
            m_fraction < 0 ? width() / 4 : qRound(width() * qBound(0.0, m_fraction, 1.0));
        const int from = isRightToLeft() ? width() - filled : 0;
        painter.fillRect(QRect(from, 0, filled, height()), colors.accent);
    }

private:
    double m_fraction = -1;
};

struct TransferStrip::Row
{
    int id = 0;
    QWidget *widget = nullptr;
    ElidedLabel *text = nullptr;
    ProgressLine *line = nullptr;
    QList<Button *> buttons;
};

QString transferText(const TransferQueue::Item &item)
{
    using State = TransferQueue::State;
    const application::TransferProgress &progress = item.progress;
    switch (item.state) {
    case State::Waiting:
        return words("Waiting: %1").arg(item.title);
    case State::Running: {
        const QString verb = item.isUpload ? words("Uploading %1") : words("Downloading %1");
        const QString amount = progress.counting || progress.totalBytes <= 0
            ? byteText(progress.bytes)
            : words("%1 of %2").arg(byteText(progress.bytes), byteText(progress.totalBytes));
        return verb.arg(item.title) + QStringLiteral(" · ") + amount;
    }
    case State::Done: {
        const QString name = item.report.name.isEmpty() ? item.title : item.report.name;
        QString text = (item.isUpload ? words("Uploaded %1") : words("Downloaded %1")).arg(name)
            + QStringLiteral(" · ") + byteText(item.report.bytes);
        if (item.report.skippedCount > 0)
            text += QStringLiteral(" · ") + words("%1 left out").arg(item.report.skippedCount);
        return text;
    }
    case State::Cancelled:
        return words("Cancelled: %1. Nothing half written is left.").arg(item.title);
    case State::Failed:
        break;
    }
    const QString why = item.error ? item.error->message : QString();
    return words("%1 failed: %2").arg(item.title, why);
}

TransferStrip::TransferStrip(TransferQueue &queue, QWidget *parent)
    : QWidget(parent), m_queue(queue), m_column(new QVBoxLayout(this))
{
    setAccessibleName(tr("Transfers"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(8);
    connect(&queue, &TransferQueue::changed, this, &TransferStrip::refresh);
    connect(&queue, &TransferQueue::removed, this, &TransferStrip::remove);
    const QList<TransferQueue::Item> items = queue.items();
    for (const TransferQueue::Item &item : items)
        refresh(item.id);
    setVisible(!m_rows.isEmpty());
}

TransferStrip::~TransferStrip()
{
    qDeleteAll(m_rows);
}

TransferStrip::Row *TransferStrip::row(int id) const
{
    for (Row *candidate : m_rows) {
        if (candidate->id == id)
            return candidate;
    }
    return nullptr;
}

QString TransferStrip::textOf(int id) const
{
    const Row *of = row(id);
    return of ? of->text->fullText() : QString();
}

Button *TransferStrip::buttonOf(int id, int index) const
{
    const Row *of = row(id);
    return of ? of->buttons.value(index) : nullptr;
}

void TransferStrip::makeRoom()
{
    for (qsizetype at = 0; at < m_rows.size() && m_rows.size() > kMostRows;) {
        const TransferQueue::Item *item = m_queue.find(m_rows[at]->id);
        if (item && item->state == TransferQueue::State::Done)
            remove(item->id);
        else
            ++at;
    }
}

void TransferStrip::remove(int id)
{
    if (Row *of = row(id)) {
        m_rows.removeOne(of);
        // Asked for by one of its own buttons.
        of->widget->hide();
        of->widget->deleteLater();
        delete of;
    }
    setVisible(!m_rows.isEmpty());
}

void TransferStrip::refresh(int id)
{
    const TransferQueue::Item *item = m_queue.find(id);
    if (!item)
        return;
    Row *of = row(id);
    // A long queue shows in turn.
    if (!of && item->state == TransferQueue::State::Waiting)
        return;
    if (!of) {
        of = new Row;
        of->id = id;
        of->widget = new QWidget;
        of->text = new ElidedLabel;
        of->text->setElideMode(Qt::ElideMiddle);
        of->line = new ProgressLine;
        auto *column = new QVBoxLayout(of->widget);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(4);
        auto *line = new QHBoxLayout;
        line->setSpacing(8);
        line->addWidget(of->text, 1);
        for (int i = 0; i < 3; ++i) {
            auto *button = new Button(QString());
            line->addWidget(button);
            of->buttons << button;
        }
        column->addLayout(line);
        column->addWidget(of->line);
        using application::OnExisting;
        connect(of->buttons[0], &QPushButton::clicked, this,
                [this, id] { m_queue.retry(id, OnExisting::Replace); });
        connect(of->buttons[1], &QPushButton::clicked, this,
                [this, id] { m_queue.retry(id, OnExisting::KeepBoth); });
        connect(of->buttons[2], &QPushButton::clicked, this, [this, id] {
            const TransferQueue::Item *now = m_queue.find(id);
            if (!now)
                return;
            if (now->state == TransferQueue::State::Running
                || now->state == TransferQueue::State::Waiting)
                m_queue.cancel(id);
            else
                m_queue.dismiss(id);
        });
        m_rows << of;
        m_column->addWidget(of->widget);
        makeRoom();
    }
    const bool active = item->state == TransferQueue::State::Running
        || item->state == TransferQueue::State::Waiting;
    const bool taken = item->state == TransferQueue::State::Failed && item->error
        && item->error->kind == domain::ErrorKind::Conflict;
    of->text->setFullText(transferText(*item));
    of->text->setInk(item->state == TransferQueue::State::Failed ? Ink::Error : Ink::Secondary);
    of->text->setToolTip(item->error ? toolTipOf(item->error->detail) : QString());
    of->buttons[0]->setText(tr("Replace"));
    of->buttons[0]->setVisible(taken);
    of->buttons[1]->setText(tr("Keep both"));
    of->buttons[1]->setVisible(taken);
    of->buttons[2]->setText(active ? tr("Cancel") : tr("Dismiss"));
    of->line->setVisible(active);
    of->line->set(item->progress.totalBytes > 0 && !item->progress.counting
                      ? static_cast<double>(item->progress.bytes)
                          / static_cast<double>(item->progress.totalBytes)
                      : -1);
    setVisible(true);
}

} // namespace berth::ui
