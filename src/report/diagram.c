/* The execution is read as a SYN-sequence by the same code that reachability testing uses
 * (explore/reach/reach_record.h), so that what is drawn is what was explored. Columns are the threads and
 * objects that take part; a row is one operation. */
#include "report/diagram.h"

#include "base/arena.h"
#include "base/error.h"
#include "explore/reach/reach_record.h"
#include "report/style.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 30, TOP = 64, CHARACTER = 7, NARROWEST = 90, LONGEST = 20, AGAIN = 30, RACE_ROWS = 200 };

struct picture {
    struct names *n;
    const struct tale *tale;
    struct sbuf *out;
    struct reach_record record;
    struct reach_seq q;
    size_t *told;      /* [op]: the event in the tale */
    int *thread_column, *object_column; /* -1: not shown */
    int columns;
    int width; /* of a column, so that its title fits */
    char *memory;
};

/* Reading -------------------------------------------------------------------------------------- */

static int is_traced(const struct event *e)
{
    return !(e->flags & EVENT_PLAIN) && e->kind != EV_ALLOC && e->kind != EV_NOTE;
}

static void read_tale(struct picture *p)
{
    uint32_t index = 0;
    reach_record_begin(&p->record);
    for (size_t i = 0; i < p->tale->events.count; i++) {
        const struct event *e = &p->tale->events.items[i].event;
        if (!is_traced(e))
            continue;
        uint32_t before = p->record.count;
        reach_record_event(&p->record, e, index++);
        for (; before < p->record.count; before++)
            p->told[before] = i;
    }
}

static void analyse(struct picture *p, struct arena *a)
{
    static const uint16_t no_class[EVENT_MAX_THREADS];
    struct reach_record *r = &p->record;
    p->q = (struct reach_seq){.ops = r->ops,
                              .count = r->count,
                              .edges = r->edges,
                              .edge_count = r->edge_count,
                              .ports = r->ports,
                              .threads = r->threads,
                              .objects = r->objects,
                              .stride = reach_stride(r->threads)};
    size_t row = p->q.stride * sizeof(vtime);
    p->q.calls = arena_alloc(a, r->count * row + 1);
    p->q.before = arena_alloc(a, r->count * row + 1);
    vtime *clocks = arena_alloc(a, (r->threads + r->objects) * row + 1);
    uint32_t *last = arena_alloc(a, r->objects * sizeof *last + 1);
    reach_timestamps(&p->q, clocks);
    uint32_t room = 1 << 20;
    p->q.races = arena_alloc(a, room * sizeof *p->q.races);
    struct reach_reductions none = {.class_of = no_class, .uniform = r->uniform};
    if (reach_race_sets(&p->q, &none, room, last) == REACH_NONE)
        for (uint32_t k = 0; k < r->count; k++)
            p->q.ops[k].race_count = 0;
}

static bool on_object(const struct reach_op *op)
{
    return op->class == REACH_OBJECT || op->class == REACH_READ;
}

static void assign_columns(struct picture *p)
{
    for (uint32_t i = 0; i < p->q.threads; i++)
        p->thread_column[i] = -1;
    for (uint32_t i = 0; i < p->q.objects; i++)
        p->object_column[i] = -1;
    for (uint32_t k = 0; k < p->q.count; k++)
        p->thread_column[p->q.ops[k].thread] = 0;
    for (uint32_t i = 0; i < p->q.threads; i++)
        if (p->thread_column[i] == 0)
            p->thread_column[i] = p->columns++;
    for (uint32_t k = 0; k < p->q.count; k++) {
        const struct reach_op *op = &p->q.ops[k];
        if (on_object(op) && p->object_column[op->object] < 0)
            p->object_column[op->object] = p->columns++;
    }
}

static void picture_open(struct picture *p)
{
    size_t events = p->tale->events.count + 16;
    size_t size = (events * 256 + REACH_NAMES * 128ul) + (64u << 20) +
                  events * 4 * EVENT_MAX_THREADS;
    p->memory = calloc(1, size);
    struct arena a = {p->memory, 0, size};
    if (!p->memory || reach_record_init(&p->record, &a, (uint32_t)events))
        error_fatal("no memory for a diagram of %zu operations", events);
    p->record.exchanges_write = true; /* each is one row */
    p->told = mem_alloc(events * sizeof *p->told);
    read_tale(p);
    analyse(p, &a);
    p->thread_column = mem_alloc((p->q.threads + 1) * sizeof(int));
    p->object_column = mem_alloc((p->q.objects + 1) * sizeof(int));
    assign_columns(p);
}

static void picture_close(struct picture *p)
{
    free(p->memory);
    free(p->told);
    free(p->thread_column);
    free(p->object_column);
}

/* Words ---------------------------------------------------------------------------------------- */

static const struct event *event_of(const struct picture *p, uint32_t k)
{
    return &p->tale->events.items[p->told[k]].event;
}

static const char *object_title(struct picture *p, uint32_t object)
{
    for (uint32_t k = 0; k < p->q.count; k++)
        if (on_object(&p->q.ops[k]) && p->q.ops[k].object == object)
            return names_object(p->n, event_of(p, k)->object, 0, p->told[k]);
    return "?";
}

static const char *thread_title(struct picture *p, uint32_t thread)
{
    return names_thread_full(p->n, p->record.thread[thread].runtime);
}

static const char *label(const struct picture *p, uint32_t k)
{
    const struct reach_op *op = &p->q.ops[k];
    return op->class == REACH_BRANCH ? "choose" : event_name(op->kind);
}

/* SVG ------------------------------------------------------------------------------------------ */

/* A little room on the left is for the numbers of the operations. */
static int x_of(const struct picture *p, int column)
{
    return 30 + p->width / 2 + column * p->width;
}

/* Before every AGAIN rows there is room for the titles. */
static int y_of(uint32_t k)
{
    return TOP + 30 + (int)(k + 2 * (k / AGAIN)) * ROW;
}

static void svg_words(struct picture *p, int x, int y, const char *class, const char *text)
{
    char *cut = style_cut(text, LONGEST);
    sbuf_printf(p->out, "<text class=\"title %s\" x=\"%d\" y=\"%d\">", class, x, y);
    sbuf_html(p->out, cut);
    if (strcmp(cut, text)) {
        sbuf_puts(p->out, "<title>");
        sbuf_html(p->out, text);
        sbuf_puts(p->out, "</title>");
    }
    sbuf_puts(p->out, "</text>\n");
    free(cut);
}

/* A title of one or two lines and the line below it. Long pictures have the titles again and again. */
static void svg_title(struct picture *p, int column, const char *text, const char *below,
                      const char *class)
{
    int x = x_of(p, column);
    sbuf_printf(p->out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", class, x,
                TOP - 12, x, y_of(p->q.count - 1) + ROW);
    for (uint32_t k = 0; k < p->q.count; k += AGAIN) {
        int y = k ? y_of(k) - ROW - ROW / 2 : TOP - 34;
        svg_words(p, x, *below ? y : y + 14, class, text);
        if (*below)
            svg_words(p, x, y + 14, class, below);
    }
}

static void svg_arrow(struct picture *p, const char *class, int x1, int y1, int x2, int y2)
{
    sbuf_printf(p->out, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"%s/>\n", class, x1, y1,
                x2, y2, strcmp(class, "race") ? " marker-end=\"url(#tip)\"" : "");
}

static void svg_dot(struct picture *p, int x, int y, const char *class)
{
    sbuf_printf(p->out, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n", class, x, y);
}

/* Where the receiving event of operation k is drawn. */
static void receiving_place(const struct picture *p, uint32_t k, int *x, int *y)
{
    const struct reach_op *op = &p->q.ops[k];
    *x = x_of(p, op->class == REACH_OBJECT ? p->object_column[op->object]
                                        : p->thread_column[op->thread]);
    *y = y_of(k) + (op->class == REACH_OBJECT ? ROW / 3 : 0);
}

/* From the version of a variable to the read k that has it, or could have had it. */
static void svg_version(struct picture *p, const char *class, uint32_t version, uint32_t k)
{
    const struct reach_op *r = &p->q.ops[k];
    int x = x_of(p, p->object_column[r->object]), y = TOP;
    if (version != REACH_INITIAL)
        receiving_place(p, version, &x, &y);
    svg_arrow(p, class, x, y, x_of(p, p->thread_column[r->thread]), y_of(k));
}

static void svg_races(struct picture *p, uint32_t k)
{
    const struct reach_op *r = &p->q.ops[k];
    int x, y;
    receiving_place(p, k, &x, &y);
    for (uint32_t i = 0; i < r->race_count && r->class != REACH_BRANCH; i++) {
        uint32_t s = p->q.races[r->race + i];
        if (r->class == REACH_READ)
            svg_version(p, "race", s, k);
        else if (s < p->q.count)
            svg_arrow(p, "race", x_of(p, p->thread_column[p->q.ops[s].thread]), y_of(s), x, y);
    }
}

/* The arrow to its receiving event. Arrows are drawn before any words, which stay readable so. */
static void svg_lines(struct picture *p, uint32_t k)
{
    const struct reach_op *op = &p->q.ops[k];
    int x = x_of(p, p->thread_column[op->thread]), y = y_of(k), rx, ry;
    receiving_place(p, k, &rx, &ry);
    if (op->class == REACH_OBJECT && op->flags & REACH_DONE)
        svg_arrow(p, "pair", x, y, rx, ry);
    if (op->class == REACH_RECEIVE && op->partner < p->q.count)
        svg_arrow(p, "pair", x_of(p, p->thread_column[p->q.ops[op->partner].thread]),
                  y_of(op->partner), x, y);
    if (op->class == REACH_READ)
        svg_version(p, "pair", op->partner, k);
}

/* Does an arrow come in from where the words would be? */
static int from_right(const struct picture *p, const struct reach_op *op)
{
    return op->class == REACH_READ ||
           (op->class == REACH_RECEIVE && op->partner < p->q.count &&
            p->thread_column[p->q.ops[op->partner].thread] > p->thread_column[op->thread]);
}

static void svg_op(struct picture *p, uint32_t k)
{
    const struct reach_op *op = &p->q.ops[k];
    int x = x_of(p, p->thread_column[op->thread]), y = y_of(k), rx, ry;
    receiving_place(p, k, &rx, &ry);
    svg_dot(p, x, y, op->flags & REACH_DONE ? "event" : "open");
    sbuf_printf(p->out, "<text class=\"number\" x=\"4\" y=\"%d\">%u</text>\n", y + 4, k + 1);
    sbuf_printf(p->out, "<text class=\"label\" x=\"%d\" y=\"%d\">", x + 8, y + (from_right(p, op) ? 14 : -5));
    sbuf_html(p->out, label(p, k));
    if (op->class == REACH_SEND || (op->class == REACH_RECEIVE && op->partner < p->q.count)) {
        sbuf_puts(p->out, " ");
        sbuf_html(p->out, names_object(p->n, event_of(p, k)->object, 0, p->told[k]));
    }
    sbuf_puts(p->out, "</text>\n");
    if (op->class == REACH_OBJECT && op->flags & REACH_DONE)
        svg_dot(p, rx, ry, "event");
}

static const char svg_head[] =
    "<style>text{font:12px sans-serif}.title{font-weight:bold;text-anchor:middle}"
    ".label{fill:#444;paint-order:stroke;stroke:#fff;stroke-width:4px}.number{fill:#999;font-size:10px}"
    ".title{paint-order:stroke;stroke:#fff;stroke-width:6px}line.thread{stroke:#222;stroke-width:1.5}"
    "line.object{stroke:#36c;stroke-width:1.5;stroke-dasharray:6 3}text.object{fill:#36c}"
    ".pair{stroke:#222}.race{stroke:#c22;stroke-dasharray:3 3;opacity:.7}"
    ".event{fill:#222}.open{fill:#fff;stroke:#222}</style>\n"
    "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"11\" refY=\"4\" markerWidth=\"8\" "
    "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n"
    "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";

static void svg_titles(struct picture *p)
{
    for (uint32_t i = 0; i < p->q.threads; i++)
        if (p->thread_column[i] >= 0) {
            char number[24];
            snprintf(number, sizeof number, "thread %u", p->record.thread[i].runtime);
            svg_title(p, p->thread_column[i], number, names_thread(p->n, p->record.thread[i].runtime),
                      "thread");
        }
    for (uint32_t i = 0; i < p->q.objects; i++)
        if (p->object_column[i] >= 0)
            svg_title(p, p->object_column[i], object_title(p, i), "", "object");
}

static void fit_width(struct picture *p, const char *text)
{
    int length = (int)style_columns(text);
    int width = (length < LONGEST ? length : LONGEST) * CHARACTER + 20;
    p->width = width > p->width ? width : p->width;
}

static void choose_width(struct picture *p)
{
    p->width = NARROWEST;
    for (uint32_t i = 0; i < p->q.threads; i++)
        if (p->thread_column[i] >= 0)
            fit_width(p, names_thread(p->n, p->record.thread[i].runtime));
    for (uint32_t i = 0; i < p->q.objects; i++)
        if (p->object_column[i] >= 0)
            fit_width(p, object_title(p, i));
}

void diagram_svg(struct names *n, const struct tale *t, int races, struct sbuf *out)
{
    struct picture p = {.n = n, .tale = t, .out = out};
    picture_open(&p);
    choose_width(&p);
    sbuf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n",
                x_of(&p, p.columns) - p.width / 2 + 10, y_of(p.q.count ? p.q.count - 1 : 0) + ROW + 20);
    sbuf_puts(out, svg_head);
    for (uint32_t k = 0; races && k < p.q.count; k++)
        svg_races(&p, k);
    svg_titles(&p);
    for (uint32_t k = 0; k < p.q.count; k++)
        svg_lines(&p, k);
    for (uint32_t k = 0; k < p.q.count; k++)
        svg_op(&p, k);
    sbuf_puts(out, "</svg>\n");
    picture_close(&p);
}

/* DOT ------------------------------------------------------------------------------------------ */

/* The nodes of a thread are t<op>, those of an object o<op>. */
static void dot_chain(struct picture *p, const char *title, char prefix, bool object, uint32_t number)
{
    static unsigned clusters;
    long before = -1;
    sbuf_printf(p->out, "  subgraph cluster_%u {\n    label=\"", clusters++);
    sbuf_html(p->out, title);
    sbuf_puts(p->out, "\";\n");
    for (uint32_t k = 0; k < p->q.count; k++) {
        const struct reach_op *op = &p->q.ops[k];
        if (object ? op->class != REACH_OBJECT || op->object != number || !(op->flags & REACH_DONE)
                   : op->thread != number)
            continue;
        sbuf_printf(p->out, "    %c%u [label=\"%s\"];\n", prefix, k, label(p, k));
        if (before >= 0)
            sbuf_printf(p->out, "    %c%ld -> %c%u [arrowhead=none];\n", prefix, before, prefix, k);
        before = k;
    }
    sbuf_puts(p->out, "  }\n");
}

static void dot_pairs(struct picture *p, int races)
{
    for (uint32_t k = 0; k < p->q.count; k++) {
        const struct reach_op *op = &p->q.ops[k];
        char prefix = op->class == REACH_OBJECT ? 'o' : 't';
        if (prefix == 'o' && op->flags & REACH_DONE)
            sbuf_printf(p->out, "  t%u -> o%u;\n", k, k);
        else if (op->class == REACH_RECEIVE && op->partner < p->q.count)
            sbuf_printf(p->out, "  t%u -> t%u;\n", op->partner, k);
        else if (op->class == REACH_READ && op->partner < p->q.count)
            sbuf_printf(p->out, "  o%u -> t%u;\n", op->partner, k);
        for (uint32_t i = 0; races && op->class != REACH_BRANCH && i < op->race_count; i++) {
            uint32_t s = p->q.races[op->race + i];
            if (s < p->q.count)
                sbuf_printf(p->out, "  %c%u -> %c%u [style=dashed color=red constraint=false];\n",
                            op->class == REACH_READ ? 'o' : 't', s, prefix, k);
        }
    }
}

void diagram_dot(struct names *n, const struct tale *t, int races, struct sbuf *out)
{
    struct picture p = {.n = n, .tale = t, .out = out};
    picture_open(&p);
    sbuf_puts(out, "digraph execution {\n  node [shape=box fontname=sans];\n");
    for (uint32_t i = 0; i < p.q.threads; i++)
        if (p.thread_column[i] >= 0)
            dot_chain(&p, thread_title(&p, i), 't', false, i);
    for (uint32_t i = 0; i < p.q.objects; i++)
        if (p.object_column[i] >= 0)
            dot_chain(&p, object_title(&p, i), 'o', true, i);
    dot_pairs(&p, races);
    sbuf_puts(out, "}\n");
    picture_close(&p);
}

/* The race table ------------------------------------------------------------------------------- */

static void put_operation(struct picture *p, uint32_t k)
{
    if (k == REACH_ELSE || k == REACH_INITIAL || k >= p->q.count) {
        sbuf_puts(p->out, k == REACH_ELSE ? "else or timeout" : k == REACH_INITIAL ? "the first value" : "–");
        return;
    }
    sbuf_printf(p->out, "%u: ", k + 1);
    sbuf_html(p->out, thread_title(p, p->q.ops[k].thread));
    sbuf_printf(p->out, " %s ", label(p, k));
    sbuf_html(p->out, names_object(p->n, event_of(p, k)->object, 0, p->told[k]));
}

static void put_race_row(struct picture *p, uint32_t k)
{
    const struct reach_op *op = &p->q.ops[k];
    sbuf_puts(p->out, "<tr><td>");
    put_operation(p, k);
    sbuf_puts(p->out, "<td>");
    if (op->class == REACH_OBJECT)
        sbuf_puts(p->out, "its own call");
    else
        put_operation(p, op->partner);
    sbuf_puts(p->out, "<td>");
    for (uint32_t i = 0; i < op->race_count; i++) {
        sbuf_puts(p->out, i ? "<br>" : "");
        put_operation(p, p->q.races[op->race + i]);
    }
    sbuf_putc(p->out, '\n');
}

void diagram_race_table(struct names *n, const struct tale *t, struct sbuf *out)
{
    struct picture p = {.n = n, .tale = t, .out = out};
    uint32_t rows = 0;
    picture_open(&p);
    for (uint32_t k = 0; k < p.q.count && rows < RACE_ROWS; k++) {
        if (!p.q.ops[k].race_count || p.q.ops[k].class == REACH_BRANCH)
            continue;
        if (!rows++)
            sbuf_puts(out, "<h2>Race table <span class=dim>what could have been received instead</span></h2>"
                           "<div class=\"wide\"><table class=\"pairs\"><thead><tr><th>operation<th>received"
                           "<th>could have received</thead><tbody>\n");
        put_race_row(&p, k);
    }
    if (rows)
        sbuf_puts(out, "</tbody></table></div>\n");
    picture_close(&p);
}
