/* What the engines stateful and stateful-unfold know: stateful.c follows executions, stateful_search.c says
 * which is the next. */
#ifndef EXPLORE_MATCH_STATEFUL_H
#define EXPLORE_MATCH_STATEFUL_H

#include "explore/engine.h"
#include "explore/match/past.h"
#include "explore/match/prefix.h"
#include "explore/match/round.h"

struct stateful {
    struct match_model model;
    struct match_walk walk;
    struct match_past past;
    bool many_states; /* too many to walk through them without need */
    bool walks;       /* but a question about the prefix was too hard */
    struct prefix *prefix; /* of --engine stateful-unfold, until it is complete; NULL: none */
    bool unfolds;          /* there are too many states to walk through them instead */
    struct foreign foreign[MATCH_FOREIGN];
    struct match_round round;
    uint32_t round_begins[2]; /* in the plan, which is one of a livelock if the second is not 0 */
    uint32_t round_steps[2];  /* of the execution, when they began */
    bool went_round;          /* and it has ended there, though threads can go on */
    uint32_t quiet; /* steps since something was new */
    uint32_t plan_at;                     /* the next step of the plan */
    uint32_t branch_at[EVENT_MAX_THREADS]; /* and of it the next choice of each thread */
    uint16_t choice[EVENT_MAX_THREADS], choices[EVENT_MAX_THREADS]; /* in the operation under way */
    struct tset noted; /* threads of which it was noted where they stand and whether they can go on */
    bool writing;         /* a plain write is being performed: */
    struct event written;
    bool awaits, passed; /* the last one may be late (late.c); its thread has gone on since */
    struct event awaited;
    uint32_t event; /* the number of the last event */
    bool lost; /* the execution under way is not followed any more */
    char why[ENGINE_WHY];
    char endless[160];
};

/* late.c: of plain writes whose value was just taken from memory, decisions, and events. */
void stateful_late_begin(struct stateful *s, const struct event *write);
void stateful_late_look(struct engine *e);
void stateful_late_observe(struct engine *e, const struct event *ev);

/* ahead.c: the thread that goes on when the plan is at an end. */
int stateful_free_choice(struct stateful *s, const struct decision *d);

/* On with the search, until the program must be executed. */
enum walk_answer stateful_search(struct engine *e);
/* From its beginning, in the model that there is. */
void stateful_search_again(struct stateful *s);
/* States, transitions and the size of the net, to whoever wants to know. */
void stateful_tell_graph(struct engine *e);

#endif
