// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// One supervisor that was made beforehand: a command that finds it starts with one new process in
// place of two, which is half of what a short one takes. It gets what the host sent and takes it
// apart by itself; its copy of this program is of the same mind.
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_BODY = 64 * 1024, FDS = 4 };

static pid_t spare;
static int spare_ctl = -1;
static uint64_t
    not_before; // where none can be had, or somebody kills them, one is not made all the time

// in, out, err, memfd; those that are there follow each other.
struct order
{
    uint8_t has[FDS];
    uint8_t body[MOST_BODY];
};

union control
{
    struct cmsghdr header;
    uint8_t room[CMSG_SPACE(FDS * sizeof(int))];
};

static _Noreturn void wait_for_order(int ctl)
{
    static struct order order;
    static struct request q;
    supervisor_prepare(ctl);
    prctl(PR_SET_NAME, "berth-spare"); // for whoever looks at the list of processes
    union control control;
    struct iovec part = {&order, sizeof order};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    ssize_t n;
    while ((n = recvmsg(ctl, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    if (n < FDS) // the guest has ended
        _exit(0);
    int fd[FDS], got[FDS], at = 0, count = 0;
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_type == SCM_RIGHTS) {
        count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(got, CMSG_DATA(c), (size_t)count * sizeof(int));
    }
    for (int i = 0; i < FDS; i++)
        fd[i] = order.has[i] && at < count ? got[at++] : -1;
    struct reader r = {order.body, order.body + (n - FDS), false};
    if (!request_parse(&q, &r) || at != count)
        _exit(0); // the guest has read the same bytes: it does not come to this
    prctl(PR_SET_NAME, "guest");
    q.l.in = fd[0];
    q.l.out = fd[1];
    q.l.err = fd[2];
    q.l.memfd = fd[3];
    supervisor_run(&q.l, ctl);
}

bool spare_missing(void)
{
    return !spare && clock_active() >= not_before;
}

void spare_make(void)
{
    int ctl[2];
    not_before = clock_active() + 1000;
    if (spare || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ctl))
        return;
    pid_t pid = fork();
    if (pid == 0)
        wait_for_order(ctl[1]);
    close(ctl[1]);
    if (pid < 0) {
        close(ctl[0]);
        return;
    }
    spare = pid;
    spare_ctl = ctl[0];
}

bool spare_reaped(pid_t pid)
{
    if (!spare || pid != spare)
        return false;
    spare = 0;
    shut(&spare_ctl);
    return true;
}

int spare_start(const struct request *q, const int theirs[3], int memfd, pid_t *pid)
{
    static struct order order;
    if (!spare || q->body_len > MOST_BODY)
        return -1;
    int fds[FDS] = {theirs[0], theirs[1], theirs[2], memfd}, sent[FDS], count = 0;
    for (int i = 0; i < FDS; i++) {
        order.has[i] = fds[i] >= 0;
        if (fds[i] >= 0)
            sent[count++] = fds[i];
    }
    memcpy(order.body, q->body, q->body_len);
    union control control;
    memset(&control, 0, sizeof control);
    struct iovec part = {&order, FDS + q->body_len};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = (socklen_t)CMSG_SPACE((size_t)count * sizeof(int))};
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = (socklen_t)CMSG_LEN((size_t)count * sizeof(int));
    memcpy(CMSG_DATA(c), sent, (size_t)count * sizeof(int));
    ssize_t n = sendmsg(spare_ctl, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n != (ssize_t)part.iov_len)
        return -1; // somebody has killed it; spare_reaped() will hear of it
    int ctl = spare_ctl;
    *pid = spare;
    spare = 0;
    not_before = 0;
    spare_ctl = -1;
    return ctl;
}
