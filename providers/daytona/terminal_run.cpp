// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/daytona/terminal_run.h"

#include "async/sleep.h"
#include "net/json_fields.h"

#include <QtNetwork/QAbstractSocket>
#include <QtNetwork/QNetworkProxy>
#include <QtNetwork/QNetworkRequest>
#include <QtNetwork/QSslCertificate>
#include <QtNetwork/QSslConfiguration>
#include <QtWebSockets/QWebSocket>

#include <nlohmann/json.hpp>

namespace berth::daytona {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::OutputStream;
using domain::Result;
using nlohmann::json;
using ExecutionPtr = std::shared_ptr<domain::Execution>;
using TerminalPtr = std::shared_ptr<TerminalRun>;
using namespace std::chrono_literals;

namespace {

//! Of what a terminal said, for the one who comes back; as the runner of other providers keeps it.
constexpr qsizetype kMostKept = 1024 * 1024;
//! A frame of more than 64 KiB makes the service close the socket.
constexpr qsizetype kFrame = 32 * 1024;
//! A login shell with a long profile takes seconds to begin.
constexpr auto kStart = 30s;

QByteArray terminalPath(const QString &id, const char *rest = "")
{
    return "/process/pty/" + net::percentEncoded(id.toUtf8()) + rest;
}

Call terminalCall(const char *method, const QByteArray &path, const json &body)
{
    Call call;
    call.method = method;
    call.path = path;
    if (!body.is_null())
        call.body = net::dumped(body);
    return call;
}

//! As the websocket needs it: proxy and certificates of the provider's own settings.
QNetworkProxy proxyOf(const QString &text)
{
    if (text == QLatin1String("none"))
        return QNetworkProxy(QNetworkProxy::NoProxy);
    const QUrl url(text);
    if (text.isEmpty() || !url.isValid())
        return QNetworkProxy(QNetworkProxy::DefaultProxy);
    return QNetworkProxy(
        url.scheme().startsWith(QLatin1String("socks")) ? QNetworkProxy::Socks5Proxy
                                                        : QNetworkProxy::HttpProxy,
        url.host(), static_cast<quint16>(url.port(1080)), url.userName(), url.password());
}

//! {"exitCode":5,"exitReason":"non-zero exit"}
std::optional<domain::Outcome> outcomeIn(const QString &reason)
{
    const json told = net::parsed(reason.toUtf8());
    if (!told.is_object() || !told.contains("exitCode") || !told["exitCode"].is_number_integer())
        return std::nullopt;
    domain::Outcome outcome;
    const int code = told["exitCode"].get<int>();
    outcome.kind =
        code > 128 && code < 193 ? domain::OutcomeKind::Signalled : domain::OutcomeKind::Exited;
    outcome.code = outcome.kind == domain::OutcomeKind::Signalled ? code - 128 : code;
    return outcome;
}

domain::Outcome terminalLost(const QString &why)
{
    domain::Outcome outcome;
    outcome.kind = domain::OutcomeKind::TransportLost;
    outcome.detail = why;
    return outcome;
}

Async<ExecutionPtr> handedOver(std::shared_ptr<net::StreamedExecution> execution,
                               std::stop_token stop)
{
    const auto started = execution->started();
    {
        const std::stop_callback onStop(stop, [started] {
            started.complete(failure(ErrorKind::Cancelled,
                                     QStringLiteral("Cancelled before the command started")));
        });
        co_await started;
    }
    const Result<bool> result = co_await started;
    if (!result)
        co_return failure(result.error());
    const ExecutionPtr made = execution->handOver();
    co_return made;
}

async::Task<void> failLate(std::weak_ptr<net::StreamedExecution> weak, std::stop_token stop)
{
    const bool elapsed = co_await async::sleepFor(kStart, stop);
    if (!elapsed)
        co_return;
    const std::shared_ptr<net::StreamedExecution> execution = weak.lock();
    if (execution && !execution->started().isComplete())
        execution->fail({ErrorKind::Timeout,
                         QStringLiteral("The shell of the terminal does not begin"),
                         QStringLiteral("Does its profile wait for something?"),
                         {},
                         {}});
}

} // namespace

Async<ExecutionPtr> startTerminal(BoxPtr box, domain::CommandSpec command, std::stop_token stop)
{
    const QByteArray runId = net::newRunId();
    net::TrackedOptions options;
    const net::TrackedCommand scripts = net::trackedCommand(command, runId, options);
    net::ScriptRequest request;
    request.script = prepareScript(runId, scripts.script);
    const Result<net::ScriptResult> prepared = co_await box->runner->run(request, stop);
    if (!prepared) {
        box->suspect();
        co_return failure(prepared.error());
    }
    const QByteArray directory = prepared->out.trimmed();
    if (prepared->code != 0 || !directory.startsWith('/'))
        co_return failure(ErrorKind::Unavailable,
                          QStringLiteral("The sandbox has no room for the terminal's files"),
                          QString::fromUtf8(prepared->err.left(500)).trimmed());
    const TerminalPtr run = std::make_shared<TerminalRun>(box, runId, command.tag, true);
    const QString what = QStringLiteral("Opening a terminal");
    const json asked = {{"id", run->terminalId().toStdString()},
                        {"cwd", box->home.toStdString()},
                        {"cols", std::clamp(command.terminal->columns, 1, 1000)},
                        {"rows", std::clamp(command.terminal->rows, 1, 1000)}};
    const Call call = terminalCall("POST", QByteArrayLiteral("/process/pty"), asked);
    const Result<QByteArray> made = co_await askToolbox(box->toolbox, call, what, stop);
    if (!made)
        co_return failure(made.error());
    const async::Completion<Result<bool>> opened = run->open();
    const Result<bool> open = co_await opened;
    if (!open)
        co_return failure(open.error());
    box->terminals.insert(runId, run);
    const auto execution =
        std::make_shared<net::StreamedExecution>(run->hooks(scripts, command.background));
    run->follow(execution, 0);
    run->type(" exec /bin/sh -c 'cd " + directory + " && exec /bin/sh ./s'\r");
    box->scope.spawn(failLate(execution, box->scope.token()));
    const Result<ExecutionPtr> started = co_await handedOver(execution, stop);
    co_return started;
}

Async<ExecutionPtr> attachTerminal(BoxPtr box, RunMark mark, qint64 offset, std::stop_token stop)
{
    TerminalPtr run = box->terminals.value(mark.runId);
    bool isJoined = false;
    if (!run) {
        run = std::make_shared<TerminalRun>(box, mark.runId, mark.tag, false);
        run->joinAt(offset);
        const async::Completion<Result<bool>> opened = run->open();
        const Result<bool> open = co_await opened;
        if (!open)
            co_return failure(open.error());
        box->terminals.insert(mark.runId, run);
        isJoined = true;
    }
    domain::CommandSpec any;
    any.shellText = QByteArrayLiteral(":");
    const net::TrackedCommand scripts = net::trackedCommand(any, mark.runId);
    const auto execution = std::make_shared<net::StreamedExecution>(run->hooks(scripts, true));
    execution->begin();
    if (isJoined)
        execution->remark(
            QStringLiteral("What the terminal wrote while nobody followed it is lost"));
    run->follow(execution, offset);
    const Result<ExecutionPtr> started = co_await handedOver(execution, stop);
    co_return started;
}

Async<QList<RunMark>> listTerminals(BoxPtr box, std::stop_token stop)
{
    QList<RunMark> marks;
    for (const TerminalPtr &one : std::as_const(box->terminals))
        marks.append({one->runId(), true, true, one->tag()});
    Call call;
    call.path = QByteArrayLiteral("/process/pty");
    call.repeatable = true;
    const QString what = QStringLiteral("Listing the terminals");
    const Result<QByteArray> body = co_await askToolbox(box->toolbox, call, what, stop);
    if (!body)
        co_return failure(body.error());
    const Result<QList<TerminalFacts>> all = decodeTerminals(*body);
    if (!all)
        co_return failure(all.error());
    for (const TerminalFacts &one : *all) {
        const std::optional<RunMark> mark = terminalMark(one.id);
        if (mark && one.isActive && !box->terminals.contains(mark->runId))
            marks.append(*mark);
    }
    const QList<RunMark> made = marks;
    co_return made;
}

TerminalRun::TerminalRun(BoxPtr box, QByteArray runId, QByteArray tag, bool fresh)
    : m_box(std::move(box)),
      m_runId(std::move(runId)),
      m_tag(std::move(tag)),
      m_socket(std::make_unique<QWebSocket>()),
      m_marks(m_runId, true),
      m_began(!fresh)
{
    connect(m_socket.get(), &QWebSocket::binaryMessageReceived, this, &TerminalRun::onBytes);
    connect(m_socket.get(), &QWebSocket::textMessageReceived, this, &TerminalRun::onText);
    // The signal of an error is called differently from Qt 6.5 on.
    connect(m_socket.get(), &QWebSocket::stateChanged, this,
            [this](QAbstractSocket::SocketState state) {
                if (state == QAbstractSocket::UnconnectedState)
                    onClosed();
            });
}

TerminalRun::~TerminalRun()
{
    m_socket->disconnect(this);
    // It may be on the stack below us.
    m_socket->abort();
    m_socket.release()->deleteLater();
}

QString TerminalRun::terminalId() const
{
    return QString::fromLatin1("berth-" + m_runId + '-' + m_tag.toHex());
}

async::Completion<Result<bool>> TerminalRun::open()
{
    const Service &toolbox = *m_box->toolbox;
    const net::WebRequest asked = toolbox.request("GET", terminalPath(terminalId(), "/connect"));
    QUrl url = asked.url;
    const bool encrypted = url.scheme() == QLatin1String("https");
    url.setScheme(encrypted ? QStringLiteral("wss") : QStringLiteral("ws"));
    QNetworkRequest request(url);
    for (const auto &[name, value] : asked.headers.fields())
        request.setRawHeader(name, value);
    const net::WebSettings &settings = toolbox.http->settings();
    m_socket->setProxy(proxyOf(settings.proxy));
    if (encrypted && !settings.caFile.isEmpty()) {
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.addCaCertificates(settings.caFile);
        m_socket->setSslConfiguration(tls);
    }
    m_socket->open(request);
    return m_opened;
}

void TerminalRun::type(const QByteArray &bytes)
{
    for (qsizetype at = 0; at < bytes.size(); at += kFrame)
        m_socket->sendBinaryMessage(bytes.mid(at, kFrame));
}

void TerminalRun::wake()
{
    std::exchange(m_changed, async::Completion<bool>()).complete(true);
}

void TerminalRun::onBytes(const QByteArray &bytes)
{
    const auto keep = shared_from_this();
    QByteArray raw = bytes;
    if (!m_began) {
        m_before += bytes;
        const qsizetype at = m_before.indexOf("\036berth:" + m_runId + ':');
        if (at < 0) {
            m_before = m_before.right(4096);
            return;
        }
        raw = m_before.mid(at);
        m_before.clear();
        m_began = true;
    }
    const QByteArray own = m_marks.feed(OutputStream::Stdout, raw);
    m_kept += own;
    m_size += own.size();
    if (m_kept.size() > 2 * kMostKept)
        m_kept = m_kept.right(kMostKept);
    const net::CommandState &state = m_marks.state();
    const std::shared_ptr<net::StreamedExecution> execution = m_execution.lock();
    if (state.phase == net::CommandState::Phase::Refused && state.refusal) {
        if (execution)
            execution->fail(*state.refusal);
        end(net::outcomeOf(state));
        return;
    }
    if (execution && state.phase == net::CommandState::Phase::Running)
        execution->begin();
    if (m_marks.isOver())
        end(net::outcomeOf(state));
    wake();
}

void TerminalRun::onText(const QString &text)
{
    const json told = net::parsed(text.toUtf8());
    if (!told.is_object() || !told.contains("status") || !told["status"].is_string())
        return;
    const std::string status = told["status"].get<std::string>();
    if (status == "connected") {
        m_opened.complete(true);
    } else if (status == "error") {
        const QString why = told.contains("error") && told["error"].is_string()
            ? QString::fromStdString(told["error"].get<std::string>()).left(500)
            : QString();
        m_opened.complete(failure(why.contains(QLatin1String("not found")) ? ErrorKind::NotFound
                                                                           : ErrorKind::Unavailable,
                                  QStringLiteral("Daytona did not open the terminal"), why));
    }
}

void TerminalRun::onClosed()
{
    const auto keep = shared_from_this();
    m_opened.complete(failure(ErrorKind::Unavailable,
                              QStringLiteral("The connection to the terminal was not opened"),
                              m_socket->errorString()));
    const std::optional<domain::Outcome> told = outcomeIn(m_socket->closeReason());
    end(told.value_or(terminalLost(QStringLiteral("The connection to the terminal was lost"))));
    if (!told)
        m_box->suspect();
}

void TerminalRun::end(domain::Outcome outcome)
{
    if (m_outcome)
        return;
    m_outcome = std::move(outcome);
    wake();
}

void TerminalRun::lose(const QString &reason)
{
    end(terminalLost(reason));
    ++m_follower;
    if (const std::shared_ptr<net::StreamedExecution> execution = m_execution.lock())
        execution->ended(std::nullopt, reason);
}

async::Task<void> TerminalRun::clear(TerminalPtr run)
{
    const BoxPtr box = run->m_box;
    box->terminals.remove(run->m_runId);
    net::ScriptRequest request;
    request.script = clearScript(run->m_runId);
    request.timeout = 15s;
    const Result<net::ScriptResult> cleared = co_await box->runner->run(request, {});
    Q_UNUSED(cleared)
}

void TerminalRun::follow(const std::shared_ptr<net::StreamedExecution> &execution, qint64 offset)
{
    if (const std::shared_ptr<net::StreamedExecution> former = m_execution.lock())
        former->finish(terminalLost(QStringLiteral("It is followed by somebody else now")));
    m_execution = execution;
    ++m_follower;
    wake();
    m_box->scope.spawn(deliver(shared_from_this(), offset, m_follower));
}

async::Task<void> TerminalRun::deliver(TerminalPtr run, qint64 offset, int follower)
{
    const std::stop_token stop = run->m_box->scope.token();
    while (run->m_follower == follower && !run->m_execution.expired()) {
        if (offset >= run->m_size) {
            if (run->m_outcome)
                break;
            const async::Completion<bool> changed = run->m_changed;
            co_await changed;
            continue;
        }
        std::shared_ptr<net::StreamedExecution> execution = run->m_execution.lock();
        Async<void> room = execution->awaitRoom(OutputStream::Stdout, stop);
        execution.reset();
        const Result<void> free = co_await room;
        if (!free || run->m_follower != follower)
            co_return;
        execution = run->m_execution.lock();
        if (!execution)
            co_return;
        const qint64 first = run->m_size - run->m_kept.size();
        if (offset < first) {
            execution->skip(OutputStream::Stdout, first - offset);
            offset = first;
        }
        const QByteArray piece = run->m_kept.mid(static_cast<qsizetype>(offset - first), 65536);
        offset += piece.size();
        execution->feed(OutputStream::Stdout, piece);
    }
    if (run->m_follower != follower || !run->m_outcome)
        co_return;
    if (const std::shared_ptr<net::StreamedExecution> execution = run->m_execution.lock()) {
        if (run->m_outcome->kind == domain::OutcomeKind::TransportLost)
            execution->ended(std::nullopt, run->m_outcome->detail);
        else
            execution->finish(*run->m_outcome);
        if (run->m_box->isOpen)
            run->m_box->scope.spawn(clear(run));
    }
}

async::Task<void> TerminalRun::kill(TerminalPtr run, QByteArray stopScript)
{
    net::ScriptRequest request;
    request.script = stopScript;
    request.timeout = 15s;
    const Result<net::ScriptResult> stopped = co_await run->m_box->runner->run(request, {});
    if (!stopped) {
        run->m_box->suspect();
        co_return;
    }
    // The end comes as the terminal's own; then its shell is gone, too.
    for (int i = 0; i < 40 && !run->m_outcome; ++i) {
        const bool elapsed = co_await async::sleepFor(50ms, run->m_box->scope.token());
        if (!elapsed)
            co_return;
    }
    const Call call = terminalCall("DELETE", terminalPath(run->terminalId()), json());
    const Result<net::HttpResponse> gone = co_await ask(run->m_box->toolbox, call, {});
    Q_UNUSED(gone)
    domain::Outcome outcome;
    outcome.kind = domain::OutcomeKind::Cancelled;
    run->end(outcome);
    if (run->m_execution.expired())
        run->m_box->scope.spawn(clear(run));
}

async::Task<void> TerminalRun::resize(TerminalPtr run, int columns, int rows)
{
    const json size = {{"cols", std::clamp(columns, 1, 1000)}, {"rows", std::clamp(rows, 1, 1000)}};
    const Call call = terminalCall("POST", terminalPath(run->terminalId(), "/resize"), size);
    const Result<net::HttpResponse> done = co_await ask(run->m_box->toolbox, call, {});
    Q_UNUSED(done)
}

net::ExecutionHooks TerminalRun::hooks(const net::TrackedCommand &scripts, bool background)
{
    const std::weak_ptr<TerminalRun> weak = weak_from_this();
    net::ExecutionHooks made;
    made.stop = [weak, script = scripts.stopScript] {
        if (const TerminalPtr run = weak.lock(); run && run->m_box->isOpen)
            run->m_box->scope.spawn(kill(run, script));
    };
    made.input = [weak](const QByteArray &bytes) {
        const TerminalPtr run = weak.lock();
        if (!run)
            return;
        run->type(bytes);
        if (const std::shared_ptr<net::StreamedExecution> execution = run->m_execution.lock())
            execution->noteInputTaken(bytes.size());
    };
    made.resize = [weak](int columns, int rows) {
        if (const TerminalPtr run = weak.lock(); run && run->m_box->isOpen)
            run->m_box->scope.spawn(resize(run, columns, rows));
    };
    if (background)
        made.dropped = [weak] {
            if (const TerminalPtr run = weak.lock())
                run->wake();
        };
    return made;
}

std::optional<RunMark> terminalMark(const QString &terminalId)
{
    const QStringList parts = terminalId.split(QLatin1Char('-'));
    if (parts.size() != 3 || parts[0] != QLatin1String("berth") || parts[1].size() != 20)
        return std::nullopt;
    RunMark mark;
    mark.runId = parts[1].toLatin1();
    mark.background = true;
    mark.input = true;
    mark.tag = QByteArray::fromHex(parts[2].toLatin1());
    return mark;
}

} // namespace berth::daytona
