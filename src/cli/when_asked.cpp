// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/when_asked.h"

namespace berth::cli {

domain::Result<QString> whenAskedOf(const Context &context)
{
    const QString wait = QStringLiteral("wait");
    const QString deny = QStringLiteral("deny");
    if (!context->options.has("when-asked")) {
        const TerminalFacts &terminal = context->streams.terminal;
        return terminal.inIsTerminal && (terminal.errIsTerminal || terminal.outIsTerminal) ? wait
                                                                                           : deny;
    }
    const QString said = context->options.value("when-asked");
    if (said == wait || said == deny)
        return said;
    return domain::failure(domain::ErrorKind::InvalidInput,
                           QStringLiteral("--when-asked is wait or deny, not \"%1\"").arg(said));
}

} // namespace berth::cli
