// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/output_viewer.h"

#include "application/engine_client.h"
#include "ui/conversation/output_search.h"
#include "ui/conversation/output_view.h"
#include "ui/models/thread_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"

#include <QtCore/QFileInfo>
#include <QtCore/QSaveFile>
#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtGui/QShortcut>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::OutputChunk;
using application::ReadOutput;

namespace {

//! The strip above the text.
class Strip final : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), tokens(this).panel);
        painter.fillRect(QRect(0, height() - 1, width(), 1), tokens(this).line);
    }
};

} // namespace

OutputViewer::OutputViewer(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_back(new Button(tr("Back"), ButtonKind::Secondary)),
      m_command(new ElidedLabel(TextRole::Mono)),
      m_outcome(new Chip),
      m_size(new Label(TextRole::Caption, Ink::Caption)),
      m_save(new Button(tr("Save to file…"))),
      m_banner(new Banner(Tone::Error)),
      m_view(new OutputView(client)),
      m_search(new OutputSearch(client, m_view))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *strip = new Strip;
    auto *row = new QHBoxLayout(strip);
    row->setContentsMargins(24, 8, 24, 9);
    row->setSpacing(12);
    m_back->setToolTip(tr("Back to the conversation (Esc)"));
    m_save->setGlyph(Glyph::Save);
    row->addWidget(m_back);
    row->addWidget(m_command, 1);
    row->addWidget(m_outcome);
    row->addWidget(m_size);
    row->addWidget(m_save);
    column->addWidget(strip);
    m_banner->setFlat(true);
    m_banner->hide();
    column->addWidget(m_banner);
    column->addWidget(m_search);
    column->addWidget(m_view, 1);
    connect(m_back, &QPushButton::clicked, this, &OutputViewer::closed);
    connect(m_save, &QPushButton::clicked, this, &OutputViewer::chooseFile);
    const auto addShortcut = [this](const QKeySequence &keys, void (OutputViewer::*what)()) {
        auto *shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, what);
    };
    addShortcut(QKeySequence::Find, &OutputViewer::find);
    addShortcut(Qt::Key_F3, &OutputViewer::findNext);
    addShortcut(Qt::SHIFT | Qt::Key_F3, &OutputViewer::findPrevious);
    const auto tell = [this](const domain::Error &error) {
        m_banner->setTone(Tone::Error);
        m_banner->setText(error.message, error.detail);
        m_banner->show();
    };
    connect(m_view, &OutputView::failed, this, tell);
    connect(m_search, &OutputSearch::failed, this, tell);
}

OutputViewer::~OutputViewer() = default;

void OutputViewer::open(const application::ToolCallView &call)
{
    m_call = call;
    m_banner->hide();
    QString command = visibleText(call.command);
    m_command->setFullText(command.replace(QLatin1Char('\n'), QStringLiteral(" ⏎ ")));
    showState();
    m_search->close();
    m_search->setOutput(call.id, call.outputBytes);
    m_view->open(call.id, call.outputBytes);
    m_view->setFocus();
}

void OutputViewer::update(const application::ToolCallView &call)
{
    if (call.id != m_call.id)
        return;
    m_call = call;
    showState();
    m_view->setTotal(call.outputBytes);
    m_search->setOutput(call.id, call.outputBytes);
}

void OutputViewer::find()
{
    m_search->open();
}

void OutputViewer::findNext()
{
    if (m_search->isOpen())
        m_search->next();
    else
        m_search->open();
}

void OutputViewer::findPrevious()
{
    if (m_search->isOpen())
        m_search->previous();
    else
        m_search->open();
}

void OutputViewer::showState()
{
    const StateText outcome = outcomeOf(m_call);
    m_outcome->set(outcome.word, outcome.tone, outcome.dot);
    m_size->setText(byteText(m_call.outputBytes));
}

void OutputViewer::chooseFile()
{
    auto *dialog = new QFileDialog(this, tr("Save the output"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(QStringLiteral("output.txt"));
    connect(dialog, &QFileDialog::fileSelected, this, &OutputViewer::saveTo);
    dialog->open();
}

void OutputViewer::saveTo(const QString &path)
{
    m_file = std::make_unique<QSaveFile>(path);
    if (!m_file->open(QIODevice::WriteOnly)) {
        endSaving(tr("The file cannot be written"), m_file->errorString(), false);
        return;
    }
    m_saving = m_call.id;
    m_savedBytes = 0;
    m_save->setEnabled(false);
    saveNext();
}

void OutputViewer::saveNext()
{
    ReadOutput command;
    command.toolCall = m_saving;
    command.offset = m_savedBytes;
    command.limit = 1 << 20;
    application::deliver(this, m_client, command, [this](const domain::Result<OutputChunk> &chunk) {
        if (!m_file)
            return;
        if (!chunk) {
            endSaving(chunk.error().message, chunk.error().detail, false);
            return;
        }
        if (m_file->write(chunk->bytes) != chunk->bytes.size()) {
            endSaving(tr("The file cannot be written"), m_file->errorString(), false);
            return;
        }
        m_savedBytes += chunk->bytes.size();
        if (m_savedBytes < chunk->total && !chunk->bytes.isEmpty()) {
            m_save->setText(
                tr("Saving %1 of %2…").arg(byteText(m_savedBytes), byteText(chunk->total)));
            saveNext();
            return;
        }
        const QString path = m_file->fileName();
        if (!m_file->commit()) {
            endSaving(tr("The file cannot be written"), m_file->errorString(), false);
            return;
        }
        endSaving(tr("Saved as %1").arg(QFileInfo(path).fileName()), path, true);
        Q_EMIT saved(path);
    });
}

void OutputViewer::endSaving(const QString &title, const QString &detail, bool ok)
{
    m_file.reset();
    m_save->setEnabled(true);
    m_save->setText(tr("Save to file…"));
    m_banner->setTone(ok ? Tone::Ok : Tone::Error);
    m_banner->setText(title, detail);
    m_banner->show();
}

void OutputViewer::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT closed();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace berth::ui
