/* From a row of the race table to its variant (000_*.txt, section VI.A): what is in it, in which order it
 * can be run.
 *
 * The order is that of the sequence, changed receiving events at the end, unless variables are read: a
 * read that gets another version may have to come earlier or later, and others with it. Then operations
 * are put in order depth first: before an operation all that happens before it in the variant, and before
 * a write all reads of the version that it ends. If that is not possible for the changes and what happens
 * before them, nothing that the program does has these changes. Otherwise a read is looked for that
 * contradicts them, since together with them it cannot have had its version: it loses it, as if the
 * write had been removed. If there is none it takes several to contradict them; that is beyond this
 * model (t->hard). */
#include "explore/reach/reach_variant.h"

#include "base/ensure.h"

bool reach_before_partner(const struct reach_seq *q, const struct reach_op *r,
                          const struct reach_change *c)
{
    enum reach_class class = q->ops[c->event].class;
    if (class == REACH_BRANCH || c->partner >= q->count)
        return false;
    return class == REACH_READ ? reach_controls_version(q, r, c->partner)
                               : reach_controls_call(q, r, c->partner);
}

bool reach_call_removed(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    FOR_CHANGES (t, c)
        if (reach_controls_call(q, &q->ops[c->event], k))
            return true;
    return false;
}

bool reach_event_removed(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    FOR_CHANGES (t, c)
        if (reach_controls(q, &q->ops[c->event], k))
            return true;
    return false;
}

/* Does compare-exchange k do what its other half has been changed to? */
static bool exchanged_otherwise(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    uint32_t twin = reach_twin(q, k);
    const struct reach_change *c = twin == REACH_NONE ? NULL : reach_change_at(t, twin);
    return c && c->partner != REACH_NONE;
}

bool reach_unmatched(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->flags & REACH_UNMATCHED)
        return true;
    if (op->class == REACH_OBJECT)
        return reach_call_removed(q, t, k) || exchanged_otherwise(q, t, k);
    if (op->partner >= q->count)
        return false;
    if (op->class == REACH_RECEIVE)
        return !reach_any_message(q, op, op->partner) && reach_call_removed(q, t, op->partner);
    if (op->class == REACH_READ)
        FOR_CHANGES (t, c)
            if (reach_controls_version(q, &q->ops[c->event], op->partner))
                return true;
    return false;
}

/* Is operation k performed in the variant? */
static enum reach_state state_in(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->class == REACH_SEND)
        return reach_call_removed(q, t, k) ? GONE : KEPT;
    if (reach_change_at(t, k))
        return CHANGED;
    return op->flags & REACH_DONE && !reach_event_removed(q, t, k) && !reach_unmatched(q, t, k) ? KEPT : GONE;
}

static void begin_order(const struct reach_seq *q, struct reach_table *t)
{
    t->ordered = 0;
    for (uint32_t k = 0; k < q->count; k++)
        t->state[k] = (uint8_t)state_in(q, t, k);
    FOR_CHANGES (t, c)
        if (c->partner == REACH_NONE)
            t->state[c->event] = GONE;
}

/* Order ---------------------------------------------------------------------------------------- */

static uint32_t partner_in(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_change *c = reach_change_at(t, k);
    return c ? c->partner : q->ops[k].partner;
}

/* Does `a`, which is in the variant, happen before k there? */
static bool happens_before(const struct reach_seq *q, const struct reach_table *t, uint32_t a,
                           uint32_t k)
{
    ensure(a < q->count);
    const struct reach_op *first = &q->ops[a], *op = &q->ops[k];
    const struct reach_change *c = reach_change_at(t, k);
    if (reach_change_at(t, a))
        return false; /* whatever knows of it is removed */
    if (op->class == REACH_OBJECT)
        return reach_controls(q, first, k) || reach_controls_call(q, first, c ? c->partner : k);
    if (reach_controls_call(q, first, k))
        return true;
    uint32_t partner = c ? c->partner : op->partner;
    if (partner >= q->count)
        return false;
    if (op->class == REACH_READ)
        return reach_controls_version(q, first, partner);
    return op->class == REACH_RECEIVE && !reach_any_message(q, op, partner) &&
           (a == partner || reach_controls_call(q, first, partner));
}

bool reach_wins(const struct reach_seq *q, const struct reach_change *c)
{
    ensure(c->event < q->count);
    const struct reach_op *op = &q->ops[c->event];
    return op->class == REACH_READ && op->twin && c->partner != REACH_NONE &&
           reach_succeeds(q, c->event, c->partner);
}

/* … or come before it in every run, since it reads the version that k ends? */
static bool precedes(const struct reach_seq *q, const struct reach_table *t, uint32_t a, uint32_t k)
{
    ensure(a < q->count && k < q->count);
    const struct reach_op *first = &q->ops[a], *op = &q->ops[k];
    const struct reach_change *c = op->class == REACH_READ ? reach_change_at(t, k) : NULL;
    bool writes = op->class == REACH_OBJECT || (c && reach_wins(q, c));
    if (writes && first->class == REACH_READ && first->object == op->object &&
        (c ? c->partner : reach_version_before(q, k)) == partner_in(q, t, a))
        return true;
    return happens_before(q, t, a, k);
}

static bool place(const struct reach_seq *q, struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    t->state[k] = VISITED;
    for (uint32_t a = 0; a < q->count; a++) {
        if (t->state[a] == GONE || t->state[a] == PLACED || a == k || !precedes(q, t, a, k))
            continue;
        if (t->state[a] == VISITED || !place(q, t, a))
            return false;
    }
    t->state[k] = PLACED;
    t->order[t->ordered++] = k;
    return true;
}

static void append_all(const struct reach_seq *q, struct reach_table *t, bool changed)
{
    for (uint32_t k = 0; k < q->count; k++) {
        bool last = t->state[k] == CHANGED && q->ops[k].class != REACH_BRANCH;
        if (t->state[k] != GONE && last == changed)
            t->order[t->ordered++] = k;
    }
}

static bool place_all(const struct reach_seq *q, struct reach_table *t)
{
    for (uint32_t k = 0; k < q->count; k++)
        if (t->state[k] != GONE && t->state[k] != PLACED && !place(q, t, k))
            return false;
    return true;
}

/* Is operation a needed for changes, those of the row and earlier ones, or for `read`? */
static bool needed(const struct reach_seq *q, const struct reach_table *t, uint32_t a, uint32_t read)
{
    ensure(a < q->count && (read == REACH_NONE || read < q->count));
    if (q->ops[a].flags & REACH_BLACK)
        return true;
    FOR_CHANGES (t, c)
        if (c->partner != REACH_NONE && (a == c->event || happens_before(q, t, a, c->event)))
            return true;
    return read != REACH_NONE && (a == read || happens_before(q, t, a, read));
}

/* Do the changes go together with each other, and with the read if there is one? */
static bool go_together(const struct reach_seq *q, struct reach_table *t, uint32_t read)
{
    ensure(read == REACH_NONE || read < q->count);
    begin_order(q, t);
    for (uint32_t a = 0; a < q->count; a++)
        if (t->state[a] != GONE && !needed(q, t, a, read))
            t->state[a] = GONE;
    return place_all(q, t);
}

/* A kept read that contradicts the changes becomes one itself. */
static bool give_up_read(const struct reach_seq *q, struct reach_table *t)
{
    for (uint32_t k = 0; k < q->count; k++) {
        begin_order(q, t);
        if (q->ops[k].class == REACH_READ && t->state[k] == KEPT && !go_together(q, t, k)) {
            t->changed[t->changes++] = (struct reach_change){k, REACH_NONE};
            return true;
        }
    }
    return false;
}

/* Messages that are all the same: any will do, but there must be one. A receive whose message is not in the
 * variant waits until another one has been sent, and what happens after it waits with it; if none is
 * left, they are not in the variant either. */
static bool enough_sent(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    uint32_t partner = partner_in(q, t, k), sent = 0;
    if (!reach_any_message(q, &q->ops[k], partner))
        return true;
    uint32_t port = q->ops[partner].object;
    for (uint32_t i = 0; i < t->ordered; i++) {
        const struct reach_op *op = &q->ops[t->order[i]];
        uint32_t p = op->class == REACH_RECEIVE ? partner_in(q, t, t->order[i]) : REACH_ELSE;
        sent += op->class == REACH_SEND && op->object == port;
        sent -= p < q->count && q->ops[p].object == port;
    }
    return sent > 0;
}

static bool waits(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    for (uint32_t a = 0; a < q->count; a++)
        if (a != k && t->state[a] != GONE && t->state[a] != PLACED && happens_before(q, t, a, k))
            return true;
    return !enough_sent(q, t, k);
}

/* Places what is in a state until nothing more can be. */
static void append_what_can(const struct reach_seq *q, struct reach_table *t, enum reach_state s)
{
    for (uint32_t before = UINT32_MAX; before != t->ordered;) {
        before = t->ordered;
        for (uint32_t k = 0; k < q->count; k++)
            if (t->state[k] == s && !waits(q, t, k)) {
                t->order[t->ordered++] = k;
                t->state[k] = PLACED;
            }
    }
}

static bool append_as_sent(const struct reach_seq *q, struct reach_table *t)
{
    bool all = true;
    append_what_can(q, t, KEPT);
    append_what_can(q, t, CHANGED);
    for (uint32_t k = 0; k < q->count; k++) {
        all &= t->state[k] != CHANGED;
        if (t->state[k] != PLACED)
            t->state[k] = GONE;
    }
    return all;
}

/* Compare-exchanges that are to succeed come behind all events on their variable: if one is there
 * in the variant, it is another row that they take its place. One that has lost its call is
 * matched, but not by what was there with it before. */
static bool win_last(const struct reach_seq *q, const struct reach_table *t, const struct reach_change *c)
{
    const struct reach_op *cas = &q->ops[c->event];
    ensure(c->partner < q->count); /* the initial version is never a later one */
    for (uint32_t k = c->partner + 1; k < q->count; k++) {
        const struct reach_op *op = &q->ops[k];
        bool free = op->flags & REACH_UNMATCHED && !(cas->flags & REACH_OLD_CALL);
        if (op->class == REACH_OBJECT && op->object == cas->object &&
            op->flags & (REACH_DONE | REACH_UNMATCHED) && !free && !reach_event_removed(q, t, k))
            return false;
    }
    FOR_CHANGES (t, other)
        if (other != c && q->ops[other->event].object == cas->object && reach_wins(q, other))
            return false;
    return true;
}

static bool all_win_last(const struct reach_seq *q, const struct reach_table *t)
{
    FOR_CHANGES (t, c)
        if (reach_wins(q, c) && !win_last(q, t, c))
            return false;
    return true;
}

bool reach_arrange(struct reach_table *t, const struct reach_seq *q)
{
    if (q->exchanges && !all_win_last(q, t))
        return false;
    begin_order(q, t);
    if (q->uniform)
        return append_as_sent(q, t);
    if (!q->reads) {
        append_all(q, t, false);
        append_all(q, t, true);
        return true;
    }
    while (!place_all(q, t)) {
        if (!go_together(q, t, REACH_NONE))
            return false;
        if (!give_up_read(q, t)) {
            t->hard = true;
            return false;
        }
        begin_order(q, t);
    }
    return true;
}

/* Branches on inputs --------------------------------------------------------------------------- */

enum reach_place reach_place(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_change *c = reach_change_at(t, k);
    if (c ? c->partner == REACH_NONE : reach_event_removed(q, t, k))
        return REACH_NOWHERE;
    if (!(q->ops[k].flags & REACH_DONE))
        return REACH_KEPT;
    return t->state[k] == GONE ? REACH_NOWHERE : needed(q, t, k, REACH_NONE) ? REACH_NEEDED : REACH_KEPT;
}

uint32_t reach_value(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    return partner_in(q, t, k);
}

bool reach_give_up(struct reach_table *t, const struct reach_seq *q, uint32_t k)
{
    ensure(t->changes < q->count);
    t->changed[t->changes++] = (struct reach_change){k, REACH_NONE};
    return reach_arrange(t, q);
}

void reach_take_up(struct reach_table *t, uint32_t k)
{
    ensure(t->state[k] == GONE);
    t->state[k] = KEPT;
    t->order[t->ordered++] = k;
}
