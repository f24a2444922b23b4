#include "report/unfolding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------- */

enum { FIELDS = 7 };

/* Takes a line apart at its tabs, in place; how many fields there are. */
static int split(char *line, char **fields)
{
    int n = 0;
    for (char *at = line; at && n < FIELDS; n++) {
        fields[n] = at;
        at = strchr(at, '\t');
        if (at)
            *at++ = 0;
    }
    return n;
}

static size_t find_condition(struct unfolding *u, const char *name, bool make)
{
    struct unfolding_condition c = {0};
    if (sscanf(name, "%u.%u", &c.event, &c.slot) != 2)
        return SIZE_MAX;
    for (size_t i = 0; i < u->conditions.count; i++)
        if (u->conditions.items[i].event == c.event && u->conditions.items[i].slot == c.slot)
            return i;
    if (!make)
        return SIZE_MAX;
    vec_push(&u->conditions, c);
    return u->conditions.count - 1;
}

static size_t find_event(const struct unfolding *u, uint32_t number)
{
    for (size_t i = 0; i < u->events.count; i++)
        if (u->events.items[i].number == number)
            return i;
    return SIZE_MAX;
}

static void add_arc(struct unfolding *u, int kind, size_t event, size_t other)
{
    struct unfolding_arc a = {.kind = (uint8_t)kind, .event = event, .other = other};
    if (other != SIZE_MAX)
        vec_push(&u->arcs, a);
}

/* What it takes it puts anew. */
static void add_taken(struct unfolding *u, size_t event, const char *name)
{
    struct unfolding_event *e = &u->events.items[event];
    const char *slot = strchr(name, '.');
    add_arc(u, ARC_TAKES, event, find_condition(u, name, true));
    if (!e->done || !slot)
        return;
    char *put = mem_printf("%u%s", e->number, slot);
    add_arc(u, ARC_PUTS, event, find_condition(u, put, true));
    free(put);
}

static void add_value(struct unfolding *u, size_t event, const char *text)
{
    const char *value = strchr(text, ':');
    char *name = mem_printf("%u.%u", u->events.items[event].number, (unsigned)strtoul(text, NULL, 10));
    size_t c = find_condition(u, name, false);
    if (value && c != SIZE_MAX && !u->conditions.items[c].value)
        u->conditions.items[c].value = mem_strdup(value + 1);
    free(name);
}

static void read_arcs(struct unfolding *u, size_t event, char *arcs)
{
    char *rest = NULL;
    for (char *w = strtok_r(arcs, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        switch (*w) {
        case '-': add_taken(u, event, w + 1); break;
        case '~': add_arc(u, ARC_READS, event, find_condition(u, w + 1, true)); break;
        case '+': add_arc(u, ARC_AFTER, event, find_event(u, (uint32_t)strtoul(w + 1, NULL, 10))); break;
        case '=': add_value(u, event, w + 1); break;
        default: break;
        }
}

static void read_line(struct unfolding *u, char *line)
{
    char *f[FIELDS];
    int n = split(line, f);
    if (n == 4 && !strcmp(f[0], "slot")) {
        struct unfolding_slot s = {(uint32_t)strtoul(f[1], NULL, 10), !strcmp(f[2], "thread"),
                                   mem_strdup(f[3])};
        vec_push(&u->slots, s);
    } else if (n == 7 && !strcmp(f[0], "event")) {
        struct unfolding_event e = {(uint32_t)strtoul(f[1], NULL, 10), (uint32_t)strtoul(f[2], NULL, 10),
                                    !strcmp(f[3], "done"), mem_strdup(f[5]), mem_strdup(f[6])};
        vec_push(&u->events, e);
        read_arcs(u, u->events.count - 1, f[4]);
    } else if (n == 3 && !strcmp(f[0], "cut")) {
        size_t c = find_condition(u, f[1], false);
        if (c != SIZE_MAX)
            u->conditions.items[c].cut = (uint32_t)strtoul(f[2], NULL, 10);
    }
}

int unfolding_read(struct unfolding *u, const struct report *r)
{
    *u = (struct unfolding){.performed = r->unfolding_events};
    for (size_t i = 0; i < r->unfolding.count; i++) {
        char *line = mem_strdup(r->unfolding.items[i]);
        read_line(u, line);
        free(line);
    }
    return u->events.count ? 0 : -1;
}

void unfolding_free(struct unfolding *u)
{
    for (size_t i = 0; i < u->slots.count; i++)
        free(u->slots.items[i].name);
    for (size_t i = 0; i < u->events.count; i++) {
        free(u->events.items[i].words);
        free(u->events.items[i].place);
    }
    for (size_t i = 0; i < u->conditions.count; i++)
        free(u->conditions.items[i].value);
    vec_free(&u->slots);
    vec_free(&u->events);
    vec_free(&u->conditions);
    vec_free(&u->arcs);
}

const struct unfolding_slot *unfolding_slot(const struct unfolding *u, uint32_t slot)
{
    static const struct unfolding_slot unknown = {.name = "?"};
    for (size_t i = 0; i < u->slots.count; i++)
        if (u->slots.items[i].slot == slot)
            return &u->slots.items[i];
    return &unknown;
}

char *unfolding_condition_text(const struct unfolding *u, const struct unfolding_condition *c)
{
    const char *name = unfolding_slot(u, c->slot)->name;
    return c->value ? mem_printf("%s = %s", name, c->value) : mem_strdup(name);
}

/* ---- for Graphviz -------------------------------------------------------------------------------------- */

/* The colours of page.css on white. */
static const char *const colours[] = {"#0b63c5", "#b35900", "#1a7f37", "#8250df",
                                      "#b3261e", "#00727a", "#a0307c", "#586069"};

static const char *colour(uint32_t thread)
{
    return colours[thread % (sizeof colours / sizeof colours[0])];
}

static const char *condition_colour(const struct unfolding *u, const struct unfolding_condition *c)
{
    const struct unfolding_slot *s = unfolding_slot(u, c->slot);
    for (size_t i = 0, k = 0; s->thread && i < u->slots.count; i++)
        if (u->slots.items[i].thread && (k++, &u->slots.items[i] == s))
            return colour((uint32_t)k - 1);
    return "#1c1f23";
}

/* A string of the language: what came from the program is only ever text. */
static void put_quoted(struct sbuf *out, const char *text)
{
    sbuf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            sbuf_putc(out, '\\');
        sbuf_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
    }
    sbuf_putc(out, '"');
}

static void put_event(const struct unfolding *u, size_t i, struct sbuf *out)
{
    const struct unfolding_event *e = &u->events.items[i];
    char *tip = mem_printf("event %u of thread %u, %s%s", e->number, e->thread, e->place,
                           e->done ? "" : ": possible, not performed");
    sbuf_printf(out, "  e%zu [shape=box, color=\"%s\", fontcolor=\"%s\"%s, label=", i, colour(e->thread),
                colour(e->thread), e->done ? "" : ", style=dotted");
    put_quoted(out, e->words);
    sbuf_puts(out, ", tooltip=");
    put_quoted(out, tip);
    sbuf_puts(out, "];\n");
    free(tip);
}

static void put_condition(const struct unfolding *u, size_t i, struct sbuf *out)
{
    const struct unfolding_condition *c = &u->conditions.items[i];
    char *text = unfolding_condition_text(u, c);
    sbuf_printf(out, "  c%zu [shape=ellipse, color=\"%s\", label=", i, condition_colour(u, c));
    put_quoted(out, text);
    sbuf_puts(out, "];\n");
    if (c->cut)
        sbuf_printf(out, "  cut%zu [shape=plaintext, label=\"… %u more\"];\n"
                         "  c%zu -> cut%zu [style=dotted];\n", i, c->cut, i, i);
    free(text);
}

static void put_arc(const struct unfolding_arc *a, struct sbuf *out)
{
    if (a->kind == ARC_PUTS)
        sbuf_printf(out, "  e%zu -> c%zu;\n", a->event, a->other);
    else if (a->kind == ARC_AFTER)
        sbuf_printf(out, "  e%zu -> e%zu [style=dotted, arrowhead=open];\n", a->other, a->event);
    else
        sbuf_printf(out, "  c%zu -> e%zu%s;\n", a->other, a->event,
                    a->kind == ARC_READS ? " [style=dashed, dir=none]" : "");
}

void unfolding_dot(const struct report *r, struct sbuf *out)
{
    struct unfolding u;
    int none = unfolding_read(&u, r);
    sbuf_puts(out, "digraph unfolding {\n  node [fontname=\"sans-serif\", fontsize=11];\n");
    if (none)
        sbuf_puts(out, "  none [shape=plaintext, label=\"no unfolding: --engine context makes one\"];\n");
    else if (u.performed > u.events.count)
        sbuf_printf(out, "  label=\"the first %zu of %llu events\";\n", u.events.count,
                    (unsigned long long)u.performed);
    for (size_t i = 0; i < u.events.count; i++)
        put_event(&u, i, out);
    for (size_t i = 0; i < u.conditions.count; i++)
        put_condition(&u, i, out);
    for (size_t i = 0; i < u.arcs.count; i++)
        put_arc(&u.arcs.items[i], out);
    sbuf_puts(out, "}\n");
    unfolding_free(&u);
}
