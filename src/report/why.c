/* The why of a finding: its facts (who did what where), each with its call stack; the cycle of a
 * deadlock in one sentence; heap blocks with where they were allocated and freed. */
#include "report/causes.h"
#include "report/stacks.h"
#include "report/style.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct context {
    struct names *n;
    const struct tale *tale;
    const struct tale_finding *told;
    struct style style;
    struct sbuf *out;
};

static void put_callers(struct context *c, struct callers *l)
{
    for (int i = 0; i < l->count; i++) {
        sbuf_printf(c->out, "      called from %s", l->line[i]);
        if (l->times[i] > 1)
            sbuf_printf(c->out, "  ×%d", l->times[i]);
        sbuf_putc(c->out, '\n');
    }
    stacks_free(l);
}

/* A line of text and the place it speaks of, which gets a line of its own if it does not fit. */
static void put_line(struct context *c, const char *text, uint64_t pc)
{
    const char *function = names_function(c->n, pc);
    char *place = pc ? mem_printf("%s%s%s", names_location(c->n, pc), *function ? " in " : "", function)
                     : mem_strdup("");
    size_t width = style_columns(text) + 2 + style_columns(place);
    style_wrap(c->style, c->out, text, 0, 6);
    if (pc)
        style_printf(c->style, c->out, TINT_DIM, "%s%s",
                     width <= (size_t)c->style.width ? "  " : "\n      at ", place);
    sbuf_putc(c->out, '\n');
    free(place);
}

static void put_stack(struct context *c, int thread, uint64_t pc)
{
    struct callers l;
    stacks_callers_at(c->n, c->told, thread, pc, &l);
    put_callers(c, &l);
}

static void put_fact(struct context *c, const struct fact *f)
{
    put_line(c, names_keep(c->n, mem_printf("  %s: %s", names_thread_full(c->n, f->thread),
                                            words_fact(c->n, f, c->told->at))),
             stacks_fact_place(c->n, c->told, f));
    struct callers l;
    stacks_fact_callers(c->n, c->told, f, &l);
    put_callers(c, &l);
}

static void put_facts(struct context *c)
{
    const struct finding *f = &c->told->finding;
    for (uint32_t i = 0; i < f->fact_count; i++) {
        uint32_t k = 0;
        while (k < i && !fact_same(&f->facts[k], &f->facts[i]))
            k++;
        if (k == i)
            put_fact(c, &f->facts[i]);
    }
    uint64_t place = report_place(c->n, c->told);
    if (!f->fact_count && place) {
        const char *who = names_thread_full(c->n, f->thread);
        put_line(c, names_keep(c->n, mem_printf("  %s: fails here", who)), place);
        put_stack(c, f->thread, place);
    }
}

/* ---- the cycle ---- */

/* The fact that thread t waits for something held by another thread, which it stores. */
static const struct fact *waits(const struct finding *f, int thread, int *holder)
{
    for (uint32_t i = 0; i < f->fact_count; i++)
        if (f->facts[i].thread == thread && f->facts[i].other) {
            *holder = f->facts[i].other - 1;
            return &f->facts[i];
        }
    return NULL;
}

/* A thread on a cycle, reached from `thread`; -1 if the chain ends. */
static int on_cycle(const struct finding *f, int thread)
{
    int holder = thread;
    for (int i = 0; i < 2 * FINDING_FACTS; i++) {
        if (!waits(f, thread, &holder))
            return -1;
        thread = holder;
    }
    return thread;
}

static void put_cycle(struct context *c)
{
    const struct finding *f = &c->told->finding;
    int first = -1, holder;
    for (uint32_t i = 0; i < f->fact_count && first < 0; i++)
        first = on_cycle(f, f->facts[i].thread);
    if (first < 0)
        return;
    struct sbuf line = {0};
    sbuf_printf(&line, "the cycle: thread %d", first);
    int thread = first;
    do {
        const struct fact *w = waits(f, thread, &holder);
        if (w->object)
            sbuf_printf(&line, " → %s", names_object(c->n, w->object, 0, c->told->at));
        sbuf_printf(&line, " → thread %d", holder);
        thread = holder;
    } while (thread != first);
    sbuf_puts(c->out, "  ");
    style_wrap(c->style, c->out, sbuf_str(&line), 2, 6);
    sbuf_putc(c->out, '\n');
    sbuf_free(&line);
}

/* ---- what led to it ---- */

static void put_stack_of_event(struct context *c, const struct cause *k)
{
    const struct tale_event *e = &c->tale->events.items[k->event];
    struct callers l = {.count = 0};
    for (uint32_t i = 0; i < e->frames && !l.count; i++)
        if (e->pc[i] == k->pc)
            stacks_callers(c->n, e->pc + i, e->frames - i, &l);
    put_callers(c, &l);
}

static void put_causes(struct context *c, const struct report_finding *f)
{
    struct causes causes;
    causes_find(c->n, f, &causes);
    for (size_t i = 0; i < causes.items.count; i++) {
        const struct cause *k = &causes.items.items[i];
        put_line(c, names_keep(c->n, mem_printf("  %s", k->text)), k->pc);
        if (k->stack)
            put_stack_of_event(c, k);
    }
    causes_free(&causes);
}

#define PAIRS 8 /* are told */

static void put_pairs(struct context *c, const struct schedule_list *pairs)
{
    if (pairs->count)
        sbuf_puts(c->out, "  the same memory, also:\n");
    for (size_t i = 0; i < pairs->count && i < PAIRS; i++) {
        sbuf_puts(c->out, "      ");
        style_wrap(c->style, c->out, pairs->items[i], 6, 10);
        sbuf_putc(c->out, '\n');
    }
    if (pairs->count > PAIRS)
        sbuf_printf(c->out, "      and %zu more pairs of lines\n", pairs->count - PAIRS);
}

/* ---- blocks ---- */

static void put_block_event(struct context *c, const char *what, size_t event, int stacks)
{
    const struct tale_event *e = &c->tale->events.items[event];
    uint64_t place = names_own_place(c->n, e->event.pc, e->pc, e->frames);
    put_line(c, names_keep(c->n, mem_printf("%s by %s", what,
                                            names_thread_full(c->n, e->event.thread))), place);
    struct callers l = {.count = 0};
    if (stacks && place == e->event.pc)
        stacks_callers(c->n, e->pc, e->frames, &l);
    put_callers(c, &l);
}

static void put_blocks(struct context *c, int stacks)
{
    for (size_t i = 0; i < c->n->blocks.count; i++) {
        struct named_block b = c->n->blocks.items[i];
        char what[96];
        if (!strstr(sbuf_str(c->out), b.name)) /* it was asked about, but nothing is said of it */
            continue;
        snprintf(what, sizeof what, "  %.40s%s: %u bytes allocated", b.name,
                 b.guessed ? " (type guessed)" : "", c->tale->events.items[b.event].event.size);
        put_block_event(c, what, b.event, stacks || b.kind < 0);
        if (b.freed < c->told->at) {
            snprintf(what, sizeof what, "  %*s  freed", (int)style_columns(b.name), "");
            put_block_event(c, what, b.freed, stacks);
        }
    }
}

void report_why(struct names *n, const struct report_finding *f, struct style style, struct sbuf *out)
{
    struct context c = {.n = n, .tale = &f->tale, .told = report_told(f), .style = style, .out = out};
    if (!c.told)
        return;
    put_cycle(&c);
    put_causes(&c, f);
    put_facts(&c);
    put_pairs(&c, &f->schedule.pairs);
    put_blocks(&c, c.told->finding.kind == FINDING_HEAP);
}
