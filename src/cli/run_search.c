#include "cli/run_search.h"

#include "base/stop.h"
#include "cli/outdir.h"
#include "report/coverage.h"

#include <stdio.h>
#include <unistd.h>

#define TELL_LEAST 2.0  /* seconds for telling when the time is up … */
#define TELL_PART 0.1   /* … or this part of --time, … */
#define TELL_RUNS 3.0   /* … or the time of so many executions, if that is more */
#define TELL_BRIEFLY 2.0 /* after a signal */

/* When telling must have come to its end; 0 = no limit. */
static double telling_ends(const struct search *s, double time, double began)
{
    double now = progress_now(), least = TELL_LEAST, end = 0;
    uint64_t runs = supervise_executions(s);
    double each = TELL_RUNS * s->seconds / (runs ? (double)runs : 1);
    least = TELL_PART * time > least ? TELL_PART * time : least;
    least = each > least ? each : least;
    if (time)
        end = began + time > now + least ? began + time : now + (least < time ? least : time);
    if (s->interrupted && (!end || now + TELL_BRIEFLY < end))
        end = s->interrupted > 1 ? now : now + TELL_BRIEFLY;
    return end;
}

static int open_traces(struct search *s, struct error *e)
{
    for (int i = 0; i < s->slot_count; i++)
        if ((s->slots[i].region.traces = region_scratch()) < 0)
            return error_set(e, EXIT_INTERNAL, "cannot make a file for the traces in $TMPDIR");
    return 0;
}

/* What an atomic section touches is known in one worker only. */
static int check_sections(const struct run_search *o, const struct gather *g, struct error *e)
{
    const struct engine_class *engine = engine_find(g->config->engine);
    if (!g->program->sections || !engine || engine->plain || (o->jobs <= 1 && !o->farm))
        return 0;
    error_set(e, EXIT_USAGE, "%s has atomic sections, which engine %s explores in one worker only",
              g->program->path, g->config->engine);
    return error_todo(e, "leave out %s, or give --engine dfs or icb", o->farm ? "--farm" : "--jobs");
}

/* Searches and replays what was found. */
static int search_once(const struct run_search *o, struct search *s, struct gather *g, double began,
                       struct error *e)
{
    if (check_sections(o, g, e) || supervise_init(s, g->spec, g->config, o->jobs, e))
        return -1;
    double left = began + o->time - progress_now();
    s->time = !o->time ? 0 : left > 0.001 ? left : 0.001;
    s->deaths_allowed = 20;
    s->quiet = o->quiet;
    if (o->farm)
        supervise_farm(s, o->farm, o->identity);
    int failed = (o->traces && open_traces(s, e)) || supervise_run(s, e);
    if (failed && !(e->ours && supervise_findings(s))) {
        supervise_free(s);
        return -1;
    }
    g->deadline = telling_ends(s, o->time, began);
    gather_findings(g);
    return failed; /* what was found before raddle itself failed is true all the same */
}

/* Once more with a process for each execution, if a finding did not appear again and time is left. */
static int search_isolated(const struct run_search *o, struct search *s, struct gather *g,
                           struct run_config *config, double began, struct error *e)
{
    if (!gather_wants_isolation(g) || (o->time && progress_now() >= began + o->time))
        return 0;
    if (!o->quiet)
        fprintf(stderr, "raddle: what was found did not appear again in a fresh process: searching again "
                        "with one for each execution (--isolate fork)\n");
    gather_next_search(g);
    supervise_free(s);
    config->isolate = ISOLATE_FORK;
    return search_once(o, s, g, began, e);
}

int run_search(const struct run_search *o, struct run_config *config, struct search *s, struct gather *g,
               struct error *e)
{
    double began = progress_now();
    int failed = search_once(o, s, g, began, e);
    return failed ? failed : search_isolated(o, s, g, config, began, e);
}

int run_search_coverage(const struct search *s, const char *path, struct error *e)
{
    struct sbuf csv = {0};
    char name[48];
    if (s->config.depth)
        snprintf(name, sizeof name, "%s:%u", s->config.engine, s->config.depth);
    else
        snprintf(name, sizeof name, "%s", s->config.engine);
    coverage_csv(s->slots[0].region.shared, name, &csv);
    int failed = outdir_write(path, sbuf_str(&csv), csv.len, e);
    sbuf_free(&csv);
    return failed;
}

/* The files of all workers, one behind the other. */
int run_search_traces(const struct search *s, const char *path, struct error *e)
{
    FILE *f = fopen(path, "w");
    char buffer[65536];
    int bad = !f;
    for (int i = 0; i < s->slot_count && !bad; i++) {
        uint64_t left = s->slots[i].region.shared->traces_bytes, at = 0;
        while (left && !bad) {
            size_t n = left < sizeof buffer ? left : sizeof buffer;
            ssize_t got = pread(s->slots[i].region.traces, buffer, n, (off_t)at);
            bad = got <= 0 || fwrite(buffer, 1, (size_t)got, f) != (size_t)got;
            at += got > 0 ? (uint64_t)got : 0;
            left -= got > 0 ? (uint64_t)got : 0;
        }
    }
    if (f)
        bad |= fclose(f) != 0;
    return bad ? error_set(e, EXIT_UNWRITTEN, "cannot write all traces to %s", path) : 0;
}
