// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/gate.h"

#include "api/status.h"

namespace berth::api {

namespace {

bool isOwnAuthority(const QByteArray &authority, quint16 port)
{
    const QByteArray suffix = ':' + QByteArray::number(port);
    const QByteArray lower = authority.toLower();
    for (const char *host : {"127.0.0.1", "localhost", "[::1]"}) {
        if (lower == host + suffix || (port == 80 && lower == host))
            return true;
    }
    return false;
}

//! "application/json", with parameters or not.
bool isType(const QByteArray &header, const char *wanted)
{
    return header.split(';').constFirst().trimmed().toLower() == wanted;
}

QByteArray bearer(const QByteArray &authorization)
{
    const qsizetype space = authorization.indexOf(' ');
    if (space < 0 || authorization.left(space).toLower() != "bearer")
        return {};
    return authorization.mid(space + 1).trimmed();
}

std::optional<Reply> refuseBody(const Route &route, const Head &head, Request &request)
{
    if (head.count("transfer-encoding") > 0)
        return refusal(411, "length_required",
                       QStringLiteral("A body needs a Content-Length; it cannot come in chunks"));
    const QByteArray length = head.header("content-length");
    if (!length.isNull()) {
        bool ok = false;
        request.declaredLength = length.toLongLong(&ok);
        const bool digits = std::all_of(length.cbegin(), length.cend(),
                                        [](char c) { return c >= '0' && c <= '9'; });
        if (!ok || !digits || head.count("content-length") > 1)
            return refusal(400, "invalid_input", QStringLiteral("Content-Length is no number"));
    }
    const bool needsBody = route.bodyKind == BodyKind::Json || route.bodyKind == BodyKind::Stream;
    if (needsBody && request.declaredLength < 0)
        return refusal(411, "length_required", QStringLiteral("This needs a Content-Length"));
    if (request.declaredLength > 0 && route.bodyKind == BodyKind::None)
        return refusal(400, "invalid_input", QStringLiteral("This takes no body"));
    const bool json = route.bodyKind == BodyKind::Json
        || (route.bodyKind == BodyKind::OptionalJson && request.declaredLength > 0);
    if (json && !isType(head.header("content-type"), "application/json"))
        return refusal(415, "unsupported_media_type",
                       QStringLiteral("The body has to be application/json"));
    if (route.bodyKind == BodyKind::Stream
        && !isType(head.header("content-type"), "application/octet-stream"))
        return refusal(415, "unsupported_media_type",
                       QStringLiteral("The body has to be application/octet-stream"));
    if (json && request.declaredLength > kMostBodyBytes)
        return refusal(413, "too_large", QStringLiteral("The body is larger than 1 MiB"));
    return std::nullopt;
}

std::optional<Reply> refuseQuery(const Route &route, const Head &head, Request &request)
{
    for (const auto &[name, value] : head.query) {
        const auto known = std::find_if(route.query.cbegin(), route.query.cend(),
                                        [&](const Field &field) { return name == field.name; });
        if (known == route.query.cend())
            return refusal(400, "invalid_input",
                           QStringLiteral("There is no query parameter \"%1\" here")
                               .arg(QString::fromUtf8(name.left(64))));
        const QString key = QString::fromLatin1(name);
        if (!isText(value))
            return refusal(400, "invalid_input",
                           QStringLiteral("The query parameter %1 is no UTF-8 text").arg(key));
        if (request.query.contains(key))
            return refusal(400, "invalid_input",
                           QStringLiteral("The query parameter %1 is there twice").arg(key));
        request.query.insert(key, QString::fromUtf8(value));
    }
    return std::nullopt;
}

//! Whose the token is, and what it may do now.
void identify(const QByteArray &said, const TokenFile &file,
              const std::shared_ptr<const application::AccessTable> &access, Request &request)
{
    request.tokenMark = TokenFile::markOf(said);
    request.scopes = file.scopesOf(said);
    if (request.scopes || said.isEmpty() || !access)
        return;
    const std::shared_ptr<const application::AccessFacts> facts = access->facts();
    const application::KnownToken *known = facts->tokenOf(request.tokenMark);
    if (!known)
        return;
    request.scopes = scopesFrom(facts->scopesOf(*known));
    request.user = known->user;
    request.agent = known->agent;
    request.tokenId = known->id;
}

} // namespace

Reply refusal(int status, const char *code, const QString &message, const QString &detail)
{
    return jsonReply(errorBody(QString::fromLatin1(code), message, detail), status);
}

std::variant<Admitted, Reply> Gate::admit(const Head &head, quint16 port) const
{
    if (head.size > kMostHeadBytes)
        return refusal(431, "too_large", QStringLiteral("The headers are larger than 32 KiB"));
    // A page of a foreign site can make a browser call us, and a name of its own lead here; neither
    // can hide the Host or Origin that the browser then says.
    if (head.count("host") != 1 || !isOwnAuthority(head.header("host"), port))
        return refusal(403, "forbidden", QStringLiteral("This Host is not served"),
                       QStringLiteral("Ask for 127.0.0.1:%1.").arg(port));
    if (head.count("origin") > 0) {
        const QByteArray origin = head.header("origin").toLower();
        if (head.count("origin") > 1 || !origin.startsWith("http://")
            || !isOwnAuthority(origin.mid(7), port))
            return refusal(403, "forbidden",
                           QStringLiteral("Pages of other origins may not call this"));
    }
    const Match match = router.match(head.method, head.path);
    const bool open = match.route && !match.route->scope;
    Admitted admitted;
    if (!open) {
        const QByteArray said =
            head.count("authorization") == 1 ? bearer(head.header("authorization")) : QByteArray();
        identify(said, token, access, admitted.request);
        if (!admitted.request.scopes && admitted.request.tokenId.isEmpty()) {
            Reply reply = refusal(
                401, "unauthorized", QStringLiteral("A valid token is needed"),
                QStringLiteral("Send \"Authorization: Bearer <token>\"; \"berth-cli token show\" "
                               "prints it."));
            reply.headers.append({QByteArrayLiteral("WWW-Authenticate"),
                                  QByteArrayLiteral("Bearer realm=\"berth\"")});
            return reply;
        }
    }
    if (match.allowed.isEmpty())
        return refusal(404, "not_found", QStringLiteral("There is nothing at this path"),
                       QStringLiteral("GET /api/openapi.json lists what there is."));
    if (!match.route) {
        Reply reply = refusal(405, "method_not_allowed",
                              QStringLiteral("This path takes %1")
                                  .arg(QString::fromLatin1(match.allowed.join(", "))));
        reply.headers.append({QByteArrayLiteral("Allow"), match.allowed.join(", ")});
        return reply;
    }
    if (!open && !admitted.request.scopes.testFlag(*match.route->scope))
        return refusal(403, "forbidden",
                       QStringLiteral("The token may not %1; it may: %2")
                           .arg(wireName(*match.route->scope),
                                wireNames(admitted.request.scopes).join(QStringLiteral(", "))));
    admitted.route = match.route;
    admitted.request.parameters = match.parameters;
    admitted.request.line = head.method + ' ' + head.path;
    if (std::optional<Reply> reply = refuseBody(*match.route, head, admitted.request))
        return *reply;
    if (std::optional<Reply> reply = refuseQuery(*match.route, head, admitted.request))
        return *reply;
    admitted.request.idempotencyKey = head.header("idempotency-key");
    if (admitted.request.idempotencyKey.size() > 255)
        return refusal(400, "invalid_input",
                       QStringLiteral("The Idempotency-Key is longer than 255 characters"));
    admitted.request.lastEventId = head.header("last-event-id");
    return admitted;
}

} // namespace berth::api
