#include "report/causes_impl.h"

#include "object/object.h"
#include "report/steps.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- words ---- */

void inquiry_say(struct inquiry *q, size_t event, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct cause c = {.text = mem_vprintf(fmt, ap), .event = event};
    va_end(ap);
    if (event != NO_EVENT) {
        const struct tale_event *t = &q->tale->events.items[event];
        c.pc = names_own_place(q->n, t->event.pc, t->pc, t->frames);
    }
    vec_push(&q->out->items, c);
}

void inquiry_object(struct inquiry *q, uint64_t object)
{
    for (size_t i = 0; i < q->out->objects.count; i++)
        if (q->out->objects.items[i] == object)
            return;
    if (object)
        vec_push(&q->out->objects, object);
}

const char *inquiry_thread(struct inquiry *q, int thread)
{
    return names_thread_full(q->n, thread);
}

const char *inquiry_name(struct inquiry *q, size_t event)
{
    const struct event *e = inquiry_event(q, event);
    return names_object(q->n, e->object, e->size, event);
}

const char *inquiry_value(struct inquiry *q, size_t event)
{
    const struct event *e = inquiry_event(q, event);
    return names_value(q->n, e->value, e->size, event);
}

const char *inquiry_step(struct inquiry *q, size_t event)
{
    uint32_t number = steps_number(q->f, &q->tale->events.items[event]);
    return number ? names_keep(q->n, mem_printf(" in step %u", number)) : "";
}

/* ---- accesses ---- */

int event_reads(const struct event *e)
{
    enum event_class c = event_class(e->kind);
    return e->size && (c == CLASS_READ || c == CLASS_RMW);
}

int event_writes(const struct event *e)
{
    enum event_class c = event_class(e->kind);
    return e->size && (c == CLASS_WRITE || (c == CLASS_RMW && operation_succeeded(e)));
}

int event_on(const struct event *e, uint64_t address)
{
    return address - e->object < e->size;
}

size_t inquiry_write(const struct inquiry *q, uint64_t address, int thread, size_t before)
{
    for (size_t i = before; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (event_on(e, address) && event_writes(e) && (thread < 0 || e->thread == thread))
            return i;
    }
    return NO_EVENT;
}

size_t inquiry_access(const struct inquiry *q, uint64_t address, int thread, size_t before)
{
    for (size_t i = before; i-- > 0;) {
        const struct event *e = inquiry_event(q, i);
        if (event_on(e, address) && (event_writes(e) || event_reads(e)) &&
            (thread < 0 || e->thread == thread))
            return i;
    }
    return NO_EVENT;
}

/* ---- locks ---- */

int held_has(const struct held *h, uint64_t lock)
{
    for (int i = 0; i < h->count; i++)
        if (h->lock[i] == lock)
            return 1;
    return 0;
}

static void take(struct held *h, uint64_t lock, int reading)
{
    if (h->count == HELD_MOST)
        return;
    h->lock[h->count] = lock;
    h->reading[h->count++] = reading;
}

static void give_back(struct held *h, uint64_t lock)
{
    for (int i = h->count; i-- > 0;)
        if (h->lock[i] == lock) {
            h->lock[i] = h->lock[--h->count];
            h->reading[i] = h->reading[h->count];
            return;
        }
}

void inquiry_held(const struct inquiry *q, int thread, size_t before, struct held *out)
{
    *out = (struct held){.count = 0};
    for (size_t i = 0; i < before; i++) {
        const struct event *e = inquiry_event(q, i);
        char effect = e->thread == thread ? steps_effect(e) : 0;
        if (effect == 'h')
            take(out, e->object, object_role(e) == ROLE_READER_IN);
        else if (effect == 'r')
            give_back(out, e->object);
        else if (effect == 'c')
            give_back(out, e->other);
    }
}

const char *inquiry_locks(struct inquiry *q, const struct held *h)
{
    struct sbuf out = {0};
    for (int i = 0; i < h->count; i++)
        sbuf_printf(&out, "%s%s%s", i ? i + 1 < h->count ? ", " : " and " : "",
                    names_object(q->n, h->lock[i], 0, q->end), h->reading[i] ? " (for reading)" : "");
    return names_keep(q->n, out.s ? out.s : mem_strdup("no lock"));
}

/* ---- all of it ---- */

/* Without objects in the finding: the last values the failing thread took from others. */
static void guess_objects(struct inquiry *q)
{
    int thread = q->told->finding.thread, left = 20;
    for (size_t i = q->end; i-- > 0 && left > 0 && q->out->objects.count < 3;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread || (!event_reads(e) && !event_writes(e)))
            continue;
        left--;
        size_t by = inquiry_write(q, e->object, -1, i);
        while (by != NO_EVENT && inquiry_event(q, by)->thread == thread)
            by = inquiry_write(q, e->object, -1, by);
        if (by != NO_EVENT)
            inquiry_object(q, e->object);
    }
}

static void inquire(struct inquiry *q)
{
    switch (q->told->finding.kind) {
    case FINDING_ASSERT:
    case FINDING_CRASH:
    case FINDING_EXIT:
    case FINDING_PROPERTY:
        causes_of_values(q);
        break;
    case FINDING_DEADLOCK:
    case FINDING_LIVELOCK:
        causes_of_waiting(q);
        break;
    case FINDING_RACE:
        causes_of_race(q);
        break;
    case FINDING_HEAP:
        causes_of_heap(q);
        break;
    case FINDING_STACK:
        causes_of_stack(q);
        break;
    case FINDING_LOCK:
        causes_of_misuse(q);
        break;
    default:
        break;
    }
}

void causes_find(struct names *n, const struct report_finding *f, struct causes *out)
{
    struct inquiry q = {.n = n, .f = f, .tale = &f->tale, .told = report_told(f), .out = out};
    *out = (struct causes){0};
    if (!q.told)
        return;
    q.end = q.told->at < f->tale.events.count ? q.told->at : f->tale.events.count;
    inquiry_object(&q, q.told->finding.object);
    for (uint32_t i = 0; i < q.told->finding.fact_count; i++)
        inquiry_object(&q, q.told->finding.facts[i].object);
    inquire(&q);
    if (!out->objects.count)
        guess_objects(&q);
}

void causes_free(struct causes *c)
{
    for (size_t i = 0; i < c->items.count; i++)
        free(c->items.items[i].text);
    vec_free(&c->items);
    vec_free(&c->objects);
}

int causes_touch(const struct causes *c, uint64_t address, uint32_t size)
{
    for (size_t i = 0; i < c->objects.count; i++)
        if (c->objects.items[i] - address < (size ? size : 1))
            return 1;
    return 0;
}

int causes_concern(const struct causes *c, const struct event *e)
{
    if (operation_is(e->kind, OP_OF_THREAD))
        return 0;
    if (operation_of(e->kind)->touch == TOUCH_OTHER || operation_is(e->kind, OP_WOKEN))
        return causes_touch(c, e->object, e->size) || causes_touch(c, e->other, 0);
    return causes_touch(c, e->object, e->size);
}

int causes_name(const struct causes *c, size_t event)
{
    for (size_t i = 0; i < c->items.count; i++)
        if (c->items.items[i].event == event)
            return 1;
    return 0;
}
