/* How the net is kept. Trees are climbed by jump pointers (each condition knows its parent and one
 * ancestor further up, so that any ancestor is found in logarithmic time); events are found through
 * a hash of what they take and read. Everything lives in the arena. */
#include "explore/unfold/net.h"

#include "base/ensure.h"

#include <string.h>

enum { SLOT_ROOM = 1 << 16, FIRST_ROOM = 1 << 12, ORDER_ROOM = 1 << 16, EVENT_ROOM = 1 << 24,
       CHUNK = 1 << 14 };

int net_init(struct net *n, struct arena *arena)
{
    *n = (struct net){.arena = arena, .slot_room = SLOT_ROOM, .slot_count = 1,
                      .order_room = ORDER_ROOM, .event_room = EVENT_ROOM};
    n->all = arena_alloc(arena, EVENT_ROOM * sizeof *n->all);
    n->performed = arena_alloc(arena, EVENT_ROOM * sizeof *n->performed);
    n->slots = arena_alloc(arena, SLOT_ROOM * sizeof *n->slots);
    n->merged = arena_alloc(arena, SLOT_ROOM * sizeof *n->merged);
    n->common = arena_alloc(arena, SLOT_ROOM * sizeof *n->common);
    n->marking = arena_alloc(arena, SLOT_ROOM * sizeof *n->marking);
    n->order = arena_alloc(arena, ORDER_ROOM * sizeof *n->order);
    n->list = arena_alloc(arena, ORDER_ROOM * sizeof *n->list);
    return !n->all || !n->performed || !n->slots || !n->merged || !n->common || !n->marking ||
                   !n->order || !n->list ||
                   htable_init(&n->slot_of, arena, FIRST_ROOM) ||
                   htable_init(&n->event_of, arena, FIRST_ROOM)
               ? -1 : 0;
}

const uint64_t net_looking = ROLE_SET(READ) | ROLE_SET(NONE) | ROLE_SET(LOCK_FAIL) | ROLE_SET(OWN) |
                             ROLE_SET(READER_FAIL) | ROLE_SET(WRITER_FAIL) | ROLE_SET(SEM_READ) |
                             ROLE_SET(QUEUE_LOOK) | ROLE_SET(LOST) | ROLE_SET(CANCEL_SEEN);
const uint64_t net_marking = ROLE_SET(READER_IN) | ROLE_SET(READER_OUT) | ROLE_SET(WRITER_WAIT) |
                             ROLE_SET(POST) | ROLE_SET(RESERVED) | ROLE_SET(WAIT) | ROLE_SET(TIMEOUT) |
                             ROLE_SET(ARRIVE) | ROLE_SET(LAST_BUT_ONE) | ROLE_SET(SEND) | ROLE_SET(RECEIVE) |
                             ROLE_SET(AWAIT);

/* The arena aligns to 64, and most of what a net consists of is smaller. */
void *net_alloc(struct net *n, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (size > n->chunk_left) {
        n->chunk_left = size > CHUNK ? size : CHUNK;
        n->chunk = arena_alloc(n->arena, n->chunk_left);
        if (!n->chunk) {
            n->chunk_left = 0;
            n->full = true;
            return NULL;
        }
    }
    n->chunk += size;
    n->chunk_left -= size;
    return n->chunk - size;
}

static uint64_t mix64(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
    return x ^ x >> 29;
}

/* ---- conditions ---------------------------------------------------------------------------------- */

static struct net_condition *put(struct net *n, uint32_t slot, struct net_condition *up,
                                 struct net_event *maker)
{
    struct net_condition *c = net_alloc(n, sizeof *c);
    if (!c)
        return NULL;
    c->slot = slot;
    c->up = up;
    c->maker = maker;
    c->jump = c;
    if (up) {
        const struct net_condition *far = up->jump;
        c->depth = up->depth + 1;
        c->jump = up->depth - far->depth == far->depth - far->jump->depth ? far->jump : up;
        c->beside = up->down;
        up->down = c;
    }
    n->conditions++;
    return c;
}

static const struct net_condition *climb(const struct net_condition *c, uint32_t depth)
{
    ensure(c->depth >= depth);
    while (c->depth > depth)
        c = c->jump->depth >= depth ? c->jump : c->up;
    return c;
}

bool net_far_above(const struct net_condition *a, const struct net_condition *b)
{
    ensure(a->slot == b->slot);
    return a->depth <= b->depth && climb(b, a->depth) == a;
}

/* ---- slots --------------------------------------------------------------------------------------- */

static uint32_t new_slot(struct net *n, uint64_t object, uint32_t size, bool thread)
{
    if (n->slot_count == n->slot_room) {
        n->full = true;
        return 0;
    }
    uint32_t slot = n->slot_count;
    struct net_condition *root = put(n, slot, NULL, NULL);
    if (!root)
        return 0;
    n->slots[slot] = (struct net_slot){.root = root, .object = object, .size = size, .thread = thread};
    n->slot_count++;
    return slot;
}

uint32_t net_thread_slot(struct net *n, unsigned thread)
{
    ensure(thread < EVENT_MAX_THREADS);
    if (!n->thread_slot[thread])
        n->thread_slot[thread] = new_slot(n, thread, 0, true);
    if (n->threads <= (int)thread)
        n->threads = (int)thread + 1;
    return n->thread_slot[thread];
}

static uint64_t object_key(uint64_t object, uint32_t size)
{
    return object ^ (uint64_t)size << 56;
}

static struct htable_entry *find_object(const struct net *n, uint64_t object, uint32_t size)
{
    struct htable_entry *e = htable_find(&n->slot_of, object_key(object, size));
    while (htable_has(&n->slot_of, e) &&
           (n->slots[e->value].object != object || n->slots[e->value].size != size))
        e = htable_another(&n->slot_of, e);
    return e;
}

bool net_has_object(const struct net *n, uint64_t object, uint32_t size)
{
    return htable_has(&n->slot_of, find_object(n, object, size));
}

uint32_t net_object_slot(struct net *n, uint64_t object, uint32_t size)
{
    struct htable_entry *e = find_object(n, object, size);
    if (htable_has(&n->slot_of, e))
        return e->value;
    uint32_t slot = new_slot(n, object, size, false);
    if (slot && !htable_put(&n->slot_of, e, object_key(object, size), slot)) {
        n->full = true;
        return 0;
    }
    return slot;
}

/* ---- events ---------------------------------------------------------------------------------------- */

static uint64_t hash_event(const struct net_event *e)
{
    uint64_t h = mix64((uint64_t)(uintptr_t)e->from ^ (uint64_t)e->branch << 48);
    for (int i = 0; i < e->touches; i++)
        h = mix64(h ^ (uint64_t)(uintptr_t)e->touched[i]);
    for (uint32_t i = 0; i < e->read_count; i++)
        h = mix64(h ^ e->reads[i]->number);
    return h;
}

static bool same_event(const struct net_event *a, const struct net_event *b)
{
    if (a->from != b->from || a->branch != b->branch || a->touches != b->touches ||
        a->read_count != b->read_count)
        return false;
    for (uint32_t i = 0; i < a->read_count; i++)
        if (a->reads[i] != b->reads[i])
            return false;
    for (int i = 0; i < a->touches; i++)
        if (a->touched[i] != b->touched[i])
            return false;
    return true;
}

struct net_event *net_event(struct net *n, const struct net_event *like, bool make)
{
    uint64_t key = hash_event(like);
    struct htable_entry *at = htable_find(&n->event_of, key);
    for (; htable_has(&n->event_of, at); at = htable_another(&n->event_of, at))
        if (same_event(n->all[at->value], like))
            return n->all[at->value];
    struct net_event *e = make ? net_alloc(n, sizeof *e) : NULL, **reads = NULL;
    if (!e || (like->read_count && !(reads = net_alloc(n, like->read_count * sizeof *reads))))
        return NULL;
    for (uint32_t i = 0; i < like->read_count; i++)
        reads[i] = like->reads[i];
    if (n->events + 1 == n->event_room || !htable_put(&n->event_of, at, key, n->events + 1)) {
        n->full = true;
        return NULL;
    }
    *e = (struct net_event){.from = like->from, .thread = like->thread, .kind = like->kind,
                            .touches = like->touches, .past = like->past, .branch = like->branch,
                            .branches = like->branches, .reads = reads,
                            .read_count = like->read_count, .state = NET_POSSIBLE,
                            .on_input = like->on_input, .bit = like->bit, .value = like->value,
                            .number = ++n->events};
    memcpy(e->touched, like->touched, sizeof e->touched);
    memcpy(e->role, like->role, sizeof e->role);
    n->all[e->number] = e;
    return e;
}

/* Its tips: the lowest of those of what it takes and reads, and then its own. */
static int settle_tips(struct net *n, struct net_event *e)
{
    e->tips = net_alloc(n, n->slot_count * sizeof *e->tips);
    if (!e->tips)
        return -1;
    e->tip_count = n->slot_count;
    for (uint32_t s = 1; s < n->slot_count; s++) {
        e->tips[s] = net_tip(n, e->from, s);
        for (int i = 0; i < e->touches; i++) {
            struct net_condition *tip = net_tip(n, e->touched[i], s);
            if (tip->depth > e->tips[s]->depth)
                e->tips[s] = tip;
        }
        for (uint32_t i = 0; i < e->read_count; i++) {
            struct net_condition *tip = net_tip(n, e->reads[i]->to, s);
            if (tip->depth > e->tips[s]->depth)
                e->tips[s] = tip;
        }
    }
    e->tips[e->from->slot] = e->to;
    for (int i = 0; i < e->touches; i++)
        if (e->put[i])
            e->tips[e->put[i]->slot] = e->put[i];
    return 0;
}

void net_set_reads(struct net_event *e, struct net_event **room, struct net_event *const *looks,
                   uint32_t count)
{
    e->read_count = 0;
    e->reads = room;
    for (uint32_t i = 0; i < count; i++) {
        bool last = true;
        for (uint32_t k = 0; k < count && last; k++)
            last = looks[k]->thread != looks[i]->thread || looks[k]->to->depth <= looks[i]->to->depth;
        uint32_t at = e->read_count;
        if (!last || looks[i]->thread == e->thread)
            continue;
        for (; at && e->reads[at - 1]->number > looks[i]->number; at--)
            e->reads[at] = e->reads[at - 1];
        e->reads[at] = looks[i];
        e->read_count++;
    }
}

int net_perform(struct net *n, struct net_event *e, const bool *takes)
{
    ensure(e->state != NET_PERFORMED);
    e->to = put(n, e->from->slot, e->from, e);
    for (int i = 0; i < e->touches; i++) {
        struct net_condition *c = e->touched[i];
        if (takes[i]) {
            e->put[i] = put(n, c->slot, c, e);
        } else if (!(e->past >> i & 1)) {
            n->looks |= role_in(net_looking, e->role[i]);
            n->marks |= role_in(net_marking, e->role[i]);
            n->arrivals |= net_arrives(e->role[i]);
            e->next_look[i] = c->looks;
            c->looks = e;
        }
    }
    if (n->full || settle_tips(n, e))
        return -1;
    ensure(n->performed_count < n->event_room);
    n->performed[n->performed_count++] = e;
    e->state = NET_PERFORMED;
    return 0;
}

void net_take_back(struct net *n, struct net_event *e)
{
    ensure(n->performed_count && n->performed[n->performed_count - 1] == e && e->from->down == e->to);
    n->performed_count--;
    e->from->down = e->to->beside;
    for (int i = 0; i < e->touches; i++) {
        struct net_condition *c = e->touched[i];
        ensure(e->put[i] ? c->down == e->put[i] : c->looks == e);
        if (e->put[i])
            c->down = e->put[i]->beside;
        else
            c->looks = e->next_look[i];
    }
    e->to = NULL;
    e->state = NET_IMPOSSIBLE;
}
