// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/secret.h"

#include <QtCore/QList>
#include <QtCore/QUrl>

#include <algorithm>
#include <atomic>
#include <memory>

namespace berth::domain {

namespace {

constexpr qsizetype kShortestRedacted = 6;
constexpr qsizetype kHintNeeds = 12;
// Keys are few; the bound only stops a loop that makes secrets without end.
constexpr qsizetype kMostSpellings = 4096;

using Spellings = std::shared_ptr<const QList<QByteArray>>;

// Read on every log line of every thread, so a copy-on-write list instead of a lock.
std::atomic<Spellings> &known()
{
    static std::atomic<Spellings> list{std::make_shared<const QList<QByteArray>>()};
    return list;
}

QByteArray jsonEscaped(const QByteArray &value)
{
    QByteArray result;
    for (const char c : value) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

void remember(const QByteArray &value)
{
    if (value.size() < kShortestRedacted)
        return;
    QList<QByteArray> spellings{value, value.toPercentEncoding(), value.toBase64(),
                                value.toBase64(QByteArray::Base64UrlEncoding), jsonEscaped(value)};
    Spellings before = known().load();
    for (;;) {
        if (before->contains(value) || before->size() >= kMostSpellings)
            return;
        auto after = std::make_shared<QList<QByteArray>>(*before);
        for (const QByteArray &spelling : std::as_const(spellings)) {
            if (!after->contains(spelling))
                after->append(spelling);
        }
        // Longest first: a short one must not cut a longer one that contains it.
        std::sort(after->begin(), after->end(),
                  [](const QByteArray &a, const QByteArray &b) { return a.size() > b.size(); });
        if (known().compare_exchange_weak(before, Spellings(after)))
            return;
    }
}

} // namespace

Secret::Secret(QByteArray value) : m_value(std::move(value))
{
    remember(m_value);
}

QString Secret::hint() const
{
    const QString dots = QStringLiteral("\u2026");
    return m_value.size() < kHintNeeds ? dots : dots + QString::fromUtf8(m_value.right(4));
}

QByteArray redacted(const QByteArray &text)
{
    QByteArray result = text;
    const Spellings spellings = known().load();
    for (const QByteArray &spelling : *spellings)
        result.replace(spelling, QByteArrayLiteral("[redacted]"));
    return result;
}

QString redacted(const QString &text)
{
    if (known().load()->isEmpty())
        return text;
    return QString::fromUtf8(redacted(text.toUtf8()));
}

} // namespace berth::domain
