/* The words of an operation (object/object.h) are a phrase with placeholders:
 *   {o} the object   {b} the block it is   {m} `other` as an object   {v} value   {w} other as a value
 *   {t} the other thread   {k} thread number value-1   {s} size   {d} value as a duration */
#include "report/words.h"

#include "object/object.h"

#include <stdio.h>
#include <stdlib.h>
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
    else if (next->kind)
        sbuf_printf(out, "waits: %s", event_name(next->kind));
    else
        sbuf_puts(out, next->object ? "waits at" : "waits");
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

/* Is what the thread did there, last before `at`, a free? */
static int is_free(const struct names *n, int thread, uint64_t pc, size_t at)
{
    for (size_t i = at < n->tale->events.count ? at + 1 : n->tale->events.count; i-- > 0;) {
        const struct event *e = &n->tale->events.items[i].event;
        if (e->thread == thread && e->pc == pc)
            return operation_is(e->kind, OP_EVERYWHERE);
    }
    return 0;
}

/* What of a block is accessed, if its type is known: "session.refs". */
static const char *block_part(struct names *n, const struct finding *f, size_t at)
{
    const char *offset = strstr(f->message, " at offset ");
    uint32_t size = f->fact_count && f->facts[0].kind == FACT_ACCESSES ? (uint32_t)f->facts[0].number : 0;
    if (!offset || !size)
        return NULL;
    uint64_t address = f->object + strtoull(offset + strlen(" at offset "), NULL, 10);
    const char *name = names_object(n, address, size, at);
    return strchr(name, '.') ? name : NULL;
}

/* The runtime calls every access a read or a write; one of them may be a free. */
const char *words_finding(struct names *n, const struct finding *f, size_t at)
{
    const char *text = f->message, *first = "a write and", *second = "and a write";
    if (f->kind == FINDING_RACE && f->fact_count == 2) {
        const char *a = strstr(text, first), *b = strstr(text, second);
        if (a && is_free(n, f->facts[0].thread, f->facts[0].pc, at))
            text = names_keep(n, mem_printf("%.*sa free%s", (int)(a - text), text, a + strlen("a write")));
        if (b && is_free(n, f->facts[1].thread, f->facts[1].pc, at)) {
            b = strstr(text, second);
            text = names_keep(n, mem_printf("%.*sand a free%s", (int)(b - text), text, b + strlen(second)));
        }
    }
    uint32_t size = f->kind == FINDING_RACE && f->fact_count == 2 ? (uint32_t)f->facts[1].number : 0;
    const char *hole = strstr(text, "{}");
    const char *inside = f->kind == FINDING_HEAP && !hole ? block_part(n, f, at) : NULL;
    if (inside)
        return names_keep(n, mem_printf("%s: %s", text, inside));
    if (!hole || !f->object)
        return words_about(n, text, f->object, at);
    return names_keep(n, mem_printf("%.*s%s%s", (int)(hole - text), text,
                                    names_object(n, f->object, size, at), hole + 2));
}

const char *words_fact(struct names *n, const struct fact *f, size_t at)
{
    char text[256];
    if ((f->kind == FACT_WRITES || f->kind == FACT_HAS_WRITTEN) && is_free(n, f->thread, f->pc, at))
        return names_keep(n, mem_printf("%s %s, and with it %s", f->kind == FACT_WRITES ? "frees" : "freed",
                                        names_block_of(n, f->object, at),
                                        names_object(n, f->object, (uint32_t)f->number, at)));
    fact_words(f, text, sizeof text);
    return words_about(n, names_keep(n, mem_strdup(text)), f->object, at);
}

/* The text from p on begins with `word` and an address: where it ends, NULL if it does not. */
static const char *address_after(const char *p, const char *word, uint64_t *address)
{
    size_t length = strlen(word);
    char *end;
    if (strncmp(p, word, length) || strncmp(p + length, "0x", 2))
        return NULL;
    *address = strtoull(p + length, &end, 16);
    return end;
}

const char *words_divergence(struct names *n, const char *text)
{
    struct sbuf out = {0};
    for (const char *p = text; *p;) {
        uint64_t address;
        const char *end;
        if ((end = address_after(p, "at pc ", &address))) {
            const char *function = names_function(n, address);
            sbuf_printf(&out, "at %s%s%s", names_location(n, address), *function ? " in " : "", function);
            p = end;
        } else if ((end = address_after(p, " of ", &address)) && address > 0xffff) {
            sbuf_printf(&out, " of %s", names_object(n, address, 0, 0));
            p = end;
        } else {
            sbuf_putc(&out, *p++);
        }
    }
    return names_keep(n, out.s ? out.s : mem_strdup(""));
}
