/* What a worker on a farm does to the shared states, as bytes (trace/work.h, TOLD): everybody has a copy of
 * the grove and applies these records to it in the same order (farm/feed.h). The worker only looks at its
 * copy; what it tells is seen there when it comes back.
 *
 * A record is its kind, the leaf the worker has, and:
 *   CONFIRM  a step, how many from there on, ACT… : what the steps to the leaf performed; 0, 0: all of
 *            them what was expected
 *   INSERT   a step, SLEEPERS, whether it is a choice, whether arrivals are among it, SEQUENCE: to be
 *            explored from there, unless it is covered
 *   DONE     as CUT; executions: nothing is left below the leaf
 *   CUT      how many steps are left of the way to it: what can follow these is the leaf now
 *   CHOICE   a step, values: the program makes a choice there that the way to the leaf does not know of
 *   SPLIT    the last step; how many states lie between the leaf and it, per state SLEEPERS, STEP with
 *            whether it has been performed; then LIST of what is to be explored from the last
 *   BACK     the leaf was not looked at: it is anybody's
 *   PASSED   count, executions: of the worker's leaves, in the order that they were given, so many from
 *            this one on are done; the steps to them performed what was expected, if nothing else was told
 *   THREAD   a step, SET, ACT, whether it is certain: its thread is to be tried there, unless one of the
 *            set is there
 *
 *   ACT       its number in the grove's table + 1; or 0, and the how-manieth of those it is that this record
 *             has in full; or 0, 0 and the act itself
 *   SLEEPERS  count, ACT…
 *   STEP      ACT, NUMBER, pick, branch; the last two only if the thread picked is not the act's own, or
 *             there is a branch: then the last bit of NUMBER, which is shifted by one, is set
 *   SEQUENCE  count, (STEP with count and whether it is certain, (thread, how many items of it come
 *             before, if not for the item of the same thread before this one)…)…
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
    TELL_PASSED,
    TELL_KINDS
};

/* Not to be mixed into the loops of a search that is not shared. */
#define TELLS __attribute__((cold, noinline))

/* As grove_confirm, in our copy and told to all; what was expected is told later, with the end of the leaf,
 * if that comes soon. */
TELLS bool tell_confirm(struct engine *e, struct grove_path *p, const struct happens *h, uint32_t end);
TELLS void tell_unsaid(struct engine *e, struct grove_path *p); /* … or now */
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
TELLS void tell_done(struct engine *e, struct grove_path *p, uint64_t runs);
/* Small leaves are done one after the other: that is a record for all of them, written here. */
TELLS void tell_passed(struct engine *e);
static inline bool tell_has_passed(const struct outbox *o)
{
    return o->passing[o->passing_now].count > 0;
}
/* Is the leaf the last of them? */
static inline bool tell_passed_last(const struct outbox *o, uint32_t leaf)
{
    const struct outbox_passed *p = &o->passing[o->passing_now];
    return p->count && o->queue[p->first + p->count - 1] == leaf;
}
/* They are in the mail, or void. */
static inline void tell_forget_passed(struct outbox *o)
{
    o->passing[!o->passing_now].count = 0;
    atomic_signal_fence(memory_order_seq_cst);
    o->passing_now = !o->passing_now;
    atomic_signal_fence(memory_order_seq_cst);
    o->passing_at = 0;
}
TELLS void tell_cut(struct engine *e, uint32_t leaf, uint32_t steps);
/* As grove_split; the path is as before. False: it does not fit. */
TELLS bool tell_split(struct engine *e, const struct grove_split *s);

#endif
