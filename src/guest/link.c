// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The byte streams to the host: finding frames and hosts in what comes in, one bounded queue for
// what goes out. Hosts come over the stream that the guest was started with; one that has greeted
// may name a socket, and greet once more over that. The first stream is listened to all the time,
// since the next host comes there.
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
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

struct line
{
    int in, out;
    enum sync sync;
    uint32_t zeros, have;
    uint64_t retry;
    uint8_t buf[BG_FRAME_OVERHEAD + BG_MAX_TO_GUEST];
};

enum { STREAM, SOCKET, LINES };

static struct
{
    struct line line[LINES], *active;
    bool stay, attached;
    uint64_t heard;
    struct queue control, data;
    struct frame *writing;
} s;

void link_init(int in, int out, bool stay)
{
    s.line[STREAM].in = in;
    s.line[STREAM].out = out;
    s.line[STREAM].sync = SYNC_FIRST;
    s.line[SOCKET].in = s.line[SOCKET].out = -1;
    s.active = &s.line[STREAM];
    s.stay = stay;
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
        frame_free(f);
    }
    *q = (struct queue){0};
}

static void drop_output(void)
{
    clear(&s.control);
    clear(&s.data);
    frame_free(s.writing);
    s.writing = NULL;
}

static void push(struct queue *q, struct frame *f)
{
    if (!s.attached) {
        frame_free(f);
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

static void hang_up(void)
{
    struct line *l = &s.line[SOCKET];
    if (l->in >= 0)
        close(l->in);
    l->in = l->out = -1;
    l->have = 0;
}

// The stream to the host of now has ended. After a socket the next one comes over the first stream,
// and its first words may follow the rest of those of a host before it.
static void lost_host(void)
{
    bool moved = s.active == &s.line[SOCKET];
    if (moved) {
        hang_up();
        s.active = &s.line[STREAM];
    }
    drop_output();
    s.attached = false;
    if (s.stay || moved)
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
        ssize_t n = write(s.active->out, s.writing->data + s.writing->sent,
                          s.writing->len - s.writing->sent);
        if (n < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN)
                lost_host();
            return;
        }
        s.writing->sent += (uint32_t)n;
        if (s.writing->sent == s.writing->len) {
            frame_free(s.writing);
            s.writing = NULL;
        }
    }
}

void link_flush(int ms)
{
    for (int i = 0; i <= ms && (s.writing || backlog()); i += 10) {
        write_some();
        struct pollfd p = {s.active->out, POLLOUT, 0};
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
    s.active->sync = SYNC_LOST;
    s.active->zeros = 0;
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

void link_move(uint32_t id, struct reader *r)
{
    struct bytes token = rd_bytes(r, BG_MOVE_TOKEN);
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (!rd_string(r, to.sun_path, sizeof to.sun_path) || token.n != BG_MOVE_TOKEN
        || s.active != &s.line[STREAM]) {
        link_error(id, EINVAL, BG_STAGE_REQUEST, "no such move");
        return;
    }
    hang_up();
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    // A local socket connects at once or, with a full backlog, not now.
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)
        || send(fd, token.p, token.n, MSG_NOSIGNAL) != (ssize_t)token.n) {
        link_error(id, errno, BG_STAGE_RESOURCES, "the socket cannot be reached");
        if (fd >= 0)
            close(fd);
        return;
    }
    int room = 1024 * 1024; // as far as the system lets us
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    struct line *l = &s.line[SOCKET];
    l->in = l->out = fd;
    l->sync = SYNC_FIRST;
    l->zeros = l->have = 0;
    link_control(frame_new(BG_REPLY, id, 0));
}

static void greet(struct line *l, const uint8_t *nonce)
{
    drop_output(); // a half written frame too: the new host skips to its own nonce
    if (l == &s.line[STREAM]) {
        hang_up();
    } else {
        s.line[STREAM].sync = SYNC_LOST;
        s.line[STREAM].zeros = 0;
    }
    s.active = l;
    guest_taken_over();
    s.attached = true;
    l->sync = SYNC_FRAMES;
    guest_hello(nonce);
}

// What cannot be read is the affair of the host of now only when it is he who sent it.
static void violation(struct line *l, const char *why)
{
    if (l == s.active)
        link_fatal(why);
    else
        l->sync = SYNC_LOST;
}

// Consumes one item at p; 0 when more bytes are needed.
static uint32_t parse_one(struct line *l, const uint8_t *p, uint32_t n)
{
    uint32_t i = 0;
    if (*p == 0) {
        while (i < n && p[i] == 0)
            i++;
        l->zeros = l->zeros + i < l->zeros ? BG_RESYNC_ZEROS : l->zeros + i;
        return i;
    }
    bool believed = l->sync != SYNC_LOST || l->zeros >= BG_RESYNC_ZEROS;
    if (*p == (uint8_t)BG_MAGIC[0] && believed) {
        uint32_t m = n < BG_MAGIC_SIZE ? n : BG_MAGIC_SIZE;
        if (memcmp(p, BG_MAGIC, m) == 0) {
            if (n < BG_MAGIC_SIZE + BG_NONCE_SIZE)
                return 0;
            l->zeros = 0;
            greet(l, p + BG_MAGIC_SIZE);
            return BG_MAGIC_SIZE + BG_NONCE_SIZE;
        }
    }
    l->zeros = 0;
    if (l->sync == SYNC_LOST)
        return 1;
    if (l->sync == SYNC_FIRST) {
        l->sync = SYNC_LOST;
        return 1;
    }
    if (*p != BG_MARKER) {
        violation(l, "no frame where one must begin");
        return 1;
    }
    if (n < BG_HEADER_SIZE)
        return 0;
    uint32_t len = get_u32(p + 4);
    if (len > BG_MAX_TO_GUEST || p[2] != 0 || p[3] != 0) {
        violation(l, "frame header out of bounds");
        return 1;
    }
    if (n < len + BG_FRAME_OVERHEAD)
        return 0;
    uint8_t end = p[BG_HEADER_SIZE + len];
    if (end == BG_TRAILER)
        guest_frame(p[1], get_u32(p + 8), p + BG_HEADER_SIZE, len);
    else if (end != 0) // zero: cut by the end of its host, completed by the padding of the next
        violation(l, "frame without its end");
    return len + BG_FRAME_OVERHEAD;
}

static void parse(struct line *l)
{
    uint32_t at = 0;
    // What is queued for the host of now must not keep the next one out.
    while (at < l->have && (l != s.active || backlog() < QUEUE_HIGH) && !guest.stopping) {
        uint32_t n = parse_one(l, l->buf + at, l->have - at);
        if (!n || l->have == 0) // hung up meanwhile
            break;
        at += n;
    }
    if (at && l->have) {
        memmove(l->buf, l->buf + at, l->have - at);
        l->have -= at;
    }
}

void link_parse(void)
{
    for (int i = 0; i < LINES; i++)
        parse(&s.line[i]);
}

static void read_some(struct line *l)
{
    if (l->in < 0 || l->have == sizeof l->buf)
        return;
    ssize_t n = read(l->in, l->buf + l->have, sizeof l->buf - l->have);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n > 0) {
        s.heard = clock_active();
        l->have += (uint32_t)n;
        parse(l);
        return;
    }
    if (l == &s.line[SOCKET] && l != s.active) { // it did not want us
        hang_up();
        return;
    }
    // A container's standard input may get a writer again, so look once a second instead of
    // spinning.
    if (l == &s.line[STREAM])
        l->retry = clock_active() + 1000;
    if (l == &s.line[STREAM] && !s.stay)
        guest_stop();
    else if (l == &s.line[SOCKET])
        lost_host();
    else if (l == s.active)
        guest_host_lost();
}

void link_poll(struct pollfd *p)
{
    for (int i = 0; i < LINES; i++) {
        struct line *l = &s.line[i];
        bool want = (l != s.active || backlog() < QUEUE_HIGH) && l->have < sizeof l->buf
            && clock_active() >= l->retry;
        p[2 * i] = (struct pollfd){want ? l->in : -1, POLLIN, 0};
        p[2 * i + 1] = (struct pollfd){l == s.active && backlog() ? l->out : -1, POLLOUT, 0};
    }
}

void link_event(const struct pollfd *p)
{
    for (int i = 0; i < LINES; i++)
        if (p[2 * i].revents)
            read_some(&s.line[i]);
    write_some();
}
