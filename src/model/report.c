/* The order of a report: one line of verdict, why, the chart, the counts. What a reduced graph does
 * not promise is not claimed: see `claims`. */
#include "model/report.h"

#include "base/progress.h"
#include "model/chart.h"
#include "model/show.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"deadlock", "unspecified reception", "invariant", "fault",
                                    "overflow"};
static const char *const json_kinds[] = {"deadlock", "unspecified", "invariant", "assert",
                                         "overflow"};
/* Worst first. */
static const enum model_finding_kind order[] = {FOUND_FAULT, FOUND_INVARIANT, FOUND_DEADLOCK,
                                          FOUND_UNSPECIFIED, FOUND_OVERFLOW};

const char *model_report_reduce_name(enum reduce reduce)
{
    static const char *const names[] = {"none", "bsra", "bsra+sleep", "sra", "por"};
    return names[reduce];
}

int model_report_status(const struct model_search *se)
{
    if (se->counts[FOUND_DEADLOCK] + se->counts[FOUND_UNSPECIFIED] + se->counts[FOUND_INVARIANT] +
        se->counts[FOUND_FAULT])
        return EXIT_BUG;
    return se->incomplete ? EXIT_INCOMPLETE : EXIT_SAFE;
}

const struct model_finding *model_report_worst(const struct model_search *se)
{
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (size_t i = 0; i < se->findings.count; i++)
            if (se->findings.items[i].kind == order[k])
                return &se->findings.items[i];
    return NULL;
}

void model_report_finding_line(const struct model_search *se, const struct model_finding *f, struct sbuf *b)
{
    const struct sys *s = se->s;
    switch (f->kind) {
    case FOUND_DEADLOCK:
        sbuf_puts(b, "deadlock: not all processes are in a final state with empty ports, and none "
                     "can move");
        return;
    case FOUND_UNSPECIFIED:
        sbuf_printf(b, "unspecified reception: %s can never take what waits at %s",
                    s->procs[f->proc].name, s->ports[f->port].name);
        return;
    case FOUND_INVARIANT:
        sbuf_printf(b, "invariant violated: %s (%s:%d: %s)", s->invariants[f->invariant].name,
                    s->src->file, s->invariants[f->invariant].line,
                    s->invariants[f->invariant].text);
        return;
    case FOUND_FAULT:
    case FOUND_OVERFLOW:
        show_fault(s, &f->fault, b);
        return;
    }
}

static void chart_of(struct model_search *se, const struct model_finding *f, int width, struct sbuf *b)
{
    step_list steps = {0};
    struct chart c;
    search_trace(se, f, &steps);
    chart_build(&c, se->s, &steps);
    sbuf_puts(b, "\n");
    chart_text(&c, width, b);
    sbuf_puts(b, "\n");
    show_state(se->s, &c.end, "  ", b);
    chart_free(&c);
    vec_free(&steps);
}

static void counts_line(const struct model_search *se, struct sbuf *b)
{
    sbuf_printf(b, "%s states, %s edges", progress_number(se->states), progress_number(se->edges));
    if (se->levels)
        sbuf_printf(b, ", depth %d", se->levels - 1);
    sbuf_printf(b, "; %s communication, reduction %s", sys_scheme_name(se->s->scheme),
                model_report_reduce_name(se->o.reduce));
    sbuf_printf(b, "; %.2f s (%.2f s CPU, %.0f states/s), %.1f MiB%s\n", se->seconds, se->cpu,
                (double)se->states / (se->cpu > 1e-6 ? se->cpu : 1e-6),
                (double)store_bytes(&se->store) / (1 << 20), se->compiled ? ", compiled" : "");
    if (se->o.compact)
        sbuf_puts(b, "hash compaction: two states with the same 64-bit hash were taken for one\n");
}

/* Was any copy of this transition (of another instance, of another value of "each") executed?
 * Copies share the text. */
static int copy_executed(const struct model_search *se, int trans)
{
    for (int i = 0; i < se->s->ntrans; i++)
        if (se->executed[i] && se->s->trans[i].text == se->s->trans[trans].text)
            return 1;
    return 0;
}

static void never_executed(const struct model_search *se, struct sbuf *b)
{
    const struct sys *s = se->s;
    if (se->incomplete || (se->o.reduce == REDUCE_POR && s->nasserts + s->ninvariants == 0))
        return;
    for (int i = 0; i < s->ntrans; i++) {
        int first = i;
        while (first > 0 && s->trans[first - 1].text != s->trans[i].text)
            first--;
        if (first > 0 || copy_executed(se, i))
            continue;
        const struct proc *p = &s->procs[s->trans[i].proc];
        sbuf_printf(b, "never executed: %s:%d: %s in state %s: %s\n", s->src->file,
                    s->trans[i].line, s->groups[p->group].decl->name, p->locs[s->trans[i].from],
                    *s->trans[i].text ? s->trans[i].text : "->");
    }
}

/* What the absence of findings means under this reduction. */
static void claims(const struct model_search *se, struct sbuf *b)
{
    sbuf_puts(b, "safe: no deadlock");
    if (se->s->nasserts)
        sbuf_puts(b, ", no violated assertion");
    if (se->s->ninvariants)
        sbuf_puts(b, ", no violated invariant");
    sbuf_puts(b, se->o.reduce == REDUCE_NONE
                     ? ", no unspecified reception, no port overflow\n"
                     : " (and no unspecified reception or overflow in the reduced graph, which "
                       "need not show them all)\n");
}

void model_report_text(struct model_search *se, int all, int width, struct sbuf *b)
{
    const struct model_finding *worst = model_report_worst(se);
    int status = model_report_status(se);
    if (status == EXIT_BUG) {
        sbuf_puts(b, "bug: ");
        model_report_finding_line(se, worst, b);
        sbuf_putc(b, '\n');
        chart_of(se, worst, width, b);
    } else if (status == EXIT_INCOMPLETE) {
        sbuf_printf(b, "incomplete: %s\n", se->incomplete);
        if (worst) {
            model_report_finding_line(se, worst, b);
            sbuf_putc(b, '\n');
            chart_of(se, worst, width, b);
        }
    } else {
        claims(se, b);
    }
    for (size_t i = 0; all && i < se->findings.count; i++) {
        if (&se->findings.items[i] == worst)
            continue;
        sbuf_putc(b, '\n');
        model_report_finding_line(se, &se->findings.items[i], b);
        sbuf_putc(b, '\n');
        chart_of(se, &se->findings.items[i], width, b);
    }
    if (worst)
        sbuf_putc(b, '\n');
    for (int k = 0; k < 5; k++)
        if (se->counts[k])
            sbuf_printf(b, "%s: %s\n", kinds[k], progress_number(se->counts[k]));
    if (status == EXIT_BUG && se->incomplete)
        sbuf_printf(b, "incomplete: %s\n", se->incomplete);
    never_executed(se, b);
    counts_line(se, b);
}

static void json_finding(struct model_search *se, const struct model_finding *f, struct sbuf *b)
{
    struct sbuf line = {0};
    step_list steps = {0};
    struct chart c;
    model_report_finding_line(se, f, &line);
    search_trace(se, f, &steps);
    chart_build(&c, se->s, &steps);
    sbuf_printf(b, "{\"kind\":\"%s\",\"message\":", json_kinds[f->kind]);
    sbuf_json(b, sbuf_str(&line));
    sbuf_puts(b, ",\"steps\":[");
    for (size_t i = 0; i < c.events.count; i++) {
        const struct chart_event *e = &c.events.items[i];
        sbuf_puts(b, i ? ",{\"process\":" : "{\"process\":");
        sbuf_json(b, se->s->procs[e->proc].name);
        sbuf_printf(b, ",\"action\":\"%s\",\"text\":",
                    e->action == ACT_SEND   ? "send"
                    : e->action == ACT_RECV ? "recv"
                                            : "internal");
        sbuf_json(b, e->text);
        sbuf_printf(b, ",\"message\":%d,\"line\":%d}", e->message, se->s->trans[e->trans].line);
    }
    sbuf_puts(b, "]}");
    chart_free(&c);
    vec_free(&steps);
    sbuf_free(&line);
}

void model_report_json(struct model_search *se, struct sbuf *b)
{
    static const char *const verdicts[] = {"safe", "bug", "incomplete"};
    int dead = 0;
    for (int i = 0; i < se->s->ntrans; i++)
        dead += !se->executed[i];
    sbuf_printf(b,
                "{\"raddle\":1,\"verdict\":\"%s\",\"engine\":\"model\",\"scheme\":\"%s\","
                "\"reduce\":\"%s\",",
                verdicts[model_report_status(se)], sys_scheme_name(se->s->scheme),
                model_report_reduce_name(se->o.reduce));
    sbuf_printf(b,
                "\"states\":%llu,\"edges\":%llu,\"depth\":%d,\"deadlocks\":%llu,"
                "\"unspecified\":%llu,\"invariants\":%llu,\"faults\":%llu,\"overflows\":%llu,",
                (unsigned long long)se->states, (unsigned long long)se->edges,
                se->levels ? se->levels - 1 : 0, (unsigned long long)se->counts[FOUND_DEADLOCK],
                (unsigned long long)se->counts[FOUND_UNSPECIFIED],
                (unsigned long long)se->counts[FOUND_INVARIANT],
                (unsigned long long)se->counts[FOUND_FAULT],
                (unsigned long long)se->counts[FOUND_OVERFLOW]);
    sbuf_printf(b, "\"unexecuted\":%d,\"seconds\":%.3f,\"cpu\":%.3f,\"bytes\":%zu,\"compiled\":%s,",
                dead, se->seconds, se->cpu, store_bytes(&se->store),
                se->compiled ? "true" : "false");
    sbuf_printf(b, "\"complete\":%s,\"reason\":", se->incomplete ? "false" : "true");
    if (se->incomplete)
        sbuf_json(b, se->incomplete);
    else
        sbuf_puts(b, "null");
    sbuf_puts(b, ",\"findings\":[");
    for (size_t i = 0; i < se->findings.count && i < 10; i++) {
        sbuf_puts(b, i ? "," : "");
        json_finding(se, &se->findings.items[i], b);
    }
    sbuf_puts(b, "]}\n");
}
