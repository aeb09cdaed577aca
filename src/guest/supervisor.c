// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// One supervisor per command: the parent, reaper and tracer of its tree. It never runs foreign
// code, holds nothing but its socket to the guest, and ends the tree when told so or when the guest
// is gone.
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATE_FD = 198, EXE_FD = 197, KILL_SECONDS = 10 };

static struct
{
    int ctl;
    pid_t main;
    bool prepared, traced, options, done, deaf;
    uint32_t uid, gid, flags;
    struct sup_message exit;
} s;

static void tell(const struct sup_message *m)
{
    if (!s.deaf && send(s.ctl, m, sizeof *m, MSG_NOSIGNAL) < 0)
        s.deaf = true;
}

struct failure
{
    int32_t stage, err;
};

static _Noreturn void fail(int fd, int stage)
{
    struct failure f = {stage, errno};
    if (write(fd, &f, sizeof f) < 0)
        _exit(126);
    _exit(127);
}

static void place(int from, int to, int report)
{
    if (from == to)
        fcntl(to, F_SETFD, 0);
    else if (dup2(from, to) < 0)
        fail(report, BG_STAGE_RESOURCES);
}

static _Noreturn void child_run(const struct launch *l, int report)
{
    child_signals();
    setsid();
    // Out of memory should hit the command and not the guest. Best effort: only root may write it
    // here.
    int oom = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (oom >= 0) {
        if (write(oom, "200", 3) < 0)
            oom = -1;
    }
    // Above everything that is placed below, so that no dup2 hits a source.
    bool terminal = l->flags & BG_START_PTY;
    if (terminal && ioctl(l->out, TIOCSCTTY, 0))
        fail(report, BG_STAGE_TERMINAL);
    int in = terminal ? l->out : l->in;
    if (in < 0)
        in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0) {
        int p[2];
        if (pipe2(p, O_CLOEXEC))
            fail(report, BG_STAGE_RESOURCES);
        close(p[1]);
        in = p[0];
    }
    place(in, 0, report);
    place(l->out, 1, report);
    place(terminal ? l->out : l->err, 2, report);
    if (l->memfd >= 0) {
        place(l->memfd, STATE_FD, report);
        place(guest.exe, EXE_FD, report);
    }
    if (become(l->uid, l->gid))
        fail(report, BG_STAGE_USER);
    if (l->cwd[0] && chdir(l->cwd))
        fail(report, BG_STAGE_CWD);
    struct rlimit n = {guest.nofile_soft, guest.nofile_hard};
    setrlimit(RLIMIT_NOFILE, &n);
    prctl(PR_SET_PDEATHSIG, 0);
    if (l->flags & BG_START_TRACE)
        ptrace(PTRACE_TRACEME, 0, 0,
               0); // refused here and there; then there is no traced directory
    environ = l->env;
    execvp(l->argv[0], l->argv);
    fail(report, BG_STAGE_EXEC);
}

// The link may only be read with the ids of its owner: root without SYS_PTRACE is refused.
static void read_cwd(void)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/cwd", (int)s.main);
    ssize_t n = readlink(path, s.exit.cwd, sizeof s.exit.cwd - 1);
    if (n < 0 && s.uid != BG_SELF) {
        if (s.gid != BG_SELF)
            setfsgid(s.gid);
        setfsuid(s.uid);
        n = readlink(path, s.exit.cwd, sizeof s.exit.cwd - 1);
        setfsuid(geteuid());
        setfsgid(getegid());
        prctl(PR_SET_DUMPABLE, 0);
    }
    // A removed directory keeps its path with a suffix; it is nowhere to return to, but the host
    // shall know it.
    s.exit.cwd[n > 0 ? n : 0] = 0;
    s.exit.traced = n > 0;
}

static void on_stop(int status)
{
    int sig = WSTOPSIG(status), event = status >> 16;
    long pass = 0;
    if (event == PTRACE_EVENT_EXIT) {
        read_cwd();
    } else if (event == PTRACE_EVENT_EXEC) {
        pass = 0;
    } else if (!s.options && sig == SIGTRAP) { // the first exec
        s.options = true;
        ptrace(PTRACE_SETOPTIONS, s.main, 0, PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC);
    } else {
        siginfo_t si;
        bool stops = sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
        if (stops && ptrace(PTRACE_GETSIGINFO, s.main, 0, &si) && errno == EINVAL) {
            // Really stopped now. A tracer of this kind cannot leave it stopped and go on tracing,
            // so it lets go: the stop is what the command asked for, the directory is the smaller
            // loss.
            ptrace(PTRACE_DETACH, s.main, 0, 0);
            s.traced = false;
            return;
        }
        pass = sig;
    }
    ptrace(PTRACE_CONT, s.main, 0, pass);
}

static uint64_t micros(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_usec;
}

// True when there are no children left at all.
static bool reap(void)
{
    bool ended = false;
    for (;;) {
        int status;
        struct rusage ru;
        pid_t pid = wait4(-1, &status, WNOHANG | __WALL, &ru);
        if (pid <= 0) {
            bool none = pid < 0 && errno == ECHILD;
            s.exit.alone = none;
            if (ended)
                tell(&s.exit);
            return none;
        }
        if (pid != s.main)
            continue;
        if (WIFSTOPPED(status)) {
            on_stop(status);
            continue;
        }
        s.exit.what = SUP_EXIT;
        s.exit.value = status;
        s.exit.user_us = micros(ru.ru_utime);
        s.exit.system_us = micros(ru.ru_stime);
        s.exit.max_rss_kib = (uint64_t)ru.ru_maxrss;
        s.done = true;
        s.main = 0;
        ended = true;
    }
}

static void kill_tree(void)
{
    struct tree t = {.root = getpid()};
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (!guest.have_proc && s.main)
        kill(-s.main, SIGKILL); // all that can be found without /proc
    for (unsigned nap = 200;; nap = nap < 20000 ? nap * 2 : nap) {
        bool none = tree_pass(&t);
        s.exit.killed = t.killed;
        if (reap() || (none && !guest.have_proc))
            break;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec - start.tv_sec > (t.denied ? 2 : KILL_SECONDS))
            break;
        usleep(nap);
    }
}

// To the group that the main process leads, to itself, or to all below it; only while it is ours,
// so that the number cannot have gone to somebody else.
static void send_signal(int sig, int whom)
{
    if (!s.main)
        return;
    if (whom == BG_SIGNAL_TREE)
        tree_signal(getpid(), sig);
    else
        kill(whom == BG_SIGNAL_GROUP ? -s.main : s.main, sig);
}

static _Noreturn void finish(uint32_t left)
{
    struct sup_message m = {.what = SUP_EMPTY, .value = (int32_t)left, .killed = s.exit.killed};
    tell(&m);
    _exit(0);
}

static bool launch(const struct launch *l)
{
    int report[2];
    struct sup_message m = {.what = SUP_FAILED, .stage = BG_STAGE_RESOURCES};
    if (pipe2(report, O_CLOEXEC)) {
        m.value = errno;
        tell(&m);
        return false;
    }
    s.main = fork();
    if (s.main < 0) {
        m.value = errno;
        tell(&m);
        return false;
    }
    if (s.main == 0)
        child_run(l, report[1]);
    close(report[1]);
    int held[] = {l->in, l->out, l->err, l->memfd};
    for (int i = 0; i < 4; i++)
        if (held[i] >= 0)
            close(held[i]);
    // A directory or program on a dead network file system must not make the command unkillable.
    struct pollfd p[2] = {{report[0], POLLIN, 0}, {s.ctl, POLLIN, 0}};
    while (poll(p, 2, -1) < 0 && errno == EINTR)
        ;
    if (!p[0].revents) {
        kill_tree();
        m.value = ECANCELED;
        tell(&m);
        return false;
    }
    struct failure f;
    ssize_t n = read(report[0], &f, sizeof f);
    close(report[0]);
    if (n == sizeof f) {
        m.stage = (uint8_t)f.stage;
        m.value = f.err;
        tell(&m);
        return false;
    }
    m.what = SUP_STARTED;
    m.value = s.main;
    tell(&m);
    return true;
}

static void prepare(const int *keep, int nkeep)
{
    dup2(0, 2); // the host's error pipe must not stay open for as long as a daemon lives
    close_from(3, keep, nkeep);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_DUMPABLE, 0);
    setsid(); // a signal to the guest's group is none of our business

    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    s.prepared = true;
}

void supervisor_prepare(int ctl)
{
    int keep[] = {ctl, guest.exe};
    prepare(keep, 2);
}

_Noreturn void supervisor_run(const struct launch *l, int ctl)
{
    s.ctl = ctl;
    s.uid = l->uid;
    s.gid = l->gid;
    s.flags = l->flags;
    if (!s.prepared) {
        int keep[] = {ctl, l->in, l->out, l->err, l->memfd, guest.exe};
        prepare(keep, 6);
    }
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    int sig = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);

    if (sig < 0 || !launch(l))
        _exit(0);
    for (;;) {
        if (reap())
            finish(0);
        if (s.done && (s.flags & BG_START_KILL_REST)) {
            kill_tree();
            finish(reap() ? 0 : 1);
        }
        struct pollfd p[2] = {{sig, POLLIN, 0}, {ctl, POLLIN, 0}};
        poll(p, 2, -1);
        struct signalfd_siginfo si;
        while (read(sig, &si, sizeof si) > 0)
            ;
        if (p[1].revents) {
            uint8_t order[3] = {0};
            ssize_t n = recv(ctl, order, sizeof order, MSG_DONTWAIT);
            if (n == 3 && order[0] == 'S') {
                send_signal(order[1], order[2]);
            } else if (n >= 0 || (errno != EAGAIN && errno != EINTR)) {
                kill_tree();
                finish(reap() ? 0 : 1);
            }
        }
    }
}
