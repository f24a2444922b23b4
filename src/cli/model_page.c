#include "cli/model_page.h"

#include "model/chart.h"
#include "model/graph.h"
#include "model/report.h"
#include "report/html_page.h"

#include <stdlib.h>
#include <string.h>

#define STATES 150u /* of a graph that is still drawn */

static void put_chart(struct model_search *se, const struct model_finding *f, struct sbuf *out)
{
    struct sbuf title = {0};
    step_list steps = {0};
    struct chart c;
    search_trace(se, f, &steps);
    chart_build(&c, se->s, &steps);
    model_report_finding_line(se, f, &title);
    sbuf_puts(out, "<h2>Why</h2><div class=\"wide chart\">");
    chart_svg(&c, sbuf_str(&title), out);
    sbuf_puts(out, "</div>\n");
    chart_free(&c);
    vec_free(&steps);
    sbuf_free(&title);
}

static void put_states(const struct small_graph *g, struct sbuf *out)
{
    sbuf_puts(out, "<details><summary>the states</summary><div class=\"wide\"><table><tbody>\n");
    for (size_t i = 0; i < g->states.count; i++) {
        sbuf_printf(out, "<tr%s><td class=n>%zu<td>",
                    g->states.items[i].deadlock ? " class=fail" : "", i);
        sbuf_html(out, g->states.items[i].text);
        sbuf_putc(out, '\n');
    }
    sbuf_puts(out, "</tbody></table></div></details>\n<details><summary>the edges</summary><div "
                   "class=\"wide\">"
                   "<table><tbody>\n");
    for (size_t i = 0; i < g->edges.count; i++) {
        sbuf_printf(out, "<tr><td class=n>%zu<td class=n>%zu<td>", g->edges.items[i].from,
                    g->edges.items[i].to);
        sbuf_html(out, g->edges.items[i].label);
        sbuf_putc(out, '\n');
    }
    sbuf_puts(out, "</tbody></table></div></details>\n");
}

static void put_graph(struct model_search *se, struct sbuf *out)
{
    struct small_graph g;
    if (graph_small(se, STATES, &g))
        return;
    sbuf_printf(
        out,
        "<h2>The reachability graph <span class=dim>%zu states, %zu edges; deadlocks are red, "
        "final states have two circles</span></h2><div class=\"wide\">",
        g.states.count, g.edges.count);
    graph_svg(&g, out);
    sbuf_puts(out, "</div>\n");
    put_states(&g, out);
    graph_small_free(&g);
}

void model_page(struct model_search *se, const struct sbuf *text, struct sbuf *out)
{
    static const char *const classes[] = {"safe", "bug", "incomplete"};
    struct html_page p = {0};
    const struct model_finding *worst = model_report_worst(se);
    char *verdict = mem_strndup(sbuf_str(text), strcspn(sbuf_str(text), "\n"));
    if (worst)
        put_chart(se, worst, &p.body);
    sbuf_puts(&p.body,
              "<details class=\"words\"><summary>the same in words</summary><pre class=\"why\">");
    sbuf_html(&p.body, sbuf_str(text));
    sbuf_puts(&p.body, "</pre></details>\n");
    put_graph(se, &p.body);
    html_end(&p, classes[model_report_status(se)], verdict, out);
    free(verdict);
}
