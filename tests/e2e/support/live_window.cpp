// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "e2e/support/live_window.h"

#include "e2e/support/docker_probe.h"
#include "providers/registry/provider_kinds.h"
#include "remote/remote_client.h"
#include "support/await.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "ui/conversation/conversation_view.h"
#include "ui/main/main_window.h"
#include "ui/main/new_thread_page.h"
#include "ui/main/sandbox_picker.h"
#include "ui/models/engine_state.h"
#include "ui/models/sandbox_choice_model.h"
#include "ui/models/thread_text.h"
#include "ui/resources/resources_page.h"
#include "ui/resources/runtime_grid.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/field_editor.h"
#include "ui/settings/provider_card.h"
#include "ui/settings/provider_fields.h"
#include "ui/settings/sandbox_section.h"
#include "ui/settings/settings_page.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/choices.h"

#include <QtTest/QTest>
#include <QtWidgets/QApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QListView>
#include <QtWidgets/QStackedWidget>

namespace berth::test {

using ui::ConversationModel;

namespace {

bool chooseByKeyboard(QComboBox *box, int wanted)
{
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int at = 0; at < wanted; ++at)
        QTest::keyClick(box, Qt::Key_Down);
    return box->currentIndex() == wanted;
}

//! Chips where there are few, else a list.
bool chooseIn(QWidget *input, const QString &value, const QList<QPair<QString, QString>> &choices)
{
    if (auto *box = qobject_cast<QComboBox *>(input)) {
        for (int at = 0; at < choices.size(); ++at) {
            if (choices[at].first == value)
                return chooseByKeyboard(box, at);
        }
        return false;
    }
    for (const QPair<QString, QString> &choice : choices) {
        if (choice.first != value)
            continue;
        for (QPushButton *chip : input->findChildren<QPushButton *>()) {
            if (chip->text() == choice.second)
                return click(chip);
        }
    }
    return false;
}

} // namespace

bool click(QAbstractButton *button)
{
    if (!button || !button->isVisible() || !button->isEnabled())
        return false;
    QTest::mouseClick(button, Qt::LeftButton);
    return true;
}

void typeAndSend(ui::Composer *composer, const QString &text)
{
    QTest::keyClicks(composer->edit(), text);
    QTest::keyClick(composer->edit(), Qt::Key_Return, Qt::ControlModifier);
}

LiveWindow::LiveWindow()
    : m_paths(bootstrap::resolvePaths(m_directory.filePath(QStringLiteral("data")))), m_theme(*qApp)
{}

LiveWindow::~LiveWindow()
{
    destroyAll();
    if (window)
        window->close();
    window.reset();
    m_client.reset();
    if (m_engine) {
        bool finished = false;
        QObject::connect(m_engine.get(), &bootstrap::EngineThread::finished, qApp,
                         [&finished] { finished = true; });
        m_engine->shutDown(true);
        if (!waitUntil([&finished] { return finished; }, 60s))
            qWarning("the Engine does not end");
        m_engine->disconnect(qApp);
    }
}

bool LiveWindow::open(Way way)
{
    if (!bootstrap::makeDirectories(m_paths))
        return false;
    domain::Result<remote::InstanceLock> lock = remote::InstanceLock::take(m_paths.engine.data);
    if (!lock)
        return false;
    const QString socket = lock->socketPath();
    m_engine = std::make_unique<bootstrap::EngineThread>(std::move(*lock), m_paths,
                                                         providers::builtinProviderKinds());
    bool ready = false;
    QObject::connect(m_engine.get(), &bootstrap::EngineThread::ready, qApp,
                     [&ready] { ready = true; });
    m_engine->start();
    const bool started = waitUntil([&ready] { return ready; });
    m_engine->disconnect(qApp);
    if (!started)
        return false;
    if (way == Way::InProcess) {
        m_client = m_engine->connectClient(application::ClientKind::Window);
    } else {
        remote::RemoteClient::Options options;
        options.kind = application::ClientKind::Window;
        m_client = std::make_unique<remote::RemoteClient>(socket, options);
    }
    window = std::make_unique<ui::MainWindow>(
        *m_client, m_theme,
        ui::MainWindowOptions{m_directory.filePath(QStringLiteral("window.ini")), dataDirectory()});
    window->resize(1240, 800);
    window->show();
    window->activateWindow();
    return QTest::qWaitForWindowActive(window.get())
        && waitUntil([this] { return window->state()->isLoaded(); });
}

void LiveWindow::destroyAll()
{
    if (!window || !m_client->isConnected())
        return;
    QStringList ids;
    for (const application::RuntimeView &runtime : snapshot().runtimes)
        ids.append(runtime.id);
    int waiting = static_cast<int>(ids.size());
    QObject context;
    for (const QString &id : ids) {
        application::deliver(&context, *m_client, application::DestroyRuntime{id},
                             [&waiting, id](const auto &answer) {
                                 if (!answer)
                                     qWarning("%s was left: %s", qUtf8Printable(id),
                                              qUtf8Printable(answer.error().message));
                                 --waiting;
                             });
    }
    if (!waitUntil([&waiting] { return waiting == 0; }, 60s))
        qWarning("sandboxes were left");
}

ui::ConversationPage *LiveWindow::talk() const
{
    return window->conversationPage();
}

ui::ResourcesPage *LiveWindow::resources() const
{
    return window->resourcesPage();
}

const application::Snapshot &LiveWindow::snapshot() const
{
    return window->state()->snapshot();
}

ui::ProviderCard *LiveWindow::openProvider(const QString &config)
{
    QTest::keyClick(window.get(), Qt::Key_Comma, Qt::ControlModifier);
    ui::ProviderCard *card = window->settingsPage()->sandbox()->card(domain::ConfigName(config));
    if (!card || window->pages()->currentWidget() != window->settingsPage())
        return nullptr;
    if (!card->isExpanded() && !click(card->head()))
        return nullptr;
    return waitUntil([card] { return card->fields() && card->fields()->isVisible(); }) ? card
                                                                                       : nullptr;
}

bool LiveWindow::setUp(const QString &config)
{
    ui::ProviderCard *card = openProvider(config);
    if (!card)
        return false;
    const auto type = [card](const QString &key, const QString &text) {
        auto *line = qobject_cast<QLineEdit *>(card->fields()->editor(key)->input());
        if (!line || !line->isVisible())
            return false;
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        return line->text() == text;
    };
    const auto choose = [card](const QString &key, const QString &value) {
        const ui::FieldEditor *editor = card->fields()->editor(key);
        if (!editor->isVisible() && !click(card->fields()->advancedButton()))
            return false;
        return chooseIn(editor->input(), value, editor->field().choices)
            && editor->value() == value;
    };
    bool typed = false;
    if (config == QLatin1String("docker"))
        typed = type(QStringLiteral("image"), engineImage())
            && choose(QStringLiteral("network"), QStringLiteral("none"));
    else
        typed = choose(QStringLiteral("on_exit"), QStringLiteral("destroy"));
    if (!typed || !click(card->saveButton()))
        return false;
    const auto ready = [this, config] {
        const application::ProviderView *view =
            window->state()->provider(domain::ConfigName(config));
        return view && view->saved && view->usable;
    };
    return waitUntil([card] { return card->result()->text() == QLatin1String("Saved"); })
        && waitUntil(ready)
        && QFile::exists(m_paths.engine.sandboxes + QLatin1Char('/') + config
                         + QStringLiteral(".json"));
}

bool LiveWindow::startThread(const QString &config, const QString &text)
{
    if (!click(window->sidebar()->newThread()))
        return false;
    ui::SandboxPicker *picker = window->newThreadPage()->picker();
    if (!click(picker))
        return false;
    QListView *list = picker->popover()->list();
    if (!waitUntil([list] { return list->isVisible(); }))
        return false;
    QModelIndex wanted;
    for (int row = 0; row < list->model()->rowCount(); ++row) {
        const QModelIndex index = list->model()->index(row, 0);
        if (index.data(ui::SandboxChoiceModel::KeyRole).toString() == config)
            wanted = index;
    }
    if (!wanted.isValid())
        return false;
    list->scrollTo(wanted);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(wanted).center());
    if (picker->key() != config || list->isVisible())
        return false;
    const qsizetype before = snapshot().threads.size();
    typeAndSend(window->newThreadPage()->composer(), text);
    return waitUntil([this, before] {
        return snapshot().threads.size() == before + 1 && window->pages()->currentWidget() == talk()
            && calls() == 1;
    });
}

void LiveWindow::send(const QString &text)
{
    typeAndSend(talk()->composer(), text);
}

QModelIndex LiveWindow::indexOf(int n) const
{
    const ConversationModel *model = talk()->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        const QModelIndex index = model->index(row);
        if (index.data(ConversationModel::KindRole).toInt()
                == static_cast<int>(ConversationModel::Kind::ToolCall)
            && n-- == 0)
            return index;
    }
    return {};
}

int LiveWindow::calls() const
{
    int n = 0;
    while (indexOf(n).isValid())
        ++n;
    return n;
}

application::ToolCallView LiveWindow::call(int n) const
{
    return indexOf(n).data(ConversationModel::CallRole).value<application::ToolCallView>();
}

bool LiveWindow::waitDone(int n)
{
    return waitUntil([this, n] { return call(n).state == domain::ToolCallState::Done; }, 90s);
}

QString LiveWindow::shownText(int n) const
{
    const auto *tail =
        indexOf(n).data(ConversationModel::OutputRole).value<const ui::OutputTail *>();
    return tail ? tail->text.plainText() : QString();
}

bool LiveWindow::shows(int n, const QString &text)
{
    const QModelIndex index = indexOf(n);
    if (!index.data(ConversationModel::OpenRole).toBool()
        && !clickCall(n, ui::ConversationDelegate::Part::Header))
        return false;
    return index.data(ConversationModel::OpenRole).toBool()
        && waitUntil([this, n, text] { return shownText(n).trimmed() == text; }, 10s);
}

bool LiveWindow::clickCall(int n, ui::ConversationDelegate::Part part)
{
    ui::ConversationView *view = talk()->view();
    view->scrollTo(indexOf(n));
    const QPoint at = view->pointOf(indexOf(n), part);
    if (!view->viewport()->rect().contains(at))
        return false;
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, at);
    return true;
}

QString LiveWindow::outcomeWord(int n) const
{
    return ui::outcomeOf(call(n)).word;
}

void LiveWindow::openResources()
{
    QTest::mouseClick(window->sidebar()->resources(), Qt::LeftButton);
}

int LiveWindow::cards() const
{
    return resources()->grid()->isVisible() ? resources()->grid()->model()->rowCount() : 0;
}

QString LiveWindow::cardState() const
{
    return resources()
        ->grid()
        ->model()
        ->index(0, 0)
        .data(ui::RuntimeModel::StateTextRole)
        .toString();
}

application::RuntimeView LiveWindow::card() const
{
    return resources()
        ->grid()
        ->model()
        ->index(0, 0)
        .data(ui::RuntimeModel::ViewRole)
        .value<application::RuntimeView>();
}

void LiveWindow::clickCard(ui::CardPart part)
{
    ui::RuntimeGrid *grid = resources()->grid();
    const QRect rect = grid->layoutAt(grid->model()->index(0, 0)).rectOf(part);
    // The actions of a card appear below the pointer.
    QTest::mouseMove(grid->viewport(), rect.center());
    QTest::mouseClick(grid->viewport(), Qt::LeftButton, {}, rect.center());
}

} // namespace berth::test
