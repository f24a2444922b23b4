/* What a worker on a farm does to the shared states, as bytes (trace/work.h, TOLD): everybody has a copy of
 * the grove and applies these records to it in the same order (farm/feed.h). The worker only looks at its
 * copy; what it tells is seen there when it comes back.
 *
 * A record is its kind, the leaf the worker has, and:
 *   CONFIRM  a step, how many from there on, ACT… : what the steps to the leaf performed
 *   INSERT   a step, SLEEPERS, whether it is a choice, whether arrivals are among it, SEQUENCE: to be
 *            explored from there, unless it is covered
 *   DONE     as CUT; executions: nothing is left below the leaf
 *   CUT      how many steps are left of the way to it: what can follow these is the leaf now
 *   CHOICE   a step, values: the program makes a choice there that the way to the leaf does not know of
 *   SPLIT    the last step; how many states lie between the leaf and it, per state SLEEPERS, STEP with
 *            whether it has been performed; then LIST of what is to be explored from the last
 *   BACK     the leaf was not looked at: it is anybody's
 *   THREAD   a step, SET, ACT, whether it is certain: its thread is to be tried there, unless one of the
 *            set is there
 *
 *   ACT       its number in the grove's table + 1, or 0 and the act itself
 *   SLEEPERS  count, ACT…
 *   STEP      ACT, NUMBER, pick, branch; the last two only if the thread picked is not the act's own, or
 *             there is a branch: then the last bit of NUMBER, which is shifted by one, is set
 *   SEQUENCE  count, (STEP with count and whether it is certain, (thread, how many items of it come
 *             before)…)…
 *   LIST      (STEP with whether there are others below it, and behind it; LIST below it)…
 *
 * Records are written one after the other into exchange.mail, and sent when there are enough. */
#ifndef EXPLORE_TELL_H
#define EXPLORE_TELL_H

#include "explore/share/grove.h"

enum tell_kind {
    TELL_CONFIRM = 1,
    TELL_INSERT,
    TELL_DONE,
    TELL_CUT,
    TELL_CHOICE,
    TELL_SPLIT,
    TELL_BACK,
    TELL_THREAD,
    TELL_KINDS
};

/* Not to be mixed into the loops of a search that is not shared. */
#define TELLS __attribute__((cold, noinline))

/* As grove_confirm, in our copy and told to all. */
TELLS bool tell_confirm(struct engine *e, struct grove_path *p, const struct happens *h, uint32_t end);
/* As grove_insert: false if it is covered. */
TELLS bool tell_insert(struct engine *e, const struct grove_path *p, const struct happens *h,
                       struct reversal *r, uint32_t step, const struct wakeup_sleepers *s,
                       uint32_t *settled);
/* As grove_insert_thread. */
TELLS void tell_thread(struct engine *e, const struct grove_path *p, uint32_t step,
                       const struct grove_thread *t);
/* Leaves that were given and not begun are anybody's; what follows changes the states above them. */
TELLS void tell_back(struct engine *e);
TELLS void tell_choice(struct engine *e, uint32_t leaf, uint32_t step, int values);
TELLS void tell_done(struct engine *e, const struct grove_path *p, uint64_t runs);
TELLS void tell_cut(struct engine *e, uint32_t leaf, uint32_t steps);
/* As grove_split; the path is as before. False: it does not fit. */
TELLS bool tell_split(struct engine *e, const struct grove_split *s);

#endif
