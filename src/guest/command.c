// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Commands as the guest sees them: one supervisor each, two output streams under credit, one end.
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct command table[BG_MAX_COMMANDS];
static struct tree sweep;
static bool sweeping, silent;
static uint64_t sweep_at;

static struct command *find(uint32_t id)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && !table[i].muted && table[i].id == id)
            return &table[i];
    return NULL;
}

bool command_owns(pid_t pid)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && table[i].sup == pid)
            return true;
    return false;
}

static bool owned(pid_t pid)
{
    return command_owns(pid) || worker_owns(pid);
}

bool command_any(void)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used)
            return true;
    return sweeping;
}

bool command_timed(void)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && (table[i].deadline || table[i].kill_at))
            return true;
    return false;
}

// ---- starting

void command_start(uint32_t id, struct reader *r)
{
    static struct request q;
    q = (struct request){0};
    struct command *c = NULL;
    for (int i = 0; i < BG_MAX_COMMANDS && !c; i++)
        if (!table[i].used)
            c = &table[i];
    if (!id || find(id)) {
        link_error(id, EEXIST, BG_STAGE_REQUEST, "this id is in use");
    } else if (!c) {
        link_error(id, EAGAIN, BG_STAGE_RESOURCES, "too many commands at once");
    } else if (!request_parse(&q, r)) {
        link_error(id, EINVAL, BG_STAGE_REQUEST, "malformed command");
    } else if (q.l.flags & BG_START_PTY) {
        link_error(id, ENOTSUP, BG_STAGE_REQUEST, "terminals are not supported");
    } else {
        *c = (struct command){.used = true,
                              .id = id,
                              .flags = q.l.flags,
                              .grace = q.grace,
                              .ctl = -1,
                              .in = -1,
                              .memfd = -1};
        uint32_t credit = q.credit ? q.credit : BG_CREDIT;
        c->s[0] = c->s[1] =
            (struct stream){.fd = -1, .credit = credit < BG_MAX_CREDIT ? credit : BG_MAX_CREDIT};
        if (q.timeout)
            c->deadline = clock_active() + q.timeout;
        if (!command_spawn(c, &q)) {
            link_error(id, errno, BG_STAGE_RESOURCES, "cannot start a process");
            c->used = false;
        }
    }
    request_release(&q);
}

// ---- orders

void command_credit(uint32_t id, struct reader *r)
{
    uint8_t which = rd_u8(r);
    uint32_t n = rd_u32(r);
    struct command *c = find(id);
    if (!c || r->bad || which > 1)
        return;
    struct stream *s = &c->s[which];
    s->credit = n < BG_MAX_CREDIT - s->credit ? s->credit + n : BG_MAX_CREDIT;
}

static void stdin_gone(struct command *c)
{
    shut(&c->in);
    free(c->pending);
    c->pending = NULL;
    c->pending_len = 0;
    if (!c->muted && !c->stdin_end)
        link_control(frame_new(BG_STDIN_GONE, c->id, 0));
    c->stdin_end = true;
}

static void stdin_push(struct command *c)
{
    uint32_t done = 0;
    while (done < c->pending_len) {
        ssize_t n = write(c->in, c->pending + done, c->pending_len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            if (errno == EAGAIN)
                break;
            stdin_gone(c);
            return;
        }
        done += (uint32_t)n;
    }
    if (done) {
        memmove(c->pending, c->pending + done, c->pending_len - done);
        c->pending_len -= done;
        struct frame *f = frame_new(BG_STDIN_ACK, c->id, 4);
        fr_u32(&f, done);
        link_control(f);
    }
    if (c->stdin_end && !c->pending_len)
        shut(&c->in);
}

void command_stdin(uint32_t id, const uint8_t *p, uint32_t n)
{
    struct command *c = find(id);
    if (!c || c->in < 0 || c->stdin_end)
        return;
    if (!c->pending)
        c->pending = malloc(BG_STDIN_WINDOW);
    if (!c->pending || c->pending_len + n > BG_STDIN_WINDOW) {
        stdin_gone(c); // beyond the window: the host does not keep to the rules
        return;
    }
    memcpy(c->pending + c->pending_len, p, n);
    c->pending_len += n;
    stdin_push(c);
}

void command_stdin_eof(uint32_t id)
{
    struct command *c = find(id);
    if (!c || c->in < 0)
        return;
    c->stdin_end = true;
    if (!c->pending_len)
        shut(&c->in);
}

static void kill_one(struct command *c, uint8_t reason)
{
    if (c->tree_empty || c->failed)
        return;
    if (!c->kill_reason)
        c->kill_reason = reason;
    c->deadline = 0;
    if (!c->kill_at)
        c->kill_at = clock_active() + 1;
    kill(c->sup, SIGCONT); // a command of our own user may have stopped it
    send(c->ctl, "K", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool command_kill(uint32_t id, uint8_t reason)
{
    struct command *c = find(id);
    if (c)
        kill_one(c, reason);
    return c != NULL;
}

void command_kill_all(uint8_t reason, bool background)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && (background || !(table[i].flags & BG_START_BACKGROUND)))
            kill_one(&table[i], reason);
}

void command_take_over(void)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used)
            continue;
        // A foreground command whose main process has ended left these children on purpose; they
        // stay.
        bool keep = (c->flags & BG_START_BACKGROUND) || c->exit_sent;
        if (!keep) {
            kill_one(c, BG_KILL_HOST_LOST);
            c->muted = true;
        }
        // Replay is for a later protocol: until then output of the time without a host is read and
        // dropped, so that the command does not block.
        c->detached = true;
        if (keep)
            c->flags |= BG_START_BACKGROUND;
    }
}

void command_jobs(struct frame **f)
{
    uint32_t at = (*f)->len, n = 0;
    fr_u32(f, 0);
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used || c->muted || c->failed)
            continue;
        fr_u32(f, c->id);
        fr_u32(f, (uint32_t)c->main);
        fr_u32(f, c->flags);
        fr_u8(f, c->exit_sent);
        fr_u64(f, c->s[0].offset);
        fr_u64(f, c->s[1].offset);
        n++;
    }
    put_u32((*f)->data + at, n);
}

// ---- what comes back

// Output nobody will ever ask for: of a muted or detached command, or of children left behind after
// EXIT.
static bool discards(const struct command *c)
{
    return c->muted || c->detached || c->exit_sent || c->failed;
}

static void read_stream(struct command *c, int which)
{
    static uint8_t buf[BG_MAX_DATA];
    struct stream *s = &c->s[which];
    for (int round = 0; round < 4 && s->fd >= 0; round++) {
        bool drop = discards(c);
        uint32_t want = drop || s->credit > sizeof buf ? (uint32_t)sizeof buf : s->credit;
        if (!want || (!drop && link_full()))
            return;
        ssize_t n = read(s->fd, buf, want);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0) {
            shut(&s->fd);
            s->must = 0;
            return;
        }
        uint32_t got = (uint32_t)n;
        if (drop) {
            c->discarded += got;
        } else {
            link_stream(which ? BG_ERR : BG_OUT, c->id, s->offset, buf, got);
            s->credit -= got;
        }
        s->offset += got;
        s->must -= got < s->must ? got : s->must;
    }
}

static void read_ctl(struct command *c)
{
    static struct sup_message m;
    for (;;) {
        ssize_t n = recv(c->ctl, &m, sizeof m, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n != sizeof m) {
            shut(&c->ctl);
            return;
        }
        switch (m.what) {
        case SUP_STARTED: {
            c->started = true;
            c->main = m.value;
            struct frame *f = frame_new(BG_STARTED, c->id, 4);
            fr_u32(&f, (uint32_t)m.value);
            if (c->muted)
                free(f);
            else
                link_control(f);
            break;
        }
        case SUP_FAILED:
            c->failed = c->tree_empty = true;
            if (!c->muted)
                link_error(c->id, m.value, m.stage, strerror(m.value));
            break;
        case SUP_EXIT:
            c->exited = true;
            c->end = m;
            c->tree_empty = m.alone;
            c->exit_at = clock_active();
            break;
        case SUP_EMPTY:
            c->tree_empty = m.value == 0;
            c->killed = m.killed;
            c->lost = m.value != 0; // what is left when the supervisor gave up comes to us
            break;
        default:
            break;
        }
    }
}

static void send_exit(struct command *c)
{
    static char dumped[BG_MAX_PATH];
    c->exit_sent = true;
    dumped[0] = 0;
    if (c->muted)
        return;
    bool asked = c->flags & BG_START_STATE;
    if (c->memfd >= 0)
        link_data(
            state_read(c->memfd, c->id, c->flags & BG_START_INHERIT_ENV, dumped, sizeof dumped));
    else if (asked)
        link_data(state_none(c->id, guest.have_memfd ? BG_STATE_NO_DUMP : BG_STATE_UNAVAILABLE));
    shut(&c->memfd);

    int st = c->end.value;
    uint8_t kind = WIFEXITED(st) ? BG_EXITED : BG_SIGNALLED;
    if (kind == BG_SIGNALLED && c->kill_reason)
        kind = c->kill_reason == BG_KILL_TIMEOUT ? BG_TIMED_OUT : BG_KILLED;
    const char *cwd = c->end.cwd;
    uint8_t flags = (uint8_t)c->exit_flags;
    if (c->end.traced) {
        flags |= BG_EXIT_CWD_TRACED;
    } else if (dumped[0]) {
        cwd = dumped;
        flags |= BG_EXIT_CWD_DUMPED;
    }
    if (c->s[0].fd >= 0 || c->s[1].fd >= 0)
        flags |= BG_EXIT_STREAMS_OPEN;
    if (!c->tree_empty)
        flags |= BG_EXIT_TREE_ALIVE;
    struct frame *f = frame_new(BG_EXIT, c->id, BG_MAX_PATH + 64);
    fr_u8(&f, kind);
    fr_u8(&f, flags);
    fr_u32(&f, (uint32_t)(WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st)));
    fr_u64(&f, c->end.user_us);
    fr_u64(&f, c->end.system_us);
    fr_u64(&f, c->end.max_rss_kib);
    fr_u64(&f, c->s[0].offset);
    fr_u64(&f, c->s[1].offset);
    fr_bytes(&f, cwd, (uint32_t)strlen(cwd));
    link_data(f);
}

static void forget(struct command *c)
{
    if (c->exit_sent && !c->muted) {
        struct frame *f = frame_new(BG_CLOSED, c->id, 12);
        fr_u32(&f, c->killed);
        fr_u64(&f, c->discarded);
        link_data(f);
    }
    shut(&c->ctl);
    shut(&c->in);
    shut(&c->memfd);
    shut(&c->s[0].fd);
    shut(&c->s[1].fd);
    free(c->pending);
    c->pending = NULL;
    c->used = false;
}

static void settle(struct command *c)
{
    c->settled = true;
    for (int i = 0; i < 2; i++) {
        int n = 0;
        if (c->s[i].fd >= 0 && ioctl(c->s[i].fd, FIONREAD, &n) == 0)
            c->s[i].must = n > 0 ? (uint32_t)n : 0;
    }
}

static void start_sweep(void)
{
    if (sweeping)
        return;
    sweeping = true;
    sweep = (struct tree){.root = getpid(), .skip = owned};
    sweep_at = 0;
}

static void advance(struct command *c)
{
    uint64_t now = clock_active();
    if (c->deadline && now >= c->deadline && !c->exited)
        kill_one(c, BG_KILL_TIMEOUT);
    // A supervisor that is itself stopped does not answer; end it, then its orphans come to us.
    if (c->kill_at && !c->sup_gone && now >= c->kill_at + 2000) {
        char st = process_state(c->sup);
        if (st == 'T' || st == 't')
            kill(c->sup, SIGKILL);
        c->kill_at = now;
    }
    if (c->sup_gone && c->ctl < 0 && !c->tree_empty && !c->failed) {
        if (!c->started) {
            link_error(c->id, EIO, BG_STAGE_RESOURCES, "the supervisor of the command died");
            c->failed = true;
        } else if (!c->exited) {
            c->exited = true;
            c->end = (struct sup_message){.value = SIGKILL};
            c->exit_flags |= BG_EXIT_SUPERVISOR_LOST;
            c->exit_at = now;
        }
        if (!c->lost)
            c->lost = true;
        start_sweep();
    }
    if (c->exited && !c->exit_sent) {
        bool ended = c->s[0].fd < 0 && c->s[1].fd < 0;
        if (!ended && !c->settled && now >= c->exit_at + c->grace)
            settle(c);
        if (c->muted || ended || (c->settled && !c->s[0].must && !c->s[1].must))
            send_exit(c);
    }
    if (c->sup_gone && c->ctl < 0 && c->tree_empty && (c->exit_sent || c->failed))
        forget(c);
}

void command_reaped(pid_t pid, int status)
{
    (void)status;
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && table[i].sup == pid && !table[i].sup_gone) {
            table[i].sup_gone = true;
            table[i].sup = -1; // the number may be given to another process
            return;
        }
}

// ---- the loop

static struct
{
    struct pollfd *p;
    uint8_t command[4 * BG_MAX_COMMANDS], what[4 * BG_MAX_COMMANDS];
    int n;
} polled;

static void want(int i, int what, int fd, short events, int room)
{
    if (fd < 0 || polled.n == room)
        return;
    polled.p[polled.n] = (struct pollfd){fd, events, 0};
    polled.command[polled.n] = (uint8_t)i;
    polled.what[polled.n++] = (uint8_t)what;
}

int command_poll(struct pollfd *p, int room)
{
    polled.p = p;
    polled.n = 0;
    bool full = link_full();
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used)
            continue;
        want(i, 0, c->ctl, POLLIN, room);
        for (int k = 0; k < 2; k++)
            // Not before STARTED went out: the host takes nothing of a command that has not
            // started.
            if (discards(c) || (c->started && !full && c->s[k].credit))
                want(i, 1 + k, c->s[k].fd, POLLIN, room);
        if (c->pending_len)
            want(i, 3, c->in, POLLOUT, room);
    }
    return polled.n;
}

void command_events(void)
{
    for (int i = 0; i < polled.n; i++) {
        struct command *c = &table[polled.command[i]];
        if (!polled.p[i].revents || !c->used)
            continue;
        switch (polled.what[i]) {
        case 0:
            read_ctl(c);
            break;
        case 1:
        case 2:
            read_stream(c, polled.what[i] - 1);
            break;
        default:
            if (c->in >= 0)
                stdin_push(c);
        }
    }
    polled.n = 0;
}

void command_tick(void)
{
    uint64_t now = clock_active();
    if (now - link_heard() > BG_SILENCE_MS) {
        if (!silent) {
            command_kill_all(BG_KILL_HOST_LOST, false);
            worker_cancel_writes();
        }
        silent = true;
    } else {
        silent = false;
    }
    if (sweeping && now >= sweep_at) {
        sweep_at = now + 5;
        if (tree_pass(&sweep) || sweep.passes > (sweep.denied ? 400u : 4000u)) {
            sweeping = false;
            for (int i = 0; i < BG_MAX_COMMANDS; i++)
                if (table[i].used && table[i].lost && table[i].sup_gone) {
                    table[i].tree_empty = true;
                    table[i].killed += sweep.killed;
                }
        }
    }
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used)
            advance(&table[i]);
}

int command_wait(void)
{
    uint64_t now = clock_active(), best = 1000;
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used)
            continue;
        uint64_t at = 0;
        if (c->deadline && !c->exited)
            at = c->deadline;
        if (c->exited && !c->exit_sent && !c->settled)
            at = c->exit_at + c->grace;
        if (at && at <= now)
            return 0;
        if (at && at - now < best)
            best = at - now;
    }
    return sweeping && best > 5 ? 5 : (int)best;
}
