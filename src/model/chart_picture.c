/* The chart as a picture: SVG (one lifeline per process, arrows from send to receive; a message
 * that is never received ends in an open circle) and DOT (events as nodes, order and messages as
 * arrows). */
#include "model/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 190, ROW = 26, TOP = 60, LEFT = 100 };

static int x_of(int proc)
{
    return LEFT + proc * COLUMN;
}

static int y_of(size_t event)
{
    return TOP + 30 + (int)event * ROW;
}

static const struct chart_event *receive_of(const struct chart *c, int message, size_t *at)
{
    for (size_t i = 0; i < c->events.count; i++)
        if (c->events.items[i].action == ACT_RECV && c->events.items[i].message == message) {
            *at = i;
            return &c->events.items[i];
        }
    return NULL;
}

static void text_at(struct sbuf *b, int x, int y, const char *anchor, const char *class,
                    const char *s)
{
    sbuf_printf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor, class);
    sbuf_html(b, s);
    sbuf_puts(b, "</text>\n");
}

static void svg_message(const struct chart *c, size_t i, struct sbuf *b)
{
    const struct chart_event *e = &c->events.items[i];
    size_t at = i;
    const struct chart_event *r = receive_of(c, e->message, &at);
    int x1 = x_of(e->proc), y1 = y_of(i);
    int right = e->peer < 0 || e->peer >= e->proc;
    int x2 = r ? x_of(r->proc) : x1 + (right ? 60 : -60), y2 = r ? y_of(at) : y1 + 8;
    sbuf_printf(b, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"msg\" %s/>\n", x1, y1, x2,
                y2, r ? "marker-end=\"url(#a)\"" : "stroke-dasharray=\"4 3\"");
    if (!r)
        sbuf_printf(b, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" class=\"lost\"/>\n", x2, y2);
    text_at(b, x1 + (right ? 8 : -8), y1 - 4, right ? "start" : "end", "label", e->text);
}

static void svg_event(const struct chart *c, size_t i, struct sbuf *b)
{
    const struct chart_event *e = &c->events.items[i];
    sbuf_printf(b, "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" class=\"%s\"/>\n", x_of(e->proc), y_of(i),
                e->failed ? 6 : 3, e->failed ? "bad" : "event");
    if (e->action == ACT_SEND)
        svg_message(c, i, b);
    else if (e->action == ACT_NONE)
        text_at(b, x_of(e->proc) + 8, y_of(i) + 4, "start", "inner",
                *e->text ? e->text : c->s->procs[e->proc].locs[e->to]);
}

void chart_svg(const struct chart *c, const char *title, struct sbuf *b)
{
    int w = LEFT + (c->s->nprocs - 1) * COLUMN + 200, h = y_of(c->events.count) + 50;
    int title_width = 30 + 7 * (int)strlen(title);
    w = title_width > w ? title_width : w;
    sbuf_printf(
        b,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<style>.life{stroke:#999}.msg{stroke:#14508c;stroke-width:1.3}"
        ".label{fill:#14508c}.inner{fill:#666;font-style:italic}.event{fill:#333}"
        ".bad{fill:#c22}.lost{fill:#fff;stroke:#c22}.head{font-weight:bold}"
        ".end{fill:#666}</style>\n"
        "<defs><marker id=\"a\" markerWidth=\"9\" markerHeight=\"7\" refX=\"9\" refY=\"3.5\" "
        "orient=\"auto\"><path d=\"M0,0 L9,3.5 L0,7 z\" fill=\"#14508c\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        w, h, w, h);
    text_at(b, 12, 22, "start", "head", title);
    for (int i = 0; i < c->s->nprocs; i++) {
        const struct proc *p = &c->s->procs[i];
        sbuf_printf(b, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"life\"/>\n", x_of(i),
                    TOP, x_of(i), y_of(c->events.count));
        text_at(b, x_of(i), TOP - 8, "middle", "head", p->name);
        text_at(b, x_of(i), y_of(c->events.count) + 18, "middle", "end",
                p->locs[c->end.b[p->loc_off]]);
    }
    for (size_t i = 0; i < c->events.count; i++)
        svg_event(c, i, b);
    sbuf_puts(b, "</svg>\n");
}

static void quoted(struct sbuf *b, const char *s)
{
    sbuf_json(b, s);
}

void chart_dot(const struct chart *c, struct sbuf *b)
{
    sbuf_puts(b, "digraph chart {\n  rankdir=TB;\n  node [shape=box, fontsize=10];\n");
    for (int p = 0; p < c->s->nprocs; p++) {
        sbuf_printf(b, "  subgraph cluster_%d {\n    label=", p);
        quoted(b, c->s->procs[p].name);
        sbuf_printf(b, ";\n    s%d [shape=point];\n", p);
        for (size_t i = 0; i < c->events.count; i++) {
            const struct chart_event *e = &c->events.items[i];
            if (e->proc != p)
                continue;
            sbuf_printf(b, "    e%zu [label=", i);
            char *label = mem_printf("%zu: %s%s", i + 1,
                                     e->action == ACT_SEND   ? "send "
                                     : e->action == ACT_RECV ? "recv "
                                                             : "",
                                     e->text);
            quoted(b, label);
            free(label);
            sbuf_puts(b, e->failed ? ", color=red];\n" : "];\n");
        }
        sbuf_puts(b, "  }\n");
        char from[24];
        snprintf(from, sizeof from, "s%d", p);
        for (size_t i = 0; i < c->events.count; i++)
            if (c->events.items[i].proc == p) {
                sbuf_printf(b, "  %s -> e%zu [style=dotted, arrowhead=none];\n", from, i);
                snprintf(from, sizeof from, "e%zu", i);
            }
    }
    for (size_t i = 0; i < c->events.count; i++) {
        size_t at;
        if (c->events.items[i].action == ACT_SEND && receive_of(c, c->events.items[i].message, &at))
            sbuf_printf(b, "  e%zu -> e%zu [color=blue, constraint=true];\n", i, at);
    }
    sbuf_puts(b, "}\n");
}
