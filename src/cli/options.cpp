// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/options.h"

#include "cli/human.h"
#include "cli/registry.h"

#include <algorithm>

namespace berth::cli {

namespace {

domain::Error usage(QString message, QString detail)
{
    return {domain::ErrorKind::InvalidInput, std::move(message), std::move(detail), {}, {}};
}

//! How many letters must change to get from one to the other.
int distance(const QString &from, const QString &to)
{
    QList<int> row(to.size() + 1);
    for (int at = 0; at < row.size(); ++at)
        row[at] = at;
    for (qsizetype i = 1; i <= from.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (qsizetype j = 1; j <= to.size(); ++j) {
            const int changed = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row.back();
}

QString didYouMean(const QString &typed, const QStringList &known)
{
    QString best;
    int least = 3;
    for (const QString &candidate : known) {
        if (const int steps = distance(typed, candidate); steps < least) {
            least = steps;
            best = candidate;
        }
    }
    return best.isEmpty() ? QString() : QStringLiteral("Did you mean \"%1\"? ").arg(best);
}

class Parser
{
public:
    explicit Parser(const QStringList &arguments)
    {
        const qsizetype dashes = arguments.indexOf(QStringLiteral("--"));
        m_words = dashes < 0 ? arguments : arguments.first(dashes);
        m_hasDashes = dashes >= 0;
        if (m_hasDashes)
            m_result.command = arguments.mid(dashes + 1);
    }

    CliOptions parsed()
    {
        takeGlobals();
        if (!m_result.error)
            takeVerb();
        if (m_result.verb && !m_result.help && !m_result.error)
            takeRest();
        // Help for something half typed is still help.
        if (m_result.help || m_result.version)
            m_result.error.reset();
        return std::move(m_result);
    }

private:
    //! They may stand anywhere before "--".
    void takeGlobals()
    {
        QStringList rest;
        for (qsizetype at = 0; at < m_words.size(); ++at) {
            const QString &word = m_words[at];
            if (word == QLatin1String("--json")) {
                m_result.json = true;
            } else if (word == QLatin1String("--help") || word == QLatin1String("-h")) {
                m_result.help = true;
            } else if (word == QLatin1String("--version")) {
                m_result.version = true;
            } else if (word.startsWith(QLatin1String("--data-dir="))) {
                m_result.dataDirectory = word.mid(11);
                refuseEmptyDirectory();
            } else if (word == QLatin1String("--data-dir")) {
                m_result.dataDirectory = m_words.value(++at);
                refuseEmptyDirectory();
            } else {
                rest.append(word);
            }
        }
        m_words = rest;
    }

    void refuseEmptyDirectory()
    {
        if (m_result.dataDirectory.isEmpty())
            fail(QStringLiteral("--data-dir has no value"),
                 QStringLiteral("Name the directory: --data-dir /path/to/data"));
    }

    void takeVerb()
    {
        if (m_words.isEmpty()) {
            if (!m_result.help && !m_result.version)
                fail(QStringLiteral("No command is given"),
                     QStringLiteral("berth-cli --help lists the commands."));
            return;
        }
        const QString noun = m_words.takeFirst();
        QStringList nouns;
        QStringList verbNames;
        for (const VerbSpec &spec : verbs()) {
            if (!nouns.contains(spec.noun))
                nouns.append(spec.noun);
            if (spec.noun == noun)
                verbNames.append(spec.verb);
            if (spec.noun == noun && (spec.verb.isEmpty() || spec.verb == m_words.value(0)))
                m_result.verb = &spec;
        }
        if (m_result.verb) {
            if (!m_result.verb->verb.isEmpty())
                m_words.removeFirst();
        } else if (verbNames.isEmpty()) {
            fail(QStringLiteral("There is no command \"%1\"").arg(onOneLine(noun)),
                 didYouMean(noun, nouns)
                     + QStringLiteral("Commands begin with: %1.")
                           .arg(nouns.join(QStringLiteral(", "))));
        } else {
            const QString list = QStringLiteral("%1 can be followed by: %2.")
                                     .arg(noun, verbNames.join(QStringLiteral(", ")));
            if (m_words.isEmpty()) {
                fail(QStringLiteral("\"%1\" alone says too little").arg(noun), list);
            } else {
                fail(QStringLiteral("There is no command \"%1 %2\"")
                         .arg(noun, onOneLine(m_words[0])),
                     didYouMean(m_words[0], verbNames) + list);
            }
        }
    }

    void takeRest()
    {
        const VerbSpec &spec = *m_result.verb;
        while (!m_words.isEmpty() && !m_result.error) {
            const QString word = m_words.takeFirst();
            if (word.size() > 1 && word.startsWith(QLatin1Char('-')))
                takeOption(word);
            else if (spec.takesPairs && !m_result.arguments.isEmpty()
                     && word.indexOf(QLatin1Char('=')) > 0)
                takePair(word, word.indexOf(QLatin1Char('=')), 0);
            else
                m_result.arguments.append(word);
        }
        if (m_result.error)
            return;
        if (!spec.takesCommand)
            m_result.arguments.append(std::exchange(m_result.command, {}));
        checkCount();
    }

    void takePair(const QString &word, qsizetype equals, qsizetype start)
    {
        m_result.pairs.append({word.mid(start, equals - start), word.mid(equals + 1)});
    }

    void takeOption(const QString &word)
    {
        const VerbSpec &spec = *m_result.verb;
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        const QString name = equals < 0 ? word : word.first(equals);
        const OptionSpec *option = spec.option(name);
        const bool pair =
            !option && spec.takesPairs && name.startsWith(QLatin1String("--")) && name.size() > 2;
        if (!option && !pair) {
            QStringList known;
            for (const OptionSpec &candidate : spec.options)
                known.append(candidate.name);
            const QString takes = known.isEmpty()
                ? QStringLiteral("\"%1\" takes no options of its own. ").arg(spec.name())
                : QStringLiteral("\"%1\" takes: %2. ")
                      .arg(spec.name(), known.join(QStringLiteral(", ")));
            return fail(QStringLiteral("Unknown option \"%1\"").arg(onOneLine(name)),
                        didYouMean(name, known) + takes
                            + QStringLiteral("A text that begins with \"-\" goes behind \"--\"."));
        }
        if (option && option->kind == OptionKind::Flag) {
            if (equals >= 0)
                return fail(QStringLiteral("%1 takes no value").arg(name),
                            QStringLiteral("Leave out \"%1\".").arg(word.mid(equals)));
            // "--follow" and "-f" by their letters.
            m_result.values.insert(name.mid(name.startsWith(QLatin1String("--")) ? 2 : 1), {});
            return;
        }
        if (equals < 0 && m_words.isEmpty())
            return fail(QStringLiteral("%1 has no value").arg(name),
                        QStringLiteral("Put the value behind it."));
        const QString value = equals < 0 ? m_words.takeFirst() : word.mid(equals + 1);
        if (pair) {
            m_result.pairs.append({name.mid(2), value});
            return;
        }
        if (option->kind == OptionKind::Duration && !parseDuration(value)) {
            return fail(QStringLiteral("%1: \"%2\" is not a duration").arg(name, onOneLine(value)),
                        QStringLiteral(
                            "Write it like 500ms, 30s, 2m or 1h30m; a bare number means seconds."));
        }
        m_result.values.insert(name.mid(2), value);
    }

    void checkCount()
    {
        const VerbSpec &spec = *m_result.verb;
        if (m_result.arguments.size() < spec.requiredArguments) {
            return fail(
                QStringLiteral("%1 is missing").arg(spec.argumentNames[m_result.arguments.size()]),
                QStringLiteral("Usage: berth-cli %1").arg(spec.synopsis));
        }
        if (m_result.arguments.size() > spec.argumentNames.size()) {
            const QString extra = onOneLine(m_result.arguments[spec.argumentNames.size()]);
            return fail(
                QStringLiteral("\"%1\" is one argument too many").arg(extra),
                spec.takesCommand
                    ? QStringLiteral("The command goes behind \"--\": berth-cli %1")
                          .arg(spec.synopsis)
                    : QStringLiteral("Put a text with spaces in quotes. Usage: berth-cli %1")
                          .arg(spec.synopsis));
        }
        if (spec.takesCommand && !spec.commandMayBeMissing && m_result.command.isEmpty()) {
            fail(QStringLiteral("No command to run is given"),
                 QStringLiteral("It goes behind \"--\": berth-cli %1").arg(spec.synopsis));
        }
    }

    void fail(QString message, QString detail)
    {
        if (!m_result.error)
            m_result.error = usage(std::move(message), std::move(detail));
    }

    QStringList m_words;
    bool m_hasDashes = false;
    CliOptions m_result;
};

} // namespace

std::chrono::milliseconds CliOptions::duration(const char *option) const
{
    return parseDuration(value(option)).value_or(std::chrono::milliseconds(0));
}

CliOptions parseOptions(const QStringList &arguments)
{
    return Parser(arguments).parsed();
}

} // namespace berth::cli
