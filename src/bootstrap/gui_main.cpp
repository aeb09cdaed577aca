// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "bootstrap/engine_access.h"
#include "bootstrap/logging.h"
#include "bootstrap/own_keys.h"
#include "bootstrap/signals.h"
#include "domain/log.h"
#include "ui/main/main_window.h"
#include "ui/main/notifier.h"
#include "ui/main/notifier_bus.h"
#include "ui/style/theme.h"

#include <QtCore/QCommandLineParser>
#include <QtCore/QDir>
#include <QtCore/QLocale>
#include <QtCore/QTranslator>
#include <QtGui/QIcon>
#include <QtWidgets/QApplication>
#include <QtWidgets/QMessageBox>

#include <cstdio>

using namespace berth;

namespace {

constexpr int kNoDisplay = 2;

//! QApplication aborts without a display before anybody could say anything.
bool hasDisplay(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const QByteArray argument(argv[i]);
        if (argument.startsWith("-platform") || argument == "--help" || argument == "-h"
            || argument == "--version")
            return true;
    }
    return !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

//! Closing the window ends the Engine first; meanwhile the window stays and says what is done.
class QuitFilter final : public QObject
{
public:
    QuitFilter(bootstrap::EngineAccess &access, QObject *parent) : QObject(parent), m_access(access)
    {
        connect(&access, &bootstrap::EngineAccess::finished, this, [this] {
            m_finished = true;
            QCoreApplication::quit();
        });
    }

    void quit()
    {
        if (!std::exchange(m_asked, true))
            m_access.shutDown(true);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Close || m_finished)
            return QObject::eventFilter(watched, event);
        // The window saves its state in its own handler; then the event is taken back.
        watched->removeEventFilter(this);
        QCoreApplication::sendEvent(watched, event);
        watched->installEventFilter(this);
        if (event->isAccepted())
            quit();
        event->ignore();
        return true;
    }

private:
    bootstrap::EngineAccess &m_access;
    bool m_asked = false;
    bool m_finished = false;
};

//! Another start of the same window exists: it is raised, and this one ends.
void raiseOther(const bootstrap::AppPaths &paths, const std::function<void(bool)> &done,
                QObject *context)
{
    auto *probe = new bootstrap::EngineAccess(paths, application::ClientKind::Cli, context);
    const auto answer = [probe, done](bool raised) {
        probe->disconnect();
        probe->deleteLater();
        done(raised);
    };
    QObject::connect(probe, &bootstrap::EngineAccess::failed, context, [answer] { answer(false); });
    QObject::connect(&probe->client(), &application::EngineClient::connectionChanged, context,
                     [probe, answer, context](bool connected) {
                         if (!connected)
                             return;
                         application::deliver(
                             context, probe->client(), application::RaiseWindow{},
                             [answer](const domain::Result<application::Raised> &raised) {
                                 answer(raised && raised->raised);
                             });
                     });
    probe->start();
}

} // namespace

int main(int argc, char **argv)
{
    if (!hasDisplay(argc, argv)) {
        std::fputs("berth: there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY "
                   "are not set).\n"
                   "On this machine use the command line:  berth-cli thread new --sandbox local "
                   "'!uname -a'\n",
                   stderr);
        return kNoDisplay;
    }
    bootstrap::takeKeysOutOfEnvironment();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("berth"));
    QApplication::setApplicationDisplayName(QStringLiteral("Berth"));
    QApplication::setApplicationVersion(QStringLiteral(BERTH_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.berth.Berth"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/app/io.github.berth.Berth.svg")));
    QApplication::setQuitOnLastWindowClosed(false);

    QTranslator plurals;
    if (plurals.load(QStringLiteral(":/translations/berth_en.qm")))
        QApplication::installTranslator(&plurals);
    QTranslator translator;
    if (translator.load(QLocale(), QStringLiteral("berth"), QStringLiteral("_"),
                        QStringLiteral(":/translations")))
        QApplication::installTranslator(&translator);

    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Gives every AI agent a sandbox to work in."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption dataDir(
        QStringLiteral("data-dir"),
        QCoreApplication::translate("main", "Keep all data in this directory."),
        QStringLiteral("directory"));
    parser.addOption(dataDir);
    parser.process(application);

    const bootstrap::AppPaths paths = bootstrap::resolvePaths(parser.value(dataDir));
    const domain::Result<void> made = bootstrap::makeDirectories(paths);
    if (!made) {
        std::fprintf(stderr, "berth: %s. %s\n", qUtf8Printable(made.error().message),
                     qUtf8Printable(made.error().detail));
        return 1;
    }
    bootstrap::startLogging(paths.logs, QStringLiteral("berth"), true);

    ui::Theme theme(application);
    std::unique_ptr<bootstrap::EngineAccess> access;
    std::unique_ptr<ui::MainWindow> window;
    ui::BusNotifications notifications;
    std::unique_ptr<ui::Notifier> notifier;
    std::unique_ptr<QuitFilter> quitFilter;
    bootstrap::TerminationSignals signals;

    const auto open = [&] {
        access = std::make_unique<bootstrap::EngineAccess>(paths, application::ClientKind::Window);
        ui::MainWindowOptions options;
        options.settingsFile = QDir(paths.engine.data).filePath(QStringLiteral("window.ini"));
        if (paths.isCustom)
            options.dataDirectory = paths.engine.data;
        window = std::make_unique<ui::MainWindow>(access->client(), theme, options);
        quitFilter = std::make_unique<QuitFilter>(*access, nullptr);
        window->installEventFilter(quitFilter.get());
        QObject::connect(&signals, &bootstrap::TerminationSignals::received, quitFilter.get(),
                         &QuitFilter::quit);
        QObject::connect(&access->client(), &application::EngineClient::event, window.get(),
                         [&window](const application::Event &event) {
                             if (std::holds_alternative<application::RaiseRequested>(event.body))
                                 window->raiseWindow();
                         });
        QObject::connect(access.get(), &bootstrap::EngineAccess::failed, window.get(),
                         [&](const domain::Error &error) {
                             auto *box = new QMessageBox(
                                 QMessageBox::Critical, QCoreApplication::applicationName(),
                                 error.message, QMessageBox::Close, window.get());
                             box->setInformativeText(error.detail);
                             box->setAttribute(Qt::WA_DeleteOnClose);
                             QObject::connect(box, &QDialog::finished, &application,
                                              [] { QCoreApplication::exit(1); });
                             box->open();
                         });
        window->show();
        notifier = std::make_unique<ui::Notifier>(*window, notifications, options.settingsFile);
        access->start();
    };
    const std::optional<remote::LockHolder> holder = remote::lockHolder(paths.engine.data);
    if (holder) {
        raiseOther(
            paths,
            [&](bool raised) {
                if (raised)
                    QCoreApplication::quit();
                else
                    open();
            },
            &application);
    } else {
        open();
    }
    const int code = QApplication::exec();
    notifier.reset();
    window.reset();
    quitFilter.reset();
    access.reset();
    return code;
}
