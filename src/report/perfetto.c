/* The worst finding's execution in the JSON that Perfetto and chrome://tracing open: a track per thread, a
 * slice per step, arrows from what enabled a step. Time is the number of the step. */
#include "report/formats.h"
#include "report/steps.h"

#include <stdlib.h>

#define TICK 1000u /* microseconds from one step to the next */

static void put_head(struct sbuf *out, const char *phase, int thread, const char *name)
{
    sbuf_puts(out, "{\"pid\":1,\"ph\":");
    sbuf_json(out, phase);
    sbuf_printf(out, ",\"tid\":%d", thread);
    format_text(out, "name", name);
}

static void put_step(struct names *n, const struct told_steps *all, size_t i, struct sbuf *out)
{
    const struct told_step *s = &all->items[i];
    sbuf_puts(out, ",\n");
    put_head(out, "X", s->thread, s->text);
    sbuf_printf(out, ",\"ts\":%zu,\"dur\":%u,\"args\":{\"step\":%zu", i * TICK, TICK * 9 / 10, i + 1);
    if (s->pc)
        format_text(out, "location", names_path_location(n, s->pc));
    sbuf_puts(out, "}}");
    if (s->from == STEP_NONE)
        return;
    sbuf_puts(out, ",\n");
    put_head(out, "s", all->items[s->from].thread, "enables");
    sbuf_printf(out, ",\"cat\":\"flow\",\"id\":%zu,\"ts\":%u}", i + 1, s->from * TICK + TICK / 2);
    sbuf_puts(out, ",\n");
    put_head(out, "f", s->thread, "enables");
    sbuf_printf(out, ",\"cat\":\"flow\",\"id\":%zu,\"ts\":%zu,\"bp\":\"e\"}", i + 1, i * TICK);
}

static void put_track(struct names *n, int thread, struct sbuf *out)
{
    sbuf_puts(out, ",\n");
    put_head(out, "M", thread, "thread_name");
    sbuf_puts(out, ",\"args\":{\"name\":");
    sbuf_json(out, names_thread_full(n, thread));
    sbuf_puts(out, "}}");
}

void report_perfetto(const struct report *r, struct sbuf *out)
{
    sbuf_puts(out, "{\"traceEvents\":[");
    put_head(out, "M", 0, "process_name");
    sbuf_puts(out, ",\"args\":{\"name\":");
    sbuf_json(out, r->program ? r->program : "?");
    sbuf_puts(out, "}}");
    if (r->findings.count) {
        const struct report_finding *f = &r->findings.items[0];
        struct told_steps all;
        struct tset seen = {{0}};
        struct names n;
        names_init(&n, &f->tale);
        steps_tell(&n, f, &all);
        for (size_t i = 0; i < all.count; i++) {
            if (!tset_has(&seen, all.items[i].thread))
                put_track(&n, all.items[i].thread, out);
            tset_add(&seen, all.items[i].thread);
            put_step(&n, &all, i, out);
        }
        steps_free(&all);
        names_free(&n);
    }
    sbuf_puts(out, "]}\n");
}
