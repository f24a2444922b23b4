/* See wakeup.h. insert walks down from the root: a child that is a weak initial of what is left of
 * the sequence is entered and its step taken out of the sequence; a leaf that is entered covers the
 * sequence; where no child fits, what is left becomes a new last branch.
 *
 * Values chosen by branches are nodes of their own below the step that asks; they fit only the same
 * value. */
#include "explore/dpor/wakeup.h"

#include "base/ensure.h"
#include "object/section.h"

enum { WHOLE = 16 }; /* steps: there is little below the end of such a sequence anyway */

int wakeup_init(struct wakeup *w, struct engine *e)
{
    w->room = 1u << 26;
    w->used = 1;
    w->memory = engine_memory(e);
    w->limits = e->limits;
    w->whole = e->grove ? WAKEUP_WHOLE_SHARED : WHOLE;
    w->nodes = arena_alloc(e->arena, (size_t)w->room * sizeof *w->nodes);
    w->of_step = arena_alloc(e->arena, e->trace->step_room * sizeof *w->of_step);
    w->acts = arena_alloc(e->arena, sizeof *w->acts);
    return w->nodes && w->of_step && w->acts ? 0 : -1;
}

/* Room for n more nodes? If not, what should be inserted is left out, and the search is not complete. */
static bool has_room(struct wakeup *w, uint32_t n)
{
    uint64_t nodes = (uint64_t)w->live + n, acts = (uint64_t)w->acts->count + n;
    if (nodes * sizeof *w->nodes + acts * sizeof(struct act) <= w->memory && nodes < w->room &&
        acts < ACTS_ROOM)
        return true;
    if (acts < ACTS_ROOM)
        limit_reached(w->limits, LIMIT_MEMORY, w->memory >> 10);
    else
        limit_reached(w->limits, LIMIT_OPERATIONS, ACTS_ROOM);
    return false;
}

static uint32_t new_node(struct wakeup *w, const struct rev_item *it)
{
    uint32_t n = w->free_list;
    if (n)
        w->free_list = w->nodes[n].next;
    else
        n = w->used++;
    ensure(n < w->room);
    w->live++;
    w->nodes[n] = (struct wakeup_node){.act = acts_number(w->acts, &it->act), .pick = it->pick,
                                       .branch = it->branch};
    return n;
}

static void free_node(struct wakeup *w, uint32_t n)
{
    ensure(n && n < w->used);
    ensure(w->live > 0);
    w->nodes[n].next = w->free_list;
    w->free_list = n;
    w->live--;
}

void wakeup_drop_all(struct wakeup *w, uint32_t *list)
{
    while (*list) {
        uint32_t n = *list;
        *list = w->nodes[n].next;
        wakeup_drop(w, &w->nodes[n].child);
        free_node(w, n);
    }
}

struct wakeup_step wakeup_take(struct wakeup *w, uint32_t *list, uint32_t *subtree)
{
    ensure(*list != 0);
    uint32_t n = *list;
    struct wakeup_step step = wakeup_step(w, n);
    *list = w->nodes[n].next;
    *subtree = w->nodes[n].child;
    free_node(w, n);
    return step;
}

bool wakeup_take_awake(struct wakeup *w, uint32_t *list, uint32_t *subtree, const struct tset *asleep,
                       struct wakeup_step *step)
{
    while (*list) {
        *step = wakeup_take(w, list, subtree);
        if (step->branch || !tset_has(asleep, step->pick))
            return true;
        wakeup_drop(w, subtree);
    }
    return false;
}

bool wakeup_take_value(struct wakeup *w, uint32_t *list, int value, uint32_t *subtree)
{
    while (*list && w->nodes[*list].pick != value)
        list = &w->nodes[*list].next;
    if (!*list)
        return false;
    wakeup_take(w, list, subtree);
    return true;
}

void wakeup_append(struct wakeup *w, uint32_t *list, struct act a, uint16_t pick, uint16_t branch)
{
    while (*list)
        list = &w->nodes[*list].next;
    if (has_room(w, 1))
        *list = new_node(w, &(struct rev_item){.act = a, .pick = pick, .branch = branch});
}

/* The values chosen within a step stand right behind it. */
#define NO_BRANCH WAKEUP_NONE
static uint32_t next_branch(const struct reversal *r, uint32_t i)
{
    return i + 1 < r->count && r->items[i + 1].branch && !r->items[i + 1].gone ? i + 1 : NO_BRANCH;
}

uint32_t wakeup_rest(struct reversal *r, const struct happens *h, uint32_t *branch, uint32_t *i)
{
    uint32_t k = *branch;
    if (k != NO_BRANCH) {
        *branch = next_branch(r, k);
        rev_take(r, h, k);
        return k;
    }
    while (*i < r->count && r->items[*i].gone)
        (*i)++;
    return *i < r->count ? (*i)++ : WAKEUP_NONE;
}

/* What is left of r as a chain at the end of the list. */
static void append_rest(struct wakeup *w, const struct happens *h, struct reversal *r,
                        uint32_t *list, uint32_t branch)
{
    uint32_t i = 0, k;
    while (*list)
        list = &w->nodes[*list].next;
    while ((k = wakeup_rest(r, h, &branch, &i)) != WAKEUP_NONE) {
        *list = new_node(w, &r->items[k]);
        list = &w->nodes[*list].child;
    }
}

/* The node is for the first value of the choices of r that come now. */
static bool take_first_values(const struct happens *h, struct reversal *r, uint32_t *branch,
                              uint32_t *settled)
{
    while (*branch != NO_BRANCH && r->items[*branch].pick == 0) {
        rev_take(r, h, *branch);
        *branch = next_branch(r, *branch);
        *settled = HB_NONE;
    }
    return *branch == NO_BRANCH;
}

/* The step of r that a child stands for is entered with it. */
static inline void take_step(struct reversal *r, const struct happens *h, uint32_t item, uint32_t *branch,
                             uint32_t *settled)
{
    uint32_t stable = rev_stable(r, h, item);
    rev_take(r, h, item);
    *branch = next_branch(r, item);
    *settled = stable > *settled ? stable : *settled;
}

/* The first child of the list that fits what is left of r; 0 if none. *branch: the choice of r that
 * has to follow. */
static inline __attribute__((always_inline)) uint32_t
fitting_child(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t list,
              uint32_t *branch, uint32_t *settled)
{
    bool plain = *branch == NO_BRANCH;
    for (uint32_t n = list; n; n = w->nodes[n].next) {
        const struct wakeup_node *node = &w->nodes[n];
        int index;
        __builtin_prefetch(&w->nodes[node->child]); /* trees can be larger than the caches */
        if (plain && !node->branch && rev_begins_with(r, node->pick)) { /* by far the most frequent */
            take_step(r, h, r->start, branch, settled);
            return n;
        }
        if (*branch != NO_BRANCH && node->branch) {
            if (node->pick != r->items[*branch].pick)
                continue;
            rev_take(r, h, *branch);
            *branch = next_branch(r, *branch);
            *settled = HB_NONE;
            return n;
        }
        if (w->first_value && !node->branch && !take_first_values(h, r, branch, settled))
            continue;
        if (node->branch) { /* a choice of a step that r does not have: any value will do */
            *settled = HB_NONE;
            return n;
        }
        if (!rev_weak_initial(r, h, &w->acts->items[node->act], &index))
            continue;
        if (index >= 0)
            take_step(r, h, (uint32_t)index, branch, settled);
        else
            *settled = HB_NONE;
        return n;
    }
    return 0;
}

/* Does a node of the way from this level on surely wake it? Of a section that was never performed there is
 * not known what it touches. */
static bool surely_woken(const struct wakeup *w, const struct reversal *r, uint32_t level,
                         const struct act *sleeper)
{
    if (section_unknown(sleeper))
        return false;
    for (; level < r->way_count; level++) {
        const struct wakeup_node *n = &w->nodes[r->way[level]];
        const struct act *a = &w->acts->items[n->act];
        if (!n->branch && a->thread != sleeper->thread && !section_unknown(a) && act_wakes(sleeper, a))
            return true;
    }
    return false;
}

/* A leaf stands for all that can follow because nothing sleeps there any more: the executions below
 * it find each other. Where someone may still sleep, some of them would be given up, and what they
 * would have found is found by those who perform the sleeper first; these insert it here, above the
 * leaf. So it must not be taken for covered by the leaf, but is put below it. Sleepers are those of the
 * root, the step under way there, and elder branches of the way: all perform what they do before. */
static bool ends_open(const struct wakeup *w, const struct reversal *r, uint32_t root,
                      const struct wakeup_sleepers *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!surely_woken(w, r, 0, &s->acts[i]))
            return true;
    if (s->own && !surely_woken(w, r, 0, s->own))
        return true;
    for (uint32_t level = 0, n = root; level < r->way_count; n = w->nodes[r->way[level++]].child)
        for (; n != r->way[level]; n = w->nodes[n].next)
            if (!w->nodes[n].branch && !surely_woken(w, r, level, &w->acts->items[w->nodes[n].act]))
                return true;
    return false;
}

/* With atomic sections: is what is left of the sequence to be put below the node the way has come to? */
static bool goes_below(const struct wakeup *w, struct reversal *r, uint32_t n, uint32_t root,
                       const struct wakeup_sleepers *s, uint32_t *settled)
{
    r->way[r->way_count++] = n;
    bool open = w->nodes[n].child || ends_open(w, r, root, s);
    r->way_count--;
    if (open)
        *settled = HB_NONE; /* what more the execution shows may have to go below */
    return open;
}

/* wakeup_place; `sections`: the program has atomic sections. */
static inline __attribute__((always_inline)) uint32_t *
place(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t *list,
      const struct wakeup_sleepers *s, uint32_t *branch, uint32_t *settled, uint32_t *under,
      const bool sections)
{
    uint32_t *root = list;
    while (*list) {
        uint32_t n = fitting_child(w, h, r, *list, branch, settled);
        if (!n)
            break;
        bool below = sections ? goes_below(w, r, n, *root, s, settled) : w->nodes[n].child != 0;
        if (!below || !r->left)
            return NULL;
        *under = r->way[r->way_count++] = n;
        list = &w->nodes[n].child;
    }
    return list;
}

static __attribute__((noinline, cold)) uint32_t *
place_with_sections(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t *list,
                    const struct wakeup_sleepers *s, uint32_t *branch, uint32_t *settled, uint32_t *under)
{
    return place(w, h, r, list, s, branch, settled, under, true);
}

__attribute__((flatten)) uint32_t *
wakeup_place(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t *list,
             const struct wakeup_sleepers *s, uint32_t *branch, uint32_t *settled, uint32_t *under)
{
    ensure(r->count > 0);
    *branch = r->items[0].branch ? 0 : NO_BRANCH;
    *settled = 0;
    *under = r->way_count = 0;
    if (r->left != r->count)
        rev_restore(r, h);
    if (__builtin_expect(h->sections != NULL, 0))
        return place_with_sections(w, h, r, list, s, branch, settled, under);
    return place(w, h, r, list, s, branch, settled, under, false);
}

/* All that lies before the way, or at its end, will sleep when this is explored. */
void wakeup_shorten(const struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t root,
                    const struct wakeup_sleepers *s)
{
    if (r->arrivals || r->left <= w->whole)
        return;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->items[i].branch)
            return;
    rev_keep_aim(r);
    for (uint32_t i = 0; i < s->count; i++)
        rev_keep_waker(r, &s->acts[i]);
    if (s->own)
        rev_keep_waker(r, s->own);
    for (uint32_t level = 0, n = root; level <= r->way_count; level++) {
        uint32_t entered = level < r->way_count ? r->way[level] : 0;
        for (; n != entered; n = w->nodes[n].next)
            if (!w->nodes[n].branch)
                rev_keep_waker(r, &w->acts->items[w->nodes[n].act]);
        n = entered ? w->nodes[entered].child : 0;
    }
    rev_shorten(r, h);
}

bool wakeup_insert(struct wakeup *w, const struct happens *h, struct reversal *r, uint32_t *root,
                   const struct wakeup_sleepers *s, uint32_t *settled)
{
    uint32_t branch, under, *list = wakeup_place(w, h, r, root, s, &branch, settled, &under);
    if (list && !has_room(w, r->count)) {
        *settled = HB_NONE;
        return false;
    }
    if (list) {
        wakeup_shorten(w, h, r, *root, s);
        append_rest(w, h, r, list, branch);
    }
    return list != NULL;
}

void wakeup_put(const struct wakeup *w, uint32_t list, struct work *out)
{
    for (uint32_t n = list; n; n = w->nodes[n].next) {
        work_put(out, 1);
        work_put_act(out, &w->acts->items[w->nodes[n].act]);
        work_put(out, w->nodes[n].pick);
        work_put(out, w->nodes[n].branch);
        wakeup_put(w, w->nodes[n].child, out);
    }
    work_put(out, 0);
}

void wakeup_get(struct wakeup *w, uint32_t *list, struct work *in)
{
    wakeup_drop(w, list);
    while (work_get(in) && !in->failed) {
        struct rev_item it = {.act = work_get_act(in)};
        it.pick = (uint16_t)work_get(in);
        it.branch = (uint16_t)work_get(in);
        *list = new_node(w, &it);
        wakeup_get(w, &w->nodes[*list].child, in);
        list = &w->nodes[*list].next;
    }
}
