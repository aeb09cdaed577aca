// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/execution/shell.h"

#include <QtCore/QObject>

class QSocketNotifier;

namespace berth::cli {

//! This process' terminal in raw mode for as long as it lives: every key comes as bytes, nothing is
//! echoed. The former mode comes back when it is destroyed, when the program ends without that, and
//! when a signal kills it. One at a time in a process.
class RawTerminal final : public QObject
{
    Q_OBJECT
public:
    explicit RawTerminal(QObject *parent = nullptr);
    ~RawTerminal() override;

    //! Of standard output; 80 by 24 where it says nothing.
    [[nodiscard]] static domain::TerminalSize size();
    //! Standard input is read, or left alone for a while.
    void setReading(bool reading);

Q_SIGNALS:
    void typed(const QByteArray &bytes);
    //! Standard input has ended.
    void closed();
    void resized();

private:
    QSocketNotifier *m_input = nullptr;
    QSocketNotifier *m_resizes = nullptr;
};

} // namespace berth::cli
