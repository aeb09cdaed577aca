// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The byte stream to the host: finding frames and hosts in what comes in, one bounded queue for
// what goes out.
#include "guest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum sync { SYNC_FIRST, SYNC_FRAMES, SYNC_LOST };

enum {
    DATA_HIGH = 1024 * 1024,     // above this, pipes of commands are not read
    QUEUE_HIGH = 4 * 1024 * 1024 // above this, requests of the host are not read either
};

struct queue
{
    struct frame *head, *tail;
    size_t bytes;
};

static struct
{
    int in, out;
    bool stay, attached, in_end;
    enum sync sync;
    uint32_t zeros, have;
    uint64_t heard, retry;
    struct queue control, data;
    struct frame *writing;
    uint8_t buf[BG_FRAME_OVERHEAD + BG_MAX_TO_GUEST];
} s;

void link_init(int in, int out, bool stay)
{
    s.in = in;
    s.out = out;
    s.stay = stay;
    s.sync = SYNC_FIRST;
}

uint64_t link_heard(void)
{
    return s.heard;
}

static size_t backlog(void)
{
    return s.control.bytes + s.data.bytes + (s.writing ? s.writing->len - s.writing->sent : 0);
}

bool link_full(void)
{
    return backlog() >= DATA_HIGH;
}

static void clear(struct queue *q)
{
    while (q->head) {
        struct frame *f = q->head;
        q->head = f->next;
        free(f);
    }
    *q = (struct queue){0};
}

static void drop_output(void)
{
    clear(&s.control);
    clear(&s.data);
    free(s.writing);
    s.writing = NULL;
}

static void push(struct queue *q, struct frame *f)
{
    if (!s.attached) {
        free(f);
        return;
    }
    f->next = NULL;
    if (q->tail)
        q->tail->next = f;
    else
        q->head = f;
    q->tail = f;
    q->bytes += f->cap; // what it costs, not what it holds
}

void link_control(struct frame *f)
{
    push(&s.control, f);
}

void link_data(struct frame *f)
{
    push(&s.data, f);
}

bool link_stream(uint8_t type, uint32_t id, uint64_t offset, const uint8_t *p, uint32_t n)
{
    struct frame *t = s.data.tail;
    // Bytes may be missing in between: then only a frame of its own can tell.
    if (t && t->data[1] == type && get_u32(t->data + 8) == id
        && get_u32(t->data + BG_HEADER_SIZE) + (t->len - BG_HEADER_SIZE - 8) == (uint32_t)offset
        && t->len - BG_HEADER_SIZE - 8 + n <= BG_MAX_DATA && t->len + n + 1 <= t->cap) {
        memcpy(t->data + t->len, p, n);
        t->len += n;
        return true;
    }
    // Small pieces get room to grow, so that a flood of single bytes does not become a flood of
    // frames.
    uint32_t room = n < 2048 ? 2048 : n;
    struct frame *f = frame_new(type, id, room + 8);
    fr_u64(&f, offset);
    fr_raw(&f, p, n);
    link_data(f);
    return true;
}

static struct frame *pop(struct queue *q)
{
    struct frame *f = q->head;
    if (f) {
        q->head = f->next;
        if (!q->head)
            q->tail = NULL;
        q->bytes -= f->cap;
    }
    return f;
}

static void lost_output(void)
{
    drop_output();
    s.attached = false;
    if (s.stay)
        guest_host_lost();
    else
        guest_stop();
}

static void write_some(void)
{
    for (;;) {
        if (!s.writing) {
            struct frame *f = pop(&s.control);
            if (!f)
                f = pop(&s.data);
            if (!f)
                return;
            // The greeting is magic and nonce in front of the HELLO frame; its length is set by its
            // maker.
            if (f->data[0] == BG_MARKER) {
                put_u32(f->data + 4, f->len - BG_HEADER_SIZE);
                f->data[f->len++] = BG_TRAILER;
            }
            s.writing = f;
        }
        ssize_t n =
            write(s.out, s.writing->data + s.writing->sent, s.writing->len - s.writing->sent);
        if (n < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN)
                lost_output();
            return;
        }
        s.writing->sent += (uint32_t)n;
        if (s.writing->sent == s.writing->len) {
            free(s.writing);
            s.writing = NULL;
        }
    }
}

void link_flush(int ms)
{
    for (int i = 0; i <= ms && (s.writing || backlog()); i += 10) {
        write_some();
        struct pollfd p = {s.out, POLLOUT, 0};
        if (s.writing || backlog())
            poll(&p, 1, 10);
    }
}

void link_fatal(const char *why)
{
    struct frame *f = frame_new(BG_FATAL, 0, 256);
    fr_bytes(&f, why, (uint32_t)strlen(why));
    link_control(f);
    if (!s.stay) {
        link_flush(1000);
        guest_stop();
        return;
    }
    link_flush(100);
    s.sync = SYNC_LOST;
    s.zeros = 0;
    s.attached = false;
    drop_output();
    guest_taken_over();
}

void link_error(uint32_t id, int err, uint8_t stage, const char *text)
{
    struct frame *f = frame_new(BG_ERROR, id, 300);
    fr_u32(&f, (uint32_t)err);
    fr_u8(&f, stage);
    fr_bytes(&f, text, (uint32_t)strnlen(text, 256));
    link_control(f);
}

static void greet(const uint8_t *nonce)
{
    drop_output(); // a half written frame too: the new host skips to its own nonce
    guest_taken_over();
    s.attached = true;
    s.sync = SYNC_FRAMES;
    guest_hello(nonce);
}

// Consumes one item at p; 0 when more bytes are needed.
static uint32_t parse_one(const uint8_t *p, uint32_t n)
{
    uint32_t i = 0;
    if (*p == 0) {
        while (i < n && p[i] == 0)
            i++;
        s.zeros = s.zeros + i < s.zeros ? BG_RESYNC_ZEROS : s.zeros + i;
        return i;
    }
    bool believed = s.sync != SYNC_LOST || s.zeros >= BG_RESYNC_ZEROS;
    if (*p == (uint8_t)BG_MAGIC[0] && believed) {
        uint32_t m = n < BG_MAGIC_SIZE ? n : BG_MAGIC_SIZE;
        if (memcmp(p, BG_MAGIC, m) == 0) {
            if (n < BG_MAGIC_SIZE + BG_NONCE_SIZE)
                return 0;
            s.zeros = 0;
            greet(p + BG_MAGIC_SIZE);
            return BG_MAGIC_SIZE + BG_NONCE_SIZE;
        }
    }
    s.zeros = 0;
    if (s.sync == SYNC_LOST)
        return 1;
    if (s.sync == SYNC_FIRST) {
        s.sync = SYNC_LOST;
        return 1;
    }
    if (*p != BG_MARKER) {
        link_fatal("no frame where one must begin");
        return 1;
    }
    if (n < BG_HEADER_SIZE)
        return 0;
    uint32_t len = get_u32(p + 4);
    if (len > BG_MAX_TO_GUEST || p[2] != 0 || p[3] != 0) {
        link_fatal("frame header out of bounds");
        return 1;
    }
    if (n < len + BG_FRAME_OVERHEAD)
        return 0;
    uint8_t end = p[BG_HEADER_SIZE + len];
    if (end == BG_TRAILER)
        guest_frame(p[1], get_u32(p + 8), p + BG_HEADER_SIZE, len);
    else if (end != 0) // zero: cut by the end of its host, completed by the padding of the next
        link_fatal("frame without its end");
    return len + BG_FRAME_OVERHEAD;
}

void link_parse(void)
{
    uint32_t at = 0;
    while (at < s.have && backlog() < QUEUE_HIGH && !guest.stopping) {
        uint32_t n = parse_one(s.buf + at, s.have - at);
        if (!n)
            break;
        at += n;
    }
    if (at) {
        memmove(s.buf, s.buf + at, s.have - at);
        s.have -= at;
    }
}

static void read_some(void)
{
    if (s.have == sizeof s.buf)
        return;
    ssize_t n = read(s.in, s.buf + s.have, sizeof s.buf - s.have);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        // A container's standard input may get a writer again, so look once a second instead of
        // spinning.
        s.retry = clock_active() + 1000;
        if (s.stay)
            guest_host_lost();
        else
            guest_stop();
        return;
    }
    s.heard = clock_active();
    s.have += (uint32_t)n;
    link_parse();
}

void link_poll(struct pollfd *in, struct pollfd *out)
{
    bool want = backlog() < QUEUE_HIGH && s.have < sizeof s.buf && clock_active() >= s.retry;
    *in = (struct pollfd){want ? s.in : -1, POLLIN, 0};
    *out = (struct pollfd){backlog() ? s.out : -1, POLLOUT, 0};
}

void link_event(short in, short out)
{
    if (in)
        read_some();
    if (out)
        write_some();
}
