// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/export_strip.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/runtime_text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtCore/QFileInfo>
#include <QtWidgets/QFileDialog>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ExportFormat;
using application::ExportReport;
using application::ThreadExport;

namespace {

//! What a file may be called anywhere.
QString fileNameFor(const QString &title, ExportFormat format)
{
    QString name;
    for (const QChar c : visibleText(title.simplified().left(60)))
        name += c.isLetterOrNumber() || QStringView(u"-_ .").contains(c) ? c : QChar(u'_');
    while (name.startsWith(QLatin1Char('.')))
        name.remove(0, 1);
    if (name.trimmed().isEmpty())
        name = QStringLiteral("thread");
    return name.trimmed()
        + (format == ExportFormat::Json ? QStringLiteral(".json") : QStringLiteral(".md"));
}

} // namespace

ExportStrip::ExportStrip(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_banner(new Banner(Tone::Info)),
      m_button(m_banner->addAction(tr("Cancel")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_banner->setFlat(true);
    column->addWidget(m_banner);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_work)
            m_work->cancel();
        else
            hide();
    });
    hide();
}

ExportStrip::~ExportStrip() = default;

void ExportStrip::choose(const domain::ThreadId &thread, const QString &title, ExportFormat format)
{
    auto *dialog = new QFileDialog(this, tr("Export this thread"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(format == ExportFormat::Json ? QStringLiteral("json")
                                                          : QStringLiteral("md"));
    dialog->selectFile(fileNameFor(title, format));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, thread, format](const QString &path) { start(thread, format, path); });
    dialog->open();
}

void ExportStrip::start(const domain::ThreadId &thread, ExportFormat format, const QString &path)
{
    if (m_work)
        return;
    m_work = new ThreadExport(m_client, this);
    connect(m_work, &ThreadExport::progress, this, [this](qsizetype done, qsizetype total) {
        m_banner->setText(tr("Exporting: %1 of %2").arg(done).arg(total));
    });
    connect(m_work, &ThreadExport::finished, this,
            [this, path](const domain::Result<ExportReport> &result) { end(path, result); });
    m_banner->setTone(Tone::Info);
    m_banner->setText(tr("Exporting…"));
    m_button->setText(tr("Cancel"));
    show();
    application::ExportRequest request;
    request.thread = thread;
    request.format = format;
    m_work->toFile(request, path);
}

void ExportStrip::end(const QString &path, const domain::Result<ExportReport> &result)
{
    // Not inside its own signal.
    std::exchange(m_work, nullptr)->deleteLater();
    m_button->setText(tr("Close"));
    if (!result) {
        m_banner->setTone(Tone::Error);
        m_banner->setText(result.error().message, result.error().detail);
        return;
    }
    QString detail = path;
    if (result->leftOut > 0)
        detail = tr("%1. Of long outputs %2 were left out; what was left out is said in the file.")
                     .arg(path, byteText(result->leftOut));
    m_banner->setTone(Tone::Ok);
    m_banner->setText(tr("Exported as %1").arg(QFileInfo(path).fileName()), detail);
}

} // namespace berth::ui
