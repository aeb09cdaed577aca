// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Commands as the guest sees them: one supervisor each, two output streams, one end, and a host
// that may go and come back.
#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct command table[BG_MAX_COMMANDS];
static struct tree sweep;
static bool sweeping, silent;
static uint64_t sweep_at;
static uint32_t ended_count;

struct command *command_find(uint32_t id)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && table[i].id == id)
            return &table[i];
    return NULL;
}

bool host_silent(void)
{
    return silent;
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
        if (table[i].used && !table[i].closed)
            return true;
    return sweeping;
}

bool command_timed(void)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && (table[i].deadline || table[i].kill_at || table[i].claim_by))
            return true;
    return false;
}

static void forget(struct command *c)
{
    shut(&c->ctl);
    shut(&c->in);
    shut(&c->memfd);
    stream_end(&c->s[0]);
    stream_end(&c->s[1]);
    free(c->pending);
    c->pending = NULL;
    c->used = false;
}

// The one that ended first of those that are kept for a later host only; NULL when they are not
// more than allowed.
static struct command *oldest_ended(int allowed)
{
    struct command *oldest = NULL;
    int n = 0;
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used || !c->closed || (c->attached && !c->exit_sent))
            continue;
        n++;
        if (!oldest || c->ended_no < oldest->ended_no)
            oldest = c;
    }
    return n > allowed ? oldest : NULL;
}

// ---- starting

static uint32_t bounded_credit(uint32_t asked)
{
    uint32_t credit = asked ? asked : BG_CREDIT;
    return credit < BG_MAX_CREDIT ? credit : BG_MAX_CREDIT;
}

void command_start(uint32_t id, struct reader *r)
{
    static struct request q;
    q = (struct request){.body = r->p, .body_len = (uint32_t)(r->end - r->p)};
    struct command *c = NULL;
    for (int i = 0; i < BG_MAX_COMMANDS && !c; i++)
        if (!table[i].used)
            c = &table[i];
    if (!c && (c = oldest_ended(0)))
        forget(c);
    if (!id || command_find(id)) {
        link_error(id, EEXIST, BG_STAGE_REQUEST, "this id is in use");
    } else if (!c) {
        link_error(id, EAGAIN, BG_STAGE_RESOURCES, "too many commands at once");
    } else if (!request_parse(&q, r)) {
        link_error(id, EINVAL, BG_STAGE_REQUEST, "malformed command");
    } else {
        *c = (struct command){.used = true,
                              .attached = true,
                              .line_start = true,
                              .id = id,
                              .flags = q.l.flags,
                              .grace = q.grace,
                              .ctl = -1,
                              .in = -1,
                              .memfd = -1,
                              .tag_len = q.tag_len};
        memcpy(c->tag, q.tag, q.tag_len);
        c->s[0].fd = c->s[1].fd = -1;
        if (memory_kills(&c->memory_kills))
            c->exit_flags |= BG_EXIT_MEMORY_KNOWN;
        q.credit = bounded_credit(q.credit);
        if (q.timeout)
            c->deadline = clock_active() + q.timeout;
        if (!command_spawn(c, &q)) {
            int e = errno;
            char text[200];
            snprintf(text, sizeof text, "%s: %s",
                     q.stage == BG_STAGE_TERMINAL ? "no terminal (/dev/ptmx)"
                                                  : "cannot start a process",
                     strerror(e));
            link_error(id, e, q.stage, text);
            c->used = false;
        }
    }
    request_release(&q);
}

// ---- a host that goes and comes

static void let_go(struct command *c)
{
    c->attached = c->exit_sent = false;
    if (!survives(c) && !c->drained && !c->claim_by)
        c->claim_by = clock_active() + guest.grace;
}

void command_host_lost(void)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && table[i].attached)
            let_go(&table[i]);
}

void command_detach(uint32_t id, struct reader *r)
{
    bool has_end = rd_u8(r);
    struct command *c = command_find(id);
    if (!c || !c->attached || r->bad)
        return;
    if (!has_end || !c->exit_sent) {
        let_go(c);
        return;
    }
    // What children write from now on is dropped already.
    c->released = true;
    c->attached = false;
    if (!survives(c)) {
        int fd[2] = {c->s[0].fd, c->s[1].fd};
        for (int i = 0; i < 2; i++) {
            c->s[i].fd = -1;
            stream_end(&c->s[i]);
            c->s[i].fd = fd[i];
        }
    }
    if (c->closed)
        forget(c);
}

void command_attach(uint32_t id, struct reader *r)
{
    uint64_t from[2] = {rd_u64(r), 0};
    from[1] = rd_u64(r);
    uint32_t credit = bounded_credit(rd_u32(r));
    struct command *c = command_find(id);
    if (r->bad) {
        link_error(id, EINVAL, BG_STAGE_REQUEST, "malformed request");
        return;
    }
    if (!c || !c->started || c->failed) {
        link_error(id, ENOENT, BG_STAGE_REQUEST, "there is no such command");
        return;
    }
    if (from[0] > c->s[0].offset || from[1] > c->s[1].offset) {
        link_error(id, EINVAL, BG_STAGE_REQUEST, "it has not written so much");
        return;
    }
    for (int i = 0; i < 2; i++) {
        struct stream *s = &c->s[i];
        uint64_t oldest = stream_oldest(s);
        s->acked = s->sent = from[i] > oldest ? from[i] : oldest;
        s->credit = credit;
    }
    c->attached = true;
    c->exit_sent = false;
    c->claim_by = 0;
    struct frame *f = frame_new(BG_ATTACHED, id, 64);
    fr_u32(&f, (uint32_t)c->main);
    fr_u32(&f, c->flags);
    fr_u64(&f, c->s[0].sent);
    fr_u64(&f, c->s[1].sent);
    fr_u8(&f, c->in >= 0 && !c->stdin_end);
    fr_u32(&f, BG_STDIN_WINDOW - c->pending_len);
    link_data(f); // behind whatever was sent of it before
}

void command_jobs(struct frame **f)
{
    uint32_t at = (*f)->len, n = 0;
    fr_u32(f, 0);
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used || c->failed || !c->started)
            continue;
        fr_u32(f, c->id);
        fr_u32(f, (uint32_t)c->main);
        fr_u32(f, c->flags);
        fr_u8(f,
              (c->exited ? BG_JOB_ENDED : 0) | (c->attached ? BG_JOB_FOLLOWED : 0)
                  | (c->released ? BG_JOB_RELEASED : 0) | (c->tree_empty ? BG_JOB_EMPTY : 0));
        fr_u64(f, c->s[0].offset);
        fr_u64(f, c->s[1].offset);
        fr_bytes(f, c->tag, c->tag_len);
        n++;
    }
    put_u32((*f)->data + at, n);
}

// ---- orders

void command_credit(uint32_t id, struct reader *r)
{
    uint8_t which = rd_u8(r);
    uint32_t n = rd_u32(r);
    struct command *c = command_find(id);
    if (!c || !c->attached || r->bad || which > 1)
        return;
    struct stream *s = &c->s[which];
    s->credit = n < BG_MAX_CREDIT - s->credit ? s->credit + n : BG_MAX_CREDIT;
    s->acked = n < s->sent - s->acked ? s->acked + n : s->sent;
}

// By the supervisor: it alone knows that the number still is the command's.
void command_signal(uint32_t id, struct reader *r)
{
    uint8_t order[3] = {'S', rd_u8(r), 0};
    order[2] = rd_u8(r);
    struct command *c = command_find(id);
    if (c && !r->bad && c->started && !c->exited && order[1] < 65 && order[2] <= BG_SIGNAL_TREE)
        send(c->ctl, order, sizeof order, MSG_DONTWAIT | MSG_NOSIGNAL);
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
    struct command *c = command_find(id);
    if (c)
        kill_one(c, reason);
    return c != NULL;
}

void command_kill_all(uint8_t reason, bool all)
{
    for (int i = 0; i < BG_MAX_COMMANDS; i++)
        if (table[i].used && (all || (!survives(&table[i]) && !table[i].drained)))
            kill_one(&table[i], reason);
}

// ---- what comes back

static void ran_out_of_memory(struct command *c)
{
    uint64_t kills;
    if ((c->exit_flags & BG_EXIT_MEMORY_KNOWN) && memory_kills(&kills) && kills > c->memory_kills)
        c->exit_flags |= BG_EXIT_OUT_OF_MEMORY;
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
            if (c->attached)
                link_control(f);
            else
                free(f);
            break;
        }
        case SUP_FAILED:
            c->failed = c->tree_empty = true;
            if (c->attached)
                link_error(c->id, m.value, m.stage, strerror(m.value));
            break;
        case SUP_EXIT:
            c->exited = true;
            c->end = m;
            c->tree_empty = m.alone;
            c->exit_at = clock_active();
            ran_out_of_memory(c);
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

// Nothing runs any more. The end and the last output stay until a host has them.
static void close_command(struct command *c)
{
    c->closed = true;
    c->ended_no = ++ended_count;
    shut(&c->in);
    shut(&c->s[0].fd);
    shut(&c->s[1].fd);
    struct frame *f = frame_new(BG_CLOSED, c->id, 12);
    fr_u32(&f, c->killed);
    fr_u64(&f, c->discarded);
    if (c->exit_sent)
        link_data(f);
    else
        free(f); // with the EXIT that is still to be sent, TREE_ALIVE not set says it
    struct command *old;
    if (c->released)
        forget(c);
    while ((old = oldest_ended(BG_MAX_ENDED)))
        forget(old);
}

static void advance(struct command *c)
{
    uint64_t now = clock_active();
    if (c->deadline && now >= c->deadline && !c->exited)
        kill_one(c, BG_KILL_TIMEOUT);
    if (c->claim_by && now >= c->claim_by) {
        c->claim_by = 0;
        if (!c->exited)
            kill_one(c, BG_KILL_HOST_LOST);
        if (!c->kill_reason)
            c->kill_reason = BG_KILL_HOST_LOST; // its output is not waited for any longer
    }
    // A supervisor that is itself stopped does not answer; end it, then its orphans come to us.
    if (c->kill_at && !c->sup_gone && now >= c->kill_at + 2000) {
        char st = process_state(c->sup);
        if (st == 'T' || st == 't')
            kill(c->sup, SIGKILL);
        c->kill_at = now;
    }
    if (c->sup_gone && c->ctl < 0 && !c->tree_empty && !c->failed) {
        if (!c->started) {
            if (c->attached)
                link_error(c->id, EIO, BG_STAGE_RESOURCES, "the supervisor of the command died");
            c->failed = true;
        } else if (!c->exited) {
            c->exited = true;
            c->end = (struct sup_message){.value = SIGKILL};
            ran_out_of_memory(c);
            c->exit_flags |= BG_EXIT_SUPERVISOR_LOST;
            c->exit_at = now;
        }
        if (!c->lost)
            c->lost = true;
        start_sweep();
    }
    if (c->exited && !c->drained) {
        bool ended = c->s[0].fd < 0 && c->s[1].fd < 0;
        if (!ended && !c->settled && now >= c->exit_at + c->grace)
            settle(c);
        c->drained = ended || (c->settled && !c->s[0].must && !c->s[1].must);
        if (c->drained)
            c->claim_by = 0;
    }
    output_pump(c);
    if (c->drained && c->attached && !c->exit_sent && c->s[0].sent == c->s[0].offset
        && c->s[1].sent == c->s[1].offset)
        output_exit(c);
    if (c->sup_gone && c->ctl < 0 && c->tree_empty && !c->closed) {
        if (c->failed)
            forget(c);
        else if (c->drained && (c->exit_sent || !c->attached))
            close_command(c);
    }
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
    for (int i = 0; i < BG_MAX_COMMANDS; i++) {
        struct command *c = &table[i];
        if (!c->used)
            continue;
        want(i, 0, c->ctl, POLLIN, room);
        for (int k = 0; k < 2; k++)
            if (stream_room(c, k))
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
            stream_read(c, polled.what[i] - 1);
            break;
        default:
            if (c->in >= 0)
                input_push(c);
        }
    }
    polled.n = 0;
}

void command_tick(void)
{
    uint64_t now = clock_active();
    if (now - link_heard() > guest.silence) {
        if (!silent) {
            // Those that another host may still claim have their own time.
            for (int i = 0; i < BG_MAX_COMMANDS; i++)
                if (table[i].used && table[i].attached && !survives(&table[i]) && !table[i].drained)
                    kill_one(&table[i], BG_KILL_HOST_LOST);
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
        if (c->claim_by && (!at || c->claim_by < at))
            at = c->claim_by;
        if (c->exited && !c->drained && !c->settled)
            at = c->exit_at + c->grace;
        if (stream_waiting(c, 0) || stream_waiting(c, 1))
            return 0;
        if (at && at <= now)
            return 0;
        if (at && at - now < best)
            best = at - now;
    }
    return sweeping && best > 5 ? 5 : (int)best;
}
