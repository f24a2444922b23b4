#include "host/state_graph.h"

#include "explore/match/states.h"

#include <stdio.h>
#include <string.h>

static void write_edge(FILE *out, bool dot, uint64_t from, const struct match_edge *e)
{
    if (dot)
        fprintf(out, "  %llu -> %u [label=\"%u\"];\n", (unsigned long long)from, e->to, e->thread);
    else if (e->branch)
        fprintf(out, "%llu %u %u %u\n", (unsigned long long)from, e->thread, e->to, e->branch);
    else
        fprintf(out, "%llu %u %u\n", (unsigned long long)from, e->thread, e->to);
}

/* What a worker left may have been written over by the program: numbers are looked at before use. */
static void write_all(FILE *out, bool dot, const struct state_graph *g, const struct match_found *found,
                      const struct match_edge *edges)
{
    fprintf(out, dot ? "digraph states {\n  // %llu states, %llu transitions; numbers on arrows are threads\n"
                     : "# %llu states, %llu transitions: from, thread, to, what was chosen\n",
            (unsigned long long)g->states, (unsigned long long)g->transitions);
    for (uint64_t s = 0; s < g->states; s++) {
        uint64_t end = s + 1 < g->states ? found[s + 1].edges : g->transitions;
        for (uint64_t i = found[s].edges; i < end && i < g->transitions; i++)
            write_edge(out, dot, s, &edges[i]);
    }
    if (dot)
        fprintf(out, "}\n");
}

int state_graph_write(const struct region *r, const char *path, struct error *e)
{
    const struct state_graph *g = &r->shared->graph;
    const char *end = strrchr(path, '.');
    const struct match_found *found = region_at(r, g->found, g->states * sizeof *found);
    const struct match_edge *edges = region_at(r, g->edges, g->transitions * sizeof *edges);
    FILE *out = strcmp(path, "-") ? fopen(path, "w") : stdout;
    if (!out)
        return error_set(e, EXIT_USAGE, "cannot write %s", path);
    if (found && edges)
        write_all(out, end && !strcmp(end, ".dot"), g, found, edges);
    bool failed = ferror(out);
    if (out != stdout && (fclose(out) || failed))
        return error_set(e, EXIT_UNWRITTEN, "cannot write %s", path);
    return 0;
}
