// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the sandbox uses: its cgroup when the files are ours to read, else the sums of /proc over
// our namespace.
#include "guest.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

struct usage
{
    uint8_t source;
    uint64_t cpu_us, memory, memory_limit;
    uint32_t pids, cpu_limit_milli;
};

static ssize_t slurp(const char *path, char *buf, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, buf, cap - 1);
    close(fd);
    buf[n > 0 ? n : 0] = 0;
    return n;
}

static bool number(const char *path, uint64_t *v)
{
    char buf[64];
    if (slurp(path, buf, sizeof buf) <= 0 || !isdigit((unsigned char)buf[0]))
        return false;
    *v = strtoull(buf, NULL, 10);
    return true;
}

static uint64_t field(const char *path, const char *key)
{
    static char buf[8192];
    size_t len = strlen(key);
    if (slurp(path, buf, sizeof buf) <= 0)
        return 0;
    for (char *p = buf; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        if (strncmp(p, key, len) == 0 && p[len] == ' ')
            return strtoull(p + len + 1, NULL, 10);
    }
    return 0;
}

#define CG "/sys/fs/cgroup/"

// Page cache that can be dropped at once is not what the sandbox needs; the engine's own tool
// leaves it out too.
static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static bool cgroup2(struct usage *u)
{
    uint64_t v;
    if (!number(CG "memory.current", &u->memory))
        return false;
    u->source = BG_SAMPLE_CGROUP2;
    u->memory = minus(u->memory, field(CG "memory.stat", "inactive_file"));
    u->cpu_us = field(CG "cpu.stat", "usage_usec");
    u->memory_limit = number(CG "memory.max", &v) ? v : 0;
    u->pids = number(CG "pids.current", &v) ? (uint32_t)v : 0;
    char buf[64];
    unsigned long long quota, period;
    if (slurp(CG "cpu.max", buf, sizeof buf) > 0 && sscanf(buf, "%llu %llu", &quota, &period) == 2
        && period)
        u->cpu_limit_milli = (uint32_t)(quota * 1000 / period);
    return true;
}

static bool cgroup1(struct usage *u)
{
    uint64_t v, quota, period;
    if (!number(CG "memory/memory.usage_in_bytes", &u->memory))
        return false;
    u->source = BG_SAMPLE_CGROUP1;
    u->memory = minus(u->memory, field(CG "memory/memory.stat", "total_inactive_file"));
    if (number(CG "cpuacct/cpuacct.usage", &v) || number(CG "cpu,cpuacct/cpuacct.usage", &v))
        u->cpu_us = v / 1000;
    u->memory_limit = number(CG "memory/memory.limit_in_bytes", &v) && v < 1ull << 60 ? v : 0;
    u->pids = number(CG "pids/pids.current", &v) ? (uint32_t)v : 0;
    if (number(CG "cpu/cpu.cfs_quota_us", &quota) && number(CG "cpu/cpu.cfs_period_us", &period)
        && period)
        u->cpu_limit_milli = (uint32_t)(quota * 1000 / period);
    return true;
}

// Time of reaped children counts too: inside a process namespace everything is reaped by somebody
// in it.
static void proc_sums(struct usage *u)
{
    long hz = sysconf(_SC_CLK_TCK), page = sysconf(_SC_PAGESIZE);
    uint64_t ticks = 0, pages = 0;
    DIR *d = opendir("/proc");
    struct dirent *e;
    while (d && (e = readdir(d))) {
        if (!isdigit((unsigned char)e->d_name[0]))
            continue;
        char path[300], buf[1024];
        snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
        if (slurp(path, buf, sizeof buf) <= 0)
            continue;
        char *p = strrchr(buf, ')');
        unsigned long long a, b;
        long long ca, cb;
        if (!p
            || sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld", &a,
                      &b, &ca, &cb)
                != 4)
            continue;
        ticks += a + b + (uint64_t)ca + (uint64_t)cb;
        u->pids++;
        snprintf(path, sizeof path, "/proc/%s/statm", e->d_name);
        unsigned long long resident, shared;
        if (slurp(path, buf, sizeof buf) > 0
            && sscanf(buf, "%*u %llu %llu", &resident, &shared) == 2)
            pages += minus(resident, shared);
    }
    if (d)
        closedir(d);
    u->source = BG_SAMPLE_PROC;
    u->cpu_us = ticks * 1000000 / (uint64_t)(hz > 0 ? hz : 100);
    u->memory = pages * (uint64_t)page;
}

bool memory_kills(uint64_t *n)
{
    static const char *const files[] = {CG "memory.events", CG "memory/memory.oom_control"};
    if (!guest.use_cgroup)
        return false;
    for (int i = 0; i < 2; i++) {
        if (access(files[i], R_OK))
            continue;
        *n = field(files[i], "oom_kill");
        return true;
    }
    return false;
}

struct frame *sample_make(const char *path)
{
    struct usage u = {0};
    if (!guest.use_cgroup || (!cgroup2(&u) && !cgroup1(&u)))
        proc_sums(&u);
    cpu_set_t set;
    uint32_t cpus = sched_getaffinity(0, sizeof set, &set) ? 1 : (uint32_t)CPU_COUNT(&set);
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    struct statvfs v;
    memset(&v, 0, sizeof v);
    if (path[0] && statvfs(path, &v))
        memset(&v, 0, sizeof v);
    struct frame *f = frame_new(BG_REPLY, 0, 128);
    fr_u8(&f, u.source);
    fr_u64(&f, (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u);
    fr_u64(&f, u.cpu_us);
    fr_u64(&f, u.memory);
    fr_u64(&f, u.memory_limit);
    fr_u32(&f, u.pids);
    fr_u32(&f, cpus);
    fr_u32(&f, u.cpu_limit_milli);
    fr_u64(&f, (uint64_t)v.f_blocks * v.f_frsize);
    fr_u64(&f, (uint64_t)(v.f_blocks - v.f_bfree) * v.f_frsize);
    fr_u64(&f, (uint64_t)v.f_bavail * v.f_frsize);
    return f;
}
