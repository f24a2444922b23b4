/* How the net is kept. Trees are climbed by jump pointers (each condition knows its parent and one
 * ancestor further up, so that any ancestor is found in logarithmic time); events are found through
 * a hash of what they take and read. Everything lives in the arena. */
#include "explore/unfold/net.h"

#include "base/ensure.h"

#include <string.h>

enum { SLOT_ROOM = 1 << 16, FIRST_ROOM = 1 << 12, ORDER_ROOM = 1 << 16, EVENT_ROOM = 1 << NET_NUMBER_BITS,
       CHUNK = 1 << 14, LARGE_CHUNK = 1 << 18, MANY_EVENTS = 1 << 13,
       AHEAD = 1 << 15, NEAR = 3 };

static struct net_row *free_row(const struct net *n, uint32_t hash)
{
    uint32_t at = hash;
    while (n->rows[at & n->row_mask].number)
        at++;
    return &n->rows[at & n->row_mask];
}

/* A table of so many rows, of which at most half are used. */
static int widen(struct net *n, uint32_t rows)
{
    ensure(rows / 2 > n->row_count && !(rows & (rows - 1)));
    struct net_row *before = n->rows;
    uint32_t count = before ? n->row_mask + 1 : 0;
    n->rows = arena_alloc(n->arena, rows * sizeof *n->rows);
    if (!n->rows)
        return -1;
    n->row_mask = rows - 1;
    for (uint32_t k = 0; k < count; k++)
        if (before[k].number)
            *free_row(n, before[k].hash) = before[k];
    return 0;
}

int net_init(struct net *n, struct arena *arena)
{
    *n = (struct net){.arena = arena, .base = arena->base, .slot_room = SLOT_ROOM, .slot_count = 1,
                      .order_room = ORDER_ROOM, .event_room = EVENT_ROOM};
    n->all = arena_alloc(arena, EVENT_ROOM * sizeof *n->all);
    n->performed = arena_alloc(arena, EVENT_ROOM * sizeof *n->performed);
    n->near = arena_alloc(arena, (2 * (size_t)EVENT_ROOM + NET_NEAR) * sizeof *n->near);
    n->slots = arena_alloc(arena, SLOT_ROOM * sizeof *n->slots);
    n->roots = arena_alloc(arena, SLOT_ROOM * sizeof *n->roots);
    n->merged = arena_alloc(arena, SLOT_ROOM * sizeof *n->merged);
    n->common = arena_alloc(arena, SLOT_ROOM * sizeof *n->common);
    n->marking = arena_alloc(arena, SLOT_ROOM * sizeof *n->marking);
    n->order = arena_alloc(arena, ORDER_ROOM * sizeof *n->order);
    n->list = arena_alloc(arena, ORDER_ROOM * sizeof *n->list);
    return !n->all || !n->performed || !n->near || !n->slots || !n->roots || !n->merged || !n->common ||
                   !n->marking || !n->order || !n->list ||
                   htable_init(&n->slot_of, arena, FIRST_ROOM) || net_kin_init(n) || widen(n, FIRST_ROOM)
               ? -1 : 0;
}

const uint64_t net_looking = ROLE_SET(READ) | ROLE_SET(NONE) | ROLE_SET(LOCK_FAIL) | ROLE_SET(OWN) |
                             ROLE_SET(READER_FAIL) | ROLE_SET(WRITER_FAIL) | ROLE_SET(SEM_READ) |
                             ROLE_SET(QUEUE_LOOK) | ROLE_SET(LOST);
const uint64_t net_marking = ROLE_SET(READER_IN) | ROLE_SET(READER_OUT) | ROLE_SET(WRITER_WAIT) |
                             ROLE_SET(POST) | ROLE_SET(RESERVED) | ROLE_SET(WAIT) | ROLE_SET(TIMEOUT) |
                             ROLE_SET(ARRIVE) | ROLE_SET(LAST_BUT_ONE) | ROLE_SET(MEET) |
                             ROLE_SET(SEND) | ROLE_SET(RECEIVE) |
                             ROLE_SET(AWAIT) | ROLE_SET(CANCEL_SEEN);

/* The arena aligns to 64, and most of what a net consists of is smaller. Of a large net much is taken at
 * once. */
void *net_alloc(struct net *n, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (size > n->chunk_left) {
        bool large = n->events >= MANY_EVENTS;
        size_t chunk = large ? LARGE_CHUNK : CHUNK;
        n->chunk_left = size > chunk ? size : chunk;
        n->chunk = arena_alloc(n->arena, n->chunk_left);
        if (!n->chunk) {
            n->chunk_left = 0;
            n->full = true;
            return NULL;
        }
        if (large && n->will_use)
            n->will_use(n->chunk, n->chunk_left);
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
                                 struct net_event *maker, size_t size)
{
    struct net_condition *c = net_alloc(n, size);
    if (!c)
        return NULL;
    c->slot = slot;
    c->up = net_link(c, up);
    c->maker = net_link(c, maker);
    if (up) {
        const struct net_condition *far = net_jump(up);
        c->depth = up->depth + 1;
        const struct net_condition *farther = net_jump(far);
        c->jump = net_link(c, up->depth - far->depth == far->depth - farther->depth ? farther : up);
        c->beside = net_link(c, net_down(up));
        up->down = net_link(up, c);
    }
    n->conditions++;
    return c;
}

static const struct net_condition *climb(const struct net_condition *c, uint32_t depth)
{
    ensure(c->depth >= depth);
    while (c->depth > depth + NEAR)
        c = net_jump(c)->depth >= depth ? net_jump(c) : net_up(c);
    while (c->depth > depth)
        c = net_up(c);
    return c;
}

bool net_far_above(const struct net_condition *a, const struct net_condition *b)
{
    ensure(a->slot == b->slot);
    return a->depth <= b->depth && climb(b, a->depth) == a;
}

const struct net_condition *net_toward(const struct net_condition *a, const struct net_condition *b)
{
    return climb(b, a->depth + 1);
}

/* ---- slots --------------------------------------------------------------------------------------- */

static uint32_t new_slot(struct net *n, uint64_t object, uint32_t size, bool thread)
{
    if (n->slot_count == n->slot_room) {
        n->full = true;
        return 0;
    }
    uint32_t slot = n->slot_count;
    struct net_condition *root = put(n, slot, NULL, NULL, sizeof *root);
    if (!root)
        return 0;
    n->slots[slot] = (struct net_slot){.root = root, .object = object, .size = size, .thread = thread};
    n->roots[slot] = net_place_of(n, root);
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

static uint64_t hash_event(const struct net *n, const struct net_event *e)
{
    uint64_t h = mix64((uint64_t)(uintptr_t)e->from ^ (uint64_t)e->branch << 48);
    for (int i = 0; i < e->touches; i++)
        h = mix64(h ^ (uint64_t)(uintptr_t)e->touch[i].at);
    for (uint32_t i = 0; i < e->read_count; i++)
        h = mix64(h ^ net_reads(n, e)[i]->number);
    return h;
}

static bool same_event(const struct net *n, const struct net_event *a, const struct net_event *b)
{
    if (a->from != b->from || a->branch != b->branch || a->touches != b->touches ||
        a->read_count != b->read_count)
        return false;
    for (uint32_t i = 0; i < a->read_count; i++)
        if (net_reads(n, a)[i] != net_reads(n, b)[i])
            return false;
    for (int i = 0; i < a->touches; i++)
        if (a->touch[i].at != b->touch[i].at)
            return false;
    return true;
}

static uint32_t number_of(const struct net_event *e)
{
    return e ? e->number : 0;
}

/* The rows of events that are known by the same newest event as e, and by some of about its age: these are
 * looked for and made one after the other, so they should lie together. */
static uint32_t *near_rows(const struct net *n, const struct net_event *e)
{
    uint32_t newest = number_of(net_maker(e->from));
    for (int i = 0; i < e->touches; i++) {
        uint32_t other = number_of(net_maker(e->touch[i].at));
        newest = other > newest ? other : newest;
    }
    for (uint32_t i = 0; i < e->read_count; i++)
        newest = net_reads(n, e)[i]->number > newest ? net_reads(n, e)[i]->number : newest;
    return &n->near[(size_t)newest / (NET_NEAR / 2) * NET_NEAR];
}

/* The event, or NULL and the near row for it, or NULL and no row. */
static struct net_event *find(const struct net *n, const struct net_event *like, uint32_t hash,
                              uint32_t **row)
{
    uint32_t *near = near_rows(n, like);
    for (int k = 0; k < NET_NEAR; k++) {
        *row = &near[k];
        if (!near[k])
            return NULL;
        if ((near[k] ^ hash) >> NET_NUMBER_BITS)
            continue;
        struct net_event *e = net_numbered(n, near[k] & (EVENT_ROOM - 1));
        if (same_event(n, e, like))
            return e;
    }
    *row = NULL;
    for (uint32_t at = hash; n->rows[at & n->row_mask].number; at++) {
        const struct net_row *far = &n->rows[at & n->row_mask];
        if (far->hash == hash && same_event(n, net_numbered(n, far->number), like))
            return net_numbered(n, far->number);
    }
    return NULL;
}

static struct net_row *far_row(struct net *n, uint32_t hash)
{
    if (n->row_count + 1 > n->row_mask / 2 && widen(n, 4 * (n->row_mask + 1)))
        return NULL;
    n->row_count++;
    return free_row(n, hash);
}

/* The tables by number will be filled for as many events again. */
static void look_ahead(struct net *n)
{
    uint32_t from = n->events;
    if (!from || from + AHEAD > n->event_room || !n->will_use)
        return;
    n->will_use(&n->all[from + 1], AHEAD * sizeof *n->all);
    n->will_use(&n->performed[from], AHEAD * sizeof *n->performed);
    n->will_use(&n->near[(size_t)from / (NET_NEAR / 2) * NET_NEAR + NET_NEAR], 2 * AHEAD * sizeof *n->near);
}

struct net_event *net_event(struct net *n, const struct net_event *like, bool make)
{
    uint32_t hash = (uint32_t)(hash_event(n, like) >> 16);
    struct net_row *far = NULL;
    uint32_t *near;
    struct net_event *known = find(n, like, hash, &near);
    if (known || !make)
        return known;
    size_t size = net_event_size(like->touches);
    struct net_event *e = net_alloc(n, size), **reads = NULL;
    if (!e || (like->read_count && !(reads = net_alloc(n, like->read_count * sizeof *reads))))
        return NULL;
    if (n->events + 1 == n->event_room || (!near && !(far = far_row(n, hash)))) {
        n->full = true;
        return NULL;
    }
    if (n->events % AHEAD == 0)
        look_ahead(n);
    memcpy(e, like, size);
    e->reads = reads ? net_place_of(n, reads) : 0;
    for (uint32_t i = 0; i < like->read_count; i++)
        reads[i] = net_reads(n, like)[i];
    e->number = ++n->events;
    e->state = NET_POSSIBLE;
    e->to = NULL;
    e->tips = e->did = 0;
    e->queued = e->open = false;
    e->tip_count = e->literal = e->taken = 0;
    n->all[e->number] = net_place_of(n, e);
    if (near)
        *near = (hash & -(uint32_t)EVENT_ROOM) | e->number;
    else
        *far = (struct net_row){.hash = hash, .number = e->number};
    return e;
}

static uint32_t depth_at(const struct net *n, uint32_t place)
{
    return ((const struct net_condition *)net_at(n, place))->depth;
}

/* Its tips: the lowest of those of what it takes and reads, and then its own. */
static int settle_tips(struct net *n, struct net_event *e)
{
    struct net_known of[1 + NET_TOUCHES + EVENT_MAX_THREADS];
    uint32_t *tips = net_alloc(n, n->slot_count * sizeof *tips), count = 0;
    if (!tips || (size_t)(n->chunk - n->base) / NET_UNIT > INT32_MAX) {
        n->full = true;
        return -1;
    }
    of[count++] = net_known(n, net_maker(e->from));
    for (int i = 0; i < e->touches; i++)
        of[count++] = net_known(n, net_maker(e->touch[i].at));
    for (uint32_t i = 0; i < e->read_count; i++)
        of[count++] = net_known(n, net_reads(n, e)[i]);
    e->tips = net_place_of(n, tips);
    e->tip_count = n->slot_count;
    for (uint32_t s = 1; s < n->slot_count; s++) {
        uint32_t tip = net_known_place(n, of, s);
        for (uint32_t k = 1; k < count; k++) {
            uint32_t place = net_known_place(n, &of[k], s);
            if (place != tip && depth_at(n, place) > depth_at(n, tip))
                tip = place;
        }
        tips[s] = tip;
    }
    tips[e->from->slot] = net_place_of(n, e->to);
    for (int i = 0; i < e->touches; i++)
        if (net_put(e, i))
            tips[net_put(e, i)->slot] = net_place_of(n, net_put(e, i));
    return 0;
}

void net_set_reads(const struct net *n, struct net_event *e, struct net_event **room,
                   struct net_event *const *looks, uint32_t count)
{
    e->read_count = 0;
    e->reads = net_place_of(n, room);
    for (uint32_t i = 0; i < count; i++) {
        bool last = true;
        for (uint32_t k = 0; k < count && last; k++)
            last = looks[k]->thread != looks[i]->thread || looks[k]->to->depth <= looks[i]->to->depth;
        uint32_t at = e->read_count;
        if (!last || looks[i]->thread == e->thread)
            continue;
        for (; at && room[at - 1]->number > looks[i]->number; at--)
            room[at] = room[at - 1];
        room[at] = looks[i];
        e->read_count++;
    }
}

int net_perform(struct net *n, struct net_event *e, const bool *takes)
{
    ensure(e->state != NET_PERFORMED);
    e->to = put(n, e->from->slot, e->from, e, NET_THREAD_CONDITION);
    for (int i = 0; i < e->touches; i++) {
        struct net_condition *c = e->touch[i].at;
        if (takes[i]) {
            e->touch[i].put = put(n, c->slot, c, e, sizeof *c);
            e->taken |= (uint8_t)(1u << i) & 7;
        } else if (!(e->past >> i & 1)) {
            n->read_in |= 1ull << e->role[i];
            n->looks |= role_in(net_looking, e->role[i]);
            n->marks |= role_in(net_marking, e->role[i]);
            n->arrivals |= net_arrives(e->role[i]);
            e->touch[i].next_look = net_looks(c);
            c->looks = net_link(c, e);
        }
    }
    if (n->full || settle_tips(n, e))
        return -1;
    net_kin_put(n, e->to);
    for (int i = 0; i < e->touches; i++)
        if (net_put(e, i))
            net_kin_put(n, net_put(e, i));
    ensure(n->performed_count < n->event_room);
    n->performed[n->performed_count++] = net_place_of(n, e);
    e->state = NET_PERFORMED;
    return 0;
}

void net_take_back(struct net *n, struct net_event *e)
{
    ensure(n->performed_count && net_performed(n, n->performed_count - 1) == e && net_down(e->from) == e->to);
    n->performed_count--;
    e->from->down = net_link(e->from, net_beside(e->to));
    e->from->put_count--;
    for (int i = 0; i < e->touches; i++) {
        struct net_condition *c = e->touch[i].at;
        ensure(net_put(e, i) ? net_down(c) == net_put(e, i) : net_looks(c) == e);
        if (net_put(e, i)) {
            c->down = net_link(c, net_beside(net_put(e, i)));
            c->put_count--;
        } else {
            c->looks = net_link(c, e->touch[i].next_look);
        }
    }
    e->to = NULL;
    e->taken = 0;
    e->state = NET_IMPOSSIBLE;
}
