// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/terminal/terminal_pane.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/process_text.h"
#include "ui/terminal/terminal_search.h"
#include "ui/terminal/terminal_view.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"

#include <QtCore/QUrl>
#include <QtGui/QDesktopServices>
#include <QtGui/QKeyEvent>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProcessState;
using application::ProcessView;

namespace {
//! Of what is to be pasted so much is shown.
constexpr int kPreviewLines = 4;
constexpr int kPreviewLength = 80;
} // namespace

TerminalPane::TerminalPane(TerminalSession *session, QWidget *parent)
    : QWidget(parent), m_session(session), m_view(new TerminalView), m_search(nullptr)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    buildBars(column);
    column->addWidget(m_view, 1);
    m_search = new TerminalSearch(m_view);
    column->addWidget(m_search);
    setFocusProxy(m_view);

    m_view->setScreen(&session->screen());
    connect(session, &TerminalSession::framed, m_view, &TerminalView::refresh);
    connect(session, &TerminalSession::framed, m_search, &TerminalSearch::refreshSoon);
    connect(session, &TerminalSession::processChanged, this, &TerminalPane::showState);
    connect(session, &TerminalSession::failed, this, &TerminalPane::showFailure);
    connect(session, &TerminalSession::recovered, m_failure, &QWidget::hide);
    connect(&session->screen(), &TerminalScreen::titleChanged, this, &TerminalPane::titleChanged);
    connect(m_view, &TerminalView::sizeRested, this, [this](const QSize &cells) {
        if (m_session)
            m_session->resize(cells);
        Q_EMIT sizeChanged();
    });
    connect(m_view, &TerminalView::pasteAsked, this, &TerminalPane::askPaste);
    connect(m_view, &TerminalView::searchRequested, m_search, &TerminalSearch::open);
    connect(m_view, &TerminalView::addressChosen, this, &TerminalPane::openAddress);
    showState();
}

void TerminalPane::buildBars(QVBoxLayout *column)
{
    const auto add = [column, this](Tone tone) {
        auto *bar = new Banner(tone);
        bar->hide();
        bar->installEventFilter(this);
        column->addWidget(bar);
        return bar;
    };
    m_state = add(Tone::Info);
    m_stateAction = m_state->addAction({});
    connect(m_stateAction, &QPushButton::clicked, this, [this] {
        if (m_session && m_session->process().state == ProcessState::Unknown)
            Q_EMIT resumeRequested();
        else
            Q_EMIT startAgainRequested();
    });
    m_failure = add(Tone::Error);
    connect(m_failure->addAction(tr("Dismiss")), &QPushButton::clicked, m_failure, &QWidget::hide);
    m_pasteBar = add(Tone::Warn);
    m_paste = m_pasteBar->addAction(tr("Paste"));
    m_pasteNot = m_pasteBar->addAction(tr("Cancel"));
    connect(m_paste, &QPushButton::clicked, this, [this] { answerPaste(true); });
    connect(m_pasteNot, &QPushButton::clicked, this, [this] { answerPaste(false); });
    m_closeBar = add(Tone::Warn);
    m_stop = m_closeBar->addAction(tr("Stop it"));
    m_leave = m_closeBar->addAction(tr("Leave it running"));
    m_closeNot = m_closeBar->addAction(tr("Cancel"));
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_closeBar->hide();
        Q_EMIT stopRequested();
    });
    connect(m_leave, &QPushButton::clicked, this, &TerminalPane::leaveRequested);
    connect(m_closeNot, &QPushButton::clicked, this, [this] {
        m_closeBar->hide();
        m_view->setFocus();
    });
}

bool TerminalPane::eventFilter(QObject *watched, QEvent *event)
{
    // Esc takes a question back.
    const bool asks = watched == m_pasteBar || watched == m_closeBar;
    if (asks && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (event->type() == QEvent::KeyPress)
            (watched == m_pasteBar ? m_pasteNot : m_closeNot)->click();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TerminalPane::setCanResume(bool can)
{
    if (can == m_canResume)
        return;
    m_canResume = can;
    showState();
}

void TerminalPane::showState()
{
    if (!m_session)
        return;
    const ProcessView &process = m_session->process();
    m_view->setReadOnly(!m_session->isTerminal() || hasEnded(process));
    m_view->setAccessibleName(m_session->isTerminal() ? tr("Terminal %1").arg(titleOf(process))
                                                      : tr("Output of %1").arg(titleOf(process)));
    switch (process.state) {
    case ProcessState::Starting:
    case ProcessState::Running:
        m_state->hide();
        return;
    case ProcessState::Unknown:
        m_state->setTone(Tone::Warn);
        m_state->setText(tr("Not known whether it still runs"),
                         process.detail.isEmpty()
                             ? tr("Its sandbox is paused or cannot be reached.")
                             : process.detail);
        m_stateAction->setText(tr("Resume sandbox"));
        m_stateAction->setVisible(m_canResume);
        break;
    case ProcessState::Ended: {
        m_closeBar->hide();
        m_pasteBar->hide();
        const StateText state = stateOf(process);
        // A shell ends with the code of its last command; that is no failure of the terminal.
        const bool left = m_session->isTerminal() && process.outcome == domain::OutcomeKind::Exited;
        m_state->setTone(state.tone == Tone::Error && !left ? Tone::Error : Tone::Info);
        m_state->setText(process.outcome == domain::OutcomeKind::Exited
                             ? tr("Ended with %1").arg(state.word)
                             : tr("Ended: %1").arg(state.word),
                         process.detail);
        m_stateAction->setText(m_session->isTerminal() ? tr("Start new") : tr("Run again"));
        m_stateAction->show();
        break;
    }
    }
    m_state->show();
}

void TerminalPane::askPaste(const QString &text)
{
    m_toPaste = text;
    QString shown = text;
    shown.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(u'\r', u'\n');
    QStringList lines = shown.split(u'\n');
    if (lines.last().isEmpty())
        lines.removeLast();
    const int count = static_cast<int>(lines.size());
    QStringList preview;
    for (const QString &line : std::as_const(lines)) {
        if (preview.size() == kPreviewLines) {
            preview.append(QStringLiteral("…"));
            break;
        }
        const QString words = visibleText(line);
        preview.append(words.size() > kPreviewLength
                           ? words.left(kPreviewLength) + QStringLiteral("…")
                           : words);
    }
    m_pasteBar->setText(tr("Paste %n line(s)? Each may run as a command.", nullptr, count),
                        preview.join(u'\n'));
    m_pasteBar->show();
    // Not on Paste: a Return that was meant for the terminal must not answer.
    m_pasteNot->setFocus();
}

void TerminalPane::answerPaste(bool yes)
{
    m_pasteBar->hide();
    const QString text = std::exchange(m_toPaste, {});
    if (yes)
        m_view->pasteNow(text);
    m_view->setFocus();
}

void TerminalPane::askClose()
{
    m_closeBar->setText(m_session && m_session->isTerminal() ? tr("This terminal still runs")
                                                             : tr("This command still runs"),
                        tr("Left running, it stays in the list of background commands."));
    m_closeBar->show();
    m_leave->setFocus();
}

void TerminalPane::showFailure(const domain::Error &error)
{
    m_failure->setText(error.message, error.detail);
    m_failure->show();
}

void TerminalPane::openAddress(const QString &address)
{
    const QUrl url(address, QUrl::StrictMode);
    if (url.isValid() && !url.host().isEmpty())
        QDesktopServices::openUrl(url);
}

TerminalPane::~TerminalPane()
{
    setWatching(false);
}

void TerminalPane::setWatching(bool on)
{
    if (on == m_watching || !m_session)
        return;
    m_watching = on;
    if (on)
        m_session->watch();
    else
        m_session->unwatch();
}

void TerminalPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    setWatching(true);
}

void TerminalPane::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    setWatching(false);
}

} // namespace berth::ui
