// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Standard input of commands: a window of bytes that the pipe or terminal did not take yet.
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void stdin_gone(struct command *c)
{
    shut(&c->in);
    free(c->pending);
    c->pending = NULL;
    c->pending_len = 0;
    if (c->attached && !c->stdin_end)
        link_data(frame_new(BG_STDIN_GONE, c->id, 0));
    c->stdin_end = true;
}

static void stdin_close(struct command *c)
{
    uint8_t last[2];
    int n = c->flags & BG_START_PTY ? terminal_end(c->in, c->line_start, last) : 0;
    if (n && write(c->in, last, (size_t)n) < 0)
        c->line_start = true; // a terminal that takes nothing any more needs no end
    shut(&c->in);
}

void input_push(struct command *c)
{
    uint32_t done = 0;
    while (done < c->pending_len) {
        ssize_t n = write(c->in, c->pending + done, c->pending_len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            if (errno == EAGAIN)
                break;
            stdin_gone(c);
            return;
        }
        done += (uint32_t)n;
        c->line_start = c->pending[done - 1] == '\n' || c->pending[done - 1] == '\r';
    }
    if (done) {
        memmove(c->pending, c->pending + done, c->pending_len - done);
        c->pending_len -= done;
        if (c->attached) {
            // In order with ATTACHED, which says how much is still to be acknowledged.
            struct frame *f = frame_new(BG_STDIN_ACK, c->id, 4);
            fr_u32(&f, done);
            link_data(f);
        }
    }
    if (c->stdin_end && !c->pending_len)
        stdin_close(c);
}

void command_stdin(uint32_t id, const uint8_t *p, uint32_t n)
{
    struct command *c = command_find(id);
    if (!c || !c->attached || c->in < 0 || c->stdin_end)
        return;
    if (!c->pending)
        c->pending = malloc(BG_STDIN_WINDOW);
    if (!c->pending || c->pending_len + n > BG_STDIN_WINDOW) {
        stdin_gone(c); // beyond the window: the host does not keep to the rules
        return;
    }
    memcpy(c->pending + c->pending_len, p, n);
    c->pending_len += n;
    input_push(c);
}

void command_stdin_eof(uint32_t id)
{
    struct command *c = command_find(id);
    if (!c || !c->attached || c->in < 0)
        return;
    c->stdin_end = true;
    if (!c->pending_len)
        stdin_close(c);
}

void command_resize(uint32_t id, struct reader *r)
{
    uint32_t size = rd_u32(r);
    struct command *c = command_find(id);
    if (c && !r->bad && (c->flags & BG_START_PTY) && c->s[0].fd >= 0)
        terminal_resize(c->s[0].fd, size);
}
