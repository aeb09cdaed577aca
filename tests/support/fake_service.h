// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QHash>
#include <QtCore/QProcess>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTemporaryDir>

#include <nlohmann/json_fwd.hpp>

namespace berth::test {

//! A fake of a service (tests/fakes/<name>/server.py) that runs as long as this object lives.
class FakeService
{
public:
    FakeService() = default;
    ~FakeService();
    Q_DISABLE_COPY_MOVE(FakeService)

    //! Waits until it serves; false (with why() saying more) when it does not.
    bool start(const QString &name, const QStringList &arguments = {});
    //! Ends it and everything that it started.
    void stop();

    //! Of one of its listeners, "http://127.0.0.1:port"; e2b: "api" and "envd".
    [[nodiscard]] QString url(const QString &listener) const { return m_urls.value(listener); }
    //! As POST /__knobs of tests/fakes/base.py takes it.
    bool setKnobs(const QByteArray &json);
    //! What it was asked so far, as tests/fakes/base.py logs it; an array.
    [[nodiscard]] nlohmann::json requests();
    //! Why the last call failed, with what the fake wrote on its standard error.
    [[nodiscard]] QString why() const { return m_why; }

private:
    QByteArray control(const QByteArray &method, const QByteArray &path, const QByteArray &body);

    QTemporaryDir m_root;
    QProcess m_process;
    QHash<QString, QString> m_urls;
    QString m_why;
};

} // namespace berth::test
