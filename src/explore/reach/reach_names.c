/* Names are found by key (address and what is meant of it); several keys can have one number. Every such
 * union is a lesson (trace/shared.h). While the search is shared by several workers a new one is always a
 * reason to begin anew, since others may have named things already. */
#include "explore/reach/reach_names.h"

#include "object/object.h"

#include "base/rng.h"

#include <string.h>

/* KEY_GUESS is used in lessons only: a condition and the mutex it is taken to belong to. */
enum { KEY_OBJECT, KEY_WORD, KEY_CONDITION, KEY_GUESS };

/* What a lesson without a key is about: reads, or compare-exchanges. */
enum { LESSON_READS, LESSON_EXCHANGES };

static uint64_t key_of(uint64_t address, uint64_t tag)
{
    return (address << 2 | tag) + 1;
}

static uint64_t tag_of(uint64_t key)
{
    return (key - 1) & 3;
}

static struct reach_object *lookup_key(struct reach_record *r, uint64_t key)
{
    struct htable_entry *e = htable_find(&r->name_of, key);
    if (htable_has(&r->name_of, e))
        return &r->names[e->value];
    if (r->keys == REACH_NAMES || !htable_put(&r->name_of, e, key, r->keys)) {
        limit_reached(r->limits, LIMIT_OBJECTS, REACH_NAMES);
        return &r->names[0];
    }
    r->names[r->keys] = (struct reach_object){key, r->objects++, r->keys, false};
    return &r->names[r->keys++];
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

static void note_lesson(struct reach_record *r, uint64_t key, uint64_t with)
{
    struct lessons *l = r->lessons;
    r->rebound |= r->shared;
    if (!l)
        return;
    uint32_t k = 0;
    while (k < l->count && (l->items[k].key != key || l->items[k].with != with))
        k++;
    if (k == SHARED_LESSONS)
        limit_reached(r->limits, LIMIT_LESSONS, SHARED_LESSONS);
    else if (k == l->count)
        l->items[l->count++] = (struct lesson){key, with};
}

enum change { SAME, NEW, CHANGED };

/* `key` gets the number of `with`; if it had another one, all that had it go with it, unless that was only a
 * guess. */
static enum change unite_numbers(struct reach_record *r, uint64_t key, uint64_t with)
{
    uint32_t number = lookup_key(r, with)->number, before = r->objects;
    struct reach_object *o = lookup_key(r, key);
    uint32_t old = o->number;
    bool guessed = o->guess;
    o->guess = false;
    if (old == number)
        return SAME;
    o->number = number;
    if (r->objects != before) {
        r->objects = before; /* just made: the number is not used by anyone */
        return NEW;
    }
    for (uint32_t i = 0; i < r->keys && !guessed; i++)
        if (r->names[i].number == old)
            r->names[i].number = number;
    return CHANGED;
}

/* `fresh`: so is what it is united with. Whoever meets it will see them together. */
static void unite(struct reach_record *r, uint64_t key, uint64_t with, bool fresh)
{
    enum change c = unite_numbers(r, key, with);
    if (c == SAME || (c == NEW && fresh))
        return;
    r->rebound |= c == CHANGED;
    note_lesson(r, key, with);
}

/* A guess holds until something is known. */
static void guess(struct reach_record *r, uint64_t key, uint64_t with)
{
    uint32_t number = lookup_key(r, with)->number, before = r->objects;
    struct reach_object *c = lookup_key(r, key);
    if (r->objects == before)
        return;
    r->objects = before;
    c->number = number;
    c->guess = true;
}

void reach_names_learn(struct reach_record *r)
{
    for (uint32_t i = 0; r->lessons && i < r->lessons->count; i++) {
        const struct lesson *l = &r->lessons->items[i];
        if (l->with == LESSON_PLACE)
            continue;
        if (!l->key)
            *(l->with == LESSON_EXCHANGES ? &r->exchanges_write : &r->ordered) = true;
        else if (tag_of(l->key) == KEY_GUESS)
            guess(r, l->key - KEY_GUESS + KEY_CONDITION, l->with);
        else
            unite_numbers(r, l->key, l->with);
    }
}

void reach_order_reads(struct reach_record *r)
{
    r->ordered = true;
    if (r->lessons && r->lessons->count < SHARED_LESSONS)
        r->lessons->items[r->lessons->count++] = (struct lesson){0, LESSON_READS};
}

void reach_order_exchanges(struct reach_record *r)
{
    r->exchanges_write = true;
    if (r->lessons && r->lessons->count < SHARED_LESSONS)
        r->lessons->items[r->lessons->count++] = (struct lesson){0, LESSON_EXCHANGES};
}

/* Conditions, cancellation, loops -------------------------------------------------------------- */

/* Before anybody has waited, a condition is taken to belong to the lock the signalling thread holds. If
 * that turns out wrong, the search begins again. */
static struct reach_object *condition(struct reach_record *r, const struct event *op)
{
    uint64_t key = key_of(op->object, KEY_CONDITION), lock = r->thread[r->number[op->thread]].lock;
    uint32_t before = r->keys;
    if (lock)
        guess(r, key, lock);
    if (r->keys != before && lock)
        note_lesson(r, key - KEY_CONDITION + KEY_GUESS, lock);
    return lookup_key(r, key);
}

/* A request to cancel a thread is one object with whatever the thread can be interrupted at, and with the
 * ends of threads. */
bool reach_can_be_cancelled(struct reach_record *r, const struct event *op)
{
    return op->flags & EVENT_CANCELLABLE &&
           reach_name(r, EVENT_CANCEL_OBJECT(op->thread)) == reach_name(r, EVENT_ENDS_OBJECT);
}

static void unite_cancelled(struct reach_record *r, const struct event *op, uint64_t key)
{
    if (operation_of(op->kind)->touch == TOUCH_ENDS)
        unite(r, key, key_of(EVENT_ENDS_OBJECT, KEY_OBJECT), false);
    else if (reach_can_be_cancelled(r, op))
        unite(r, key, key_of(EVENT_CANCEL_OBJECT(op->thread), KEY_OBJECT), false);
}

static uint64_t address_of(uint64_t key)
{
    return (key - 1) >> 2 << (tag_of(key) == KEY_WORD ? 2 : 0);
}

/* Has the thread used the same thing once more after operation k? */
static bool looked_since(const struct reach_record *r, uint32_t k, uint16_t thread)
{
    for (uint32_t i = k + 1; i < r->count; i++)
        if (r->ops[i].thread == thread && r->ops[i].component == r->ops[k].component &&
            (r->ops[i].class == REACH_OBJECT || r->ops[i].class == REACH_READ))
            return true;
    return false;
}

/* All that a waiting loop has looked at is one object: the last so many different things that its
 * thread used. */
static uint64_t unite_looks(struct reach_record *r, const struct event *op)
{
    uint16_t thread = r->number[op->thread];
    uint64_t first = 0, found = 0;
    for (uint32_t k = r->count; k-- > 0 && found < op->value;) {
        const struct reach_op *look = &r->ops[k];
        uint64_t key = r->names[look->component].key;
        bool on_object = look->class == REACH_OBJECT || look->class == REACH_READ;
        if (look->thread != thread || !on_object || !(op->other & event_object_bit(address_of(key))) ||
            looked_since(r, k, thread))
            continue;
        if (found++)
            unite(r, key, first, false);
        else
            first = key;
    }
    r->overlooked |= found < op->value;
    return first ? first : key_of(op->object, KEY_OBJECT);
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
    uint8_t object = operation_of(op->kind)->object;
    return (c == CLASS_READ || c == CLASS_WRITE || c == CLASS_RMW) && object != OBJECT_SEMAPHORE &&
           object != OBJECT_SIGNALS && object != OBJECT_THREAD;
}

static bool known_word(const struct reach_object *o, uint64_t first, uint64_t last)
{
    uint64_t word = (o->key - 1) >> 2;
    return tag_of(o->key) == KEY_WORD && word > first && word <= last;
}

static uint64_t memory_key(struct reach_record *r, const struct event *op)
{
    uint64_t first = op->object >> 2, last = (op->object + (op->size ? op->size - 1 : 0)) >> 2;
    uint64_t key = key_of(first, KEY_WORD);
    uint32_t before = r->keys;
    lookup_key(r, key);
    bool fresh = r->keys != before;
    if (last - first <= 1024) {
        for (uint64_t w = first + 1; w <= last; w++)
            unite(r, key_of(w, KEY_WORD), key, fresh);
        return key;
    }
    for (uint32_t i = 0; i < r->keys; i++) /* a big block: what is known of it */
        if (known_word(&r->names[i], first, last))
            unite(r, r->names[i].key, key, false);
    return key;
}

static uint64_t key_of_object(struct reach_record *r, const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    if (o->touch == TOUCH_OTHER) { /* a condition belongs to the mutexes that it is waited on with */
        uint64_t mutex = key_of(op->other, KEY_OBJECT);
        unite(r, key_of(op->object, KEY_CONDITION), mutex, false);
        return mutex;
    }
    if (o->object == OBJECT_CONDITION)
        return condition(r, op)->key;
    return on_memory(op) ? memory_key(r, op) : key_of(op->object, KEY_OBJECT);
}

struct reach_object reach_object_of(struct reach_record *r, const struct event *op)
{
    bool loop = operation_awaits(op->kind) && !(op->flags & EVENT_FAILED);
    uint64_t key = loop ? unite_looks(r, op) : key_of_object(r, op);
    if (op->flags & EVENT_CANCELLABLE || operation_of(op->kind)->role[0] == ROLE_CANCEL)
        unite_cancelled(r, op, key);
    return *lookup_key(r, key);
}

/* For another worker --------------------------------------------------------------------------- */

void reach_names_put(const struct reach_record *r, struct work *w)
{
    work_put(w, r->shared);
    work_put(w, r->ordered);
    work_put(w, r->exchanges_write);
    work_put(w, r->threads);
    for (uint32_t t = 1; t < r->threads; t++) {
        work_put(w, r->children[t].parent);
        work_put(w, r->children[t].nth);
    }
    work_put(w, r->objects);
    work_put(w, r->keys);
    for (uint32_t i = 0; i < r->keys; i++) {
        work_put(w, r->names[i].key);
        work_put(w, r->names[i].number);
        work_put(w, r->names[i].guess);
        work_put(w, r->uniform[r->names[i].number]);
    }
}

int reach_names_get(struct reach_record *r, struct work *w)
{
    r->shared = work_get(w);
    r->ordered = work_get(w);
    r->exchanges_write = work_get(w);
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
    if (objects > REACH_NAMES || keys > REACH_NAMES)
        return -1;
    htable_clear(&r->name_of);
    r->keys = 0;
    memset(r->uniform, 0, REACH_NAMES);
    for (; keys > 0 && !w->failed; keys--) {
        uint64_t key = work_get(w), number = work_get(w);
        if (!key || number >= objects)
            return -1;
        r->objects = 0;
        struct reach_object *o = lookup_key(r, key);
        o->number = (uint32_t)number;
        o->guess = work_get(w);
        r->uniform[number] = (uint8_t)work_get(w);
    }
    r->objects = (uint32_t)objects;
    return w->failed ? -1 : 0;
}

/* The list is read without the C library, which would look at the running thread's own data. */
uint16_t reach_class_of_function(const char *list, uint64_t function)
{
    uint16_t class = 0x8000;
    uint64_t address = 0;
    for (; list && *list; list++) {
        if (*list == ',') {
            if (address == function)
                return class;
            class ++;
            address = 0;
        } else if (*list == 'x') {
            address = 0;
        } else {
            address = address << 4 | (uint64_t)(*list <= '9' ? *list - '0' : *list - 'a' + 10);
        }
    }
    return 0;
}
