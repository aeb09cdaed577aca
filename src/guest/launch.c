// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// From the START frame to a running supervisor.
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static const char trap_text[] = "trap '/proc/self/fd/197 dump' EXIT; ";

// The environment of a command: ours with the changes, or only what was sent.
static bool build_env(struct request *q, char **sent, uint32_t n)
{
    uint32_t base = 0, used = 0;
    while (guest.environ0[base])
        base++;
    if (!(q->l.flags & BG_START_INHERIT_ENV))
        base = 0;
    char **env = calloc((size_t)base + n + 1, sizeof *env);
    if (!env)
        return false;
    for (uint32_t i = 0; i < base; i++) {
        size_t len = strcspn(guest.environ0[i], "=");
        bool changed = false;
        for (uint32_t k = 0; k < n && !changed; k++)
            changed = strncmp(sent[k], guest.environ0[i], len) == 0
                && (sent[k][len] == '=' || !sent[k][len]);
        if (!changed)
            env[used++] = guest.environ0[i];
    }
    for (uint32_t k = 0; k < n; k++)
        if (strchr(sent[k], '='))
            env[used++] = sent[k];
    q->l.env = env;
    return true;
}

static bool is_shell_text(char **argv, uint32_t n)
{
    return n >= 3 && argv[1][0] == '-' && argv[1][1] != '-' && strchr(argv[1], 'c') != NULL;
}

// Strings are copied into one block; their sum is bounded by the frame.
static char **read_list(struct reader *r, char **at, uint32_t *count)
{
    uint32_t n = rd_u32(r);
    if (r->bad || n > BG_MAX_STRINGS) {
        r->bad = true;
        return NULL;
    }
    char **list = calloc((size_t)n + 1, sizeof *list);
    if (!list) {
        r->bad = true;
        return NULL;
    }
    for (uint32_t i = 0; i < n && !r->bad; i++) {
        struct bytes b = rd_bytes(r, BG_MAX_TO_GUEST);
        if (r->bad || memchr(b.p, 0, b.n)) {
            r->bad = true;
            break;
        }
        list[i] = *at;
        memcpy(*at, b.p, b.n);
        (*at)[b.n] = 0;
        *at += b.n + 1;
    }
    *count = n;
    return list;
}

bool request_parse(struct request *q, struct reader *r)
{
    q->l.flags = rd_u32(r);
    q->l.uid = rd_u32(r);
    q->l.gid = rd_u32(r);
    q->timeout = rd_u32(r);
    q->credit = rd_u32(r);
    q->grace = rd_u32(r);
    q->size = rd_u32(r);
    rd_string(r, q->cwd, sizeof q->cwd);
    if (r->bad)
        return false;
    // Each string costs four bytes in the frame and one more here, so this is enough; twice, for
    // the wrapped text.
    q->arena = malloc((size_t)(r->end - r->p) * 2 + sizeof trap_text + 8);
    if (!q->arena)
        return false;
    char *at = q->arena, **sent = NULL;
    uint32_t argc = 0, envc = 0;
    q->l.argv = read_list(r, &at, &argc);
    if (q->l.argv && !r->bad)
        sent = read_list(r, &at, &envc);
    bool good = !r->bad && argc > 0 && q->l.argv[0][0] && build_env(q, sent, envc);
    free(sent);
    struct bytes tag = rd_bytes(r, BG_MAX_TAG);
    if (!good || r->bad)
        return false;
    memcpy(q->tag, tag.p, tag.n);
    q->tag_len = (uint8_t)tag.n;
    if ((q->l.flags & BG_START_STATE) && guest.have_memfd && is_shell_text(q->l.argv, argc)) {
        char *text = q->l.argv[2];
        q->l.argv[2] = at;
        strcpy(at, trap_text);
        strcat(at, text);
        q->wrapped = true;
    }
    q->l.cwd = q->cwd;
    return true;
}

void request_release(struct request *q)
{
    free(q->arena);
    free(q->l.argv);
    free(q->l.env);
}

bool act_as(uint32_t uid, uint32_t gid)
{
    if (uid == BG_SELF || uid == getuid())
        return false;
    if (gid != BG_SELF)
        setfsgid(gid);
    setfsuid(uid);
    return true;
}

void act_as_self(void)
{
    setfsuid(geteuid());
    setfsgid(getegid());
    prctl(PR_SET_DUMPABLE, 0);
}

enum { PIPE_ROOM = 256 * 1024 };

// Owned by the command's user, else /dev/stdout cannot be opened by it.
static int make_pipe(int p[2], const struct launch *l)
{
    bool other = act_as(l->uid, l->gid);
    int rc = pipe2(p, O_CLOEXEC), e = errno;
    if (other)
        act_as_self();
    errno = e;
    return rc;
}

static void nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

// What the command gets as 0, 1 and 2, and our ends of it.
static bool make_streams(struct request *q, int ours[3], int theirs[3])
{
    q->stage = BG_STAGE_RESOURCES;
    if (q->l.flags & BG_START_PTY) {
        q->stage = BG_STAGE_TERMINAL;
        if (!terminal_open(&ours[1], &theirs[1], &q->l))
            return false;
        terminal_resize(ours[1], q->size);
        q->stage = BG_STAGE_RESOURCES;
        ours[0] = fcntl(ours[1], F_DUPFD_CLOEXEC, 3);
        return ours[0] >= 0;
    }
    int p[2];
    for (int i = 0; i < 3; i++) {
        if (i == 0 && !(q->l.flags & BG_START_STDIN_OPEN))
            continue;
        if (make_pipe(p, &q->l))
            return false;
        if (i == 1) // fewer turns between the command and us; less is as good where it is refused
            fcntl(p[0], F_SETPIPE_SZ, PIPE_ROOM);
        ours[i] = i ? p[0] : p[1];
        theirs[i] = i ? p[1] : p[0];
        nonblocking(ours[i]);
    }
    return true;
}

bool command_spawn(struct command *c, struct request *q)
{
    int ours[3] = {-1, -1, -1}, theirs[3] = {-1, -1, -1}, ctl[2] = {-1, -1};
    int memfd = q->wrapped ? state_create() : -1;
    bool good = make_streams(q, ours, theirs) && !(q->wrapped && memfd < 0);
    pid_t pid = -1;
    if (good)
        ctl[0] = spare_start(q, theirs, memfd, &pid);
    if (good && ctl[0] < 0 && !socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ctl)) {
        q->l.in = theirs[0];
        q->l.out = theirs[1];
        q->l.err = theirs[2];
        q->l.memfd = memfd;
        pid = fork();
        if (pid == 0)
            supervisor_run(&q->l, ctl[1]);
    }
    int e = errno;
    for (int i = 0; i < 3; i++)
        shut(&theirs[i]);
    shut(&ctl[1]);
    if (pid < 0) {
        for (int i = 0; i < 3; i++)
            shut(&ours[i]);
        shut(&ctl[0]);
        shut(&memfd);
        errno = e;
        return false;
    }
    c->sup = pid;
    c->ctl = ctl[0];
    c->in = ours[0];
    c->memfd = memfd;
    stream_begin(&c->s[0], ours[1], q->credit);
    stream_begin(&c->s[1], ours[2], q->credit);
    return true;
}
