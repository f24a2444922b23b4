/* The words of an operation (object/object.h) are a phrase with placeholders:
 *   {o} the object   {b} the block it is   {m} `other` as an object   {v} value   {w} other as a value
 *   {t} the other thread   {k} thread number value-1   {s} size   {d} value as a duration */
#include "report/words.h"

#include "object/object.h"

#include <stdio.h>
#include <string.h>

static void put_duration(struct sbuf *out, uint64_t ns)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && (double)ns < units[i].unit)
        i++;
    sbuf_printf(out, "%g %s", (double)ns / units[i].unit, units[i].name);
}

static void put(struct names *n, const struct event *e, size_t at, char what, struct sbuf *out)
{
    switch (what) {
    case 'o':
        sbuf_puts(out, names_object(n, e->object, e->size, at));
        break;
    case 'b':
        sbuf_puts(out, names_block(n, e->object, at));
        break;
    case 'm':
        sbuf_puts(out, names_object(n, e->other, 0, at));
        break;
    case 'v':
        sbuf_puts(out, names_value(n, e->value, e->size, at));
        break;
    case 'w':
        sbuf_puts(out, names_value(n, e->other, e->size, at));
        break;
    case 't':
        sbuf_puts(out, names_thread_full(n, (int)e->object));
        break;
    case 'k':
        sbuf_printf(out, "%d", (int)e->value - 1);
        break;
    case 's':
        sbuf_printf(out, "%u", e->size);
        break;
    case 'd':
        put_duration(out, e->value);
        break;
    }
}

static void fill_in(struct names *n, const struct event *e, size_t at, const char *phrase,
                    struct sbuf *out)
{
    for (const char *p = phrase; *p; p++) {
        if (p[0] == '{' && p[1] && p[2] == '}') {
            put(n, e, at, p[1], out);
            p += 2;
        } else {
            sbuf_putc(out, *p);
        }
    }
}

int words_silent(const struct event *e)
{
    return operation_is(e->kind, OP_SILENT);
}

void words_event(struct names *n, size_t event, struct sbuf *out)
{
    const struct tale_event *t = &n->tale->events.items[event];
    const struct event *e = &t->event;
    if (t->note) {
        sbuf_printf(out, t->prints ? "prints “%s”" : "“%s”", t->note);
        return;
    }
    const struct operation *o = operation_of(e->kind);
    const char *phrase = o->failed && !operation_succeeded(e) ? o->failed : o->done;
    fill_in(n, e, event, phrase ? phrase : event_name(e->kind), out);
}

void words_pending(struct names *n, const struct event *next, struct sbuf *out)
{
    size_t at = n->tale->events.count;
    if (operation_is(next->kind, OP_WOKEN) && next->other)
        sbuf_printf(out, "waits for a signal on %s", names_object(n, next->other, 0, at));
    else if (operation_is(next->kind, OP_OF_THREAD))
        sbuf_printf(out, "waits for %s to end", names_thread_full(n, (int)next->object));
    else
        sbuf_printf(out, "waits: %s", event_name(next->kind));
    if (!operation_is(next->kind, OP_OF_THREAD | OP_WOKEN) && next->object)
        sbuf_printf(out, " %s", names_object(n, next->object, next->size, at));
}

const char *words_about(struct names *n, const char *text, uint64_t object, size_t at)
{
    const char *hole = strstr(text, "{}");
    if (!hole)
        return text;
    const char *name = object ? names_object(n, object, 0, at) : "it";
    return names_keep(n, mem_printf("%.*s%s%s", (int)(hole - text), text, name, hole + 2));
}

const char *words_fact(struct names *n, const struct fact *f, size_t at)
{
    char text[256];
    fact_words(f, text, sizeof text);
    return words_about(n, names_keep(n, mem_strdup(text)), f->object, at);
}
