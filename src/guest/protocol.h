// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The numbers of the guest protocol, shared by the runner (C) and the host (C++).
// docs/guest-protocol.md says what each frame means; a change here that an old peer cannot read
// needs a new BG_PROTOCOL.
#ifndef BERTH_GUEST_PROTOCOL_H
#define BERTH_GUEST_PROTOCOL_H

#define BG_PROTOCOL_MIN 2
#define BG_PROTOCOL_MAX 2

#define BG_MAGIC "BERTHG1\n"
#define BG_MAGIC_SIZE 8
#define BG_NONCE_SIZE 32

// Header: u8 marker, u8 type, u8 flags, u8 zero, u32 body length, u32 id. The body is followed by
// one BG_TRAILER byte. It is not zero, so a frame that was cut and then completed by zero padding
// is told apart and dropped.
#define BG_MARKER 0xB7
#define BG_TRAILER 0x7B
#define BG_HEADER_SIZE 12
#define BG_FRAME_OVERHEAD 13
#define BG_MAX_TO_GUEST (256u * 1024u)
#define BG_MAX_TO_HOST (1024u * 1024u)
#define BG_MAX_DATA (64u * 1024u)
// Zero bytes that complete any frame a previous host may have left half written.
#define BG_PADDING (BG_MAX_TO_GUEST + 16u)
// After a violation only a magic behind at least this many zero bytes is believed.
#define BG_RESYNC_ZEROS 16

#define BG_MAX_COMMANDS 64
#define BG_MAX_ENDED 16 // commands that are kept for their end and their output only
#define BG_MAX_TAG 64
#define BG_RING (1024u * 1024u) // of each stream, for a host that comes later
#define BG_MAX_WORKERS 32
#define BG_MAX_OPEN_WRITES 24
#define BG_MAX_PATH 4096
#define BG_MAX_LIST_PAGE 1000
#define BG_MAX_READ (1024u * 1024u)
#define BG_MAX_FOUND 10000u
#define BG_MAX_SEARCH (2u * 1024u * 1024u) // bytes of an answer, and at most one frame more
#define BG_SEARCH_S 10
#define BG_MAX_STRINGS 8192
#define BG_CREDIT (1024u * 1024u)
#define BG_MAX_CREDIT (16u * 1024u * 1024u)
#define BG_STDIN_WINDOW (256u * 1024u)
#define BG_WRITE_WINDOW (256u * 1024u)
#define BG_MOVE_TOKEN 32 // bytes that show the host's socket who comes
#define BG_SILENCE_MS 60000
#define BG_GRACE_MS 60000 // a foreground command waits for a new host for so long
#define BG_STATE_SIZE (256u * 1024u)

#define BG_SELF 0xFFFFFFFFu // as uid or gid: the guest's own; as mode: keep, or the default

enum bg_frame_type {
    // host to guest
    BG_PING = 0x01,
    BG_BYE = 0x02,
    BG_MOVE = 0x03,
    BG_START = 0x10,
    BG_STDIN = 0x11,
    BG_STDIN_EOF = 0x12,
    BG_CREDIT_ADD = 0x13,
    BG_KILL = 0x14,
    BG_RESIZE = 0x15,
    BG_SIGNAL = 0x16,
    BG_ATTACH = 0x17,
    BG_DETACH = 0x18,
    BG_JOBS = 0x19,
    BG_STAT = 0x20,
    BG_LIST = 0x21,
    BG_READ = 0x22,
    BG_WRITE_OPEN = 0x23,
    BG_WRITE_DATA = 0x24,
    BG_WRITE_COMMIT = 0x25,
    BG_WRITE_ABORT = 0x26,
    BG_MKDIR = 0x27,
    BG_RENAME = 0x28,
    BG_REMOVE = 0x29,
    BG_GLOB = 0x2A,
    BG_GREP = 0x2B,
    BG_SAMPLE = 0x30,
    // guest to host
    BG_HELLO = 0x81,
    BG_PONG = 0x82,
    BG_FATAL = 0x83,
    BG_STARTED = 0x90,
    BG_OUT = 0x91,
    BG_ERR = 0x92,
    BG_STDIN_ACK = 0x93,
    BG_STDIN_GONE = 0x94,
    BG_STATE = 0x95,
    BG_EXIT = 0x96,
    BG_CLOSED = 0x97,
    BG_ATTACHED = 0x98,
    BG_DATA = 0xA0,
    BG_REPLY = 0xA1,
    BG_ERROR = 0xA2,
    BG_WRITE_ACK = 0xA3
};

enum bg_capability {
    BG_CAP_PROC = 1 << 0,   // /proc is there: tree kill and state readback work
    BG_CAP_PID1 = 1 << 1,   // signals from inside cannot end the guest
    BG_CAP_MEMFD = 1 << 2,  // environment readback
    BG_CAP_CGROUP = 1 << 3, // samples come from a cgroup
    BG_CAP_ROOT = 1 << 4,   // runs as uid 0
    BG_CAP_PTY = 1 << 5,    // terminals can be opened
    BG_CAP_SEARCH = 1 << 8, // knows GLOB and GREP; an older runner takes them for a violation
    BG_CAP_MOVE = 1 << 9    // likewise MOVE
};

enum bg_start_flag {
    BG_START_STATE = 1 << 0,       // read the environment back; argv must be <shell> -c <text>
    BG_START_TRACE = 1 << 1,       // read the working directory back by tracing the main process
    BG_START_STDIN_OPEN = 1 << 2,  // else standard input is /dev/null
    BG_START_BACKGROUND = 1 << 3,  // survives silence and another host
    BG_START_KILL_REST = 1 << 4,   // when the main process ends, so does the rest of its tree
    BG_START_INHERIT_ENV = 1 << 5, // env entries are changes to the guest's own environment
    BG_START_PTY = 1 << 6          // on a terminal of its own; survives like background
};

enum bg_job_state {
    BG_JOB_ENDED = 1 << 0,    // the main process
    BG_JOB_FOLLOWED = 1 << 1, // by the host of this connection
    BG_JOB_RELEASED = 1 << 2, // a host has its end
    BG_JOB_EMPTY = 1 << 3     // nothing of the tree is left
};

enum bg_signal_target { BG_SIGNAL_GROUP = 0, BG_SIGNAL_MAIN = 1, BG_SIGNAL_TREE = 2 };

enum bg_stage {
    BG_STAGE_REQUEST = 1,
    BG_STAGE_RESOURCES = 2,
    BG_STAGE_USER = 3,
    BG_STAGE_CWD = 4,
    BG_STAGE_EXEC = 5,
    BG_STAGE_FILE = 6,
    BG_STAGE_TERMINAL = 7
};

enum bg_kill_reason { BG_KILL_CANCEL = 1, BG_KILL_TIMEOUT = 2, BG_KILL_HOST_LOST = 3 };

enum bg_exit_kind { BG_EXITED = 0, BG_SIGNALLED = 1, BG_TIMED_OUT = 2, BG_KILLED = 3 };

enum bg_exit_flag {
    BG_EXIT_STREAMS_OPEN = 1 << 0,    // something of the tree still holds stdout or stderr
    BG_EXIT_TREE_ALIVE = 1 << 1,      // background children are left; CLOSED follows later
    BG_EXIT_SUPERVISOR_LOST = 1 << 2, // the command killed its supervisor; the status is a guess
    BG_EXIT_CWD_TRACED = 1 << 3,
    BG_EXIT_CWD_DUMPED = 1 << 4,
    BG_EXIT_HOST_LOST = 1 << 5,    // killed because no host came in time
    BG_EXIT_MEMORY_KNOWN = 1 << 6, // the cgroup counts what is killed for want of memory, and
    BG_EXIT_OUT_OF_MEMORY = 1 << 7 // something was while the command ran
};

enum bg_state_reason {
    BG_STATE_TRACKED = 0,
    BG_STATE_NOT_ASKED = 1,
    BG_STATE_NO_DUMP = 2, // own EXIT trap, exec, killed: the shell never ran ours
    BG_STATE_TOO_LARGE = 3,
    BG_STATE_UNAVAILABLE = 4 // no memfd or no /proc here
};

enum bg_write_flag {
    BG_WRITE_EXCLUSIVE = 1 << 0,
    BG_WRITE_PARENTS = 1 << 1,
    BG_WRITE_SYNC = 1 << 2
};

enum bg_search_flag {
    BG_SEARCH_HIDDEN = 1 << 0,
    BG_SEARCH_FIXED = 1 << 1,
    BG_SEARCH_NO_CASE = 1 << 2
};

enum bg_sample_source { BG_SAMPLE_PROC = 0, BG_SAMPLE_CGROUP1 = 1, BG_SAMPLE_CGROUP2 = 2 };

#endif
