// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#ifndef BERTH_GUEST_COMMAND_H
#define BERTH_GUEST_COMMAND_H

#include "guest.h"

// One direction of output. All that was read lies in the ring, the oldest bytes being overwritten;
// sent <= offset is what the host was given of it.
struct stream
{
    int fd;
    uint64_t offset, sent;
    uint64_t acked; // what the host has stored, as far as its credit tells
    uint32_t credit;
    uint32_t must; // bytes in the pipe when the grace ended; they go before EXIT
    uint8_t *ring;
    uint32_t cap;
    bool fixed; // no memory for a larger ring
};

struct command
{
    bool used;
    bool attached; // a host follows it
    bool started, failed, exited;
    bool drained;   // exited, and all output that counts was read
    bool exit_sent; // to the host that follows
    bool released;  // a host has confirmed the end
    bool closed;    // nothing of it runs any more; what is left can be asked for
    bool settled, tree_empty, lost, sup_gone, stdin_end, line_start;
    uint8_t kill_reason;
    uint8_t tag_len;
    uint32_t id, flags, grace, exit_flags, killed;
    uint32_t ended_no; // order in which they closed
    pid_t sup, main;
    int ctl, in, memfd;
    struct stream s[2];
    uint8_t *pending; // standard input that the pipe did not take yet
    uint32_t pending_len;
    uint64_t deadline, exit_at, kill_at, discarded;
    uint64_t claim_by;     // without a host: when it is killed; 0: never
    uint64_t memory_kills; // before it started
    struct sup_message end;
    char tag[BG_MAX_TAG];
};

struct request
{
    struct launch l;
    uint32_t timeout, credit, grace, size;
    char cwd[BG_MAX_PATH];
    char tag[BG_MAX_TAG];
    uint8_t tag_len;
    char *arena;
    bool wrapped;
    uint8_t stage;       // why command_spawn() failed
    const uint8_t *body; // all of the above as the host sent it
    uint32_t body_len;
};

// spare.c
bool spare_missing(void);
void spare_make(void);
bool spare_reaped(pid_t pid);
// Gives it the command and its ends of the pipes; answers the socket to it, or -1 when there is
// none.
int spare_start(const struct request *q, const int theirs[3], int memfd, pid_t *pid);

// launch.c
bool request_parse(struct request *q, struct reader *r);
void request_release(struct request *q);
// Starts the supervisor; false with errno and q->stage set.
bool command_spawn(struct command *c, struct request *q);
void shut(int *fd);
// Files made in between belong to these ids; false when nothing was changed.
bool act_as(uint32_t uid, uint32_t gid);
void act_as_self(void);

// terminal.c
bool terminal_open(int *master, int *slave, const struct launch *l);
void terminal_resize(int master, uint32_t size);
// What closing a pipe would be: the end-of-file character, by the rules of the terminal.
int terminal_end(int master, bool line_start, uint8_t out[2]);

// command.c
// Nothing was heard from the host for so long that it counts as lost.
bool host_silent(void);

struct command *command_find(uint32_t id);

// input.c
void input_push(struct command *c);

// output.c
// Of a command that outlives the connection of its host.
bool survives(const struct command *c);
void stream_begin(struct stream *s, int fd, uint32_t credit);
void stream_end(struct stream *s);
// Bytes that may be read from it now.
uint32_t stream_room(const struct command *c, int which);
void stream_read(struct command *c, int which);
// Oldest byte that is still there.
uint64_t stream_oldest(const struct stream *s);
// True when there is something to send and the host has given credit for it.
bool stream_waiting(const struct command *c, int which);
// Sends what the ring holds beyond what was sent.
void output_pump(struct command *c);
void output_exit(struct command *c);

#endif
