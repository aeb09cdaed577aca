// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reading a shell's environment back. The shell gets a sealed memfd and this very binary as
// descriptors and an EXIT trap that calls `dump`: no tool of the image, no PATH, no writable
// directory, no quoting. What it writes is data of the sandbox: it can be forged there and is only
// ever given back to commands of the same sandbox.
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

static const char dump_magic[8] = "BERTHD1\n";
enum { DUMP_HEADER = 12, DUMP_FD = 198 };

int state_create(void)
{
    int fd = memfd_create("berth-state", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (fd < 0)
        fd = memfd_create("berth-state", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, BG_STATE_SIZE) || fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK)) {
        close(fd);
        return -1;
    }
    return fd;
}

int state_dump_main(void)
{
    static char block[BG_STATE_SIZE];
    uint32_t n = 0;
    if (getcwd(block, BG_MAX_PATH))
        n = (uint32_t)strlen(block);
    block[n++] = 0;
    bool fits = true;
    for (char **e = environ; *e; e++) {
        size_t len = strlen(*e) + 1;
        if (n + len > sizeof block - DUMP_HEADER) {
            fits = false;
            break;
        }
        memcpy(block + n, *e, len);
        n += (uint32_t)len;
    }
    uint8_t head[DUMP_HEADER];
    memcpy(head, dump_magic, 8);
    put_u32(head + 8, fits ? n : 0xFFFFFFFFu);
    // The header comes last: half a dump must not look like a whole one.
    if (fits && pwrite(DUMP_FD, block, n, DUMP_HEADER) != (ssize_t)n)
        return 1;
    return pwrite(DUMP_FD, head, sizeof head, 0) == (ssize_t)sizeof head ? 0 : 1;
}

static bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static bool kept(const char *e)
{
    size_t n = strcspn(e, "=");
    if (n == 0 || e[n] != '=' || (e[0] >= '0' && e[0] <= '9'))
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = e[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
              || c == '_'))
            return false;
    }
    return !starts(e, "_=") && !starts(e, "SHLVL=") && !starts(e, "PWD=")
        && !starts(e, "BASH_FUNC_");
}

static const char *base_entry(const char *e)
{
    size_t n = strcspn(e, "=") + 1;
    for (char **b = guest.environ0; *b; b++)
        if (strncmp(*b, e, n) == 0)
            return *b;
    return NULL;
}

struct frame *state_none(uint32_t id, uint8_t reason)
{
    struct frame *f = frame_new(BG_STATE, id, 8);
    fr_u8(&f, 0);
    fr_u8(&f, reason);
    fr_u32(&f, 0);
    return f;
}

// With inherit, what is sent are the differences from the guest's own environment: NAME=value, or
// NAME for one that is gone. That is what the next START takes.
struct frame *state_read(int fd, uint32_t id, bool inherit, char *cwd, size_t cap)
{
    static char block[BG_STATE_SIZE + 1];
    cwd[0] = 0;
    uint8_t head[DUMP_HEADER];
    if (pread(fd, head, sizeof head, 0) != (ssize_t)sizeof head || memcmp(head, dump_magic, 8) != 0)
        return state_none(id, BG_STATE_NO_DUMP);
    uint32_t n = get_u32(head + 8);
    if (n > BG_STATE_SIZE - DUMP_HEADER || n == 0)
        return state_none(id, BG_STATE_TOO_LARGE);
    if (pread(fd, block, n, DUMP_HEADER) != (ssize_t)n)
        return state_none(id, BG_STATE_NO_DUMP);
    block[n] = 0;
    if (strlen(block) < cap)
        strcpy(cwd, block);

    struct frame *f = frame_new(BG_STATE, id, n + 1024);
    fr_u8(&f, 1);
    fr_u8(&f, BG_STATE_TRACKED);
    uint32_t at = f->len, entries = 0;
    fr_u32(&f, 0);
    const char *first = block + strlen(block) + 1, *end = block + n;
    for (const char *e = first; e < end && entries < BG_MAX_STRINGS; e += strlen(e) + 1) {
        const char *b = inherit ? base_entry(e) : NULL;
        if (!kept(e) || (b && strcmp(b, e) == 0))
            continue;
        fr_bytes(&f, e, (uint32_t)strlen(e));
        entries++;
    }
    for (char **b = guest.environ0; inherit && *b && entries < BG_MAX_STRINGS; b++) {
        size_t len = strcspn(*b, "=");
        bool found = !kept(*b);
        for (const char *e = first; !found && e < end; e += strlen(e) + 1)
            found = strncmp(e, *b, len + 1) == 0;
        if (!found) {
            fr_bytes(&f, *b, (uint32_t)len);
            entries++;
        }
    }
    put_u32(f->data + at, entries);
    return f;
}
