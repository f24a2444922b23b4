/* Synchronization objects: found by address in a table that is emptied by counting executions, made
 * at their first use (so static initialisers need nothing). An object knows the threads whose pending
 * operation is on it; when it changes, exactly those are re-examined, so the set of enabled threads
 * is always up to date and a decision costs nothing to prepare. */
#include "rt/core/sync.h"

#include "base/htable.h"
#include "rt/check/finding.h"
#include "rt/core/await_try.h"
#include "rt/core/block.h"
#include "rt/core/sched.h"

#include <pthread.h>

#define OBJECTS 32768u
#define PLACES (2 * OBJECTS)

static struct htable table; /* places in objects[], by address; a run is an execution */
static struct sync *objects;
struct sync *sync_recent[SYNC_RECENT];

static void forget_recent(void)
{
    for (int i = 0; i < SYNC_RECENT; i++)
        sync_recent[i] = objects;
}

void sync_init(void)
{
    htable_init_in(&table, rt_map(NULL, PLACES * sizeof *table.entries, "synchronization objects"), PLACES);
    objects = rt_map(NULL, OBJECTS * sizeof *objects, "synchronization objects");
    forget_recent();
}

/* The number of executions wraps around after 2^32; then old objects would look like new ones. */
void sync_begin(void)
{
    htable_clear(&table);
    if (RT_UNLIKELY(rt.generation <= 1))
        forget_recent();
}

/* Objects in one line of memory are neighbours here, too, in few lines of the cache; lines, and addresses
 * that are not aligned (asked for where accesses of several sizes meet), are scattered, so that looking for
 * what is not there does not lead through all the elements of an array. */
static inline struct htable_entry *lookup(uint64_t address)
{
    uint32_t line = htable_hash(address >> 6 ^ (address & 3) << 40);
    return htable_find_at(&table, (line & ~15u) | (address >> 2 & 15), address);
}

static void renew(struct sync *s, uint64_t address, enum sync_type type)
{
    s->address = address;
    s->generation = rt.generation;
    s->type = (uint8_t)type;
    s->now = OBJECT_UNUSED;
    s->robust = s->mixed = false;
    s->lock_pc = s->time = 0;
    s->again = 0;
    s->waiters = s->seen_by = (struct tset){{0}};
    s->clock.n = 0;
    if (type == SYNC_RWLOCK)
        s->readers.n = 0;
    s->head = s->tail = 0;
}

/* For whoever computes its state from the events. */
static __attribute__((noinline)) void renew_again(struct sync *s, uint64_t address, enum sync_type type)
{
    bool had_state = s->type != SYNC_ATOMIC;
    renew(s, address, type);
    if (had_state)
        sched_log_local(EV_RENEW, address, 0, 0, 0);
}

static struct sync *make(struct htable_entry *e, uint64_t address, enum sync_type type)
{
    struct sync *s = &objects[table.count];
    if (!htable_put(&table, e, address, table.count)) {
        finding_limit(LIMIT_OBJECTS, OBJECTS);
        sched_end_execution(OUTCOME_BOUND);
    }
    renew(s, address, type);
    return s;
}

struct sync *sync_find(uint64_t address)
{
    const struct htable_entry *e = lookup(address);
    return htable_has(&table, e) ? &objects[e->value] : NULL;
}

struct sync *sync_first(void)
{
    return table.count ? objects : NULL;
}

struct sync *sync_after(const struct sync *s)
{
    return s + 1 < objects + table.count ? objects + (s - objects) + 1 : NULL;
}

struct sync *sync_look_up(uint64_t address, enum sync_type type)
{
    struct htable_entry *e = lookup(address);
    bool known = htable_has(&table, e);
    struct sync *s = known ? &objects[e->value] : make(e, address, type);
    if (RT_UNLIKELY(known && s->type != type))
        renew_again(s, address, type);
    return *sync_place(address) = s;
}

struct sync *sync_fresh(uint64_t address, enum sync_type type)
{
    struct htable_entry *e = lookup(address);
    if (!htable_has(&table, e))
        return make(e, address, type);
    renew_again(&objects[e->value], address, type);
    return &objects[e->value];
}

void sync_again(struct sync *s)
{
    struct tset waiters = s->waiters;
    renew(s, s->address, s->type);
    s->waiters = waiters;
    sync_changed(s);
}

struct sync *sync_next_robust(int owner)
{
    for (uint32_t i = 0; i < table.count; i++)
        if (objects[i].type == SYNC_MUTEX && objects[i].robust && objects[i].owner == owner)
            return &objects[i];
    return NULL;
}

static bool other_ready(const struct thread *t, const struct event *op)
{
    const struct operation *o = operation_of(op->kind);
    if (!o->possible || o->traits & OP_RETRIES)
        return true;
    if (RT_UNLIKELY(t->interrupted) && block_interruptible(t))
        return !(o->traits & OP_WOKEN) || t->waits->owner < 0;
    if (RT_UNLIKELY(o->traits & OP_WOKEN) && !t->signalled)
        return false;
    if (RT_UNLIKELY(o->traits & OP_SELECTS))
        return rt.select_ready(t->id);
    return o->possible(&t->waits->now, op);
}

static inline bool ready(const struct thread *t, const struct event *op)
{
    if (op->kind == EV_LOCK && RT_LIKELY(!t->interrupted))
        return mutex_possible(&t->waits->now, t->id);
    return other_ready(t, op);
}

bool sync_ready(const struct thread *t)
{
    return ready(t, &rt.next[t->id]);
}

static inline void recheck(int thread)
{
    struct thread *t = &rt.all[thread];
    const struct event *op = &rt.next[thread];
    if (t->state != THREAD_PENDING)
        return;
    if ((op->flags & EVENT_SPINNING) || !ready(t, op)) {
        tset_remove(&rt.enabled, thread);
    } else if (!tset_has(&rt.enabled, thread)) {
        t->enabled_by = sched_event_now();
        tset_add(&rt.enabled, thread);
    }
}

void sync_recheck(int thread)
{
    recheck(thread);
}

void sync_changed(struct sync *s)
{
    TSET_FOR(t, &s->waiters)
        recheck(t);
}

void sync_taken(struct sync *s, uint64_t pc)
{
    s->lock_pc = pc;
    sync_acquire(s);
    sync_changed(s);
}

struct event *sync_turn_to_lock(struct sync *s, uint64_t pc)
{
    struct event *op = sched_op(EV_LOCK, s->address, 0, pc);
    sched_visit_blocking(s);
    return op;
}

bool sync_take_first(struct sync *s, struct event *op, uint64_t pc)
{
    object_perform(&s->now, op);
    bool first = op->value;
    if (first)
        sync_taken(s, pc);
    else
        sync_acquire(s);
    sched_log(op);
    return first;
}

void sync_given(struct sync *s)
{
    sync_release(s);
    sync_changed(s);
}

void sync_acquire(struct sync *s)
{
    struct thread *t = rt.self;
    vclock_join(&t->clock, &s->clock);
    if (s->time > t->time)
        t->time = s->time;
}

void sync_release(struct sync *s)
{
    struct thread *t = rt.self;
    vclock_join(&s->clock, &t->clock);
    if (t->time > s->time)
        s->time = t->time;
    t->clock.c[t->id]++;
}

void sync_misuse(const struct sync *s, uint64_t pc, const char *message)
{
    struct finding *f = finding_new(FINDING_LOCK, pc, s->address, "%s", message);
    if (s->owner >= 0)
        finding_fact(f, FACT_HOLDS_IT, s->owner, s->lock_pc, s->address);
    finding_fact(f, FACT_DOES, rt.current, pc, s->address);
    finding_commit(f);
    sched_end_execution(OUTCOME_COMPLETE);
}

static const char *type_name(const struct sync *s)
{
    static const char *const names[] = {"object",    "atomic",      "mutex",   "condition variable",
                                        "semaphore", "rwlock",      "barrier", "spinlock",
                                        "pthread_once control", "monitor", "condition", "port",
                                        "object", "static variable", "message queue"};
    return names[s->type];
}

static void describe_holders(struct finding *f, const struct sync *s)
{
    if (s->owner >= 0)
        finding_fact_about(f, FACT_HOLDS, s->owner, s->lock_pc, s->address, type_name(s));
    else
        TSET_FOR(h, &s->holders)
            if (s->type == SYNC_RWLOCK)
                finding_fact(f, FACT_HOLDS_READING, h, s->lock_pc, s->address);
}

static bool has_ended(int thread)
{
    return rt.all[thread].state == THREAD_DONE;
}

void sync_warn_held(void)
{
    for (uint32_t i = 0; rt.held > 0 && i < table.count; i++) {
        const struct sync *s = &objects[i];
        if ((s->type == SYNC_MUTEX || s->type == SYNC_SPIN) && s->owner > 0 && has_ended(s->owner))
            finding_warn(s->lock_pc, "thread %d has ended holding the %s that it locked here", s->owner,
                         type_name(s));
    }
}

/* Not who waits for a signal first. */
bool sync_waits_for_lock(const struct thread *t)
{
    unsigned kind = rt.next[t->id].kind;
    return t->state == THREAD_PENDING && operation_is(kind, OP_LOCKS) &&
           (!operation_is(kind, OP_WOKEN) || t->signalled);
}

static bool waits_for_ended(const struct thread *t)
{
    return t->waits && t->waits->owner > 0 && has_ended(t->waits->owner) && sync_waits_for_lock(t);
}

bool sync_anybody_waits_for_ended(void)
{
    TSET_FOR(t, &rt.live)
        if (waits_for_ended(&rt.all[t]))
            return true;
    return false;
}

static const char *parked_words(const struct sync *s)
{
    switch (s ? s->type : SYNC_NONE) {
    case SYNC_MONITOR:
        return "to go on in monitor";
    case SYNC_CONDITION:
        return "for a signal on condition";
    case SYNC_PORT:
        return "for its message to be received from";
    default:
        return "at barrier";
    }
}

void sync_describe_wait(struct finding *f, const struct thread *t)
{
    const struct event *op = &rt.next[t->id];
    const struct operation *o = operation_of(op->kind);
    const struct sync *s = t->waits;
    if (t->state == THREAD_JOINING) {
        finding_fact(f, FACT_JOINS, t->id, op->pc, 0)->other = (uint16_t)(t->joining + 1);
        return;
    }
    if (t->id == rt.exiting) {
        finding_fact(f, FACT_ENDS_PROCESS, t->id, op->pc, 0);
        return;
    }
    if (t->state == THREAD_PARKED) {
        finding_fact_about(f, FACT_PARKED, t->id, op->pc, s ? s->address : 0, parked_words(s));
        return;
    }
    if (t->block) {
        finding_fact_about(f, FACT_BLOCKS, t->id, op->pc, t->block->object, t->block->what);
        return;
    }
    if (o->waits && !(o->traits & OP_WOKEN && t->signalled)) {
        uint64_t object = o->traits & OP_WOKEN ? op->other : op->object;
        finding_fact_about(f, FACT_BLOCKS, t->id, op->pc, object, o->waits);
        return;
    }
    if (op->flags & EVENT_SPINNING || await_try_stands(t)) {
        finding_fact(f, FACT_SPINS, t->id, op->pc, op->object)->number = t->ring_count ? t->ring[0].value : 0;
        return;
    }
    if (!s)
        return;
    if (s->owner >= 0) {
        finding_fact_about(f, has_ended(s->owner) ? FACT_WAITS_FOR_ENDED : FACT_WAITS_FOR_HELD, t->id, op->pc,
                           s->address, type_name(s))
            ->other = (uint16_t)(s->owner + 1);
    } else
        finding_fact_about(f, FACT_WAITS, t->id, op->pc, s->address, type_name(s));
    describe_holders(f, s);
}
