/* The schedule, one column per thread, one line per operation:
 *
 *     where                 main                 1 inc             2 inc
 *     race.c:14 main        creates thread 1
 *     race.c:7  inc         │                    reads counter: 0
 *
 * Only one thread acts on a line, so its text may run over the columns to its right.
 *
 * What is shown: every step of a short schedule; of a long one what concerns the objects of the
 * finding (or, if it names none, what the failing thread read last and others wrote), thread
 * creation, choices and notes. Plain accesses, which are no steps, are shown only for those objects.
 * What is left out is counted. */
#include "report/style.h"
#include "object/object.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 44     /* more lines than this are shortened */
#define HEAD_ROWS 6 /* … at the very least to this many at the start */

enum row_kind { ROW_EVENT, ROW_GAP, ROW_WAIT, ROW_FAIL };

struct row {
    enum row_kind kind;
    int thread, times;
    uint64_t pc;
    size_t event;
    char *text;
};

struct board {
    struct names *n;
    const struct tale *tale;
    const struct tale_finding *told;
    struct style style;
    size_t end; /* events before the finding */
    VEC(uint64_t) objects;
    unsigned char *weight; /* [event] */
    VEC(struct row) rows;
    int column[EVENT_MAX_THREADS]; /* of a thread, -1 = none */
    size_t first[EVENT_MAX_THREADS], last[EVENT_MAX_THREADS]; /* rows of a thread */
    int columns;
    size_t where, left, step; /* widths: of the location, of all left of the columns, of a column */
};

/* ---- what matters ---- */

static void add_object(struct board *b, uint64_t object)
{
    for (size_t i = 0; i < b->objects.count; i++)
        if (b->objects.items[i] == object)
            return;
    if (object)
        vec_push(&b->objects, object);
}

static int is_access(const struct event *e)
{
    enum event_class c = event_class(e->kind);
    return c == CLASS_READ || c == CLASS_WRITE || c == CLASS_RMW;
}

static int written_by_another(const struct board *b, uint64_t object, int thread)
{
    for (size_t i = 0; i < b->end; i++) {
        const struct event *e = &b->tale->events.items[i].event;
        if (e->object == object && e->thread != thread && is_access(e) &&
            event_class(e->kind) != CLASS_READ)
            return 1;
    }
    return 0;
}

/* Without objects in the finding: the last values the failing thread took from others. */
static void guess_objects(struct board *b)
{
    int thread = b->told->finding.thread, left = 20;
    for (size_t i = b->end; i-- > 0 && left > 0 && b->objects.count < 3;) {
        const struct event *e = &b->tale->events.items[i].event;
        if (e->thread != thread || !is_access(e))
            continue;
        left--;
        if (written_by_another(b, e->object, thread))
            add_object(b, e->object);
    }
}

static void find_objects(struct board *b)
{
    const struct finding *f = &b->told->finding;
    add_object(b, f->object);
    for (uint32_t i = 0; i < f->fact_count; i++)
        add_object(b, f->facts[i].object);
    if (!b->objects.count)
        guess_objects(b);
}

static int touches(const struct board *b, uint64_t object, uint32_t size)
{
    for (size_t i = 0; i < b->objects.count; i++)
        if (b->objects.items[i] - object < (size ? size : 1))
            return 1;
    return 0;
}

static int concerns(const struct board *b, const struct event *e)
{
    if (operation_is(e->kind, OP_OF_THREAD))
        return 0;
    if (operation_of(e->kind)->touch == TOUCH_OTHER || operation_is(e->kind, OP_WOKEN))
        return touches(b, e->object, e->size) || touches(b, e->other, 0);
    return touches(b, e->object, e->size);
}

/* 0 never shown, 1 shown in a short schedule, 2 in a long one, 3 always. */
static int weigh(const struct board *b, const struct tale_event *t)
{
    const struct event *e = &t->event;
    if (words_silent(e))
        return 0;
    if (e->kind == EV_NOTE)
        return t->prints ? 2 : 3;
    if (e->kind == EV_CHOOSE || concerns(b, e))
        return 3;
    if (operation_is(e->kind, OP_OF_THREAD))
        return 2;
    return e->flags & EVENT_PLAIN || e->kind == EV_ALLOC ? 0 : 1;
}

/* ---- rows ---- */

static void add_gap(struct board *b, size_t hidden)
{
    if (hidden)
        vec_push(&b->rows, ((struct row){.kind = ROW_GAP,
                                         .thread = -1,
                                         .text = mem_printf("⋮ %zu more step%s", hidden,
                                                            hidden == 1 ? "" : "s")}));
}

static void add_event(struct board *b, size_t i)
{
    const struct tale_event *t = &b->tale->events.items[i];
    const struct event *e = &t->event;
    uint64_t pc = e->kind == EV_EXIT ? 0 : names_own_place(b->n, e->pc, t->pc, t->frames);
    struct sbuf text = {0};
    words_event(b->n, i, &text);
    struct row *before = b->rows.count ? &b->rows.items[b->rows.count - 1] : NULL;
    if (before && before->kind == ROW_EVENT && before->thread == e->thread && before->pc == pc &&
        !strcmp(before->text, sbuf_str(&text))) {
        before->times++;
        sbuf_free(&text);
        return;
    }
    vec_push(&b->rows, ((struct row){.kind = ROW_EVENT,
                                     .thread = e->thread,
                                     .times = 1,
                                     .pc = pc,
                                     .event = i,
                                     .text = text.s ? text.s : mem_strdup("")}));
}

static void make_rows(struct board *b, int least)
{
    size_t hidden = 0;
    for (size_t i = 0; i < b->end; i++) {
        if (b->weight[i] < least) {
            hidden += b->weight[i] > 0;
            continue;
        }
        add_gap(b, hidden);
        hidden = 0;
        add_event(b, i);
    }
    add_gap(b, hidden);
}

static void drop_rows(struct board *b, size_t from, size_t to)
{
    size_t hidden = 0;
    for (size_t i = from; i < to; i++) {
        struct row *r = &b->rows.items[i];
        unsigned steps = 0;
        if (r->kind == ROW_GAP)
            sscanf(r->text, "⋮ %u", &steps);
        hidden += r->kind == ROW_GAP ? steps : (unsigned)r->times;
        free(r->text);
    }
    b->rows.items[from] = (struct row){
        .kind = ROW_GAP, .thread = -1, .text = mem_printf("⋮ %zu more steps", hidden)};
    memmove(&b->rows.items[from + 1], &b->rows.items[to],
            (b->rows.count - to) * sizeof b->rows.items[0]);
    b->rows.count -= to - from - 1;
}

static void clear_rows(struct board *b)
{
    for (size_t i = 0; i < b->rows.count; i++)
        free(b->rows.items[i].text);
    b->rows.count = 0;
}

static void choose_rows(struct board *b)
{
    b->weight = mem_alloc(b->end + 1);
    for (size_t i = 0; i < b->end; i++)
        b->weight[i] = (unsigned char)weigh(b, &b->tale->events.items[i]);
    for (int least = 1; least <= 3; least++) {
        clear_rows(b);
        make_rows(b, least);
        if (b->rows.count <= ROWS)
            return;
    }
    drop_rows(b, HEAD_ROWS, b->rows.count - (ROWS - HEAD_ROWS));
}

static void add_waiting(struct board *b)
{
    for (size_t i = 0; i < b->tale->stacks.count; i++) {
        const struct tale_stack *s = &b->tale->stacks.items[i];
        struct sbuf text = {0};
        if (&b->tale->findings.items[s->finding] != b->told)
            continue;
        sbuf_puts(&text, "✗ waits: ");
        words_pending(b->n, &s->next, &text);
        vec_push(&b->rows, ((struct row){.kind = ROW_WAIT,
                                         .thread = (int)s->thread,
                                         .pc = s->next.pc,
                                         .text = text.s}));
    }
}

static void add_end(struct board *b)
{
    const struct finding *f = &b->told->finding;
    if ((f->kind == FINDING_DEADLOCK || f->kind == FINDING_LIVELOCK) && b->tale->stacks.count) {
        add_waiting(b);
        return;
    }
    const char *message = words_about(b->n, f->message, f->object, b->told->at);
    vec_push(&b->rows, ((struct row){.kind = ROW_FAIL,
                                     .thread = f->thread,
                                     .pc = report_place(b->n, b->told),
                                     .text = mem_printf("✗ %s", message)}));
}

/* ---- layout ---- */

static void assign_columns(struct board *b)
{
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        b->column[t] = -1;
    for (size_t i = 0; i < b->rows.count; i++) {
        int t = b->rows.items[i].thread;
        if (t < 0 || t >= EVENT_MAX_THREADS)
            continue;
        if (b->column[t] < 0) {
            b->column[t] = 0;
            b->first[t] = i;
        }
        b->last[t] = i;
    }
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        if (b->column[t] >= 0)
            b->column[t] = b->columns++;
}

static void measure(struct board *b)
{
    size_t function = 0;
    for (size_t i = 0; i < b->rows.count; i++) {
        if (!b->rows.items[i].pc)
            continue;
        size_t w = style_columns(names_location(b->n, b->rows.items[i].pc));
        size_t g = style_columns(names_function(b->n, b->rows.items[i].pc));
        b->where = w > b->where ? w : b->where;
        function = g > function ? g : function;
    }
    b->where = b->where > 24 ? 24 : b->where;
    function = function > 16 ? 16 : function;
    b->left = 2 + b->where + 1 + function + 2;
    size_t room = (size_t)b->style.width - b->left;
    size_t share = b->columns > 1 ? (room > 30 ? room - 30 : 0) / (size_t)(b->columns - 1) : 0;
    b->step = share > 26 ? 26 : share < 4 ? 4 : share;
}

static void pad_to(struct sbuf *out, size_t *at, size_t to)
{
    if (*at < to) {
        sbuf_pad(out, ' ', to - *at);
        *at = to;
    }
}

static size_t column_start(const struct board *b, int column)
{
    return b->left + (size_t)column * b->step;
}

static void put_header(struct board *b, struct sbuf *out)
{
    size_t at = 0;
    for (int t = 0; t < EVENT_MAX_THREADS; t++) {
        size_t width = (size_t)b->style.width;
        if (b->column[t] < 0 || column_start(b, b->column[t]) + 2 > width)
            continue;
        const char *function = names_thread(b->n, t);
        char *label = t == 0 ? mem_strdup("main")
                             : mem_printf("%d%s%s", t, *function ? " " : "", function);
        size_t start = column_start(b, b->column[t]), rest = width - start;
        char *cut = style_cut(label, b->column[t] + 1 < b->columns ? b->step - 1 : rest < 30 ? rest : 30);
        pad_to(out, &at, start);
        style_put(b->style, out, TINT_HEAD, cut);
        at += style_columns(cut);
        free(label);
        free(cut);
    }
    sbuf_putc(out, '\n');
}

/* Where the text of a row starts: in its thread's column, further left if it would not fit. */
static size_t text_start(const struct board *b, int column, const char *text)
{
    size_t start = column_start(b, column), width = (size_t)b->style.width, n = style_columns(text);
    if (start + n <= width)
        return start;
    return n + b->left < width ? width - n : b->left;
}

static void put_guides(struct board *b, struct sbuf *out, size_t *at, size_t row, int from, int to)
{
    for (int t = 0; t < EVENT_MAX_THREADS; t++) {
        int c = b->column[t];
        if (c < from || c >= to || row < b->first[t] || row > b->last[t] ||
            column_start(b, c) < *at + (*at > b->left))
            continue;
        pad_to(out, at, column_start(b, c));
        style_put(b->style, out, TINT_DIM, "│");
        ++*at;
    }
}

static void put_left(struct board *b, const struct row *r, struct sbuf *out, size_t *at)
{
    if (!r->pc)
        return;
    char *where = style_cut(names_location(b->n, r->pc), b->where);
    char *function = style_cut(names_function(b->n, r->pc), b->left - b->where - 5);
    sbuf_puts(out, "  ");
    style_put(b->style, out, TINT_DIM, where);
    *at = 2 + style_columns(where);
    pad_to(out, at, 2 + b->where + 1);
    sbuf_puts(out, function);
    *at += style_columns(function);
    free(where);
    free(function);
}

static void put_row(struct board *b, size_t i, struct sbuf *out)
{
    static const enum tint tints[] = {TINT_PLAIN, TINT_DIM, TINT_BAD, TINT_BAD};
    const struct row *r = &b->rows.items[i];
    int column = r->thread >= 0 ? b->column[r->thread] : 0, guides = 0;
    char *text = r->times > 1 ? mem_printf("%s  ×%d", r->text, r->times) : mem_strdup(r->text);
    size_t at = 0, start = text_start(b, column, text);
    put_left(b, r, out, &at);
    while (guides < column && column_start(b, guides) + 1 < start)
        guides++;
    if (r->thread >= 0)
        put_guides(b, out, &at, i, 0, guides);
    pad_to(out, &at, start);
    char *cut = style_cut(text, (size_t)b->style.width - at);
    style_put(b->style, out, tints[r->kind], cut);
    at += style_columns(cut);
    if (r->thread >= 0)
        put_guides(b, out, &at, i, column + 1, b->columns);
    sbuf_putc(out, '\n');
    free(text);
    free(cut);
}

void report_columns(struct names *n, const struct report_finding *f, struct style style,
                    struct sbuf *out)
{
    struct board b = {.n = n, .tale = &f->tale, .told = report_told(f), .style = style};
    if (!b.told)
        return;
    b.end = b.told->at < b.tale->events.count ? b.told->at : b.tale->events.count;
    find_objects(&b);
    choose_rows(&b);
    add_end(&b);
    assign_columns(&b);
    measure(&b);
    put_header(&b, out);
    for (size_t i = 0; i < b.rows.count; i++)
        put_row(&b, i, out);
    clear_rows(&b);
    vec_free(&b.rows);
    vec_free(&b.objects);
    free(b.weight);
}
