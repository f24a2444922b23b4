/* Which variants are equivalent. A variant is told as a set of facts, each a place and what it is filled
 * with: the n-th completion on an object, the receive that is the n-th operation of a thread, … The state
 * that the program is in afterwards follows from the facts, so variants with the same facts have the same
 * future. Facts that leave out what the state does not depend on make classes:
 *
 *   reads of a variable   which version was read: how many writes came before it
 *   pv        a post is a fact of its thread: how many waits came before it, not counting those that the
 *             initial tokens were enough for
 *   messages  an asynchronous message of a uniform port was received, no matter which
 *   symmetry  threads are renamed. Which of them is called what is decided by what they did; where several
 *             did the same all ways are tried (up to a limit) and the least result is taken. Each way is an
 *             exact description of a variant that differs by an exchange of threads, so whatever is
 *             not tried costs executions only.
 *
 * The number is the sum of the facts' hashes: their order does not matter. */
#include "explore/reach/reach_reduced.h"

#include "base/rng.h"

enum { WAYS = 720 };
enum fact { FACT_SEND = 1, FACT_RECEIVE, FACT_UNIFORM, FACT_BRANCH, FACT_LIGHT, FACT_AT };

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return rng_mix(&x);
}

struct teller {
    const struct reach_equivalence *e;
    const struct reach_seq *q;
    const struct reach_table *t;
};

static uint64_t name(const struct teller *w, const struct reach_op *op)
{
    return ((uint64_t)w->e->map[op->thread] << 32) + op->index;
}

static uint64_t receive(const struct teller *w, const struct reach_op *op, uint32_t partner)
{
    if (partner >= w->q->count)
        return mix(mix(FACT_RECEIVE, name(w, op)), partner);
    const struct reach_op *send = &w->q->ops[partner];
    if (reach_any_message(w->q, op, partner))
        return mix(mix(FACT_UNIFORM, name(w, op)), send->object);
    return mix(mix(FACT_RECEIVE, name(w, op)), name(w, send));
}

/* Of an object: how many operations were ordered with all but posts, and with those too. */
static uint64_t complete(const struct teller *w, const struct reach_op *op)
{
    uint64_t *state = w->e->state + (uint64_t)op->object * 2, me = name(w, op);
    if (op->part == REACH_LIGHT)
        return mix(mix(FACT_LIGHT, me), mix(op->object, state[1]));
    uint64_t place = mix(op->object, state[0]++);
    state[1] += op->part == REACH_HEAVY;
    return mix(mix(FACT_AT + op->part, place), me);
}

/* What is performed at the place of operation k, and with which partner. */
static const struct reach_op *performed(const struct teller *w, uint32_t k, uint32_t *partner)
{
    const struct reach_op *op = &w->q->ops[k];
    *partner = op->partner;
    for (uint32_t i = 0; i < w->t->changes; i++)
        if (w->t->changed[i].event == k) {
            *partner = w->t->changed[i].partner;
            if (op->class == REACH_OBJECT)
                op = &w->q->ops[*partner];
        }
    return op;
}

static uint64_t tell(const struct teller *w, uint32_t k)
{
    uint32_t partner;
    const struct reach_op *op = performed(w, k, &partner);
    switch (op->class) {
    case REACH_SEND:
        return mix(mix(FACT_SEND, name(w, op)), op->object);
    case REACH_RECEIVE:
        return receive(w, op, partner);
    case REACH_BRANCH:
        return mix(mix(FACT_BRANCH, name(w, op)), partner);
    default:
        return complete(w, op);
    }
}

static uint64_t sum(const struct teller *w)
{
    uint64_t total = 0;
    for (uint32_t o = 0; o < w->q->objects * 2; o++)
        w->e->state[o] = 0;
    for (uint32_t i = 0; i < w->t->ordered; i++)
        total += tell(w, w->t->order[i]);
    return total;
}

/* Exchanging threads --------------------------------------------------------------------------- */

struct seat {
    uint64_t group, deeds; /* deeds: what it did, without a thread's name */
    uint16_t thread;
};

struct seats {
    struct seat at[EVENT_MAX_THREADS];
    uint32_t count;
};

static bool less(const struct seat *a, const struct seat *b)
{
    if (a->group != b->group)
        return a->group < b->group;
    if (a->deeds != b->deeds)
        return a->deeds > b->deeds; /* who did nothing comes last */
    return a->thread < b->thread;
}

static void swap(struct seat *a, struct seat *b)
{
    struct seat s = *a;
    *a = *b;
    *b = s;
}

/* The interchangeable threads, by what they did; none if the variant has a choice that was made between
 * threads by number. */
static void seat_threads(const struct teller *w, struct seats *s)
{
    uint64_t deeds[EVENT_MAX_THREADS] = {0};
    uint32_t partner;
    s->count = 0;
    for (uint32_t i = 0; i < w->t->ordered; i++) {
        const struct reach_op *op = performed(w, w->t->order[i], &partner);
        if (op->class == REACH_BRANCH && op->kind)
            return;
        deeds[op->thread] += mix(mix(op->index, op->kind), op->object) | 1;
    }
    for (uint32_t t = 0; t < w->q->threads; t++)
        if (w->e->group[t])
            s->at[s->count++] = (struct seat){w->e->group[t], deeds[t], (uint16_t)t};
    for (uint32_t i = 1; i < s->count; i++)
        for (uint32_t j = i; j > 0 && less(&s->at[j], &s->at[j - 1]); j--)
            swap(&s->at[j], &s->at[j - 1]);
}

/* Who sits on the n-th seat of a group gets the n-th of the group's names. */
static void name_by_seat(const struct teller *w, const struct seats *s)
{
    for (uint32_t t = 0; t < w->q->threads; t++)
        w->e->map[t] = (uint16_t)t;
    for (uint32_t i = 0, first = 0; i < s->count; i++) {
        if (s->at[i].group != s->at[first].group)
            first = i;
        uint32_t skip = i - first, t = 0;
        for (;; t++)
            if (w->e->group[t] == s->at[i].group && skip-- == 0)
                break;
        w->e->map[s->at[i].thread] = (uint16_t)t;
    }
}

static uint32_t run_end(const struct seats *s, uint32_t i)
{
    uint32_t end = i + 1;
    while (end < s->count && s->at[end].group == s->at[i].group &&
           s->at[end].deeds == s->at[i].deeds)
        end++;
    return end;
}

/* The next order of those between who are alike; false, and the first one again, after the last. */
static bool next_order(struct seat *from, uint32_t n)
{
    uint32_t i = n - 1, j = n - 1, k = n;
    while (i > 0 && from[i - 1].thread > from[i].thread)
        i--;
    if (i > 0) {
        while (from[j].thread < from[i - 1].thread)
            j--;
        swap(&from[i - 1], &from[j]);
    }
    for (j = i; j + 1 < k; j++)
        swap(&from[j], &from[--k]);
    return i > 0;
}

static bool next_way(struct seats *s)
{
    for (uint32_t i = 0, end; i < s->count; i = end) {
        end = run_end(s, i);
        if (s->at[i].deeds && next_order(&s->at[i], end - i))
            return true;
    }
    return false;
}

uint64_t reach_class_of(const struct reach_equivalence *e, const struct reach_seq *q,
                        const struct reach_table *t)
{
    struct teller w = {e, q, t};
    struct seats s = {.count = 0};
    uint64_t best = UINT64_MAX;
    if (e->symmetry)
        seat_threads(&w, &s);
    for (uint32_t i = 0; i < WAYS; i++) {
        name_by_seat(&w, &s);
        uint64_t way = sum(&w);
        best = way < best ? way : best;
        if (!next_way(&s))
            break;
    }
    return best;
}
