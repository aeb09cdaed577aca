// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_service.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QDeadlineTimer>
#include <QtCore/QFileInfo>
#include <QtCore/QUrl>
#include <QtNetwork/QTcpSocket>

#include <nlohmann/json.hpp>

#include <chrono>

namespace berth::test {

namespace {

constexpr std::chrono::seconds kStartLimit{20};
constexpr std::chrono::seconds kEndLimit{10};

//! The system's own: it has the modules of packaging/deps.
QString pythonProgram()
{
    return QStringLiteral("/usr/bin/python3");
}

} // namespace

FakeService::~FakeService()
{
    stop();
}

bool FakeService::start(const QString &name, const QStringList &arguments)
{
    const QString script = QStringLiteral(BERTH_FAKES "/%1/server.py").arg(name);
    // What was asked is kept: tests/conformance compares it with what the services' SDKs ask. A
    // part of a program's tests must not stand for all of them.
    QString program = QFileInfo(QCoreApplication::applicationFilePath()).fileName();
    if (QCoreApplication::arguments().size() > 1)
        program += QStringLiteral("-part");
    const QString log = QStringLiteral(BERTH_ASKED "/%1.%2.json").arg(program, name);
    m_process.start(pythonProgram(),
                    QStringList{script, QStringLiteral("--port"), QStringLiteral("0"),
                                QStringLiteral("--root"), m_root.path(), QStringLiteral("--log"),
                                log}
                        + arguments);
    QByteArray line;
    const QDeadlineTimer limit(kStartLimit);
    while (!line.endsWith('\n') && !limit.hasExpired()) {
        if (!m_process.waitForReadyRead(static_cast<int>(limit.remainingTime())))
            break;
        line += m_process.readLine();
    }
    const nlohmann::json told = nlohmann::json::parse(line.toStdString(), nullptr, false);
    if (!told.is_object() || !told.contains("urls")) {
        m_why = QStringLiteral("%1 did not start: %2 %3")
                    .arg(script, m_process.errorString(),
                         QString::fromUtf8(m_process.readAllStandardError()));
        stop();
        return false;
    }
    for (const auto &[key, url] : told["urls"].items())
        m_urls.insert(QString::fromStdString(key), QString::fromStdString(url.get<std::string>()));
    return true;
}

void FakeService::stop()
{
    m_urls.clear();
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.closeWriteChannel();
    if (m_process.waitForFinished(std::chrono::milliseconds(kEndLimit).count()))
        return;
    m_process.kill();
    m_process.waitForFinished(std::chrono::milliseconds(kEndLimit).count());
}

QByteArray FakeService::control(const QByteArray &method, const QByteArray &path,
                                const QByteArray &body)
{
    const QUrl url(m_urls.value(QStringLiteral("control")));
    const QDeadlineTimer limit(std::chrono::seconds(20));
    const auto left = [&limit] { return static_cast<int>(limit.remainingTime()); };
    QTcpSocket socket;
    socket.connectToHost(url.host(), static_cast<quint16>(url.port(1)));
    socket.write(method + ' ' + path
                 + " HTTP/1.1\r\nHost: fake\r\nConnection: close\r\n"
                   "Content-Length: "
                 + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    if (!socket.waitForConnected(left()))
        m_why = socket.errorString();
    QByteArray answer;
    while (socket.state() == QAbstractSocket::ConnectedState && socket.waitForReadyRead(left()))
        answer += socket.readAll();
    answer += socket.readAll();
    const qsizetype end = answer.indexOf("\r\n\r\n");
    if (end < 0 || !answer.startsWith("HTTP/1.1 200")) {
        m_why = QStringLiteral("the fake's control answered: %1 %2")
                    .arg(QString::fromUtf8(answer.left(500)), socket.errorString());
        return {};
    }
    return answer.mid(end + 4);
}

bool FakeService::setKnobs(const QByteArray &json)
{
    return !control("POST", "/__knobs", json).isEmpty();
}

nlohmann::json FakeService::requests()
{
    const QByteArray told = control("GET", "/__requests", {});
    return nlohmann::json::parse(told.toStdString(), nullptr, false);
}

} // namespace berth::test
