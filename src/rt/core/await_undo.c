/* Why a round that changes a variable and puts it back may be left out, and which are.
 *
 * The round: thread t stands before an operation in state S (spin_state). It performs looks, and changes F
 * of a variable x (a store, an update, a compare-exchange that succeeds) followed by a change A of x by
 * which x is again what F has found; between F and A there are further looks, and nobody else performs any
 * operation on x, not even a look. Then t stands in S again. Take all of it out of the execution: nobody
 * else has seen x between F and A, before and after it is the same, and so is t. So every state, failure and
 * deadlock is reached by an execution without such rounds. That nobody has seen it is a matter of the order
 * of operations on x, which all conflict with F, so it is the same in all executions of a trace.
 *
 * What is not performed is the last operation of the round, as in await.c: a look, or A itself. A waits until
 * somebody else performs an operation on x: only operations that conflict with A let it go on, and what does
 * is never taken back. A that may wait is not marked as a look (EVENT_SPUN) but an operation as any other: a
 * mere look lets it go on, so reversals with looks must be tried, and those that come to nothing are refused.
 *
 * Races: the first one, of an access p in the round and a later one w, is found too. Those operations that
 * happen before p or w are an execution by themselves if each reads from what happens before it, and what is
 * left out of it (or of any that has a race) takes no order away. That is so with operations that are
 * sequentially consistent, mutexes and threads; not with other orders, a trylock that fails, a count of
 * a semaphore that is read, … : as soon as there is one such operation nothing is left out
 * (LESSON_WEAK), unless races are not looked for.
 *
 * If F and A are additions (fetch_add, fetch_sub) that make zero together, others may perform such whose
 * results are not used (live.h) between them: nobody can tell, either.
 *
 * When nobody can go on, threads may stand before A. The execution without their rounds is in the same
 * state but for these variables. Would another thread go on there, then it covers this one. So it is if one
 * would go on while a thread that has put everything back stood within such a change again, as it can. If
 * not, and nobody's round looks at what another one changes so, it is for ever; otherwise it is not known. If
 * it turns out later that the one which would go on goes round as well, the search begins again
 * (await_undo_doubt).
 *
 * The places are learned from an execution that came to no end (--max-steps), so a search whose loops end is
 * what it was. Of several threads whose rounds look at what the others change so there may be no end still.
 *
 * Not taken: rounds with other operations (locks, plain writes), or with changes of two variables, one
 * within the other; several workers (what one knows of loops the others do not), farms, properties,
 * atomic sections and inputs; the engines `reach`, `unfold`, `context`, `stateful` and those that
 * sample. */
#include "rt/core/await_undo.h"

#include "object/object.h"
#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/code/live.h"
#include "rt/core/await.h"
#include "rt/core/sched.h"
#include "rt/sym/sym.h"

#include <string.h>
#include <sys/mman.h>

#define DOUBTS 256

/* Executions were taken for covered by others since it was not known that these lead back; shared with the
 * processes of --isolate fork. */
static struct doubts {
    uint32_t count;
    struct {
        uint64_t look, value;
    } items[DOUBTS];
} *doubts;

void await_undo_init(void)
{
    doubts = mmap(NULL, sizeof *doubts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (doubts == MAP_FAILED)
        rt_fatal("no memory for what is known of loops");
}

bool await_undo_doubted(uint64_t look, uint64_t value)
{
    for (uint32_t i = 0; i < doubts->count; i++)
        if (doubts->items[i].look == look && doubts->items[i].value == value)
            return true;
    return false;
}

void await_undo_doubt(uint64_t look, uint64_t value)
{
    if (await_undo_doubted(look, value))
        return;
    if (doubts->count == DOUBTS) {
        finding_incomplete("threads wait in more than %u states for what others put back", DOUBTS);
        return;
    }
    doubts->items[doubts->count].look = look;
    doubts->items[doubts->count++].value = value;
}

static bool may_want(void)
{
    const struct run_config *c = &rt.shared->config;
    return c->jobs <= 1 && !c->farm && !rt.properties && !rt.atomics && !rt.rounds && !sym_explores();
}

static bool wanted(void)
{
    return rt.engine.awaits && rt.engine.undoes && may_want();
}

/* Are races looked for in an order that operations do not follow? */
static bool is_weak(void)
{
    return rt.shared->config.races != RACES_OFF &&
           (rt.shared->weak_orders || await_knows(0, LESSON_WEAK));
}

/* Does it happen after all that it depends on? (Atomics say it themselves if they do not.) */
static bool is_ordered(const struct event *op)
{
    return (await_in_memory(op->kind, op->size) && op->kind != EV_READ) ||
           (operation_of(op->kind)->object == OBJECT_MUTEX && !(op->flags & EVENT_FAILED)) ||
           event_class(op->kind) == CLASS_LOCAL;
}

/* ---- places ------------------------------------------------------------------------------------- */

static bool is_zero(uint64_t sum, uint32_t size)
{
    return !(sum << (64 - 8 * size));
}

static bool is_change(const struct event *e)
{
    return (e->kind == EV_STORE || e->kind == EV_RMW) && e->size <= 8 && e->value != e->other;
}

static bool restores(const struct event *first, const struct event *second)
{
    uint64_t sum = first->value - first->other + second->value - second->other;
    return second->value == first->other || is_zero(sum, first->size);
}

/* Events of one thread, which go round from the first to before the last one: if nothing else is done. */
static void learn_round(const struct event *first, const struct event *last)
{
    uint32_t n = 0;
    for (const struct event *e = first; e < last; e++) {
        bool mine = e->thread == first->thread && event_class(e->kind) != CLASS_LOCAL;
        n += mine;
        if (mine && !is_change(e) && !await_in_memory(e->kind, e->size))
            return;
    }
    for (const struct event *e = first; n < AWAIT_LOOKS && e < last; e++) {
        if (e->thread != first->thread || event_class(e->kind) == CLASS_LOCAL)
            continue;
        await_learn_places(e->pc, LESSON_PLACE);
        if (is_change(e))
            await_learn_places(e->pc, LESSON_UNDO);
    }
}

bool await_undo_learn(void)
{
    if (rt.outcome != OUTCOME_BOUND || rt.bug_in_execution || is_weak() ||
        !(rt.strategy->follows ? may_want() : wanted()))
        return rt.restart && rt.undoes;
    /* The last two changes of each thread. */
    const struct event *before[EVENT_MAX_THREADS][2];
    memset(before, 0, sizeof before);
    const struct event *events = rt.trace->events;
    for (const struct event *e = events; e < events + rt.trace->event_count; e++) {
        const struct event **b = before[e->thread];
        if (!is_change(e))
            continue;
        if (b[0] && b[0]->pc == e->pc && b[0]->object == e->object && b[1]->object == e->object &&
            b[0]->size == b[1]->size && restores(b[0], b[1]))
            learn_round(b[0], e);
        b[0] = b[1];
        b[1] = e;
    }
    if (!rt.restart)
        return false;
    rt.shared->limits.reached &= ~(1ull << LIMIT_STEPS);
    rt.outcome = OUTCOME_ABANDONED;
    return true;
}

void await_undo_weak(void)
{
    if (rt.shared->config.races != RACES_OFF)
        await_learn(0, LESSON_WEAK);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

/* ---- changes ------------------------------------------------------------------------------------ */

void await_undo_reset(void)
{
    const struct lessons *l = &rt.shared->lessons;
    for (uint32_t i = 0; i < l->count; i++)
        rt.undoes |= l->items[i].with == LESSON_UNDO;
    rt.undoes &= wanted() && !is_weak();
}

static bool overlaps(const struct await_change *c, uint64_t object, uint32_t size)
{
    return c->object < object + (size ? size : 1) && object < c->object + c->size;
}

static bool is_same(const struct await_change *c, const struct event *op)
{
    return c->id && !c->seen && c->object == op->object && c->size == op->size;
}

bool await_undo_may(const struct await *a, const struct event *op)
{
    return rt.undoes && is_same(&a->change, op) && op->kind != EV_LOAD;
}

static bool adds(const struct thread *t, const struct event *op)
{
    return op->kind == EV_RMW && op->pc == t->await.add_pc;
}

bool await_undo_blind(const struct thread *t, const struct event *op)
{
    return rt.undoes && op->pc == t->await.add_pc && op->kind == EV_RMW && !live_result(op->pc);
}

/* By an operation that writes that, or, if it is an addition too, adds that. */
static bool puts_back(const struct await_change *c, bool adding, uint64_t result, uint64_t added)
{
    if (c->adds && adding)
        return is_zero(c->after - c->before + added, c->size);
    return !c->added && result == c->before;
}

bool await_undo_gives_back(const struct await *a, uint64_t value, uint64_t result)
{
    return a->change.id && !a->change.seen &&
           puts_back(&a->change, a->adds, result, a->blind ? result : result - value);
}

uint64_t await_undo_value(const struct await *a, uint64_t value)
{
    uint64_t read = value + a->change.after - a->change.before;
    if (!a->may_undo || a->blind)
        return value;
    return a->change.size == 8 ? read : read & ((1ull << 8 * a->change.size) - 1);
}

bool await_undo_performed(struct await *a, const struct event *op)
{
    if (!is_ordered(op))
        await_undo_weak();
    for (struct thread *t = rt.all; t < rt.all + rt.threads; t++) {
        struct await_change *c = &t->await.change;
        if (t == rt.self || !t->await.count || !c->id || c->seen ||
            !(overlaps(c, op->object, op->size) || overlaps(c, op->other, 1)))
            continue;
        if (c->adds && op->object == c->object && op->size == c->size && await_undo_blind(rt.self, op)) {
            c->added = true;
            continue;
        }
        c->seen = true;
        rt.reconsider = true;
    }
    if (!a->count || !a->change.id)
        return false;
    bool own = overlaps(&a->change, op->object, op->size);
    if (a->state && a->may_undo && !is_change(op)) { /* it was announced as a change: it stands */
        a->change.seen = true;
        a->stays = a->count;
    }
    return own;
}

bool await_undo_changed(struct await *a, const struct event *op)
{
    struct await_change *c = &a->change;
    if (!is_change(op) || !await_is(op->pc, LESSON_UNDO) ||
        (c->id && (!is_same(c, op) || !puts_back(c, adds(rt.self, op), op->value, op->value - op->other))))
        return false;
    if (c->id) {
        a->stays = c->id = 0;
    } else {
        *c = (struct await_change){.object = op->object, .before = op->other, .after = op->value,
                                   .size = op->size, .id = rt.trace->event_count + 1,
                                   .adds = adds(rt.self, op)};
    }
    a->clean = a->count;
    return true;
}

/* ---- nobody can go on --------------------------------------------------------------------------- */

static bool waits(const struct thread *t)
{
    return tset_has(&rt.live, t->id) && t->state == THREAD_PENDING && t->await.state;
}

/* Before what would put back its change. */
static bool stands_within(const struct thread *t)
{
    return waits(t) && t->await.may_undo && !t->await.change.seen &&
           rt.next[t->id].flags & EVENT_SPINNING;
}

static void write_all(bool back)
{
    for (struct thread *t = rt.all; t < rt.all + rt.threads; t++) {
        const struct await_change *c = &t->await.change;
        if (!stands_within(t))
            continue;
        uint64_t by = c->after - c->before, value = access_value(c->object, c->size);
        value += back ? -by : by; /* others may have added something */
        memcpy((void *)c->object, &value, c->size);
    }
}

/* Does the thread change it in its round, whether it stands within that change or has put it back? */
static bool changes_in_round(const struct thread *by, const struct await_look *look)
{
    const struct await *a = &by->await;
    if (stands_within(by) && overlaps(&a->change, look->object, look->size))
        return true;
    for (uint32_t i = a->head; i < a->count; i++)
        if (a->looks[i].changes && a->looks[i].object < look->object + look->size &&
            look->object < a->looks[i].object + a->looks[i].size)
            return true;
    return false;
}

/* Does the round of t, which begins with that look, look at what another thread changes so? At the end, where
 * it goes round with either value, it may. */
static bool looks_within(const struct thread *t)
{
    const struct await *a = &t->await;
    uint32_t last = 0;
    for (struct thread *by = rt.all; by < rt.all + rt.threads; by++)
        for (uint32_t i = a->head; by != t && waits(by) && i < a->count; i++) {
            bool last_one = i + 1 == a->count, at_end = last_one && !stands_within(t);
            bool looks = !(last_one ? a->blind : a->looks[i].blind) && changes_in_round(by, &a->looks[i]);
            if (looks && (!at_end || last++))
                return true;
        }
    return false;
}

/* Would all others go round even while a round that has come to its end stood within that change of its? */
static bool all_stay(const struct thread *by, const struct await_look *change, bool (*same)(struct thread *t))
{
    uint64_t now = access_value(change->object, change->size);
    bool all = true;
    if (change->blind || change->result == now)
        return true;
    memcpy((void *)change->object, &change->result, change->size);
    for (struct thread *t = rt.all; t < rt.all + rt.threads; t++)
        all &= t == by || !waits(t) || same(t);
    memcpy((void *)change->object, &now, change->size);
    return all;
}

/* The same of every change in every round. */
static bool all_stay_within(bool (*same)(struct thread *t))
{
    for (struct thread *t = rt.all; t < rt.all + rt.threads; t++) {
        struct await *a = &t->await;
        if (!waits(t) || !(stands_within(t) || same(t)))
            continue;
        for (uint32_t i = a->head; i + 1 < a->count; i++)
            if (a->looks[i].changes && !all_stay(t, &a->looks[i], same))
                return false;
    }
    return true;
}

bool await_undo_for_ever(bool (*same)(struct thread *t))
{
    bool within = false, depends = false, all = true;
    for (struct thread *t = rt.all; t < rt.all + rt.threads; t++) {
        within |= stands_within(t);
        all &= !waits(t) || stands_within(t) || same(t);
    }
    if (!all)
        return false;
    write_all(true);
    for (struct thread *t = rt.all; within && t < rt.all + rt.threads; t++)
        all &= !waits(t) || same(t);
    write_all(false);
    if (!all || !all_stay_within(same))
        return false;
    for (struct thread *t = rt.all; t < rt.all + rt.threads; t++)
        depends |= waits(t) && looks_within(t);
    if (depends)
        finding_incomplete("threads wait in loops for what others change and put back in loops: whether "
                           "they do so for ever is not known");
    return !depends;
}
