/* From a row of the race table to its variant (000_*.txt, section VI.A): what is in it, in which order it
 * can be run, and which receiving events of it are left unmatched.
 *
 * The order is that of the sequence, changed receiving events at the end, unless variables are read: a
 * read that gets another version may have to come earlier or later, and others with it. Then operations
 * are put in order depth first: before an operation all that happens before it in the variant, and before
 * a write all reads of the version that it ends. If that is not possible for the changes and what happens
 * before them, nothing that the program does has these changes. Otherwise a read is looked for that
 * contradicts them, since together with them it cannot have had its version: it loses it, as if the
 * write had been removed. If there is none it takes several to contradict them; that is beyond this
 * model (t->hard). */
#include "explore/reach/reach_table.h"

#include "base/ensure.h"

enum state { GONE, KEPT, CHANGED, VISITED, PLACED };

struct derivation {
    const struct reach_seq *q;
    struct reach_table *t;
    struct reach_plan *p;
};

#define FOR_CHANGES(t, c)                                                                          \
    for (const struct reach_change *c = (t)->changed; c < (t)->changed + (t)->changes; c++)

bool reach_before_partner(const struct reach_seq *q, const struct reach_op *r,
                          const struct reach_change *c)
{
    enum reach_class class = q->ops[c->event].class;
    if (class == REACH_BRANCH || c->partner >= q->count)
        return false;
    return class == REACH_READ ? reach_controls_version(q, r, c->partner)
                               : reach_controls_call(q, r, c->partner);
}

static const struct reach_change *change_at(const struct reach_table *t, uint32_t k)
{
    FOR_CHANGES (t, c)
        if (c->event == k)
            return c;
    return NULL;
}

static bool call_removed(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    FOR_CHANGES (t, c)
        if (reach_controls_call(q, &q->ops[c->event], k))
            return true;
    return false;
}

static bool event_removed(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    FOR_CHANGES (t, c)
        if (reach_controls(q, &q->ops[c->event], k))
            return true;
    return false;
}

/* Is the sending event of a receiving event gone? For a receive that is the send it received from. */
static bool unmatched(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->flags & REACH_UNMATCHED)
        return true;
    if (op->class == REACH_OBJECT)
        return call_removed(q, t, k);
    if (op->partner >= q->count)
        return false;
    if (op->class == REACH_RECEIVE)
        return !reach_any_message(q, op, op->partner) && call_removed(q, t, op->partner);
    if (op->class == REACH_READ)
        FOR_CHANGES (t, c)
            if (reach_controls_version(q, &q->ops[c->event], op->partner))
                return true;
    return false;
}

/* Is operation k performed in the variant? */
static enum state state_in(const struct reach_seq *q, const struct reach_table *t, uint32_t k)
{
    ensure(k < q->count);
    const struct reach_op *op = &q->ops[k];
    if (op->class == REACH_SEND)
        return call_removed(q, t, k) ? GONE : KEPT;
    if (change_at(t, k))
        return CHANGED;
    return op->flags & REACH_DONE && !event_removed(q, t, k) && !unmatched(q, t, k) ? KEPT : GONE;
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
    const struct reach_change *c = change_at(t, k);
    return c ? c->partner : q->ops[k].partner;
}

/* Does `a`, which is in the variant, happen before k there? */
static bool happens_before(const struct reach_seq *q, const struct reach_table *t, uint32_t a,
                           uint32_t k)
{
    ensure(a < q->count);
    const struct reach_op *first = &q->ops[a], *op = &q->ops[k];
    const struct reach_change *c = change_at(t, k);
    if (change_at(t, a))
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

/* … or come before it in every run, since it reads the version that k ends? */
static bool precedes(const struct reach_seq *q, const struct reach_table *t, uint32_t a, uint32_t k)
{
    ensure(a < q->count && k < q->count);
    const struct reach_op *first = &q->ops[a], *op = &q->ops[k];
    if (first->class == REACH_READ && op->class == REACH_OBJECT && first->object == op->object &&
        reach_version_before(q, k) == partner_in(q, t, a))
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
static void append_what_can(const struct reach_seq *q, struct reach_table *t, enum state s)
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

bool reach_arrange(struct reach_table *t, const struct reach_seq *q)
{
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
    const struct reach_change *c = change_at(t, k);
    if (c ? c->partner == REACH_NONE : event_removed(q, t, k))
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

/* The plan ------------------------------------------------------------------------------------- */

/* Figure 10, lines 6 to 9: does the receiving event of op happen before a changed one in the variant? */
static bool before_a_change(const struct derivation *d, const struct reach_op *op)
{
    FOR_CHANGES (d->t, c)
        if (c->partner == REACH_NONE)
            continue;
        else if (reach_controls(d->q, op, c->event) || reach_before_partner(d->q, op, c))
            return true;
    return false;
}

static struct reach_plan_op *append(const struct derivation *d, const struct reach_op *op)
{
    struct reach_plan_op *p = &d->p->ops[d->p->count++];
    *p = (struct reach_plan_op){.thread = op->thread,
                                .class = (uint8_t)op->class,
                                .kind = op->kind,
                                .index = op->index};
    return p;
}

static void set_partner(const struct reach_seq *q, const struct reach_op *r, uint32_t partner,
                        struct reach_plan_op *p)
{
    if (reach_any_message(q, r, partner)) {
        p->sender = REACH_ANYBODY;
        p->value = q->ops[partner].object;
    } else if (r->class == REACH_RECEIVE && partner < q->count) {
        p->sender = q->ops[partner].thread;
        p->value = q->ops[partner].index;
    } else if (r->class == REACH_RECEIVE || r->class == REACH_BRANCH) {
        p->value = partner;
    }
}

static void keep(const struct derivation *d, const struct reach_op *op)
{
    struct reach_plan_op *p = append(d, op);
    p->black = op->flags & REACH_BLACK || before_a_change(d, op);
    set_partner(d->q, op, op->partner, p);
}

static bool in_order(const struct derivation *d, uint32_t k)
{
    uint8_t s = d->t->state[k];
    return s == KEPT || s == PLACED;
}

/* A read in a loop may turn out to be sent round again by its new version and to wait for another one.
 * That is a variant of its own if no later version is in it, whose reading is another row, nor is the
 * version that it had missing, so that it waits without being changed. */
static bool may_wait(const struct derivation *d, const struct reach_change *c)
{
    const struct reach_seq *q = d->q;
    const struct reach_op *read = &q->ops[c->event];
    if (read->class != REACH_READ || !(read->flags & REACH_DONE))
        return false;
    if (read->partner != REACH_INITIAL && (!in_order(d, read->partner) || change_at(d->t, read->partner)))
        return false;
    for (uint32_t i = 0; i < d->t->ordered; i++) {
        uint32_t k = d->t->order[i];
        if (q->ops[k].class == REACH_OBJECT && q->ops[k].object == read->object &&
            (c->partner == REACH_INITIAL || k > c->partner))
            return false;
    }
    return true;
}

static void change(const struct derivation *d, const struct reach_change *c)
{
    const struct reach_op *r = &d->q->ops[c->event];
    struct reach_plan_op *p = append(d, r->class == REACH_OBJECT ? &d->q->ops[c->partner] : r);
    p->black = 1;
    p->changed = true;
    p->may_wait = may_wait(d, c);
    set_partner(d->q, r, c->partner, p);
}

static struct reach_left *leave(const struct derivation *d, enum reach_left_kind kind,
                                uint32_t number, const struct reach_op *op)
{
    struct reach_left *l = &d->p->left[d->p->left_count++];
    *l = (struct reach_left){kind, number, op->index, op->kind, false};
    return l;
}

/* A read whose call is in the variant but not its version must get one that is not in the variant. If it
 * was never done it may have the last one, unless that was tried. */
static void leave_read(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    bool tried = op->flags & REACH_OLD_CALL &&
                 (op->partner == REACH_INITIAL || d->q->ops[op->partner].flags & REACH_OLD_VERSION);
    leave(d, REACH_LEFT_CALL, op->thread, op)->open =
        !(op->flags & REACH_DONE) && !tried && !unmatched(d->q, d->t, k);
}

/* Of an operation that is not performed as it was: the receiving event stays without a partner, the call
 * stays pending. (If it is the new partner of a changed event, or was ended by something else, the
 * thread's place in the plan tells.) */
static void leave_parts(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    const struct reach_change *c = change_at(d->t, k);
    bool changed = c && c->partner != REACH_NONE;
    bool here = op->flags & (REACH_DONE | REACH_UNMATCHED) && !event_removed(d->q, d->t, k);
    if (here && !changed && op->class == REACH_OBJECT)
        leave(d, REACH_LEFT_OBJECT, op->object, op);
    else if (here && !changed && op->class == REACH_RECEIVE)
        leave(d, REACH_LEFT_RECEIVE, op->thread, op);
    if (op->flags & REACH_UNMATCHED || call_removed(d->q, d->t, k))
        return;
    if (op->class == REACH_OBJECT)
        leave(d, REACH_LEFT_CALL, op->thread, op);
    else if (op->class == REACH_READ && !changed)
        leave_read(d, k);
}

/* A branch on an input that does not go with the rest. */
static void leave_branch(const struct derivation *d, uint32_t k)
{
    const struct reach_op *op = &d->q->ops[k];
    const struct reach_change *c = change_at(d->t, k);
    bool changed = c && c->partner != REACH_NONE;
    if (op->condition && !changed && !in_order(d, k) && !event_removed(d->q, d->t, k))
        leave(d, REACH_LEFT_BRANCH, op->thread, op);
}

void reach_derive(const struct reach_seq *q, struct reach_table *t, struct reach_plan *p)
{
    struct derivation d = {q, t, p};
    p->count = p->left_count = 0;
    for (uint32_t i = 0; i < t->ordered; i++) {
        const struct reach_change *c = change_at(t, t->order[i]);
        if (c)
            change(&d, c);
        else
            keep(&d, &q->ops[t->order[i]]);
    }
    for (uint32_t k = 0; k < q->count; k++)
        if (q->ops[k].class == REACH_BRANCH)
            leave_branch(&d, k);
        else if (q->ops[k].class != REACH_SEND && (!in_order(&d, k) || change_at(t, k)))
            leave_parts(&d, k);
}
