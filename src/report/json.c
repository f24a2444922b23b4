/* The report as JSON: the contract of raddle-run(1), version 1. Keys are only ever added. */
#include "report/report.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_key(struct sbuf *out, const char *key)
{
    sbuf_putc(out, ',');
    sbuf_json(out, key);
    sbuf_putc(out, ':');
}

static void put_text(struct sbuf *out, const char *key, const char *value)
{
    put_key(out, key);
    if (value)
        sbuf_json(out, value);
    else
        sbuf_puts(out, "null");
}

static void put_number(struct sbuf *out, const char *key, uint64_t value)
{
    put_key(out, key);
    sbuf_printf(out, "%llu", (unsigned long long)value);
}

static void put_list(struct sbuf *out, const char *key, const struct report_list *l)
{
    put_key(out, key);
    sbuf_putc(out, '[');
    for (size_t i = 0; i < l->count; i++) {
        if (i)
            sbuf_putc(out, ',');
        sbuf_json(out, l->items[i]);
    }
    sbuf_putc(out, ']');
}

static void put_thread(struct names *n, struct sbuf *out, int thread, uint64_t pc, const char *does)
{
    sbuf_printf(out, "{\"id\":%d", thread);
    put_text(out, "function", names_thread(n, thread));
    put_text(out, "location", pc ? names_path_location(n, pc) : NULL);
    put_text(out, "does", does);
    sbuf_putc(out, '}');
}

static void put_threads(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    const struct tale_finding *t = report_told(f);
    put_key(out, "threads");
    sbuf_putc(out, '[');
    for (uint32_t i = 0; t && i < t->finding.fact_count; i++) {
        const struct fact *fact = &t->finding.facts[i];
        if (i)
            sbuf_putc(out, ',');
        put_thread(n, out, fact->thread, fact->pc, words_about(n, fact->text, fact->object, t->at));
    }
    if (t && !t->finding.fact_count)
        put_thread(n, out, t->finding.thread, t->finding.pc, "fails");
    sbuf_putc(out, ']');
}

static void put_steps(const struct report_finding *f, struct sbuf *out)
{
    struct sbuf steps = {0};
    schedule_format_steps(f->schedule.steps.items, f->schedule.steps.count, &steps);
    for (size_t i = 0; i < steps.len; i++)
        if (steps.s[i] == '\n')
            steps.s[i] = i + 1 < steps.len ? ' ' : 0;
    put_text(out, "steps", sbuf_str(&steps));
    sbuf_free(&steps);
}

/* "1 2 3" as an array. */
static void put_counts(struct sbuf *out, const char *key, const char *counts)
{
    put_key(out, key);
    if (!counts) {
        sbuf_puts(out, "null");
        return;
    }
    sbuf_putc(out, '[');
    for (const char *p = counts; *p; p++)
        sbuf_putc(out, *p == ' ' ? ',' : *p);
    sbuf_putc(out, ']');
}

static void put_finding(const struct report_finding *f, struct sbuf *out)
{
    struct names n;
    names_init(&n, &f->tale);
    const struct tale_finding *t = report_told(f);
    sbuf_puts(out, "{\"kind\":");
    sbuf_json(out, f->schedule.kind ? f->schedule.kind : "crash");
    put_text(out, "message", t ? words_about(&n, t->finding.message, t->finding.object, t->at)
                               : f->schedule.message);
    put_text(out, "location", f->schedule.location);
    put_threads(&n, f, out);
    put_number(out, "preemptions", f->schedule.preemptions);
    put_text(out, "schedule", f->file);
    put_steps(f, out);
    put_key(out, "inputs");
    sbuf_puts(out, "{}}");
    names_free(&n);
}

static void put_workers(struct sbuf *out, const struct report *r)
{
    put_key(out, "workers");
    sbuf_putc(out, '[');
    for (size_t i = 0; i < r->workers.count; i++) {
        unsigned long long executions = 0, dry = 0;
        double idle = 0;
        sscanf(r->workers.items[i], "%llu %llu %lf", &executions, &dry, &idle);
        sbuf_printf(out, "%s{\"executions\":%llu,\"dry\":%llu,\"idle\":%.6g}", i ? "," : "",
                    executions, dry, idle);
    }
    sbuf_putc(out, ']');
}

void report_json(const struct report *r, struct sbuf *out)
{
    sbuf_puts(out, "{\"raddle\":1");
    put_text(out, "verdict", r->verdict);
    put_text(out, "program", r->program);
    put_list(out, "command", &r->command);
    put_text(out, "engine", r->engine);
    put_number(out, "executions", r->executions);
    put_number(out, "blocked", r->blocked);
    put_number(out, "events", r->events);
    put_key(out, "seconds");
    sbuf_printf(out, "%.6g", r->seconds);
    put_key(out, "complete");
    sbuf_puts(out, r->complete ? "true" : "false");
    put_key(out, "bound");
    sbuf_printf(out, r->bounded_search ? "%llu" : "null", (unsigned long long)r->bound);
    put_counts(out, "executions_per_bound", r->per_bound);
    put_counts(out, "states_per_bound", r->states_per_bound);
    put_number(out, "states", r->states);
    put_number(out, "traces", r->traces);
    put_text(out, "incomplete", r->incomplete);
    put_number(out, "assumed", r->assumed);
    put_number(out, "bounded", r->bounded);
    put_number(out, "steps", r->steps);
    put_number(out, "seed", r->seed);
    put_number(out, "restarts", r->restarts);
    put_number(out, "discarded", r->discarded);
    put_workers(out, r);
    put_number(out, "longest", r->longest);
    put_number(out, "threads", r->threads);
    put_key(out, "estimate");
    sbuf_printf(out, r->estimate > 0 ? "%.6g" : "null", r->estimate);
    put_key(out, "estimate_spread");
    sbuf_printf(out, r->estimate > 0 ? "%.6g" : "null", r->spread);
    put_key(out, "fraction");
    sbuf_printf(out, r->estimate > 0 ? "%.6g" : "null", r->complete ? 1 : r->fraction);
    put_key(out, "isolated");
    sbuf_puts(out, r->isolated ? "true" : "false");
    put_text(out, "divergence", r->divergence);
    put_text(out, "weak_orders", r->weak);
    put_list(out, "warnings", &r->warnings);
    put_list(out, "reductions", &r->reductions);
    put_key(out, "regression");
    sbuf_puts(out, r->regression ? r->regression : "null");
    put_text(out, "directory", r->directory);
    put_key(out, "findings");
    sbuf_putc(out, '[');
    for (size_t i = 0; i < r->findings.count; i++) {
        if (i)
            sbuf_putc(out, ',');
        put_finding(&r->findings.items[i], out);
    }
    sbuf_puts(out, "]}\n");
}
