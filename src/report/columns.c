/* The schedule, one column per thread, one line per operation:
 *
 *     step  where                 main                 1 inc             2 inc
 *           race.c:14 main        creates thread 1
 *        1  race.c:7  inc         │                    reads counter: 0
 *
 * Only one thread acts on a line, so its text may run over the columns to its right; what does not fit
 * there is wrapped. What is shown is the affair of rows.c. */
#include "report/rows.h"
#include "report/style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct board {
    struct names *n;
    struct style style;
    struct rows rows;
    int column[EVENT_MAX_THREADS]; /* of a thread, -1 = none */
    size_t first[EVENT_MAX_THREADS], last[EVENT_MAX_THREADS]; /* rows of a thread */
    int columns;
    size_t digits, where, function, left, step; /* widths: of a number, of the location and its function, of
                                                   all left of the columns, of a column */
};

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

#define FUNCTION 16 /* columns of a function, and … */
#define ROOM 36     /* … it is left out where the texts would have less than this */
#define WORDS 24    /* columns in which words can be wrapped, … */
#define LINES 4     /* … into about so many lines */
#define NAMED 8     /* columns that are narrower have the numbers of their threads alone */
static const char *short_function(struct names *n, uint64_t pc)
{
    return names_short(names_function(n, pc), FUNCTION);
}

static void measure(struct board *b)
{
    uint32_t last = 0;
    for (size_t i = 0; i < b->rows.count; i++)
        last = b->rows.items[i].number > last ? b->rows.items[i].number : last;
    for (b->digits = 0; last; last /= 10)
        b->digits++;
    b->digits += b->digits > 0;
    for (size_t i = 0; i < b->rows.count; i++) {
        if (!b->rows.items[i].pc)
            continue;
        size_t w = style_columns(names_location(b->n, b->rows.items[i].pc));
        size_t g = style_columns(short_function(b->n, b->rows.items[i].pc));
        b->where = w > b->where ? w : b->where;
        b->function = g > b->function ? g : b->function;
    }
    b->where = b->where > 24 ? 24 : b->where;
    b->function = b->function > FUNCTION ? FUNCTION : b->function;
    b->left = b->digits + 2 + b->where + 1 + b->function + 2;
    if (b->left + ROOM > (size_t)b->style.width) {
        b->left -= 1 + b->function;
        b->function = 0;
    }
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
        const char *function = names_short(names_thread(b->n, t), FUNCTION);
        char *label = b->step < NAMED && b->columns > 1 ? mem_printf("%d", t)
                      : t == 0 ? mem_strdup("main")
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

/* Where the text of a row starts, in its thread's column: who did it must be seen at a glance. Only where
 * that leaves no room for words (many threads on a narrow screen) does it start further left. */
static size_t text_start(const struct board *b, const struct row *r, const char *text)
{
    size_t start = column_start(b, r->thread >= 0 ? b->column[r->thread] : 0);
    size_t left = r->thread >= 0 ? b->left : b->digits + 2; /* lines of no thread have no place */
    size_t width = (size_t)b->style.width, n = style_columns(text);
    if (start + n <= width || (r->thread >= 0 && start + WORDS <= width))
        return start;
    return n + left < width ? width - n : left;
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

/* The number of the step, once for all that happened in it, and the place. */
static void put_left(struct board *b, size_t i, struct sbuf *out, size_t *at)
{
    const struct row *r = &b->rows.items[i];
    if (r->number && (!i || r->number != b->rows.items[i - 1].number)) {
        style_printf(b->style, out, TINT_DIM, "%*u", (int)b->digits, r->number);
        *at = b->digits;
    }
    if (!r->pc)
        return;
    char *where = style_cut(names_location(b->n, r->pc), b->where);
    pad_to(out, at, b->digits + 2);
    style_put(b->style, out, TINT_DIM, where);
    *at += style_columns(where);
    free(where);
    if (!b->function)
        return;
    char *function = style_cut(short_function(b->n, r->pc), b->function);
    pad_to(out, at, b->digits + 2 + b->where + 1);
    sbuf_puts(out, function);
    *at += style_columns(function);
    free(function);
}

/* One line of a row: its words in its thread's column, beside them that the others are there. */
static void put_line(struct board *b, size_t i, struct sbuf *out, size_t at, size_t start, const char *words)
{
    static const enum tint tints[] = {TINT_PLAIN, TINT_DIM, TINT_WARN, TINT_BAD, TINT_BAD};
    const struct row *r = &b->rows.items[i];
    int column = r->thread >= 0 ? b->column[r->thread] : 0, guides = 0;
    while (guides < column && column_start(b, guides) + 1 < start)
        guides++;
    if (r->thread >= 0)
        put_guides(b, out, &at, i, 0, guides);
    pad_to(out, &at, start);
    char *cut = style_cut(words, (size_t)b->style.width - at);
    style_put(b->style, out, tints[r->kind], cut);
    at += style_columns(cut);
    if (r->thread >= 0)
        put_guides(b, out, &at, i, column + 1, b->columns);
    sbuf_putc(out, '\n');
    free(cut);
}

static void put_row(struct board *b, size_t i, struct sbuf *out)
{
    const struct row *r = &b->rows.items[i];
    char *text = r->times > 1 ? mem_printf("%s  ×%d", r->text, r->times) : mem_strdup(r->text);
    size_t at = 0, start = text_start(b, r, text);
    struct sbuf wrapped = {0};
    struct style room = {.width = b->style.width - (int)start};
    char *some = style_cut(text, LINES * (size_t)room.width);
    style_wrap(room, &wrapped, some, 0, 2);
    put_left(b, i, out, &at);
    for (const char *p = sbuf_str(&wrapped); *p; at = 0) {
        size_t n = strcspn(p, "\n");
        char *line = mem_strndup(p, n);
        put_line(b, i, out, at, start, line);
        free(line);
        p += n + (p[n] != 0);
    }
    sbuf_free(&wrapped);
    free(some);
    free(text);
}

void report_columns(struct names *n, const struct report_finding *f, struct style style,
                    struct sbuf *out)
{
    struct board b = {.n = n, .style = style};
    if (!report_told(f))
        return;
    rows_choose(n, f, style.all, &b.rows);
    assign_columns(&b);
    measure(&b);
    put_header(&b, out);
    for (size_t i = 0; i < b.rows.count; i++)
        put_row(&b, i, out);
    if (b.rows.folded)
        style_printf(style, out, TINT_DIM, "  %zu steps are folded (⋮); --all shows them\n", b.rows.folded);
    rows_free(&b.rows);
}
