/* The report as JSON: the contract of raddle-run(1), version 1. Keys are only ever added. */
#include "report/causes.h"
#include "report/formats.h"
#include "report/inputs.h"
#include "report/lines.h"
#include "report/solver.h"
#include "report/stacks.h"
#include "report/steps.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void format_key(struct sbuf *out, const char *key)
{
    sbuf_putc(out, ',');
    sbuf_json(out, key);
    sbuf_putc(out, ':');
}

void format_text(struct sbuf *out, const char *key, const char *value)
{
    format_key(out, key);
    if (value)
        sbuf_json(out, value);
    else
        sbuf_puts(out, "null");
}

static void put_number(struct sbuf *out, const char *key, uint64_t value)
{
    format_key(out, key);
    sbuf_printf(out, "%llu", (unsigned long long)value);
}

static void put_list(struct sbuf *out, const char *key, const struct report_list *l)
{
    format_key(out, key);
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
    format_text(out, "function", names_thread(n, thread));
    format_text(out, "location", pc ? names_path_location(n, pc) : NULL);
    format_text(out, "does", does);
    sbuf_putc(out, '}');
}

static void put_threads(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    const struct tale_finding *t = report_told(f);
    format_key(out, "threads");
    sbuf_putc(out, '[');
    for (uint32_t i = 0; t && i < t->finding.fact_count; i++) {
        const struct fact *fact = &t->finding.facts[i];
        if (i)
            sbuf_putc(out, ',');
        put_thread(n, out, fact->thread, stacks_fact_place(n, t, fact), words_fact(n, fact, t->at));
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
    format_text(out, "steps", sbuf_str(&steps));
    sbuf_free(&steps);
}

static void put_pairs(const struct report_finding *f, struct sbuf *out)
{
    format_key(out, "pairs");
    for (size_t i = 0; i < f->schedule.pairs.count; i++) {
        sbuf_putc(out, i ? ',' : '[');
        sbuf_json(out, f->schedule.pairs.items[i]);
    }
    sbuf_puts(out, f->schedule.pairs.count ? "]" : "[]");
}

static void put_causes(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    struct causes causes;
    causes_find(n, f, &causes);
    format_key(out, "why");
    sbuf_putc(out, '[');
    for (size_t i = 0; i < causes.items.count; i++) {
        const struct cause *c = &causes.items.items[i];
        sbuf_printf(out, "%s{\"text\":", i ? "," : "");
        sbuf_json(out, c->text);
        format_text(out, "location", c->pc ? names_path_location(n, c->pc) : NULL);
        sbuf_putc(out, '}');
    }
    sbuf_putc(out, ']');
    causes_free(&causes);
}

/* What happened, in the order and with the numbers of the text. */
static void put_story(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    struct told_steps all;
    steps_tell(n, f, &all);
    format_key(out, "story");
    sbuf_putc(out, '[');
    for (size_t i = 0; i < all.count; i++) {
        const struct told_step *s = &all.items[i];
        sbuf_printf(out, "%s{\"step\":%u,\"thread\":%d", i ? "," : "", s->number, s->thread);
        format_text(out, "location", s->pc ? names_path_location(n, s->pc) : NULL);
        format_text(out, "does", s->text);
        sbuf_putc(out, '}');
    }
    sbuf_putc(out, ']');
    put_number(out, "story_left_out", all.left_out);
    steps_free(&all);
}

/* "1 2 3" as an array. */
static void put_counts(struct sbuf *out, const char *key, const char *counts)
{
    format_key(out, key);
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
    format_text(out, "message", t ? words_finding(&n, &t->finding, t->at) : f->schedule.message);
    format_text(out, "location", f->schedule.location);
    put_threads(&n, f, out);
    if (f->schedule.counted)
        put_number(out, "preemptions", f->schedule.preemptions);
    format_text(out, "schedule", f->file);
    put_steps(f, out);
    put_number(out, "doomed_after", f->schedule.doomed);
    put_number(out, "avoidable_before", f->schedule.avoidable);
    put_pairs(f, out);
    put_causes(&n, f, out);
    put_story(&n, f, out);
    format_key(out, "inputs");
    report_inputs_json(&f->schedule, out);
    sbuf_putc(out, '}');
    names_free(&n);
}

static void put_workers(struct sbuf *out, const struct report *r)
{
    format_key(out, "workers");
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

static void put_limits(struct sbuf *out, const struct report *r)
{
    format_key(out, "limits");
    sbuf_putc(out, '[');
    for (size_t i = 0; i < r->limits.count; i++) {
        char name[64] = "";
        unsigned long long at = 0;
        int end = 0;
        sscanf(r->limits.items[i], "%63s %llu %n", name, &at, &end);
        sbuf_printf(out, "%s{\"name\":\"%s\",\"at\":%llu", i ? "," : "", name, at);
        format_text(out, "option", r->limits.items[i][end] ? r->limits.items[i] + end : NULL);
        sbuf_putc(out, '}');
    }
    sbuf_putc(out, ']');
}

/* Lines of numbers as an array of objects with these keys. */
static void put_samples(struct sbuf *out, const char *key, const struct report_list *l,
                        const char *const keys[4])
{
    format_key(out, key);
    sbuf_putc(out, '[');
    for (size_t i = 0; i < l->count; i++) {
        double v[4] = {0};
        sscanf(l->items[i], "%lf %lf %lf %lf", &v[0], &v[1], &v[2], &v[3]);
        for (int k = 0; k < 4; k++)
            sbuf_printf(out, "%s\"%s\":%.15g", k ? "," : i ? ",{" : "{", keys[k],
                        isfinite(v[k]) && v[k] > 0 ? v[k] : 0);
        sbuf_putc(out, '}');
    }
    sbuf_putc(out, ']');
}

/* Lines that were reached, or pairs that were interleaved. */
static void put_places(struct sbuf *out, const char *key, const struct report_list *l)
{
    const char *comma = "";
    format_key(out, key);
    sbuf_putc(out, '[');
    for (size_t i = 0; i < l->count; i++) {
        char *text = mem_strdup(l->items[i]);
        struct line_count c;
        if (!lines_take(text, &c)) {
            sbuf_printf(out, "%s{\"times\":%llu", comma, (unsigned long long)c.count);
            comma = ",";
            format_text(out, c.other ? "first" : "line", c.place);
            if (c.other)
                format_text(out, "second", c.other);
            sbuf_putc(out, '}');
        }
        free(text);
    }
    sbuf_putc(out, ']');
}

void report_json(const struct report *r, struct sbuf *out)
{
    sbuf_puts(out, "{\"raddle\":1");
    format_text(out, "verdict", r->verdict);
    format_text(out, "program", r->program);
    put_list(out, "command", &r->command);
    format_text(out, "engine", r->engine);
    put_number(out, "executions", r->executions);
    put_number(out, "blocked", r->blocked);
    put_number(out, "events", r->events);
    format_key(out, "seconds");
    sbuf_printf(out, "%.6g", r->seconds);
    format_key(out, "complete");
    sbuf_puts(out, r->complete ? "true" : "false");
    format_key(out, "bound");
    sbuf_printf(out, r->bounded_search ? "%llu" : "null", (unsigned long long)r->bound);
    put_counts(out, "executions_per_bound", r->per_bound);
    put_counts(out, "states_per_bound", r->states_per_bound);
    format_key(out, "max_bound");
    sbuf_printf(out, r->per_bound ? "%llu" : "null", (unsigned long long)r->most_bound);
    format_key(out, "max_blocking");
    sbuf_printf(out, r->blocking ? "%llu" : "null", (unsigned long long)r->blocking);
    put_number(out, "states", r->states);
    put_number(out, "traces", r->traces);
    put_number(out, "graph_states", r->graph_states);
    put_number(out, "transitions", r->transitions);
    put_number(out, "net_places", r->net_places);
    put_number(out, "net_transitions", r->net_transitions);
    put_number(out, "net_events", r->net_events);
    put_number(out, "net_cut_off_events", r->net_cut);
    format_text(out, "incomplete", r->incomplete);
    format_text(out, "guarantee", r->complete || r->bounded_search ? r->guarantee : NULL);
    format_text(out, "times", r->complete ? r->times : NULL);
    put_limits(out, r);
    put_number(out, "finding_count", r->finding_count);
    put_number(out, "assumed", r->assumed);
    put_number(out, "bounded", r->bounded);
    put_number(out, "steps", r->steps);
    put_number(out, "seed", r->seed);
    put_number(out, "restarts", r->restarts);
    put_number(out, "discarded", r->discarded);
    put_workers(out, r);
    report_solver_json(r, out);
    put_number(out, "longest", r->longest);
    put_number(out, "threads", r->threads);
    format_key(out, "estimate");
    sbuf_printf(out, r->estimate > 0 && isfinite(r->estimate) ? "%.6g" : "null", r->estimate);
    format_key(out, "estimate_spread");
    sbuf_printf(out, r->estimate > 0 && isfinite(r->spread) ? "%.6g" : "null", r->spread);
    format_key(out, "fraction");
    sbuf_printf(out, r->estimate > 0 ? "%.6g" : "null", r->complete ? 1 : r->fraction);
    format_key(out, "isolated");
    sbuf_puts(out, r->isolated ? "true" : "false");
    format_text(out, "divergence", r->divergence);
    format_text(out, "weak_orders", r->weak);
    put_list(out, "properties", &r->properties);
    put_list(out, "warnings", &r->warnings);
    put_list(out, "known", &r->known);
    put_list(out, "advice", &r->advice);
    put_list(out, "reductions", &r->reductions);
    format_key(out, "regression");
    sbuf_puts(out, r->regression ? r->regression : "null");
    put_samples(out, "pace", &r->pace,
                (const char *const[]){"seconds", "executions", "estimate", "spread"});
    put_samples(out, "growth", &r->growth, (const char *const[]){"executions", "bound", "states", "traces"});
    put_places(out, "lines", &r->lines);
    put_places(out, "pairs", &r->pairs);
    format_text(out, "directory", r->directory);
    format_key(out, "findings");
    sbuf_putc(out, '[');
    for (size_t i = 0; i < r->findings.count; i++) {
        if (i)
            sbuf_putc(out, ',');
        put_finding(&r->findings.items[i], out);
    }
    sbuf_puts(out, "]}\n");
}
