// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/tools/tools.h"

#include "domain/text.h"

#include <algorithm>
#include <deque>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileKind;
using domain::Result;

namespace {

ToolAnswer failed(const domain::Error &error)
{
    return {errorText(error), true, {}};
}

ToolParameter parameter(const char *name, ParameterType type, const QString &help)
{
    ToolParameter made;
    made.name = QLatin1String(name);
    made.type = type;
    made.help = help;
    return made;
}

ToolParameter limitParameter(qint64 usual, qint64 most)
{
    ToolParameter limit = parameter("limit", ParameterType::Integer,
                                    QStringLiteral("At most so many; %1 when left out").arg(usual));
    limit.aliases = QStringList{QStringLiteral("max_results"), QStringLiteral("head_limit")};
    limit.least = 1;
    limit.most = most;
    return limit;
}

ToolParameter folderParameter()
{
    ToolParameter path =
        parameter("path", ParameterType::Text,
                  QStringLiteral("Where; the workspace when left out. Relative to the workspace"));
    path.aliases =
        QStringList{QStringLiteral("directory"), QStringLiteral("dir"), QStringLiteral("root")};
    path.mayBeEmpty = true;
    return path;
}

//! \a lines within the bound, with \a more behind them.
QString joined(const QStringList &lines, const QString &more, const QString &nothing)
{
    if (lines.isEmpty())
        return nothing;
    QString text;
    qsizetype at = 0;
    for (; at < lines.size() && text.size() < kLongestResult; ++at)
        text += lines[at].left(kLongestLine) + QLatin1Char('\n');
    if (at < lines.size())
        return text + QStringLiteral("(%1 more left out)").arg(lines.size() - at);
    return text + more;
}

class ListFilesTool final : public FileTool
{
public:
    using FileTool::FileTool;

protected:
    Async<ToolAnswer> act(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        const QByteArray root = place.path(work.arguments.text("path"));
        const auto limit = static_cast<qsizetype>(work.arguments.number("limit", 300));
        const qint64 depth = work.arguments.number("depth", 1);
        QStringList lines;
        bool more = false;
        // Breadth first: with a limit, what lies near is there.
        std::deque<std::pair<QByteArray, qint64>> open{{QByteArray(), 1}};
        while (!open.empty() && !more) {
            const auto [below, level] = open.front();
            open.pop_front();
            const QByteArray directory = below.isEmpty() ? root : root + '/' + below;
            QList<domain::FileEntry> entries;
            QByteArray cursor;
            do {
                const Result<domain::FilePage> page =
                    co_await place.fs().list(directory, cursor, 1000, stop);
                if (!page && below.isEmpty())
                    co_return failed(page.error());
                if (!page)
                    break;
                entries << page->entries;
                cursor = page->next;
            } while (!cursor.isEmpty() && entries.size() <= limit);
            std::sort(entries.begin(), entries.end(),
                      [](const domain::FileEntry &a, const domain::FileEntry &b) {
                          return a.name < b.name;
                      });
            for (const domain::FileEntry &entry : std::as_const(entries)) {
                if (lines.size() >= limit) {
                    more = true;
                    break;
                }
                const QByteArray path = below.isEmpty() ? entry.name : below + '/' + entry.name;
                QString line = domain::displayName(path);
                if (entry.kind == FileKind::Directory) {
                    line += QLatin1Char('/');
                    if (level < depth)
                        open.emplace_back(path, level + 1);
                } else if (entry.kind == FileKind::Symlink) {
                    line += QStringLiteral(" -> ") + domain::displayName(entry.linkTarget);
                } else {
                    line += QStringLiteral("  %1 bytes").arg(entry.size);
                }
                lines << line;
            }
        }
        co_return ToolAnswer{joined(lines, more ? QStringLiteral("(there is more)") : QString(),
                                    QStringLiteral("(the directory is empty)")),
                             false,
                             {}};
    }
};

class GlobTool final : public FileTool
{
public:
    using FileTool::FileTool;
    QString titleOf(const ToolArguments &arguments) const override
    {
        return arguments.text("pattern");
    }

protected:
    Async<ToolAnswer> act(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        domain::GlobRequest request;
        request.root = place.path(work.arguments.text("path"));
        request.pattern = work.arguments.text("pattern").toUtf8();
        request.limit = static_cast<int>(work.arguments.number("limit", 200));
        const Result<domain::GlobResult> found = co_await place.fs().glob(request, stop);
        if (!found)
            co_return failed(found.error());
        QStringList lines;
        for (const QByteArray &path : found->paths)
            lines << domain::displayName(path);
        co_return ToolAnswer{
            joined(lines, found->truncated ? QStringLiteral("(there is more)") : QString(),
                   QStringLiteral("(nothing matches)")),
            false,
            {}};
    }
};

class GrepTool final : public FileTool
{
public:
    using FileTool::FileTool;
    QString titleOf(const ToolArguments &arguments) const override
    {
        return arguments.text("pattern");
    }

protected:
    Async<ToolAnswer> act(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        domain::GrepRequest request;
        request.root = place.path(work.arguments.text("path"));
        request.pattern = work.arguments.text("pattern").toUtf8();
        request.nameGlob = work.arguments.text("glob").toUtf8();
        request.fixed = work.arguments.flag("fixed");
        request.ignoreCase = work.arguments.flag("ignore_case");
        request.limit = static_cast<int>(work.arguments.number("limit", 100));
        const Result<domain::GrepResult> found = co_await place.fs().grep(request, stop);
        if (!found)
            co_return failed(found.error());
        QStringList lines;
        for (const domain::GrepMatch &match : found->matches) {
            const QString name = match.path.isEmpty() ? work.arguments.text("path")
                                                      : domain::displayName(match.path);
            lines << QStringLiteral("%1:%2: %3")
                         .arg(name)
                         .arg(match.line)
                         .arg(QString::fromUtf8(match.text));
        }
        co_return ToolAnswer{
            joined(lines, found->truncated ? QStringLiteral("(there is more)") : QString(),
                   QStringLiteral("(nothing found in %1 files)").arg(found->filesSearched)),
            false,
            {}};
    }
};

} // namespace

std::unique_ptr<Tool> listFilesTool(ToolPlaces places)
{
    ToolSpec spec;
    spec.name = QStringLiteral("list_files");
    spec.description = QStringLiteral("Lists a directory of the sandbox; directories end in /.");
    ToolParameter depth = parameter("depth", ParameterType::Integer,
                                    QStringLiteral("Levels of directories; 1 when left out"));
    depth.least = 1;
    depth.most = 5;
    spec.parameters << folderParameter() << depth << limitParameter(300, 2000);
    return std::make_unique<ListFilesTool>(places, spec);
}

std::unique_ptr<Tool> globTool(ToolPlaces places)
{
    ToolSpec spec;
    spec.name = QStringLiteral("glob");
    spec.description = QStringLiteral(
        "Finds files by name: * and ? within a name, ** over directories (\"src/**/*.py\").");
    ToolParameter pattern =
        parameter("pattern", ParameterType::Text, QStringLiteral("The pattern of the path"));
    pattern.required = true;
    pattern.aliases = QStringList{QStringLiteral("glob"), QStringLiteral("query")};
    spec.parameters << pattern << folderParameter() << limitParameter(200, 1000);
    return std::make_unique<GlobTool>(places, spec);
}

std::unique_ptr<Tool> grepTool(ToolPlaces places)
{
    ToolSpec spec;
    spec.name = QStringLiteral("grep");
    spec.description = QStringLiteral("Finds lines in files by a POSIX extended regular "
                                      "expression; answers path:line: text.");
    ToolParameter pattern =
        parameter("pattern", ParameterType::Text, QStringLiteral("The regular expression"));
    pattern.required = true;
    pattern.aliases = QStringList{QStringLiteral("regex"), QStringLiteral("query")};
    ToolParameter glob = parameter("glob", ParameterType::Text,
                                   QStringLiteral("Only files whose name matches, like *.py"));
    glob.aliases = QStringList{QStringLiteral("include"), QStringLiteral("file_pattern")};
    glob.mayBeEmpty = true;
    ToolParameter ignoreCase = parameter("ignore_case", ParameterType::Flag,
                                         QStringLiteral("Upper and lower case are the same"));
    ignoreCase.aliases = QStringList{QStringLiteral("-i")};
    spec.parameters << pattern << folderParameter() << glob << ignoreCase
                    << parameter("fixed", ParameterType::Flag,
                                 QStringLiteral("The pattern is plain text"))
                    << limitParameter(100, 500);
    return std::make_unique<GrepTool>(places, spec);
}

} // namespace berth::application
