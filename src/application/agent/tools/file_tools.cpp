// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "application/agent/tools/tools.h"

#include "application/agent/unified_diff.h"
#include "domain/text.h"

#include <QtCore/QStringDecoder>

#include <algorithm>

namespace berth::application {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::Result;
using domain::ToolCallState;

namespace {

const QStringList kPathNames{QStringLiteral("file_path"), QStringLiteral("filename"),
                             QStringLiteral("file")};

ToolParameter pathParameter(const QString &help)
{
    ToolParameter parameter;
    parameter.name = QStringLiteral("path");
    parameter.required = true;
    parameter.help = help;
    parameter.aliases = kPathNames;
    return parameter;
}

ToolAnswer problem(const QString &text)
{
    return {QStringLiteral("Error: ") + text, true, {}};
}

ToolAnswer problem(const domain::Error &error)
{
    return {errorText(error), true, {}};
}

//! The whole file; nullopt when there is none. InvalidInput when it is too large or none at all.
Async<std::optional<QByteArray>> wholeFile(OpenSandbox place, QByteArray path, std::stop_token stop)
{
    const Result<domain::FileEntry> there = co_await place.fs().stat(path, stop);
    if (!there && there.error().kind == ErrorKind::NotFound)
        co_return std::optional<QByteArray>();
    if (!there)
        co_return failure(there.error());
    if (there->kind == domain::FileKind::Directory)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("%1 is a directory").arg(domain::displayName(path)));
    if (there->kind == domain::FileKind::Other)
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("%1 is no regular file").arg(domain::displayName(path)));
    const Result<QByteArray> bytes = co_await place.fs().read(path, 0, kLargestToolFile + 1, stop);
    if (!bytes)
        co_return failure(bytes.error());
    if (bytes->size() > kLargestToolFile) {
        co_return failure(ErrorKind::InvalidInput,
                          QStringLiteral("%1 is larger than 8 MiB").arg(domain::displayName(path)),
                          QStringLiteral("Look at a part of it with shell or grep."));
    }
    co_return std::optional<QByteArray>(*bytes);
}

class ReadFileTool final : public FileTool
{
public:
    using FileTool::FileTool;

protected:
    Async<ToolAnswer> act(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        const QByteArray path = place.path(work.arguments.text("path"));
        const Result<std::optional<QByteArray>> read = co_await wholeFile(place, path, stop);
        if (!read)
            co_return problem(read.error());
        if (!*read)
            co_return problem(QStringLiteral("there is no file %1").arg(domain::displayName(path)));
        const QByteArray &bytes = **read;
        work.seen->note(path, bytes);
        if (bytes.isEmpty())
            co_return ToolAnswer{QStringLiteral("(the file is empty)"), false, {}};
        QStringDecoder decoder(QStringDecoder::Utf8);
        const QString text = decoder(bytes);
        if (bytes.contains('\0') || decoder.hasError()) {
            co_return ToolAnswer{
                QStringLiteral("(a binary file of %1 bytes; it is not shown)").arg(bytes.size()),
                false,
                {}};
        }
        co_return ToolAnswer{
            pageOf(text, work.arguments.number("offset", 1), work.arguments.number("limit", 2000)),
            false,
            {}};
    }

private:
    static QString pageOf(const QString &text, qint64 offset, qint64 limit)
    {
        QStringList lines = text.split(QLatin1Char('\n'));
        if (lines.constLast().isEmpty())
            lines.removeLast();
        const qsizetype first = std::min<qsizetype>(offset - 1, lines.size());
        QString page;
        qsizetype at = first;
        for (; at < lines.size() && at - first < limit && page.size() < kLongestResult; ++at) {
            QString line = lines[at];
            if (line.size() > kLongestLine)
                line = line.left(kLongestLine)
                    + QStringLiteral(" … (%1 more characters)").arg(line.size() - kLongestLine);
            page += QStringLiteral("%1\t%2\n").arg(at + 1, 6).arg(line);
        }
        if (at == first)
            return QStringLiteral("(the file has %1 lines)").arg(lines.size());
        return page
            + QStringLiteral("(lines %1-%2 of %3)").arg(first + 1).arg(at).arg(lines.size());
    }
};

//! What the file was and what it would become; for doing it and for showing it before.
struct FileChange
{
    QByteArray path;
    std::optional<QByteArray> before;
    QByteArray after;
    int replaced = 0;
};

constexpr qsizetype kLongestToldDiff = 4000;

class ChangingTool : public FileTool
{
public:
    using FileTool::FileTool;

    Async<ToolPreview> preview(ToolWork work, std::stop_token stop) override
    {
        ToolPreview preview;
        preview.command = titleOf(work.arguments);
        const Result<OpenSandbox> place =
            co_await openSandbox(m_places.sandboxes, work.sandbox, work.source, stop);
        if (!place)
            co_return preview;
        const Result<FileChange> change = co_await changeOf(*place, work, stop);
        if (change)
            preview.diff = diffOf(*change);
        co_return preview;
    }

protected:
    virtual Async<FileChange> changeOf(OpenSandbox place, ToolWork work, std::stop_token stop) = 0;
    virtual QString tellOf(const FileChange &change, const QString &diff) const = 0;

    Async<ToolAnswer> act(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        const Result<FileChange> change = co_await changeOf(place, work, stop);
        if (!change)
            co_return problem(change.error());
        const Result<void> written = co_await place.fs().write(change->path, change->after, stop);
        if (!written)
            co_return problem(written.error());
        work.seen->note(change->path, change->after);
        ToolAnswer answer;
        answer.diff = diffOf(*change);
        answer.text = tellOf(*change, answer.diff);
        co_return answer;
    }

    static QString diffOf(const FileChange &change)
    {
        return unifiedDiff(domain::displayName(change.path), change.before.value_or(QByteArray()),
                           change.after, !change.before.has_value());
    }
    //! The file as it is; Conflict when it is there and the model does not know it as it is.
    static Async<std::optional<QByteArray>> known(OpenSandbox place, QByteArray path, ToolWork work,
                                                  std::stop_token stop)
    {
        const Result<std::optional<QByteArray>> now = co_await wholeFile(place, path, stop);
        if (!now)
            co_return failure(now.error());
        if (*now && !work.seen->has(path)) {
            co_return failure(ErrorKind::Conflict,
                              QStringLiteral("%1 was not read in this conversation; read it first")
                                  .arg(domain::displayName(path)));
        }
        if (*now && !work.seen->isUnchanged(path, **now)) {
            co_return failure(
                ErrorKind::Conflict,
                QStringLiteral("%1 has changed since it was read; read it again first")
                    .arg(domain::displayName(path)));
        }
        co_return now;
    }
};

class WriteFileTool final : public ChangingTool
{
public:
    using ChangingTool::ChangingTool;

protected:
    Async<FileChange> changeOf(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        FileChange change;
        change.path = place.path(work.arguments.text("path"));
        change.after = work.arguments.text("content").toUtf8();
        const Result<std::optional<QByteArray>> before =
            co_await known(place, change.path, work, stop);
        if (!before)
            co_return failure(before.error());
        change.before = *before;
        const FileChange made = change;
        co_return made;
    }
    QString tellOf(const FileChange &change, const QString &) const override
    {
        return QStringLiteral("%1 %2 (%3 bytes)")
            .arg(change.before ? QStringLiteral("Replaced") : QStringLiteral("Created"),
                 domain::displayName(change.path))
            .arg(change.after.size());
    }
};

class EditFileTool final : public ChangingTool
{
public:
    using ChangingTool::ChangingTool;

protected:
    Async<FileChange> changeOf(OpenSandbox place, ToolWork work, std::stop_token stop) override
    {
        FileChange change;
        change.path = place.path(work.arguments.text("path"));
        const QByteArray from = work.arguments.text("old_string").toUtf8();
        const QByteArray to = work.arguments.text("new_string").toUtf8();
        const Result<std::optional<QByteArray>> before =
            co_await known(place, change.path, work, stop);
        if (!before)
            co_return failure(before.error());
        if (!*before)
            co_return failure(
                ErrorKind::NotFound,
                QStringLiteral("there is no file %1").arg(domain::displayName(change.path)));
        if (from == to)
            co_return failure(ErrorKind::InvalidInput,
                              QStringLiteral("old_string and new_string are the same"));
        change.before = *before;
        change.after = **before;
        change.replaced = static_cast<int>(change.after.count(from));
        if (change.replaced == 0)
            co_return failure(ErrorKind::NotFound,
                              QStringLiteral("old_string was not found in the file"),
                              nearest(**before, from));
        if (change.replaced > 1 && !work.arguments.flag("replace_all")) {
            co_return failure(
                ErrorKind::Conflict,
                QStringLiteral("old_string was found %1 times").arg(change.replaced),
                QStringLiteral("Give more of the lines around it, or set replace_all."));
        }
        change.after.replace(from, to);
        const FileChange made = change;
        co_return made;
    }
    QString tellOf(const FileChange &change, const QString &diff) const override
    {
        // The model gets what changed, short: a long edit is known to it anyway.
        const QString told = diff.size() > kLongestToldDiff
            ? diff.left(kLongestToldDiff) + QStringLiteral("\n…")
            : diff;
        return QStringLiteral("Replaced %1 in %2\n%3")
            .arg(change.replaced == 1 ? QStringLiteral("one place")
                                      : QStringLiteral("%1 places").arg(change.replaced),
                 domain::displayName(change.path), told);
    }

private:
    //! Where the first line of \a wanted nearly stands.
    static QString nearest(const QByteArray &content, const QByteArray &wanted)
    {
        QByteArray first;
        for (const QByteArray &line : wanted.split('\n')) {
            first = line.trimmed();
            if (!first.isEmpty())
                break;
        }
        if (first.isEmpty())
            return {};
        const QList<QByteArray> lines = content.split('\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (lines[i].trimmed() == first || lines[i].contains(first)) {
                return QStringLiteral("Its first line is like line %1: %2. Compare the white space "
                                      "and what follows.")
                    .arg(i + 1)
                    .arg(QString::fromUtf8(lines[i].left(200)));
            }
        }
        return {};
    }
};

} // namespace

Async<ToolEnd> FileTool::run(ToolWork work, std::stop_token stop)
{
    domain::ToolCall call = work.call;
    call.state = ToolCallState::Running;
    call.startedAt = domain::nowUtc();
    if (!m_spec.isReadOnly()) {
        // So that after a crash nobody says that it had not begun.
        const Result<void> begun = co_await m_places.store.updateToolCall(call);
        if (!begun)
            co_return failure(begun.error());
    }
    m_places.bus.publish(ToolCallChanged{m_places.executions.viewOf(call)});
    domain::Outcome outcome;
    outcome.kind = domain::OutcomeKind::Exited;
    const Result<OpenSandbox> place =
        co_await openSandbox(m_places.sandboxes, work.sandbox, work.source, stop);
    if (!place) {
        outcome.kind = place.error().kind == ErrorKind::Cancelled ? domain::OutcomeKind::Cancelled
                                                                  : domain::OutcomeKind::NotStarted;
        outcome.detail = place.error().message;
        call.result = errorText(place.error());
        call.isError = true;
    } else {
        const Result<ToolAnswer> answer = co_await act(*place, work, stop);
        const ToolAnswer told = answer ? *answer : problem(answer.error());
        call.result = told.text;
        call.isError = told.isError;
        call.diff = told.diff;
        outcome.code = told.isError ? 1 : 0;
        if (told.isError && stop.stop_requested())
            outcome.kind = domain::OutcomeKind::Cancelled;
    }
    call.state = ToolCallState::Done;
    call.endedAt = domain::nowUtc();
    outcome.duration = std::chrono::milliseconds(call.startedAt.msecsTo(call.endedAt));
    call.outcome = outcome;
    const ToolEnd end = call;
    co_return end;
}

std::unique_ptr<Tool> readFileTool(ToolPlaces places)
{
    ToolSpec spec;
    spec.name = QStringLiteral("read_file");
    spec.description = QStringLiteral(
        "Reads a text file of the sandbox. The result has line numbers, which are not part of the "
        "file. Read a file before you edit it.");
    spec.parameters << pathParameter(
        QStringLiteral("Absolute, or relative to the workspace (not to the shell's directory)"));
    ToolParameter offset;
    offset.name = QStringLiteral("offset");
    offset.type = ParameterType::Integer;
    offset.help = QStringLiteral("First line, from 1");
    offset.aliases = QStringList{QStringLiteral("start_line"), QStringLiteral("line")};
    offset.least = 1;
    ToolParameter limit;
    limit.name = QStringLiteral("limit");
    limit.type = ParameterType::Integer;
    limit.help = QStringLiteral("Number of lines; 2000 when left out");
    limit.aliases = QStringList{QStringLiteral("max_lines"), QStringLiteral("num_lines")};
    limit.least = 1;
    limit.most = 5000;
    spec.parameters << offset << limit;
    return std::make_unique<ReadFileTool>(places, spec);
}

std::unique_ptr<Tool> writeFileTool(ToolPlaces places)
{
    ToolSpec spec;
    spec.name = QStringLiteral("write_file");
    spec.description = QStringLiteral("Creates a file, or replaces the whole content of one that "
                                      "was read before. Missing directories are made.");
    spec.kind = domain::ToolKind::Write;
    spec.parameters << pathParameter(QStringLiteral("Absolute, or relative to the workspace"));
    ToolParameter content;
    content.name = QStringLiteral("content");
    content.required = true;
    content.mayBeEmpty = true;
    content.help = QStringLiteral("The whole new content");
    content.aliases = QStringList{QStringLiteral("contents"), QStringLiteral("text"),
                                  QStringLiteral("file_text")};
    spec.parameters << content;
    return std::make_unique<WriteFileTool>(places, spec);
}

std::unique_ptr<Tool> editFileTool(ToolPlaces places)
{
    ToolSpec spec;
    spec.name = QStringLiteral("edit_file");
    spec.description = QStringLiteral(
        "Replaces text in a file that was read before. old_string must stand in the file exactly "
        "once, with its white space, unless replace_all is set.");
    spec.kind = domain::ToolKind::Write;
    spec.parameters << pathParameter(QStringLiteral("Absolute, or relative to the workspace"));
    ToolParameter from;
    from.name = QStringLiteral("old_string");
    from.required = true;
    from.help = QStringLiteral("The text to be replaced, without line numbers");
    from.aliases = QStringList{QStringLiteral("old_str"), QStringLiteral("old_text")};
    ToolParameter to;
    to.name = QStringLiteral("new_string");
    to.required = true;
    to.mayBeEmpty = true;
    to.help = QStringLiteral("What stands there afterwards");
    to.aliases = QStringList{QStringLiteral("new_str"), QStringLiteral("new_text")};
    ToolParameter all;
    all.name = QStringLiteral("replace_all");
    all.type = ParameterType::Flag;
    all.help = QStringLiteral("Replace every occurrence");
    spec.parameters << from << to << all;
    return std::make_unique<EditFileTool>(places, spec);
}

} // namespace berth::application
