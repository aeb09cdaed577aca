// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What commands say: read into a bounded ring, sent from there under the host's credit, and sent
// again to a host that comes later.
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RING_FIRST = BG_MAX_DATA };

bool survives(const struct command *c)
{
    return c->flags & (BG_START_BACKGROUND | BG_START_PTY);
}

void stream_begin(struct stream *s, int fd, uint32_t credit)
{
    *s = (struct stream){.fd = fd, .credit = credit};
}

// The first piece of a ring, of a command that has ended: most are of that size for all their life.
static uint8_t *spare[4];
static unsigned nspare;

static void ring_free(struct stream *s)
{
    if (s->ring && s->cap == RING_FIRST && nspare < sizeof spare / sizeof *spare)
        spare[nspare++] = s->ring;
    else
        free(s->ring);
}

void stream_end(struct stream *s)
{
    shut(&s->fd);
    ring_free(s);
    s->ring = NULL;
    s->cap = 0;
    s->fixed = true;
}

uint64_t stream_oldest(const struct stream *s)
{
    return s->offset > s->cap ? s->offset - s->cap : 0;
}

// A place for the next bytes, at most n; answers how many fit there in one piece.
static uint32_t ring_place(struct stream *s, uint32_t n, uint8_t **to)
{
    uint32_t cap = s->cap ? s->cap : RING_FIRST;
    while (cap < BG_RING && s->offset + n > cap)
        cap *= 2;
    if (cap > s->cap && !s->fixed) {
        // Before it is full for the first time it is not wrapped, so its content stays where it is.
        uint8_t *p =
            !s->ring && cap == RING_FIRST && nspare ? spare[--nspare] : realloc(s->ring, cap);
        if (p) {
            s->ring = p;
            s->cap = cap;
        } else {
            s->fixed = true;
        }
    }
    if (!s->cap)
        _exit(70); // the supervisors see the end of their sockets and clean up
    uint32_t at = (uint32_t)(s->offset % s->cap);
    *to = s->ring + at;
    return n < s->cap - at ? n : s->cap - at;
}

uint32_t stream_room(const struct command *c, int which)
{
    const struct stream *s = &c->s[which];
    if (c->drained || c->failed)
        return BG_MAX_DATA; // of children left behind: read and dropped, so that they go on
    // Not before STARTED went out: the host takes nothing of a command that has not started.
    if (!c->started)
        return 0;
    if (c->attached ? host_silent() && survives(c) : survives(c) || c->kill_reason)
        return BG_MAX_DATA; // the oldest bytes give way
    uint64_t room = s->credit;
    if (!c->attached) { // a foreground command loses nothing
        uint64_t held = s->offset - s->acked, most = s->fixed ? s->cap : BG_RING;
        room = held < most ? most - held : 0;
    } else if (link_full() || s->sent < s->offset) {
        return 0;
    }
    return room < BG_MAX_DATA ? (uint32_t)room : BG_MAX_DATA;
}

bool stream_waiting(const struct command *c, int which)
{
    const struct stream *s = &c->s[which];
    return c->attached && c->started && s->sent < s->offset && s->credit && !link_full();
}

static void pump(struct command *c, int which)
{
    struct stream *s = &c->s[which];
    while (stream_waiting(c, which)) {
        uint64_t oldest = stream_oldest(s);
        if (s->sent < oldest)
            s->sent = oldest; // the offset of the next frame tells what is missing
        if (s->sent == s->offset)
            return;
        uint64_t left = s->offset - s->sent;
        uint32_t at = (uint32_t)(s->sent % s->cap), n = BG_MAX_DATA - 16;
        if (n > left)
            n = (uint32_t)left;
        if (n > s->credit)
            n = s->credit;
        if (n > s->cap - at)
            n = s->cap - at;
        link_stream(which ? BG_ERR : BG_OUT, c->id, s->sent, s->ring + at, n);
        s->sent += n;
        s->credit -= n;
    }
}

void output_pump(struct command *c)
{
    pump(c, 0);
    pump(c, 1);
}

void stream_read(struct command *c, int which)
{
    static uint8_t first[BG_MAX_DATA];
    struct stream *s = &c->s[which];
    for (int round = 0; round < 4 && s->fd >= 0; round++) {
        uint32_t want = stream_room(c, which);
        if (!want)
            return;
        bool drop = c->drained || c->failed;
        // Most streams end without a word: no ring before there is one.
        bool silent = !drop && !s->cap;
        uint8_t *to = first;
        if (!drop && !silent)
            want = ring_place(s, want, &to);
        ssize_t n = read(s->fd, to, want);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0) { // a terminal whose last user has gone answers EIO
            shut(&s->fd);
            s->must = 0;
            return;
        }
        uint32_t got = (uint32_t)n;
        if (drop) {
            c->discarded += got;
            continue;
        }
        if (silent) {
            ring_place(s, got, &to);
            memcpy(to, first, got);
        }
        s->offset += got;
        s->must -= got < s->must ? got : s->must;
        pump(c, which);
    }
}

void output_exit(struct command *c)
{
    static char dumped[BG_MAX_PATH];
    c->exit_sent = true;
    dumped[0] = 0;
    if (c->memfd >= 0)
        link_data(
            state_read(c->memfd, c->id, c->flags & BG_START_INHERIT_ENV, dumped, sizeof dumped));
    else if (c->flags & BG_START_STATE)
        link_data(state_none(c->id, guest.have_memfd ? BG_STATE_NO_DUMP : BG_STATE_UNAVAILABLE));

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
    if (c->kill_reason == BG_KILL_HOST_LOST)
        flags |= BG_EXIT_HOST_LOST;
    struct frame *f = frame_new(BG_EXIT, c->id, (uint32_t)strlen(cwd) + 64);
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
