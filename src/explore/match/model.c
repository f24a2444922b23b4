/* Slots, places, local states and facts, each found by what it is. */
#include "explore/match/model.h"

#include "base/ensure.h"

#include <stddef.h>
#include <string.h>

enum { MOST_SLOTS = 1 << 20, FIRST_HEADS = 1 << 12, A_PIECE = 1 << 14 };

/* ---- memory ---------------------------------------------------------------------------------------- */

void *match_need_apart(struct match_model *m, size_t size)
{
    void *p = m->arena->used + m->elsewhere + size <= m->limit ? arena_alloc(m->arena, size) : NULL;
    if (!p)
        m->full = true;
    return p;
}

void *match_need(struct match_model *m, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (size > A_PIECE / 8)
        return match_need_apart(m, size);
    if (size > m->left) {
        m->piece = match_need_apart(m, A_PIECE);
        m->left = m->piece ? A_PIECE : 0;
    }
    if (!m->piece)
        return NULL;
    void *p = m->piece;
    m->piece += size;
    m->left -= size;
    return p;
}

/* ---- tables ---------------------------------------------------------------------------------------- */

static int table_init(struct match_model *m, struct match_table *t)
{
    *t = (struct match_table){.mask = FIRST_HEADS - 1};
    t->heads = match_need(m, FIRST_HEADS * sizeof *t->heads);
    return t->heads ? 0 : -1;
}

static struct match_node *table_first(const struct match_table *t, uint64_t hash)
{
    return t->heads[hash & t->mask];
}

static void table_grow(struct match_model *m, struct match_table *t)
{
    uint64_t room = (t->mask + 1) * 4;
    struct match_node **larger = match_need(m, room * sizeof *larger);
    if (!larger)
        return; /* longer chains; and `full` ends the search */
    for (uint64_t i = 0; i <= t->mask; i++)
        for (struct match_node *n = t->heads[i], *next; n; n = next) {
            struct match_node **head = &larger[n->hash & (room - 1)];
            next = n->chain;
            n->chain = *head;
            *head = n;
        }
    t->heads = larger;
    t->mask = room - 1;
}

static void table_add(struct match_model *m, struct match_table *t, struct match_node *n, uint64_t hash)
{
    struct match_node **head = &t->heads[hash & t->mask];
    n->hash = hash;
    n->chain = *head;
    *head = n;
    if (++t->count > t->mask / 2)
        table_grow(m, t);
}

#define TABLE_FOR(n, t, h)                                                                         \
    for (struct match_node *n = table_first(t, h); n; n = n->chain)                                \
        if (n->hash == (h))

/* ---- the model ------------------------------------------------------------------------------------- */

int match_model_init(struct match_model *m, struct arena *arena, uint64_t limit)
{
    size_t before = arena->used;
    m->arena = arena;
    m->slot_room = MOST_SLOTS;
    m->ids = 1;
    if (!m->parts.words.entries && parts_init(&m->parts, arena))
        return -1;
    m->slots = arena_alloc(arena, MOST_SLOTS * sizeof *m->slots);
    m->now.place = arena_alloc(arena, MOST_SLOTS * sizeof *m->now.place);
    m->walk.place = arena_alloc(arena, MOST_SLOTS * sizeof *m->walk.place);
    m->limit = limit + (arena->used - before); /* reserved at its largest size, which costs nothing */
    if (!m->slots || !m->now.place || !m->walk.place || table_init(m, &m->places) ||
        table_init(m, &m->locals) || table_init(m, &m->facts) || table_init(m, &m->slots_by_object) ||
        table_init(m, &m->owns) || keyset_init(&m->moves, arena, (m->limit - arena->used) / 8))
        return -1;
    match_marking_reset(m, &m->now);
    match_marking_reset(m, &m->walk);
    return m->full ? -1 : 0;
}

uint64_t match_model_places(const struct match_model *m)
{
    return m->local_count + m->places.count;
}

void match_marking_reset(struct match_model *m, struct match_marking *k)
{
    memset(k->local, 0, sizeof k->local);
    k->threads = 1;
    k->local[0] = match_child(m, NULL, 0, 0);
    match_places_reset(m, k);
}

void match_places_reset(const struct match_model *m, struct match_marking *k)
{
    for (uint32_t s = 0; s < m->slot_count; s++)
        k->place[s] = m->slots[s]->root;
}

/* Most have one or two: then nothing is to be looked up. */
static struct match_local *find_child(const struct match_model *m, const struct match_local *from,
                                      unsigned thread, uint64_t got, uint64_t *hash)
{
    for (struct match_local *l = from ? from->child : NULL; l; l = l->beside)
        if (l->got == got && l->thread == thread)
            return l;
    if (from && from->children < MATCH_CHILDREN)
        return NULL;
    *hash = match_mix(match_mix(from ? from->id : 0, thread), got);
    TABLE_FOR(n, &m->locals, *hash) {
        struct match_local *l = (struct match_local *)n;
        if (l->from == from && l->thread == thread && l->got == got)
            return l;
    }
    return NULL;
}

struct match_local *match_child(struct match_model *m, struct match_local *from, unsigned thread,
                                uint64_t got)
{
    uint64_t h = 0;
    struct match_local *l = find_child(m, from, thread, got, &h);
    if (l)
        return l;
    l = match_need(m, sizeof *l);
    if (!l)
        return NULL;
    l->from = from;
    l->got = got;
    l->thread = (uint16_t)thread;
    l->id = m->ids++;
    m->local_count++;
    if (from && from->children < MATCH_CHILDREN) {
        l->beside = from->child;
        from->child = l;
        from->children++;
    } else {
        table_add(m, &m->locals, &l->node, h);
    }
    return l;
}

/* ---- what threads have of their own ------------------------------------------------------------------ */

static struct match_own *find_own(const struct match_model *m, uint64_t h, unsigned thread,
                                  const struct captured *c)
{
    TABLE_FOR(n, &m->owns, h) {
        struct match_own *o = (struct match_own *)n;
        bool same = o->hash == c->hash[1] && o->local->thread == thread;
        if (same && (!m->exact || (o->count == c->count && !memcmp(o->words, c->words, c->count * 8))))
            return o;
    }
    return NULL;
}

bool match_is_own(struct match_model *m, struct match_local **at, const struct captured *c)
{
    struct match_local *l = *at;
    ensure(m->states && !l->same && c->count);
    uint64_t h = match_mix(c->hash[0], l->thread);
    struct match_own *o = find_own(m, h, l->thread, c);
    if (l->own)
        return l->own == o;
    if (o) {
        *at = l->same = o->local;
        return true;
    }
    size_t words = m->exact ? c->count * sizeof *c->words : 0;
    o = match_need(m, sizeof *o + words);
    if (!o)
        return false;
    o->hash = c->hash[1];
    o->local = l;
    o->count = m->exact ? c->count : 0;
    memcpy(o->words, c->words, words);
    l->own = o;
    table_add(m, &m->owns, &o->node, h);
    return true;
}

/* ---- places ------------------------------------------------------------------------------------------ */

/* Of memory there is no more than what stands before `state`. */
static struct match_place *new_place(struct match_model *m, uint32_t slot, uint64_t hash, bool memory)
{
    struct match_place *p = match_need(m, memory ? offsetof(struct match_place, state) : sizeof *p);
    if (!p)
        return NULL;
    p->slot = slot;
    p->id = m->ids++;
    table_add(m, &m->places, &p->node, hash);
    return p;
}

struct match_place *match_memory(struct match_model *m, uint32_t slot, uint64_t key, bool valued)
{
    uint64_t h = match_mix(match_mix(slot, key), valued);
    TABLE_FOR(n, &m->places, h) {
        struct match_place *p = (struct match_place *)n;
        if (p->slot == slot && p->key == key && p->valued == valued)
            return p;
    }
    bool memory = slot == m->slot_count || m->slots[slot]->kind == OBJECT_MEMORY;
    struct match_place *p = new_place(m, slot, h, memory);
    if (p) {
        p->key = key;
        p->valued = valued;
    }
    return p;
}

struct match_place *match_state(struct match_model *m, uint32_t slot, const struct object_state *s)
{
    uint64_t h = match_mix(slot, object_hash(s));
    TABLE_FOR(n, &m->places, h) {
        struct match_place *p = (struct match_place *)n;
        if (p->slot == slot && !p->fresh && object_same(&p->state, s))
            return p;
    }
    struct match_place *p = new_place(m, slot, h, false);
    if (p)
        p->state = *s;
    return p;
}

static void table_remove(struct match_table *t, struct match_node *n)
{
    struct match_node **at = &t->heads[n->hash & t->mask];
    while (*at != n)
        at = &(*at)->chain;
    *at = n->chain;
    t->count--;
}

void match_initialised(struct match_model *m, struct match_place *p, const struct object_state *s)
{
    bool root = m->slots[p->slot]->root == p;
    ensure(p->fresh);
    p->fresh = false;
    p->state = *s;
    if (!root)
        return; /* it is known by who initialised it */
    table_remove(&m->places, &p->node);
    table_add(m, &m->places, &p->node, match_mix(p->slot, object_hash(s)));
}

/* ---- slots ----------------------------------------------------------------------------------------- */

static uint64_t slot_hash(unsigned kind, uint64_t object, uint32_t size)
{
    return match_mix(match_mix(kind, object), size);
}

static bool find_slot(const struct match_model *m, unsigned kind, uint64_t object, uint32_t size,
                      uint32_t *out)
{
    uint64_t h = slot_hash(kind, object, size);
    TABLE_FOR(n, &m->slots_by_object, h) {
        const struct match_slot *s = (const struct match_slot *)n;
        if (s->kind == kind && s->object == object && s->size == size) {
            *out = s->root->slot;
            return true;
        }
    }
    return false;
}

/* Does the operation, which frees a block or initialises an object again, do that to this one? */
static bool concerns(const struct event *op, const struct match_slot *s)
{
    if (operation_is(op->kind, OP_RENEWS))
        return s->kind != OBJECT_MEMORY && s->object == op->object;
    return s->kind == OBJECT_MEMORY && s->object < op->object + op->size &&
           s->object + s->size > op->object;
}

/* A block that has this memory in it is freed: so is this. */
static void tell_who_frees(struct match_model *m, struct match_slot *s)
{
    for (struct match_local *l = m->frees; l; l = l->frees) {
        if (!concerns(&l->op, s))
            continue;
        uint32_t *more = match_need(m, (l->touches + 1u) * sizeof *more);
        if (!more || l->touches == MATCH_TOUCHES) {
            m->full = true;
            return;
        }
        memcpy(more, l->slots, l->touches * sizeof *more);
        more[l->touches++] = s->root->slot;
        l->slots = more;
        l->last.to = NULL;
        s->guards = 0;
        m->wrong = true;
    }
}

/* The slot of an object, made when it is first asked for; UINT32_MAX: no memory. */
static uint32_t slot_of(struct match_model *m, unsigned kind, uint64_t object, uint32_t size)
{
    uint32_t slot;
    if (find_slot(m, kind, object, size, &slot))
        return slot;
    struct match_slot *s = m->slot_count < m->slot_room ? match_need(m, sizeof *s) : NULL;
    struct object_state unused = OBJECT_UNUSED;
    slot = m->slot_count;
    if (s)
        s->root = kind != OBJECT_MEMORY ? match_state(m, slot, &unused)
                  : m->states           ? match_memory(m, slot, m->peek(object, size), true)
                                        : match_memory(m, slot, 0, false);
    if (!s || !s->root) {
        m->full = true;
        return UINT32_MAX;
    }
    s->root->fresh = kind == OBJECT_SEMAPHORE || kind == OBJECT_BARRIER;
    s->kind = (uint8_t)kind;
    s->object = object;
    s->size = size;
    s->owner = EVENT_MAX_THREADS;
    s->guards = kind == OBJECT_MEMORY ? UINT64_MAX : 0;
    if (kind == OBJECT_MUTEX && m->mutex_count < MATCH_GUARDS)
        m->mutexes[m->mutex_count++] = slot;
    m->slots[m->slot_count++] = s;
    m->now.place[slot] = m->walk.place[slot] = s->root;
    table_add(m, &m->slots_by_object, &s->node, slot_hash(kind, object, size));
    tell_who_frees(m, s);
    return slot;
}

static uint32_t part_of_word(struct match_model *m, uint64_t object, uint32_t size)
{
    enum part part = parts_access(&m->parts, object, size);
    m->begins_anew |= part == PART_OVERLAPS;
    m->full |= part == PART_NO_ROOM;
    return part == PART_OF_WHOLE ? slot_of(m, OBJECT_MEMORY, parts_word(object), 8)
                                 : slot_of(m, OBJECT_MEMORY, object, size);
}

static int touches_of_memory(struct match_model *m, uint64_t object, uint64_t size, uint32_t *slots)
{
    int count = 0;
    for (uint64_t at = object; at < object + size; count++) {
        uint64_t end = parts_word(at) + 8;
        if (end > object + size)
            end = object + size;
        if (count == MATCH_TOUCHES)
            return -1;
        slots[count] = part_of_word(m, at, (uint32_t)(end - at));
        if (slots[count] == UINT32_MAX)
            return -1;
        at = end;
    }
    return count;
}

/* What the operation concerns, of what somebody has touched: the rest does not matter to anybody. */
static int touches_of_many(struct match_model *m, const struct event *op, uint32_t *slots)
{
    int count = 0;
    for (uint32_t s = 0; s < m->slot_count; s++) {
        if (!concerns(op, m->slots[s]))
            continue;
        if (count == MATCH_TOUCHES)
            return -1;
        slots[count++] = s;
    }
    return count;
}

/* Memory that nobody has touched matters to those who free it, if there are two. */
static int touches_of_block(struct match_model *m, const struct event *op, uint32_t *slots)
{
    const struct match_local *l = m->frees;
    while (l && (l->op.object != op->object || l->op.kind != op->kind || l->thread == op->thread))
        l = l->frees;
    if (l && op->size && part_of_word(m, op->object, op->size < 8 ? op->size : 8) == UINT32_MAX)
        return -1;
    return touches_of_many(m, op, slots);
}

int match_touches(struct match_model *m, const struct event *op, uint32_t *slots)
{
    const struct operation *o = operation_of(op->kind);
    struct act act = act_of_pending(op);
    int count = 0;
    if (operation_is(op->kind, OP_RENEWS))
        return touches_of_many(m, op, slots);
    if (match_is_local(op->kind)) {
        if (o->follows == FOLLOWS_OBJECT)
            slots[count++] = slot_of(m, o->object, op->object, 0);
        return m->full ? -1 : count;
    }
    if (o->object == OBJECT_MEMORY && match_only_own(m, op))
        return 0;
    if (o->object == OBJECT_MEMORY)
        return operation_is(op->kind, OP_EVERYWHERE)
                   ? touches_of_block(m, op, slots)
                   : touches_of_memory(m, op->object, op->size, slots);
    slots[count++] = slot_of(m, o->object, op->object, 0);
    if (act.role2 != ROLE_NONE)
        slots[count++] = slot_of(m, o->other_object, act.object2, 0);
    else if (o->traits & OP_WOKEN)
        slots[count++] = slot_of(m, OBJECT_CONDITION, op->other, 0);
    return m->full ? -1 : count;
}

bool match_stands(struct match_model *m, struct match_local *l, const struct event *op)
{
    uint32_t slots[MATCH_TOUCHES];
    if (l->op.kind)
        return l->op.kind == op->kind && l->op.object == op->object && l->op.size == op->size;
    int count = match_touches(m, op, slots);
    if (count < 0)
        return false;
    l->slots = count <= MATCH_LAST ? l->few : match_need(m, (size_t)count * sizeof *slots);
    if (!l->slots)
        return false;
    memcpy(l->slots, slots, (size_t)count * sizeof *slots);
    l->touches = (uint16_t)count;
    l->op = *op;
    if (operation_is(op->kind, OP_EVERYWHERE) || operation_is(op->kind, OP_RENEWS)) {
        l->frees = m->frees;
        m->frees = l;
    }
    if (!operation_is(op->kind, OP_RENEWS)) /* which is before the others use it */
        match_note_owner(m, l);
    return true;
}

/* ---- facts ----------------------------------------------------------------------------------------- */

struct match_fact *match_fact(struct match_model *m, const struct match_marking *k,
                              const struct match_local *l, unsigned branch, bool make)
{
    uint64_t h = match_mix(l->id, branch);
    for (int i = 0; i < l->touches; i++)
        h = match_mix(h, k->place[l->slots[i]]->id);
    TABLE_FOR(n, &m->facts, h) {
        struct match_fact *f = (struct match_fact *)n;
        bool same = f->from == l && f->branch == branch;
        for (int i = 0; same && i < l->touches; i++)
            same = f->place[i] == k->place[l->slots[i]];
        if (same)
            return f;
    }
    struct match_fact *f = make ? match_need(m, sizeof *f + (2 * l->touches + 2u) * sizeof *f->place) : NULL;
    if (!f)
        return NULL;
    f->from = l;
    f->branch = (uint16_t)branch;
    f->count = l->touches;
    for (int i = 0; i < l->touches; i++)
        f->place[i] = k->place[l->slots[i]];
    table_add(m, &m->facts, &f->node, h);
    return f;
}
