// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// File requests run in a forked child each, with the ids of the command's user: a FIFO, a dead
// network file system or a slow disk holds up that child and not the guest.
#include "guest.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE = BG_MAX_DATA + 64 };

struct chunk
{
    struct chunk *next;
    uint32_t len;
    uint8_t data[];
};

struct worker
{
    bool used, muted, write, clean; // clean: ended by itself, so it has tidied up
    uint32_t id, queued, uid, gid;
    pid_t pid;
    int fd;
    struct chunk *head, *tail;
    int dir; // of the temporary file that a writer has or is about to have, else -1
    char temp[WORKER_TEMP_NAME];
};

static struct worker table[BG_MAX_WORKERS];
static uint8_t message[MESSAGE];
static struct
{
    struct pollfd *p;
    uint8_t worker[BG_MAX_WORKERS];
    int n;
} polled;

static struct worker *find(uint32_t id)
{
    for (int i = 0; i < BG_MAX_WORKERS; i++)
        if (table[i].used && !table[i].muted && table[i].id == id)
            return &table[i];
    return NULL;
}

bool worker_owns(pid_t pid)
{
    for (int i = 0; i < BG_MAX_WORKERS; i++)
        if (table[i].used && table[i].pid == pid)
            return true;
    return false;
}

void worker_request(uint8_t type, uint32_t id, const uint8_t *body, uint32_t len)
{
    struct worker *w = NULL;
    int writes = 0;
    for (int i = 0; i < BG_MAX_WORKERS; i++) {
        if (!table[i].used && !w)
            w = &table[i];
        writes += table[i].used && !table[i].muted && table[i].write;
    }
    if (!id || find(id)) {
        link_error(id, EEXIST, BG_STAGE_REQUEST, "this id is in use");
        return;
    }
    int fd[2];
    if (!w || (type == BG_WRITE_OPEN && writes >= BG_MAX_OPEN_WRITES)) {
        link_error(id, EAGAIN, BG_STAGE_RESOURCES, "too many file requests at once");
        return;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd)) {
        link_error(id, errno, BG_STAGE_RESOURCES, "cannot start a file request");
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        child_signals();
        signal(SIGPIPE, SIG_IGN);
        signal(SIGXFSZ, SIG_IGN); // an error of the write and not the end of the writer
        dup2(0, 2);
        close_from(3, &fd[1], 1);
        prctl(PR_SET_DUMPABLE, 0);
        struct reader r = {body, body + len, false};
        files_run(type, &r, fd[1]);
    }
    int e = errno;
    close(fd[1]);
    if (pid < 0) {
        close(fd[0]);
        link_error(id, e, BG_STAGE_RESOURCES, "cannot start a file request");
        return;
    }
    *w = (struct worker){
        .used = true, .id = id, .pid = pid, .fd = fd[0], .write = type == BG_WRITE_OPEN, .dir = -1};
    struct reader ids = {body, body + len, false};
    w->uid = rd_u32(&ids);
    w->gid = rd_u32(&ids);
}

static void drop_chunks(struct worker *w)
{
    while (w->head) {
        struct chunk *c = w->head;
        w->head = c->next;
        free(c);
    }
    w->tail = NULL;
    w->queued = 0;
}

static void forget_temp(struct worker *w)
{
    if (w->dir >= 0)
        close(w->dir);
    w->dir = -1;
}

// Frees the place once the process and its socket are gone. A writer that was killed could not
// remove its temporary file, so a successor with the same ids does it; the name is random, so it
// hits nothing else. Without a process to be had it is tried again with the next turn of the loop.
static void release(struct worker *w)
{
    if (w->pid > 0 || w->fd >= 0)
        return;
    if (w->dir < 0 || w->clean) {
        forget_temp(w);
        w->used = false;
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        child_signals();
        dup2(0, 2);
        close_from(3, &w->dir, 1);
        prctl(PR_SET_DUMPABLE, 0);
        if (become(w->uid, w->gid) == 0)
            unlinkat(w->dir, w->temp, 0);
        _exit(0); // one that failed would fail again
    }
    if (pid > 0)
        w->pid = pid;
}

// One message of the child; what is meant for the guest alone is kept here. An end with unread
// input shows as ECONNRESET in front of the last messages, which are still there.
static ssize_t take(struct worker *w)
{
    union
    {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec v = {message, sizeof message};
    struct msghdr m;
    ssize_t n;
    do {
        m = (struct msghdr){.msg_iov = &v,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control};
        n = recvmsg(w->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (n < 0 && (errno == EINTR || errno == ECONNRESET));
    struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
        forget_temp(w);
        memcpy(&w->dir, CMSG_DATA(c), sizeof w->dir);
        if (message[0] == WORKER_TEMP && n == 1 + WORKER_TEMP_NAME)
            memcpy(w->temp, message + 1, WORKER_TEMP_NAME);
        else
            forget_temp(w);
    }
    return n;
}

static void push_chunks(struct worker *w)
{
    while (w->head) {
        struct chunk *c = w->head;
        if (send(w->fd, c->data, c->len, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
            if (errno != EAGAIN && errno != EINTR)
                drop_chunks(w); // it has ended; its last word is still to be read
            return;
        }
        w->queued -= c->len;
        w->head = c->next;
        if (!w->head)
            w->tail = NULL;
        free(c);
    }
}

void worker_data(uint32_t id, uint8_t type, const uint8_t *p, uint32_t n)
{
    struct worker *w = find(id);
    if (!w || !w->write || w->fd < 0)
        return;
    if (w->queued + n > BG_WRITE_WINDOW + BG_MAX_DATA) {
        worker_cancel(id);
        return;
    }
    struct chunk *c = malloc(sizeof *c + n + 1);
    if (!c) {
        worker_cancel(id);
        return;
    }
    c->next = NULL;
    c->len = n + 1;
    c->data[0] = type;
    memcpy(c->data + 1, p, n);
    if (w->tail)
        w->tail->next = c;
    else
        w->head = c;
    w->tail = c;
    w->queued += c->len;
    push_chunks(w);
}

static void cancel(struct worker *w)
{
    drop_chunks(w);
    // A writer takes the end of its socket as "abort" and removes its temporary file.
    if (!w->write && w->pid > 0)
        kill(w->pid, SIGKILL);
    if (w->fd >= 0) {
        // From here on it can announce no temporary file; one that it has announced is known.
        shutdown(w->fd, SHUT_RD);
        while (w->write && take(w) > 0)
            ;
        close(w->fd);
    }
    w->fd = -1;
    w->muted = true;
    release(w);
}

bool worker_cancel(uint32_t id)
{
    struct worker *w = find(id);
    if (!w)
        return false;
    link_error(id, ECANCELED, BG_STAGE_FILE, "cancelled");
    cancel(w);
    return true;
}

void worker_cancel_all(void)
{
    for (int i = 0; i < BG_MAX_WORKERS; i++)
        if (table[i].used)
            cancel(&table[i]);
}

void worker_cancel_writes(void)
{
    for (int i = 0; i < BG_MAX_WORKERS; i++)
        if (table[i].used && !table[i].muted && table[i].write)
            worker_cancel(table[i].id);
}

bool worker_writing(void)
{
    bool any = false;
    for (int i = 0; i < BG_MAX_WORKERS; i++) {
        if (table[i].used)
            release(&table[i]);
        any |= table[i].used && table[i].write;
    }
    return any;
}

void worker_reaped(pid_t pid, int status)
{
    for (int i = 0; i < BG_MAX_WORKERS; i++)
        if (table[i].used && table[i].pid == pid) {
            table[i].pid = -1;
            table[i].clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            release(&table[i]);
        }
}

static void ended(struct worker *w)
{
    if (!w->muted) {
        struct frame *f = frame_new(BG_ERROR, w->id, 64);
        fr_u32(&f, EIO);
        fr_u8(&f, BG_STAGE_FILE);
        fr_bytes(&f, "the file request died", 21);
        link_data(f);
    }
    drop_chunks(w);
    close(w->fd);
    w->fd = -1;
    w->muted = true;
    release(w);
}

static void receive(struct worker *w)
{
    while (!link_full()) {
        ssize_t n = take(w);
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            ended(w);
            return;
        }
        uint8_t type = message[0];
        bool known =
            type == BG_DATA || type == BG_REPLY || type == BG_ERROR || type == BG_WRITE_ACK;
        if (!known)
            continue;
        struct frame *f = frame_new(type, w->id, (uint32_t)n);
        fr_raw(&f, message + 1, (uint32_t)n - 1);
        link_data(f);
        if (type == BG_REPLY
            || type == BG_ERROR) { // it is about to exit; the host may use its place at once
            drop_chunks(w);
            forget_temp(w);
            close(w->fd);
            w->used = false;
            return;
        }
    }
}

int worker_poll(struct pollfd *p, int room)
{
    polled.p = p;
    polled.n = 0;
    bool full = link_full();
    for (int i = 0; i < BG_MAX_WORKERS && polled.n < room; i++) {
        if (table[i].used)
            release(&table[i]);
        if (!table[i].used || table[i].fd < 0)
            continue;
        short events = (short)((full ? 0 : POLLIN) | (table[i].head ? POLLOUT : 0));
        p[polled.n] = (struct pollfd){events ? table[i].fd : -1, events, 0};
        polled.worker[polled.n++] = (uint8_t)i;
    }
    return polled.n;
}

void worker_events(void)
{
    for (int i = 0; i < polled.n; i++) {
        struct worker *w = &table[polled.worker[i]];
        short e = polled.p[i].revents;
        if (!e || !w->used || w->fd < 0)
            continue;
        if (e & POLLOUT)
            push_chunks(w);
        if (e & (POLLIN | POLLHUP | POLLERR))
            receive(w);
    }
    polled.n = 0;
}

// ---- in the child

bool worker_send(int fd, uint8_t type, const struct frame *f)
{
    struct iovec v[2] = {{&type, 1},
                         {(void *)(uintptr_t)(f->data + BG_HEADER_SIZE), f->len - BG_HEADER_SIZE}};
    struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
    ssize_t n;
    while ((n = sendmsg(fd, &m, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return n >= 0;
}

bool worker_announce(int fd, int dir, const char *name)
{
    uint8_t m[1 + WORKER_TEMP_NAME] = {WORKER_TEMP};
    memcpy(m + 1, name, strnlen(name, WORKER_TEMP_NAME - 1));
    union
    {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
                          .cmsg_level = SOL_SOCKET,
                          .cmsg_type = SCM_RIGHTS}};
    memcpy(CMSG_DATA(&control.head), &dir, sizeof dir);
    struct iovec v = {m, sizeof m};
    struct msghdr msg = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    while ((n = sendmsg(fd, &msg, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return n >= 0;
}

void worker_fail(int fd, int err, const char *text)
{
    struct frame *f = frame_new(BG_ERROR, 0, 300);
    fr_u32(&f, (uint32_t)err);
    fr_u8(&f, BG_STAGE_FILE);
    fr_bytes(&f, text, (uint32_t)strnlen(text, 256));
    worker_send(fd, BG_ERROR, f);
    free(f);
}
