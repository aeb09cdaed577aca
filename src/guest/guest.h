// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef BERTH_GUEST_H
#define BERTH_GUEST_H

#include "protocol.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// ---- bytes.c: bounded reading and growing frames

struct reader
{
    const uint8_t *p, *end;
    bool bad;
};
struct bytes
{
    const uint8_t *p;
    uint32_t n;
};
uint8_t rd_u8(struct reader *r);
uint32_t rd_u32(struct reader *r);
uint64_t rd_u64(struct reader *r);
struct bytes rd_bytes(struct reader *r, uint32_t max);
// A copy with a NUL at the end, into dst of size cap; bad when it holds a NUL or is too long.
bool rd_string(struct reader *r, char *dst, size_t cap);

struct frame
{
    struct frame *next;
    uint32_t cap, len, sent; // of data, header included
    uint8_t data[];
};
struct frame *frame_new(uint8_t type, uint32_t id, uint32_t room);
void frame_free(struct frame *f);
void fr_u8(struct frame **f, uint8_t v);
void fr_u16(struct frame **f, uint16_t v);
void fr_u32(struct frame **f, uint32_t v);
void fr_u64(struct frame **f, uint64_t v);
void fr_raw(struct frame **f, const void *p, uint32_t n);
void fr_bytes(struct frame **f, const void *p, uint32_t n);
void put_u32(uint8_t *p, uint32_t v);
uint32_t get_u32(const uint8_t *p);

// ---- clock: time in which the guest really ran; a frozen container does not count (main.c)
uint64_t clock_active(void);

// ---- link.c: the byte streams to the host

// The stream that the guest was started with, and a socket that a host may name later.
enum { LINK_POLLS = 4 };
void link_init(int in, int out, bool stay);
// Fills LINK_POLLS entries.
void link_poll(struct pollfd *p);
void link_event(const struct pollfd *p);
void link_parse(void);
// Control frames overtake data; what must stay in order per id goes by link_data.
void link_control(struct frame *f);
void link_data(struct frame *f);
// Appends to the newest queued data frame of the same stream when it has room, else queues a new
// one.
bool link_stream(uint8_t type, uint32_t id, uint64_t offset, const uint8_t *p, uint32_t n);
bool link_full(void);
void link_fatal(const char *why);
uint64_t link_heard(void);
void link_flush(int ms);
void link_error(uint32_t id, int err, uint8_t stage, const char *text);
// Connects to a socket of the host and shows the token; a host that greets there takes over.
void link_move(uint32_t id, struct reader *r);

// ---- main.c

struct guest
{
    bool pid1, stay, have_proc, have_memfd, use_cgroup, stopping;
    int exe;         // O_PATH of the running binary, for the state helper
    char **environ0; // as it was at the start
    uint64_t nofile_soft, nofile_hard;
    uint64_t grace;   // ms that a foreground command waits for a new host
    uint64_t silence; // ms after which a host counts as lost
};
extern struct guest guest;
void guest_frame(uint8_t type, uint32_t id, const uint8_t *body, uint32_t len);
void guest_taken_over(void);
// The host is gone; another one may come.
void guest_host_lost(void);
void guest_hello(const uint8_t *nonce);
void guest_stop(void);
void close_from(int first, const int *keep, int nkeep);
int become(uint32_t uid, uint32_t gid);
void child_signals(void);

// ---- command.c

void command_start(uint32_t id, struct reader *r);
void command_stdin(uint32_t id, const uint8_t *p, uint32_t n);
void command_stdin_eof(uint32_t id);
void command_credit(uint32_t id, struct reader *r);
bool command_kill(uint32_t id, uint8_t reason);
// Without all: only foreground commands that still run.
void command_kill_all(uint8_t reason, bool all);
void command_host_lost(void);
void command_attach(uint32_t id, struct reader *r);
void command_detach(uint32_t id, struct reader *r);
void command_resize(uint32_t id, struct reader *r);
void command_signal(uint32_t id, struct reader *r);
void command_jobs(struct frame **f);
void command_reaped(pid_t pid, int status);
bool command_owns(pid_t pid);
int command_poll(struct pollfd *p, int room);
void command_events(void);
void command_tick(void);
int command_wait(void); // ms until command_tick has something to do
bool command_any(void);
bool command_timed(void);

// ---- supervisor.c

enum { SUP_STARTED = 1, SUP_FAILED, SUP_EXIT, SUP_EMPTY };
struct sup_message
{
    uint8_t what, stage;
    bool traced, alone; // alone: nothing of the tree was left when the main process ended
    int32_t value;      // pid, errno or wait status; for SUP_EMPTY the number of processes left
    uint32_t killed;
    uint64_t user_us, system_us, max_rss_kib;
    char cwd[BG_MAX_PATH];
};
struct launch
{
    uint32_t flags, uid, gid;
    int in, out, err, memfd;
    char **argv, **env;
    const char *cwd;
};
// Whatever does not depend on the command; keeps ctl only.
void supervisor_prepare(int ctl);
_Noreturn void supervisor_run(const struct launch *l, int ctl);

// ---- tree.c: killing all descendants of a process

struct tree
{
    pid_t root;
    bool (*skip)(pid_t); // direct children of root that are not to be touched, with all below them
    uint32_t rounds, passes, killed;
    uint32_t left; // found alive in the last pass
    bool denied;   // everything left answered EPERM
};
// One pass of stopping or killing, about a millisecond; true when nothing was left.
bool tree_pass(struct tree *t);
char process_state(pid_t pid);
void tree_signal(pid_t root, int sig);

// ---- terminal.c

bool terminal_available(void);

// ---- state.c

int state_create(void);
int state_dump_main(void);
// Builds the STATE frame from the dump; cwd gets the dumped directory or stays empty.
struct frame *state_read(int fd, uint32_t id, bool inherit, char *cwd, size_t cap);
struct frame *state_none(uint32_t id, uint8_t reason);

// ---- worker.c (in the guest), files.c and sample.c (in a forked child)

void worker_request(uint8_t type, uint32_t id, const uint8_t *body, uint32_t len);
void worker_data(uint32_t id, uint8_t type, const uint8_t *p, uint32_t n);
bool worker_cancel(uint32_t id);
void worker_cancel_all(void);
void worker_cancel_writes(void);
// True while a writer has not tidied up yet.
bool worker_writing(void);
void worker_reaped(pid_t pid, int status);
bool worker_owns(pid_t pid);
int worker_poll(struct pollfd *p, int room);
void worker_events(void);

// From the child to the guest alone: the name of a temporary file, with its directory's descriptor.
enum { WORKER_TEMP = 0xFF, WORKER_TEMP_NAME = 40 };
// Both false when the guest is gone or has cancelled.
bool worker_send(int fd, uint8_t type, const struct frame *f);
bool worker_announce(int fd, int dir, const char *name);
void worker_fail(int fd, int err, const char *text);
_Noreturn void files_run(uint8_t type, struct reader *r, int fd);
struct frame *sample_make(const char *path);
// How many processes the kernel has killed for want of memory; false: that cannot be known here.
bool memory_kills(uint64_t *n);

// ---- search.c and match.c (in a forked child)

void search_parse(uint8_t type, struct reader *r);
_Noreturn void search_run(uint8_t type, const char *root, int fd);
bool match_name(const char *pattern, const char *name);

#endif
