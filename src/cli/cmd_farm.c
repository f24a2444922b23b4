/* raddle farm: what goes on in a job of raddle run --farm; ending and removing it. */
#include "cli/cli.h"

#include "base/mem.h"
#include "base/progress.h"
#include "base/sbuf.h"
#include "base/stop.h"
#include "cli/terminal.h"
#include "farm/farm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct farm_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_farm.def"
#undef OPT
};
#define OPT_OWNER farm_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_farm.def"
#undef OPT
};

const struct opt_command cmd_farm_options = {
    .name = "farm",
    .usage = "status|stop|remove URL",
    .summary = "look at, end or remove a search that several machines share",
    .description =
        "A search that raddle run --farm URL shares with other machines is a job in Redis. status tells "
        "how far it is, who takes part, at which rate and how much of the time each has worked. stop ends "
        "the search everywhere: each participant reports what was found so far. remove takes the job out "
        "of Redis; participants that are still there end. A job that nobody has taken part in for a week "
        "goes by itself.\n\n"
        "The address is the one of raddle run --farm: redis://[USER:PASSWORD@]HOST[:PORT]/JOB, rediss:// "
        "with TLS; the password may stand in REDISCLI_AUTH.\n\n"
        "Exit status: 0, 3 if there is no such job or no Redis, 64 usage.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

static const char *state_of(const struct ledger *l)
{
    static const char *const words[] = {"running", "a bug was found", "the limit of executions was reached",
                                        "stopped", "failed"};
    return l->stop ? words[l->stop] : ledger_finished(l) ? "finished" : "running";
}

/* The number behind "name=" in what a participant says. */
static double number_in(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    return at ? strtod(at + strlen(name), NULL) : 0;
}

static void sum_up(const struct farm_view *v, double *rate, double *used)
{
    double busy = 0, all = 0;
    *rate = 0;
    for (size_t i = 0; i < v->who.count; i++) {
        const char *line = v->who.items[i];
        double seconds = number_in(line, "seconds="), workers = number_in(line, "workers=");
        *rate += seconds > 0 ? number_in(line, "executions=") / seconds : 0;
        all += seconds * workers;
        busy += seconds * workers - number_in(line, "idle=");
    }
    *used = all > 0 && busy > 0 ? busy / all : 0;
}

static double no_size(void *ctx, int member, double *done)
{
    return 0;
}

static double fraction_of(const struct ledger *l)
{
    if (l->sampling)
        return l->limit ? (double)l->counted.executions / (double)l->limit : 0;
    return l->grove ? grove_fraction(l->grove, no_size, NULL) : 0;
}

static void put_line(const struct farm_view *v, struct sbuf *out)
{
    const struct ledger *l = &v->ledger;
    double rate, used;
    sum_up(v, &rate, &used);
    sbuf_printf(out, "%s: %s executions, %zu finding%s, %zu participant%s, %s/s, utilisation %.0f%%",
                state_of(l), progress_number(l->counted.executions), l->findings.count,
                l->findings.count == 1 ? "" : "s", v->who.count, v->who.count == 1 ? "" : "s",
                progress_number((unsigned long long)rate), 100 * used);
    double done = !l->stop && !ledger_finished(l) ? fraction_of(l) : 0;
    if (done > 0) /* nothing is known of what one participant has to itself */
        sbuf_printf(out, ", perhaps %.3g%%", 100 * done);
}

/* What a worker has, in words. */
static void put_has(const struct ledger *l, const struct ledger_entry *m, struct sbuf *out)
{
    struct work item = m->item;
    enum work_kind kind = item.length ? work_open(&item) : WORK_NONE;
    uint64_t first = kind == WORK_RANGE || kind == WORK_PART ? work_get(&item) : 0;
    if (m->leaves.count)
        sbuf_printf(out, "%zu part%s of the search, the first after %u steps", m->leaves.count,
                    m->leaves.count == 1 ? "" : "s", feed_depth(l->grove, m->leaves.items[0]));
    else if (kind == WORK_RANGE)
        sbuf_printf(out, "executions from number %llu on", (unsigned long long)first);
    else if (kind == WORK_PART && l->bounds.active)
        sbuf_printf(out, "a part of bound %llu", (unsigned long long)first);
    else
        sbuf_printf(out, kind == WORK_PART ? "a part of the search" : "nothing to do");
}

static void put_workers(const struct ledger *l, struct sbuf *out)
{
    for (size_t i = 0; i < l->members.count; i++) {
        const struct ledger_entry *m = &l->members.items[i];
        struct sbuf has = {0};
        put_has(l, m, &has);
        unsigned long long who = m->id / LEDGER_WORKERS, worker = m->id % LEDGER_WORKERS;
        sbuf_printf(out, "%s{\"participant\":%llu,\"worker\":%llu,\"executions\":%llu,\"has\":", i ? "," : "",
                    who, worker, (unsigned long long)m->executions);
        sbuf_json(out, sbuf_str(&has));
        sbuf_printf(out, "}");
        sbuf_free(&has);
    }
}

static void put_json(const struct farm_view *v, struct sbuf *out)
{
    const struct ledger *l = &v->ledger;
    double rate, used;
    sum_up(v, &rate, &used);
    sbuf_printf(out,
                "{\"state\":\"%s\",\"executions\":%llu,\"blocked\":%llu,\"findings\":%zu,\"restarts\":%u,"
                "\"items\":%llu,\"waiting\":%zu,\"lost\":%llu,\"fraction\":%.6g,\"rate\":%.6g,"
                "\"utilisation\":%.4g,\"entries\":%llu,\"refused\":%llu,\"bytes\":%.0f,\"most_bytes\":%.0f,"
                "\"participants\":[",
                state_of(l), (unsigned long long)l->counted.executions,
                (unsigned long long)l->counted.blocked, l->findings.count, l->epoch,
                (unsigned long long)l->given, l->hungry.count, (unsigned long long)l->gone, fraction_of(l),
                rate, used, (unsigned long long)l->applied, (unsigned long long)l->refused, v->used,
                v->memory);
    for (size_t i = 0; i < v->who.count; i++) {
        sbuf_printf(out, "%s", i ? "," : "");
        sbuf_json(out, v->who.items[i]);
    }
    sbuf_printf(out, "],\"workers\":[");
    put_workers(l, out);
    sbuf_printf(out, "]}\n");
}

static void put_table(const struct farm_view *v, struct sbuf *out)
{
    put_line(v, out);
    sbuf_printf(out, "\n%llu messages, %.1f of %.0f MB in Redis; %llu items given, %llu came back from "
                     "who left or was lost\n",
                (unsigned long long)v->ledger.applied, v->used / 1e6, v->memory / 1e6,
                (unsigned long long)v->ledger.given, (unsigned long long)v->ledger.gone);
    for (size_t i = 0; i < v->who.count; i++)
        sbuf_printf(out, "  %s\n", v->who.items[i]);
    for (size_t i = 0; i < v->ledger.members.count; i++) {
        const struct ledger_entry *m = &v->ledger.members.items[i];
        unsigned long long who = m->id / LEDGER_WORKERS, worker = m->id % LEDGER_WORKERS;
        sbuf_printf(out, "  worker %llu of participant %llu: ", worker + 1, who);
        put_has(&v->ledger, m, out);
        sbuf_printf(out, ", %s executions\n", progress_number(m->executions));
    }
}

static int show(const struct farm_options *o, const struct farm_url *u, struct progress *p, bool *over,
                struct error *e)
{
    struct farm_view v;
    struct sbuf out = {0};
    if (farm_look(u, &v, e))
        return -1;
    *over = v.ledger.stop || ledger_finished(&v.ledger);
    if (o->json)
        put_json(&v, &out);
    else if (o->watch && !*over)
        put_line(&v, &out);
    else
        put_table(&v, &out);
    if (o->watch && !*over && !o->json) {
        progress_line(p, "%s", sbuf_str(&out));
    } else {
        progress_end(p);
        if (o->json)
            fputs(sbuf_str(&out), stdout);
        else
            terminal_wrap(stdout, sbuf_str(&out));
    }
    sbuf_free(&out);
    farm_view_free(&v);
    return 0;
}

static int watch(const struct farm_options *o, const struct farm_url *u, struct error *e)
{
    struct progress p;
    bool over = false;
    stop_watch();
    progress_begin(&p, 0);
    do {
        if (show(o, u, &p, &over, e))
            return -1;
        if (o->watch && !over)
            usleep(500000);
    } while (o->watch && !over && !stop_asked());
    progress_end(&p);
    return 0;
}

int cmd_farm(int argc, char **argv)
{
    struct farm_options o = {0};
    struct farm_url u;
    struct error e;
    int first = opt_parse(&cmd_farm_options, argc, argv, &o, &e);
    if (first < 0)
        return error_print(&e);
    if (argc - first != 2) {
        error_set(&e, EXIT_USAGE, "raddle farm wants what to do and the address of the job");
        error_todo(&e, "usage: raddle farm %s", cmd_farm_options.usage);
        return error_print(&e);
    }
    const char *what = argv[first];
    if (farm_url_parse(&u, argv[first + 1], &e))
        return error_print(&e);
    int bad = !strcmp(what, "status")   ? watch(&o, &u, &e)
              : !strcmp(what, "stop")   ? farm_ask_to_stop(&u, &e)
              : !strcmp(what, "remove") ? farm_remove(&u, &e)
                                        : error_set(&e, EXIT_USAGE,
                                                    "raddle farm status, stop or remove, not %s", what);
    return bad ? error_print(&e) : 0;
}
