#include "report/causes.h"

#include "object/object.h"

#include <stdlib.h>

static void add_object(struct causes *c, uint64_t object)
{
    for (size_t i = 0; i < c->objects.count; i++)
        if (c->objects.items[i] == object)
            return;
    if (object)
        vec_push(&c->objects, object);
}

static int is_access(const struct event *e)
{
    enum event_class c = event_class(e->kind);
    return c == CLASS_READ || c == CLASS_WRITE || c == CLASS_RMW;
}

static int written_by_another(const struct tale *t, size_t end, uint64_t object, int thread)
{
    for (size_t i = 0; i < end; i++) {
        const struct event *e = &t->events.items[i].event;
        if (e->object == object && e->thread != thread && is_access(e) &&
            event_class(e->kind) != CLASS_READ)
            return 1;
    }
    return 0;
}

/* Without objects in the finding: the last values the failing thread took from others. */
static void guess_objects(const struct tale *t, const struct tale_finding *told, size_t end,
                          struct causes *out)
{
    int thread = told->finding.thread, left = 20;
    for (size_t i = end; i-- > 0 && left > 0 && out->objects.count < 3;) {
        const struct event *e = &t->events.items[i].event;
        if (e->thread != thread || !is_access(e))
            continue;
        left--;
        if (written_by_another(t, end, e->object, thread))
            add_object(out, e->object);
    }
}

void causes_find(struct names *n, const struct report_finding *f, struct causes *out)
{
    const struct tale_finding *told = report_told(f);
    *out = (struct causes){0};
    if (!told)
        return;
    size_t end = told->at < f->tale.events.count ? told->at : f->tale.events.count;
    add_object(out, told->finding.object);
    for (uint32_t i = 0; i < told->finding.fact_count; i++)
        add_object(out, told->finding.facts[i].object);
    if (!out->objects.count)
        guess_objects(&f->tale, told, end, out);
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
