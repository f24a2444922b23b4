/* What the two engines do between executions: walk through the states of the model, unfold it, or both. */
#include "explore/match/stateful.h"

#include "base/ensure.h"

#include <stdio.h>

enum { FEW_STATES = 1 << 18, FEW_PER_PLACE = 4 };

/* Threads that go on for ever by what they are for, such as a server, are no livelock; but that is told. */
static void tell_endless(struct engine *e)
{
    struct stateful *s = e->state;
    int count = tset_count(&s->walk.endless);
    if (!count || e->incomplete || s->model.full)
        return;
    snprintf(s->endless, sizeof s->endless,
             "%d thread%s can go on for ever and change%s something in every round: taken for what "
             "the program is for, not for a livelock",
             count, count > 1 ? "s" : "", count > 1 ? "" : "s");
    e->note = s->endless;
}

/* The next one, of those that the finished graph has. */
static enum walk_answer show_livelock(struct engine *e)
{
    struct stateful *s = e->state;
    bool found = match_round_next(&s->walk, &s->round);
    if (s->walk.goes_alone && !e->incomplete)
        e->incomplete = "a thread can go round for ever in a loop that nobody else has to do with, and "
                        "chooses in it: whether it waits there for something is not known";
    if (!found) {
        tell_endless(e);
        return s->model.full ? WALK_FULL : WALK_DONE;
    }
    return match_walk_plan_round(&s->walk, &s->round, s->round_begins) ? WALK_EXECUTE : WALK_LOST;
}

void stateful_tell_graph(struct engine *e)
{
    const struct stateful *s = e->state;
    const struct match_states *g = &s->walk.states;
    bool unfolded = s->prefix && s->prefix->complete && !s->prefix->parked;
    if (e->graph)
        *e->graph = (struct state_graph){
            .states = g->count, .transitions = s->walk.transitions, .finals = s->walk.finals,
            .places = unfolded ? s->prefix->places : match_model_places(&s->model),
            .moves = unfolded ? s->prefix->moves : s->model.move_count,
            .events = unfolded ? s->prefix->added : 0, .cut = unfolded ? s->prefix->cut : 0,
            .found = g->found, .edges = g->edges};
}

/* Deadlocks that the complete prefix has and no execution has shown. Where the net that was learnt has no
 * more states than the prefix has events, or the question is too hard, they are walked through. */
static enum walk_answer ask_prefix(struct stateful *s)
{
    if (!s->prefix->waits)
        return WALK_DONE;
    if (!s->many_states) {
        s->walk.most = s->prefix->event_count;
        enum walk_answer walked = match_walk_on(&s->walk);
        if (walked != WALK_ENOUGH)
            return walked;
        s->many_states = true;
        match_walk_restart(&s->walk);
    }
    enum answer answer = prefix_stuck(s->prefix);
    s->walks = answer == ANSWER_UNKNOWN;
    s->walk.most = UINT64_MAX;
    return answer == ANSWER_YES ? WALK_EXECUTE : WALK_DONE;
}

void stateful_search_again(struct stateful *s)
{
    match_walk_restart(&s->walk);
    if (s->prefix)
        prefix_restart(s->prefix);
    s->walks = s->many_states = false;
}

/* As long as the net has few states in terms of its places, it costs less to walk through them than to
 * unfold it. WALK_ENOUGH: it has more. */
static enum walk_answer walk_first(struct stateful *s)
{
    ensure(s->prefix && !s->prefix->complete);
    s->walk.most = FEW_STATES + FEW_PER_PLACE * match_model_places(&s->model);
    enum walk_answer walked = match_walk_on(&s->walk);
    s->walk.most = UINT64_MAX;
    s->unfolds = walked == WALK_ENOUGH;
    if (s->unfolds)
        stateful_search_again(s);
    return walked;
}

enum walk_answer stateful_search(struct engine *e)
{
    struct stateful *s = e->state;
    enum walk_answer answer = s->model.full ? WALK_FULL : WALK_DONE;
    if (answer == WALK_DONE && s->prefix && !s->unfolds) {
        answer = walk_first(s);
        if (answer != WALK_ENOUGH)
            return answer == WALK_DONE && s->model.states ? show_livelock(e) : answer;
        answer = WALK_DONE;
    }
    if (s->prefix && s->prefix->complete && s->model.wrong) /* an execution of a deadlock has shown that */
        stateful_search_again(s);
    if (answer == WALK_DONE && s->prefix && !s->prefix->complete) {
        answer = prefix_on(s->prefix);
        if (s->prefix->several && !e->incomplete)
            e->incomplete = "threads are created by several threads side by side: use --engine stateful";
    }
    /* A thread that was only seen standing may go on in a state that no execution came to. */
    bool parked = s->prefix && s->prefix->parked;
    bool walks = !s->prefix || s->walks || parked || s->model.states || e->config->graph;
    if (answer == WALK_DONE && !walks)
        answer = ask_prefix(s);
    if (answer == WALK_DONE && (walks || s->walks))
        answer = match_walk_on(&s->walk);
    return answer == WALK_DONE && s->model.states ? show_livelock(e) : answer;
}
