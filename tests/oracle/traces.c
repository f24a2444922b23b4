/* traces.c — how many interleavings differ at all: two that differ in the order of neighbouring
 * steps, which come to the same state whichever is first, are the same trace. All paths are written
 * down, and paths that one exchange turns into each other are put together. There is no table of
 * what is dependent here. */
#include "search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { STEPS = 60, CHOICES = 40 };

/* The successors of one state. */
struct fan {
    struct state *to;
    int thread[CHOICES], count;
};

struct path {
    uint8_t step[STEPS]; /* which successor */
    int length, same;    /* a path that it is equivalent to */
};

struct walk {
    const struct program *program;
    struct path *path;
    int paths, room, max_paths;
    struct path now;
};

static void found(void *who, const struct state *next, int thread)
{
    struct fan *f = who;
    assert(f->count < CHOICES);
    f->to[f->count] = *next;
    f->thread[f->count++] = thread;
}

static void fan_out(const struct program *p, const struct state *from, struct fan *f)
{
    struct moves m = {p, from, found, f, p->flags & FLAG_SPURIOUS, false};
    f->count = 0;
    f->to = malloc(CHOICES * sizeof *f->to);
    assert(f->to);
    for (int t = 0; !from->ended && t < THREADS; t++)
        thread_moves(&m, t);
}

static void walk_from(struct walk *w, const struct state *from)
{
    struct fan f;
    if (w->paths > w->max_paths || w->now.length == STEPS) {
        w->paths = w->max_paths + 1;
        return;
    }
    fan_out(w->program, from, &f);
    for (int k = 0; k < f.count; k++) {
        w->now.step[w->now.length++] = (uint8_t)k;
        walk_from(w, &f.to[k]);
        w->now.step[--w->now.length] = 0;
    }
    free(f.to);
    if (f.count)
        return;
    if (w->paths == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->path = realloc(w->path, w->room * sizeof *w->path);
        assert(w->path);
    }
    w->now.same = w->paths;
    w->path[w->paths++] = w->now; /* in lexicographic order */
}

static int path_order(const void *a, const void *b)
{
    const struct path *x = a, *y = b;
    return memcmp(x->step, y->step, STEPS);
}

static int leader(struct walk *w, int p)
{
    while (w->path[p].same != p)
        p = w->path[p].same = w->path[w->path[p].same].same;
    return p;
}

/* Steps `at` and the next of the path, from a state, in the other order: the same state, so the same rest. */
static void exchange(struct walk *w, int p, int at, const struct state *from)
{
    struct path other = w->path[p];
    struct fan first, second, turned;
    fan_out(w->program, from, &first);
    int x = other.step[at], y = other.step[at + 1], t = first.thread[x];
    fan_out(w->program, &first.to[x], &second);
    int u = second.thread[y];
    for (int k = 0; t != u && k < first.count; k++) {
        if (first.thread[k] != u)
            continue;
        fan_out(w->program, &first.to[k], &turned);
        for (int l = 0; l < turned.count; l++)
            if (turned.thread[l] == t && !memcmp(&turned.to[l], &second.to[y], sizeof *turned.to)) {
                other.step[at] = (uint8_t)k;
                other.step[at + 1] = (uint8_t)l;
                struct path *q = bsearch(&other, w->path, w->paths, sizeof other, path_order);
                assert(q);
                w->path[leader(w, p)].same = leader(w, (int)(q - w->path));
            }
        free(turned.to);
    }
    free(first.to);
    free(second.to);
}

static void exchange_all(struct walk *w, int p)
{
    struct state now;
    struct fan f;
    state_start(w->program, &now);
    for (int at = 0; at + 1 < w->path[p].length; at++) {
        exchange(w, p, at, &now);
        fan_out(w->program, &now, &f);
        now = f.to[w->path[p].step[at]];
        free(f.to);
    }
}

int count_traces(const struct program *p, int max_paths)
{
    struct walk w = {.program = p, .max_paths = max_paths};
    struct state start;
    int traces = 0;
    state_start(p, &start);
    walk_from(&w, &start);
    bool all = w.paths <= max_paths;
    for (int k = 0; all && k < w.paths; k++)
        exchange_all(&w, k);
    for (int k = 0; all && k < w.paths; k++)
        traces += leader(&w, k) == k;
    free(w.path);
    return all ? traces : -1;
}
