// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/pull.h"

#include "net/line_splitter.h"

#include <QtCore/QElapsedTimer>
#include <QtCore/QTimer>

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

QString megabytes(qint64 bytes, qint64 total)
{
    return QString::number(static_cast<double>(bytes) / 1e6, 'f', total < 10'000'000 ? 1 : 0);
}

const QString kPart = QStringLiteral(" · ");

} // namespace

void PullProgress::take(const PullLine &line)
{
    // Lines about the image as a whole carry its tag, or nothing, as id.
    if (line.layer.isEmpty() || line.status.startsWith(QLatin1String("Pulling from")))
        return;
    Layer &layer = m_layers[line.layer];
    if (line.status == QLatin1String("Downloading")) {
        layer.current = line.current;
        layer.total = std::max(line.total, layer.total);
    } else if (line.status == QLatin1String("Download complete")
               || line.status == QLatin1String("Extracting")
               || line.status == QLatin1String("Verifying Checksum")) {
        layer.downloaded = true;
        layer.total = std::max(line.total, layer.total);
        layer.current = layer.total;
    } else if (line.status == QLatin1String("Pull complete")
               || line.status == QLatin1String("Already exists")) {
        layer.downloaded = true;
        layer.done = true;
        layer.current = layer.total;
    }
}

domain::Progress PullProgress::told() const
{
    domain::Progress progress;
    progress.what = QStringLiteral("Pulling %1").arg(m_image);
    if (m_layers.isEmpty())
        return progress;
    qint64 current = 0;
    qint64 total = 0;
    int done = 0;
    int downloaded = 0;
    bool allKnown = true;
    for (const Layer &layer : m_layers) {
        current += layer.current;
        total += layer.total;
        done += layer.done ? 1 : 0;
        downloaded += layer.downloaded ? 1 : 0;
        allKnown = allKnown && (layer.total > 0 || layer.downloaded);
    }
    if (total > 0)
        progress.what += kPart
            + QStringLiteral("%1 of %2 MB").arg(megabytes(current, total), megabytes(total, total));
    progress.what += kPart
        + (m_layers.size() == 1 ? QStringLiteral("%1 of 1 layer").arg(done)
                                : QStringLiteral("%1 of %2 layers").arg(done).arg(m_layers.size()));
    if (downloaded == m_layers.size() && done < m_layers.size())
        progress.what += kPart + QStringLiteral("unpacking");
    // While some sizes are not known yet, a share of the known ones would run backwards.
    if (allKnown && total > 0)
        progress.fraction = 0.8 * static_cast<double>(current) / static_cast<double>(total)
            + 0.2 * done / static_cast<double>(m_layers.size());
    return progress;
}

domain::Progress PullProgress::stalled(qint64 seconds) const
{
    domain::Progress progress = told();
    progress.what += kPart
        + (m_layers.isEmpty() ? QStringLiteral("no answer from the registry for %1 s")
                              : QStringLiteral("stalled for %1 s"))
              .arg(seconds);
    return progress;
}

namespace {

bool saysOneOf(const QString &said, std::initializer_list<const char *> words)
{
    return std::any_of(words.begin(), words.end(), [&said](const char *word) {
        return said.contains(QLatin1String(word), Qt::CaseInsensitive);
    });
}

//! Of the engine's words on a pull, which carry no better code: it answers 500 for most.
enum class PullFailure { Login, NoSuchImage, OtherArchitecture, TooMany, DiskFull, OutOfReach };

PullFailure failureOf(int status, const QString &said)
{
    if (saysOneOf(said, {"no space left"}))
        return PullFailure::DiskFull;
    if (status == 429 || saysOneOf(said, {"toomanyrequests", "too many requests"}))
        return PullFailure::TooMany;
    if (saysOneOf(said, {"no matching manifest", "does not match the specified platform"}))
        return PullFailure::OtherArchitecture;
    if (status == 401 || status == 403
        || saysOneOf(said,
                     {"unauthorized", "no basic auth", "authentication required", "access denied",
                      "denied:", "incorrect username"}))
        return PullFailure::Login;
    if (status == 404 || status == 400
        || saysOneOf(
            said,
            {"manifest unknown", "name unknown", "repository name not known", "invalid reference"}))
        return PullFailure::NoSuchImage;
    return PullFailure::OutOfReach;
}

} // namespace

domain::Error pullError(const QString &image, int status, const QString &said,
                        const RegistryLogin &login)
{
    const QString registry = registryOf(image);
    domain::Error error;
    error.detail = said;
    if (status >= 400)
        error.httpStatus = status;
    switch (failureOf(status, said)) {
    case PullFailure::Login:
        error.kind = ErrorKind::Unauthorized;
        error.message = QStringLiteral("%1 asks for a login to pull %2").arg(registry, image);
        if (!login.isEmpty()) {
            error.message =
                QStringLiteral("%1 does not take the login for %2").arg(registry, image);
            error.detail += QStringLiteral(". The login is the one of Docker's config.json");
        } else if (saysOneOf(said, {"does not exist"})) {
            error.message =
                QStringLiteral("%1 is not at %2, or needs a login").arg(image, registry);
        }
        error.detail += login.problem.isEmpty() ? QString() : QStringLiteral(". ") + login.problem;
        error.detail += registry == QLatin1String("docker.io")
            ? QStringLiteral(". Log in with: docker login")
            : QStringLiteral(". Log in with: docker login %1").arg(registry);
        break;
    case PullFailure::NoSuchImage:
        error.kind = ErrorKind::InvalidInput; // waiting does not help
        error.message = QStringLiteral("There is no image %1 at %2").arg(image, registry);
        error.detail += QStringLiteral(". Check its name and tag");
        break;
    case PullFailure::OtherArchitecture:
        error.kind = ErrorKind::InvalidInput;
        error.message =
            QStringLiteral("The image %1 is not made for the engine's architecture").arg(image);
        break;
    case PullFailure::TooMany:
        error.kind = ErrorKind::RateLimited;
        error.message = QStringLiteral("%1 allows no more pulls for now").arg(registry);
        error.detail += QStringLiteral(". A login may raise the limit");
        break;
    case PullFailure::DiskFull:
        error.kind = ErrorKind::Unavailable;
        error.message =
            QStringLiteral("The engine's disk is full: %1 could not be pulled").arg(image);
        break;
    case PullFailure::OutOfReach:
        error.kind = ErrorKind::Unavailable;
        error.message = QStringLiteral("The image %1 could not be pulled").arg(image);
        error.detail +=
            QStringLiteral(". The engine asked %1: check its name and the network").arg(registry);
        break;
    }
    return error;
}

namespace {

//! Says how long nothing has come, each time a pause has lasted a period more.
class StallWatch
{
public:
    StallWatch(const PullProgress &pulled, domain::ProgressSink progress, PullPace pace)
    {
        m_timer.setInterval(pace.tellStall);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer,
                         [this, &pulled, tell = std::move(progress)] {
                             if (tell)
                                 tell(pulled.stalled((m_silent.elapsed() + 500) / 1000));
                         });
        heard();
    }
    void heard()
    {
        m_silent.start();
        m_timer.start();
    }

private:
    QTimer m_timer;
    QElapsedTimer m_silent;
};

} // namespace

Async<void> pullImage(EnginePtr engine, QString image, RegistryLogin login,
                      domain::ProgressSink progress, PullPace pace, std::stop_token stop)
{
    const ImageReference reference = imageReference(image);
    net::HttpRequest request;
    request.method = QByteArrayLiteral("POST");
    request.target = engine->prefix + QByteArrayLiteral("/images/create?fromImage=")
        + net::percentEncoded(reference.name.toUtf8()) + QByteArrayLiteral("&tag=")
        + net::percentEncoded(reference.tag.toUtf8());
    if (!login.isEmpty())
        request.headers.append(QByteArrayLiteral("X-Registry-Auth"),
                               registryAuthHeader(login).exposeForWire());
    // The engine answers once the registry has: slow networks and busy registries take their time.
    request.deadlines.firstByte = pace.giveUp;
    PullProgress pulled(image);
    if (progress)
        progress(pulled.told());
    StallWatch stall(pulled, progress, pace);
    const Result<std::shared_ptr<net::HttpBodyStream>> opened =
        co_await engine->http->open(request, stop);
    if (!opened)
        co_return failure(opened.error());
    const std::shared_ptr<net::HttpBodyStream> stream = *opened;
    const int status = stream->head().status;
    if (status >= 400) {
        const Result<QByteArray> body = co_await stream->rest(64 * 1024, 5s, stop);
        co_return failure(
            pullError(image, status, engineMessage(body.value_or(QByteArray())), login));
    }
    net::LineSplitter splitter;
    for (;;) {
        stall.heard();
        const Result<QByteArray> piece = co_await stream->next(pace.giveUp, stop);
        if (!piece)
            co_return failure(piece.error());
        QList<QByteArray> lines = splitter.feed(*piece);
        if (piece->isEmpty())
            lines = {splitter.finish()};
        bool moved = false;
        for (const QByteArray &line : std::as_const(lines)) {
            const Result<PullLine> decoded = decodePullLine(line);
            if (!decoded)
                continue;
            if (!decoded->error.isEmpty())
                co_return failure(pullError(image, status, decoded->error, login));
            pulled.take(*decoded);
            moved = true;
        }
        if (piece->isEmpty())
            co_return Result<void>{};
        if (progress && moved)
            progress(pulled.told());
    }
}

} // namespace berth::docker
