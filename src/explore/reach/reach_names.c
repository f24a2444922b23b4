/* Names are a hash table from keys (address and what is meant of it) to numbers; several keys can have
 * one number. Every such union is a lesson (trace/shared.h). While the search is shared by several
 * workers a new one is always a reason to begin anew, since others may have named things already. */
#include "explore/reach/reach_names.h"

#include "object/object.h"

#include "base/rng.h"

#include <string.h>

enum { KEY_OBJECT, KEY_WORD, KEY_CONDITION };
enum { SLOTS = 1u << REACH_OBJECT_BITS };

static uint64_t key_of(uint64_t address, uint64_t tag)
{
    return (address << 2 | tag) + 1;
}

static struct reach_object *lookup_key(struct reach_record *r, uint64_t key)
{
    uint32_t mask = SLOTS - 1;
    uint32_t i = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> (64 - REACH_OBJECT_BITS));
    while (r->table[i].key && r->table[i].key != key)
        i = (i + 1) & mask;
    if (!r->table[i].key) {
        if (r->keys == mask - 1) {
            r->full = true;
            return &r->table[i ? i - 1 : mask];
        }
        r->keys++;
        r->table[i] = (struct reach_object){key, r->objects++};
    }
    return &r->table[i];
}

static struct reach_object *lookup(struct reach_record *r, uint64_t address, uint64_t tag)
{
    return lookup_key(r, key_of(address, tag));
}

uint32_t reach_name(struct reach_record *r, uint64_t address)
{
    return lookup(r, address, KEY_OBJECT)->number;
}

/* Unions --------------------------------------------------------------------------------------- */

static uint64_t tag_of(uint64_t key)
{
    return (key - 1) & 3;
}

/* What else has that number and is not a condition. */
static uint64_t partner_of(const struct reach_record *r, uint64_t key, uint32_t number)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        const struct reach_object *o = &r->table[i];
        if (o->key && o->key != key && o->number == number && tag_of(o->key) != KEY_CONDITION)
            return o->key;
    }
    return key;
}

/* The last lesson about a condition holds, so one that is known already is put at the end. */
static void note_lesson(struct reach_record *r, uint64_t key, uint32_t number)
{
    struct lessons *l = r->lessons;
    struct lesson new = {key, partner_of(r, key, number)};
    r->rebound |= r->shared;
    if (!l)
        return;
    uint32_t k = 0;
    while (k < l->count && (l->items[k].key != key || l->items[k].with != new.with))
        k++;
    if (k == SHARED_LESSONS) {
        r->full = true;
        return;
    }
    if (k == l->count)
        l->count++;
    memmove(&l->items[k], &l->items[k + 1], (l->count - k - 1) * sizeof new);
    l->items[l->count - 1] = new;
}

static void renumber(struct reach_record *r, uint32_t old, uint32_t number)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (r->table[i].key && r->table[i].number == old)
            r->table[i].number = number;
}

enum change { SAME, NEW, CHANGED };

/* `key` gets the number. If a word had another one, all that had it go with it. */
static enum change give_number(struct reach_record *r, uint64_t key, uint32_t number)
{
    uint32_t before = r->objects;
    struct reach_object *o = lookup_key(r, key);
    uint32_t old = o->number;
    if (old == number)
        return SAME;
    o->number = number;
    if (r->objects != before) {
        r->objects = before; /* just made: the number is not used by anyone */
        return NEW;
    }
    if (tag_of(key) == KEY_WORD)
        renumber(r, old, number);
    return CHANGED;
}

/* `fresh`: so is what has that number already. Whoever meets it will see them together. */
static void unite(struct reach_record *r, uint64_t key, uint32_t number, bool fresh)
{
    enum change c = give_number(r, key, number);
    if (c == SAME || (c == NEW && fresh))
        return;
    r->rebound |= c == CHANGED;
    note_lesson(r, key, number);
}

void reach_names_learn(struct reach_record *r)
{
    for (uint32_t i = 0; r->lessons && i < r->lessons->count; i++) {
        const struct lesson *l = &r->lessons->items[i];
        r->ordered |= !l->key;
        if (l->key)
            give_number(r, l->key, lookup_key(r, l->with)->number);
    }
}

void reach_order_reads(struct reach_record *r)
{
    r->ordered = true;
    if (r->lessons && r->lessons->count < SHARED_LESSONS)
        r->lessons->items[r->lessons->count++] = (struct lesson){0, 0};
}

/* Before anybody has waited, a condition is taken to belong to the lock the signalling thread holds. If
 * that turns out wrong, the search begins again. */
static uint32_t condition(struct reach_record *r, const struct event *op)
{
    uint32_t before = r->objects, lock = r->thread[r->number[op->thread]].lock;
    struct reach_object *c = lookup(r, op->object, KEY_CONDITION);
    if (r->objects == before || !lock)
        return c->number;
    r->objects = before;
    c->number = lock - 1;
    note_lesson(r, c->key, c->number);
    return c->number;
}

void reach_name_child(struct reach_record *r, uint16_t parent, uint16_t nth, uint16_t number)
{
    uint64_t path = r->children[parent].path + nth;
    r->children[number] = (struct reach_child){parent, nth, number, rng_mix(&path)};
}

/* Memory --------------------------------------------------------------------------------------- */

static bool on_memory(const struct event *op)
{
    enum event_class c = event_class(op->kind);
    return (c == CLASS_READ || c == CLASS_WRITE || c == CLASS_RMW) &&
           operation_of(op->kind)->object != OBJECT_SEMAPHORE;
}

static bool known_word(const struct reach_object *o, uint64_t first, uint64_t last)
{
    uint64_t word = (o->key - 1) >> 2;
    return o->key && tag_of(o->key) == KEY_WORD && word > first && word <= last;
}

static uint32_t memory_object(struct reach_record *r, const struct event *op)
{
    uint64_t first = op->object >> 2, last = (op->object + (op->size ? op->size - 1 : 0)) >> 2;
    uint32_t before = r->objects, number = lookup(r, first, KEY_WORD)->number;
    bool fresh = r->objects != before;
    if (last - first <= 1024) {
        for (uint64_t w = first + 1; w <= last; w++)
            unite(r, key_of(w, KEY_WORD), number, fresh);
        return number;
    }
    for (uint32_t i = 0; i < SLOTS; i++) /* a big block: what is known of it */
        if (known_word(&r->table[i], first, last))
            unite(r, r->table[i].key, number, false);
    return number;
}

uint32_t reach_object_of(struct reach_record *r, const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    if (o->touch == TOUCH_OTHER) { /* a condition belongs to the mutex it was last waited on with */
        uint32_t mutex = reach_name(r, op->other);
        unite(r, key_of(op->object, KEY_CONDITION), mutex, false);
        return mutex;
    }
    if (o->object == OBJECT_CONDITION)
        return condition(r, op);
    return on_memory(op) ? memory_object(r, op) : reach_name(r, op->object);
}

/* For another worker --------------------------------------------------------------------------- */

void reach_names_put(const struct reach_record *r, struct work *w)
{
    work_put(w, r->shared);
    work_put(w, r->ordered);
    work_put(w, r->threads);
    for (uint32_t t = 1; t < r->threads; t++) {
        work_put(w, r->children[t].parent);
        work_put(w, r->children[t].nth);
    }
    uint32_t keys = 0;
    for (uint32_t i = 0; i < SLOTS; i++)
        keys += r->table[i].key != 0;
    work_put(w, r->objects);
    work_put(w, keys);
    for (uint32_t i = 0; i < SLOTS; i++)
        if (r->table[i].key) {
            work_put(w, r->table[i].key);
            work_put(w, r->table[i].number);
            work_put(w, r->uniform[r->table[i].number]);
        }
}

int reach_names_get(struct reach_record *r, struct work *w)
{
    r->shared = work_get(w);
    r->ordered = work_get(w);
    uint64_t threads = work_get(w);
    if (threads < 1 || threads > EVENT_MAX_THREADS)
        return -1;
    for (uint16_t t = 1; t < threads; t++) {
        uint16_t parent = (uint16_t)work_get(w), nth = (uint16_t)work_get(w);
        if (parent >= t)
            return -1;
        reach_name_child(r, parent, nth, t);
    }
    r->threads = (uint32_t)threads;
    uint64_t objects = work_get(w), keys = work_get(w);
    if (objects > SLOTS || keys >= SLOTS)
        return -1;
    memset(r->table, 0, sizeof *r->table * SLOTS);
    r->keys = 0;
    memset(r->uniform, 0, SLOTS);
    for (; keys > 0 && !w->failed; keys--) {
        uint64_t key = work_get(w), number = work_get(w);
        if (!key || number >= objects)
            return -1;
        r->objects = 0;
        lookup_key(r, key)->number = (uint32_t)number;
        r->uniform[number] = (uint8_t)work_get(w);
    }
    r->objects = (uint32_t)objects;
    return w->failed ? -1 : 0;
}
