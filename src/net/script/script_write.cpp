// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/script/script_write.h"

#include "async/scope.h"
#include "async/turnstile.h"
#include "net/script/script_call.h"
#include "net/script/script_file_system.h"
#include "net/script/tracked_command.h"

namespace berth::net {

using domain::Async;
using domain::ErrorKind;
using domain::failure;
using domain::FileWriter;
using domain::Result;
using domain::SandboxPath;

namespace {

using Runner = std::shared_ptr<ScriptRunner>;

// From _p, the path: _t, the file that a link there stands for (busybox 1.35 looks for that of a
// link into the void from the working directory on), and _k, the temporary one beside
// it. _u: not if there is one.
constexpr char kOpen[] = R"sh(_t=$_p
if [ -h "$_p" ]; then
[ -z "$_u" ] || _x exists
if [ -e "$_p" ]; then
_t=$(readlink -f -n -- "$_p"; printf x); _t=${_t%x}
else
_t=$(readlink -n -- "$_p"; printf x); _t=${_t%x}
case $_t in ''|/*) ;; *) _t=${_p%/*}/$_t;; esac
[ ! -h "$_t" ] || _x kind
fi
[ -n "$_t" ] || _x kind
fi
[ ! -d "$_t" ] || [ -z "$_u" ] || _x exists
[ ! -d "$_t" ] || _x kind
if [ -e "$_t" ]; then
[ -z "$_u" ] || _x exists
[ -f "$_t" ] || _x kind
[ -w "$_t" ] || _x denied
fi
_d=${_t%/*}; [ -n "$_d" ] || _d=/
[ -d "$_d" ] || mkdir -p -- "$_d" || [ -d "$_d" ] || _v "$_d"
[ -w "$_d" ] && [ -x "$_d" ] || _x denied
_k=${_d%/}/.berth-$_a.tmp
umask 077; set -C
printf '' >"$_k" || _x full
set +C
)sh";

// Not what was removed meanwhile: nobody would remove it again.
constexpr char kAppend[] = R"sh([ -f "$_k" ] || _x gone
_i >>"$_k" || _x full
)sh";

// _o: the permissions, or empty for those of the file that is replaced; _s: how many bytes there
// must be.
constexpr char kCommit[] = R"sh(_z() { rm -f -- "$_k"; _x "$1"; }
[ -f "$_k" ] || _x gone
[ "$(wc -c <"$_k")" -eq "$_s" ] || _z short
if [ -e "$_t" ]; then
set -- $(stat -c '%u:%g %a' -- "$_t")
[ -n "$_o" ] || _o=${2:-644}
chown "$1" "$_k" || case $_o in ????) _o=${_o#?};; esac
fi
chmod "${_o:-644}" "$_k" || _z failed
if [ -n "$_u" ]; then
if [ -e "$_t" ] || [ -h "$_t" ]; then _z exists; fi
if ln -- "$_k" "$_t"; then rm -f -- "$_k"; _x ok; fi
(set -C; : >"$_t") || _z exists
fi
[ ! -d "$_t" ] || _z kind
mv -f -T -- "$_k" "$_t" || mv -f -- "$_k" "$_t" || _z failed
trap - EXIT
)sh";

QByteArray variable(const char *name, const QByteArray &value)
{
    return QByteArray(name) + '=' + shellWord(value) + '\n';
}

//! One file under way.
struct Draft
{
    Runner runner;
    SandboxPath path;
    QByteArray mode;
    bool refusesExisting = false;
    //! As the sandbox told them.
    QByteArray temporary;
    QByteArray target;
    qint64 size = 0;
    enum { Open, Committed, Aborted, Broken } state = Open;
    bool hasRemains = false;
    std::stop_source stop;
    async::Turnstile turn;
    //! Of the removal, which nobody awaits.
    async::Scope scope;

    [[nodiscard]] ScriptCall call(const QByteArray &body) const
    {
        return {body, {}, QStringLiteral("Cannot write the file"), path};
    }
    [[nodiscard]] QByteArray names() const
    {
        return variable("_k", temporary) + variable("_t", target);
    }
    [[nodiscard]] QByteArray wishes() const
    {
        return variable("_o", mode) + variable("_u", refusesExisting ? "1" : "")
            + variable("_s", QByteArray::number(size));
    }
};

using SharedDraft = std::shared_ptr<Draft>;

domain::Error overError(const Draft &draft)
{
    if (draft.state == Draft::Committed)
        return {ErrorKind::Conflict, QStringLiteral("The file was written already"), {}, {}, {}};
    return {ErrorKind::Cancelled, QStringLiteral("The file was given up"), {}, {}, {}};
}

async::Task<void> removeRemains(SharedDraft draft)
{
    // Behind the piece that is under way.
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await draft->turn.enter();
    const ScriptCall call = draft->call(draft->names() + "rm -f -- \"$_k\"");
    co_await askByScript(draft->runner, call, {});
}

void giveUp(const SharedDraft &draft)
{
    if (draft->state == Draft::Committed)
        return;
    if (draft->state == Draft::Open)
        draft->state = Draft::Aborted;
    draft->stop.request_stop();
    if (std::exchange(draft->hasRemains, false))
        draft->scope.spawn(removeRemains(draft));
}

//! Either of the two.
class BothStops
{
public:
    BothStops(const std::stop_token &one, const std::stop_token &other)
        : m_one(one, Request{m_source}), m_other(other, Request{m_source})
    {}
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    struct Request
    {
        std::stop_source source;
        void operator()() { source.request_stop(); }
    };
    std::stop_source m_source;
    std::stop_callback<Request> m_one;
    std::stop_callback<Request> m_other;
};

Async<void> openDraft(SharedDraft draft, std::stop_token stop)
{
    ScriptCall call =
        draft->call(pathVariable("_p", draft->path) + variable("_a", newRunId()) + draft->wishes());
    call.body += kOpen;
    call.body += "printf '%s\\0%s' \"$_k\" \"$_t\"";
    const Result<ScriptAnswer> answer = co_await askByScript(draft->runner, call, stop);
    if (!answer)
        co_return failure(answer.error());
    const qsizetype middle = answer->body.indexOf('\0');
    if (middle < 1)
        co_return failure(ErrorKind::Protocol,
                          QStringLiteral("Cannot write the file: the sandbox answered nonsense"));
    draft->temporary = answer->body.left(middle);
    draft->target = answer->body.mid(middle + 1);
    draft->hasRemains = true;
    co_return Result<void>();
}

Async<void> appendToDraft(SharedDraft draft, QByteArray bytes, std::stop_token stop)
{
    const BothStops both(stop, draft->stop.get_token());
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await draft->turn.enter();
    if (draft->state != Draft::Open)
        co_return failure(overError(*draft));
    const qint64 piece = largestScriptInput(*draft->runner);
    for (qint64 at = 0; at < bytes.size(); at += piece) {
        ScriptCall call = draft->call(draft->names() + kAppend);
        call.input = bytes.mid(at, piece);
        const std::stop_token token = both.token();
        const Result<ScriptAnswer> answer = co_await askByScript(draft->runner, call, token);
        if (!answer) {
            // How much of it arrived is not known.
            if (draft->state == Draft::Open)
                draft->state = Draft::Broken;
            giveUp(draft);
            co_return failure(answer.error());
        }
        draft->size += std::min<qint64>(piece, bytes.size() - at);
    }
    co_return Result<void>();
}

Async<void> commitDraft(SharedDraft draft, std::stop_token stop)
{
    const std::shared_ptr<async::Turnstile::Pass> pass = co_await draft->turn.enter();
    if (draft->state != Draft::Open)
        co_return failure(overError(*draft));
    const ScriptCall call = draft->call(draft->names() + draft->wishes() + kCommit);
    const Result<ScriptAnswer> answer = co_await askByScript(draft->runner, call, stop);
    if (!answer) {
        draft->state = Draft::Broken;
        giveUp(draft);
        co_return failure(answer.error());
    }
    draft->state = Draft::Committed;
    co_return Result<void>();
}

class ScriptWriter : public FileWriter
{
public:
    explicit ScriptWriter(SharedDraft draft) : m_draft(std::move(draft)) {}
    ~ScriptWriter() override { giveUp(m_draft); }
    ScriptWriter(const ScriptWriter &) = delete;
    ScriptWriter &operator=(const ScriptWriter &) = delete;

    Async<void> append(QByteArray bytes, std::stop_token stop) override
    {
        return appendToDraft(m_draft, std::move(bytes), std::move(stop));
    }
    Async<void> commit(std::stop_token stop) override
    {
        return commitDraft(m_draft, std::move(stop));
    }
    void abort() override { giveUp(m_draft); }

private:
    SharedDraft m_draft;
};

SharedDraft draftOf(const Runner &runner, const SandboxPath &path)
{
    const auto draft = std::make_shared<Draft>();
    draft->runner = runner;
    draft->path = path;
    return draft;
}

} // namespace

Async<void> writeByScript(Runner runner, SandboxPath path, QByteArray content, std::stop_token stop)
{
    if (const auto problem = pathProblem(path))
        co_return failure(*problem);
    const SharedDraft draft = draftOf(runner, path);
    if (content.size() <= largestScriptInput(*runner)) {
        draft->size = content.size();
        ScriptCall call = draft->call(pathVariable("_p", path) + variable("_a", newRunId())
                                      + draft->wishes() + kOpen + "trap 'rm -f -- \"$_k\"' EXIT\n");
        if (!content.isEmpty())
            call.body += kAppend;
        call.body += kCommit;
        call.input = content;
        const Result<ScriptAnswer> answer = co_await askByScript(runner, call, stop);
        if (!answer)
            co_return failure(answer.error());
        co_return Result<void>();
    }
    const Result<void> opened = co_await openDraft(draft, stop);
    if (!opened)
        co_return failure(opened.error());
    const auto writer = std::make_shared<ScriptWriter>(draft);
    const Result<void> appended = co_await writer->append(content, stop);
    if (!appended)
        co_return failure(appended.error());
    const Result<void> committed = co_await writer->commit(stop);
    co_return committed;
}

Async<std::shared_ptr<FileWriter>> openWriteByScript(Runner runner, SandboxPath path, int mode,
                                                     bool refuseExisting, std::stop_token stop)
{
    if (const auto problem = pathProblem(path))
        co_return failure(*problem);
    const SharedDraft draft = draftOf(runner, path);
    if (mode >= 0)
        draft->mode = QByteArray::number(mode & 07777, 8);
    draft->refusesExisting = refuseExisting;
    const Result<void> opened = co_await openDraft(draft, stop);
    if (!opened)
        co_return failure(opened.error());
    const std::shared_ptr<FileWriter> writer = std::make_shared<ScriptWriter>(draft);
    co_return writer;
}

} // namespace berth::net
