// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/whole_input.h"

#include <QtCore/QSocketNotifier>

#include <array>
#include <cerrno>
#include <unistd.h>

namespace berth::cli {

async::Completion<std::optional<QByteArray>> wholeInput(QObject *context, qsizetype most)
{
    const async::Completion<std::optional<QByteArray>> done;
    auto *notifier = new QSocketNotifier(STDIN_FILENO, QSocketNotifier::Read, context);
    const auto bytes = std::make_shared<QByteArray>();
    QObject::connect(notifier, &QSocketNotifier::activated, context, [=] {
        std::array<char, 16 * 1024> piece{};
        const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        if (got > 0)
            bytes->append(piece.data(), static_cast<qsizetype>(got));
        if (got > 0 && bytes->size() <= most)
            return;
        notifier->setEnabled(false);
        notifier->deleteLater();
        done.complete(got < 0 ? std::nullopt : std::optional<QByteArray>(bytes->left(most + 1)));
    });
    return done;
}

} // namespace berth::cli
