/* A failed assertion, or a crash: the values that it is about, and where they came from. The operands of an
 * assertion are found by their names in its text; what is not in memory is told by what the failing thread
 * read last of what others wrote. */
#include "report/causes_impl.h"

#include "object/object.h"

#include <ctype.h>
#include <string.h>

#define OPERANDS 4
#define READS 20 /* that a failing thread is asked about */
#define LATEST 300 /* reads that may be the second look at something, */
#define FURTHEST 50000 /* and so many events after the first */

/* ---- values ---- */

static int is_register(uint64_t address)
{
    return address >= STORY_REGISTERS_AT && address < STORY_REGISTERS_AT + 8 * STORY_REGISTERS;
}

/* What was at an address when the finding was made: on the failing stack as it was kept, elsewhere what the
 * last access saw. */
static int value_at(void *arg, uint64_t address, uint32_t size, uint64_t *value)
{
    const struct inquiry *q = arg;
    *value = 0;
    if (is_register(address) && !q->registers)
        return 0;
    for (size_t i = 0; i < q->tale->memory.count; i++) {
        const struct tale_memory *m = &q->tale->memory.items[i];
        if (&q->tale->findings.items[m->finding] == q->told && address >= m->address &&
            address - m->address + size <= m->size) {
            memcpy(value, m->bytes + (address - m->address), size);
            return 1;
        }
    }
    size_t i = inquiry_access(q, address, -1, q->end);
    if (i == NO_EVENT || inquiry_event(q, i)->object != address || inquiry_event(q, i)->size != size)
        return 0;
    *value = inquiry_event(q, i)->value;
    return 1;
}

/* ---- where a value came from ---- */

/* The last write of another thread between the two, NO_EVENT if there is none. */
static size_t written_between(const struct inquiry *q, uint64_t address, int thread, size_t from, size_t to)
{
    for (size_t i = to; i-- > from + 1;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread && event_on(e, address) && event_writes(e))
            return i;
    }
    return NO_EVENT;
}

/* A thread wrote over what another one had written since it looked. */
static int is_lost(const struct inquiry *q, uint64_t address, size_t write, size_t *look, size_t *lost)
{
    const struct event *w = inquiry_event(q, write);
    if (event_class(w->kind) == CLASS_RMW)
        return 0;
    *look = inquiry_access(q, address, w->thread, write);
    *lost = *look == NO_EVENT ? NO_EVENT : written_between(q, address, w->thread, *look, write);
    return *lost != NO_EVENT;
}

int inquiry_origin(struct inquiry *q, uint64_t address, const char *name)
{
    size_t last = inquiry_write(q, address, -1, q->end), look = NO_EVENT, lost = NO_EVENT, at = last;
    if (last == NO_EVENT)
        return 0;
    /* The update that was lost may lie further back. */
    for (int back = 0; at != NO_EVENT && back < 4096; back++) {
        if (is_lost(q, address, at, &look, &lost))
            break;
        at = inquiry_write(q, address, -1, at);
    }
    if (lost == NO_EVENT) {
        const struct event *w = inquiry_event(q, last);
        inquiry_say(q, last, "%s was written last by %s%s: %s", name, inquiry_thread(q, w->thread),
                    inquiry_step(q, last), inquiry_value(q, last));
        return 0;
    }
    const struct event *w = inquiry_event(q, at);
    inquiry_say(q, look, "%s had %s as %s%s", inquiry_thread(q, w->thread), name, inquiry_value(q, look),
                inquiry_step(q, look));
    inquiry_say(q, lost, "then %s wrote %s = %s%s,", inquiry_thread(q, inquiry_event(q, lost)->thread), name,
                inquiry_value(q, lost), inquiry_step(q, lost));
    inquiry_say(q, at, "which %s wrote over with %s%s: that update is lost", inquiry_thread(q, w->thread),
                inquiry_value(q, at), inquiry_step(q, at));
    return 1;
}

/* ---- operands ---- */

static int is_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* The frame of the program's own code that the failing thread was in. Registers are known of the
 * innermost. */
static const struct story_frame *failing_frame(struct inquiry *q)
{
    const struct tale_stack *s = tale_stack(q->tale, q->told, q->told->finding.thread);
    uint64_t place = report_place(q->n, q->told);
    for (uint32_t i = 0; s && s->frame && i < s->frames; i++)
        if (s->pc[i] == place) {
            q->registers = i == 0;
            return &s->frame[i];
        }
    return NULL;
}

static int say_operand(struct inquiry *q, const char *name, const struct symbols_operand *o)
{
    uint64_t value;
    for (size_t i = 0; i < q->out->objects.count; i++)
        if (q->out->objects.items[i] == o->address)
            return 0;
    if (!value_at(q, o->address, o->size, &value))
        return 0;
    inquiry_say(q, NO_EVENT, "%s is %s", name, names_value(q->n, value, o->size, q->end));
    if (is_register(o->address))
        return 1;
    inquiry_object(q, o->address);
    inquiry_origin(q, o->address, name);
    return 1;
}

/* Optimised code does not say where a variable is, but what another thread did to it may have its name. */
static void find_by_name(struct inquiry *q, const char *name, struct symbols_operand *o)
{
    size_t left = READS;
    for (size_t i = q->end; i-- > 0 && left && !o->known;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread == q->told->finding.thread || !event_writes(e))
            continue;
        left--;
        if (!strcmp(inquiry_name(q, i), name))
            *o = (struct symbols_operand){e->object, e->size, 1, 0};
    }
}

static int tell_operands(struct inquiry *q)
{
    const struct story_frame *frame = failing_frame(q);
    const char *colon = strstr(q->told->finding.message, ": ");
    int told = 0, quoted = 0;
    for (const char *p = colon ? colon + 2 : ""; *p && told < OPERANDS;) {
        struct symbols_operand o = {0};
        quoted ^= *p == '"';
        if (quoted || !is_name(*p)) {
            p += isdigit((unsigned char)*p) ? strspn(p, "0123456789abcdefxABCDEFXuUlL.") : 1;
            continue;
        }
        size_t n = symbols_operand(q->n->symbols, frame, p, value_at, q, &o);
        const char *name = names_keep(q->n, mem_strndup(p, n));
        if (!o.known)
            find_by_name(q, name, &o);
        if (o.known && p[n] != '(')
            told += say_operand(q, name, &o);
        else if (o.lost && p[n] != '(')
            inquiry_say(q, NO_EVENT, "%s is not known: the compiler optimised it away (-O0 keeps it)", name);
        p += n;
    }
    return told;
}

/* ---- what was read ---- */

static int written_by_another(const struct inquiry *q, uint64_t address, int thread, size_t before)
{
    size_t i = inquiry_write(q, address, -1, before);
    while (i != NO_EVENT && inquiry_event(q, i)->thread == thread)
        i = inquiry_write(q, address, -1, i);
    return i != NO_EVENT;
}

static void tell_reads(struct inquiry *q)
{
    int thread = q->told->finding.thread, left = READS, told = 0, lost = 0;
    for (size_t i = q->end; i-- > 0 && left > 0 && told < 3 && !lost;) {
        const struct event *e = inquiry_event(q, i);
        if (e->thread != thread || !event_reads(e))
            continue;
        left--;
        if (causes_touch(q->out, e->object, 1) || !written_by_another(q, e->object, thread, i))
            continue;
        inquiry_object(q, e->object);
        const char *name = inquiry_name(q, i);
        inquiry_say(q, i, "%s had read %s: %s%s", inquiry_thread(q, thread), name, inquiry_value(q, i),
                    inquiry_step(q, i));
        lost = inquiry_origin(q, e->object, name);
        told++;
    }
}

/* ---- what was checked and had changed ---- */

/* An earlier look of the same thread that saw another value, with a write of another thread in between. */
static size_t looked_before(const struct inquiry *q, size_t read, size_t *changed)
{
    const struct event *e = inquiry_event(q, read);
    for (size_t i = read, left = READS; i-- > 0 && left && read - i < FURTHEST;) {
        const struct event *o = inquiry_event(q, i);
        if (o->thread != e->thread || !event_on(o, e->object))
            continue;
        left--;
        *changed = written_between(q, e->object, e->thread, i, read);
        if (event_reads(o) && o->value != e->value && *changed != NO_EVENT)
            return i;
        if (event_writes(o))
            return NO_EVENT;
    }
    return NO_EVENT;
}

int inquiry_stale(struct inquiry *q)
{
    int thread = q->told->finding.thread, left = LATEST;
    for (size_t i = q->end; i-- > 0 && left > 0;) {
        const struct event *e = inquiry_event(q, i);
        size_t changed = NO_EVENT;
        if (e->thread != thread || !event_reads(e))
            continue;
        left--;
        size_t look = looked_before(q, i, &changed);
        if (look == NO_EVENT)
            continue;
        const char *name = inquiry_name(q, i), *who = inquiry_thread(q, thread);
        inquiry_object(q, e->object);
        inquiry_say(q, look, "%s looked at %s%s: %s", who, name, inquiry_step(q, look),
                    inquiry_value(q, look));
        q->out->items.items[q->out->items.count - 1].stack = 1;
        inquiry_say(q, changed, "then %s wrote %s = %s%s,",
                    inquiry_thread(q, inquiry_event(q, changed)->thread), name, inquiry_value(q, changed),
                    inquiry_step(q, changed));
        inquiry_say(q, i, "so %s was %s when %s went on by it%s", name, inquiry_value(q, i), who,
                    inquiry_step(q, i));
        return 1;
    }
    return 0;
}

void causes_of_values(struct inquiry *q)
{
    int told = q->told->finding.kind == FINDING_ASSERT || q->told->finding.kind == FINDING_PROPERTY
                   ? tell_operands(q)
                   : 0;
    int shared = 0;
    for (size_t i = 0; i < q->out->items.count; i++)
        shared |= q->out->items.items[i].event != NO_EVENT &&
                  inquiry_event(q, q->out->items.items[i].event)->thread != q->told->finding.thread;
    if ((!told || !shared) && !inquiry_stale(q))
        tell_reads(q);
}
