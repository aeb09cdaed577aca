// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "guest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool need(struct reader *r, size_t n)
{
    if (r->bad || (size_t)(r->end - r->p) < n) {
        r->bad = true;
        return false;
    }
    return true;
}

uint8_t rd_u8(struct reader *r)
{
    return need(r, 1) ? *r->p++ : 0;
}

uint32_t get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void put_u32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

uint32_t rd_u32(struct reader *r)
{
    if (!need(r, 4))
        return 0;
    uint32_t v = get_u32(r->p);
    r->p += 4;
    return v;
}

uint64_t rd_u64(struct reader *r)
{
    uint64_t low = rd_u32(r);
    return low | (uint64_t)rd_u32(r) << 32;
}

struct bytes rd_bytes(struct reader *r, uint32_t max)
{
    struct bytes b = {r->p, rd_u32(r)};
    if (b.n > max || !need(r, b.n)) {
        r->bad = true;
        b.n = 0;
        return b;
    }
    b.p = r->p;
    r->p += b.n;
    return b;
}

bool rd_string(struct reader *r, char *dst, size_t cap)
{
    struct bytes b = rd_bytes(r, (uint32_t)cap - 1);
    if (r->bad || memchr(b.p, 0, b.n)) {
        r->bad = true;
        dst[0] = 0;
        return false;
    }
    memcpy(dst, b.p, b.n);
    dst[b.n] = 0;
    return true;
}

// The allocator maps and unmaps memory for nearly every frame, which costs more than all the
// copying of a flood, and half of what a short command costs here. So some of two sizes are kept.
enum { SMALL = 512, LARGE = BG_MAX_DATA + BG_FRAME_OVERHEAD + 16, MOST_KEPT = 24 };
static struct store
{
    struct frame *kept[MOST_KEPT];
    unsigned n;
} small, large;

static struct store *store_of(uint32_t cap)
{
    return cap == SMALL ? &small : cap == LARGE ? &large : NULL;
}

void frame_free(struct frame *f)
{
    struct store *s = f ? store_of(f->cap) : NULL;
    if (s && s->n < MOST_KEPT)
        s->kept[s->n++] = f;
    else
        free(f);
}

struct frame *frame_new(uint8_t type, uint32_t id, uint32_t room)
{
    uint32_t cap = room + BG_FRAME_OVERHEAD;
    if (cap <= SMALL)
        cap = SMALL;
    else if (cap > LARGE / 2 && cap < LARGE)
        cap = LARGE;
    struct store *s = store_of(cap);
    struct frame *f = s && s->n ? s->kept[--s->n] : malloc(sizeof *f + cap);
    if (!f)
        _exit(70); // the supervisors see the end of their sockets and clean up
    *f = (struct frame){.cap = cap, .len = BG_HEADER_SIZE};
    memset(f->data, 0, BG_HEADER_SIZE);
    f->data[0] = BG_MARKER;
    f->data[1] = type;
    put_u32(f->data + 8, id);
    return f;
}

void fr_raw(struct frame **f, const void *p, uint32_t n)
{
    struct frame *o = *f;
    if (o->len + n + 1 > o->cap) {
        uint32_t cap = (o->len + n + 1) * 2;
        struct frame *g = realloc(o, sizeof *g + cap);
        if (!g)
            _exit(70);
        g->cap = cap;
        *f = o = g;
    }
    if (n)
        memcpy(o->data + o->len, p, n);
    o->len += n;
}

void fr_u8(struct frame **f, uint8_t v)
{
    fr_raw(f, &v, 1);
}

void fr_u16(struct frame **f, uint16_t v)
{
    uint8_t b[2] = {(uint8_t)v, (uint8_t)(v >> 8)};
    fr_raw(f, b, 2);
}

void fr_u32(struct frame **f, uint32_t v)
{
    uint8_t b[4];
    put_u32(b, v);
    fr_raw(f, b, 4);
}

void fr_u64(struct frame **f, uint64_t v)
{
    fr_u32(f, (uint32_t)v);
    fr_u32(f, (uint32_t)(v >> 32));
}

void fr_bytes(struct frame **f, const void *p, uint32_t n)
{
    fr_u32(f, n);
    fr_raw(f, p, n);
}
