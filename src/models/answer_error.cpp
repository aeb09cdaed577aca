// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/answer_error.h"

#include "domain/model/model_factory.h"
#include "domain/secret.h"
#include "models/bounded_json.h"
#include "net/json_fields.h"
#include "net/web/status_error.h"

#include <QtCore/QRegularExpression>

#include <nlohmann/json.hpp>

namespace berth::models {

using domain::Error;
using domain::ErrorKind;
using nlohmann::json;

namespace {

constexpr qsizetype kLongestShown = 500;

struct ToldError
{
    QString message;
    QString type;
    //! A text, or a number as text.
    QString code;
    std::optional<int> status;
};

QString clipped(const QString &text)
{
    QString shown = domain::redacted(text.simplified());
    if (shown.size() > kLongestShown)
        shown = shown.left(kLongestShown) + QStringLiteral("…");
    return shown;
}

ToldError toldBy(const json &error)
{
    ToldError told;
    if (error.is_string()) {
        told.message = net::stringOf(error);
        return told;
    }
    // {"type":"error","error":{…}}, and objects of an object.
    if (const json *inner = net::objectIn(error, "error"))
        return toldBy(*inner);
    told.message = net::textIn(error, "message");
    for (const char *key : {"detail", "error"}) {
        if (told.message.isEmpty())
            told.message = net::textIn(error, key);
    }
    told.type = net::textIn(error, "type");
    told.code = net::textIn(error, "code");
    const json &code = net::memberIn(error, "code");
    if (code.is_number_integer()) {
        told.code = QString::number(code.get<qint64>());
        if (code.get<qint64>() >= 400 && code.get<qint64>() < 600)
            told.status = static_cast<int>(code.get<qint64>());
    }
    // OpenRouter hands on what its own source said.
    const QString raw = net::textIn(net::memberIn(error, "metadata"), "raw");
    if (!raw.isEmpty())
        told.message += QStringLiteral(": ") + raw;
    return told;
}

//! Each server has its own name for it, and some only words.
bool isContextFull(const ToldError &told)
{
    if (told.code == QLatin1String("context_length_exceeded")
        || told.type == QLatin1String("exceed_context_size_error"))
        return true;
    static const QRegularExpression words(
        QStringLiteral("prompt is too long|maximum context length|exceeds? the (available )?context"
                       "|context (length|window|size) (is |was )?exceeded|input is too long"),
        QRegularExpression::CaseInsensitiveOption);
    return words.match(told.message).hasMatch();
}

ErrorKind kindOf(const ToldError &told, int status)
{
    if (told.code == QLatin1String("insufficient_quota")
        || told.type == QLatin1String("insufficient_quota")
        || told.type == QLatin1String("billing_error"))
        return ErrorKind::Quota;
    if (status != 0)
        return net::kindOfStatus(status);
    if (told.type == QLatin1String("authentication_error"))
        return ErrorKind::Unauthorized;
    if (told.type == QLatin1String("permission_error"))
        return ErrorKind::Forbidden;
    if (told.type == QLatin1String("not_found_error"))
        return ErrorKind::NotFound;
    if (told.type == QLatin1String("invalid_request_error")
        || told.type == QLatin1String("request_too_large"))
        return ErrorKind::InvalidInput;
    if (told.type == QLatin1String("rate_limit_error")
        || told.code == QLatin1String("rate_limit_exceeded"))
        return ErrorKind::RateLimited;
    return ErrorKind::Unavailable;
}

QString sentenceFor(ErrorKind kind, int status, const QString &where)
{
    switch (kind) {
    case ErrorKind::Unauthorized:
        return QStringLiteral("%1 does not accept the key").arg(where);
    case ErrorKind::Forbidden:
        return QStringLiteral("%1 refuses the request").arg(where);
    case ErrorKind::Quota:
        return QStringLiteral("The quota or the credit at %1 is used up").arg(where);
    case ErrorKind::RateLimited:
        return QStringLiteral("%1 asks to send fewer requests").arg(where);
    case ErrorKind::NotFound:
        return QStringLiteral("%1 has no such model or address").arg(where);
    case ErrorKind::Timeout:
        return QStringLiteral("%1 took too long").arg(where);
    case ErrorKind::Unavailable:
        return status == 503 || status == 529
            ? QStringLiteral("%1 is busy or still loading").arg(where)
            : QStringLiteral("%1 failed (%2)").arg(where).arg(status);
    default:
        return QStringLiteral("%1 refused the request (%2)").arg(where).arg(status);
    }
}

Error errorOfStream(const ToldError &told)
{
    Error error;
    error.kind = kindOf(told, told.status.value_or(0));
    error.message = QStringLiteral("The server broke the reply off");
    error.detail = clipped(told.message.isEmpty() ? told.type : told.message);
    error.httpStatus = told.status;
    if (isContextFull(told)) {
        error.kind = ErrorKind::InvalidInput;
        error.message = QStringLiteral("The conversation is longer than the model's context");
        error.httpStatus = domain::kContextFullStatus;
    }
    return error;
}

} // namespace

QString shownLine(const QByteArray &body)
{
    static const QRegularExpression hidden(QStringLiteral("<(script|style)\\b.*?</\\1\\s*>"),
                                           QRegularExpression::DotMatchesEverythingOption
                                               | QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression markup(QStringLiteral("<[^>]*>"));
    constexpr qsizetype kRead = 16 * 1024;
    QString text = QString::fromUtf8(body.left(kRead));
    if (text.contains(QLatin1Char('<'))) {
        text.replace(hidden, QStringLiteral("\n"));
        text.replace(markup, QStringLiteral("\n"));
    }
    for (const QString &line : text.split(QLatin1Char('\n'))) {
        if (!line.trimmed().isEmpty())
            return clipped(line);
    }
    return {};
}

Error errorOfAnswer(const net::HttpHead &head, const QByteArray &body, const QString &where)
{
    // Errors within errors are read level by level.
    const json value = boundedJson(body);
    ToldError told;
    if (value.is_object())
        told = toldBy(value);
    const QString line = told.message.isEmpty() ? shownLine(body) : clipped(told.message);
    Error error = net::httpError(head, {}, line);
    error.kind = kindOf(told, head.status);
    error.message = sentenceFor(error.kind, head.status, where);
    if (head.status >= 400 && head.status < 500 && isContextFull(told)) {
        error.kind = ErrorKind::InvalidInput;
        error.message = QStringLiteral("The conversation is longer than the model's context");
        error.httpStatus = domain::kContextFullStatus;
    }
    return error;
}

Error errorInStream(const json &error)
{
    return errorOfStream(toldBy(error));
}

Error errorInStream(const QString &text)
{
    ToldError told;
    told.message = text;
    return errorOfStream(told);
}

bool isWorthAsking(const net::HttpHead &head, const Error &error)
{
    const QByteArray word = head.headers.value("x-should-retry").trimmed().toLower();
    if (word == "true" || word == "false")
        return word == "true";
    if (error.kind == ErrorKind::Quota || error.httpStatus == domain::kContextFullStatus)
        return false;
    const int status = head.status;
    return status == 408 || status == 409 || status == 429 || (status >= 500 && status != 501);
}

} // namespace berth::models
