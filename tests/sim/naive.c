/* The Mazurkiewicz trace of an execution, the slow and obvious way: all pairs of events, the
 * transitive closure, and a hash of who precedes whom. Written from the wording of the rules and
 * independent of object/dependence.c on purpose: the tests compare the two. */
#include "machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 4096 };

static int is_memory(const struct event *e)
{
    return e->kind >= EV_LOAD && e->kind <= EV_FREE;
}

static int reads_only(const struct event *e)
{
    return e->kind == EV_LOAD || e->kind == EV_READ || e->kind == EV_CAS_FAIL;
}

static int is_mutex(const struct event *e)
{
    return (e->kind >= EV_LOCK && e->kind <= EV_LOCK_DESTROY) || e->kind == EV_COND_WAKE;
}

static int is_cond(const struct event *e)
{
    return e->kind >= EV_COND_WAIT && e->kind <= EV_COND_BROADCAST && e->kind != EV_COND_WAKE &&
           e->kind != EV_COND_CANCEL;
}

static int is_sem(const struct event *e)
{
    return e->kind >= EV_SEM_WAIT && e->kind <= EV_SEM_GETVALUE;
}

static int is_rw(const struct event *e)
{
    return e->kind >= EV_RDLOCK && e->kind <= EV_RW_UNLOCK;
}

static int takes_token(const struct event *e)
{
    return is_sem(e) && e->kind != EV_SEM_POST && e->kind != EV_SEM_GETVALUE && e->other;
}

/* Would this wait have got its token even if nobody had posted before it? */
static int needs_no_post(const struct event *all, int at)
{
    int posts = 0;
    for (int i = 0; i < at; i++)
        posts += all[i].kind == EV_SEM_POST && all[i].object == all[at].object;
    return (int)all[at].value + 1 - posts >= 1;
}

static int sem_dependent(const struct event *all, int i, int j)
{
    const struct event *x = &all[i], *y = &all[j];
    int px = x->kind == EV_SEM_POST, py = y->kind == EV_SEM_POST;
    int fx = takes_token(x) && needs_no_post(all, i), fy = takes_token(y) && needs_no_post(all, j);
    int rx = !px && !takes_token(x), ry = !py && !takes_token(y);
    if ((px && py) || (rx && ry))
        return 0;
    return !((px && fy) || (fx && py));
}

static int read_side(const struct event *e)
{
    if (e->kind == EV_RW_UNLOCK)
        return !e->value;
    return e->kind == EV_RDLOCK || e->kind == EV_TRYRDLOCK || e->kind == EV_TIMEDRDLOCK;
}

static int rw_dependent(const struct event *x, const struct event *y)
{
    int fx = x->flags & EVENT_FAILED, fy = y->flags & EVENT_FAILED;
    if (fx && fy)
        return 0;
    return !(read_side(x) && read_side(y));
}

static int lost(const struct event *e)
{
    return (e->kind == EV_COND_SIGNAL || e->kind == EV_COND_BROADCAST) && e->value == 0;
}

static int cond_dependent(const struct event *x, const struct event *y)
{
    if (lost(x) && lost(y))
        return 0;
    int tx = x->kind == EV_COND_TIMEOUT, ty = y->kind == EV_COND_TIMEOUT;
    if (tx || ty)
        return !(tx && ty) && x->kind != EV_COND_WAIT && y->kind != EV_COND_WAIT;
    return 1;
}

/* The thread is asked to end, or what it does depends on whether it was: where it looks, and its waits (but
 * that one begins to wait on a condition does not). */
static int asks(const struct event *e)
{
    return e->kind == EV_CANCEL;
}

static int minds_request(const struct event *asks, const struct event *e)
{
    if (asks->object != EVENT_CANCEL_OBJECT(e->thread))
        return 0;
    return e->kind == EV_CANCEL_POINT || e->kind == EV_COND_CANCEL ||
           (e->flags & EVENT_CANCELLABLE && e->kind != EV_COND_WAIT && e->kind != EV_THREAD_END);
}

/* One who has ended is not cancelled, and may be joined. */
static int cancel_dependent(const struct event *x, const struct event *y)
{
    if (asks(x) && asks(y))
        return 1;
    const struct event *request = asks(x) ? x : y, *other = asks(x) ? y : x;
    return other->kind == EV_THREAD_END || minds_request(request, other);
}

static uint64_t mutex_of(const struct event *e)
{
    return is_mutex(e) ? e->object : e->kind == EV_COND_WAIT ? e->other : 0;
}

static int dependent(const struct event *all, int i, int j)
{
    const struct event *x = &all[i], *y = &all[j];
    if (is_memory(x) && is_memory(y))
        return x->object < y->object + y->size && y->object < x->object + x->size &&
               !(reads_only(x) && reads_only(y));
    if (mutex_of(x) && mutex_of(x) == mutex_of(y) &&
        !((x->flags & EVENT_FAILED) && (y->flags & EVENT_FAILED)))
        return 1;
    if (asks(x) || asks(y))
        return cancel_dependent(x, y);
    if (x->object != y->object)
        return 0;
    if (is_cond(x) && is_cond(y))
        return cond_dependent(x, y);
    if (is_sem(x) && is_sem(y))
        return sem_dependent(all, i, j);
    if (is_rw(x) && is_rw(y))
        return rw_dependent(x, y);
    if (x->kind == EV_BARRIER && y->kind == EV_BARRIER)
        return x->value || y->value;
    return 0;
}

static int wakes(const struct event *s, const struct event *w)
{
    return s->object == w->other && is_cond(s) && !lost(s) &&
           (s->kind == EV_COND_BROADCAST ||
            (s->kind == EV_COND_SIGNAL && s->value == w->thread + 1u));
}

/* Was wake-up j made possible by signal i: the first one after its wait? */
static int woke(const struct event *all, int i, int j)
{
    const struct event *w = &all[j];
    if ((w->kind != EV_COND_WAKE && w->kind != EV_COND_CANCEL) || !wakes(&all[i], w))
        return 0;
    for (int k = j - 1; k > i; k--) /* its wait must come before the signal */
        if (all[k].thread == w->thread)
            return 0;
    for (int k = i - 1; k >= 0; k--) {
        if (all[k].thread == w->thread)
            return all[k].kind == EV_COND_WAIT;
        if (wakes(&all[k], w))
            return 0;
    }
    return 0;
}

static int enables(const struct event *all, int i, int j)
{
    const struct event *x = &all[i], *y = &all[j];
    if (y->kind == EV_START && x->kind == EV_CREATE)
        return x->object == y->thread;
    if (y->kind == EV_JOIN && x->kind == EV_EXIT)
        return y->object == x->thread;
    if (y->kind == EV_BARRIER_LEAVE && x->kind == EV_BARRIER && x->value && x->object == y->object)
        return 1;
    return woke(all, i, j);
}

static void mix(struct sim_trace_id *h, uint64_t x)
{
    h->a = (h->a ^ x) * 0x9e3779b97f4a7c15ull;
    h->a ^= h->a >> 29;
    h->b = (h->b + x) * 0xc2b2ae3d27d4eb4full;
    h->b ^= h->b >> 31;
}

struct sim_trace_id sim_outcome(const struct sim_state *s)
{
    struct sim_trace_id h = {3, 4};
    for (int t = 0; t < s->threads; t++) {
        mix(&h, s->t[t].state);
        mix(&h, s->t[t].pc);
        for (int k = 0; k < SIM_REGS; k++)
            mix(&h, (uint32_t)s->t[t].r[k]);
    }
    for (int at = 0; at < SIM_MEMORY; at += 8)
        mix(&h, (uint64_t)sim_load(s, at, 8));
    for (int o = 0; o < SIM_OBJECTS; o++)
        mix(&h, (uint64_t)(uint16_t)s->count[o] << 16 | (uint16_t)s->owner[o]);
    for (int k = 0; k < SIM_BOXES; k++) /* what is left in them, whoever comes first */
        for (int value = 1; value < 8; value++) {
            int n = 0;
            for (int m = 0; m < s->box[k].count; m++)
                n += s->box[k].m[m].value == value;
            mix(&h, (uint64_t)n);
        }
    return h;
}

static int visible(const struct event *e)
{
    return event_class(e->kind) != CLASS_LOCAL;
}

static void label(struct sim_trace_id *h, const struct event *e)
{
    mix(h, e->thread);
    mix(h, e->kind);
    mix(h, e->object);
    mix(h, e->size);
    if (!is_sem(e))
        mix(h, e->value);
    else
        mix(h, e->other);
}

struct sim_trace_id sim_canonical(const struct event *ev, int n)
{
    static uint16_t before[MAX_EVENTS][SIM_THREADS]; /* visible events of each thread before it */
    uint16_t count[SIM_THREADS] = {0};
    int threads = 0;
    assert(n <= MAX_EVENTS);
    for (int j = 0; j < n; j++)
        threads = ev[j].thread >= threads ? ev[j].thread + 1 : threads;
    for (int j = 0; j < n; j++) {
        memset(before[j], 0, sizeof before[j]);
        for (int i = 0; i < j; i++)
            if (ev[i].thread == ev[j].thread || enables(ev, i, j) ||
                (visible(&ev[i]) && visible(&ev[j]) && dependent(ev, i, j)))
                for (int t = 0; t < threads; t++)
                    if (before[i][t] > before[j][t])
                        before[j][t] = before[i][t];
        if (visible(&ev[j]))
            before[j][ev[j].thread] = ++count[ev[j].thread];
    }
    struct sim_trace_id h = {1, 2};
    for (int t = 0; t < threads; t++)
        for (int j = 0; j < n; j++)
            if (ev[j].thread == t && (visible(&ev[j]) || ev[j].kind == EV_CHOOSE)) {
                label(&h, &ev[j]);
                for (int q = 0; q < threads; q++)
                    mix(&h, before[j][q]);
            }
    return h;
}

static size_t slot_for(const struct sim_set *s, struct sim_trace_id id)
{
    size_t i = id.a & (s->room - 1);
    while ((s->slot[i].a | s->slot[i].b) && !(s->slot[i].a == id.a && s->slot[i].b == id.b))
        i = (i + 1) & (s->room - 1);
    return i;
}

static void grow(struct sim_set *s)
{
    struct sim_set bigger = {.room = s->room ? 2 * s->room : 64};
    bigger.slot = calloc(bigger.room, sizeof *bigger.slot);
    for (size_t i = 0; i < s->room; i++)
        if (s->slot[i].a | s->slot[i].b)
            bigger.slot[slot_for(&bigger, s->slot[i])] = s->slot[i], bigger.used++;
    free(s->slot);
    *s = bigger;
}

int sim_set_add(struct sim_set *s, struct sim_trace_id id)
{
    if (2 * (s->used + 1) > s->room)
        grow(s);
    size_t i = slot_for(s, id);
    if (s->slot[i].a | s->slot[i].b)
        return 0;
    s->slot[i] = id;
    s->used++;
    return 1;
}

int sim_set_equal(const struct sim_set *x, const struct sim_set *y)
{
    if (x->used != y->used)
        return 0;
    for (size_t i = 0; i < x->room; i++)
        if (x->slot[i].a | x->slot[i].b) {
            size_t j = slot_for(y, x->slot[i]);
            if (!(y->slot[j].a | y->slot[j].b))
                return 0;
        }
    return 1;
}

void sim_set_free(struct sim_set *s)
{
    free(s->slot);
    *s = (struct sim_set){0};
}

/* Exhaustive enumeration: depth first over copies of the state. */
struct brute {
    struct event log[MAX_EVENTS];
    int n;
    int taken[64], asked, given, width[64]; /* branch values of the step under way */
    long count, limit;
    int outcomes; /* these instead of traces */
    struct sim_set *out;
};

static void log_event(void *ctx, const struct event *e)
{
    struct brute *b = ctx;
    assert(b->n < MAX_EVENTS);
    b->log[b->n++] = *e;
}

static int ask(void *ctx, const struct event *op, int n)
{
    struct brute *b = ctx;
    (void)op;
    assert(b->asked < 64);
    if (b->asked == b->given)
        b->taken[b->given++] = 0;
    b->width[b->asked] = n;
    return b->taken[b->asked++];
}

/* The next combination of branch values; 0 when all were tried. */
static int advance(struct brute *b)
{
    b->given = b->asked;
    while (b->given > 0 && b->taken[b->given - 1] + 1 == b->width[b->given - 1])
        b->given--;
    if (b->given == 0)
        return 0;
    b->taken[b->given - 1]++;
    return 1;
}

static void explore(struct brute *b, const struct sim_state *s);

static void perform(struct brute *b, const struct sim_state *s, int t)
{
    struct sim_log log = {log_event, b};
    struct sim_branches branches = {.ask = ask, .ctx = b};
    int mark = b->n, more;
    int taken[64] = {0}, given = 0;
    do {
        struct sim_state next = *s;
        b->n = mark;
        memcpy(b->taken, taken, sizeof taken);
        b->given = given;
        b->asked = 0;
        if (t < 0)
            sim_start(&next, s->p, &log, &branches);
        else
            sim_step(&next, t, &log, &branches);
        more = advance(b);
        memcpy(taken, b->taken, sizeof taken);
        given = b->given;
        explore(b, &next);
    } while (more && b->count <= b->limit);
    b->n = mark;
}

static void explore(struct brute *b, const struct sim_state *s)
{
    int any = 0;
    if (b->count > b->limit)
        return;
    for (int t = 0; t < s->threads; t++)
        if (sim_enabled(s, t)) {
            any = 1;
            perform(b, s, t);
        }
    if (!any && !s->assume_failed) {
        b->count++;
        sim_set_add(b->out, b->outcomes ? sim_outcome(s) : sim_canonical(b->log, b->n));
    }
}

static long enumerate(const struct sim_program *p, long limit, int outcomes, struct sim_set *out)
{
    struct brute *b = calloc(1, sizeof *b);
    struct sim_state s = {.p = p};
    b->limit = limit;
    b->outcomes = outcomes;
    b->out = out;
    perform(b, &s, -1);
    long count = b->count > limit ? -1 : b->count;
    free(b);
    return count;
}

long sim_brute(const struct sim_program *p, long limit, struct sim_set *out)
{
    return enumerate(p, limit, 0, out);
}

long sim_outcomes(const struct sim_program *p, long limit, struct sim_set *out)
{
    return enumerate(p, limit, 1, out);
}
