// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "providers/docker/endpoint.h"

#include "domain/provider/schema_fields.h"

namespace berth::docker {

using domain::advancedConnectionField;
using domain::FieldType;
using domain::SchemaField;

QList<SchemaField> connectionFields()
{
    SchemaField context =
        advancedConnectionField("context", FieldType::Text, "Docker context",
                                "A context of the docker command, in place of an address");
    context.placeholder = QStringLiteral("default");
    context.environmentVariables = {QStringLiteral("DOCKER_CONTEXT")};
    context.pattern = QStringLiteral("[A-Za-z0-9][A-Za-z0-9_.+-]*|\\$\\{[A-Za-z0-9_]+\\}");
    context.patternHint = QStringLiteral("a name as \"docker context ls\" shows it");

    SchemaField directory =
        advancedConnectionField("tls_dir", FieldType::Path, "TLS directory",
                                "With ca.pem, cert.pem and key.pem, for an address tcp://");
    directory.environmentVariables = {QStringLiteral("DOCKER_CERT_PATH")};
    directory.placeholder = QStringLiteral("/home/me/.docker");
    const SchemaField authority = advancedConnectionField(
        "tls_ca", FieldType::Path, "TLS authority",
        "Who has signed the engine's certificate (PEM); it is always checked, with its name");
    const SchemaField certificate = advancedConnectionField(
        "tls_cert", FieldType::Path, "TLS certificate", "Shows the engine who you are (PEM)");
    const SchemaField key = advancedConnectionField(
        "tls_key", FieldType::Path, "TLS key", "Of that certificate, without a passphrase (PEM)");

    SchemaField plain = advancedConnectionField(
        "plain_tcp", FieldType::Boolean, "Allow no encryption",
        "For an address tcp:// of another machine without TLS: whoever can listen on the network "
        "then controls that engine");
    plain.defaultValue = QStringLiteral("false");

    SchemaField link = advancedConnectionField(
        "direct_link", FieldType::Boolean, "Direct connection",
        "To sandboxes on this machine, over a socket that is mounted into them: several times "
        "faster than through the engine. Where it does not work, the engine's stream is used");
    link.defaultValue = QStringLiteral("true");
    return {context, directory, authority, certificate, key, plain, link};
}

} // namespace berth::docker
