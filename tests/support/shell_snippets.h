// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QList>
#include <QtCore/QString>

namespace berth::test {

//! A text that trips over wrappers.
struct ShellSnippet
{
    const char *name;
    QByteArray text;
    //! Per shell (bash, dash, busybox): 't' the guest runner can tell the environment at the end,
    //! '-' it says that it cannot.
    QByteArray tracked;
    //! Of M at the end.
    QByteArray value;
};

QList<ShellSnippet> shellSnippets();

//! What a plain run of a text says.
struct PlainRun
{
    bool signalled = false;
    int code = 0;
    QByteArray out;
    QByteArray err;
};

//! `shell -c text` in \a directory, in a session of its own, with PATH and BASE as environment and
//! nothing on its standard input.
PlainRun plainRun(const QString &shell, const QByteArray &text, const QByteArray &directory);

} // namespace berth::test
