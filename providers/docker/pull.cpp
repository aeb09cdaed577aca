// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/pull.h"

#include "net/line_splitter.h"
#include "providers/docker/client.h"

namespace berth::docker {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using namespace std::chrono_literals;

namespace {

//! After so long without a byte the user is told; there is no limit for the whole.
constexpr auto kTellStall = 30s;
//! After so long nobody is at the other end any more.
constexpr auto kGiveUp = 10min;

QString megabytes(qint64 bytes)
{
    return QString::number(static_cast<double>(bytes) / 1e6, 'f', 1);
}

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
    progress.what += QStringLiteral(": %1 of %2 layers").arg(done).arg(m_layers.size());
    if (total > 0)
        progress.what += QStringLiteral(", %1 of %2 MB").arg(megabytes(current), megabytes(total));
    if (downloaded == m_layers.size() && done < m_layers.size())
        progress.what += QStringLiteral(", unpacking");
    // While some sizes are not known yet, a share of the known ones would run backwards.
    if (allKnown && total > 0)
        progress.fraction = 0.8 * static_cast<double>(current) / static_cast<double>(total)
            + 0.2 * done / static_cast<double>(m_layers.size());
    return progress;
}

domain::Progress PullProgress::stalled(qint64 seconds) const
{
    domain::Progress progress = told();
    progress.what += QStringLiteral(", stalled for %1 s").arg(seconds);
    return progress;
}

namespace {

domain::Error pullError(const QString &image, const QString &said)
{
    return {ErrorKind::Unavailable,
            QStringLiteral("The image %1 could not be pulled").arg(image),
            said
                + QStringLiteral(
                    ". Check the name, the network, and whether the registry asks for a login"),
            {},
            {}};
}

Async<void> pullNow(EnginePtr engine, QString image, domain::ProgressSink progress,
                    std::stop_token stop)
{
    const ImageReference reference = imageReference(image);
    net::HttpRequest request;
    request.method = QByteArrayLiteral("POST");
    request.target = engine->prefix + QByteArrayLiteral("/images/create?fromImage=")
        + net::percentEncoded(reference.name.toUtf8()) + QByteArrayLiteral("&tag=")
        + net::percentEncoded(reference.tag.toUtf8());
    // The engine answers once the registry has: slow networks and busy registries take their time.
    request.deadlines.firstByte = kGiveUp;
    PullProgress pulled(image);
    if (progress)
        progress(pulled.told());
    const Result<std::shared_ptr<net::HttpBodyStream>> opened =
        co_await engine->http->open(request, stop);
    if (!opened)
        co_return failure(opened.error());
    const std::shared_ptr<net::HttpBodyStream> stream = *opened;
    const int status = stream->head().status;
    if (status >= 400) {
        const Result<QByteArray> body = co_await stream->rest(64 * 1024, 5s, stop);
        domain::Error error = pullError(image, engineMessage(body.value_or(QByteArray())));
        error.httpStatus = status;
        // No such tag, or no such name: waiting does not help.
        if (status == 404 || status == 400)
            error.kind = ErrorKind::InvalidInput;
        else if (status == 401 || status == 403)
            error.kind = ErrorKind::Unauthorized;
        co_return failure(error);
    }

    net::LineSplitter splitter;
    std::chrono::milliseconds silence{0};
    for (;;) {
        const Result<QByteArray> piece = co_await stream->next(kTellStall, stop);
        if (!piece && piece.error().kind == ErrorKind::Timeout && silence < kGiveUp) {
            silence += kTellStall;
            if (progress)
                progress(pulled.stalled(
                    std::chrono::duration_cast<std::chrono::seconds>(silence).count()));
            continue;
        }
        if (!piece)
            co_return failure(piece.error());
        silence = 0ms;
        QList<QByteArray> lines = splitter.feed(*piece);
        if (piece->isEmpty())
            lines = {splitter.finish()};
        bool moved = false;
        for (const QByteArray &line : std::as_const(lines)) {
            const Result<PullLine> decoded = decodePullLine(line);
            if (!decoded)
                continue;
            if (!decoded->error.isEmpty())
                co_return failure(pullError(image, decoded->error));
            pulled.take(*decoded);
            moved = true;
        }
        if (piece->isEmpty())
            co_return Result<void>{};
        if (progress && moved)
            progress(pulled.told());
    }
}

} // namespace

Async<void> pullImage(EnginePtr engine, QString image, domain::ProgressSink progress,
                      std::stop_token stop)
{
    return pullNow(std::move(engine), std::move(image), std::move(progress), std::move(stop));
}

} // namespace berth::docker
