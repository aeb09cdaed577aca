// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/migrator.h"

namespace berth::storage {

namespace {

//! Walks over a script; knows what is code and what is comment or quoted.
class ScriptReader
{
public:
    explicit ScriptReader(const QString &script) : m_script(script) {}

    QStringList statements()
    {
        while (m_at < m_script.size()) {
            if (skipComment())
                continue;
            const QChar c = m_script[m_at];
            if (c == QLatin1Char('\'') || c == QLatin1Char('"')) {
                takeQuoted(c);
            } else if (c.isLetter() || c == QLatin1Char('_')) {
                takeWord();
            } else if (c == QLatin1Char(';') && m_depth == 0) {
                ++m_at;
                finish();
            } else {
                m_statement += c;
                ++m_at;
            }
        }
        finish();
        return m_statements;
    }

private:
    bool skipComment()
    {
        const QStringView rest = QStringView(m_script).mid(m_at);
        qsizetype end = -1;
        if (rest.startsWith(QLatin1String("--")))
            end = m_script.indexOf(QLatin1Char('\n'), m_at);
        else if (rest.startsWith(QLatin1String("/*")))
            end = m_script.indexOf(QLatin1String("*/"), m_at + 2) < 0
                ? -1
                : m_script.indexOf(QLatin1String("*/"), m_at + 2) + 2;
        else
            return false;
        m_at = end < 0 ? m_script.size() : end;
        m_statement += QLatin1Char(' ');
        return true;
    }

    void takeQuoted(QChar quote)
    {
        // A doubled quote inside is two quoted pieces in a row, which comes to the same.
        const qsizetype end = m_script.indexOf(quote, m_at + 1);
        const qsizetype stop = end < 0 ? m_script.size() : end + 1;
        m_statement += QStringView(m_script).mid(m_at, stop - m_at);
        m_at = stop;
    }

    void takeWord()
    {
        qsizetype end = m_at;
        while (end < m_script.size()
               && (m_script[end].isLetterOrNumber() || m_script[end] == QLatin1Char('_')))
            ++end;
        const QString word = m_script.mid(m_at, end - m_at).toUpper();
        if (word == QLatin1String("TRIGGER"))
            m_inTrigger = true;
        else if (m_inTrigger && (word == QLatin1String("BEGIN") || word == QLatin1String("CASE")))
            ++m_depth;
        else if (m_inTrigger && m_depth > 0 && word == QLatin1String("END"))
            --m_depth;
        m_statement += QStringView(m_script).mid(m_at, end - m_at);
        m_at = end;
    }

    void finish()
    {
        const QString statement = m_statement.trimmed();
        if (!statement.isEmpty())
            m_statements << statement;
        m_statement.clear();
        m_inTrigger = false;
        m_depth = 0;
    }

    QString m_script;
    qsizetype m_at = 0;
    QString m_statement;
    bool m_inTrigger = false;
    int m_depth = 0;
    QStringList m_statements;
};

} // namespace

QStringList statementsOf(const QString &script)
{
    return ScriptReader(script).statements();
}

} // namespace berth::storage
