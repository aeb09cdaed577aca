// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Finding names and text below a directory, in a child of its own and as the command's user. It
// follows no link and is bounded in time, depth and what it answers.
#include "guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum {
    DEPTH = 64,
    PARTS = 62, // of a pattern: one bit each, and one for "all of it"
    BLOCK = 64 * 1024,
    TEXT = 1024, // of a line that is told
    BATCH = 48 * 1024,
    SLACK_S = 1, // beyond the time, before a single step that takes too long is cut off
    MEMORY = 256 * 1024 * 1024,
    PROC_MAGIC = 0x9fa0,
    SYS_MAGIC = 0x62656572
};

static struct
{
    int fd;
    uint32_t limit, found;
    uint8_t flags;
    bool truncated;
    uint64_t searched, skipped, sent, deadline;
    struct frame *batch;
    dev_t device;
    // glob
    int parts;
    const char *part[PARTS];
    bool folders_only;
    // grep
    regex_t regex;
    char pattern[BG_MAX_PATH], name[BG_MAX_PATH];
} q;

static uint64_t seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec;
}

static _Noreturn void refuse(int err, const char *text)
{
    worker_fail(q.fd, err, text ? text : strerror(err));
    _exit(0);
}

// No more is allowed, or there was more than is wanted.
static bool full(void)
{
    if (q.sent >= BG_MAX_SEARCH || seconds() > q.deadline)
        q.truncated = true;
    return q.truncated;
}

static void begin_batch(void)
{
    q.batch = frame_new(BG_DATA, 0, BATCH + BG_MAX_PATH + TEXT + 32);
    fr_u64(&q.batch, q.sent);
}

static void flush(void)
{
    uint32_t n = q.batch->len - BG_HEADER_SIZE - 8;
    if (n && !worker_send(q.fd, BG_DATA, q.batch))
        _exit(1);
    q.sent += n;
    free(q.batch);
    begin_batch();
}

static void tell(const char *path, uint64_t line, const char *text, uint32_t n, bool glob)
{
    if (q.found >= q.limit) {
        q.truncated = true;
        return;
    }
    fr_bytes(&q.batch, path, (uint32_t)strlen(path));
    if (!glob) {
        fr_u64(&q.batch, line);
        fr_bytes(&q.batch, text, n);
    }
    q.found++;
    if (q.batch->len >= BATCH)
        flush();
}

// The last frame. Only calls what a signal handler may call.
static _Noreturn void reply(void)
{
    uint8_t m[1 + 17] = {BG_REPLY, q.truncated};
    for (int i = 0; i < 8; i++) {
        m[2 + i] = (uint8_t)(q.searched >> (8 * i));
        m[10 + i] = (uint8_t)(q.skipped >> (8 * i));
    }
    ssize_t n;
    do
        n = send(q.fd, m, sizeof m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    _exit(0);
}

// A single step (an expression on a long line, a dead disk) takes longer than all may: what has
// been sent so far is the answer.
static void on_alarm(int number)
{
    (void)number;
    q.truncated = true;
    reply();
}

// Below dir; false when it is not to be entered: unreadable, a link by now, or the kernel's own.
static DIR *enter(int dir, const char *name, bool root, struct stat *st)
{
    int fd = openat(dir, name,
                    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | (root ? 0 : O_NOFOLLOW));
    if (fd < 0 || fstat(fd, st)) {
        if (root)
            refuse(errno, NULL);
        return NULL;
    }
    struct statfs fs;
    if (!root && st->st_dev != q.device && fstatfs(fd, &fs) == 0
        && (fs.f_type == PROC_MAGIC || fs.f_type == SYS_MAGIC)) {
        close(fd);
        return NULL;
    }
    DIR *d = fdopendir(fd);
    if (!d && root)
        refuse(errno, NULL);
    return d;
}

// path + "/" + name in place; the old length, or 0 when there is no room.
static bool append(char *path, size_t *len, const char *name)
{
    size_t n = strlen(name), slash = *len > 0;
    if (*len + slash + n + 1 > BG_MAX_PATH)
        return false;
    if (slash)
        path[*len] = '/';
    memcpy(path + *len + slash, name, n + 1);
    *len += slash + n;
    return true;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static uint8_t kind_of(int dir, const struct dirent *e)
{
    if (e->d_type != DT_UNKNOWN)
        return e->d_type;
    struct stat st;
    if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
        return DT_UNKNOWN;
    return S_ISDIR(st.st_mode) ? DT_DIR
        : S_ISREG(st.st_mode)  ? DT_REG
        : S_ISLNK(st.st_mode)  ? DT_LNK
                               : DT_FIFO;
}

// ---- glob: the parts of the pattern that may match next are a set, so that "**" costs no more
// than any other name

static bool is_deep(int i)
{
    return i < q.parts && !strcmp(q.part[i], "**");
}

static uint64_t closed(uint64_t set)
{
    for (int i = 0; i < q.parts; i++)
        if (set >> i & 1 && is_deep(i))
            set |= (uint64_t)1 << (i + 1);
    return set;
}

static void glob_in(DIR *d, char *path, size_t len, uint64_t set, int depth)
{
    struct dirent *e;
    const uint64_t all = (uint64_t)1 << q.parts;
    while ((e = readdir(d)) && !full()) {
        if (is_dots(e->d_name))
            continue;
        bool hidden = e->d_name[0] == '.';
        uint64_t next = 0;
        for (int i = 0; i < q.parts; i++) {
            if (!(set >> i & 1))
                continue;
            bool shown = !hidden || q.flags & BG_SEARCH_HIDDEN;
            if (is_deep(i))
                next |= shown ? (uint64_t)1 << i : 0;
            else if ((shown || q.part[i][0] == '.') && match_name(q.part[i], e->d_name))
                next |= (uint64_t)1 << (i + 1);
        }
        next = closed(next);
        if (!next)
            continue;
        size_t n = len;
        if (!append(path, &n, e->d_name)) {
            q.truncated = true;
            continue;
        }
        uint8_t kind = kind_of(dirfd(d), e);
        if (next & all && (!q.folders_only || kind == DT_DIR))
            tell(path, 0, NULL, 0, true);
        if (kind == DT_DIR && next & ~all) {
            struct stat st;
            DIR *below = depth < DEPTH ? enter(dirfd(d), e->d_name, false, &st) : NULL;
            if (depth >= DEPTH)
                q.truncated = true;
            if (below) {
                glob_in(below, path, n, next & ~all, depth + 1);
                closedir(below);
            }
        }
        path[len] = 0;
    }
}

static void glob_parse(void)
{
    if (q.pattern[0] == '/')
        refuse(EINVAL, "a pattern begins below its root");
    for (char *p = q.pattern; *p;) {
        char *end = strchr(p, '/');
        if (end)
            *end = 0;
        q.folders_only = end && !end[1];
        if (!strcmp(p, ".."))
            refuse(EINVAL, "a pattern cannot lead out of its root");
        bool twice = q.parts && !strcmp(p, "**") && is_deep(q.parts - 1);
        if (*p && strcmp(p, ".") && !twice) {
            if (q.parts == PARTS)
                refuse(E2BIG, "the pattern has too many parts");
            q.part[q.parts++] = p;
        }
        p = end ? end + 1 : p + strlen(p);
    }
    if (!q.parts)
        refuse(EINVAL, "an empty pattern");
}

// ---- grep

static bool line_matches(const char *line)
{
    if (q.flags & BG_SEARCH_FIXED)
        return (q.flags & BG_SEARCH_NO_CASE ? strcasestr(line, q.pattern) : strstr(line, q.pattern))
            != NULL;
    return regexec(&q.regex, line, 0, NULL, 0) == 0;
}

static void tell_line(const char *path, uint64_t number, const char *line, size_t n)
{
    if (n > TEXT) { // not in the middle of a character
        n = TEXT;
        for (int i = 0; i < 3 && n > 0 && ((unsigned char)line[n] & 0xC0) == 0x80; i++)
            n--;
    }
    tell(path, number, line, (uint32_t)n, false);
}

// A line longer than the block is looked at as far as it fits; the rest of it is passed over.
static void grep_file(int fd, const char *path)
{
    static char block[BLOCK + 1];
    size_t have = 0;
    uint64_t number = 1;
    bool passing = false, any = false;
    for (;;) {
        ssize_t n = read(fd, block + have, BLOCK - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || memchr(block + have, 0, (size_t)n)) {
            if (!any)
                q.skipped++; // unreadable or binary
            return;
        }
        if (!any)
            q.searched++;
        any = true;
        have += (size_t)n;
        char *line = block;
        for (char *end; (end = memchr(line, '\n', (size_t)(block + have - line)));
             line = end + 1, number++) {
            bool first = !passing;
            passing = false;
            if (!first)
                continue;
            size_t size = (size_t)(end - line);
            if (size && line[size - 1] == '\r')
                size--;
            line[size] = 0;
            if (line_matches(line))
                tell_line(path, number, line, size);
            if (full())
                return;
        }
        have -= (size_t)(line - block);
        memmove(block, line, have);
        bool end = n == 0;
        if ((end && have) || have == BLOCK) {
            block[have] = 0;
            if (!passing && line_matches(block))
                tell_line(path, number, block, have);
            passing = !end;
            have = 0;
        }
        if (end || full())
            return;
    }
}

static void grep_at(int dir, const char *name, const char *path)
{
    int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        grep_file(fd, path);
    else
        q.skipped++;
    if (fd >= 0)
        close(fd);
}

static void grep_in(DIR *d, char *path, size_t len, int depth)
{
    struct dirent *e;
    while ((e = readdir(d)) && !full()) {
        size_t n = len;
        if (is_dots(e->d_name))
            continue;
        uint8_t kind = kind_of(dirfd(d), e);
        bool wanted =
            kind == DT_DIR || (kind == DT_REG && (!q.name[0] || match_name(q.name, e->d_name)));
        if (!wanted)
            continue;
        if (!append(path, &n, e->d_name)) {
            q.truncated = true;
            continue;
        }
        if (kind == DT_REG) {
            grep_at(dirfd(d), e->d_name, path);
        } else if (depth >= DEPTH) {
            q.truncated = true;
        } else {
            struct stat st;
            DIR *below = enter(dirfd(d), e->d_name, false, &st);
            if (below) {
                grep_in(below, path, n, depth + 1);
                closedir(below);
            } else {
                q.skipped++;
            }
        }
        path[len] = 0;
    }
}

static void grep_parse(void)
{
    if (q.flags & BG_SEARCH_FIXED)
        return;
    int flags = REG_EXTENDED | REG_NOSUB | (q.flags & BG_SEARCH_NO_CASE ? REG_ICASE : 0);
    int rc = regcomp(&q.regex, q.pattern, flags);
    if (rc) {
        char text[200];
        regerror(rc, &q.regex, text, sizeof text);
        refuse(EINVAL, text);
    }
}

void search_parse(uint8_t type, struct reader *r)
{
    rd_string(r, q.pattern, sizeof q.pattern);
    if (type == BG_GREP)
        rd_string(r, q.name, sizeof q.name);
    q.limit = rd_u32(r);
    q.flags = rd_u8(r);
}

_Noreturn void search_run(uint8_t type, const char *root, int fd)
{
    static char path[BG_MAX_PATH];
    q.fd = fd;
    if (!q.limit || q.limit > BG_MAX_FOUND)
        q.limit = BG_MAX_FOUND;
    q.deadline = seconds() + BG_SEARCH_S;
    signal(SIGALRM, on_alarm);
    alarm(BG_SEARCH_S + SLACK_S);
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) == 0) { // one descriptor per level
        l.rlim_cur = l.rlim_max;
        setrlimit(RLIMIT_NOFILE, &l);
    }
#ifndef __SANITIZE_ADDRESS__
    l = (struct rlimit){MEMORY, MEMORY}; // an expression can ask for any amount
    setrlimit(RLIMIT_AS, &l);
#endif
    begin_batch();
    struct stat st;
    if (stat(root, &st))
        refuse(errno, NULL);
    q.device = st.st_dev;
    if (type == BG_GLOB)
        glob_parse();
    else
        grep_parse();
    if (type == BG_GREP && !S_ISDIR(st.st_mode)) {
        if (!S_ISREG(st.st_mode))
            refuse(EINVAL, "not a regular file");
        int file = open(root, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file < 0)
            refuse(errno, NULL);
        grep_file(file, path);
    } else {
        DIR *d = enter(AT_FDCWD, root, true, &st);
        if (type == BG_GLOB)
            glob_in(d, path, 0, closed(1), 0);
        else
            grep_in(d, path, 0, 0);
    }
    flush();
    reply();
}
