// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/log.h"
#include "domain/secret.h"

#include <QtCore/QUrl>
#include <QtTest/QTest>

#include <nlohmann/json.hpp>

#include <type_traits>

using namespace berth::domain;

// No way from a secret to text by itself.
static_assert(!std::is_convertible_v<Secret, QString>);
static_assert(!std::is_convertible_v<Secret, QByteArray>);
static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!std::is_constructible_v<QString, Secret>);
static_assert(!std::is_constructible_v<nlohmann::json, Secret>);
static_assert(!std::is_convertible_v<QByteArray, Secret>);

namespace {

QStringList g_lines;

void keepLine(LogLevel, const char *, const QString &line)
{
    g_lines << redacted(line);
}

} // namespace

class SecretTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hintsShowFourOfTwelve()
    {
        QCOMPARE(Secret(QByteArrayLiteral("sk-0123456789ab7f3a")).hint(),
                 QStringLiteral("\u20267f3a"));
        QCOMPARE(Secret(QByteArrayLiteral("elevenbytes")).hint(), QStringLiteral("\u2026"));
        QCOMPARE(Secret().hint(), QStringLiteral("\u2026"));
        QVERIFY(Secret().isEmpty());
    }

    void everySpellingIsRedacted_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("plain") << QByteArrayLiteral("canary-plain-1234");
        QTest::newRow("reserved characters") << QByteArrayLiteral("canary/+=&?# %41~");
        QTest::newRow("quotes and backslashes") << QByteArrayLiteral("ca\"nary\\2'x");
        QTest::newRow("control characters") << QByteArrayLiteral("canary\nline\ttab\x01\x1f\b\f\r");
        QTest::newRow("utf-8") << QByteArrayLiteral(
            "canary-\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80-pass");
        QTest::newRow("six bytes") << QByteArrayLiteral("zQ7#x2");
        QTest::newRow("seven bytes") << QByteArrayLiteral("zQ7#x29");
        QTest::newRow("eight bytes") << QByteArrayLiteral("zQ7#x29!");
    }

    void everySpellingIsRedacted()
    {
        QFETCH(QByteArray, value);
        const Secret secret(value);
        const QByteArray percent = value.toPercentEncoding();
        // As some clients write it: %2f instead of %2F.
        QByteArray lowerPercent;
        for (const char c : value)
            lowerPercent += QByteArray(1, c).toPercentEncoding().size() == 1
                ? QByteArray(1, c)
                : '%' + QByteArray(1, c).toHex();
        const std::string text = value.toStdString();
        const QList<QByteArray> spellings{
            value,
            percent,
            lowerPercent,
            value.toBase64(),
            value.toBase64(QByteArray::Base64UrlEncoding),
            value.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals),
            QByteArray::fromStdString(nlohmann::json(text).dump()).mid(1).chopped(1),
            QByteArray::fromStdString(nlohmann::json(text).dump(-1, ' ', true)).mid(1).chopped(1),
        };
        for (const QByteArray &spelling : spellings) {
            const QByteArray line = "before <" + spelling + "> after";
            const QByteArray clean = redacted(line);
            QVERIFY2(!clean.contains(spelling), clean.constData());
            QVERIFY2(clean.contains("[redacted]"), clean.constData());
            QVERIFY(clean.startsWith("before <") && clean.endsWith("> after"));
        }
        QCOMPARE(redacted(QString::fromUtf8(value)), QStringLiteral("[redacted]"));
    }

    void basicAuthenticationIsRedacted_data()
    {
        QTest::addColumn<QByteArray>("user");
        for (const char *user : {"", "u", "us", "use", "user"})
            QTest::newRow(*user ? user : "none") << QByteArray(user);
    }

    void basicAuthenticationIsRedacted()
    {
        QFETCH(QByteArray, user);
        const Secret secret(QByteArrayLiteral("canary-basic-5d0c"));
        const QByteArray header =
            "Basic " + (user + ':' + secret.exposeForWire() + "\n").toBase64();
        const QByteArray clean = redacted(header);
        QVERIFY2(clean.contains("[redacted]"), clean.constData());
        // What is left around it decodes to no more than a byte or two of the key.
        const qsizetype shown = clean.size() - QByteArrayLiteral("[redacted]").size();
        QVERIFY2(shown <= header.size() - 21, clean.constData());
    }

    void shortOnesAreNotLookedFor()
    {
        const Secret secret(QByteArrayLiteral("short"));
        QCOMPARE(redacted(QByteArrayLiteral("a short word")), QByteArrayLiteral("a short word"));
    }

    void aLongerOneIsNotCutByAShorterOne()
    {
        const Secret part(QByteArrayLiteral("canary-stem"));
        const Secret whole(QByteArrayLiteral("canary-stem-and-tail"));
        QCOMPARE(redacted(QByteArrayLiteral("x canary-stem-and-tail y")),
                 QByteArrayLiteral("x [redacted] y"));
    }

    void textWithoutSecretsIsUntouched()
    {
        const QByteArray bytes = QByteArrayLiteral("plain \xff\xfe bytes\0end");
        QCOMPARE(redacted(bytes), bytes);
        QCOMPARE(redacted(QStringLiteral("caf\u00e9 \U0001F600")),
                 QStringLiteral("caf\u00e9 \U0001F600"));
    }

    void theLogPassesTheNet()
    {
        const Secret secret(QByteArrayLiteral("canary-log-778899"));
        setLogSink(&keepLine);
        log(LogLevel::Warning, "test", QStringLiteral("key=canary-log-778899;"));
        setLogSink(nullptr);
        QCOMPARE(g_lines, QStringList{QStringLiteral("key=[redacted];")});
    }
};

QTEST_GUILESS_MAIN(SecretTest)
#include "test_secret.moc"
