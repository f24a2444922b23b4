/* See grove.h: nodes, the lock, a worker's path, looking and inserting. */
#include "explore/share/grove_impl.h"

#include "base/ensure.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the lock ---- */

bool grove_try_lock(struct grove *g, int member)
{
    for (int tries = 0; tries < 256; tries++) {
        uint32_t free = 0;
        if (atomic_compare_exchange_weak(&g->lock, &free, (uint32_t)member + 1))
            return true;
        __builtin_ia32_pause();
    }
    syscall(SYS_sched_yield);
    return false;
}

/* It is held for a microsecond; if its owner dies, grove_died gives it back. */
void grove_lock(struct grove *g, int member)
{
    ensure(member >= 0 && member <= GROVE_MEMBERS);
    while (!grove_try_lock(g, member))
        ;
}

void grove_unlock(struct grove *g)
{
    atomic_store_explicit(&g->lock, 0, memory_order_release);
}

void grove_release(struct grove *g, int member)
{
    uint32_t held = (uint32_t)member + 1;
    atomic_compare_exchange_strong(&g->lock, &held, 0);
}

/* ---- nodes ---- */

uint32_t grove_new(struct grove *g, const struct wakeup_step *like, uint32_t parent,
                   enum grove_state state, unsigned flags)
{
    uint32_t n = g->free_list;
    if (n)
        g->free_list = node_at(g, n)->next;
    else
        n = g->used++;
    ensure(n < GROVE_ROOM);
    g->live++;
    *node_at(g, n) = (struct wakeup_node){.act = acts_number(acts_of(g), &like->act),
                                          .pick = like->pick, .branch = like->branch};
    *more_at(g, n) = (struct grove_more){.parent = parent, .depth = more_at(g, parent)->depth + 1,
                                         .state = (uint8_t)state, .flags = (uint8_t)flags};
    g->deepest = more_at(g, n)->depth > g->deepest ? more_at(g, n)->depth : g->deepest;
    return n;
}

void grove_link(uint32_t *list, uint32_t node)
{
    __atomic_store_n(list, node, __ATOMIC_RELEASE);
}

void grove_drop(struct grove *g, uint32_t *list)
{
    uint32_t n = *list;
    *list = 0;
    while (n) {
        uint32_t next = node_at(g, n)->next;
        grove_drop(g, &node_at(g, n)->child);
        grove_drop(g, &more_at(g, n)->below);
        g->waiting -= more_at(g, n)->state == GROVE_WAITING;
        node_at(g, n)->next = g->free_list;
        g->free_list = n;
        g->live--;
        n = next;
    }
}

void grove_init(struct grove *g, uint64_t memory)
{
    ensure(memory > 0);
    struct wakeup_step none = {0};
    uint64_t nodes = memory / (sizeof(struct wakeup_node) + sizeof(struct grove_more));
    *g = (struct grove){.used = GROVE_TOP};
    acts_of(g)->count = acts_of(g)->used = 0;
    g->limit = nodes < GROVE_ROOM - GROVE_SPARE ? (uint32_t)nodes : GROVE_ROOM - GROVE_SPARE;
    grove_new(g, &none, 0, GROVE_INNER, 0);
    grove_new(g, &none, GROVE_TOP, GROVE_WAITING, GROVE_EXECUTED);
    node_at(g, GROVE_TOP)->child = GROVE_ROOT;
    more_at(g, GROVE_TOP)->open = 1;
    more_at(g, GROVE_TOP)->depth = more_at(g, GROVE_ROOT)->depth = 0;
    g->waiting = 1;
}

bool grove_has_room(const struct grove *g, uint32_t n)
{
    return (uint64_t)g->live + n < g->limit && (uint64_t)acts_of(g)->count + n < ACTS_ROOM - GROVE_SPARE / 2;
}

bool grove_full(const struct grove *g)
{
    return g->full;
}

bool grove_finished(const struct grove *g)
{
    return is_complete(more_at(g, GROVE_TOP));
}

struct grove_stats grove_stats(const struct grove *g)
{
    return (struct grove_stats){g->taken, g->splits, g->inserted, g->overlaps, g->live};
}

void grove_item(struct work *out, uint32_t leaf)
{
    work_begin(out, WORK_ITEM);
    work_put_wide(out, leaf);
    work_put(out, 0); /* no steps */
    work_put(out, 0);
}

bool grove_is_whole(const struct work *item)
{
    struct work w = *item;
    return work_open(&w) == WORK_ITEM && work_get(&w) == GROVE_WHOLE && work_get(&w) == 0; /* no steps yet */
}

/* ---- a worker's path ---- */

struct wakeup_step grove_step(const struct grove *g, uint32_t node)
{
    ensure(node && node < g->used);
    const struct wakeup_node *n = node_at(g, node);
    return (struct wakeup_step){*expected_at(g, node), n->pick, n->branch};
}

uint32_t grove_path(const struct grove *g, struct grove_path *p, uint32_t leaf)
{
    uint32_t old = p->count, step = more_at(g, leaf)->depth, common;
    p->leaf = p->told = leaf;
    p->count = step;
    p->nothing = p->unsaid = false;
    for (uint32_t n = leaf; step > 0; n = more_at(g, n)->parent) {
        step--;
        if (step < old && p->nodes[step] == n)
            break;
        p->nodes[step] = n;
        if (step == 0) {
            p->executed = 0;
            return 0;
        }
    }
    common = p->count ? step + 1 : 0;
    p->executed = p->executed < common ? p->executed : common;
    return common;
}

/* A choice that others have not heard of yet (grove_foresee_choice) has no node: the one above it. */
static uint32_t above(const struct grove_path *p, uint32_t step)
{
    while (step && !p->nodes[step - 1])
        step--;
    return step ? p->nodes[step - 1] : GROVE_ROOT;
}

static const struct act *act_at(const struct grove *g, uint32_t n)
{
    const struct grove_more *m = more_at(g, n);
    return m->flags & (GROVE_EXECUTED | GROVE_SEEN) ? &m->performed : expected_at(g, n);
}

/* A value chosen is not an operation that could sleep, nor is what was not performed. */
void grove_elders(const struct grove *g, const struct grove_path *p, struct sleep *s, uint32_t step)
{
    uint32_t parent = above(p, step);
    if (more_at(g, parent)->flags & GROVE_EXACT)
        sleep_place(s, step);
    if (!p->nodes[step])
        return;
    for (uint32_t n = *branches_of(g, parent); n && n != p->nodes[step]; n = node_at(g, n)->next)
        if (!node_at(g, n)->branch && act_at(g, n)->kind)
            sleep_add(s, step, act_at(g, n));
}

bool grove_known(const struct grove *g, const struct grove_path *p, uint32_t step)
{
    if (!p->nodes[step])
        return false;
    for (uint32_t n = *branches_of(g, above(p, step)); n; n = node_at(g, n)->next) {
        if (node_at(g, n)->branch && (more_at(g, n)->flags & (GROVE_EXECUTED | GROVE_SEEN)))
            return true;
        if (n == p->nodes[step])
            break;
    }
    return false;
}

void grove_cut(const struct grove *g, struct grove_path *p, uint32_t step)
{
    ensure(step < p->count);
    while (step && !p->nodes[step - 1])
        step--;
    p->count = step;
    p->leaf = step ? p->nodes[step - 1] : GROVE_ROOT;
    p->executed = p->executed < step ? p->executed : step;
}

/* The branches of the state above n are now one step further down. */
static void move_down(struct grove *g, uint32_t list, uint32_t parent)
{
    ensure(parent && parent < g->used);
    for (uint32_t n = list; n; n = node_at(g, n)->next) {
        more_at(g, n)->parent = parent;
        more_at(g, n)->depth = more_at(g, parent)->depth + 1;
        move_down(g, *branches_of(g, n), n);
    }
}

/* Of the branches of n those that are not values of a choice go to another list. */
static uint32_t take_others(struct grove *g, uint32_t n, uint32_t *values, uint32_t *count)
{
    uint32_t others = 0, *to = &others;
    *values = *count = 0;
    for (uint32_t k = node_at(g, n)->child, next; k; k = next) {
        uint32_t **end = node_at(g, k)->branch ? &values : &to;
        next = node_at(g, k)->next;
        **end = k;
        *end = &node_at(g, k)->next;
        *count += !node_at(g, k)->branch;
    }
    *to = *values = 0;
    return others;
}

/* Nobody else is below a state that was not seen before. */
static bool can_put(const struct grove *g, uint32_t at, uint32_t branch)
{
    const struct grove_more *m = more_at(g, at);
    return !node_at(g, branch)->branch && m->state == GROVE_INNER && !is_confirmed(m);
}

uint32_t grove_put_value(struct grove *g, uint32_t branch, int values, int first)
{
    uint32_t at = more_at(g, branch)->parent;
    struct grove_more *m = more_at(g, at);
    struct wakeup_step choice = {.act.role = ROLE_NONE, .pick = (uint16_t)first,
                                 .branch = (uint16_t)values};
    if (!can_put(g, at, branch))
        return 0;
    uint32_t n = grove_new(g, &choice, at, GROVE_INNER, GROVE_CLAIMED), count;
    node_at(g, n)->child = take_others(g, at, &node_at(g, n)->next, &count);
    more_at(g, n)->open = count;
    m->open -= count - 1;
    m->first = 0;
    grove_link(&node_at(g, at)->child, n);
    move_down(g, node_at(g, n)->child, n);
    return n;
}

static void shift(struct grove_path *p, uint32_t step, uint32_t node)
{
    for (uint32_t i = p->count++; i > step; i--)
        p->nodes[i] = p->nodes[i - 1];
    p->nodes[step] = node;
}

bool grove_put_choice(struct grove *g, int member, struct grove_path *p, uint32_t step, int values,
                      int first)
{
    ensure(step < p->count);
    ensure(values > 0);
    grove_lock(g, member);
    uint32_t n = grove_put_value(g, p->nodes[step], values, first);
    grove_unlock(g);
    if (n)
        shift(p, step, n);
    return n != 0;
}

bool grove_foresee_choice(const struct grove *g, struct grove_path *p, uint32_t step)
{
    ensure(step < p->count);
    bool after_another = step && !p->nodes[step - 1];
    if (!p->nodes[step] || (!after_another && !can_put(g, above(p, step), p->nodes[step])) ||
        node_at(g, p->nodes[step])->branch)
        return false;
    shift(p, step, 0);
    return true;
}

static bool same_act(const struct act *a, const struct act *b)
{
    return a->object == b->object && a->object2 == b->object2 && a->thread == b->thread &&
           a->role == b->role && a->size == b->size;
}

/* Nothing to be told of what was certain. */
static bool all_told(const struct grove *g, const struct grove_path *p, uint32_t end)
{
    for (uint32_t step = p->executed; step < end; step++)
        if (!is_confirmed(more_at(g, p->nodes[step])))
            return false;
    return true;
}

bool grove_confirm_one(struct grove *g, uint32_t n, const struct act *a)
{
    struct grove_more *m = more_at(g, n);
    bool right = !(m->flags & GROVE_CERTAIN) || same_act(a, expected_at(g, n));
    if (!(m->flags & GROVE_EXECUTED)) {
        m->performed = *a;
        m->flags = (uint8_t)((m->flags | GROVE_EXECUTED) & ~GROVE_CLAIMED);
    }
    return right;
}

struct act grove_performed(const struct grove *g, const struct grove_path *p, const struct happens *h,
                           uint32_t step)
{
    ensure(step < p->count);
    uint32_t k = h->of_step[step];
    if (p->nothing && step + 1 == p->count)
        return (struct act){.thread = (uint8_t)node_at(g, p->nodes[step])->pick, .role = ROLE_NONE};
    if (k != HB_NONE)
        return h->entries[k].act;
    return p->nodes[step] ? *act_at(g, p->nodes[step]) : (struct act){.role = ROLE_NONE};
}

bool grove_see(struct grove *g, uint32_t n, const struct act *a, bool locked)
{
    if (!n)
        return true;
    struct grove_more *m = more_at(g, n);
    bool right = !is_confirmed(m) || node_at(g, n)->branch || same_act(a, act_at(g, n));
    if (locked && !(m->flags & (GROVE_EXECUTED | GROVE_SEEN))) {
        m->performed = *a;
        m->flags |= GROVE_SEEN;
    }
    return right;
}

bool grove_confirm(struct grove *g, int member, struct grove_path *p, const struct happens *h,
                   uint32_t end)
{
    ensure(end <= p->count);
    bool right = true, locked = !all_told(g, p, end);
    if (locked)
        grove_lock(g, member);
    for (uint32_t step = p->executed; step < end; step++) {
        struct act a = grove_performed(g, p, h, step);
        uint32_t n = p->nodes[step];
        if (locked)
            right &= grove_confirm_one(g, n, &a);
        else
            right &= same_act(&a, act_at(g, n)) || node_at(g, n)->branch;
    }
    if (locked)
        grove_unlock(g);
    p->executed = end;
    return right;
}

/* ---- inserting ---- */

/* An event that stood in an execution performs the same again, unless its role depends on more than
 * what happened before it; of a reversed one only what has no other way. */
bool grove_certain(const struct rev_item *it)
{
    const struct act *a = &it->act;
    if (it->branch || a->object2)
        return false;
    return operation_is(a->kind, OP_CERTAIN) ||
           (it->entry != HB_NONE && operation_is(a->kind, OP_CERTAIN_DONE));
}

static uint32_t new_item(struct grove *g, const struct rev_item *it, uint32_t parent, bool certain)
{
    ensure(parent && parent < g->used);
    struct wakeup_step like = {.act = it->act, .pick = it->pick, .branch = it->branch};
    return grove_new(g, &like, parent, GROVE_INNER, certain ? GROVE_CERTAIN : 0);
}

static void append(struct grove *g, const struct happens *h, struct reversal *r, uint32_t *list,
                   uint32_t parent, uint32_t branch)
{
    uint32_t first = 0, last = parent, i = 0, k;
    while (*list)
        list = &node_at(g, *list)->next;
    while ((k = wakeup_rest(r, h, &branch, &i)) != WAKEUP_NONE) {
        const struct rev_item *it = &r->items[k];
        uint32_t n = new_item(g, it, last, r->fed ? it->certain : grove_certain(it));
        if (first) {
            node_at(g, last)->child = n;
            more_at(g, last)->open = 1;
        } else {
            first = n;
        }
        last = n;
    }
    more_at(g, last)->state = GROVE_WAITING;
    g->waiting++;
    g->inserted++;
    grove_link(list, first);
    grove_opened(g, parent);
}

bool grove_covers(const struct grove *g, const struct grove_path *p, const struct happens *h,
                  struct reversal *r, uint32_t step, uint32_t *settled)
{
    ensure(step < p->count);
    struct wakeup trees = {.nodes = nodes_of(g), .acts = acts_of(g), .first_value = true};
    uint32_t *root = &node_at(g, p->nodes[step])->next, branch, under;
    return p->nodes[step] && !wakeup_place(&trees, h, r, root, NULL, &branch, settled, &under);
}

bool grove_place(struct grove *g, const struct happens *h, struct reversal *r, uint32_t own,
                 const struct wakeup_sleepers *s, uint32_t *settled)
{
    struct wakeup trees = {.nodes = nodes_of(g), .acts = acts_of(g), .first_value = true,
                            .whole = WAKEUP_WHOLE_SHARED};
    uint32_t *root = &node_at(g, own)->next, branch, under;
    uint32_t *list = wakeup_place(&trees, h, r, root, s, &branch, settled, &under);
    if (list && !grove_has_room(g, r->count)) {
        g->full = 1;
        *settled = HB_NONE;
        list = NULL;
    }
    if (list) {
        wakeup_shorten(&trees, h, r, *root, s);
        append(g, h, r, list, under ? under : more_at(g, own)->parent, branch);
    }
    return list != NULL;
}

bool grove_insert(struct grove *g, int member, const struct grove_path *p, const struct happens *h,
                  struct reversal *r, uint32_t step, const struct wakeup_sleepers *s, uint32_t *settled)
{
    if (grove_covers(g, p, h, r, step, settled))
        return false;
    grove_lock(g, member);
    bool grew = grove_place(g, h, r, p->nodes[step], s, settled);
    grove_unlock(g);
    return grew;
}

/* ---- threads ---- */

static bool has_thread(const struct grove *g, uint32_t parent, const struct tset *any)
{
    for (uint32_t n = *branches_of(g, parent); n; n = node_at(g, n)->next)
        if (!node_at(g, n)->branch && tset_has(any, node_at(g, n)->pick))
            return true;
    return false;
}

bool grove_has_thread(const struct grove *g, const struct grove_path *p, uint32_t step,
                      const struct tset *any)
{
    ensure(step < p->count);
    return has_thread(g, above(p, step), any);
}

bool grove_place_thread(struct grove *g, uint32_t own, const struct grove_thread *t)
{
    ensure(own && own < g->used);
    uint32_t parent = more_at(g, own)->parent, *list = branches_of(g, parent);
    struct wakeup_step like = {.act = t->act, .pick = t->act.thread};
    if (has_thread(g, parent, &t->any))
        return false;
    g->full |= !grove_has_room(g, 1);
    if (g->full)
        return false;
    while (*list)
        list = &node_at(g, *list)->next;
    uint32_t n = grove_new(g, &like, parent, GROVE_WAITING, t->certain ? GROVE_CERTAIN : 0);
    g->waiting++;
    g->inserted++;
    grove_link(list, n);
    grove_opened(g, parent);
    return true;
}

bool grove_insert_thread(struct grove *g, int member, const struct grove_path *p, uint32_t step,
                         const struct grove_thread *t)
{
    ensure(step < p->count);
    grove_lock(g, member);
    bool grew = grove_place_thread(g, p->nodes[step], t);
    grove_unlock(g);
    return grew;
}
