/* Race sets (000_*.txt, proposition 2): which sending events could have been received instead. For an
 * operation on an object those are the calls completed later (or never) that the receiving event does
 * not happen before; going back from each call's own completion until the first event that controls it
 * finds exactly them, so the cost is the size of the result. For receives the rule of the port's order
 * (condition 4) is looked up in the chain of sends.
 *
 * The sets are built in two passes: count, then fill. */
#include "explore/reach/reach_seq.h"

#include "base/ensure.h"
#include "object/object.h"

struct pass {
    struct reach_seq *q;
    const struct reach_reductions *less;
    bool fill;
};

static void found(const struct pass *p, struct reach_op *r, uint32_t s)
{
    if (p->fill)
        p->q->races[r->race + r->race_count] = s;
    r->race_count++;
}

static bool ignored(const struct reach_reductions *less, const struct reach_op *r)
{
    return r->flags & REACH_BLACK || (less->pv && operation_posts(r->kind));
}

/* Could call s have completed where r did? `at` is r, or if that concerns another part of the object the next
 * operation that concerns the same part as s. A lock may be open to its holder; if it is not, because the
 * mutex is a normal one, the variant turns out to be closed (reach.c); so may what a request to cancel its
 * thread ends. */
static bool lets(const struct reach_op *at, const struct reach_op *s)
{
    return !(operation_of(s->kind)->needs & ~at->open) || at->holder == s->thread + 1 ||
           s->cancellable;
}

/* Could compare-exchange k have succeeded in the place of `at`? If it failed, that must not have
 * led there. */
static bool could_write(const struct reach_seq *q, uint32_t k, uint32_t at)
{
    uint32_t failed = reach_undone(q, k);
    if (failed != REACH_NONE &&
        (q->ops[failed].flags & REACH_BLACK || reach_controls(q, &q->ops[failed], at)))
        return false;
    return reach_succeeds(q, k, reach_version_before(q, at));
}

/* Could it, a read, have had the version, as far as it is a compare-exchange? */
static bool could_read(const struct reach_seq *q, uint32_t k, uint32_t version)
{
    if (!q->ops[k].twin || !reach_succeeds(q, k, version))
        return true;
    return q->ops[k].flags & REACH_DONE && reach_older(q->ops[k].partner, version);
}

/* The events on the object, from `at` back, that call k could have completed at. */
static void race_back(const struct pass *p, uint32_t k, uint32_t at)
{
    ensure(k < p->q->count);
    struct reach_seq *q = p->q;
    const struct reach_op *s = &q->ops[k], *part = s;
    for (; at != REACH_NONE && !reach_controls_call(q, &q->ops[at], k); at = q->ops[at].prev) {
        struct reach_op *r = &q->ops[at];
        if (r->component == s->component)
            part = r;
        if (lets(part, s) && !ignored(p->less, r) && (!s->twin || could_write(q, k, at)))
            found(p, r, k);
    }
}

static bool on_semaphore(const struct reach_op *op)
{
    const uint64_t roles = ROLE_SET(TAKE) | ROLE_SET(POST) | ROLE_SET(SEM_READ);
    return role_in(roles, operation_of(op->kind)->role[0]);
}

/* The same where not all operations are ordered: those of interest are what happens before the
 * completion but not before the call, and they need not come one after the other. Whether a semaphore
 * lets a wait through depends on posts that may come first as well; if none can, the variant turns
 * out to be closed. */
static void race_all(const struct pass *p, uint32_t k, uint32_t at)
{
    struct reach_seq *q = p->q;
    const struct reach_op *s = &q->ops[k], *part = s;
    for (; at != REACH_NONE; at = q->ops[at].prev) {
        struct reach_op *r = &q->ops[at];
        bool before = !(s->flags & REACH_DONE) || reach_controls(q, r, k);
        if (r->component == s->component)
            part = r;
        if (before && !reach_controls_call(q, r, k) && (on_semaphore(s) || lets(part, s)))
            found(p, r, k);
    }
}

static void race_on_objects(const struct pass *p, const uint32_t *last)
{
    struct reach_seq *q = p->q;
    for (uint32_t k = 0; k < q->count; k++) {
        const struct reach_op *s = &q->ops[k];
        if (s->class != REACH_OBJECT || s->flags & REACH_UNMATCHED)
            continue;
        uint32_t at = s->flags & REACH_DONE      ? s->prev
                      : s->partner != REACH_NONE ? s->partner
                                                 : last[s->object];
        if (q->parts)
            race_all(p, k, at);
        else
            race_back(p, k, at);
    }
}

/* Versions that read k could have had: those that it does not happen before, and whose end it does not
 * know. Whether they go together with the rest is asked when a variant is put in order. */
static void race_of_read(const struct pass *p, uint32_t k, uint32_t last)
{
    ensure(k < p->q->count);
    struct reach_seq *q = p->q;
    struct reach_op *r = &q->ops[k];
    uint32_t version = last == REACH_NONE ? REACH_INITIAL : last;
    uint32_t wrote = reach_undone(q, k);
    if (r->flags & REACH_BLACK || (wrote != REACH_NONE && q->ops[wrote].flags & REACH_BLACK))
        return;
    for (;;) {
        if (version != r->partner && !reach_controls_version(q, r, version) && could_read(q, k, version))
            found(p, r, version);
        if (version == REACH_INITIAL || reach_controls_call(q, &q->ops[version], k))
            return;
        version = reach_version_before(q, version);
    }
}

static bool is_open(const struct reach_seq *q, const struct reach_op *r, uint32_t port)
{
    for (uint32_t i = 0; i < r->choices; i++)
        if (q->ports[r->ports + i] == port)
            return true;
    return false;
}

static bool received_before(const struct reach_seq *q, uint32_t send, uint32_t r)
{
    ensure(send < q->count && r < q->count);
    return q->ops[send].partner < r; /* REACH_NONE is not */
}

static bool causally_next(const struct reach_seq *q, uint32_t s, uint32_t r)
{
    ensure(s < q->count && r < q->count);
    for (uint32_t k = 0; k < s; k++) {
        const struct reach_op *o = &q->ops[k];
        if (o->class == REACH_SEND && o->object == q->ops[s].object &&
            reach_knows(reach_call(q, s), o) && !received_before(q, k, r))
            return false;
    }
    return true;
}

/* Condition 4: nothing that must not be overtaken is still under way. */
static bool in_order(const struct reach_seq *q, uint32_t s, uint32_t r)
{
    ensure(s < q->count && r < q->count);
    const struct reach_op *send = &q->ops[s];
    switch (send->order) {
    case REACH_FIFO:
        return send->prev == REACH_NONE || received_before(q, send->prev, r);
    case REACH_CAUSAL:
        return causally_next(q, s, r);
    default:
        return true;
    }
}

/* Of messages that are all the same one stands for all; none is needed where one of them was received. */
static bool first_of_its_port(const struct reach_seq *q, const struct reach_op *r, uint32_t s)
{
    uint32_t k = (uint32_t)(r - q->ops), port = q->ops[s].object;
    if (r->partner < q->count && q->ops[r->partner].object == port)
        return false;
    for (uint32_t o = 0; o < s; o++)
        if (q->ops[o].class == REACH_SEND && q->ops[o].object == port && !received_before(q, o, k) &&
            !reach_controls_call(q, r, o))
            return false;
    return true;
}

static void race_of_receive(const struct pass *p, uint32_t k)
{
    ensure(k < p->q->count);
    struct reach_seq *q = p->q;
    struct reach_op *r = &q->ops[k];
    if (r->flags & REACH_BLACK)
        return;
    for (uint32_t s = 0; s < q->count; s++) {
        const struct reach_op *send = &q->ops[s];
        if (send->class != REACH_SEND || s == r->partner || received_before(q, s, k) ||
            !is_open(q, r, send->object) || reach_controls_call(q, r, s) || !in_order(q, s, k))
            continue;
        if (reach_any_message(q, r, s) && !first_of_its_port(q, r, s))
            continue;
        if (p->less->messages && p->less->uniform[send->object] == 1 && r->partner < q->count &&
            q->ops[r->partner].object == send->object)
            continue;
        found(p, r, s);
    }
    if (r->flags & REACH_MAY_ELSE && r->partner != REACH_ELSE && !(r->flags & REACH_OLD))
        found(p, r, REACH_ELSE);
}

static void race_of_branch(const struct pass *p, struct reach_op *r)
{
    if (r->flags & (REACH_BLACK | REACH_OLD))
        return;
    for (uint32_t v = 0; v < r->choices; v++)
        if (v != r->partner)
            found(p, r, v);
}

static void race_pass(const struct pass *p, const uint32_t *last)
{
    struct reach_seq *q = p->q;
    race_on_objects(p, last);
    for (uint32_t k = 0; k < q->count; k++) {
        if (q->ops[k].class == REACH_READ)
            race_of_read(p, k, last[q->ops[k].object]);
        if (!(q->ops[k].flags & REACH_DONE))
            continue;
        if (q->ops[k].class == REACH_RECEIVE)
            race_of_receive(p, k);
        else if (q->ops[k].class == REACH_BRANCH)
            race_of_branch(p, &q->ops[k]);
    }
}

static bool interchangeable(const struct reach_reductions *less, const struct reach_op *a,
                            const struct reach_op *b)
{
    return less->class_of[a->thread] && less->class_of[a->thread] == less->class_of[b->thread] &&
           a->kind == b->kind && a->site == b->site && a->object == b->object;
}

/* The sending event that r was matched with. */
static const struct reach_op *matched(const struct reach_seq *q, const struct reach_op *r)
{
    if (r->class == REACH_OBJECT)
        return r;
    return r->partner < q->count ? &q->ops[r->partner] : NULL;
}

/* Of interchangeable sending events the one that was received, or else that of the first thread,
 * stands for all. */
static bool represented(const struct pass *p, const struct reach_op *r, uint32_t s)
{
    const struct reach_seq *q = p->q;
    if (!p->less->symmetry || r->class == REACH_BRANCH || r->class == REACH_READ || s >= q->count)
        return false;
    const struct reach_op *own = matched(q, r);
    if (own && interchangeable(p->less, own, &q->ops[s]))
        return true;
    for (uint32_t i = 0; i < r->race_count; i++) {
        uint32_t o = q->races[r->race + i];
        if (o < q->count && q->ops[o].thread < q->ops[s].thread &&
            interchangeable(p->less, &q->ops[o], &q->ops[s]))
            return true;
    }
    return false;
}

/* Was this tried already, when the variant was derived (figure 10, lines 1 and 2)? */
static bool old_read(const struct reach_seq *q, const struct reach_op *r, uint32_t s)
{
    return r->flags & REACH_OLD_CALL && (s == REACH_INITIAL || q->ops[s].flags & REACH_OLD_VERSION);
}

/* … when a compare-exchange that failed was to succeed behind the last version of the variant? */
static bool old_write(const struct reach_seq *q, const struct reach_op *r, uint32_t s)
{
    uint32_t read = r->class == REACH_OBJECT && s < q->count ? reach_twin(q, s) : REACH_NONE;
    if (read == REACH_NONE || !(q->ops[read].flags & REACH_OLD))
        return false;
    uint32_t version = reach_version_before(q, (uint32_t)(r - q->ops));
    return version == REACH_INITIAL || q->ops[version].flags & REACH_OLD_VERSION;
}

static bool old(const struct reach_seq *q, const struct reach_op *r, uint32_t s)
{
    if (r->class == REACH_READ)
        return old_read(q, r, s);
    if (old_write(q, r, s))
        return true;
    return r->class != REACH_BRANCH && s < q->count && r->flags & REACH_OLD &&
           q->ops[s].flags & REACH_OLD_CALL;
}

static void prune(const struct pass *p, struct reach_op *r)
{
    uint32_t *set = &p->q->races[r->race], kept = 0;
    for (uint32_t i = 0; i < r->race_count; i++) /* first mark, since others are compared with it */
        if (represented(p, r, set[i]))
            set[i] |= 1u << 31;
    for (uint32_t i = 0; i < r->race_count; i++)
        if ((set[i] == REACH_ELSE || !(set[i] >> 31)) && !old(p->q, r, set[i]))
            set[kept++] = set[i];
    r->race_count = kept;
}

uint32_t reach_race_sets(struct reach_seq *q, const struct reach_reductions *less, uint32_t room,
                         uint32_t *last)
{
    for (uint32_t o = 0; o < q->objects; o++)
        last[o] = REACH_NONE;
    for (uint32_t k = 0; k < q->count; k++) {
        q->ops[k].race_count = 0;
        if (q->ops[k].class == REACH_OBJECT && q->ops[k].flags & REACH_DONE)
            last[q->ops[k].object] = k;
    }
    race_pass(&(struct pass){q, less, false}, last);
    uint32_t used = 0;
    for (uint32_t k = 0; k < q->count; k++) {
        q->ops[k].race = used;
        used += q->ops[k].race_count;
        q->ops[k].race_count = 0;
    }
    if (used > room)
        return REACH_NONE;
    struct pass fill = {q, less, true};
    race_pass(&fill, last);
    for (uint32_t k = 0; k < q->count; k++)
        prune(&fill, &q->ops[k]);
    return used;
}
