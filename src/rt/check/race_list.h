/* Part of race.c: the records of a cell that have no room in it.
 *
 * They lie in a list, which each new access is held against. Of memory that many threads read that
 * would be as many records for every read. But reads do not conflict: a plain read need only be held
 * against what is none, and take the place of those of its own thread. So where the list has grown
 * long its plain reads are kept by thread (FastTrack's vector of reads), and only what is no plain
 * read stays in it. */

#ifndef LONG_LIST
#define LONG_LIST 8
#endif

static uint32_t confront_nodes(uint32_t *link, struct access *a)
{
    uint32_t left = 0;
    while (*link) {
        struct race_node *n = &race.node[*link];
        n->record = confront(a, n->record, n->pc);
        if (n->record & BYTES) {
            link = &n->next;
            left++;
        } else {
            uint32_t gone = *link;
            *link = n->next;
            n->next = race.free_nodes;
            race.free_nodes = gone;
        }
    }
    return left;
}

static void confront_reads(struct race_crowd *crowd, unsigned thread, struct access *a)
{
    if (tset_has(&crowd->threads, (int)thread) && !confront_nodes(&crowd->first[thread], a))
        tset_remove(&crowd->threads, (int)thread);
}

/* Who comes between the joins of threads that are alike must be seen to meet each of them (orbit.h). */
static void confront_crowd(struct race_crowd *crowd, struct access *a)
{
    if (!kind_of(a->record) && !rt.half_joined) {
        confront_reads(crowd, thread_of(a->record), a);
        return;
    }
    struct tset threads = crowd->threads;
    TSET_FOR(t, &threads)
        confront_reads(crowd, (unsigned)t, a);
}

static void confront_list(struct cell *c, struct access *a)
{
    uint32_t left = confront_nodes(&c->more, a);
    if (c->crowd)
        confront_crowd(&race.crowd[c->crowd], a);
    else if (left < c->listed)
        c->listed = (uint8_t)left;
}

static void add_to_crowd(struct race_crowd *crowd, uint32_t k)
{
    unsigned t = thread_of(race.node[k].record);
    race.node[k].next = tset_has(&crowd->threads, (int)t) ? crowd->first[t] : 0;
    crowd->first[t] = k;
    tset_add(&crowd->threads, (int)t);
}

/* Without room for it the list goes on being one. */
static void form_crowd(struct cell *c)
{
    if (race.crowds == CROWDS)
        return;
    struct race_crowd *crowd = &race.crowd[c->crowd = race.crowds++];
    crowd->threads = (struct tset){{0}};
    for (uint32_t *link = &c->more; *link;) {
        uint32_t k = *link;
        if (kind_of(race.node[k].record)) {
            link = &race.node[k].next;
            continue;
        }
        *link = race.node[k].next;
        add_to_crowd(crowd, k);
    }
}

static void put_into_list(struct cell *c, uint64_t record, uintptr_t pc)
{
    uint32_t k = race.free_nodes;
    if (k)
        race.free_nodes = race.node[k].next;
    else if (race.nodes < NODES)
        k = race.nodes++;
    else {
        say_full(NODES);
        return;
    }
    race.node[k] = (struct race_node){record, pc, c->more};
    if (c->crowd && !kind_of(record)) {
        add_to_crowd(&race.crowd[c->crowd], k);
        return;
    }
    c->more = k;
    if (c->listed < LONG_LIST && ++c->listed == LONG_LIST)
        form_crowd(c);
}

/* Moves the oldest record of the cell to the list; returns the place that became free. */
static unsigned make_room(struct cell *c)
{
    unsigned i = (c->last + 1u) % INLINE;
    put_into_list(c, c->record[i], c->pc[i]);
    return i;
}

static bool recorded_in(uint32_t k, const struct access *a)
{
    for (; k; k = race.node[k].next)
        if (recorded(race.node[k].record, race.node[k].pc, a->record, a->pc))
            return true;
    return false;
}

static inline __attribute__((always_inline)) bool recorded_anywhere(struct cell *c, const struct access *a)
{
    for (unsigned i = 0; i < c->count; i++)
        if (recorded(c->record[i], c->pc[i], a->record, a->pc)) {
            c->last = (uint8_t)i;
            return true;
        }
    const struct race_crowd *crowd = &race.crowd[c->crowd];
    unsigned me = thread_of(a->record);
    return recorded_in(c->more, a) ||
           (c->crowd && tset_has(&crowd->threads, (int)me) && recorded_in(crowd->first[me], a));
}

static void visit_list(struct cell *c, struct access *a,
                       void (*visit)(struct race_node *, struct access *))
{
    for (uint32_t k = c->more; k; k = race.node[k].next)
        visit(&race.node[k], a);
    if (!c->crowd)
        return;
    const struct race_crowd *crowd = &race.crowd[c->crowd];
    TSET_FOR(t, &crowd->threads)
        for (uint32_t k = crowd->first[t]; k; k = race.node[k].next)
            visit(&race.node[k], a);
}
