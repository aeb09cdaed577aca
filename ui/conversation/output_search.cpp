// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_search.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/conversation/output_view.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

#include <QtCore/QLocale>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QToolButton>

namespace berth::ui {

using application::OutputChunk;

namespace {

constexpr qint64 kChunk = 1 << 20;

} // namespace

OutputSearch::OutputSearch(application::EngineClient &client, OutputView *view, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_view(view),
      m_field(new QLineEdit),
      m_count(new Label(TextRole::Caption, Ink::Secondary)),
      m_up(new IconButton(Glyph::ChevronUp, tr("Previous match (Shift+Return)"))),
      m_down(new IconButton(Glyph::ChevronDown, tr("Next match (Return)")))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(24, 8, 24, 8);
    row->setSpacing(8);
    m_field->setPlaceholderText(tr("Find in this output"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_field->setClearButtonEnabled(true);
    if (auto *clear = m_field->findChild<QToolButton *>())
        clear->setAccessibleName(tr("Clear the text"));
    m_field->installEventFilter(this);
    auto *end = new IconButton(Glyph::Close, tr("Close the search (Esc)"));
    row->addWidget(m_field, 1);
    row->addWidget(m_count);
    row->addWidget(m_up);
    row->addWidget(m_down);
    row->addWidget(end);
    connect(m_field, &QLineEdit::textChanged, this, &OutputSearch::restart);
    connect(m_up, &QToolButton::clicked, this, &OutputSearch::previous);
    connect(m_down, &QToolButton::clicked, this, &OutputSearch::next);
    connect(end, &QToolButton::clicked, this, &OutputSearch::close);
    hide();
    showCount();
}

void OutputSearch::setOutput(const domain::ToolCallId &call, qint64 total)
{
    const bool other = call != m_call || total < m_total;
    m_call = call;
    m_total = total;
    if (!isOpen())
        return;
    if (other)
        restart();
    else if (!m_reading)
        readOn();
}

void OutputSearch::open()
{
    show();
    m_field->setFocus();
    m_field->selectAll();
    restart();
}

void OutputSearch::close()
{
    ++m_generation;
    m_reading = false;
    m_matches.clear();
    m_current = -1;
    hide();
    m_view->setFound({});
    m_view->setFocus();
}

void OutputSearch::restart()
{
    ++m_generation;
    m_reading = false;
    m_needle = m_field->text().toUtf8().toLower();
    m_matches.clear();
    m_current = -1;
    m_readTo = 0;
    m_rest.clear();
    m_lines = 0;
    m_page = 0;
    m_pageBeginsLine = true;
    m_view->setFound(m_field->text());
    readOn();
    showCount();
}

void OutputSearch::readOn()
{
    if (m_needle.isEmpty() || m_readTo >= m_total || m_call.isNull()
        || matchCount() >= kMostMatches)
        return;
    m_reading = true;
    application::ReadOutput command;
    command.toolCall = m_call;
    command.offset = m_readTo;
    command.limit = kChunk;
    application::deliver(
        this, m_client, command,
        [this, generation = m_generation](const domain::Result<OutputChunk> &chunk) {
            if (generation != m_generation)
                return;
            m_reading = false;
            if (chunk)
                take(*chunk);
            else
                Q_EMIT failed(chunk.error());
            showCount();
        });
}

void OutputSearch::take(const OutputChunk &chunk)
{
    m_total = qMax(m_total, chunk.total);
    if (chunk.bytes.isEmpty())
        return;
    const bool none = m_matches.empty();
    const QByteArray bytes = m_rest + chunk.bytes.toLower();
    const qsizetype foundTo = look(bytes, m_readTo - m_rest.size());
    m_readTo += chunk.bytes.size();
    // A match may cross the border; what was found is not found again.
    m_rest = bytes.mid(qMax(foundTo, bytes.size() - m_needle.size() + 1));
    if (none && !m_matches.empty())
        stand(0);
    readOn();
}

//! \a from: where \a bytes begins; its first m_rest.size() bytes were counted before. Answers where
//! the last match ends.
qsizetype OutputSearch::look(const QByteArray &bytes, qint64 from)
{
    const qsizetype known = m_rest.size();
    std::vector<qsizetype> found;
    for (qsizetype at = bytes.indexOf(m_needle); at >= 0;
         at = bytes.indexOf(m_needle, at + m_needle.size())) {
        if (static_cast<qsizetype>(found.size()) + matchCount() >= kMostMatches)
            break;
        found.push_back(at);
    }
    // A match that begins in the rest belongs to lines that were counted already.
    size_t nextMatch = 0;
    const auto note = [&](qsizetype at) {
        while (nextMatch < found.size() && found[nextMatch] <= at) {
            m_matches.push_back({from + found[nextMatch], m_lines, m_pageBeginsLine});
            ++nextMatch;
        }
    };
    if (known > 0)
        note(known - 1);
    for (qsizetype at = known; at < bytes.size(); ++at) {
        const qint64 offset = from + at;
        if (offset / OutputPages::kPage != m_page) {
            m_page = offset / OutputPages::kPage;
            m_lines = 0;
            m_pageBeginsLine = at > 0 && bytes.at(at - 1) == '\n';
        }
        note(at);
        if (bytes.at(at) == '\n')
            ++m_lines;
    }
    return found.empty() ? 0 : found.back() + m_needle.size();
}

void OutputSearch::next()
{
    if (!m_matches.empty())
        stand((m_current + 1) % matchCount());
}

void OutputSearch::previous()
{
    if (!m_matches.empty())
        stand((m_current + matchCount() - 1) % matchCount());
}

void OutputSearch::stand(qsizetype match)
{
    m_current = match;
    const Match &found = m_matches[static_cast<size_t>(match)];
    // What stands before the first line break of a page belongs to the page before.
    const qint64 line = found.linesIntoPage - (found.pageBeginsLine ? 0 : 1);
    const qint64 page = found.offset / OutputPages::kPage;
    if (line < 0 && page > 0)
        m_view->goToLine(page - 1, OutputView::kLastLine);
    else
        m_view->goToLine(page, qMax<qint64>(0, line));
    showCount();
}

void OutputSearch::showCount()
{
    const QLocale locale;
    const QString more = matchCount() >= kMostMatches ? QStringLiteral("+") : QString();
    if (m_needle.isEmpty())
        m_count->setText({});
    else if (m_matches.empty())
        m_count->setText(m_reading ? tr("Looking…") : tr("Not found"));
    else
        m_count->setText(
            tr("%1 of %2")
                .arg(locale.toString(m_current + 1), locale.toString(matchCount()) + more));
    m_up->setEnabled(matchCount() > 1);
    m_down->setEnabled(matchCount() > 1);
}

bool OutputSearch::eventFilter(QObject *watched, QEvent *event)
{
    // Esc closes this first, not what is behind it.
    if (watched == m_field && event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers().testFlag(Qt::ShiftModifier))
                previous();
            else
                next();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void OutputSearch::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace berth::ui
