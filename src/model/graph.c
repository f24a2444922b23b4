#include "model/graph.h"

#include "base/sbuf.h"
#include "model/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum format { DOT, AUT, JSON };

struct writer {
    struct model_search *se;
    struct expander x;
    FILE *out;
    enum format format;
    VEC(store_id) ids; /* in order of discovery */
    size_t edges;
    struct graph_edges *noted; /* edges go there instead of into a file; NULL: into the file */
};

static int compare(const void *a, const void *b)
{
    store_id x = *(const store_id *)a, y = *(const store_id *)b;
    return x < y ? -1 : x > y;
}

/* All states: the words of the table, put in order of their places. */
static void collect(struct writer *w)
{
    const struct store *st = &w->se->store;
    for (uint64_t i = 0; i <= st->mask; i++)
        if (st->table[i])
            vec_push(&w->ids, st->table[i] & ((1ull << 40) - 1));
    qsort(w->ids.items, w->ids.count, sizeof *w->ids.items, compare);
}

static size_t index_of(const struct writer *w, store_id id)
{
    const store_id *p = bsearch(&id, w->ids.items, w->ids.count, sizeof id, compare);
    return p ? (size_t)(p - w->ids.items) : (size_t)-1;
}

static void load(const struct writer *w, size_t i, struct gstate *g)
{
    const uint8_t *p = store_state(&w->se->store, w->ids.items[i], &g->len);
    memcpy(g->b, p, (size_t)g->len);
}

static void edge_label(const struct writer *w, const struct gstate *g, const struct succ *s,
                       struct sbuf *b)
{
    struct run r = {.s = w->se->s};
    struct gstate now = *g;
    b->len = 0;
    for (uint32_t i = 0; i < s->nsteps; i++) {
        struct model_step st = w->x.steps.items[s->steps + i];
        sbuf_puts(b, i ? "; " : "");
        show_step(w->se->s, &now, st, b);
        step_exec(&r, &now, st);
    }
}

static void expand_again(struct writer *w, size_t i, const struct gstate *g)
{
    const struct sleep_set *z = search_sleep_of(w->se, w->ids.items[i]);
    if (z)
        bsra_expand(&w->x, g, z->entries, z->count);
    else
        expand(&w->x, g);
}

static void write_edge(struct writer *w, size_t from, size_t to, const char *label)
{
    struct sbuf q = {0};
    if (w->noted) {
        vec_push(w->noted, ((struct graph_edge){from, to, mem_strdup(label)}));
        return;
    }
    sbuf_json(&q, label);
    if (w->format == DOT)
        fprintf(w->out, "  n%zu -> n%zu [label=%s];\n", from, to, sbuf_str(&q));
    else if (w->format == AUT)
        fprintf(w->out, "(%zu, %s, %zu)\n", from, sbuf_str(&q), to);
    else
        fprintf(w->out, "%s\n    {\"from\":%zu,\"to\":%zu,\"label\":%s}", w->edges ? "," : "", from,
                to, sbuf_str(&q));
    w->edges++;
    sbuf_free(&q);
}

static void write_edges(struct writer *w)
{
    struct sbuf label = {0};
    for (size_t i = 0; i < w->ids.count; i++) {
        struct gstate g;
        load(w, i, &g);
        expand_again(w, i, &g);
        for (size_t k = 0; k < w->x.succs.count; k++) {
            const struct succ *s = &w->x.succs.items[k];
            const uint8_t *bytes = w->x.bytes.items + s->off;
            store_id to = store_find(&w->se->store, bytes, s->len, store_hash(bytes, s->len));
            size_t t = to ? index_of(w, to) : (size_t)-1;
            if (t == (size_t)-1)
                continue; /* beyond where the search stopped */
            edge_label(w, &g, s, &label);
            write_edge(w, i, t, sbuf_str(&label));
        }
    }
    sbuf_free(&label);
}

static int is_deadlock(const struct writer *w, store_id id)
{
    for (size_t i = 0; i < w->se->findings.count; i++)
        if (w->se->findings.items[i].kind == FOUND_DEADLOCK && w->se->findings.items[i].state == id)
            return 1;
    return 0;
}

static void write_states(struct writer *w)
{
    struct sbuf b = {0}, q = {0};
    for (size_t i = 0; i < w->ids.count; i++) {
        struct gstate g;
        load(w, i, &g);
        b.len = q.len = 0;
        show_state_short(w->se->s, &g, &b);
        sbuf_json(&q, sbuf_str(&b));
        int dead = is_deadlock(w, w->ids.items[i]), final = step_is_final(w->se->s, &g);
        if (w->format == DOT)
            fprintf(w->out, "  n%zu [label=%s%s];\n", i, sbuf_str(&q),
                    dead    ? ", color=red, penwidth=2"
                    : final ? ", peripheries=2"
                            : "");
        else
            fprintf(w->out, "%s\n    {\"id\":%zu,\"deadlock\":%s,\"final\":%s,\"state\":%s}",
                    i ? "," : "", i, dead ? "true" : "false", final ? "true" : "false",
                    sbuf_str(&q));
    }
    sbuf_free(&b);
    sbuf_free(&q);
}

static void write_graph(struct writer *w)
{
    if (w->format == DOT) {
        fprintf(w->out, "digraph rg {\n  node [shape=box, fontsize=10];\n");
        write_states(w);
        write_edges(w);
        fprintf(w->out, "}\n");
    } else if (w->format == JSON) {
        fprintf(w->out, "{\"raddle\":1,\"initial\":0,\"states\":[");
        write_states(w);
        fprintf(w->out, "\n  ],\"edges\":[");
        write_edges(w);
        fprintf(w->out, "\n  ]}\n");
    } else {
        long at = ftell(w->out);
        fprintf(w->out, "des (0, %-20zu, %zu)\n", (size_t)0, w->ids.count);
        write_edges(w);
        if (at >= 0 && fseek(w->out, at, SEEK_SET) == 0)
            fprintf(w->out, "des (0, %-20zu, %zu)\n", w->edges, w->ids.count);
    }
}

int graph_write(struct model_search *se, const char *file, struct error *e)
{
    struct writer w = {.se = se};
    size_t n = strlen(file);
    w.format = !strcmp(file + n - 4, ".dot") ? DOT : !strcmp(file + n - 4, ".aut") ? AUT : JSON;
    w.out = fopen(file, "w");
    if (!w.out)
        return error_set(e, EXIT_CANNOT_START, "cannot write %s: %s", file, strerror(errno));
    expand_open(&w.x, se->s, se->o.reduce);
    w.x.record = 1;
    collect(&w);
    write_graph(&w);
    expand_close(&w.x);
    vec_free(&w.ids);
    if (fclose(w.out))
        return error_set(e, EXIT_CANNOT_START, "cannot write %s: %s", file, strerror(errno));
    return 0;
}

/* ---- as a picture ---- */

int graph_small(struct model_search *se, size_t most, struct small_graph *out)
{
    struct writer w = {.se = se};
    struct sbuf text = {0};
    *out = (struct small_graph){0};
    if (se->o.compact || se->states > most)
        return -1;
    expand_open(&w.x, se->s, se->o.reduce);
    w.x.record = 1;
    collect(&w);
    w.noted = &out->edges;
    write_edges(&w);
    for (size_t i = 0; i < w.ids.count; i++) {
        struct gstate g;
        load(&w, i, &g);
        text.len = 0;
        show_state_short(se->s, &g, &text);
        vec_push(&out->states, ((struct graph_state){.text = mem_strdup(sbuf_str(&text)),
                                                     .deadlock = is_deadlock(&w, w.ids.items[i]),
                                                     .final = step_is_final(se->s, &g)}));
    }
    expand_close(&w.x);
    vec_free(&w.ids);
    sbuf_free(&text);
    return 0;
}

void graph_small_free(struct small_graph *g)
{
    for (size_t i = 0; i < g->states.count; i++)
        free(g->states.items[i].text);
    for (size_t i = 0; i < g->edges.count; i++)
        free(g->edges.items[i].label);
    vec_free(&g->states);
    vec_free(&g->edges);
}
