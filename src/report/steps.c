/* An arrow leads to a step from the last step of another thread on the same object that let it happen: what
 * gives back, signals, sends or writes for what takes, wakes, receives or reads; from a creation to the
 * first step of the new thread, from the last step of a thread to its join. */
#include "report/steps.h"

#include "object/object.h"
#include "report/causes.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_shown(const struct causes *c, const struct tale_event *t)
{
    const struct event *e = &t->event;
    if (words_silent(e))
        return 0;
    if (e->kind == EV_NOTE || (!(e->flags & EVENT_PLAIN) && e->kind != EV_ALLOC))
        return 1;
    return causes_touch(c, e->object, e->size);
}

/* ---- arrows ---- */

/* Does it change the object for one who waits there? */
static int lets_others(const struct event *e)
{
    return role_in(role_conflicts[ROLE_AWAIT], object_role(e));
}

static int is_let(const struct event *e)
{
    enum event_class c = event_class(e->kind);
    return c == CLASS_READ || c == CLASS_RMW || c == CLASS_ACQUIRE ||
           role_in(ROLE_SET(RECEIVE) | ROLE_SET(GET) | ROLE_SET(OPEN), object_role(e));
}

static const struct event *event_of(const struct names *n, const struct told_step *s)
{
    return &n->tale->events.items[s->event].event;
}

static uint32_t last_of_thread(const struct told_steps *all, size_t before, int thread)
{
    for (size_t i = before; i-- > 0;)
        if (all->items[i].thread == thread)
            return (uint32_t)i;
    return STEP_NONE;
}

/* A woken waiter takes the mutex again, but what let it go on is the signal. */
static uint64_t awaited(const struct event *e)
{
    return operation_is(e->kind, OP_WOKEN) ? e->other : e->object;
}

/* The step that is event number `index` of the trace, which has no plain accesses, allocations and notes. */
static uint32_t step_of_trace(const struct names *n, const struct told_steps *all, size_t before,
                              uint32_t index)
{
    const struct tale *t = n->tale;
    size_t event = 0;
    for (uint32_t passed = 0; event < t->events.count; event++) {
        const struct event *e = &t->events.items[event].event;
        if (!(e->flags & EVENT_PLAIN) && e->kind != EV_ALLOC && e->kind != EV_NOTE && passed++ == index)
            break;
    }
    for (size_t k = before; k-- > 0;)
        if (all->items[k].event == event)
            return (uint32_t)k;
    return STEP_NONE;
}

static uint32_t enabler(const struct names *n, const struct told_steps *all, size_t i)
{
    const struct event *e = event_of(n, &all->items[i]);
    if (object_role(e) == ROLE_RECEIVE && e->match && !n->tale->left_out)
        return step_of_trace(n, all, i, e->match - 1);
    if (operation_is(e->kind, OP_OF_THREAD) && operation_of(e->kind)->follows == FOLLOWS_THREAD)
        return last_of_thread(all, i, (int)e->object);
    if (!is_let(e) || !awaited(e))
        return STEP_NONE;
    for (size_t k = i; k-- > 0;) {
        const struct event *by = event_of(n, &all->items[k]);
        bool signals = !operation_is(e->kind, OP_WOKEN) || object_role(by) == ROLE_SIGNAL;
        if (by->object != awaited(e) || !lets_others(by) || !signals)
            continue;
        return by->thread == e->thread ? STEP_NONE : (uint32_t)k;
    }
    return STEP_NONE;
}

static void draw_arrows(const struct names *n, struct told_steps *all, size_t count)
{
    uint32_t created[EVENT_MAX_THREADS];
    memset(created, 0xff, sizeof created);
    for (size_t i = 0; i < count; i++) {
        struct told_step *s = &all->items[i];
        const struct event *e = event_of(n, s);
        uint32_t *birth = &created[s->thread % EVENT_MAX_THREADS];
        s->from = *birth != STEP_NONE ? *birth : enabler(n, all, i);
        *birth = STEP_NONE;
        if (e->kind == EV_CREATE && e->object < EVENT_MAX_THREADS)
            created[e->object] = (uint32_t)i;
    }
}

/* ---- the steps ---- */

/* A value that was chosen within an operation is a step of the schedule too; the operation began before. */
uint32_t steps_number(const struct report_finding *f, const struct tale_event *t)
{
    uint32_t number = t->step;
    while (number && number <= f->schedule.steps.count && f->schedule.steps.items[number - 1].branch)
        number--;
    return number;
}

static void add_failure(struct names *n, const struct report_finding *f, const struct tale_finding *told,
                        struct told_steps *out)
{
    struct told_step s = {.event = f->tale.events.count,
                          .number = told->finding.at_step,
                          .thread = report_thread(told),
                          .pc = report_place(n, told),
                          .from = STEP_NONE,
                          .text = mem_strdup(report_message(n, f))};
    vec_push(out, s);
}

#define PLAIN_MOST 500 /* plain accesses; of more only the last ones, and those that the why speaks of */

/* The event from which on plain accesses are told. */
static size_t plain_from(const struct tale *t, const struct causes *c, size_t end)
{
    size_t left = PLAIN_MOST, i = end;
    while (i > 0 && left) {
        i--;
        left -= t->events.items[i].event.flags & EVENT_PLAIN && is_shown(c, &t->events.items[i]);
    }
    return i;
}

void steps_tell(struct names *n, const struct report_finding *f, struct told_steps *out)
{
    const struct tale *t = &f->tale;
    const struct tale_finding *told = report_told(f);
    size_t end = told && told->at < t->events.count ? told->at : t->events.count;
    struct causes causes;
    *out = (struct told_steps){0};
    if (!told)
        return;
    causes_find(n, f, &causes);
    size_t plain = plain_from(t, &causes, end);
    for (size_t i = 0; i < end; i++) {
        const struct tale_event *te = &t->events.items[i];
        const struct event *e = &te->event;
        int shown = is_shown(&causes, te) && (i >= plain || !(e->flags & EVENT_PLAIN));
        if (!shown && !causes_name(&causes, i)) {
            out->left_out += is_shown(&causes, te);
            continue;
        }
        struct sbuf text = {0};
        words_event(n, i, &text);
        struct told_step s = {.event = i,
                              .number = steps_number(f, te),
                              .thread = e->thread,
                              .plain = e->flags & EVENT_PLAIN || e->kind == EV_ALLOC,
                              .pc = e->kind == EV_EXIT
                                        ? 0
                                        : names_own_place(n, e->pc, te->pc, te->frames),
                              .text = text.s ? text.s : mem_strdup("")};
        vec_push(out, s);
    }
    causes_free(&causes);
    draw_arrows(n, out, out->count);
    add_failure(n, f, told, out);
}

void steps_free(struct told_steps *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i].text);
    vec_free(s);
}

char steps_effect(const struct event *e)
{
    if (!operation_succeeded(e))
        return 0;
    unsigned kind = operation_of(e->kind)->object;
    uint64_t role = 1ull << object_role(e);
    bool held = kind == OBJECT_MUTEX || kind == OBJECT_RWLOCK || kind == OBJECT_MONITOR;
    if (held && role & (ROLE_SET(ACQUIRE) | ROLE_SET(READER_IN) | ROLE_SET(WRITER_IN)))
        return 'h';
    if (held && role & (ROLE_SET(RELEASE) | ROLE_SET(READER_OUT) | ROLE_SET(WRITER_OUT)))
        return 'r';
    if (role & ROLE_SET(WAIT))
        return operation_of(e->kind)->touch == TOUCH_OTHER ? 'c' : 'w';
    return role & (ROLE_SET(SEND) | ROLE_SET(PUT))      ? '+'
           : role & (ROLE_SET(RECEIVE) | ROLE_SET(GET)) ? '-'
                                                        : 0;
}

const char *steps_relative(const char *location)
{
    char here[4096];
    if (!location || !getcwd(here, sizeof here))
        return location;
    size_t n = strlen(here);
    return n > 1 && !strncmp(location, here, n) && location[n] == '/' ? location + n + 1 : location;
}

size_t steps_place(const char *location, unsigned *line)
{
    const char *colon = location ? strrchr(location, ':') : NULL;
    char *end;
    unsigned long number = colon ? strtoul(colon + 1, &end, 10) : 0;
    *line = (unsigned)number;
    return colon && number && !*end ? (size_t)(colon - location) : 0;
}
