// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/policy/security_policy.h"

#include "domain/policy/security_token.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace berth::domain {

namespace {

using json = nlohmann::json;

constexpr qsizetype kLongestDocument = 64 * 1024;
constexpr int kDeepestDocument = 16;
constexpr std::size_t kMostNames = 200;
constexpr qsizetype kLongestName = 100;
constexpr qsizetype kLongestToken = 1024;

constexpr const char *kAccess = "access";
constexpr const char *kAutonomy = "autonomy_level";
constexpr const char *kRequire = "require_approval_for";
constexpr const char *kUnattended = "on_unattended";
constexpr const char *kToken = "access_token";
constexpr const char *kTokenHash = "access_token_hash";
constexpr const char *kTokenSet = "access_token_set";

QString textOf(const json &value)
{
    return QString::fromStdString(value.get_ref<const std::string &>());
}

json jsonOf(const QString &text)
{
    return json(text.toStdString());
}

//! Discarded when it is no JSON or too deep.
json parsedDocument(const QByteArray &text)
{
    if (text.size() > kLongestDocument)
        return json(json::value_t::discarded);
    bool tooDeep = false;
    json parsed = json::parse(
        text.cbegin(), text.cend(),
        [&tooDeep](int depth, json::parse_event_t, json &) {
            tooDeep = tooDeep || depth > kDeepestDocument;
            return !tooDeep;
        },
        false);
    return tooDeep ? json(json::value_t::discarded) : parsed;
}

class DocumentReader
{
public:
    DocumentReader(const json &document, QList<PolicyProblem> *problems)
        : m_document(document), m_problems(problems)
    {}

    void add(const QString &path, const QString &text) { m_problems->append({path, text}); }

    //! One of a closed set; absent leaves \a value.
    template <typename Value>
    void closed(const char *key, Value *value, std::optional<Value> (*fromWire)(QStringView),
                const char *choices)
    {
        const auto found = m_document.find(key);
        if (found == m_document.end())
            return;
        const std::optional<Value> read =
            found->is_string() ? fromWire(textOf(*found)) : std::nullopt;
        if (read)
            *value = *read;
        else
            add(QLatin1String(key),
                QStringLiteral("must be one of %1").arg(QLatin1String(choices)));
    }

    void names(const char *key, QStringList *value)
    {
        const auto found = m_document.find(key);
        if (found == m_document.end())
            return;
        if (!found->is_array()) {
            add(QLatin1String(key), QStringLiteral("must be a list of names of tools"));
            return;
        }
        if (found->size() > kMostNames) {
            add(QLatin1String(key), QStringLiteral("has more than 200 names"));
            return;
        }
        value->clear();
        for (std::size_t i = 0; i < found->size(); ++i) {
            const json &entry = found->at(i);
            const QString path = QStringLiteral("%1[%2]").arg(QLatin1String(key)).arg(i);
            const QString name = entry.is_string() ? textOf(entry) : QString();
            if (!entry.is_string())
                add(path, QStringLiteral("must be a text"));
            else if (name.trimmed().isEmpty() || name != name.trimmed())
                add(path, QStringLiteral("must be the name of a tool, without blanks around it"));
            else if (name.size() > kLongestName)
                add(path, QStringLiteral("is longer than 100 characters"));
            else if (!value->contains(name))
                value->append(name);
        }
    }

private:
    const json &m_document;
    QList<PolicyProblem> *m_problems;
};

void readCommon(DocumentReader *reader, SecurityPolicy *policy)
{
    reader->closed(kAccess, &policy->access, &accessFromWire, "public, protected, private");
    reader->closed(kAutonomy, &policy->autonomy, &autonomyFromWire, "readonly, supervised, full");
    reader->closed(kUnattended, &policy->unattended, &unattendedFromWire, "deny, wait");
    reader->names(kRequire, &policy->requireApprovalFor);
}

QString unknownKeys(const json &document)
{
    static constexpr std::array kKnown{kAccess, kAutonomy,  kRequire, kUnattended,
                                       kToken,  kTokenHash, kTokenSet};
    json rest = document;
    for (const char *key : kKnown)
        rest.erase(key);
    return QString::fromStdString(rest.dump());
}

Error invalidDocument(const QList<PolicyProblem> &problems)
{
    QStringList rows;
    for (const PolicyProblem &problem : problems) {
        rows.append(problem.path.isEmpty() ? problem.text : problem.path + u' ' + problem.text);
    }
    return {ErrorKind::InvalidInput,
            QStringLiteral("The security policy is not valid"),
            rows.join(QLatin1String("; ")),
            {},
            {}};
}

json documentOf(const SecurityPolicy &policy)
{
    json document = json::parse(policy.unknown.toStdString(), nullptr, false);
    if (!document.is_object())
        document = json::object();
    document[kAccess] = jsonOf(wireName(policy.access));
    document[kAutonomy] = jsonOf(wireName(policy.autonomy));
    document[kUnattended] = jsonOf(wireName(policy.unattended));
    json names = json::array();
    for (const QString &name : policy.requireApprovalFor)
        names.push_back(jsonOf(name));
    document[kRequire] = names;
    return document;
}

void readToken(const json &document, DocumentReader *reader, SecurityPolicy *policy)
{
    const auto token = document.find(kToken);
    if (token == document.end())
        return;
    if (token->is_null()) {
        policy->accessTokenHash.clear();
        return;
    }
    const QString text = token->is_string() ? textOf(*token) : QString();
    if (!token->is_string() || text.trimmed().isEmpty())
        reader->add(QLatin1String(kToken),
                    QStringLiteral("must be a text that is not empty, or "
                                   "null to remove it"));
    else if (text.size() > kLongestToken)
        reader->add(QLatin1String(kToken), QStringLiteral("is longer than 1024 characters"));
    else
        policy->accessTokenHash = hashedToken(Secret(text.toUtf8()));
}

template <typename Value, std::size_t Count>
std::optional<Value> valueNamed(QStringView name, const std::array<Value, Count> &values)
{
    for (const Value value : values) {
        if (name == wireName(value))
            return value;
    }
    return std::nullopt;
}

} // namespace

QString wireName(Access access)
{
    switch (access) {
    case Access::Public:
        return QStringLiteral("public");
    case Access::Protected:
        return QStringLiteral("protected");
    case Access::Private:
        return QStringLiteral("private");
    }
    return {};
}

QString wireName(Autonomy autonomy)
{
    switch (autonomy) {
    case Autonomy::ReadOnly:
        return QStringLiteral("readonly");
    case Autonomy::Supervised:
        return QStringLiteral("supervised");
    case Autonomy::Full:
        return QStringLiteral("full");
    }
    return {};
}

QString wireName(Unattended unattended)
{
    switch (unattended) {
    case Unattended::Deny:
        return QStringLiteral("deny");
    case Unattended::Wait:
        return QStringLiteral("wait");
    }
    return {};
}

std::optional<Access> accessFromWire(QStringView name)
{
    return valueNamed(name, std::array{Access::Public, Access::Protected, Access::Private});
}

std::optional<Autonomy> autonomyFromWire(QStringView name)
{
    return valueNamed(name, std::array{Autonomy::ReadOnly, Autonomy::Supervised, Autonomy::Full});
}

std::optional<Unattended> unattendedFromWire(QStringView name)
{
    return valueNamed(name, std::array{Unattended::Deny, Unattended::Wait});
}

Result<SecurityPolicy> readStoredPolicy(const QString &text)
{
    SecurityPolicy policy;
    if (text.trimmed().isEmpty())
        return policy;
    QList<PolicyProblem> problems;
    const json document = parsedDocument(text.toUtf8());
    DocumentReader reader(document, &problems);
    if (!document.is_object()) {
        reader.add({}, QStringLiteral("it must be a JSON object"));
        return failure(invalidDocument(problems));
    }
    readCommon(&reader, &policy);
    // Written in clear by another program.
    readToken(document, &reader, &policy);
    if (const auto hash = document.find(kTokenHash); hash != document.end()) {
        if (hash->is_string() && isTokenHash(textOf(*hash)))
            policy.accessTokenHash = textOf(*hash);
        else
            reader.add(QLatin1String(kTokenHash), QStringLiteral("is of an unknown form"));
    }
    if (!problems.isEmpty())
        return failure(invalidDocument(problems));
    policy.unknown = unknownKeys(document);
    return policy;
}

QString storedPolicyText(const SecurityPolicy &policy)
{
    json document = documentOf(policy);
    if (policy.hasAccessToken())
        document[kTokenHash] = jsonOf(policy.accessTokenHash);
    return QString::fromStdString(document.dump());
}

QString shownPolicyText(const SecurityPolicy &policy)
{
    json document = documentOf(policy);
    document[kTokenSet] = policy.hasAccessToken();
    return QString::fromStdString(document.dump());
}

Result<SecurityPolicy> replacedPolicy(const SecurityPolicy &current, const QByteArray &text,
                                      QList<PolicyProblem> *problems)
{
    QList<PolicyProblem> found;
    const json document = parsedDocument(text);
    DocumentReader reader(document, &found);
    SecurityPolicy policy;
    policy.accessTokenHash = current.accessTokenHash;
    if (document.is_object()) {
        readCommon(&reader, &policy);
        readToken(document, &reader, &policy);
        if (document.contains(kTokenHash))
            reader.add(QLatin1String(kTokenHash), QStringLiteral("cannot be set"));
        if (document.contains("channel_tokens"))
            reader.add(QStringLiteral("channel_tokens"),
                       QStringLiteral("is not supported: they would be stored in clear"));
        if (found.isEmpty() && policy.access == Access::Protected && !policy.hasAccessToken())
            reader.add(QLatin1String(kToken),
                       QStringLiteral("is missing: nobody could join a protected agent"));
        policy.unknown = unknownKeys(document);
    } else {
        reader.add({}, QStringLiteral("it must be a JSON object of at most 64 KiB"));
    }
    if (problems)
        *problems = found;
    if (!found.isEmpty())
        return failure(invalidDocument(found));
    return policy;
}

} // namespace berth::domain
