/* The why of a finding: its facts (who did what where), each with its call stack; the cycle of a
 * deadlock in one sentence; heap blocks with where they were allocated and freed. */
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

/* The call stack of a thread at a place: of the operation it stands before, or of the last event it
 * performed there. */
static const uint64_t *stack_at(const struct tale *t, int thread, uint64_t pc, size_t before,
                                uint32_t *frames)
{
    for (size_t i = 0; i < t->stacks.count; i++)
        if ((int)t->stacks.items[i].thread == thread && t->stacks.items[i].next.pc == pc) {
            *frames = t->stacks.items[i].frames;
            return t->stacks.items[i].pc;
        }
    for (size_t i = before < t->events.count ? before + 1 : t->events.count; i-- > 0;) {
        const struct tale_event *e = &t->events.items[i];
        if (e->event.thread == thread && e->event.pc == pc) {
            *frames = e->frames;
            return e->pc;
        }
    }
    *frames = 0;
    return NULL;
}

/* All frames of ours, inlined ones too, as "f.c:10 in f". Returns how many lines. */
static int put_frames(struct context *c, const uint64_t *pc, uint32_t frames, int skip)
{
    int lines = 0;
    for (uint32_t i = 0; i < frames; i++) {
        struct place p[16];
        if (tale_foreign(c->tale, pc[i]))
            continue;
        int n = symbols_frames(c->n->symbols, pc[i], p, 16);
        for (int k = 0; k < n; k++) {
            if (skip-- > 0)
                continue;
            const char *slash = p[k].file ? strrchr(p[k].file, '/') : NULL;
            sbuf_puts(c->out, "      called from ");
            if (p[k].file)
                sbuf_printf(c->out, "%s:%d", slash ? slash + 1 : p[k].file, p[k].line);
            else
                sbuf_puts(c->out, names_location(c->n, pc[i]));
            sbuf_printf(c->out, " in %s\n", p[k].function ? p[k].function : "?");
            lines++;
        }
    }
    return lines;
}

static void put_where(struct context *c, uint64_t pc)
{
    const char *function = names_function(c->n, pc);
    if (!pc)
        return;
    style_printf(c->style, c->out, TINT_DIM, "  %s%s%s", names_location(c->n, pc),
                 *function ? " in " : "", function);
}

static void put_stack(struct context *c, int thread, uint64_t pc)
{
    uint32_t frames;
    const uint64_t *stack = stack_at(c->tale, thread, pc, c->told->at, &frames);
    if (stack)
        put_frames(c, stack, frames, 1);
}

static void put_fact(struct context *c, const struct fact *f)
{
    sbuf_printf(c->out, "  %s: %s", names_thread_full(c->n, f->thread),
                words_about(c->n, f->text, f->object, c->told->at));
    put_where(c, f->pc);
    sbuf_putc(c->out, '\n');
    put_stack(c, f->thread, f->pc);
}

static int same_fact(const struct fact *a, const struct fact *b)
{
    return a->thread == b->thread && a->pc == b->pc && a->object == b->object && !strcmp(a->text, b->text);
}

static void put_facts(struct context *c)
{
    const struct finding *f = &c->told->finding;
    for (uint32_t i = 0; i < f->fact_count; i++) {
        uint32_t k = 0;
        while (k < i && !same_fact(&f->facts[k], &f->facts[i]))
            k++;
        if (k == i)
            put_fact(c, &f->facts[i]);
    }
    if (!f->fact_count && f->pc) {
        sbuf_printf(c->out, "  %s", names_thread_full(c->n, f->thread));
        put_where(c, f->pc);
        sbuf_putc(c->out, '\n');
        put_stack(c, f->thread, f->pc);
    }
}

/* ---- the cycle ---- */

/* The fact that thread t waits for something held by another thread, which it stores. */
static const struct fact *waits(const struct finding *f, int thread, int *holder)
{
    for (uint32_t i = 0; i < f->fact_count; i++) {
        const char *held = strstr(f->facts[i].text, "held by thread ");
        if (f->facts[i].thread == thread && held && sscanf(held, "held by thread %d", holder) == 1)
            return &f->facts[i];
        if (f->facts[i].thread == thread && sscanf(f->facts[i].text, "waits for thread %d", holder) == 1)
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
    sbuf_printf(c->out, "  the cycle: thread %d", first);
    int thread = first;
    do {
        const struct fact *w = waits(f, thread, &holder);
        if (w->object)
            sbuf_printf(c->out, " → %s", names_object(c->n, w->object, 0, c->told->at));
        sbuf_printf(c->out, " → thread %d", holder);
        thread = holder;
    } while (thread != first);
    sbuf_putc(c->out, '\n');
}

/* ---- blocks ---- */

static void put_block_event(struct context *c, const char *what, size_t event, int stacks)
{
    const struct tale_event *e = &c->tale->events.items[event];
    sbuf_printf(c->out, "%s by %s", what, names_thread_full(c->n, e->event.thread));
    put_where(c, e->event.pc);
    sbuf_putc(c->out, '\n');
    if (stacks)
        put_frames(c, e->pc, e->frames, 1);
}

static void put_blocks(struct context *c, int stacks)
{
    for (size_t i = 0; i < c->n->blocks.count; i++) {
        struct named_block b = c->n->blocks.items[i];
        char what[96];
        snprintf(what, sizeof what, "  block %zu: %u bytes allocated", i + 1,
                 c->tale->events.items[b.event].event.size);
        put_block_event(c, what, b.event, stacks);
        if (b.freed < c->told->at)
            put_block_event(c, "           freed", b.freed, stacks);
    }
}

void report_why(struct names *n, const struct report_finding *f, struct style style, struct sbuf *out)
{
    struct context c = {.n = n, .tale = &f->tale, .told = report_told(f), .style = style, .out = out};
    if (!c.told)
        return;
    put_cycle(&c);
    put_facts(&c);
    put_blocks(&c, c.told->finding.kind == FINDING_HEAP);
}
