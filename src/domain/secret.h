// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>

namespace berth::domain {

//! A key, token or password. It converts to nothing by itself, so it cannot end in a log line, an
//! error or JSON by accident. Each value made is also remembered for redacted(), the second net.
class Secret
{
public:
    Secret() = default;
    explicit Secret(QByteArray value);

    [[nodiscard]] bool isEmpty() const { return m_value.isEmpty(); }
    //! The bytes, only for the place that puts them on the wire or into the key store.
    [[nodiscard]] const QByteArray &exposeForWire() const { return m_value; }
    //! "…7f3a": the last four characters of a value of at least twelve, else "…".
    [[nodiscard]] QString hint() const;

    bool operator==(const Secret &) const = default;

private:
    QByteArray m_value;
};

//! \a text with every value that a Secret ever held replaced by "[redacted]", also in its
//! percent-encoded, JSON-escaped and Base64 spellings, the latter also inside a longer encoded
//! text. Values shorter than six bytes are not looked for. Any thread.
QString redacted(const QString &text);
QByteArray redacted(const QByteArray &text);

} // namespace berth::domain
