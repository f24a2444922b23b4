#include "report/rows.h"

#include "object/object.h"
#include "report/causes.h"
#include "report/steps.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 44      /* more lines than this are shortened */
#define HEAD_ROWS 6  /* … at the very least to this many at the start */
#define NEAR_ROWS 10 /* the last steps before the failure always stay, */
#define THREAD_ROWS 4 /* and those of each thread, fewer if there are many threads */
#define PRINTED_ROWS 12 /* and lines that were printed */

enum weight { NEVER, SHORT, LIFE, OBJECT, MUST };

struct picking {
    struct names *n;
    const struct report_finding *f;
    const struct tale_finding *told;
    const struct tale_event *events;
    size_t end; /* events before the finding */
    struct causes causes;
    unsigned char *weight; /* [event] */
    int marked; /* the point of no return is among the rows */
    struct rows *out;
};

/* ---- what matters ---- */

static int is_plain(const struct event *e)
{
    return e->flags & EVENT_PLAIN || e->kind == EV_ALLOC;
}

static enum weight weigh(const struct picking *c, const struct tale_event *t, size_t at)
{
    const struct event *e = &t->event;
    if (words_silent(e))
        return NEVER;
    if (causes_name(&c->causes, at) || (e->kind == EV_NOTE && !t->prints))
        return MUST;
    if (e->kind == EV_CHOOSE || causes_concern(&c->causes, e))
        return OBJECT;
    if (operation_is(e->kind, OP_OF_THREAD) || t->prints)
        return LIFE;
    return is_plain(e) ? NEVER : SHORT;
}

static void keep_printed(struct picking *c)
{
    size_t left = PRINTED_ROWS;
    for (size_t i = c->end; i-- > 0 && left;)
        if (c->events[i].prints) {
            c->weight[i] = MUST;
            left--;
        }
}

static void keep_last(struct picking *c)
{
    unsigned char left[EVENT_MAX_THREADS];
    size_t near = NEAR_ROWS, threads = 0, each;
    memset(left, 0, sizeof left);
    for (size_t i = 0; i < c->end; i++) {
        threads += !left[c->events[i].event.thread];
        left[c->events[i].event.thread] = 1;
    }
    each = threads > 6 ? 24 / threads : THREAD_ROWS;
    memset(left, each ? (int)each : 1, sizeof left);
    for (size_t i = c->end; i-- > 0;) {
        unsigned char *mine = &left[c->events[i].event.thread];
        if (c->weight[i] == NEVER || is_plain(&c->events[i].event) || (!near && !*mine))
            continue;
        c->weight[i] = MUST;
        near -= near > 0;
        *mine = (unsigned char)(*mine - (*mine > 0));
    }
}

/* ---- accesses to shared memory, for those who want to see everything ---- */

struct used_word {
    uint64_t word;
    uint32_t thread, mixed;
};

static int by_word(const void *a, const void *b)
{
    const struct used_word *x = a, *y = b;
    return x->word < y->word ? -1 : x->word > y->word;
}

static void show_shared(struct picking *c)
{
    VEC(struct used_word) uses = {0};
    for (size_t i = 0; i < c->end; i++) {
        const struct event *e = &c->events[i].event;
        if (e->flags & EVENT_PLAIN)
            vec_push(&uses, ((struct used_word){e->object >> 3, e->thread, 0}));
    }
    if (!uses.count)
        return;
    qsort(uses.items, uses.count, sizeof uses.items[0], by_word);
    for (size_t i = 0, k; i < uses.count; i = k) {
        for (k = i; k < uses.count && uses.items[k].word == uses.items[i].word; k++)
            uses.items[i].mixed |= uses.items[k].thread != uses.items[i].thread;
    }
    for (size_t i = 0; i < c->end; i++) {
        const struct event *e = &c->events[i].event;
        uint64_t word = e->object >> 3;
        if (!(e->flags & EVENT_PLAIN) || c->weight[i] != NEVER || words_silent(e))
            continue;
        size_t low = 0, high = uses.count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (uses.items[middle].word < word)
                low = middle + 1;
            else
                high = middle;
        }
        c->weight[i] = uses.items[low].mixed ? SHORT : NEVER;
    }
    vec_free(&uses);
}

/* ---- rows ---- */

struct gap {
    size_t steps;
    size_t last; /* event */
    struct tset threads;
};

static void add_event(struct picking *c, size_t i);

/* A single step is shown: its line is no longer than that of the gap. */
static void add_gap(struct picking *c, struct gap *g)
{
    struct sbuf text = {0};
    int named = 0;
    if (g->steps == 1)
        add_event(c, g->last);
    if (g->steps <= 1) {
        *g = (struct gap){0};
        return;
    }
    sbuf_printf(&text, "⋮ %zu more steps", g->steps);
    for (int t = 0; t < EVENT_MAX_THREADS && named < 5; t++)
        if (tset_has(&g->threads, t)) {
            sbuf_puts(&text, named == 0 ? " of " : ", ");
            if (named++ == 4)
                sbuf_puts(&text, "…");
            else if (t == 0)
                sbuf_puts(&text, "main");
            else
                sbuf_printf(&text, "%d", t);
        }
    vec_push(c->out, ((struct row){.kind = ROW_GAP, .thread = -1, .text = text.s}));
    c->out->folded += g->steps;
    *g = (struct gap){0};
}

/* Between the steps: the point of no return, if it is known. */
static void add_mark(struct picking *c, uint32_t next)
{
    const struct schedule *s = &c->f->schedule;
    if (c->marked || !s->doomed || s->doomed != s->avoidable || next <= s->doomed)
        return;
    c->marked = 1;
    vec_push(c->out, ((struct row){.kind = ROW_MARK, .thread = -1,
                                   .text = mem_printf("── after step %llu nothing could avoid it ──",
                                                      (unsigned long long)s->doomed)}));
}

static void add_event(struct picking *c, size_t i)
{
    const struct tale_event *t = &c->events[i];
    const struct event *e = &t->event;
    add_mark(c, steps_number(c->f, t));
    uint64_t pc = e->kind == EV_EXIT ? 0 : names_own_place(c->n, e->pc, t->pc, t->frames);
    struct sbuf text = {0};
    words_event(c->n, i, &text);
    struct row *before = c->out->count ? &c->out->items[c->out->count - 1] : NULL;
    if (before && before->kind == ROW_EVENT && before->thread == e->thread && before->pc == pc &&
        !strcmp(before->text, sbuf_str(&text))) {
        before->times++;
        sbuf_free(&text);
        return;
    }
    vec_push(c->out, ((struct row){.kind = ROW_EVENT,
                                   .thread = e->thread,
                                   .times = 1,
                                   .number = steps_number(c->f, t),
                                   .pc = pc,
                                   .event = i,
                                   .text = text.s ? text.s : mem_strdup("")}));
}

static void clear_rows(struct rows *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->items[i].text);
    r->count = r->folded = 0;
}

static size_t make_rows(struct picking *c, enum weight least)
{
    struct gap gap = {0};
    clear_rows(c->out);
    c->marked = 0;
    for (size_t i = 0; i < c->end; i++) {
        if (c->weight[i] < least) {
            if (c->weight[i]) {
                gap.steps++;
                gap.last = i;
                tset_add(&gap.threads, c->events[i].event.thread);
            }
            continue;
        }
        add_gap(c, &gap);
        add_event(c, i);
    }
    add_gap(c, &gap);
    return c->out->count;
}

/* Of what concerns the objects the first and the last stay: as many as there is room for. */
static void keep_some(struct picking *c)
{
    size_t must = 0, head = HEAD_ROWS;
    for (size_t i = 0; i < c->end; i++)
        must += c->weight[i] == MUST;
    size_t tail = must + HEAD_ROWS < ROWS ? (ROWS - HEAD_ROWS - must) / 3 : 0; /* gaps are lines too */
    for (size_t i = 0; i < c->end && head; i++)
        if (c->weight[i] == OBJECT) {
            c->weight[i] = MUST;
            head--;
        }
    for (size_t i = c->end; i-- > 0 && tail;)
        if (c->weight[i] == OBJECT) {
            c->weight[i] = MUST;
            tail--;
        }
}

/* More threads have a few last steps each than there is room for: the causes and the end stay. */
static void fold_middle(struct picking *c)
{
    struct rows *r = c->out;
    if (r->count <= 2 * ROWS)
        return;
    for (size_t i = 0; i < c->end; i++)
        c->weight[i] = c->weight[i] == MUST && !causes_name(&c->causes, i) ? OBJECT : c->weight[i];
    for (size_t i = 0; i < r->count; i++)
        if (r->items[i].kind == ROW_EVENT && (i < HEAD_ROWS || i >= r->count - ROWS))
            c->weight[r->items[i].event] = MUST;
    make_rows(c, MUST);
}

static void choose(struct picking *c, int all)
{
    c->weight = mem_alloc(c->end + 1);
    for (size_t i = 0; i < c->end; i++)
        c->weight[i] = (unsigned char)weigh(c, &c->events[i], i);
    if (all) {
        show_shared(c);
        make_rows(c, SHORT);
        return;
    }
    keep_printed(c);
    keep_last(c);
    for (enum weight least = SHORT; least <= OBJECT; least++)
        if (make_rows(c, least) <= ROWS)
            return;
    keep_some(c);
    make_rows(c, MUST);
    fold_middle(c);
}

/* ---- the end ---- */

static void add_waiting(struct picking *c)
{
    for (size_t i = 0; i < c->f->tale.stacks.count; i++) {
        const struct tale_stack *s = &c->f->tale.stacks.items[i];
        struct sbuf text = {0};
        if (&c->f->tale.findings.items[s->finding] != c->told)
            continue;
        sbuf_puts(&text, "✗ ");
        words_pending(c->n, &s->next, &text);
        vec_push(c->out, ((struct row){.kind = ROW_WAIT,
                                       .thread = (int)s->thread,
                                       .pc = names_own_place(c->n, s->next.pc, s->pc, s->frames),
                                       .text = text.s}));
    }
}

static void add_end(struct picking *c)
{
    const struct finding *f = &c->told->finding;
    add_mark(c, UINT32_MAX);
    if ((f->kind == FINDING_DEADLOCK || f->kind == FINDING_LIVELOCK) && c->f->tale.stacks.count) {
        add_waiting(c);
        return;
    }
    const char *message = words_finding(c->n, f, c->told->at);
    vec_push(c->out, ((struct row){.kind = ROW_FAIL,
                                   .thread = f->thread,
                                   .number = f->at_step,
                                   .pc = report_place(c->n, c->told),
                                   .text = mem_printf("✗ %s", message)}));
}

void rows_choose(struct names *n, const struct report_finding *f, int all, struct rows *out)
{
    struct picking c = {.n = n, .f = f, .told = report_told(f), .events = f->tale.events.items, .out = out};
    *out = (struct rows){0};
    if (!c.told)
        return;
    c.end = c.told->at < f->tale.events.count ? c.told->at : f->tale.events.count;
    causes_find(n, f, &c.causes);
    choose(&c, all);
    add_end(&c);
    causes_free(&c.causes);
    free(c.weight);
}

void rows_free(struct rows *r)
{
    clear_rows(r);
    vec_free(r);
}
