/* A worker on a farm whose engine keeps the shared states in a grove: everybody has a copy of it, and what
 * the worker does to it is told (explore/share/tell.h). It does not wait until that is known to all, but
 * for what it must know itself: its leaf after a split, and its next leaves. */
#include "rt/core/team_impl.h"

#include <time.h>

/* ns between messages, at least; so many bytes are worth one at once. */
enum { FLUSH_EVERY = 6000000, FLUSH_BYTES = 32 << 10 };
enum { HEAR_NAP = 100000, HEAR_MOST = 300000000 }; /* ns between two looks, and at most in all */

/* It is the host's now: again, if whoever does this dies in it. */
static void empty_mail(struct exchange *x)
{
    x->outbox.passed = 0;
    x->mail.length = 0;
    atomic_signal_fence(memory_order_seq_cst);
    x->outbox.telling = 0;
}

/* What was told so far goes to the host, if it has taken the last. */
static void flush(bool now)
{
    static uint64_t not_before;
    static unsigned asked;
    struct exchange *x = team_box();
    struct outbox *o = &x->outbox;
    uint64_t one = 1;
    if (!now && x->mail.length < FLUSH_BYTES && ++asked % 16) /* the clock is a system call */
        return;
    if ((!x->mail.length && !tell_has_passed(o)) || x->mail.length > o->told.room ||
        atomic_load_explicit(&o->full, memory_order_acquire))
        return;
    uint64_t clock = team_clock();
    if (clock < not_before && x->mail.length < FLUSH_BYTES && !now)
        return;
    tell_passed(&rt.engine);
    not_before = clock + (o->pause > FLUSH_EVERY ? o->pause : FLUSH_EVERY);
    for (uint64_t i = 0; i < x->mail.length; i++)
        o->told.bytes[i] = x->mail.bytes[i];
    o->told.length = x->mail.length;
    o->boundary = o->passed;
    o->counters = o->at_boundary;
    o->telling = o->number = o->number + 1 ? o->number + 1 : 1;
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store(&o->full, o->number); /* from here on it is told */
    atomic_signal_fence(memory_order_seq_cst);
    empty_mail(x);
    syscall(SYS_write, rt.shared->config.team_fd, &one, sizeof one);
}

/* What is found until the others know of a sequence is told in vain, if that one covers it. */
static void hear(struct outbox *o)
{
    uint64_t began = team_clock(), now = began;
    struct timespec nap = {.tv_nsec = HEAR_NAP};
    o->should_hear = false;
    flush(true);
    while (atomic_load(&o->known) != o->number && now - began < HEAR_MOST && !rt.shared->stop &&
           !atomic_load_explicit(&team_box()->wants, memory_order_relaxed)) {
        syscall(SYS_nanosleep, &nap, NULL);
        now = team_clock();
    }
    team_box()->idle_ns += now - began;
}

static void adopt(struct work *item)
{
    rt.shared->fraction = 0;
    if (rt.strategy->adopt(&rt.engine, item))
        rt_internal("the work given by the host cannot be understood");
}

/* The next leaf of those that were given: its checkpoint. */
static void begin_leaf(uint32_t next)
{
    struct outbox *o = &team_box()->outbox;
    uint32_t ticket;
    struct checkpoint *c = team_next_checkpoint(&ticket);
    c->leaf = o->queue[next];
    c->next = next + 1;
    grove_item(&c->item, c->leaf);
    team_box()->saved = 1;
    atomic_store(&team_box()->ticket, ticket);
    adopt(&c->item);
}

/* It was told that the leaf is done: again, if whoever does this dies in it. */
static void close_leaf(struct outbox *o)
{
    o->at_boundary = o->at_closing;
    o->passed = 1;
    o->done = team_checkpoint()->leaf;
    atomic_signal_fence(memory_order_seq_cst);
    o->closing = 0;
}

static bool next_leaf(void)
{
    struct exchange *x = team_box();
    struct outbox *o = &x->outbox;
    uint32_t ticket, next = team_checkpoint()->next;
    struct portion_view v = rt.strategy->portion(&rt.engine);
    o->at_closing = rt.shared->counters;
    portion_done(&v);
    close_leaf(o);
    if (next < o->count) {
        begin_leaf(next);
        flush(false);
        return true;
    }
    team_leave();
    team_next_checkpoint(&ticket);
    return team_wait_for_work(ticket);
}

/* Waits until what was told is known to all; our place is the checkpoint then. (The first phases of auto have
 * none.) */
static bool agree(bool must)
{
    uint32_t ticket, next = team_checkpoint()->next;
    struct checkpoint *c = team_next_checkpoint(&ticket);
    if (!rt.strategy->save(&rt.engine, &c->item)) {
        if (must)
            rt_fatal("a checkpoint does not fit into its memory");
        return true;
    }
    c->leaf = team_leaf();
    c->next = next;
    team_box()->saved = 1;
    team_box()->outbox.batch++;
    return team_post_work(ticket);
}

/* Others have nothing to do: the leaves not begun yet are theirs, or part of this one. */
static bool give(void)
{
    struct outbox *o = &team_box()->outbox;
    uint32_t next = team_checkpoint()->next;
    if (next < o->count) {
        tell_back(&rt.engine);
        flush(true);
        return true;
    }
    struct portion_view v = rt.strategy->portion(&rt.engine);
    return portion_grow(&v, NULL, NULL) ? agree(true) : true;
}

bool team_farm_between(bool more)
{
    struct exchange *x = team_box();
    if (!more)
        return next_leaf();
    if (RT_UNLIKELY(!team_leaf()) && !agree(true))
        return false;
    uint32_t wants = atomic_load_explicit(&x->wants, memory_order_relaxed);
    if (RT_UNLIKELY(wants)) {
        atomic_store(&x->wants, 0);
        if (wants & WANT_PAUSE)
            return team_pause();
        return wants & WANT_SPLIT ? give() : wants & WANT_SAVE ? agree(false) : true;
    }
    if (RT_UNLIKELY(x->outbox.should_hear))
        hear(&x->outbox);
    else if (x->mail.length || tell_has_passed(&x->outbox))
        flush(false);
    return true;
}

void team_farm_leaves(struct work *item)
{
    struct outbox *o = &team_box()->outbox;
    o->batch++;
    o->done = o->passed = 0; /* what was done before was told when we asked for these */
    if (work_open(item) == WORK_ITEM) {
        adopt(item);
        return;
    }
    o->count = 0;
    for (uint64_t n = work_get(item); n > 0 && o->count < OUTBOX_LEAVES && !item->failed; n--)
        o->queue[o->count++] = (uint32_t)work_get(item);
    if (!o->count || item->failed)
        rt_internal("the leaves given by the host cannot be understood");
    begin_leaf(0);
}

/* The process before us died: what it had told whole is told. */
bool team_farm_resume(void)
{
    struct exchange *x = team_box();
    struct checkpoint *c = team_checkpoint();
    uint32_t ticket;
    x->outbox.batch++;
    x->mail.length = x->mail.length < x->outbox.whole ? x->mail.length : x->outbox.whole;
    if (x->outbox.telling && (x->outbox.telling == atomic_load(&x->outbox.full) ||
                              x->outbox.telling == x->outbox.taken))
        empty_mail(x);
    x->outbox.telling = 0;
    if (x->outbox.passing_at && x->outbox.whole >= x->outbox.passing_at)
        tell_forget_passed(&x->outbox);
    x->outbox.passing_at = 0;
    if (c->leaf && ((x->outbox.closing && x->mail.length >= x->outbox.closing) ||
                    tell_passed_last(&x->outbox, c->leaf)))
        close_leaf(&x->outbox);
    x->outbox.closing = 0;
    if (c->leaf && x->outbox.done == c->leaf) { /* it was done, and said so */
        rt.shared->counters = x->outbox.at_boundary;
        if (c->next < x->outbox.count) {
            begin_leaf(c->next);
            return true;
        }
        team_next_checkpoint(&ticket);
        return team_wait_for_work(ticket);
    }
    if (!c->leaf && work_open(&c->item) == WORK_ITEM) {
        adopt(&c->item);
        return team_post_work(atomic_load(&x->ticket)); /* a split whose answer it did not get */
    }
    if (work_open(&c->item) == WORK_ITEM)
        adopt(&c->item); /* the mail that is left may tell of leaves that were done before */
    else
        team_farm_leaves(&c->item);
    return true;
}
