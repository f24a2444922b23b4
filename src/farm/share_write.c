/* What the coordinator writes to workers (trace/work.h). */
#include "farm/share_impl.h"

#include "base/ensure.h"

#include <string.h>

static void reserve(struct work *w, uint64_t more)
{
    ensure(w->length <= w->room);
    if (w->room - w->length >= more)
        return;
    w->room = 2 * (w->length + more);
    w->bytes = mem_realloc(w->bytes, w->room);
}

void share_put(struct work *w, uint64_t value)
{
    reserve(w, 10);
    work_put(w, value);
}

static void put_act(struct work *w, const struct act *a)
{
    reserve(w, 60);
    work_put_act(w, a);
}

static void put_acts(struct work *w, const share_acts *v)
{
    for (size_t i = 0; i < v->count; i++)
        put_act(w, &v->items[i]);
}

void share_begin(struct work *w, enum work_kind kind)
{
    w->length = 0;
    reserve(w, 32);
    work_begin(w, kind);
}

static void put_branch(struct work *w, const struct share_branch *b)
{
    share_put(w, 1);
    put_act(w, &b->act);
    share_put(w, b->pick);
    share_put(w, b->values);
}

/* The branches from `from` on, with what lies below those that are not leaves. */
void share_put_list(struct work *w, const struct share_frame *f, size_t from)
{
    for (size_t i = from; i < f->branches.count; i++) {
        const struct share_branch *b = &f->branches.items[i];
        put_branch(w, b);
        if (b->leaf)
            share_put(w, 0);
        else
            share_put_list(w, b->child, 0);
    }
    share_put(w, 0);
}

static void put_elders(struct work *w, const share_acts *acts, const struct share_frame *f, uint32_t n)
{
    ensure(n <= f->branches.count);
    share_put(w, acts->count + n);
    put_acts(w, acts);
    for (uint32_t i = 0; i < n; i++)
        put_act(w, &f->branches.items[i].act);
}

/* Steps from the root down to branch n of f. A value chosen is not an operation that could sleep. */
static void put_path(struct work *w, const struct share_frame *f, uint32_t n)
{
    ensure(n < f->branches.count);
    if (f->step < 0)
        return;
    put_path(w, f->parent, f->parent_branch);
    const struct share_branch *b = &f->branches.items[n];
    share_put(w, b->pick);
    share_put(w, b->values);
    reserve(w, 16 + 2 * EVENT_MAX_THREADS);
    work_put_set(w, &f->enabled);
    share_put(w, 0);
    put_elders(w, &f->asleep, f, b->values ? 0 : n);
    put_elders(w, &f->done, f, b->values ? 0 : n);
    share_put_list(w, f, n + 1);
}

/* The sequence of first branches from f down, as a LIST. */
static void put_chain(struct work *w, const struct share_frame *f)
{
    const struct share_branch *b = &f->branches.items[0];
    put_branch(w, b);
    if (b->leaf)
        share_put(w, 0);
    else
        put_chain(w, b->child);
    share_put(w, 0);
}

void share_put_bytes(struct work *w, const unsigned char *bytes, uint64_t n)
{
    reserve(w, n);
    if (n)
        memcpy(w->bytes + w->length, bytes, n);
    w->length += n;
}

/* Branch n of f: a leaf. The first steps are those up to the last known frame on the way to it. */
void share_put_item(struct share *s, struct work *w, const struct share_frame *f, uint32_t n)
{
    ensure(n < f->branches.count);
    const struct share_frame *g = f;
    uint32_t m = n;
    for (; !g->known; g = g->parent)
        m = g->parent_branch;
    const struct share_branch *b = &g->branches.items[m];
    share_begin(w, WORK_ITEM);
    share_put(w, f->id);
    share_put(w, n);
    share_put(w, s->next_id++);
    share_put(w, f->step >= 0);
    share_put(w, g->step >= 0 ? (uint64_t)g->step : 0);
    share_put(w, (uint64_t)(g->step + 1));
    share_put(w, (uint64_t)(f->step + 1));
    put_path(w, g, m);
    share_put(w, g->step >= 0 && !b->values);
    put_act(w, &b->act);
    if (b->leaf)
        share_put(w, 0);
    else
        put_chain(w, b->child);
}
