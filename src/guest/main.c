// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The runner that lives in a sandbox: starts commands for the host, ends their whole trees, reports
// what is left.
#include "command.h"

#ifndef BERTH_GUEST_BUILD
#define BERTH_GUEST_BUILD "unknown"
#endif

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SPARE_AFTER_MS = 20 };

struct guest guest = {.exe = -1, .grace = BG_GRACE_MS, .silence = BG_SILENCE_MS};

static uint64_t active, last_real;

uint64_t clock_active(void)
{
    return active;
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

// CLOCK_MONOTONIC runs on while the container is frozen. Whatever exceeds the wait that was asked
// for by more than scheduling noise was not ours to use and does not count.
static void clock_advance(uint64_t asked)
{
    uint64_t t = now_ms(), delta = t - last_real;
    last_real = t;
    active += delta < asked + 250 ? delta : asked + 250;
}

void close_from(int first, const int *keep, int nkeep)
{
    for (;;) {
        int lowest = -1;
        for (int i = 0; i < nkeep; i++)
            if (keep[i] >= first && (lowest < 0 || keep[i] < lowest))
                lowest = keep[i];
        unsigned last = lowest < 0 ? ~0u : (unsigned)lowest - 1;
        if ((unsigned)first <= last && syscall(436 /* close_range */, (unsigned)first, last, 0) < 0)
            for (int fd = first; fd < (lowest < 0 ? 4096 : lowest); fd++)
                close(fd);
        if (lowest < 0)
            return;
        first = lowest + 1;
    }
}

int become(uint32_t uid, uint32_t gid)
{
    if (gid != BG_SELF && gid != getgid()) {
        gid_t g = gid;
        if (setgroups(1, &g) || setresgid(g, g, g))
            return -1;
    }
    if (uid != BG_SELF && uid != getuid()) {
        if (getuid() == 0 && gid == BG_SELF && setgroups(0, NULL))
            return -1;
        if (setresuid(uid, uid, uid))
            return -1;
    }
    prctl(PR_SET_DUMPABLE, 0); // changing ids may have set what the system's default says
    return 0;
}

void child_signals(void)
{
    struct sigaction sa = {.sa_handler = SIG_DFL};
    for (int i = 1; i < 65; i++)
        sigaction(i, &sa, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void guest_stop(void)
{
    guest.stopping = true;
}

void guest_taken_over(void)
{
    command_host_lost();
    worker_cancel_all();
}

void guest_host_lost(void)
{
    command_host_lost();
    worker_cancel_writes(); // nobody is left to complete them
}

void guest_hello(const uint8_t *nonce)
{
    struct frame *m = frame_new(0, 0, BG_MAGIC_SIZE + BG_NONCE_SIZE);
    m->len = 0;
    fr_raw(&m, BG_MAGIC, BG_MAGIC_SIZE);
    fr_raw(&m, nonce, BG_NONCE_SIZE);
    link_control(m);

    struct utsname u;
    uname(&u);
    uint32_t caps = (guest.have_proc ? BG_CAP_PROC : 0) | (guest.pid1 ? BG_CAP_PID1 : 0)
        | (guest.have_memfd ? BG_CAP_MEMFD : 0) | (guest.use_cgroup ? BG_CAP_CGROUP : 0)
        | (getuid() == 0 ? BG_CAP_ROOT : 0) | (terminal_available() ? BG_CAP_PTY : 0)
        | BG_CAP_SEARCH | BG_CAP_MOVE;
    struct frame *f = frame_new(BG_HELLO, 0, 512);
    fr_u16(&f, BG_PROTOCOL_MIN);
    fr_u16(&f, BG_PROTOCOL_MAX);
    fr_u32(&f, caps);
    fr_u32(&f, (uint32_t)getpid());
    fr_u32(&f, (uint32_t)getuid());
    fr_u32(&f, (uint32_t)getgid());
    fr_bytes(&f, BERTH_GUEST_BUILD, (uint32_t)strlen(BERTH_GUEST_BUILD));
    fr_bytes(&f, u.machine, (uint32_t)strlen(u.machine));
    fr_bytes(&f, u.nodename, (uint32_t)strlen(u.nodename));
    command_jobs(&f);
    link_control(f);
}

void guest_frame(uint8_t type, uint32_t id, const uint8_t *body, uint32_t len)
{
    struct reader r = {body, body + len, false};
    switch (type) {
    case BG_PING: {
        struct frame *f = frame_new(BG_PONG, id, 8);
        fr_u64(&f, active);
        link_control(f);
        return;
    }
    case BG_BYE:
        if (guest.stay) {
            command_kill_all(BG_KILL_HOST_LOST, false); // it will not come back for them
            guest_taken_over();
        } else {
            guest_stop();
        }
        return;
    case BG_MOVE:
        link_move(id, &r);
        return;
    case BG_START:
        command_start(id, &r);
        return;
    case BG_STDIN:
        if (len > BG_MAX_DATA)
            break;
        command_stdin(id, body, len);
        return;
    case BG_STDIN_EOF:
        command_stdin_eof(id);
        return;
    case BG_CREDIT_ADD:
        command_credit(id, &r);
        return;
    case BG_RESIZE:
        command_resize(id, &r);
        return;
    case BG_SIGNAL:
        command_signal(id, &r);
        return;
    case BG_ATTACH:
        command_attach(id, &r);
        return;
    case BG_DETACH:
        command_detach(id, &r);
        return;
    case BG_JOBS: {
        struct frame *f = frame_new(BG_REPLY, id, 512);
        command_jobs(&f);
        link_data(f);
        return;
    }
    case BG_KILL:
        if (!command_kill(id, BG_KILL_CANCEL))
            worker_cancel(id);
        return;
    case BG_STAT:
    case BG_LIST:
    case BG_READ:
    case BG_WRITE_OPEN:
    case BG_MKDIR:
    case BG_RENAME:
    case BG_REMOVE:
    case BG_GLOB:
    case BG_GREP:
    case BG_SAMPLE:
        worker_request(type, id, body, len);
        return;
    case BG_WRITE_DATA:
    case BG_WRITE_COMMIT:
    case BG_WRITE_ABORT:
        if (len > BG_MAX_DATA)
            break;
        worker_data(id, type, body, len);
        return;
    default:
        break;
    }
    link_fatal("frame of an unknown type or size");
}

static void reap(void)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return;
        worker_reaped(pid, status);
        if (!spare_reaped(pid))
            command_reaped(pid, status);
    }
}

static void on_signal(int fd)
{
    struct signalfd_siginfo si;
    while (read(fd, &si, sizeof si) == sizeof si) {
        if (si.ssi_signo == SIGCHLD)
            continue;
        // Sender 0 is outside of our process namespace: the engine or the host. From inside nobody
        // ends the guest.
        if (si.ssi_pid == 0 || (!guest.pid1 && (pid_t)si.ssi_pid == getppid()))
            guest_stop();
    }
    reap();
}

static int setup_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    sigprocmask(SIG_SETMASK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Moves the protocol away from 0 and 1, so that nothing that prints by habit can write into it.
static int take_fd(int from)
{
    int fd = fcntl(from, F_DUPFD_CLOEXEC, 10);
    if (fd < 0)
        _exit(71);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), p[2];
    if (null < 0 && pipe2(p, O_CLOEXEC) == 0) {
        close(p[1]);
        null = p[0];
    }
    dup2(null, from);
    close(null);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return fd;
}

static void raise_nofile(void)
{
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l))
        return;
    guest.nofile_soft = l.rlim_cur;
    guest.nofile_hard = l.rlim_max;
    if (l.rlim_cur < 1024) {
        l.rlim_cur = l.rlim_max < 1024 ? l.rlim_max : 1024;
        setrlimit(RLIMIT_NOFILE, &l);
    }
}

// Ends everything; as pid 1 our own end does it, else wait for the supervisors. Writers always get
// the time to remove their temporary files.
static _Noreturn void shut_down(int code, int sigs)
{
    worker_cancel_all();
    if (!guest.pid1) {
        command_kill_all(BG_KILL_HOST_LOST, true);
        for (int i = 0; i < 500 && command_any(); i++) {
            struct pollfd p[1 + 4 * BG_MAX_COMMANDS] = {{sigs, POLLIN, 0}};
            int n = command_poll(p + 1, 4 * BG_MAX_COMMANDS);
            poll(p, (nfds_t)n + 1, 10);
            on_signal(sigs);
            clock_advance(10);
            command_events();
            command_tick();
        }
    }
    for (int i = 0; i < 200 && worker_writing(); i++) {
        struct pollfd p = {sigs, POLLIN, 0};
        poll(&p, 1, 10);
        on_signal(sigs);
    }
    _exit(code);
}

static int run(int argc, char **argv)
{
    guest.pid1 = getpid() == 1;
    guest.use_cgroup = guest.pid1;
    for (int i = 2; i < argc; i++) {
        if (!strcmp(argv[i], "--eof=stay"))
            guest.stay = true;
        else if (!strcmp(argv[i], "--eof=exit"))
            guest.stay = false;
        else if (!strcmp(argv[i], "--cgroup=yes"))
            guest.use_cgroup = true;
        else if (!strcmp(argv[i], "--cgroup=no"))
            guest.use_cgroup = false;
        else if (!strncmp(argv[i], "--grace-ms=", 11))
            guest.grace = strtoul(argv[i] + 11, NULL, 10);
        else if (!strncmp(argv[i], "--silence-ms=", 13))
            guest.silence = strtoul(argv[i] + 13, NULL, 10);
        else
            return 64;
    }
    guest.exe = open("/proc/self/exe", O_PATH | O_CLOEXEC);
    guest.have_proc = guest.exe >= 0;
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (fcntl(2, F_GETFD) < 0)
        dup2(1, 2);
    umask(022);
    raise_nofile();
    int in = take_fd(0), out = take_fd(1);
    int probe = state_create();
    guest.have_memfd = probe >= 0 && guest.have_proc;
    if (probe >= 0)
        close(probe);
    int sigs = setup_signals();
    if (sigs < 0)
        return 71;
    last_real = now_ms();
    link_init(in, out, guest.stay);

    static struct pollfd p[1 + LINK_POLLS + 4 * BG_MAX_COMMANDS + BG_MAX_WORKERS];
    while (!guest.stopping) {
        link_poll(p + 1);
        p[0] = (struct pollfd){sigs, POLLIN, 0};
        int n = 1 + LINK_POLLS;
        n += command_poll(p + n, 4 * BG_MAX_COMMANDS);
        n += worker_poll(p + n, BG_MAX_WORKERS);
        int wait = command_wait(), tick = command_timed() ? 250 : 1000;
        if (wait > tick)
            wait = tick;
        bool short_of = spare_missing();
        if (short_of && wait > SPARE_AFTER_MS)
            wait = SPARE_AFTER_MS;
        int ready = poll(p, (nfds_t)n, wait);
        clock_advance((uint64_t)wait);
        if (!ready && short_of && !guest.stopping)
            spare_make(); // now that nobody waits for us
        if (p[0].revents)
            on_signal(sigs);
        command_events();
        worker_events();
        command_tick();
        link_event(p + 1);
        link_parse();
    }
    shut_down(0, sigs);
}

int main(int argc, char **argv)
{
    guest.environ0 = environ;
    if (argc > 1 && !strcmp(argv[1], "dump"))
        return state_dump_main();
    if (argc > 1 && !strcmp(argv[1], "run"))
        return run(argc, argv);
    static const char text[] = "berth-guest " BERTH_GUEST_BUILD "\n";
    return write(1, text, sizeof text - 1) < 0;
}
