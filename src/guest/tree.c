// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ends all descendants of one process: stop until nothing new appears, kill, look again. A process
// that is stopped cannot fork, so the set stops growing even against code that respawns or ignores
// TERM. Owners are known without marks or cgroups, because whatever is orphaned is handed to the
// nearest subreaper: the supervisor.
#include "guest.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct proc
{
    pid_t pid, parent;
    char state;
    bool marked;
};

static struct proc *table;
static size_t count, room;

// The name field may hold anything, so the last ')' ends it.
static bool read_stat(pid_t pid, struct proc *p)
{
    char path[32], buf[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, buf, sizeof buf - 1);
    close(fd);
    if (n <= 0)
        return false;
    buf[n] = 0;
    char *e = strrchr(buf, ')');
    int parent;
    if (!e || sscanf(e + 1, " %c %d", &p->state, &parent) != 2)
        return false;
    p->pid = pid;
    p->parent = parent;
    p->marked = false;
    return true;
}

char process_state(pid_t pid)
{
    struct proc p;
    return read_stat(pid, &p) ? p.state : 0;
}

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct proc *)a)->pid, y = ((const struct proc *)b)->pid;
    return (x > y) - (x < y);
}

static void scan(void)
{
    count = 0;
    DIR *d = opendir("/proc");
    if (!d)
        return;
    bool sorted = true;
    struct dirent *e;
    while ((e = readdir(d))) {
        if (!isdigit((unsigned char)e->d_name[0]))
            continue;
        if (count == room) {
            size_t want = room ? room * 2 : 256;
            struct proc *t = realloc(table, want * sizeof *t);
            if (!t)
                break;
            table = t;
            room = want;
        }
        if (read_stat(atoi(e->d_name), &table[count])) {
            if (count && table[count - 1].pid > table[count].pid)
                sorted = false;
            count++;
        }
    }
    closedir(d);
    if (!sorted)
        qsort(table, count, sizeof *table, by_pid);
}

static struct proc *find(pid_t pid)
{
    struct proc key = {.pid = pid};
    return count ? bsearch(&key, table, count, sizeof key, by_pid) : NULL;
}

static uint32_t mark(const struct tree *t)
{
    uint32_t marked = 0;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = 0; i < count; i++) {
            struct proc *p = &table[i];
            if (p->marked || p->pid == t->root)
                continue;
            bool in = p->parent == t->root && !(t->skip && t->skip(p->pid));
            if (!in && p->parent != t->root) {
                struct proc *q = find(p->parent);
                in = q && q->marked;
            }
            if (in) {
                p->marked = grew = true;
                marked++;
            }
        }
    }
    return marked;
}

void tree_signal(pid_t root, int sig)
{
    struct tree t = {.root = root};
    scan();
    mark(&t);
    for (size_t i = 0; i < count; i++)
        if (table[i].marked)
            kill(table[i].pid, sig);
}

bool tree_pass(struct tree *t)
{
    scan();
    mark(t);
    uint32_t running = 0, alive = 0, refused = 0;
    for (size_t i = 0; i < count; i++) {
        struct proc *p = &table[i];
        if (!p->marked || p->state == 'Z' || p->state == 'X')
            continue;
        alive++;
        if (p->state == 'T' || p->state == 't')
            continue;
        running++;
        if (kill(p->pid, SIGSTOP) && errno == EPERM)
            refused++;
    }
    t->passes++;
    t->left = alive;
    t->denied = alive && refused == alive;
    // A state other than stopped may only be late, so kill after a few rounds in any case.
    if (running == 0 || ++t->rounds >= 8) {
        for (size_t i = 0; i < count; i++)
            if (table[i].marked && table[i].state != 'Z' && kill(table[i].pid, SIGKILL) == 0)
                t->killed++;
        t->rounds = 4; // what appears from now on gets fewer rounds
    }
    return alive == 0;
}
