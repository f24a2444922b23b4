/* Systematic testing with unfoldings (figures 3.11 and 5.5 of the thesis that net.h names): an execution
 * is run for an event that is known to be possible and was not performed yet; what it shows is added to
 * the net; and every event that has become possible by that, in this execution or in one that can be put
 * together from parts of several, is found (extend.c) and kept for later. When none is left, every thread
 * has been seen in every local state that it can reach.
 *
 *   context   who only looks at an object reads its condition (chapter 5)
 *   unfold    place replication (chapter 3) */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"
#include "object/dependence.h"

#include <stdio.h>
#include <string.h>

/* Of a search that was begun again because of what it came to: there may be more of that, and the later it is
 * found, the more was in vain. */
enum { PROBES = 256 };

/* What was allocated so far is reserved at its largest size and costs nothing. */
static int begin_keeping(struct engine *e)
{
    struct unfold *u = e->state;
    u->kept_from = e->arena->used;
    u->memory = engine_memory(e);
    u->overlook = engine_option(e, "overlook", 0);
    return unfold_properties_init(e);
}

static int context_init(struct engine *e)
{
    struct unfold *u = e->state = arena_alloc(e->arena, sizeof *u);
    e->awaits = e->meets = e->orbits = 1;
    if (!u || net_init(&u->net, e->arena) || parts_init(&u->parts, e->arena))
        return -1;
    u->room = e->trace->event_room;
    u->probes = e->begun ? PROBES : 0;
    u->waiting = arena_alloc(e->arena, u->net.event_room * sizeof *u->waiting);
    u->now = arena_alloc(e->arena, u->net.slot_room * sizeof *u->now);
    u->path = arena_alloc(e->arena, UNFOLD_PATH_SLOTS * UNFOLD_PATH_DEEP * sizeof *u->path);
    u->fresh = arena_alloc(e->arena, u->room * sizeof *u->fresh);
    u->standpoints = arena_alloc(e->arena, 2 * u->room * sizeof *u->standpoints);
    u->looks = arena_alloc(e->arena, NET_TOUCHES * u->room * sizeof *u->looks);
    u->last_look = arena_alloc(e->arena, u->net.slot_room * sizeof *u->last_look);
    u->found = arena_alloc(e->arena, NET_TOUCHES * u->room * sizeof *u->found);
    u->marks = arena_alloc(e->arena, u->room * sizeof *u->marks);
    u->plan = arena_alloc(e->arena, (u->net.order_room + 1) * sizeof *u->plan);
    u->wishes = arena_alloc(e->arena, (u->net.order_room + 1 + UNFOLD_AVOIDED) * sizeof *u->wishes);
    u->holds = arena_alloc(e->arena, u->net.order_room + 1 + UNFOLD_AVOIDED);
    return u->waiting && u->now && u->path && u->fresh && u->standpoints && u->looks && u->last_look &&
                   u->found && u->marks && u->plan && u->wishes && u->holds &&
                   !unfold_past_init(u, e->arena) && net_thread_slot(&u->net, 0)
               ? begin_keeping(e)
               : -1;
}

static int unfold_init(struct engine *e)
{
    if (context_init(e))
        return -1;
    ((struct unfold *)e->state)->net.replicates = true;
    return 0;
}

static void unfold_begin(struct engine *e)
{
    struct unfold *u = e->state;
    u->fresh_count = u->standpoint_count = u->plan_at = 0;
    u->trace = e->trace;
    unfold_past_begin(u, e->trace);
    u->passed_over = false;
    u->moved = (struct tset){{0}};
    u->newest = u->past.count ? u->past.done[u->past.count - 1].event : NULL;
    u->go_on = e->go_on;
    u->net.will_use = e->will_use;
    u->fails = e->fails;
    u->suit = e->suit;
    u->made_concrete = e->made_concrete;
    u->concretise = e->config->concretise;
    memset(u->choices, 0, sizeof u->choices);
    memset(u->condition, 0, (size_t)u->net.threads * sizeof *u->condition);
    memset(u->ports, 0, (size_t)u->net.threads * sizeof *u->ports);
}

/* ---- an execution ------------------------------------------------------------------------------------- */

/* Has the thread, which stands at c, done this before with what is there now? */
static bool nothing_new(struct unfold *u, struct net_condition *c, unsigned kind)
{
    const struct net_want *w = net_wants(c);
    while (w && w->kind != kind)
        w = w->next;
    if (!w || w->past)
        return true;
    if (!net_down(c)) /* nobody has gone on from there */
        return false;
    struct net_condition *touched[NET_TOUCHES] = {NULL};
    struct net_event like;
    for (int i = 0; i < w->touches; i++)
        touched[i] = *unfold_now(u, w->slot[i]);
    (void)unfold_now(u, 0);
    if (!unfold_like(u, w, c, touched, u->now, &like))
        return true;
    const struct net_event *known = net_event(&u->net, &like, false);
    return known && known->state == NET_PERFORMED;
}

/* An enabled thread whose next operation leads to something new, if there is one. */
static int free_choice(struct unfold *u, const struct decision *d)
{
    TSET_FOR(t, d->enabled)
        if (!nothing_new(u, unfold_numbered(u, (unsigned)t), d->next[t].kind))
            return t;
    return decision_free(d, &(struct tset){{0}});
}

/* Is p what the thread is about to do? A receive is chosen among those that a selective wait may become;
 * the other side of a branch within an operation has the kind that it was performed as, a compare-exchange
 * that of an update. */
static bool is_pending(const struct net_event *p, const struct event *op)
{
    return p->kind == op->kind || (p->on_input && p->touches) ||
           (operation_is(op->kind, OP_SELECTS) && operation_is(p->kind, OP_ONE_SOURCE | OP_NOTHING));
}

/* An assumption has failed: no more findings, so the others are seen where they stand and no further. */
static int pass_over(struct engine *e, const struct decision *d)
{
    struct unfold *u = e->state;
    if (!u->passed_over) {
        struct tset standing = *d->live;
        TSET_FOR(t, &u->moved)
            tset_remove(&standing, t);
        unfold_note_written(e);
        unfold_note_wants(e, &standing, NULL, d->next);
        u->passed_over = true;
    }
    return decision_free(d, &(struct tset){{0}});
}

/* What is planned next is not what its thread can do: op, NULL if it is not there. */
static void stray(struct engine *e, struct net_event *p, const struct event *op, bool last)
{
    struct unfold *u = e->state;
    u->plan_count = 0;
    if (!op) {
        e->incomplete = "a thread was not created where it had been before (--engine optimal)";
    } else if (!last) { /* all but the target has happened like this before */
        unfold_not_known(e, op);
    } else if (unfold_thread(u, p->thread) == p->from) {
        p->state = NET_IMPOSSIBLE;
        if (u->inputs && (p->on_input || unfold_looks(op)))
            unfold_not_known(e, op); /* with others it may go on */
        if (unfold_looks(op) && p->touches)
            unfold_note_round(u, p->from, p->touch[0].at);
    }
}

static int unfold_choose(struct engine *e, const struct decision *d)
{
    struct unfold *u = e->state;
    if (e->only_looks)
        return pass_over(e, d);
    struct net_event *p = unfold_planned(u);
    int t = p ? unfold_names_number(&u->names, p->thread) : -1;
    if (t >= 0 && p->state == NET_PERFORMED && !u->properties && tset_has(d->enabled, t))
        return t; /* whatever there is to be seen was, when that was performed for the first time */
    unfold_note_written(e);
    unfold_note_wants(e, d->live, d->enabled, d->next);
    if (!p && u->packed)
        p = unfold_plan_more(u);
    bool last = p && u->plan_at + 1 == u->plan_count && p->state != NET_PERFORMED;
    t = p ? unfold_names_number(&u->names, p->thread) : -1;
    if (t >= 0 && tset_has(d->enabled, t) && (!last || is_pending(p, &d->next[t])))
        return t;
    if (p)
        stray(e, p, t < 0 ? NULL : &d->next[t], last);
    return free_choice(u, d);
}

/* Several choices in one operation are one number. How many there are must not depend on the values chosen:
 * of who is woken on a futex it does not. */
static int unfold_branch(struct engine *e, const struct event *numbered, int n)
{
    struct unfold *u = e->state;
    struct event room;
    const struct event *op = unfold_names_event(&u->names, numbered, &room);
    struct net_condition *c = unfold_thread(u, op->thread);
    if (n & (int)STEP_SYMBOLIC)
        return unfold_take_side(e, op);
    int value = e->usual, before = u->choices[op->thread] ? u->choices[op->thread] : 1;
    for (uint32_t i = u->plan_at; i < u->plan_count; i++)
        if (u->plan[i]->from == c && u->plan[i]->branches)
            value = u->plan[i]->branch / before % n;
    if (before * n > UINT16_MAX)
        unfold_not_known(e, op);
    u->choice[op->thread] = (uint16_t)(before > 1 ? u->choice[op->thread] + value * before : value);
    u->choices[op->thread] = (uint16_t)(before * n);
    return u->names.moved ? unfold_choice(e, op, n, value) : value;
}

/* ---- the next one -------------------------------------------------------------------------------------- */

static bool all_known(const struct unfold *u)
{
    for (int i = 0; i < u->unknown_count; i++)
        if (!net_wants(u->unknown[i]))
            return false;
    return true;
}

/* There is no memory for more: how much of what is known was performed. */
static void tell_covered(struct engine *e)
{
    struct unfold *u = e->state;
    ensure(u->net.performed_count <= u->net.events);
    limit_reached(e->limits, LIMIT_MEMORY, engine_memory(e) >> 10);
    snprintf(u->why, sizeof u->why, "%u of %u known events of the unfolding were performed",
             u->net.performed_count, u->net.events);
    e->incomplete = e->incomplete ? e->incomplete : u->why;
}

/* A deadlock or a state with a property that no execution has shown: a plan without a target. */
static int plan_state(struct engine *e)
{
    struct unfold *u = e->state;
    if (!e->incomplete)
        e->incomplete = unfold_check(u);
    if (!all_known(u))
        e->incomplete = "a thread joins another one that did not end in any execution";
    if (!u->ended && !e->incomplete) /* a net of nothing but rounds has no state to ask for */
        e->incomplete = "no execution came to its end (--engine optimal)";
    if (e->incomplete)
        return false;
    enum answer answer = unfold_deadlock(u);
    if (unfold_stops(u))
        return true;
    if (u->net.full)
        tell_covered(e);
    else if (answer == ANSWER_UNKNOWN)
        e->incomplete = "it could not be decided whether there are deadlocks that no execution has shown";
    else if (answer != ANSWER_YES && u->left_waiting && !e->incomplete)
        e->incomplete = "a thread was left waiting in a loop though it could look again (--engine optimal)";
    if (answer != ANSWER_YES && !unfold_property(e))
        return false;
    memcpy(u->plan, u->net.order, u->net.order_count * sizeof *u->plan);
    u->plan_count = u->net.order_count;
    return true;
}

/* Other objects than before: an empty net. */
static int begin_anew(struct unfold *u)
{
    bool replicates = u->net.replicates;
    size_t before = u->net.arena->used;
    if (net_init(&u->net, u->net.arena) || !net_thread_slot(&u->net, 0))
        return -1;
    u->kept_from += u->net.arena->used - before; /* the nets until now stay where they are */
    u->net.replicates = replicates;
    u->waiting_count = u->packed = 0;
    u->plan_count = 0;
    u->begins_anew = u->overlooked = false;
    u->solver = NULL;
    u->shown_count = u->planned_count = u->cycle_count = 0;
    u->unknown_count = 0;
    u->avoided_count = 0;
    memset(u->recent, 0, sizeof u->recent);
    memset(u->recent_states, 0, sizeof u->recent_states);
    return 0;
}

/* Has every thread that there is before c ended before it? Then nobody can be waiting. */
static bool all_ended(const struct unfold *u, const struct net_condition *c)
{
    for (int t = 0; t < u->net.threads; t++) {
        uint32_t slot = u->net.thread_slot[t];
        const struct net_condition *tip = slot ? net_tip(&u->net, c, slot) : NULL;
        if (tip && net_maker(tip) && !unfold_has_ended(tip))
            return false;
    }
    return true;
}

/* Who ended the process, or would have: by exit(), which is not the end of its thread (but then it just ended
 * last), or main, which has returned. */
static void note_ends(struct engine *e)
{
    struct unfold *u = e->state;
    struct net_condition *last = e->exits ? unfold_numbered(u, (unsigned)e->exits - 1) : NULL;
    struct net_condition *main = e->returned ? unfold_numbered(u, 0) : NULL;
    if (last && !unfold_has_ended(last))
        last->exits = u->some_ends = true;
    if (main && unfold_has_ended(main) && !all_ended(u, main))
        main->exits = u->some_ends = true;
}

/* Threads of which no decision has shown what they stand before: they joined another one when nobody could go
 * on any more. Who stands where an assumption fails has nothing before it. */
static void note_unknown(struct engine *e)
{
    struct unfold *u = e->state;
    TSET_FOR(t, e->live) {
        struct net_condition *c = unfold_numbered(u, (unsigned)t);
        if (net_wants(c) || c->exits || unfold_has_ended(c))
            continue;
        if (tset_has(&e->gave_up, t) || !tset_has(&u->started, u->names.name[t]))
            continue;
        if (u->unknown_count < UNFOLD_UNKNOWN)
            u->unknown[u->unknown_count++] = c;
        else
            e->incomplete = "too many threads joined others that did not end";
    }
}

/* Has nobody ended the execution while others could go on? Then who has not ended waits. Who has
 * called exit() ends it when nobody can. */
static bool all_wait(const struct engine *e, enum outcome o)
{
    const struct unfold *u = e->state;
    bool exits = e->exits && !tset_has(e->live, e->exits - 1) &&
                 !unfold_has_ended(unfold_numbered(e->state, (unsigned)e->exits - 1));
    return o == OUTCOME_COMPLETE && tset_count(e->live) + exits == u->begun;
}

/* The last event was none. What the execution was on the way to is tried again. */
static void take_back(struct engine *e)
{
    struct unfold *u = e->state;
    struct net_event *none = u->newest;
    struct net_event *target = u->plan_count ? u->plan[u->plan_count - 1] : NULL;
    e->retry = 0;
    if (!none || !u->fresh_count || u->fresh[u->fresh_count - 1] != none ||
        none->touches != 1) {
        e->incomplete = "a round of a waiting loop could not be left out (--engine optimal)";
        return;
    }
    u->fresh_count--;
    unfold_forget_looks(u, none);
    u->now[none->from->slot] = none->from;
    u->now[none->touch[0].at->slot] = none->touch[0].at;
    unfold_note_round(u, none->from, none->touch[0].at);
    net_take_back(&u->net, none);
    if (target && target != none && target->state == NET_POSSIBLE)
        unfold_try_later(u, target);
}

/* Nobody can go on. Neither can the thread whose event the execution was to perform next, then. */
static void refuse_planned(struct engine *e)
{
    struct unfold *u = e->state;
    struct net_event *p = unfold_planned(u);
    int t = p ? unfold_names_number(&u->names, p->thread) : -1;
    if (t >= 0 && u->plan_at + 1 == u->plan_count && p->state == NET_POSSIBLE && tset_has(e->live, t))
        stray(e, p, &e->next[t], true);
}

static int unfold_end(struct engine *e, enum outcome o)
{
    struct unfold *u = e->state;
    u->stopped = false;
    u->ended |= o == OUTCOME_COMPLETE;
    u->left_waiting |= o == OUTCOME_WAITING;
    bool retry = e->retry;
    if (retry)
        take_back(e);
    unfold_note_written(e);
    if (!u->passed_over && tset_empty(&u->moved))
        unfold_note_wants(e, e->live, all_wait(e, o) ? &(struct tset){{0}} : NULL, e->next);
    note_ends(e);
    note_unknown(e);
    if (all_wait(e, o))
        refuse_planned(e);
    if (!tset_empty(&e->gave_up) && !u->begins_anew)
        unfold_given_up(e);
    (void)unfold_now(u, 0);
    unfold_past_end(u, o == OUTCOME_COMPLETE && !retry && !u->properties && tset_empty(&e->gave_up));
    if (u->begins_anew && !u->net.full)
        return begin_anew(u) ? 0 : ENGINE_AGAIN;
    if (e->stuck)
        unfold_deadlock_shown(u, u->now);
    unfold_extend(u);
    if (u->stopped)
        return 1;
    if (u->net.full || e->arena->used - u->kept_from > u->memory) {
        tell_covered(e);
        return 0;
    }
    if (unfold_plan_next(u))
        return 1;
    if (retry && !u->ended && !e->incomplete) { /* what comes instead of the event that was none */
        u->plan_count = 0;
        return 1;
    }
    return plan_state(e);
}

#define UNFOLDING                                                                                  \
    .guarantee = "every local state of every thread and every deadlock", .states = 1, .inputs = 1,    \
    .suits = 1, .settings = "overlook",                                                            \
    .begin = unfold_begin,                                                                         \
    .choose = unfold_choose, .branch = unfold_branch, .observe = unfold_observe,                   \
    .end = unfold_end

const struct engine_class engine_unfold = {.init = unfold_init, UNFOLDING};
const struct engine_class engine_context = {.init = context_init, UNFOLDING};
