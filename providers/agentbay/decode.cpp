// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/agentbay/decode.h"

#include "domain/text.h"
#include "net/json_fields.h"
#include "net/web/retry.h"
#include "net/web/status_error.h"

#include <QtCore/QRegularExpression>

#include <nlohmann/json.hpp>

namespace berth::agentbay {

using domain::Error;
using domain::ErrorKind;
using domain::failure;
using domain::ObservedState;
using domain::Result;
using net::parsed;
using net::textIn;
using json = nlohmann::json;

namespace {

constexpr qsizetype kLongestWords = 300;

QString wordsIn(const json &object, const char *upper, const char *lower)
{
    QString text = textIn(object, upper);
    if (text.isEmpty())
        text = textIn(object, lower);
    return text;
}

//! nullopt: it is not there.
std::optional<bool> truthIn(const json &object, const char *key)
{
    if (!object.is_object())
        return std::nullopt;
    const auto it = object.find(key);
    if (it == object.end() || it->is_null())
        return std::nullopt;
    if (it->is_boolean())
        return it->get<bool>();
    return it->is_string() && it->get<std::string>() == "true";
}

tl::unexpected<Error> nonsense(const QString &what)
{
    return failure(ErrorKind::Protocol, what + QStringLiteral(": AgentBay answered nonsense"));
}

//! What the codes say that are known; the rest of them is not.
std::optional<ErrorKind> kindOfCode(const QString &code)
{
    const auto has = [&code](const char *word) {
        return code.contains(QLatin1String(word), Qt::CaseInsensitive);
    };
    if (code == QLatin1String("InvalidMcpSession.NotFound"))
        return ErrorKind::NotFound;
    if (has("Throttling"))
        return ErrorKind::RateLimited;
    if (code == QLatin1String("InvalidAction.NotFound") || has("NotSupport"))
        return ErrorKind::Unsupported;
    if (has("Quota") || has("Insufficient") || has("Overdue"))
        return ErrorKind::Quota;
    if (has("Auth") || has("ApiKey") || has("Forbidden") || has("AccessDenied"))
        return ErrorKind::Unauthorized;
    if (has("StatusInvalid") || has("IncorrectStatus"))
        return ErrorKind::Conflict;
    if (has("Missing") || code.startsWith(QLatin1String("Invalid")))
        return ErrorKind::InvalidInput;
    return std::nullopt;
}

//! The unit of x-acs-retry-after is nowhere told; a wait of a thousand seconds would make no sense.
std::optional<std::chrono::seconds> waitOf(const net::HttpHead &head)
{
    bool ok = false;
    const double told = head.headers.value("x-acs-retry-after").toDouble(&ok);
    if (ok && told >= 0) {
        const double seconds = told > 1000 ? told / 1000 : told;
        return std::chrono::seconds(static_cast<qint64>(std::min(seconds, 3600.0) + 0.999));
    }
    const auto other = net::retryAfter(head, QDateTime::currentDateTimeUtc());
    if (other)
        return std::chrono::ceil<std::chrono::seconds>(*other);
    return std::nullopt;
}

Error errorOf(const net::HttpHead &head, const json &body, const QString &what)
{
    const QString code = wordsIn(body, "Code", "code");
    const QString message = wordsIn(body, "Message", "message");
    const QString request = wordsIn(body, "RequestId", "requestId");
    Error error;
    error.message = what + QStringLiteral(" failed at AgentBay");
    QStringList words;
    if (!code.isEmpty())
        words << QStringLiteral("[%1]").arg(code);
    if (!message.isEmpty())
        words << message.left(kLongestWords);
    if (!request.isEmpty())
        words << QStringLiteral("(%1)").arg(request);
    error.detail = domain::displayName(words.join(QLatin1Char(' ')).toUtf8());
    error.httpStatus = head.status;
    const std::optional<ErrorKind> known = kindOfCode(code);
    if (head.status == 401)
        error.kind = ErrorKind::Unauthorized;
    else if (head.status == 403)
        error.kind =
            known == ErrorKind::Unauthorized ? ErrorKind::Unauthorized : ErrorKind::Forbidden;
    else if (known)
        error.kind = *known;
    else if (head.isSuccess())
        error.kind = ErrorKind::Unavailable;
    else
        error.kind = net::kindOfStatus(head.status);
    // Only its own code says that a session does not exist; a bare 404 is somebody else's.
    if (error.kind == ErrorKind::NotFound && known != ErrorKind::NotFound)
        error.kind = ErrorKind::Unavailable;
    if (error.kind == ErrorKind::RateLimited || error.kind == ErrorKind::Unavailable)
        error.retryAfter = waitOf(head);
    return error;
}

std::optional<QString> plainText(const json &data)
{
    if (!data.is_object())
        return std::nullopt;
    const auto content = data.find("content");
    if (content == data.end() || !content->is_array())
        return std::nullopt;
    QString all;
    for (const json &part : *content) {
        for (const char *key : {"text", "blob", "data"}) {
            const QString text = textIn(part, key);
            if (!text.isEmpty()) {
                all += text;
                break;
            }
        }
    }
    return all;
}

std::optional<int> codeIn(const json &object)
{
    for (const char *key : {"exit_code", "errorCode", "exitCode"}) {
        if (!object.is_object())
            return std::nullopt;
        const auto it = object.find(key);
        if (it != object.end() && it->is_number_integer())
            return it->get<int>();
    }
    return std::nullopt;
}

} // namespace

Result<Answer> decodeAnswer(const net::HttpResponse &response, const QString &what, bool mustSay)
{
    json body = parsed(response.body);
    if (!response.head.isSuccess()) {
        const Error error = errorOf(response.head, body, what);
        return failure(error);
    }
    if (!body.is_object())
        return nonsense(what);
    const std::optional<bool> success = truthIn(body, "Success");
    if (success == false || (mustSay && !success))
        return failure(errorOf(response.head, body, what));
    Answer answer;
    answer.data = std::make_shared<const json>(body.value("Data", json()));
    if (truthIn(*answer.data, "Success") == false) {
        Error error = errorOf(response.head, *answer.data, what);
        const QString why = wordsIn(*answer.data, "ErrMsg", "errMsg");
        if (!why.isEmpty())
            error.detail = domain::displayName(why.left(kLongestWords).toUtf8());
        return failure(error);
    }
    answer.whole = std::make_shared<const json>(std::move(body));
    return answer;
}

ObservedState stateOf(const QString &status)
{
    const QString word = status.toUpper();
    if (word == QLatin1String("RUNNING"))
        return ObservedState::Running;
    if (word == QLatin1String("PAUSED"))
        return ObservedState::Paused;
    if (word == QLatin1String("RESUMING"))
        return ObservedState::Starting;
    if (word == QLatin1String("PAUSING") || word == QLatin1String("DELETING"))
        return ObservedState::Stopping;
    return isGone(status) ? ObservedState::Gone : ObservedState::Unknown;
}

bool isGone(const QString &status)
{
    const QString word = status.toUpper();
    return word == QLatin1String("DELETED") || word == QLatin1String("FINISH");
}

Result<SessionPage> decodeSessions(const Answer &answer)
{
    const QString what = QStringLiteral("Listing the sandboxes");
    SessionPage page;
    if (!answer.data->is_array() && !answer.data->is_null())
        return nonsense(what);
    for (const json &one : *answer.data) {
        const Session session{textIn(one, "SessionId"), textIn(one, "SessionStatus")};
        if (session.id.isEmpty())
            return nonsense(what);
        page.sessions.append(session);
    }
    page.next = textIn(*answer.whole, "NextToken").toUtf8();
    return page;
}

Result<QString> decodeCreated(const Answer &answer)
{
    const QString id = textIn(*answer.data, "SessionId");
    if (id.isEmpty())
        return nonsense(QStringLiteral("Creating a sandbox"));
    return id;
}

Result<QString> decodeStatus(const Answer &answer)
{
    if (!answer.data->is_object())
        return nonsense(QStringLiteral("Looking at a sandbox"));
    return textIn(*answer.data, "Status");
}

Result<QMap<QString, QString>> decodeLabels(const Answer &answer)
{
    const json labels = parsed(textIn(*answer.data, "Labels").toUtf8());
    QMap<QString, QString> made;
    if (!answer.data->is_object())
        return nonsense(QStringLiteral("Reading the labels of a sandbox"));
    if (!labels.is_object())
        return made; // none
    for (const auto &[key, value] : labels.items())
        if (value.is_string())
            made.insert(QString::fromStdString(key),
                        QString::fromStdString(value.get<std::string>()));
    return made;
}

Result<QString> decodeContextId(const Answer &answer)
{
    const QString id = textIn(*answer.data, "Id");
    if (id.isEmpty())
        return nonsense(QStringLiteral("Finding the context"));
    return id;
}

Result<ContextState> decodeContextState(const Answer &answer)
{
    ContextState state;
    const QString outer = textIn(*answer.data, "ContextStatus");
    if (outer.isEmpty())
        return state;
    const json groups = parsed(outer.toUtf8());
    if (!groups.is_array())
        return nonsense(QStringLiteral("Looking at the context"));
    for (const json &group : groups) {
        const json copies = parsed(textIn(group, "data").toUtf8());
        if (!copies.is_array())
            return nonsense(QStringLiteral("Looking at the context"));
        for (const json &copy : copies) {
            const QString status = textIn(copy, "status");
            if (status == QLatin1String("Failed"))
                state.problem = textIn(copy, "errorMessage");
            else if (status != QLatin1String("Success"))
                state.isDone = false;
        }
    }
    return state;
}

Result<net::ScriptResult> decodeShell(const Answer &answer)
{
    const QString what = QStringLiteral("Running a command");
    // Older answers hold it as text.
    const json data = answer.data->is_string()
        ? parsed(QByteArray::fromStdString(answer.data->get<std::string>()))
        : *answer.data;
    const std::optional<QString> text = plainText(data);
    if (!text)
        return nonsense(what);
    const bool failed = truthIn(data, "isError").value_or(false);
    const json told = parsed(text->toUtf8());
    net::ScriptResult result;
    if (told.is_object()) {
        const std::optional<int> code = codeIn(told);
        if (!code)
            return nonsense(what);
        result.code = *code;
        result.out = textIn(told, "stdout").toUtf8();
        result.err = textIn(told, "stderr").toUtf8();
        return result;
    }
    static const QRegularExpression old(QStringLiteral("Error code:\\s*(-?\\d+)"));
    const QRegularExpressionMatch match = old.match(*text);
    if (match.hasMatch())
        result.code = match.captured(1).toInt();
    else if (failed)
        return failure(ErrorKind::Unavailable, what + QStringLiteral(" failed at AgentBay"),
                       domain::displayName(text->left(kLongestWords).toUtf8()));
    (match.hasMatch() ? result.err : result.out) = text->toUtf8();
    return result;
}

QByteArray labelsText(const QMap<QString, QString> &labels)
{
    json made = json::object();
    for (auto it = labels.cbegin(); it != labels.cend(); ++it)
        made[it.key().toStdString()] = it.value().toStdString();
    return net::dumped(made);
}

QByteArray persistenceText(const QString &contextId, const QByteArray &path)
{
    const json policy{
        {"uploadPolicy", {{"autoUpload", true}, {"uploadStrategy", "UploadBeforeResourceRelease"}}},
        {"downloadPolicy", {{"autoDownload", true}, {"downloadStrategy", "DownloadAsync"}}}};
    const json made = json::array({{{"ContextId", contextId.toStdString()},
                                    {"Path", path.toStdString()},
                                    {"Policy", policy.dump()}}});
    return net::dumped(made);
}

QByteArray shellArguments(const QByteArray &command, std::chrono::milliseconds timeout)
{
    const json made{{"command", command.toStdString()}, {"timeout_ms", timeout.count()}};
    return net::dumped(made);
}

QByteArray formBody(const QList<std::pair<QByteArray, QByteArray>> &fields)
{
    QByteArray body;
    for (const auto &[name, value] : fields) {
        if (!body.isEmpty())
            body += '&';
        body += net::percentEncoded(name) + '=' + net::percentEncoded(value);
    }
    return body;
}

} // namespace berth::agentbay
