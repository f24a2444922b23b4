/* Why leaving such rounds out loses nothing, and what is left out exactly.
 *
 * Take any execution of the program, and in it a round of thread t: it stands before a look in
 * state S (registers, stack, arguments; spin_state), performs looks only — reads, compare-exchanges
 * that fail, updates and stores that leave the value as it is — and stands before the same look in S again.
 * Taken out of the execution, the round changes nothing for anybody: it wrote nothing, and t is
 * where it was. So every state, every failure and every deadlock is reached by an execution without
 * such rounds, and those are all that is explored. (JACM 2017's theorem holds for the smaller
 * system, whose threads perform no last look of such a round. The same idea on compiled loops:
 * Jonsson, Lång and Sagonas, "Awaiting for Godot", FMCAD 2022; Kokologiannakis and others, SAVer.)
 *
 * A round ends with its last look, in state K, reading v: that K and v lead back to S without
 * another operation is a *fact* about the program's code, whatever else memory holds, but for what
 * was read there by plain accesses, which belongs to the fact (and may be in a race:
 * await_reads.c). A thread that stands before that look in state K and has come through S since it
 * changed anything does not perform it while it would read v. If S is K (a loop with one look) it
 * waits where it is; if not, the looks before the last one stand in the trace, and that they come
 * earlier or later is explored as for any read.
 *
 * The same holds for looks that need not have come earlier: t stands before a look in state K,
 * reading v there leads to L, and before an earlier look of its at the same object, in state S, reading
 * v would have led to L just as well (a compare-exchange that fails and brings the new value with it,
 * after a load that would have brought it). With the looks from S on taken out and the one in S performed
 * now, t is in L, and nobody else sees a difference. So t does not perform the look in K while it would
 * lead to L. That S and a value lead to L is a fact of the same kind. (At another object: who writes there
 * would keep t from the look in K, though the two are independent, and L could be missed.)
 *
 * Facts are found by going round once: the execution is given up there, and its next attempt finds
 * the thread waiting (engine.retry). They are kept for the rest of the search; places where states
 * must be known on arrival are lessons, with which the search begins again; it also does when a
 * look turns out to have been needless that was performed before that was known.
 *
 * When nobody can go on: a thread that waits goes round for ever if the other looks of its round
 * would read again what they read; otherwise it could go on, and the execution is one that another
 * covers. */
#include "rt/core/await.h"

#include "rt/abi/access.h"
#include "rt/check/finding.h"
#include "rt/code/live.h"
#include "rt/core/await_lock.h"
#include "rt/core/await_reads.h"
#include "rt/core/await_try.h"
#include "rt/core/await_undo.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/sym/sym.h"

#include <sys/mman.h>

#define FACTS (1u << 14)
#define MISSED 4096
#define BEGIN_AGAIN 40 /* times at most, because a fact was missed … */
#define AT_ONCE 20     /* … so often; then after some more executions, which may show further ones */

/* Reading v in state `look` leads to `head`, if these hold what they held. */
struct loop_fact {
    uint64_t look, value, head;
    uint64_t result; /* what it writes, if it changes the variable (await_undo.h) */
    bool changes;
    uint32_t plain_count;
    struct await_plain plain[AWAIT_PLAIN];
};

/* Shared with the processes of --isolate fork. */
static struct loop_facts {
    uint32_t count;
    struct loop_fact items[FACTS];
    /* Facts that would have spared a look which was performed: hashes of state, value and where it led. */
    uint64_t missed[MISSED];
    uint32_t missed_count, begun_again;
    uint32_t asked; /* so many facts were known when that was asked last */
    uint64_t since; /* the execution, from 1, in which one was missed that the search does not know; or 0 */
} *facts;

static __attribute__((noinline)) void reset_all(void)
{
    await_lessons_reset();
    await_lock_reset();
    await_try_reset();
    await_undo_reset();
    await_reads_reset();
}

void await_reset(void)
{
    const struct lessons *l = &rt.shared->lessons;
    rt.awaits = rt.engine.awaits && l->count && !sym_explores();
    rt.reconsider = rt.lock_rounds = rt.guards = rt.tries = rt.undoes = false;
    if (RT_UNLIKELY(rt.awaits)) /* not in a program without such loops */
        reset_all();
}

void await_init(void)
{
    facts = mmap(NULL, sizeof *facts, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (facts == MAP_FAILED)
        rt_fatal("no memory for what is known of loops");
    await_lock_init();
    await_undo_init();
    await_reads_init();
}

/* ---- facts -------------------------------------------------------------------------------------- */

static uint32_t place_of(uint64_t look, uint64_t value)
{
    return (uint32_t)((look ^ value * 0xbf58476d1ce4e5b9u) * 0x9e3779b97f4a7c15u >> 50);
}

static bool holds(const struct loop_fact *f)
{
    if (await_reads_stand(f->plain, f->plain_count))
        return false;
    for (uint32_t i = 0; i < f->plain_count; i++)
        if (access_value(f->plain[i].address, f->plain[i].size) != f->plain[i].value)
            return false;
    return true;
}

/* The look of the round under way that it begins with, within that change; -1: it is not there. */
static int head_of(const struct thread *t, uint64_t state, uint32_t change)
{
    for (uint32_t i = t->await.count; i-- > 0;)
        if (t->await.looks[i].state == state && t->await.looks[i].change == change)
            return (int)i;
    return -1;
}

static uint64_t value_now(const struct await_look *l)
{
    return access_value(l->object, l->size);
}

/* By the look that the thread stands before; 0: it makes no difference. */
static uint64_t value_read(const struct await *a)
{
    return a->blind ? 0 : value_now(&a->looks[a->count - 1]);
}

/* Where reading the value in that state leads, if it is known; 0 otherwise. */
static uint64_t leads_to(uint64_t look, uint64_t value, bool changes)
{
    for (uint32_t i = place_of(look, value); look && facts->items[i].look; i = (i + 1) % FACTS) {
        const struct loop_fact *f = &facts->items[i];
        if (f->look == look && f->value == value && f->changes == changes && holds(f))
            return f->head;
    }
    return 0;
}

/* The state before t's look number i, if that was at what its last one is at; 0 otherwise. */
static uint64_t before_same(const struct thread *t, uint32_t i)
{
    const struct await_look *l = &t->await.looks[i], *last = &t->await.looks[t->await.count - 1];
    return l->object == last->object && l->size == last->size ? l->state : 0;
}

/* The last look of t, which reads that value, leads to that state: would an earlier one, since it changed
 * anything, have done so? */
static bool was_needless(const struct thread *t, uint64_t value, uint64_t state)
{
    for (uint32_t i = t->await.clean; i + 1 < t->await.count && !rt.engine.only_rounds; i++)
        if (leads_to(before_same(t, i), value, false) == state)
            return true;
    return false;
}

/* Is that fact among those that were missed? `add`: from now on it is. */
static bool is_missed(uint64_t look, uint64_t value, uint64_t head, bool add)
{
    uint64_t key = ((look * 31 + value) * 0x9e3779b97f4a7c15u ^ head) | 1;
    uint32_t i = (uint32_t)(key >> 52);
    while (facts->missed[i] && facts->missed[i] != key)
        i = (i + 1) % MISSED;
    bool was = facts->missed[i];
    if (!was && add && facts->missed_count < MISSED / 2) {
        facts->missed[i] = key;
        facts->missed_count++;
    }
    return was;
}

/* The look before the present state has been performed: had it been known that an earlier one leads
 * there … */
static void note_missed(const struct thread *t, uint64_t state)
{
    uint64_t value = t->await.looks[t->await.count - 1].value;
    for (uint32_t i = t->await.clean; i + 1 < t->await.count; i++) {
        uint64_t before = before_same(t, i);
        if (before && !leads_to(before, value, false))
            is_missed(before, value, state, true);
    }
}

/* The look that the round of t begins with which that fact ends; -1: it does not end one. */
static int begins(const struct thread *t, const struct loop_fact *f)
{
    const struct await *a = &t->await;
    if (f->changes != a->may_undo || (f->changes && !await_undo_gives_back(a, f->value, f->result)))
        return -1;
    return head_of(t, f->head, f->changes ? 0 : a->change.id);
}

/* What is known of t's reading the value in its present state: it goes round, or it need not have
 * looked before. */
static const struct loop_fact *find(const struct thread *t, uint64_t value)
{
    uint64_t look = t->await.state;
    for (uint32_t i = place_of(look, value); facts->items[i].look; i = (i + 1) % FACTS) {
        const struct loop_fact *f = &facts->items[i];
        if (f->look == look && f->value == value && holds(f) &&
            (begins(t, f) >= 0 || (!f->changes && !t->await.may_undo && was_needless(t, value, f->head))))
            return f;
    }
    return NULL;
}

/* Would the look before which t stands lead back? */
static bool waits_now(const struct thread *t)
{
    const struct loop_fact *f = find(t, value_read(&t->await));
    if (f)
        await_reads_left(t, f->plain, f->plain_count);
    return f;
}

int await_fails(uint64_t state, uint64_t value)
{
    for (uint32_t i = place_of(state, value); facts->items[i].look; i = (i + 1) % FACTS) {
        const struct loop_fact *f = &facts->items[i];
        if (f->look == state && f->value == value && f->head == state && !f->plain_count && !f->changes)
            return 1;
    }
    return 0;
}

static void add(const struct loop_fact *f)
{
    uint32_t i = place_of(f->look, f->value);
    while (facts->items[i].look)
        i = (i + 1) % FACTS;
    facts->items[i] = *f;
    facts->count++;
}

bool await_missed(void)
{
    return facts->since;
}

bool await_knows_more(void)
{
    if (facts->asked == facts->count || facts->begun_again >= BEGIN_AGAIN)
        return false;
    facts->asked = facts->count;
    facts->since = 0;
    facts->begun_again++;
    return true;
}

/* ---- looks -------------------------------------------------------------------------------------- */

/* Were there looks at places whose state is not known on arrival? Then it is from now on. */
static void learn_places(const struct thread *t, uint32_t head)
{
    for (uint32_t i = head; i < t->await.count; i++)
        if (!t->await.looks[i].state)
            await_learn_place(t->await.looks[i].pc);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

/* The search is to begin with the facts that it has missed, sooner or later. */
static void begin_again(void)
{
    uint32_t times = facts->begun_again;
    uint64_t now = rt.shared->executions + rt.shared->blocked + 1;
    if (!facts->since || facts->since > now)
        facts->since = now;
    if (times >= BEGIN_AGAIN || (times >= AT_ONCE && now - facts->since < 10ull << (times - AT_ONCE)))
        return;
    facts->since = 0;
    facts->begun_again++;
    rt.restart = true;
    sched_end_execution(OUTCOME_ABANDONED);
}

/* The last look has led to that state, which is known from now on; false: there is nothing to be known. */
static bool learn(const struct thread *t, uint64_t state)
{
    const struct await_look *last = &t->await.looks[t->await.count - 1];
    if (!last->state || t->await.plain_count > AWAIT_PLAIN || last->step + 1 != rt.trace->step_count ||
        await_reads_stand(t->await.plain, t->await.plain_count))
        return false;
    if (leads_to(last->state, last->value, last->changes) == state)
        return true;
    if (facts->count >= FACTS / 2) { /* the round stands, as those do of which nothing can be known */
        finding_warn(last->pc, "loops wait in more than %u different states: further rounds are executed",
                     FACTS / 2);
        return false;
    }
    struct loop_fact f = {
        .look = last->state, .value = last->value, .head = state, .plain_count = t->await.plain_count,
        .changes = last->changes, .result = last->result};
    for (uint32_t i = 0; i < f.plain_count; i++)
        f.plain[i] = t->await.plain[i];
    add(&f);
    if (await_undo_doubted(f.look, f.value)) {
        rt.restart = true;
        sched_end_execution(OUTCOME_ABANDONED);
    }
    if (is_missed(f.look, f.value, state, false) || facts->since)
        begin_again();
    return true;
}

/* The last look did not happen: the execution once more without it. */
static void take_back(const struct thread *t)
{
    if (rt.trace->step_count < rt.trace->prefix || rt.strategy->follows) /* it waits in the next round */
        return;
    rt.engine.retry = t->await.looks[t->await.count - 1].step + 1;
    sched_end_execution(OUTCOME_ABANDONED);
}

/* The thread is back in the state of its look number `head`. */
static void round_ends(struct thread *t, uint32_t head)
{
    learn_places(t, head);
    if (learn(t, t->await.looks[head].state))
        take_back(t);
    t->await.count = 0;
}

void await_arrive(struct event *op, bool acquires)
{
    struct thread *t = rt.self;
    struct await *a = &t->await;
    a->state = 0;
    if (t->wrote) {
        spin_clear(t);
        t->wrote = false;
    }
    if (a->count == AWAIT_LOOKS)
        a->count = 0;
    if (await_interruptible(t)) /* it does not wait here: taken back, the round would only come again */
        a->count = 0;
    if (!a->count)
        await_undo_forget(a);
    uint64_t state = spin_state(op);
    int head = a->stays && a->stays == a->count ? -1 : head_of(t, state, a->change.id);
    if (head >= 0 || op->size > 8 || await_interruptible(t)) {
        if (head >= 0)
            round_ends(t, (uint32_t)head);
        if (t->spin_pc == op->pc) /* as without us */
            spin_before_repeated(op);
        return;
    }
    if (a->count && learn(t, state)) {
        if (was_needless(t, a->looks[a->count - 1].value, state))
            take_back(t);
        if (!rt.engine.only_rounds)
            note_missed(t, state);
    }
    a->looks[a->count++] = (struct await_look){
        .state = state, .object = op->object, .size = op->size, .change = a->change.id};
    a->state = state;
    rt.suspects = true;
    a->may_undo = await_undo_may(a, op);
    a->adds = rt.undoes && op->pc == a->add_pc;
    a->blind = await_undo_blind(t, op);
    if (!a->may_undo)
        op->flags |= EVENT_SPUN;
    if (op->kind == EV_LOAD)
        op->other = state;
    a->acquires = acquires;
    if (waits_now(t))
        op->flags |= EVENT_SPINNING;
    else if (t->spin_pc == op->pc) { /* a round that is not known as one: too many looks */
        spin_before_repeated(op);
        if (op->flags & EVENT_SPINNING || t->awaiting)
            a->state = a->count = 0;
    }
}

static bool await_looks(const struct event *op)
{
    return await_in_memory(op->kind, op->size) && spin_only_looks(op);
}

void await_looked(struct thread *t, const struct event *op)
{
    struct await *a = &t->await;
    bool own = RT_UNLIKELY(rt.undoes) && await_undo_performed(a, op);
    a->plain_count = 0;
    t->round.at = t->round.fact = 0;
    if (RT_UNLIKELY(rt.guards))
        await_reads_performed(op);
    bool looks = await_looks(op);
    if (!looks && !(RT_UNLIKELY(rt.undoes) && a->state && await_undo_changed(a, op))) {
        a->state = a->count = 0;
        return;
    }
    if (!a->state && a->count) /* elsewhere */
        a->looks[a->count == AWAIT_LOOKS ? a->count = 0 : a->count++] =
            (struct await_look){.change = a->change.id};
    bool blind = a->state && a->blind;
    a->state = 0;
    if (!a->count)
        return;
    struct await_look *l = &a->looks[a->count - 1];
    l->pc = op->pc;
    l->object = op->object;
    l->size = op->size;
    l->value = blind ? 0 : op->kind == EV_RMW || op->kind == EV_STORE ? op->other : op->value;
    l->step = rt.trace->step_count - 1;
    l->changes = !looks;
    l->own = own || blind;
    l->blind = blind;
    l->result = blind ? op->value - op->other : op->value;
}

/* ---- waiting ------------------------------------------------------------------------------------ */

static bool waits_here(int t)
{
    return rt.all[t].state == THREAD_PENDING && rt.all[t].await.state;
}

void await_reconsider(void)
{
    rt.reconsider = false;
    if (RT_UNLIKELY(rt.guards))
        await_lock_reconsider();
    TSET_FOR(t, &rt.live) {
        struct event *op = &rt.next[t];
        if (!waits_here(t))
            continue;
        if (!await_interruptible(&rt.all[t]) && waits_now(&rt.all[t])) {
            op->flags |= EVENT_SPINNING;
            tset_remove(&rt.enabled, t);
        } else if (op->flags & EVENT_SPINNING) {
            op->flags &= (uint8_t)~EVENT_SPINNING;
            tset_add(&rt.enabled, t);
        }
    }
}

bool await_goes_on(int t)
{
    if (t >= rt.threads || !waits_here(t) || rt.all[t].block || !(rt.next[t].flags & EVENT_SPINNING))
        return false;
    rt.next[t].flags &= (uint8_t)~EVENT_SPINNING;
    tset_add(&rt.enabled, t);
    return true;
}

static bool reads_the_same(struct thread *t)
{
    struct await *a = &t->await;
    uint64_t value = await_undo_value(a, value_read(a));
    const struct loop_fact *f = find(t, value);
    if (RT_UNLIKELY(rt.undoes) && !f)
        await_undo_doubt(a->state, value);
    int head = f ? begins(t, f) : -1;
    for (uint32_t i = (uint32_t)head; head >= 0 && i + 1 < a->count; i++)
        if (!a->looks[i].own && value_now(&a->looks[i]) != a->looks[i].value)
            return false;
    a->head = (uint32_t)head;
    return head >= 0;
}

bool await_for_ever(void)
{
    if (RT_UNLIKELY(rt.undoes))
        return await_undo_for_ever(reads_the_same);
    TSET_FOR(t, &rt.live)
        if (waits_here(t) && !reads_the_same(&rt.all[t]))
            return false;
    return true;
}

bool await_let_go(void)
{
    TSET_FOR(t, &rt.live) {
        struct thread *th = &rt.all[t];
        if (!waits_here(t) || (reads_the_same(th) && !th->await.may_undo))
            continue;
        th->await.state = th->await.count = 0;
        rt.next[t].flags &= (uint8_t)~EVENT_SPINNING;
        tset_add(&rt.enabled, t);
    }
    return !tset_empty(&rt.enabled);
}
