/* The schedule as a list of runs (one thread, some steps), changed in one place at a time (shrink.c). */
#include "explore/shrink_impl.h"

/* End of the run that starts at or after `from`: *start is where it starts (branches are part of the
 * run around them). best_count if there is none. */
static uint32_t next_run(const struct shrink *k, uint32_t from, uint32_t *start)
{
    while (from < k->best_count && k->best[from].branch)
        from++;
    *start = from;
    uint32_t end = from;
    while (end < k->best_count && (k->best[end].branch || k->best[end].thread == k->best[from].thread))
        end++;
    return end;
}

static void want(struct shrink *k, uint32_t from, uint32_t to)
{
    for (; from < to; from++)
        if (!k->best[from].branch)
            k->wanted[k->wanted_count++] = k->best[from].thread;
}

/* The next run of the thread of the run [start, end): *from … *to. 0 if there is none. */
static int same_again(const struct shrink *k, uint32_t start, uint32_t end, uint32_t *from,
                      uint32_t *to)
{
    for (*to = end; *to < k->best_count;) {
        *to = next_run(k, *to, from);
        if (*from < k->best_count && k->best[*from].thread == k->best[start].thread)
            return 1;
    }
    return 0;
}

/* Fills `wanted` with the candidate (run, change); 0 if that change makes no sense there. */
static int make_candidate(struct shrink *k, uint32_t start, uint32_t end)
{
    uint32_t from, to;
    k->wanted_count = 0;
    switch (k->change) {
    case CUT:
        want(k, 0, end);
        return end < k->best_count;
    case DROP:
        want(k, 0, start);
        want(k, end, k->best_count);
        return 1;
    case PULL:
        if (!same_again(k, start, end, &from, &to))
            return 0;
        want(k, 0, end);
        want(k, from, to);
        want(k, end, from);
        want(k, to, k->best_count);
        return 1;
    default:
        if (!same_again(k, start, end, &from, &to))
            return 0;
        want(k, 0, start);
        want(k, end, from);
        want(k, start, end);
        want(k, from, k->best_count);
        return 1;
    }
}

/* Start and end of run number `run`; 0 if there are not so many. */
static int find_run(const struct shrink *k, uint32_t *start, uint32_t *end)
{
    *end = 0;
    for (uint32_t i = 0; i <= k->run; i++) {
        *end = next_run(k, *end, start);
        if (*start >= k->best_count)
            return 0;
    }
    return 1;
}

int shrink_next_change(struct shrink *k)
{
    uint32_t start, end;
    for (;;) {
        if (!find_run(k, &start, &end)) {
            if (!k->kept)
                return 0;
            k->run = k->change = k->kept = 0;
            continue;
        }
        if (make_candidate(k, start, end))
            return 1;
        if (++k->change == CHANGES) {
            k->change = 0;
            k->run++;
        }
    }
}
