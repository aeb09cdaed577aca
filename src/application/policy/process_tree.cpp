// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/policy/process_tree.h"

#include <QtCore/QByteArray>
#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QList>
#include <QtCore/QSet>
#include <QtCore/QStringList>

#include <csignal>
#include <sys/types.h>

namespace berth::application {

namespace {

struct ProcessRow
{
    qint64 pid = 0;
    qint64 parent = 0;
    qint64 session = 0;
};

//! proc(5): "pid (comm) state ppid pgrp session …"; comm may hold blanks and parentheses.
QList<ProcessRow> processRows()
{
    QList<ProcessRow> rows;
    const QStringList names =
        QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        bool isPid = false;
        const qint64 pid = name.toLongLong(&isPid);
        QFile file(QStringLiteral("/proc/%1/stat").arg(name));
        if (!isPid || !file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = file.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (fields.size() > 3 && fields.at(0) != "Z")
            rows.append({pid, fields.at(1).toLongLong(), fields.at(3).toLongLong()});
    }
    return rows;
}

} // namespace

void killProcessTree(qint64 leader)
{
    if (leader <= 1)
        return;
    // Looked for before anything ends: whoever loses its parent is no longer found below it. A few
    // rounds, against ones that are just being started.
    for (int round = 0; round < 3; ++round) {
        const QList<ProcessRow> rows = processRows();
        QSet<qint64> tree;
        bool grown = true;
        while (grown) {
            grown = false;
            for (const ProcessRow &row : rows) {
                const bool belongs = row.session == leader || row.parent == leader
                    || tree.contains(row.parent) || tree.contains(row.session);
                if (!belongs || row.pid <= 1 || tree.contains(row.pid))
                    continue;
                tree.insert(row.pid);
                grown = true;
            }
        }
        if (tree.isEmpty())
            return;
        for (const qint64 pid : tree)
            ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
}

} // namespace berth::application
