// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main/new_thread_page.h"

#include "ui/conversation/approval_override.h"
#include "ui/conversation/composer.h"
#include "ui/main/sandbox_picker.h"
#include "ui/models/engine_state.h"
#include "ui/models/isolation_text.h"
#include "ui/models/sandbox_choice_model.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/column.h"
#include "ui/widgets/label.h"

#include <QtCore/QSettings>
#include <QtCore/QTimerEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProviderState;
using application::ProviderView;

namespace {

QString choiceKey()
{
    return QStringLiteral("new_thread/sandbox");
}

QString draftKey()
{
    return QStringLiteral("new_thread/draft");
}

Tone toneOf(const ProviderView &provider)
{
    switch (provider.state) {
    case ProviderState::Ready:
        return Tone::Ok;
    case ProviderState::Checking:
        return Tone::Info;
    case ProviderState::NotSetUp:
        return Tone::Neutral;
    case ProviderState::NeedsKey:
        return Tone::Warn;
    case ProviderState::Unreachable:
    case ProviderState::Broken:
        return Tone::Error;
    }
    return Tone::Neutral;
}

Dot dotOf(const ProviderView &provider)
{
    switch (provider.state) {
    case ProviderState::Ready:
        return Dot::Filled;
    case ProviderState::Checking:
        return Dot::Half;
    case ProviderState::NotSetUp:
    case ProviderState::NeedsKey:
        return Dot::Ring;
    case ProviderState::Unreachable:
    case ProviderState::Broken:
        return Dot::Square;
    }
    return Dot::Ring;
}

} // namespace

NewThreadPage::NewThreadPage(EngineState &state, QSettings &settings, QWidget *parent)
    : QWidget(parent),
      m_state(state),
      m_settings(settings),
      m_choices(new SandboxChoiceModel(this)),
      m_area(new QScrollArea),
      m_title(new Label(TextRole::Title)),
      m_subtitle(new Label(TextRole::Body, Ink::Secondary)),
      m_composer(new Composer(tr("Start thread"))),
      m_anyway(new RunAnyway(*m_composer)),
      m_picker(new SandboxPicker(*m_choices)),
      m_hint(new Label(TextRole::Caption, Ink::Caption)),
      m_first(new QWidget),
      m_ready(new Chip),
      m_model(new Chip),
      m_providerRows(new QVBoxLayout)
{
    build();
    connect(&state, &EngineState::reset, this, &NewThreadPage::refresh);
    connect(&state, &EngineState::event, this, [this](const application::Event &event) {
        if (std::holds_alternative<application::ProviderChanged>(event.body)
            || std::holds_alternative<application::SandboxChanged>(event.body)
            || std::holds_alternative<application::RuntimeChanged>(event.body)
            || std::holds_alternative<application::RuntimeRemoved>(event.body)
            || std::holds_alternative<application::ThreadChanged>(event.body))
            refresh();
    });
    connect(m_composer, &Composer::submitted, this, &NewThreadPage::start);
    connect(m_anyway, &RunAnyway::requested, this,
            [this](const QString &text, bool asCommand) { begin(text, asCommand, true); });
    connect(m_composer, &Composer::connectModelRequested, this,
            &NewThreadPage::connectModelRequested);
    connect(m_composer, &Composer::textEdited, this, [this] { m_draftDue.start(600, this); });
    connect(m_picker, &SandboxPicker::setUpRequested, this, &NewThreadPage::setUpRequested);
    connect(m_picker, &SandboxPicker::keyChosen, this, [this](const QString &key) {
        m_settings.setValue(choiceKey(), key);
        // What was denied was denied there.
        m_anyway->withdraw();
        m_composer->edit()->setFocus();
    });
    connect(m_picker, &SandboxPicker::changed, this, [this] {
        m_composer->setConfirmation(runsOpen() ? noIsolationWords() : QString());
        m_composer->setBlocked(!m_state.isLoaded()        ? QString()
                                   : m_picker->isUsable() ? QString()
                                                          : tr("Choose a sandbox that is ready"));
    });
    m_composer->setText(m_settings.value(draftKey()).toString());
    refresh();
}

void NewThreadPage::build()
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->viewport()->setAutoFillBackground(false);
    m_area->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(m_area);

    auto *content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(0, 110, 0, 24);
    m_column->setSpacing(0);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWrapped(true);
    m_subtitle->setAlignment(Qt::AlignCenter);
    m_subtitle->setWrapped(true);
    m_column->addWidget(m_title);
    m_column->addSpacing(6);
    m_column->addWidget(m_subtitle);
    m_column->addSpacing(18);
    m_composer->setRows(3, 12);
    m_composer->setLeading(m_picker);
    m_column->addWidget(m_composer);
    m_column->addSpacing(8);
    m_hint->setWrapped(true);
    m_hint->setAlignment(Qt::AlignCenter);
    m_column->addWidget(m_hint);

    auto *first = new QVBoxLayout(m_first);
    first->setContentsMargins(0, 16, 0, 0);
    first->setSpacing(12);
    auto *where = new Card;
    auto *rows = new QVBoxLayout(where);
    rows->setContentsMargins(19, 14, 19, 12);
    rows->setSpacing(4);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(tr("Where agents run"), TextRole::BodyStrong));
    head->addStretch(1);
    head->addWidget(m_ready);
    rows->addLayout(head);
    m_providerRows->setSpacing(0);
    rows->addLayout(m_providerRows);
    first->addWidget(where);

    auto *model = new Card;
    auto *modelColumn = new QVBoxLayout(model);
    modelColumn->setContentsMargins(19, 14, 19, 14);
    modelColumn->setSpacing(4);
    auto *modelHead = new QHBoxLayout;
    modelHead->addWidget(new Label(tr("Which model"), TextRole::BodyStrong));
    modelHead->addStretch(1);
    modelHead->addWidget(m_model);
    modelColumn->addLayout(modelHead);
    auto *modelLine = new QHBoxLayout;
    auto *modelWords = new Label(tr("Without one, a thread runs the commands that you type."),
                                 TextRole::Body, Ink::Secondary);
    modelWords->setWrapped(true);
    modelLine->addWidget(modelWords, 1);
    auto *connectModel = new Button(tr("Connect a model"));
    connect(connectModel, &QPushButton::clicked, this, &NewThreadPage::connectModelRequested);
    modelLine->addWidget(connectModel);
    modelColumn->addLayout(modelLine);
    first->addWidget(model);

    auto *start = new Card;
    auto *startColumn = new QVBoxLayout(start);
    startColumn->setContentsMargins(19, 14, 19, 14);
    startColumn->setSpacing(10);
    startColumn->addWidget(new Label(tr("Start"), TextRole::BodyStrong));
    auto *examples = new QHBoxLayout;
    examples->setSpacing(8);
    for (const QString &example : {QStringLiteral("!python3 --version"), QStringLiteral("!ls -la"),
                                   QStringLiteral("!uname -a; df -h .")}) {
        auto *button = new Button(example);
        button->setAccessibleDescription(tr("Writes this command into the box above"));
        connect(button, &QPushButton::clicked, this, [this, example] {
            m_composer->setText(example);
            m_composer->edit()->setFocus();
            m_draftDue.start(600, this);
        });
        examples->addWidget(button);
    }
    examples->addStretch(1);
    startColumn->addLayout(examples);
    first->addWidget(start);
    m_column->addWidget(m_first);
    m_column->addStretch(1);
    m_area->setWidget(new Column(content));
    setFocusProxy(m_composer);
}

void NewThreadPage::setEnterSends(bool on)
{
    m_composer->setEnterSends(on);
}

void NewThreadPage::refresh()
{
    const application::Snapshot &snapshot = m_state.snapshot();
    const bool first = m_state.isLoaded() && snapshot.threads.isEmpty();
    m_title->setText(first ? tr("Give an agent a body") : tr("What should the agent work on?"));
    m_subtitle->setText(
        tr("Nothing here is required, or has an order. Everything can be changed in Settings."));
    m_subtitle->setVisible(first);
    m_first->setVisible(first);
    m_composer->setHasModel(snapshot.engine.hasModel);
    m_model->set(snapshot.engine.hasModel ? tr("Connected") : tr("None yet"),
                 snapshot.engine.hasModel ? Tone::Ok : Tone::Warn);
    if (snapshot.engine.hasModel) {
        m_composer->setPlaceholder(tr("Say what to do, or start with ! to run a command yourself"));
        m_hint->setText(tr("A line that starts with ! runs in the sandbox without the model."));
    } else {
        m_composer->setPlaceholder(tr("Start with ! to run a command, as in !python3 --version"));
        m_hint->setText(tr("A line that starts with ! runs as a command in the sandbox. "
                           "Ctrl+Return starts the thread."));
    }
    m_choices->set(snapshot,
                   snapshot.agents.isEmpty() ? domain::AgentId() : snapshot.agents.first().id);
    chooseDefault();
    m_composer->setConfirmation(runsOpen() ? noIsolationWords() : QString());
    if (first)
        refreshProviders();
}

void NewThreadPage::chooseDefault()
{
    if (m_picker->isUsable() || !m_state.isLoaded())
        return;
    const QString remembered = m_settings.value(choiceKey()).toString();
    const QModelIndex known = m_choices->indexOfKey(remembered);
    if (known.isValid()) {
        m_picker->setKey(remembered); // also while it cannot be used: the choice is the user's
        return;
    }
    const QModelIndex usable = m_choices->firstUsable();
    m_picker->setKey(usable.isValid() ? usable.data(SandboxChoiceModel::KeyRole).toString()
                                      : QString());
}

void NewThreadPage::refreshProviders()
{
    while (QLayoutItem *item = m_providerRows->takeAt(0)) {
        if (QWidget *widget = item->widget())
            widget->deleteLater();
        delete item;
    }
    int ready = 0;
    bool firstRow = true;
    for (const ProviderView &provider : m_state.snapshot().providers) {
        if (!std::exchange(firstRow, false))
            m_providerRows->addWidget(new Divider);
        auto *line = new QWidget;
        auto *row = new QHBoxLayout(line);
        row->setContentsMargins(0, 6, 0, 6);
        row->setSpacing(12);
        row->addWidget(new ProviderMark(provider.mark));
        auto *words = new ElidedLabel;
        const QString what = provider.usable ? provider.summary : provider.stateDetail;
        words->setFullText(what.isEmpty() ? provider.label
                                          : QStringLiteral("%1 — %2").arg(provider.label, what));
        row->addWidget(words, 1);
        if (provider.usable) {
            ++ready;
        } else if (provider.state != ProviderState::Checking) {
            auto *setUp = new Button(tr("Set up…"));
            setUp->setAccessibleName(tr("Set up %1").arg(provider.label));
            connect(setUp, &QPushButton::clicked, this,
                    [this, config = provider.config] { Q_EMIT setUpRequested(config); });
            row->addWidget(setUp);
        }
        row->addWidget(new Chip(provider.stateText.isEmpty() ? tr("Checking") : provider.stateText,
                                toneOf(provider), dotOf(provider)));
        m_providerRows->addWidget(line);
    }
    m_ready->set(tr("%n ready", nullptr, ready), ready > 0 ? Tone::Ok : Tone::Warn);
}

void NewThreadPage::start(const QString &text, bool asCommand)
{
    begin(text, asCommand, false);
}

void NewThreadPage::begin(const QString &text, bool asCommand, bool anyway)
{
    const application::Snapshot &snapshot = m_state.snapshot();
    if (snapshot.agents.isEmpty() || !m_picker->isUsable())
        return;
    m_composer->setBusy(true);
    application::NewThread command;
    command.agent = snapshot.agents.first().id;
    command.config = SandboxChoiceModel::configOf(m_picker->key());
    command.sandbox = SandboxChoiceModel::sandboxOf(m_picker->key());
    command.text = text;
    command.asCommand = asCommand;
    command.runAnyway = anyway;
    m_settings.setValue(choiceKey(), m_picker->key());
    application::deliver(
        this, m_state.client(), command,
        [this, text, asCommand](const domain::Result<application::Started> &answer) {
            m_composer->setBusy(false);
            if (!answer) {
                m_composer->showError(answer.error());
                m_anyway->offer(answer.error(), text, asCommand);
                return;
            }
            m_composer->clear();
            saveDraft();
            Q_EMIT started(answer->thread);
        });
}

bool NewThreadPage::runsOpen() const
{
    const application::Snapshot &snapshot = m_state.snapshot();
    domain::ConfigName config = SandboxChoiceModel::configOf(m_picker->key());
    const domain::SandboxId chosen = SandboxChoiceModel::sandboxOf(m_picker->key());
    for (const application::SandboxView &sandbox : snapshot.sandboxes) {
        if (!chosen.isNull() && sandbox.id == chosen)
            config = sandbox.providerConfig;
    }
    const ProviderView *provider = m_state.provider(config);
    return provider && hasNoIsolation(*provider);
}

void NewThreadPage::saveDraft()
{
    m_draftDue.stop();
    m_settings.setValue(draftKey(), m_composer->edit()->toPlainText());
}

void NewThreadPage::timerEvent(QTimerEvent *event)
{
    if (event->timerId() == m_draftDue.timerId())
        saveDraft();
}

void NewThreadPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    saveDraft();
}

void NewThreadPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int top = qBound(24, height() / 8, 110);
    m_column->setContentsMargins(0, top, 0, 24);
}

} // namespace berth::ui
