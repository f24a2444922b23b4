/* Generate_BSRGEdges (section 2.4.2, figures 2.4 and 2.5): all processes run ahead by sends and
 * internal transitions to a blocking point, then a set of receives, at most one per process,
 * happens at once; a process with a potential HET may also stay behind (the empty transition "ε").
 *
 * Two things go beyond the figures.
 *   - Visible transitions (section 5.2.1): with invariants, a blocking point is also where a
 * process has an enabled visible transition, no set has two visible transitions, and a process with
 * a visible one may stay behind.
 *   - Divergence: a process that can only go round by sends and internal transitions never comes to
 *     a blocking point, which would leave the state without any edge. That is right for deadlocks
 *     (there is none) but would hide assertions and invariants of the others. Such a process blocks
 *     where no blocking point is in reach any more and takes its transitions one by one.
 * With these, what is preserved: every deadlock state; every local transition that can be executed,
 * so every violated assertion; every violated invariant. (docs/bsra.md has the argument.)
 *
 * SRA (section 2.2.4), what BSRA is compared with: no running ahead; from a state one enabled transition
 * of every process that has one, sends and internal ones too, happens at once, and a process with a
 * potentially executable transition may also stay behind.
 *
 * Sleep sets (section 2.6): a process that stays behind although it could receive waits for a
 * message that is not there yet; what it could have received is put to sleep until it moves. Only
 * invisible receives sleep. An entry: transition, queue (2 bytes each), the message's data. */
#include "model/chan.h"
#include "model/expand.h"
#include "model/node_set.h"
#include "model/store.h"

#include <stdlib.h>
#include <string.h>

/* More would take for ever: the sets of choices are a product over the processes. */
enum { POINTS_MAX = 1 << 18, EDGES_MAX = 1 << 18 };

struct arrow {
    uint32_t from, to;
};

struct bsra {
    struct expander *x;
    const struct sys *s;
    VEC(uint8_t) bytes;
    step_list paths;
    VEC(struct arrow) arrows;
    /* Step 2: per process a range of choices; -1 as transition is ε. */
    step_list choices;
    uint32_t first[SYS_PROCS_MAX + 1];
    step_list chosen, ordered;
    const uint8_t *sleep;
    size_t nsleep;
};

static void load(const struct bsra *b, const struct node *n, struct gstate *g)
{
    g->len = (int)n->len;
    memcpy(g->b, b->bytes.items + n->off, n->len);
}

static void add_node(struct bsra *b, struct node_set *l, const struct gstate *g,
                     const struct node *parent, const struct model_step *st)
{
    struct node n = {.hash = store_hash(g->b, g->len),
                     .off = (uint32_t)b->bytes.count,
                     .len = (uint32_t)g->len,
                     .path = (uint32_t)b->paths.count};
    vec_reserve(&b->bytes, b->bytes.count + (size_t)g->len);
    memcpy(b->bytes.items + b->bytes.count, g->b, (size_t)g->len);
    b->bytes.count += (size_t)g->len;
    for (uint32_t i = 0; parent && i < parent->npath; i++)
        vec_push(&b->paths, b->paths.items[parent->path + i]);
    if (st)
        vec_push(&b->paths, *st);
    n.npath = (uint32_t)b->paths.count - n.path;
    node_push(l, n);
}

/* What a process can do at a state. */
struct ability {
    int open, receives, moves, visible; /* moves: sends and internal transitions */
};

static struct ability ability(struct bsra *b, const struct gstate *g, int proc, step_list *l)
{
    struct ability a = {0};
    l->count = 0;
    step_enabled(&b->x->run, g, proc, l, &a.open);
    if (b->x->run.fault.kind)
        expand_fault(b->x, NULL, 0);
    for (size_t i = 0; i < l->count; i++) {
        const struct trans *t = &b->s->trans[l->items[i].trans];
        a.receives += t->action == ACT_RECV;
        a.moves += t->action != ACT_RECV;
        a.visible += t->action != ACT_RECV && t->visible;
    }
    return a;
}

/* Is the process blocked in the sense of definition 6 (and 5.2.1)? */
static int blocks(struct ability a)
{
    return a.open > 0 || a.visible > 0 || (a.receives == 0 && a.moves == 0);
}

static void fault_on_path(struct bsra *b, const struct node *n, struct model_step st)
{
    step_list path = {0};
    for (uint32_t i = 0; i < n->npath; i++)
        vec_push(&path, b->paths.items[n->path + i]);
    vec_push(&path, st);
    expand_fault(b->x, path.items, path.count);
    vec_free(&path);
}

/* All states that the process reaches from l->items[0] by invisible sends and internal transitions,
 * appended to l (with the arrows between them). */
static void run_ahead(struct bsra *b, struct node_set *l, int proc)
{
    struct gstate *g = &b->x->work, start;
    step_list steps = {0};
    b->arrows.count = 0;
    for (size_t i = 0; i < l->count && !b->x->too_many; i++) {
        b->x->too_many |= l->count > POINTS_MAX;
        load(b, &l->items[i], &start);
        struct ability a = ability(b, &start, proc, &steps);
        l->items[i].reaches = blocks(a);
        for (size_t k = 0; k < steps.count; k++) {
            const struct trans *t = &b->s->trans[steps.items[k].trans];
            if (t->action == ACT_RECV || t->visible)
                continue;
            load(b, &l->items[i], g);
            step_exec(&b->x->run, g, steps.items[k]);
            if (b->x->run.fault.kind) {
                fault_on_path(b, &l->items[i], steps.items[k]);
                continue;
            }
            b->x->executed[steps.items[k].trans] = 1;
            int to = node_find(l, b->bytes.items, g->b, g->len, store_hash(g->b, g->len));
            if (to < 0) {
                struct node parent = l->items[i];
                to = (int)l->count;
                add_node(b, l, g, &parent, &steps.items[k]);
            }
            struct arrow arrow = {(uint32_t)i, (uint32_t)to};
            vec_push(&b->arrows, arrow);
        }
    }
    vec_free(&steps);
}

/* Keeps the states where the process stops: blocking points, and the first states from which none
 * is in reach. */
static void keep_stops(struct bsra *b, const struct node_set *l, struct node_set *stops)
{
    size_t n = l->count;
    uint8_t *reaches = mem_alloc(n), *entered = mem_alloc(n);
    for (size_t i = 0; i < n; i++)
        reaches[i] = (uint8_t)l->items[i].reaches;
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t k = 0; k < b->arrows.count; k++) {
            uint32_t f = b->arrows.items[k].from, t = b->arrows.items[k].to;
            if (reaches[t] && !reaches[f])
                changed = reaches[f] = 1;
        }
    }
    entered[0] = 1;
    for (size_t k = 0; k < b->arrows.count; k++)
        if (reaches[b->arrows.items[k].from])
            entered[b->arrows.items[k].to] = 1;
    for (size_t i = 0; i < n; i++)
        if (l->items[i].reaches || (!reaches[i] && entered[i])) {
            const struct node *k = &l->items[i];
            const uint8_t *bytes = b->bytes.items;
            if (node_find(stops, bytes, bytes + k->off, (int)k->len, k->hash) < 0)
                node_push(stops, *k);
        }
    free(reaches);
    free(entered);
}

/* gen_next_bp: process after process, since what one does by sends and internal transitions does
 * not depend on the others (theorem 2.4.1). */
static void next_blocking_points(struct bsra *b, const struct gstate *g, struct node_set *out)
{
    struct node_set now = {0}, local = {0};
    step_list steps = {0};
    add_node(b, &now, g, NULL, NULL);
    for (int p = 0; p < b->s->nprocs; p++) {
        if (ability(b, g, p, &steps).moves == 0)
            continue;
        struct node_set next = {0};
        for (size_t i = 0; i < now.count && !b->x->too_many; i++) {
            node_clear(&local);
            node_push(&local, now.items[i]);
            run_ahead(b, &local, p);
            keep_stops(b, &local, &next);
            b->x->too_many |= next.count > POINTS_MAX;
        }
        node_free(&now);
        now = next;
    }
    node_free(&local);
    vec_free(&steps);
    *out = now;
}

/* Is this receive asleep? Entries are compared by transition, queue and message. */
static size_t sleep_entry(const struct bsra *b, const struct gstate *g, struct model_step st,
                          uint8_t *out)
{
    const struct port *p = &b->s->ports[b->s->queues[st.queue].port];
    const uint8_t *slot = g->b + chan_off(b->s, g->b, st.queue) + st.pos * p->slot;
    memcpy(out, &st.trans, 2);
    memcpy(out + 2, &st.queue, 2);
    memcpy(out + 4, slot, (size_t)p->data);
    return 4 + (size_t)p->data;
}

static size_t entry_size(const struct sys *s, const uint8_t *entry)
{
    int16_t queue;
    memcpy(&queue, entry + 2, 2);
    return 4 + (size_t)s->ports[s->queues[queue].port].data;
}

static int entry_proc(const struct sys *s, const uint8_t *entry)
{
    int16_t trans;
    memcpy(&trans, entry, 2);
    return s->trans[trans].proc;
}

static int asleep(const struct bsra *b, const struct gstate *g, struct model_step st)
{
    uint8_t entry[SYS_STATE_MAX];
    size_t n = sleep_entry(b, g, st, entry);
    for (size_t i = 0; i < b->nsleep; i += entry_size(b->s, b->sleep + i))
        if (entry_size(b->s, b->sleep + i) == n && !memcmp(b->sleep + i, entry, n))
            return 1;
    return 0;
}

static int has_moved(const struct sys *s, const struct model_step *steps, size_t n, int proc)
{
    for (size_t i = 0; i < n; i++)
        if (s->trans[steps[i].trans].proc == proc)
            return 1;
    return 0;
}

/* gen_trans_sets, first half: the choices of one process at the blocking point g. -1 if the process
 * could receive but all of it sleeps and nothing else can come: the point is redundant. */
static int add_choices(struct bsra *b, const struct gstate *g, int proc, int moved)
{
    step_list steps = {0};
    struct ability a = ability(b, g, proc, &steps);
    int everything = b->x->reduce == REDUCE_SRA;
    int diverges = !everything && a.open == 0 && a.moves > 0 && a.visible == 0;
    int stay = diverges, sleeping = 0;
    size_t before = b->choices.count;
    for (size_t i = 0; i < steps.count; i++) {
        const struct trans *t = &b->s->trans[steps.items[i].trans];
        if (t->action != ACT_RECV && !t->visible && !diverges && !everything)
            continue;
        stay |= t->visible;
        if (t->action == ACT_RECV && !moved && b->nsleep && asleep(b, g, steps.items[i]))
            sleeping++;
        else
            vec_push(&b->choices, steps.items[i]);
    }
    int any = sleeping > 0 || b->choices.count > before;
    if (any && (stay || step_potential_het(&b->x->run, g, proc))) {
        struct model_step epsilon = {-1, -1, -1, 0};
        vec_push(&b->choices, epsilon);
    }
    vec_free(&steps);
    return sleeping > 0 && b->choices.count == before ? -1 : 0;
}

/* The sleep set of the successor: of processes that did not move, what slept before and what they
 * could have received at the blocking point. */
static void keep_sleep(struct bsra *b, const struct gstate *g, struct succ *s)
{
    struct expander *x = b->x;
    s->sleep = (uint32_t)x->sleeps.count;
    for (size_t i = 0; i < b->nsleep; i += entry_size(b->s, b->sleep + i)) {
        if (has_moved(b->s, b->ordered.items, b->ordered.count, entry_proc(b->s, b->sleep + i)))
            continue;
        for (size_t k = 0; k < entry_size(b->s, b->sleep + i); k++)
            vec_push(&x->sleeps, b->sleep[i + k]);
    }
    for (int p = 0; p < b->s->nprocs; p++) {
        if (has_moved(b->s, b->chosen.items, b->chosen.count, p))
            continue;
        for (uint32_t i = b->first[p]; i < b->first[p + 1]; i++) {
            struct model_step st = b->choices.items[i];
            if (st.trans < 0 || st.queue < 0 || b->s->trans[st.trans].visible)
                continue;
            uint8_t entry[SYS_STATE_MAX];
            size_t n = sleep_entry(b, g, st, entry);
            for (size_t k = 0; k < n; k++)
                vec_push(&x->sleeps, entry[k]);
        }
    }
    s->nsleep = (uint32_t)x->sleeps.count - s->sleep;
}

/* Executes the chosen set at the blocking point: receives first, since a send to a pool would move
 * the messages in it. b->ordered becomes all steps from g on. */
static void take_edge(struct bsra *b, const struct node *n)
{
    struct gstate point, *w = &b->x->work;
    load(b, n, &point);
    load(b, n, w);
    b->ordered.count = 0;
    for (uint32_t i = 0; i < n->npath; i++)
        vec_push(&b->ordered, b->paths.items[n->path + i]);
    for (int sends = 0; sends < 2; sends++)
        for (size_t i = 0; i < b->chosen.count; i++) {
            struct model_step st = b->chosen.items[i];
            if (step_is_recv(b->s, st) == sends)
                continue;
            vec_push(&b->ordered, st);
            step_exec(&b->x->run, w, st);
            if (b->x->run.fault.kind) {
                expand_fault(b->x, b->ordered.items, b->ordered.count);
                return;
            }
            b->x->executed[st.trans] = 1;
        }
    expand_add(b->x, w, -1, b->ordered.items, b->ordered.count);
    if (b->x->reduce == REDUCE_BSRA_SLEEP)
        keep_sleep(b, &point, &b->x->succs.items[b->x->succs.count - 1]);
}

/* The cross product of the choices from process p on, with at most one visible transition. */
static void cross(struct bsra *b, const struct node *n, int p, int visible)
{
    while (p < b->s->nprocs && b->first[p] == b->first[p + 1])
        p++;
    if (p == b->s->nprocs) {
        if (b->chosen.count)
            take_edge(b, n);
        return;
    }
    b->x->too_many |= b->x->succs.count > EDGES_MAX;
    for (uint32_t i = b->first[p]; i < b->first[p + 1] && !b->x->too_many; i++) {
        struct model_step st = b->choices.items[i];
        int seen = st.trans >= 0 && b->s->trans[st.trans].visible;
        if (visible + seen > 1)
            continue;
        if (st.trans >= 0)
            vec_push(&b->chosen, st);
        cross(b, n, p + 1, visible + seen);
        if (st.trans >= 0)
            b->chosen.count--;
    }
}

static int has_moves(struct bsra *b, const struct gstate *g)
{
    step_list steps = {0};
    int moves = 0;
    for (int p = 0; p < b->s->nprocs && !moves; p++)
        moves = ability(b, g, p, &steps).moves;
    vec_free(&steps);
    return moves;
}

/* Step 2 of Generate_BSRGEdges for one blocking point. */
static void edges_of_point(struct bsra *b, const struct node *n)
{
    struct gstate g;
    load(b, n, &g);
    b->choices.count = b->chosen.count = 0;
    for (int p = 0; p < b->s->nprocs; p++) {
        b->first[p] = (uint32_t)b->choices.count;
        if (add_choices(b, &g, p, has_moved(b->s, b->paths.items + n->path, n->npath, p)))
            return;
    }
    b->first[b->s->nprocs] = (uint32_t)b->choices.count;
    if (b->choices.count == 0) {
        /* 2.2.1: the point itself, if it is the end; an edge from a state to itself is none */
        if (n->npath > 0 && !has_moves(b, &g)) {
            b->ordered.count = 0;
            take_edge(b, n);
        }
        return;
    }
    cross(b, n, 0, 0);
}

void bsra_expand(struct expander *x, const struct gstate *g, const uint8_t *sleep, size_t nsleep)
{
    struct bsra b = {.x = x, .s = x->run.s, .sleep = sleep, .nsleep = nsleep};
    step_list steps = {0};
    struct node_set points = {0};
    expand_reset(x);
    for (int p = 0; p < b.s->nprocs; p++) {
        struct ability a = ability(&b, g, p, &steps);
        x->enabled |= a.receives > 0 || a.moves > 0;
        if (a.receives || a.moves)
            x->busy[p >> 6] |= 1ull << (p & 63);
    }
    x->faults.count = 0; /* faults in guards are met again below */
    if (x->enabled && x->reduce == REDUCE_SRA)
        add_node(&b, &points, g, NULL, NULL);
    else if (x->enabled)
        next_blocking_points(&b, g, &points);
    for (size_t i = 0; i < points.count && !x->too_many; i++)
        edges_of_point(&b, &points.items[i]);
    node_free(&points);
    vec_free(&steps);
    vec_free(&b.bytes);
    vec_free(&b.paths);
    vec_free(&b.arrows);
    vec_free(&b.choices);
    vec_free(&b.chosen);
    vec_free(&b.ordered);
}
