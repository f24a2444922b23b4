/* See grove.h: taking leaves, splitting them, and what is left when a worker dies.
 *
 * Whoever finishes a leaf takes the next one from its own surroundings, the deepest state of its path
 * first, as one worker alone would: then the next execution shares most of its steps with the last.
 * Who has been waiting for work looks from the root, shallow leaves first. */
#include "explore/share/grove_impl.h"

#include "base/ensure.h"


/* ---- finding a leaf ---- */

static uint32_t find_below(const struct grove *g, uint32_t parent);

/* Is it known what the step performs, for whoever takes the next leaf? Of the leaves that one worker takes
 * together it has been in the earlier ones when it comes to the later. */
static bool known_then(const struct grove_more *m)
{
    return is_confirmed(m) || m->flags & GROVE_MINE;
}

/* Can a worker go this way? Not through a step that another is about to perform for the first time:
 * it may turn out to lead elsewhere. */
static bool passable(const struct grove_more *m)
{
    return !(m->flags & GROVE_IDLE) && (known_then(m) || !(m->flags & GROVE_CLAIMED));
}

/* A leaf among the branches from n on or below them, whose elders are all known. Leaves first. */
static uint32_t find_among(const struct grove *g, uint32_t n, bool *waits)
{
    uint32_t end = 0;
    for (uint32_t k = n; k; k = node_at(g, k)->next) {
        const struct grove_more *m = more_at(g, k);
        *waits |= m->state == GROVE_WAITING;
        if (m->state == GROVE_WAITING && !end)
            return k;
        if (!known_then(m) && !end)
            end = k;
    }
    bool known = true;
    for (uint32_t k = n; k; k = node_at(g, k)->next) {
        struct grove_more *m = more_at(g, k);
        bool inner = m->state == GROVE_INNER || m->state == GROVE_SPLIT;
        uint32_t found = inner && known && passable(m) ? find_below(g, k) : 0;
        if (found)
            return found;
        *waits |= inner && !(m->flags & GROVE_IDLE); /* also what can be taken later only */
        known &= k != end;
    }
    return 0;
}

static uint32_t find_below(const struct grove *g, uint32_t parent)
{
    bool waits = false;
    uint32_t found = find_among(g, *branches_of(g, parent), &waits);
    if (!found && !waits)
        more_at(g, parent)->flags |= GROVE_IDLE;
    return found;
}

/* From the deepest state of the path to `leaf` on, what comes after it there. */
static uint32_t find_near(const struct grove *g, uint32_t leaf)
{
    bool waits = false;
    for (uint32_t n = leaf; n != GROVE_TOP; n = more_at(g, n)->parent) {
        if (!node_at(g, n)->next || !known_then(more_at(g, n)))
            continue;
        uint32_t found = find_among(g, node_at(g, n)->next, &waits);
        if (found)
            return found;
    }
    return 0;
}

static void claim(struct grove *g, uint32_t leaf, int member)
{
    ensure(leaf && leaf < g->used);
    ensure(member >= 0 && member < GROVE_MEMBERS);
    struct grove_more *m = more_at(g, leaf);
    m->member = (uint8_t)member;
    m->state = GROVE_OUT;
    g->waiting--;
    g->taken++;
    for (uint32_t n = leaf; n != GROVE_TOP; n = more_at(g, n)->parent)
        if (!is_confirmed(more_at(g, n)))
            more_at(g, n)->flags |= GROVE_CLAIMED;
}

static void give_back(struct grove *g, uint32_t leaf)
{
    ensure(leaf && leaf < g->used);
    more_at(g, leaf)->state = GROVE_WAITING;
    for (uint32_t n = leaf; n != GROVE_TOP; n = more_at(g, n)->parent)
        more_at(g, n)->flags &= (uint8_t) ~(GROVE_CLAIMED | GROVE_IDLE);
}

/* ---- going on ---- */

/* Does another worker have something below n? */
static bool others_below(const struct grove *g, uint32_t list, uint32_t own)
{
    for (uint32_t n = list; n; n = node_at(g, n)->next)
        if ((more_at(g, n)->state == GROVE_OUT && n != own) ||
            others_below(g, *branches_of(g, n), own))
            return true;
    return false;
}

/* What others have there is searched twice. Nobody waits for what the rest of the path performs. */
static void stay(struct grove *g, struct grove_intent *i)
{
    for (uint32_t n = i->leaving; n != i->at && n != GROVE_TOP; n = more_at(g, n)->parent) {
        if (!(more_at(g, n)->flags & GROVE_EXECUTED))
            more_at(g, n)->performed = *expected_at(g, n);
        more_at(g, n)->flags |= GROVE_EXECUTED;
    }
    i->at = i->leaving;
    g->overlaps++;
}

/* `at`, an inner node, is the leaf that this worker is in. */
static void shorten(struct grove *g, struct grove_intent *i)
{
    struct grove_more *m = more_at(g, i->at);
    if (i->at == i->leaving)
        return;
    if (m->state != GROVE_INNER || others_below(g, node_at(g, i->at)->child, i->leaving)) {
        stay(g, i);
        return;
    }
    i->dropped = node_at(g, i->at)->child;
    m->state = GROVE_OUT;
    m->member = more_at(g, i->leaving)->member;
    m->first = m->open = 0;
    node_at(g, i->at)->child = 0;
}

/* Under the lock. */
static struct grove_intent *intend(struct grove *g, int member, uint32_t leaving, uint32_t at)
{
    ensure(member >= 0 && member < GROVE_MEMBERS);
    struct grove_intent *i = &g->intents[member];
    *i = (struct grove_intent){.leaving = leaving, .at = at};
    atomic_signal_fence(memory_order_seq_cst);
    i->under_way = 1;
    return i;
}

static struct grove_intent *begin(struct grove *g, const struct grove_moves *m)
{
    grove_lock(g, m->member);
    struct grove_intent *i = intend(g, m->member, m->leaving, m->at);
    if (m->leaving)
        shorten(g, i);
    return i;
}

static void finish(struct grove *g, struct grove_intent *i)
{
    grove_drop(g, &i->dropped);
    i->under_way = 0;
    grove_unlock(g);
}

void grove_leaf_done(struct grove *g, uint32_t leaf, uint64_t runs)
{
    ensure(leaf && leaf < g->used);
    struct grove_more *m = more_at(g, leaf);
    if (m->state != GROVE_OUT)
        return;
    m->runs += runs;
    m->state = GROVE_DONE;
    grove_completed(g, m->parent);
}

static uint32_t find(const struct grove *g, uint32_t near)
{
    uint32_t leaf = near ? find_near(g, near) : 0;
    return leaf ? leaf : find_below(g, GROVE_TOP);
}

uint32_t grove_take(struct grove *g, uint32_t near)
{
    uint32_t leaf = find(g, near);
    if (leaf)
        claim(g, leaf, 0);
    for (uint32_t n = leaf; n && n != GROVE_TOP && !(more_at(g, n)->flags & GROVE_MINE);
         n = more_at(g, n)->parent)
        more_at(g, n)->flags |= GROVE_MINE;
    return leaf;
}

void grove_taken(struct grove *g, uint32_t leaf)
{
    for (uint32_t n = leaf; n != GROVE_TOP && more_at(g, n)->flags & GROVE_MINE; n = more_at(g, n)->parent)
        more_at(g, n)->flags &= (uint8_t)~GROVE_MINE;
}

void grove_return(struct grove *g, uint32_t leaf)
{
    give_back(g, leaf);
    g->waiting++;
}

uint32_t grove_shorten(struct grove *g, uint32_t leaf, uint32_t at)
{
    struct grove_intent i = {.leaving = leaf, .at = at};
    shorten(g, &i);
    grove_drop(g, &i.dropped);
    return i.at;
}

uint32_t grove_next(struct grove *g, const struct grove_moves *m)
{
    struct grove_intent *i = begin(g, m);
    i->taking = find(g, i->at);
    if (i->taking)
        claim(g, i->taking, m->member);
    if (i->taking || i->leaving)
        m->commit(m->ctx, i->taking);
    if (i->leaving)
        grove_leaf_done(g, i->at, m->runs);
    uint32_t taken = i->taking;
    if (++g->since_sweep >= 16 || !taken) {
        g->since_sweep = 0;
        grove_sweep(g);
    }
    finish(g, i);
    return taken;
}

void grove_move(struct grove *g, const struct grove_moves *m)
{
    struct grove_intent *i = begin(g, m);
    i->taking = i->at;
    m->commit(m->ctx, i->at);
    finish(g, i);
}

bool grove_wants_split(const struct grove *g)
{
    return atomic_load_explicit(&g->hungry, memory_order_relaxed) && !g->waiting;
}

void grove_hungry(struct grove *g, int member, bool is)
{
    ensure(member >= 0 && member < GROVE_MEMBERS);
    if (is)
        atomic_fetch_or(&g->hungry, 1ull << member);
    else
        atomic_fetch_and(&g->hungry, ~(1ull << member));
}

/* ---- splitting ---- */

/* A list of the worker's own trees as branches of `parent`. */
static uint32_t copy_list(struct grove *g, const struct wakeup *trees, uint32_t from, uint32_t parent,
                          uint32_t *count)
{
    uint32_t first = 0, last = 0;
    for (uint32_t k = from; k; k = trees->nodes[k].next) {
        const struct wakeup_node *node = &trees->nodes[k];
        struct wakeup_step like = wakeup_step(trees, k);
        uint32_t n = grove_new(g, &like, parent, node->child ? GROVE_INNER : GROVE_WAITING, 0), below = 0;
        if (node->child) {
            uint32_t child = copy_list(g, trees, node->child, n, &below);
            node_at(g, n)->child = child;
            more_at(g, n)->open = below;
        } else {
            g->waiting++;
        }
        if (last)
            node_at(g, last)->next = n;
        else
            first = n;
        last = n;
        (*count)++;
    }
    return first;
}

/* What slept in the state, as elder branches; then the branch taken. Returns the latter. */
static uint32_t copy_state(struct grove *g, const struct grove_split *s, uint32_t step,
                           uint32_t parent, uint32_t *list)
{
    uint32_t count;
    bool performed;
    const struct act *acts = s->asleep(s->ctx, step, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct wakeup_step like = {.act = acts[i], .pick = acts[i].thread};
        *list = grove_new(g, &like, parent, GROVE_DONE, GROVE_CERTAIN);
        list = &node_at(g, *list)->next;
    }
    struct wakeup_step own = s->taken(s->ctx, step, &performed);
    *list = grove_new(g, &own, parent, GROVE_SPLIT, performed || own.branch ? GROVE_EXECUTED : GROVE_CLAIMED);
    more_at(g, *list)->performed = own.act;
    more_at(g, *list)->open = 1;
    return *list;
}

/* Built aside, then linked. */
void grove_split_locked(struct grove *g, const struct grove_split *s)
{
    ensure(s->path->count <= s->last);
    struct grove_path *p = s->path;
    uint32_t leaf = p->leaf, parent = leaf, list = 0, own = 0, more = 0;
    struct grove_intent *i = intend(g, s->member, leaf, leaf);
    i->splitting = 1;
    for (uint32_t step = p->count; step <= s->last; step++) {
        uint32_t *to = parent == leaf ? &list : &more_at(g, parent)->below;
        own = copy_state(g, s, step, parent, to);
        if (parent != leaf)
            more_at(g, parent)->flags |= GROVE_EXACT;
        p->nodes[step] = own;
        parent = own;
    }
    struct grove_more *at = more_at(g, own);
    at->state = GROVE_OUT;
    at->open = 0;
    at->member = (uint8_t)s->member;
    node_at(g, own)->next = copy_list(g, s->trees, s->waiting, at->parent, &more);
    if (at->parent != leaf)
        more_at(g, at->parent)->open += more;
    i->taking = own;
    more_at(g, leaf)->below = list;
    more_at(g, leaf)->open = at->parent == leaf ? more + 1 : 1;
    more_at(g, leaf)->first = 0;
    more_at(g, leaf)->flags = (uint8_t)((more_at(g, leaf)->flags | GROVE_EXACT) & ~GROVE_IDLE);
    more_at(g, leaf)->state = GROVE_SPLIT;
    for (uint32_t n = leaf; n != GROVE_TOP; n = more_at(g, n)->parent)
        more_at(g, n)->flags &= (uint8_t)~GROVE_IDLE;
    p->count = s->last + 1;
    p->leaf = own;
    g->splits++;
    s->commit(s->commit_ctx, own);
    i->under_way = 0;
}

void grove_split(struct grove *g, const struct grove_split *s)
{
    grove_lock(g, s->member);
    grove_split_locked(g, s);
    grove_unlock(g);
}

/* ---- deaths ---- */

/* The checkpoint did not become valid: as it was before. */
static void undo(struct grove *g, struct grove_intent *i)
{
    if (i->splitting) {
        more_at(g, i->leaving)->state = GROVE_OUT;
        more_at(g, i->leaving)->flags &= (uint8_t)~GROVE_EXACT;
        grove_drop(g, &more_at(g, i->leaving)->below);
        return;
    }
    if (i->taking && i->taking != i->at && more_at(g, i->taking)->state == GROVE_OUT)
        give_back(g, i->taking);
    if (i->dropped) {
        more_at(g, i->at)->state = GROVE_INNER;
        node_at(g, i->at)->child = i->dropped;
    }
}

void grove_died(struct grove *g, int member, uint32_t leaf, bool (*dead)(void *ctx, int member),
                void *ctx)
{
    ensure(member >= 0 && member < GROVE_MEMBERS);
    struct grove_intent *i = &g->intents[member];
    grove_hungry(g, member, false);
    while (atomic_load(&g->lock) != (uint32_t)member + 1 && !grove_try_lock(g, member)) {
        uint32_t holder = atomic_load(&g->lock);
        if (holder && dead(ctx, (int)holder - 1)) /* it will be seen to */
            break;
    }
    if (i->under_way && leaf != i->taking)
        undo(g, i);
    else if (i->under_way && i->leaving && !i->splitting && i->at != leaf &&
             more_at(g, i->at)->state == GROVE_OUT)
        more_at(g, i->at)->state = GROVE_DONE;
    i->under_way = 0;
    grove_repair(g);
    if (atomic_load(&g->lock) == (uint32_t)member + 1)
        grove_unlock(g);
}
