// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/conversation/composer.h"

#include "ui/style/type_scale.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/spinner.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QFile>
#include <QtCore/QMimeData>
#include <QtCore/QTimer>
#include <QtCore/QUrl>
#include <QtGui/QAbstractTextDocumentLayout>
#include <QtGui/QDragEnterEvent>
#include <QtGui/QKeyEvent>
#include <QtGui/QTextBlock>
#include <QtGui/QTextDocument>
#include <QtGui/QTextLayout>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

ComposerEdit::ComposerEdit(QWidget *parent) : QPlainTextEdit(parent)
{
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(4);
    setAccessibleName(tr("Message"));
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        applyFont();
        fit();
    });
    fit();
}

void ComposerEdit::setRows(int least, int most)
{
    m_least = least;
    m_most = most;
    fit();
}

void ComposerEdit::applyFont()
{
    // A command looks like one.
    const bool command = document()->firstBlock().text().startsWith(QLatin1Char('!'));
    const QFont wanted = fontFor(command ? TextRole::Mono : TextRole::Body);
    if (font() != wanted)
        setFont(wanted);
}

void ComposerEdit::fit()
{
    int rows = 0;
    for (QTextBlock block = document()->begin(); block.isValid() && rows < m_most;
         block = block.next())
        rows += qMax(1, block.layout() ? block.layout()->lineCount() : 1);
    const int row = qRound(QFontMetricsF(fontFor(TextRole::Body)).lineSpacing()) + 2;
    const int height = qBound(m_least, rows, m_most) * row + 10;
    setVerticalScrollBarPolicy(rows >= m_most ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    if (height != minimumHeight())
        setFixedHeight(height);
}

void ComposerEdit::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        const bool control = event->modifiers().testFlag(Qt::ControlModifier);
        const bool plain = !event->modifiers().testFlag(Qt::ShiftModifier);
        if (control || (m_enterSends && plain)) {
            Q_EMIT sendPressed();
            return;
        }
    }
    QPlainTextEdit::keyPressEvent(event);
}

void ComposerEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    fit();
}

void ComposerEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        applyFont();
        fit();
    }
}

void ComposerEdit::focusInEvent(QFocusEvent *event)
{
    QPlainTextEdit::focusInEvent(event);
    Q_EMIT focusChanged(true);
}

void ComposerEdit::focusOutEvent(QFocusEvent *event)
{
    QPlainTextEdit::focusOutEvent(event);
    Q_EMIT focusChanged(false);
}

QList<QByteArray> ComposerEdit::filesIn(const QMimeData *source)
{
    QList<QByteArray> paths;
    const QList<QUrl> urls = source->urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            paths.append(QFile::encodeName(url.toLocalFile()));
    }
    return paths;
}

bool ComposerEdit::canInsertFromMimeData(const QMimeData *source) const
{
    return QPlainTextEdit::canInsertFromMimeData(source)
        || (m_takesFiles && !filesIn(source).isEmpty());
}

void ComposerEdit::insertFromMimeData(const QMimeData *source)
{
    if (const QList<QByteArray> files = filesIn(source); m_takesFiles && !files.isEmpty()) {
        Q_EMIT filesGiven(files);
        return;
    }
    if (source->hasText())
        insertPlainText(source->text());
}

Composer::Composer(const QString &sendText, QWidget *parent)
    : Card(parent),
      m_edit(new ComposerEdit),
      m_draftBar(new Banner(Tone::Info)),
      m_connect(m_draftBar->addAction(tr("Connect a model"))),
      m_run(m_draftBar->addAction(tr("Run as command"))),
      m_editBar(new Banner(Tone::Info)),
      m_errorBar(new Banner(Tone::Error)),
      m_confirmBar(new Banner(Tone::Warn)),
      m_keep(m_confirmBar->addAction(tr("Do not run"))),
      m_allow(m_confirmBar->addAction(tr("Run in this thread"))),
      m_row(new QHBoxLayout),
      m_attach(new IconButton(Glyph::Plus, tr("Attach files"))),
      m_hint(new Label(TextRole::Caption, Ink::Caption)),
      m_usage(new Label(TextRole::Caption, Ink::Caption)),
      m_modelName(new Label(TextRole::Caption, Ink::Caption)),
      m_spinner(new Spinner),
      m_stop(new Button(tr("Stop"), ButtonKind::Danger)),
      m_send(new Button(sendText, ButtonKind::Primary))
{
    setRadius(14);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(11, 10, 11, 10);
    column->setSpacing(8);
    m_editBar->setText(tr("Editing an earlier message"),
                       tr("It is sent in place of that one. What followed stays readable, but the "
                          "agent no longer sees it."));
    connect(m_editBar->addAction(tr("Do not edit")), &QPushButton::clicked, this,
            &Composer::editingCancelled);
    m_editBar->hide();
    column->addWidget(m_editBar);
    column->addWidget(m_edit);
    m_draftBar->setText(
        tr("No model is connected"),
        tr("The text stays here as a draft. Only a line that starts with ! runs by itself."));
    m_draftBar->hide();
    m_errorBar->hide();
    column->addWidget(m_draftBar);
    column->addWidget(m_errorBar);
    m_confirmBar->hide();
    column->addWidget(m_confirmBar);
    m_row->setSpacing(8);
    m_attach->hide();
    m_row->addWidget(m_attach);
    m_modelName->hide();
    m_row->addWidget(m_modelName);
    m_row->addWidget(m_hint);
    m_row->addStretch(1);
    m_usage->setAccessibleName(tr("Tokens and cost of this thread"));
    m_usage->hide();
    m_row->addWidget(m_usage);
    m_spinner->hide();
    m_row->addWidget(m_spinner);
    m_stop->setGlyph(Glyph::Stop);
    m_stop->setToolTip(tr("Stop what runs (Esc)"));
    m_stop->hide();
    m_row->addWidget(m_stop);
    m_send->setGlyph(Glyph::Send);
    m_send->setToolTip(tr("Ctrl+Return"));
    m_row->addWidget(m_send);
    column->addLayout(m_row);

    connect(m_edit, &QPlainTextEdit::textChanged, this, &Composer::onTextChanged);
    connect(m_edit, &ComposerEdit::sendPressed, this, &Composer::submit);
    connect(m_edit, &ComposerEdit::focusChanged, this, &Card::setFocusFrame);
    // Later: while a drop is under way the text counts as edited, and an answer would go with that.
    connect(m_edit, &ComposerEdit::filesGiven, this, &Composer::filesGiven, Qt::QueuedConnection);
    connect(m_attach, &QToolButton::clicked, this, &Composer::attachRequested);
    connect(m_send, &QPushButton::clicked, this, &Composer::submit);
    connect(m_stop, &QPushButton::clicked, this, &Composer::stopRequested);
    connect(m_connect, &QPushButton::clicked, this, &Composer::connectModelRequested);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (!m_busy && !isEmpty() && !isBlocked(true))
            send(true);
    });
    connect(m_keep, &QPushButton::clicked, this, [this] {
        m_confirmBar->hide();
        m_edit->setFocus();
    });
    connect(m_allow, &QPushButton::clicked, this, [this] {
        m_confirmation.clear();
        m_confirmBar->hide();
        if (m_busy || isEmpty() || isBlocked(m_askedAsCommand || isCommand()))
            return;
        Q_EMIT confirmed();
        Q_EMIT submitted(text(), m_askedAsCommand);
    });
    setFocusProxy(m_edit);
    refresh();
}

QString Composer::text() const
{
    QString text = m_edit->toPlainText();
    while (!text.isEmpty() && text.back().isSpace())
        text.chop(1);
    return text;
}

void Composer::setText(const QString &text)
{
    if (m_edit->toPlainText() == text)
        return;
    m_setting = true;
    m_edit->setPlainText(text);
    m_edit->moveCursor(QTextCursor::End);
    m_setting = false;
    m_draftBar->hide();
    m_errorBar->hide();
    m_confirmBar->hide();
    refresh();
}

void Composer::clear()
{
    setText({});
}

void Composer::setHasModel(bool hasModel)
{
    m_hasModel = hasModel;
    if (hasModel)
        m_draftBar->hide();
}

void Composer::setPlaceholder(const QString &text)
{
    m_edit->setPlaceholderText(text);
}

void Composer::setRows(int least, int most)
{
    m_edit->setRows(least, most);
}

void Composer::setEnterSends(bool on)
{
    m_edit->setEnterSends(on);
    m_send->setToolTip(on ? tr("Return") : tr("Ctrl+Return"));
}

void Composer::setLeading(QWidget *widget)
{
    m_row->insertWidget(0, widget);
}

void Composer::setAttachments(QWidget *widget)
{
    auto *column = static_cast<QVBoxLayout *>(layout());
    column->insertWidget(column->indexOf(m_edit), widget);
    m_edit->setTakesFiles(true);
    setAcceptDrops(true);
    m_attach->show();
}

void Composer::setAttachRefusal(const QString &reason)
{
    m_attach->setEnabled(reason.isEmpty());
    m_attach->setToolTip(reason.isEmpty() ? tr("Attach files") : toolTipOf(reason));
}

void Composer::dragEnterEvent(QDragEnterEvent *event)
{
    if (!m_busy && !ComposerEdit::filesIn(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void Composer::dropEvent(QDropEvent *event)
{
    const QList<QByteArray> files = ComposerEdit::filesIn(event->mimeData());
    if (files.isEmpty())
        return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    Q_EMIT filesGiven(files);
}

void Composer::setStoppable(bool stoppable)
{
    m_stoppable = stoppable;
    if (!stoppable)
        setStopping(false);
    refresh();
}

void Composer::setStopping(bool stopping)
{
    m_stop->setEnabled(!stopping);
    m_stop->setText(stopping ? tr("Stopping…") : tr("Stop"));
}

void Composer::setBusy(bool busy)
{
    m_busy = busy;
    m_edit->setReadOnly(busy);
    if (busy) {
        // Shorter work needs no sign.
        QTimer::singleShot(300, this, [this] { m_spinner->setVisible(m_busy); });
    } else {
        m_spinner->hide();
    }
    refresh();
}

void Composer::setBlocked(const QString &reason, bool commands)
{
    m_blocked = reason;
    m_blocksCommands = commands;
    refresh();
}

void Composer::showError(const domain::Error &error)
{
    m_draftBar->hide();
    m_errorBar->setText(error.message, error.detail);
    m_errorBar->show();
}

void Composer::setEditing(bool editing)
{
    m_editing = editing;
    m_editBar->setVisible(editing);
}

void Composer::setUsage(const QString &text, const QString &detail)
{
    m_usage->setText(text);
    m_usage->setToolTip(toolTipOf(detail));
    m_usage->setAccessibleDescription(detail);
    m_usage->setVisible(!text.isEmpty());
}

void Composer::setModelName(const QString &name)
{
    m_modelName->setText(name);
    m_modelName->setVisible(!name.isEmpty());
}

bool Composer::isCommand() const
{
    return m_edit->document()->firstBlock().text().startsWith(QLatin1Char('!'));
}

bool Composer::isBlocked(bool asCommand) const
{
    return !m_blocked.isEmpty() && (m_blocksCommands || !asCommand);
}

bool Composer::isEmpty() const
{
    const QString written = text();
    return written.trimmed().isEmpty() || (isCommand() && written.mid(1).trimmed().isEmpty());
}

void Composer::submit()
{
    if (m_busy || isEmpty() || isBlocked(isCommand()))
        return;
    m_errorBar->hide();
    if (!isCommand() && !m_hasModel) {
        m_draftBar->show();
        return;
    }
    send(false);
}

void Composer::send(bool asCommand)
{
    if (!m_confirmation.isEmpty() && (asCommand || isCommand())) {
        m_askedAsCommand = asCommand;
        m_draftBar->hide();
        m_confirmBar->setText(m_confirmation,
                              tr("Commands of this thread run on this machine itself, as you. "
                                 "Asked once for each thread."));
        m_confirmBar->show();
        // Return means the safe one.
        m_keep->setFocus(Qt::OtherFocusReason);
        return;
    }
    Q_EMIT submitted(text(), asCommand);
}

void Composer::setConfirmation(const QString &words)
{
    m_confirmation = words;
    if (words.isEmpty())
        m_confirmBar->hide();
}

void Composer::onTextChanged()
{
    if (m_setting)
        return;
    m_errorBar->hide();
    // What was asked about is not what stands there now.
    m_confirmBar->hide();
    if (isCommand() || isEmpty())
        m_draftBar->hide();
    refresh();
    Q_EMIT textEdited(m_edit->toPlainText());
}

void Composer::refresh()
{
    const bool can = !m_busy && !isEmpty();
    const bool blocked = isBlocked(isCommand());
    m_stop->setVisible(m_stoppable);
    m_send->setVisible(!m_stoppable || !isEmpty());
    m_send->setEnabled(can && !blocked);
    m_run->setEnabled(can && !isBlocked(true));
    m_hint->setText(m_blocked);
    m_hint->setVisible(blocked);
}

} // namespace berth::ui
