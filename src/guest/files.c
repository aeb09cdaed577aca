// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The file service, in its own process and as the command's user. Paths are bytes; errors are
// errno.
#include "guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int reply_fd;

static _Noreturn void fail(int err, const char *text)
{
    worker_fail(reply_fd, err, text ? text : strerror(err));
    _exit(0);
}

static _Noreturn void finish(struct frame *f)
{
    worker_send(reply_fd, BG_REPLY, f);
    _exit(0);
}

static _Noreturn void done(void)
{
    finish(frame_new(BG_REPLY, 0, 0));
}

static uint8_t type_of(mode_t m)
{
    switch (m & S_IFMT) {
    case S_IFREG:
        return '-';
    case S_IFDIR:
        return 'd';
    case S_IFLNK:
        return 'l';
    case S_IFIFO:
        return 'p';
    case S_IFSOCK:
        return 's';
    case S_IFCHR:
        return 'c';
    case S_IFBLK:
        return 'b';
    default:
        return '?';
    }
}

static void entry(struct frame **f, int dir, const char *name, const char *shown, bool follow)
{
    struct stat st;
    int err = 0;
    memset(&st, 0, sizeof st);
    if (fstatat(dir, name, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW))
        err = errno;
    char target[BG_MAX_PATH];
    ssize_t n = 0;
    uint8_t type = err ? '?' : type_of(st.st_mode), pointed = type;
    if (type == 'l') {
        struct stat to;
        n = readlinkat(dir, name, target, sizeof target);
        pointed = fstatat(dir, name, &to, 0) ? '!' : type_of(to.st_mode);
    }
    fr_u32(f, (uint32_t)err);
    fr_u8(f, type);
    fr_u8(f, pointed);
    fr_u32(f, (uint32_t)st.st_mode);
    fr_u32(f, (uint32_t)st.st_uid);
    fr_u32(f, (uint32_t)st.st_gid);
    fr_u64(f, (uint64_t)st.st_size);
    fr_u64(f, (uint64_t)st.st_mtim.tv_sec);
    fr_u32(f, (uint32_t)st.st_mtim.tv_nsec);
    fr_bytes(f, shown, (uint32_t)strlen(shown));
    fr_bytes(f, target, n > 0 ? (uint32_t)n : 0);
}

static _Noreturn void do_stat(const char *path, bool follow)
{
    struct stat st;
    if (follow ? stat(path, &st) : lstat(path, &st))
        fail(errno, NULL);
    struct frame *f = frame_new(BG_REPLY, 0, 256);
    entry(&f, AT_FDCWD, path, path, follow);
    finish(f);
}

// A page ends by count or by size, whichever comes first; the cookie is the directory's own
// position.
static _Noreturn void do_list(const char *path, uint64_t cookie, uint32_t max)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        fail(errno, NULL);
    if (cookie)
        seekdir(d, (long)cookie);
    if (max == 0 || max > BG_MAX_LIST_PAGE)
        max = BG_MAX_LIST_PAGE;
    struct frame *f = frame_new(BG_REPLY, 0, 16384);
    fr_u64(&f, cookie);
    fr_u8(&f, 0);
    uint32_t at = f->len, n = 0;
    fr_u32(&f, 0);
    bool end = false;
    uint64_t next = cookie;
    while (n < max) {
        errno = 0;
        struct dirent *e = readdir(d);
        if (!e) {
            if (errno)
                fail(errno, NULL);
            end = true;
            break;
        }
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) {
            next = (uint64_t)telldir(d);
            continue;
        }
        uint32_t before = f->len;
        entry(&f, fd, e->d_name, e->d_name, false);
        if (f->len > BG_MAX_DATA && n > 0) {
            f->len = before;
            break;
        }
        next = (uint64_t)telldir(d);
        n++;
    }
    for (int i = 0; i < 8; i++)
        f->data[BG_HEADER_SIZE + i] = (uint8_t)(next >> (8 * i));
    f->data[BG_HEADER_SIZE + 8] = end;
    put_u32(f->data + at, n);
    finish(f);
}

static int open_regular(const char *path, struct stat *st)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        fail(errno, NULL);
    if (fstat(fd, st))
        fail(errno, NULL);
    if (S_ISDIR(st->st_mode))
        fail(EISDIR, NULL);
    if (!S_ISREG(st->st_mode))
        fail(EINVAL, "not a regular file");
    return fd;
}

static _Noreturn void do_read(const char *path, uint64_t offset, uint32_t len)
{
    struct stat st;
    int fd = open_regular(path, &st);
    if (len > BG_MAX_READ)
        len = BG_MAX_READ;
    static uint8_t buf[BG_MAX_DATA];
    uint32_t got = 0;
    bool end = false;
    while (got < len) {
        size_t want = len - got < sizeof buf ? len - got : sizeof buf;
        ssize_t n = pread(fd, buf, want, (off_t)(offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            fail(errno, NULL);
        if (n == 0) {
            end = true;
            break;
        }
        struct frame *f = frame_new(BG_DATA, 0, (uint32_t)n + 8);
        fr_u64(&f, offset + got);
        fr_raw(&f, buf, (uint32_t)n);
        if (!worker_send(reply_fd, BG_DATA, f))
            _exit(1);
        free(f);
        got += (uint32_t)n;
    }
    struct frame *f = frame_new(BG_REPLY, 0, 16);
    fr_u64(&f, (uint64_t)st.st_size);
    fr_u32(&f, got);
    fr_u8(&f, end);
    finish(f);
}

static int make_parents(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/' || p[-1] == '/')
            continue;
        *p = 0;
        int rc = mkdir(path, 0777);
        int e = errno;
        *p = '/';
        struct stat st;
        if (rc && e != EEXIST && stat(path, &st)) {
            errno = e;
            return -1;
        }
    }
    return 0;
}

static _Noreturn void do_mkdir(char *path, uint32_t mode, bool parents)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    if (parents && make_parents(path))
        fail(errno, NULL);
    if (mkdir(path, mode == BG_SELF ? 0777 : mode & 07777)) {
        int e = errno;
        struct stat st;
        if (!(parents && e == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
            fail(e, NULL);
    } else if (mode != BG_SELF) {
        chmod(path, mode & 07777);
    }
    done();
}

static int remove_at(int dir, const char *name, bool recursive)
{
    if (unlinkat(dir, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM && errno != EBUSY)
        return -1;
    if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
        return 0;
    if (!recursive || (errno != ENOTEMPTY && errno != EEXIST))
        return -1;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        return -1;
    int rc = 0;
    // Positions move while entries go away on some file systems, so start over until nothing is
    // left.
    for (bool any = true; any && !rc;) {
        any = false;
        rewinddir(d);
        struct dirent *e;
        while (!rc && (e = readdir(d))) {
            if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
                continue;
            any = true;
            rc = remove_at(fd, e->d_name, true);
            if (rc && errno == ENOENT)
                rc = 0;
        }
    }
    int e = errno;
    closedir(d);
    errno = e;
    return rc ? rc : unlinkat(dir, name, AT_REMOVEDIR);
}

static _Noreturn void do_remove(char *path, bool recursive)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    if (!*base || !strcmp(base, ".") || !strcmp(base, ".."))
        fail(EINVAL, "this path cannot be removed");
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) == 0) { // one descriptor per level
        l.rlim_cur = l.rlim_max;
        setrlimit(RLIMIT_NOFILE, &l);
    }
    if (remove_at(AT_FDCWD, path, recursive))
        fail(errno, NULL);
    done();
}

// ---- writing: a temporary file in the same directory, then rename

static struct
{
    int dir, fd;
    bool sync, exclusive;
    char temp[WORKER_TEMP_NAME], base[256];
} w;

static _Noreturn void give_up(int err, const char *text)
{
    if (w.fd >= 0)
        unlinkat(w.dir, w.temp, 0);
    if (err)
        fail(err, text);
    _exit(0);
}

static void open_temp(char *path, uint32_t mode, uint8_t flags)
{
    struct stat st;
    if (flags & BG_WRITE_PARENTS && make_parents(path))
        fail(errno, NULL);
    // A link is followed: what it points to is replaced, the link stays.
    static char real[BG_MAX_PATH + 1];
    bool exists = lstat(path, &st) == 0;
    if (!exists && errno != ENOENT)
        fail(errno, NULL);
    if (exists && (flags & BG_WRITE_EXCLUSIVE))
        fail(EEXIST, NULL);
    if (exists && S_ISLNK(st.st_mode)) {
        char *r = realpath(path, NULL);
        if (!r)
            fail(errno, "the link points to nothing");
        snprintf(real, sizeof real, "%s", r);
        free(r);
        path = real;
        if (lstat(path, &st))
            fail(errno, NULL);
    }
    if (exists && S_ISDIR(st.st_mode))
        fail(EISDIR, NULL);
    if (exists && !S_ISREG(st.st_mode))
        fail(EINVAL, "not a regular file");
    if (exists && access(path, W_OK))
        fail(errno, NULL);

    char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (!*base || strlen(base) >= sizeof w.base)
        fail(*base ? ENAMETOOLONG : EISDIR, NULL);
    strcpy(w.base, base);
    if (slash)
        slash[slash == path] = 0; // keeps "/" for a file in the root
    w.dir = open(slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (w.dir < 0)
        fail(errno, NULL);
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        random = (uint64_t)getpid();
    snprintf(w.temp, sizeof w.temp, ".berth-%016llx.tmp", (unsigned long long)random);
    // The guest removes it if this process is killed, so it has to know it first.
    if (!worker_announce(reply_fd, w.dir, w.temp))
        fail(errno, NULL);
    w.fd = openat(w.dir, w.temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (w.fd < 0)
        fail(errno, NULL);
    mode_t m = mode == BG_SELF ? 0644 : mode & 07777;
    if (exists) {
        if (mode == BG_SELF)
            m = st.st_mode & 07777;
        if ((st.st_uid != getuid() || st.st_gid != getgid()) && fchown(w.fd, st.st_uid, st.st_gid))
            m &= 01777; // not the same owner any more, so no set-id bits
    }
    if (fchmod(w.fd, m))
        give_up(errno, NULL);
    w.exclusive = flags & BG_WRITE_EXCLUSIVE;
    w.sync = flags & BG_WRITE_SYNC;
}

static _Noreturn void commit(void)
{
    if (w.sync && fsync(w.fd))
        give_up(errno, NULL);
    if (close(w.fd))
        give_up(errno, NULL);
    if (w.exclusive) {
        if (linkat(w.dir, w.temp, w.dir, w.base, 0))
            give_up(errno, NULL);
        unlinkat(w.dir, w.temp, 0);
    } else if (renameat(w.dir, w.temp, w.dir, w.base)) {
        give_up(errno, NULL);
    }
    struct frame *f = frame_new(BG_REPLY, 0, 256);
    entry(&f, w.dir, w.base, w.base, false);
    finish(f);
}

static _Noreturn void do_write(char *path, uint32_t mode, uint8_t flags)
{
    w.fd = -1;
    open_temp(path, mode, flags);
    static uint8_t buf[BG_MAX_DATA + 1];
    for (uint64_t total = 0;;) {
        struct frame *f = frame_new(BG_WRITE_ACK, 0, 8);
        fr_u64(&f, total);
        if (!worker_send(reply_fd, BG_WRITE_ACK, f))
            give_up(0, NULL); // cancelled while it wrote
        free(f);
        ssize_t n = recv(reply_fd, buf, sizeof buf, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            give_up(0, NULL);
        if (buf[0] == BG_WRITE_COMMIT)
            commit();
        if (buf[0] == BG_WRITE_ABORT)
            give_up(ECANCELED, "aborted");
        for (ssize_t at = 1; at < n;) {
            ssize_t k = write(w.fd, buf + at, (size_t)(n - at));
            if (k < 0 && errno == EINTR)
                continue;
            if (k < 0)
                give_up(errno, NULL);
            at += k;
        }
        total += (uint64_t)n - 1;
    }
}

_Noreturn void files_run(uint8_t type, struct reader *r, int fd)
{
    static char path[BG_MAX_PATH], to[BG_MAX_PATH];
    reply_fd = fd;
    uint32_t uid = rd_u32(r), gid = rd_u32(r);
    rd_string(r, path, sizeof path);
    uint64_t a = 0;
    uint32_t b = 0;
    uint8_t c = 0;
    switch (type) {
    case BG_LIST:
    case BG_READ:
        a = rd_u64(r);
        b = rd_u32(r);
        break;
    case BG_WRITE_OPEN:
    case BG_MKDIR:
        b = rd_u32(r);
        c = rd_u8(r);
        break;
    case BG_RENAME:
        rd_string(r, to, sizeof to);
        c = rd_u8(r);
        break;
    case BG_STAT:
    case BG_REMOVE:
        c = rd_u8(r);
        break;
    case BG_GLOB:
    case BG_GREP:
        search_parse(type, r);
        break;
    default:
        break;
    }
    if (r->bad || (!path[0] && type != BG_SAMPLE))
        fail(EINVAL, "malformed file request");
    if (type != BG_SAMPLE && become(uid, gid))
        fail(errno, "cannot act as this user");
    switch (type) {
    case BG_STAT:
        do_stat(path, c);
    case BG_LIST:
        do_list(path, a, b);
    case BG_READ:
        do_read(path, a, b);
    case BG_WRITE_OPEN:
        do_write(path, b, c);
    case BG_MKDIR:
        do_mkdir(path, b, c);
    case BG_REMOVE:
        do_remove(path, c);
    case BG_GLOB:
    case BG_GREP:
        search_run(type, path, fd);
    case BG_RENAME: {
        struct stat st;
        if (c && lstat(to, &st) == 0)
            fail(EEXIST, NULL);
        if (rename(path, to))
            fail(errno, NULL);
        done();
    }
    default: {
        struct frame *f = sample_make(path);
        finish(f);
    }
    }
}
