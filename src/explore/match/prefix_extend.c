/* Which events are possible (section 4.4 of the thesis that model.h names): a thread can perform
 * its operation at all conditions of what it touches that are concurrent with where it stands. A
 * new condition of a thread looks through the trees of the objects from its own tip downwards,
 * leaving out what is below a condition that is not concurrent; a new condition of an object is
 * offered to those who stand before its parent; who has read a condition is offered to those who
 * would take it. */
#include "explore/match/prefix.h"

#include "base/ensure.h"

#include <string.h>

/* A thread, and the conditions that its operation would touch, as far as they are chosen. */
struct prefix_attempt {
    struct prefix_condition *thread, *target, *touched[MATCH_TOUCHES];
    uint64_t chosen; /* bit i: touched[i] is */
    uint64_t takes;  /* bit i: it changes touched[i] */
    unsigned branch, branches;
    bool asks;
    int read; /* readers[0] is one of touched[read] */
    int reader_count;
    struct prefix_event *readers[EVENT_MAX_THREADS]; /* who are to have read what it takes */
};

static bool holds(const struct prefix *p, const struct prefix_condition *c)
{
    return p->merged[c->slot].condition == c;
}

/* What most attempts fail by: an event that comes before knows the condition to be replaced, or
 * another one in its place. */
static bool may_hold(const struct prefix *p, const struct prefix_condition *c,
                     struct prefix_event *const *events, int count)
{
    for (int i = 0; i < count; i++)
        if (!prefix_above(prefix_tip(p, events[i], c->slot).condition, c))
            return false;
    return true;
}

static bool fits(struct prefix *p, const struct prefix_attempt *a)
{
    struct prefix_event *events[2 + MATCH_TOUCHES + EVENT_MAX_THREADS];
    const struct match_local *l = a->thread->local;
    int count = 0;
    ensure(l->touches <= MATCH_TOUCHES && a->reader_count < EVENT_MAX_THREADS);
    events[count++] = a->thread->maker;
    if (a->target)
        events[count++] = a->target->maker;
    for (int i = 0; i < l->touches; i++)
        if (a->chosen >> i & 1)
            events[count++] = a->touched[i]->maker;
    for (int i = 0; i < a->reader_count; i++)
        events[count++] = a->readers[i];
    if (!may_hold(p, a->thread, events, count))
        return false;
    for (int i = 0; i < l->touches; i++)
        if (a->chosen >> i & 1 && !may_hold(p, a->touched[i], events, count))
            return false;
    if (!prefix_fit(p, events, count) || !holds(p, a->thread))
        return false;
    for (int i = 0; i < l->touches; i++)
        if (a->chosen >> i & 1 && !holds(p, a->touched[i]))
            return false;
    return true;
}

/* ---- an event
 * ------------------------------------------------------------------------------------ */

/* Who has read what it takes, in merged[]; how many. */
static uint32_t find_reads(const struct prefix *p, const struct prefix_attempt *a,
                           struct prefix_event **out)
{
    uint32_t count = 0;
    for (int i = 0; i < a->thread->local->touches; i++)
        for (uint32_t s = a->takes >> i & 1 ? p->slots[a->touched[i]->slot].readers : 0; s;
             s = p->slots[s].readers)
            if (p->merged[s].reader && out)
                out[count++] = p->merged[s].reader;
            else if (p->merged[s].reader)
                count++;
    return count;
}

static uint64_t key_of(const struct prefix_event *e)
{
    uint64_t h = match_mix(e->from->number, (uint64_t)e->branch << 1 | e->asks);
    for (int i = 0; i < e->touches; i++)
        h = match_mix(h, e->touched[i]->number);
    for (uint32_t i = 0; i < e->read_count; i++)
        h = match_mix(h, e->reads[i]->number);
    return e->target ? match_mix(h, e->target->number) : h;
}

static bool same_event(const struct prefix_event *a, const struct prefix_event *b)
{
    return a->from == b->from && a->target == b->target && a->branch == b->branch &&
           a->asks == b->asks && a->touches == b->touches && a->read_count == b->read_count &&
           !memcmp(a->touched, b->touched, a->touches * sizeof *a->touched) &&
           !memcmp(a->reads, b->reads, a->read_count * sizeof *a->reads);
}

static bool is_known(struct prefix *p, const struct prefix_event *e)
{
    uint64_t key = key_of(e);
    struct htable_entry *at = htable_find(&p->known, key);
    for (; htable_has(&p->known, at); at = htable_another(&p->known, at))
        if (same_event(p->events[at->value], e))
            return true;
    if (!htable_put(&p->known, at, key, p->event_count))
        p->model->full = true;
    return false;
}

static void deeper(uint32_t *level, const struct prefix_event *e)
{
    if (e && e->level > *level)
        *level = e->level;
}

/* Its size and level in its configuration, whose tips are merged[]. */
static void measure(struct prefix *p, struct prefix_event *e)
{
    e->size = 1;
    for (int t = 0; t < EVENT_MAX_THREADS && p->thread_slot[t]; t++)
        if (p->merged[p->thread_slot[t]].condition)
            e->size += p->merged[p->thread_slot[t]].condition->depth - 1;
    deeper(&e->level, e->from->maker);
    deeper(&e->level, e->target ? e->target->maker : NULL);
    for (int i = 0; i < e->touches; i++)
        deeper(&e->level, e->touched[i]->maker);
    for (uint32_t i = 0; i < e->read_count; i++)
        deeper(&e->level, e->reads[i]);
    e->level++;
}

/* merged[] is the configuration before it. */
static void possible(struct prefix *p, const struct prefix_attempt *a)
{
    const struct match_local *l = a->thread->local;
    uint64_t before = p->used;
    struct prefix_event *e = prefix_need(p, sizeof *e);
    uint32_t reads = a->asks ? 0 : find_reads(p, a, NULL);
    struct prefix_condition **touched = prefix_need(p, l->touches * sizeof *touched);
    struct prefix_event **found = prefix_need(p, reads * sizeof *found);
    union prefix_tip *tips = prefix_need(p, p->slot_count * sizeof *tips);
    if (!e || !touched || !found || !tips || p->model->full)
        return;
    memcpy(touched, a->touched, l->touches * sizeof *touched);
    if (reads)
        find_reads(p, a, found);
    *e = (struct prefix_event){.from = a->thread,
                               .target = a->target,
                               .touched = touched,
                               .reads = found,
                               .touches = l->touches,
                               .read_count = reads,
                               .thread = l->thread,
                               .branch = (uint16_t)a->branch,
                               .branches = (uint16_t)a->branches,
                               .takes = a->takes,
                               .asks = a->asks};
    p->events[e->number = p->event_count] = e;
    if (is_known(p, e)) {
        memset(p->room + before, 0, p->used - before);
        p->used = before;
        return;
    }
    memcpy(tips, p->merged, p->slot_count * sizeof *tips);
    e->tips = tips;
    e->tip_count = p->slot_count;
    ensure(tips[a->thread->slot].condition == a->thread);
    e->move = match_move(&p->model->walk, l, a->branch);
    measure(p, e);
    p->event_count++;
    prefix_queue(p, e);
}

/* ---- by whom it is known
 * ------------------------------------------------------------------------- */

static bool reads_already(const struct prefix_attempt *a, unsigned thread)
{
    for (int i = 0; i < a->reader_count; i++)
        if (a->readers[i]->thread == thread)
            return true;
    return false;
}

/* All sets of those who may have read what it takes; r: of those of touched[i] from here on. */
static void with_readers(struct prefix *p, struct prefix_attempt *a, int i,
                         const struct prefix_link *r)
{
    int touches = a->thread->local->touches;
    possible(p, a);
    for (; i < touches; r = ++i < touches ? a->touched[i]->readers : NULL)
        for (; r && a->takes >> i & 1; r = r->next) {
            if (reads_already(a, r->event->thread))
                continue;
            a->readers[a->reader_count++] = r->event;
            if (fits(p, a))
                with_readers(p, a, i, r->next);
            a->reader_count--;
        }
}

static uint64_t taken_by(const struct match_local *l, struct prefix_condition *const *touched,
                         const struct match_effect *e)
{
    uint64_t takes = 0;
    for (int i = 0; i < l->touches; i++)
        for (int k = 0; k < e->puts; k++)
            if (e->put[k]->slot == l->slots[i] && e->put[k] != touched[i]->place)
                takes |= 1ull << i;
    return takes;
}

/* All that it touches is chosen, and merged[] is the state before it. */
static void possible_here(struct prefix *p, struct prefix_attempt *a)
{
    struct match_model *m = p->model;
    struct match_local *l = a->thread->local;
    struct match_effect effect;
    prefix_see(p, a->thread, a->target, a->touched, p->merged, p->slot_count);
    enum match_status status = match_status(m, &m->walk, l->thread);
    if (status == MATCH_BLOCKED) {
        p->waits = true;
        return;
    }
    int branches = match_branches(m, &m->walk, l);
    a->branches = branches > 1 ? (unsigned)branches : 0;
    for (int b = 0; b < branches; b++) {
        a->branch = (unsigned)b;
        a->takes = 0;
        prefix_see(p, a->thread, a->target, a->touched, p->merged, p->slot_count);
        a->asks = status == MATCH_UNKNOWN || !match_effect(m, &m->walk, l, a->branch, &effect);
        if (!a->asks)
            a->takes = taken_by(l, a->touched, &effect);
        if (a->reader_count && !(a->takes >> a->read & 1))
            continue;
        if (a->takes)
            with_readers(p, a, 0, a->touched[0]->readers);
        else
            possible(p, a);
        if (a->asks || (b + 1 < branches && !fits(p, a))) /* merged[] again */
            return;
    }
}

/* ---- conditions
 * ---------------------------------------------------------------------------------- */

static void choose_rest(struct prefix *p, struct prefix_attempt *a);

static void choose_below(struct prefix *p, struct prefix_attempt *a, int i,
                         struct prefix_condition *c)
{
    a->touched[i] = c;
    a->chosen |= 1ull << i;
    bool fit = fits(p, a);
    if (fit)
        choose_rest(p, a);
    for (struct prefix_condition *below = fit ? c->down : NULL; below; below = below->beside)
        choose_below(p, a, i, below);
    a->chosen &= ~(1ull << i);
}

/* merged[] is the state of what is chosen: tries all conditions for the rest. */
static void choose_rest(struct prefix *p, struct prefix_attempt *a)
{
    const struct match_local *l = a->thread->local;
    int i = 0;
    while (i < l->touches && a->chosen >> i & 1)
        i++;
    if (i < l->touches)
        choose_below(p, a, i, p->merged[prefix_object_slot(p, l->slots[i])].condition);
    else
        possible_here(p, a);
}

static void link_to(struct prefix *p, struct prefix_link **list, struct prefix_condition *thread)
{
    struct prefix_link *link = prefix_need(p, sizeof *link);
    if (!link)
        return;
    link->thread = thread;
    link->next = *list;
    *list = link;
}

/* Who else stands before c, so that their accesses race? True: merged[] is something else now. */
static bool find_races(struct prefix *p, struct prefix_condition *thread,
                       struct prefix_condition *c)
{
    bool merges = false;
    for (const struct prefix_link *s = p->walk->races ? c->stands : NULL; s; s = s->next) {
        struct prefix_condition *other = s->thread;
        struct prefix_event *events[3] = {thread->maker, other->maker, c->maker};
        if (other->slot == thread->slot || !match_racing(&thread->local->op, &other->local->op))
            continue;
        merges = true;
        if (!prefix_fit(p, events, 3) || !holds(p, thread) || !holds(p, other) || !holds(p, c) ||
            !match_walk_new_race(p->walk, &thread->local->op, &other->local->op))
            continue;
        struct prefix_race *race = prefix_need(p, sizeof *race);
        if (!race)
            break;
        *race = (struct prefix_race){.next = p->races, .thread = {thread, other}, .at = c};
        p->races = race;
    }
    return merges;
}

/* The thread stands before an operation that touches c, in place i; with `reader` who has read it.
 */
static bool offer(struct prefix *p, struct prefix_condition *thread, int i,
                  struct prefix_condition *c, struct prefix_event *reader)
{
    struct prefix_attempt a; /* large, and most of it is not used */
    a.thread = thread;
    a.target = NULL;
    a.chosen = 1ull << i;
    a.touched[i] = c;
    a.read = i;
    a.readers[0] = reader;
    a.reader_count = reader != NULL;
    if (!fits(p, &a))
        return false;
    if (!reader) {
        bool merges = find_races(p, thread, c);
        link_to(p, &c->stands, thread);
        if (merges && !fits(p, &a)) /* merged[] again */
            return false;
    }
    choose_rest(p, &a);
    return true;
}

static void offer_below(struct prefix *p, struct prefix_condition *thread, int i,
                        struct prefix_condition *c)
{
    if (offer(p, thread, i, c, NULL))
        for (struct prefix_condition *below = c->down; below; below = below->beside)
            offer_below(p, thread, i, below);
}

/* Those who stand before c or its parent. */
static void offer_to(struct prefix *p, const struct prefix_link *s, struct prefix_condition *c,
                     struct prefix_event *reader)
{
    for (; s && !p->model->full; s = s->next) {
        const struct match_local *l = s->thread->local;
        for (int i = 0; i < l->touches; i++)
            if (l->slots[i] == p->slots[c->slot].model)
                offer(p, s->thread, i, c, reader);
    }
}

/* An operation that touches no object: a join with a thread that has ended, or (NULL) anything else. */
static void try_alone(struct prefix *p, struct prefix_condition *thread, struct prefix_condition *ended)
{
    struct prefix_attempt a;
    a.thread = thread;
    a.target = ended;
    a.chosen = 0;
    a.reader_count = 0;
    if (fits(p, &a))
        choose_rest(p, &a);
}

void prefix_extend_thread(struct prefix *p, struct prefix_condition *c)
{
    const struct match_local *l = c->local;
    if (l->ended) {
        link_to(p, &p->ended[l->thread], c);
        for (const struct prefix_link *j = p->joiners[l->thread]; j; j = j->next)
            try_alone(p, j->thread, c);
    }
    if (!l->op.kind && !l->ended && !l->stops)
        link_to(p, &p->parked, c);
    if (!l->op.kind || l->ended)
        return;
    if (match_joins(l->op.kind)) {
        p->waits = true;
        link_to(p, &p->joiners[l->op.object], c);
        for (const struct prefix_link *e = p->ended[l->op.object]; e; e = e->next)
            try_alone(p, c, e->thread);
        return;
    }
    for (int i = 0; i < l->touches; i++) {
        uint32_t slot = prefix_object_slot(p, l->slots[i]);
        if (!p->model->full)
            offer_below(p, c, i, prefix_tip(p, c->maker, slot).condition);
    }
    if (!l->touches)
        try_alone(p, c, NULL);
}

void prefix_extend_object(struct prefix *p, struct prefix_condition *c)
{
    if (c->up)
        offer_to(p, c->up->stands, c, NULL);
}

void prefix_extend_reader(struct prefix *p, struct prefix_condition *c, struct prefix_event *reader)
{
    struct prefix_link *link = prefix_need(p, sizeof *link);
    ensure(prefix_touched(reader, c->slot) == c);
    if (!link)
        return;
    link->event = reader;
    link->next = c->readers;
    c->readers = link;
    offer_to(p, c->stands, c, reader);
}

void prefix_extend_again(struct prefix *p, const struct prefix_event *e)
{
    struct prefix_attempt a;
    a.thread = e->from;
    a.target = e->target;
    a.chosen = 0;
    a.reader_count = 0;
    for (int i = 0; i < e->touches; i++) {
        a.touched[i] = e->touched[i];
        a.chosen |= 1ull << i;
    }
    if (fits(p, &a))
        possible_here(p, &a);
}
