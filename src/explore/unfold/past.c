/* What the execution before has done, event by event. The next one often begins alike: as far as the plan has
 * room for the same steps the runtime repeats them (trace.h), and they need not be followed again. */
#include "explore/unfold/unfold.h"

#include "base/ensure.h"

int unfold_past_init(struct unfold *u, struct arena *arena)
{
    u->past.done = arena_alloc(arena, u->room * sizeof *u->past.done);
    return u->past.done ? 0 : -1;
}

void unfold_past_note(struct unfold *u, struct net_event *done, uint32_t at)
{
    struct unfold_past *p = &u->past;
    ensure(p->count < u->room);
    p->done[p->count++] = (struct unfold_done){done, at, done->thread, done->to->depth};
}

/* Can the next one begin alike? Until it is known how, it begins from the start. */
void unfold_past_end(struct unfold *u, bool usable)
{
    struct unfold_past *p = &u->past;
    p->kept = p->steps = p->known = 0;
    unfold_past_stop(u);
    if (!usable || u->inputs)
        p->usable = 0;
}

/* The execution is where it was after so many events. */
static void rewind(struct unfold *u, uint32_t count)
{
    struct unfold_past *p = &u->past;
    ensure(count <= p->count);
    while (p->count > count) {
        const struct net_event *e = p->done[--p->count].event;
        u->now[e->from->slot] = e->from;
        for (int i = 0; i < e->touches; i++)
            if (net_put(e, i))
                u->now[e->touch[i].at->slot] = e->touch[i].at;
        unfold_forget_looks(u, e);
        if (operation_creates(e->kind))
            tset_remove(&u->started, (int)u->net.slots[e->touch[0].at->slot].object);
        else if (unfold_starts(e->kind))
            tset_remove(&u->started, e->thread);
        u->begun -= operation_creates(e->kind) - operation_ends(e->kind);
        if (operation_creates(e->kind))
            unfold_names_take_back(&u->names);
    }
}

void unfold_past_begin(struct unfold *u, struct trace *t)
{
    struct unfold_past *p = &u->past;
    if (p->kept) {
        rewind(u, p->kept);
    } else {
        while (u->look_count)
            unfold_forget_looks(u, u->looks[u->look_count - 1].event);
        p->count = 0;
        u->now_count = 1;
        u->begun = 1;
        u->started = (struct tset){{1}}; /* main */
        unfold_names_begin(&u->names);
    }
    p->usable = u->room;
    t->prefix = p->steps;
    t->known = p->known;
}

/* The depth up to which the branch to merged[slot] is that of the last execution. */
static uint32_t common_depth(const struct unfold *u, uint32_t slot)
{
    const struct net_condition *c = u->net.merged[slot];
    while (!unfold_came_by(u, c))
        c = unfold_came_by(u, net_jump(c)) ? net_up(c) : net_jump(c);
    return c->depth;
}

/* Can the event come first on the way to merged[] and then the target? What its thread does by itself,
 * without a decision, happens there in any case and becomes part of merged[].
 * common[thread]: common_depth. */
static bool comes_first(struct unfold *u, const struct unfold_done *done, const struct net_event *target,
                        uint32_t *common)
{
    const struct net_event *e = done->event;
    struct net_condition **state = u->net.merged;
    if (done->depth <= common[done->thread])
        return true;
    if (event_class(e->kind) != CLASS_LOCAL || state[e->from->slot] != e->from || target->from == e->from)
        return false;
    for (int i = 0; i < e->touches; i++)
        if (!net_put(e, i) || state[e->touch[i].at->slot] != e->touch[i].at)
            return false;
    state[e->from->slot] = e->to;
    common[done->thread] = done->depth;
    for (int i = 0; i < e->touches; i++) {
        uint32_t slot = e->touch[i].at->slot;
        state[slot] = net_put(e, i);
        if (u->net.slots[slot].thread)
            common[u->net.slots[slot].object] = net_put(e, i)->depth;
    }
    return true;
}

/* merged[] is the state before the target. Only up to the first choice, and to where a thread waits for a
 * signal or names ports, of which more would have to be put back. */
bool unfold_past_share(struct unfold *u, const struct net_event *target)
{
    struct unfold_past *p = &u->past;
    const struct trace *t = u->trace;
    uint32_t kept = 0, common[EVENT_MAX_THREADS];
    p->kept = p->steps = p->known = 0;
    for (int k = 0; p->usable && k < u->net.threads; k++)
        common[k] = u->net.thread_slot[k] ? common_depth(u, u->net.thread_slot[k]) : 0;
    for (uint32_t n = 0; n < t->step_count && !t->steps[n].branch; n++) {
        uint32_t event = t->steps[n].event;
        while (kept < p->usable && p->done[kept].at < event && comes_first(u, &p->done[kept], target, common))
            kept++;
        if (kept == p->usable || p->done[kept].at < event)
            break;
        p->kept = kept;
        p->steps = n;
        p->known = event;
    }
    if (!p->steps)
        p->kept = p->known = 0;
    if (p->kept)
        rewind(u, p->kept);
    return p->kept;
}
