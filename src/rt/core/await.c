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
 * was read there by plain accesses, which belongs to the fact. A thread that stands before that
 * look in state K and has come through S since it changed anything does not perform it while it
 * would read v. If S is K (a loop with one look) it waits where it is; if not, the looks before the
 * last one stand in the trace, and that they come earlier or later is explored as for any read.
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
#include "rt/core/await_try.h"
#include "rt/core/sched.h"
#include "rt/core/spin.h"
#include "rt/posix/cancel.h"
#include "rt/posix/signals.h"
#include "rt/sym/sym.h"

#include <sys/mman.h>

#define FACTS (1u << 14)
#define MISSED 4096
#define BEGIN_AGAIN 40 /* times at most, because a fact was missed … */
#define AT_ONCE 20     /* … so often; then after some more executions, which may show further ones */

/* Reading v in state `look` leads to `head`, if these hold what they held. */
struct loop_fact {
    uint64_t look, value, head;
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

static uint32_t lessons_known; /* of shared->lessons, looked at so far */
static uint8_t filter[4096];

static uint32_t filter_index(uint64_t pc)
{
    return (uint32_t)(pc ^ pc >> 12) & 4095;
}

void await_reset(void)
{
    const struct lessons *l = &rt.shared->lessons;
    rt.awaits = rt.engine.awaits && l->count && !sym_explores();
    rt.reconsider = rt.lock_rounds = rt.guards = rt.tries = false;
    if (!rt.awaits) /* as in every execution of a program without such loops */
        return;
    for (; lessons_known < l->count; lessons_known++)
        filter[filter_index(l->items[lessons_known].key)] = 1;
    await_lock_reset();
    await_try_reset();
}

void await_init(void)
{
    facts = mmap(NULL, sizeof *facts, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (facts == MAP_FAILED)
        rt_fatal("no memory for what is known of loops");
    await_lock_init();
}

bool await_knows(uint64_t key, uint64_t with)
{
    const struct lessons *l = &rt.shared->lessons;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->items[i].key == key && l->items[i].with == with)
            return true;
    return false;
}

bool await_is(uint64_t pc, uint64_t with)
{
    return filter[filter_index(pc)] && await_knows(pc, with);
}

void await_learn(uint64_t key, uint64_t with)
{
    struct lessons *l = &rt.shared->lessons;
    if (await_knows(key, with))
        return;
    if (l->count == SHARED_LESSONS) {
        finding_limit(LIMIT_LESSONS, SHARED_LESSONS);
        return;
    }
    l->items[l->count++] = (struct lesson){key, with};
    rt.restart = true;
}

#define COPIES 16 /* of a loop's first round, by which others may enter it */

void await_learn_places(uint64_t pc, uint64_t with)
{
    uint64_t alike[COPIES];
    if (await_knows(pc, with))
        return;
    uint32_t n = live_alike(pc, alike, COPIES);
    await_learn(pc, with);
    for (uint32_t i = 0; i < n; i++)
        await_learn(alike[i], with);
}

void await_learn_place(uint64_t pc)
{
    await_learn_places(pc, LESSON_PLACE);
}

void await_learn_loop(const struct thread *t)
{
    const struct spin_entry *end = t->ring + t->ring_count;
    if (t->ring_count > AWAIT_LOOKS)
        return;
    for (const struct spin_entry *r = t->ring; r < end; r++)
        if (!r->is.plain && !await_in_memory(r->is.kind, r->size))
            return;
    for (const struct spin_entry *r = t->ring; r < end; r++)
        if (!r->is.plain)
            await_learn_place(r->pc);
    if (rt.restart)
        sched_end_execution(OUTCOME_ABANDONED);
}

/* ---- facts -------------------------------------------------------------------------------------- */

static uint32_t place_of(uint64_t look, uint64_t value)
{
    return (uint32_t)((look ^ value * 0xbf58476d1ce4e5b9u) * 0x9e3779b97f4a7c15u >> 50);
}

static bool holds(const struct loop_fact *f)
{
    for (uint32_t i = 0; i < f->plain_count; i++)
        if (access_value(f->plain[i].address, f->plain[i].size) != f->plain[i].value)
            return false;
    return true;
}

/* The look of the round under way that it begins with; -1: it is not there. */
static int head_of(const struct thread *t, uint64_t state)
{
    for (uint32_t i = t->await.count; i-- > 0;)
        if (t->await.looks[i].state == state)
            return (int)i;
    return -1;
}

/* Where reading the value in that state leads, if it is known; 0 otherwise. */
static uint64_t leads_to(uint64_t look, uint64_t value)
{
    for (uint32_t i = place_of(look, value); look && facts->items[i].look; i = (i + 1) % FACTS) {
        const struct loop_fact *f = &facts->items[i];
        if (f->look == look && f->value == value && holds(f))
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

/* The last look of t, which reads that value, leads to that state: would an earlier one have done so? */
static bool was_needless(const struct thread *t, uint64_t value, uint64_t state)
{
    for (uint32_t i = 0; i + 1 < t->await.count && !rt.engine.only_rounds; i++)
        if (leads_to(before_same(t, i), value) == state)
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
    for (uint32_t i = 0; i + 1 < t->await.count; i++) {
        uint64_t before = before_same(t, i);
        if (before && !leads_to(before, value))
            is_missed(before, value, state, true);
    }
}

/* What is known of t's reading the value in its present state: it goes round, or it need not have
 * looked before. */
static const struct loop_fact *find(const struct thread *t, uint64_t value)
{
    uint64_t look = t->await.state;
    for (uint32_t i = place_of(look, value); facts->items[i].look; i = (i + 1) % FACTS) {
        const struct loop_fact *f = &facts->items[i];
        if (f->look == look && f->value == value && holds(f) &&
            (head_of(t, f->head) >= 0 || was_needless(t, value, f->head)))
            return f;
    }
    return NULL;
}

int await_fails(uint64_t state, uint64_t value)
{
    for (uint32_t i = place_of(state, value); facts->items[i].look; i = (i + 1) % FACTS) {
        const struct loop_fact *f = &facts->items[i];
        if (f->look == state && f->value == value && f->head == state && !f->plain_count)
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
    if (!last->state || t->await.plain_count > AWAIT_PLAIN || last->step + 1 != rt.trace->step_count)
        return false;
    if (leads_to(last->state, last->value) == state)
        return true;
    if (facts->count >= FACTS / 2) { /* the round stands, as those do of which nothing can be known */
        finding_warn(last->pc, "loops wait in more than %u different states: further rounds are executed",
                     FACTS / 2);
        return false;
    }
    struct loop_fact f = {
        .look = last->state, .value = last->value, .head = state, .plain_count = t->await.plain_count};
    for (uint32_t i = 0; i < f.plain_count; i++)
        f.plain[i] = t->await.plain[i];
    add(&f);
    if (is_missed(f.look, f.value, state, false) || facts->since)
        begin_again();
    return true;
}

/* The last look did not happen: the execution once more without it. */
static void take_back(const struct thread *t)
{
    if (rt.trace->step_count < rt.trace->prefix)
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

bool await_interruptible_slow(const struct thread *t)
{
    return t->cancel_async || !cancel_acts(t) || signals_come(t);
}

void await_arrive(struct event *op)
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
    uint64_t state = spin_state(op);
    int head = head_of(t, state);
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
    a->looks[a->count++] = (struct await_look){.state = state, .object = op->object, .size = op->size};
    a->state = state;
    rt.suspects = true;
    op->flags |= EVENT_SPUN;
    if (op->kind == EV_LOAD)
        op->other = state;
    if (find(t, access_value(op->object, op->size)))
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
    a->plain_count = 0;
    t->round.at = t->round.fact = 0;
    if (RT_UNLIKELY(rt.guards) && await_in_memory(op->kind, op->size) && !spin_only_looks(op))
        await_lock_wrote(op->object, op->size);
    if (!await_looks(op)) {
        a->state = a->count = 0;
        return;
    }
    if (!a->state && a->count) /* elsewhere */
        a->looks[a->count == AWAIT_LOOKS ? a->count = 0 : a->count++].state = 0;
    a->state = 0;
    if (!a->count)
        return;
    struct await_look *l = &a->looks[a->count - 1];
    l->pc = op->pc;
    l->object = op->object;
    l->size = op->size;
    l->value = op->kind == EV_RMW ? op->other : op->value;
    l->step = rt.trace->step_count - 1;
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
        if (!await_interruptible(&rt.all[t]) && find(&rt.all[t], access_value(op->object, op->size))) {
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

static bool reads_the_same(const struct thread *t)
{
    const struct loop_fact *f = find(t, access_value(rt.next[t->id].object, rt.next[t->id].size));
    if (!f || head_of(t, f->head) < 0)
        return false;
    for (uint32_t i = (uint32_t)head_of(t, f->head); i + 1 < t->await.count; i++)
        if (access_value(t->await.looks[i].object, t->await.looks[i].size) != t->await.looks[i].value)
            return false;
    return true;
}

bool await_for_ever(void)
{
    TSET_FOR(t, &rt.live)
        if (waits_here(t) && !reads_the_same(&rt.all[t]))
            return false;
    return true;
}

bool await_let_go(void)
{
    TSET_FOR(t, &rt.live) {
        struct thread *th = &rt.all[t];
        if (!waits_here(t) || reads_the_same(th))
            continue;
        th->await.state = th->await.count = 0;
        rt.next[t].flags &= (uint8_t)~EVENT_SPINNING;
        tset_add(&rt.enabled, t);
    }
    return !tset_empty(&rt.enabled);
}
