/* Pictures of the why, as boxes that a narrow screen can wrap and a screen reader can read:
 *
 *   who waits   a box per thread with what it holds, below it what it waits for, in the order of
 * the waiting; those on a cycle stand in a frame whose side is the arrow back to the first a race
 * the two accesses, and between them the order that is not there a block     its life from left to
 * right: allocated, freed, used
 *
 * Whatever else a finding says is a column of boxes. */
#include "report/causes.h"
#include "report/html_parts.h"
#include "report/stacks.h"
#include "report/words.h"

#include <string.h>

static int is_heap_life(const struct why_picture *w)
{
    return w->told->finding.kind == FINDING_HEAP && w->told->finding.fact_count > 1;
}

/* ---- a box ---- */

static void put_place(const struct why_picture *w, uint64_t pc)
{
    const char *function = pc ? names_function(w->n, pc) : "";
    if (!pc)
        return;
    sbuf_puts(w->out, " <span class=\"mono place\">");
    sbuf_html(w->out, names_location(w->n, pc));
    sbuf_puts(w->out, *function ? " in " : "");
    sbuf_html(w->out, function);
    sbuf_puts(w->out, "</span>");
}

static void put_link(const struct why_picture *w, size_t event, const char *words)
{
    for (size_t i = 0; i < w->steps->count; i++)
        if (w->steps->items[i].event == event) {
            sbuf_printf(w->out, " <a href=\"#s%zu-%zu\">", w->section, i + 1);
            if (words)
                sbuf_printf(w->out, "%s</a>", words);
            else
                sbuf_printf(w->out, w->steps->items[i].number ? "step %u</a>" : "before step 1</a>",
                            w->steps->items[i].number);
            return;
        }
}

/* The step of the diagram at which the thread was there; the last one is the failure itself. */
static void put_step(const struct why_picture *w, int thread, uint64_t pc)
{
    const struct finding *f = &w->told->finding;
    size_t event = stacks_event_at(w->n->tale, w->told, thread, pc);
    if (event != w->n->tale->events.count || (f->thread == thread && f->pc == pc))
        put_link(w, event, NULL);
}

static void put_callers(const struct why_picture *w, struct callers *l)
{
    for (int i = 0; i < l->count; i++) {
        sbuf_puts(w->out, "<div class=\"mono dim\">called from ");
        sbuf_html(w->out, l->line[i]);
        if (l->times[i] > 1)
            sbuf_printf(w->out, " ×%d", l->times[i]);
        sbuf_puts(w->out, "</div>");
    }
    stacks_free(l);
}

static void put_callers_of(const struct why_picture *w, const struct fact *f)
{
    struct callers l;
    stacks_fact_callers(w->n, w->told, f, &l);
    put_callers(w, &l);
}

static void open_box(const struct why_picture *w, int thread)
{
    int lane = w->lane[thread];
    sbuf_printf(w->out, "<div class=\"box\"><b class=\"i%d\">", lane < 0 ? 7 : lane % 8);
    sbuf_html(w->out, names_thread_full(w->n, thread));
    sbuf_puts(w->out, "</b>");
}

static void put_fact(const struct why_picture *w, const struct fact *f)
{
    sbuf_puts(w->out, "<div>");
    sbuf_html(w->out, words_fact(w->n, f, w->told->at));
    put_place(w, stacks_fact_place(w->n, w->told, f));
    put_step(w, f->thread, f->pc);
    sbuf_puts(w->out, "</div>");
}

static void put_box(const struct why_picture *w, const struct fact *f, const char *title)
{
    open_box(w, f->thread);
    if (title)
        sbuf_printf(w->out, "<div class=\"title\">%s</div>", title);
    put_fact(w, f);
    put_callers_of(w, f);
    sbuf_puts(w->out, "</div>");
}

/* ---- who waits ---- */

int html_is_wait(const struct fact *f)
{
    static const enum fact_kind waits[] = {FACT_JOINS, FACT_PARKED, FACT_WAITS, FACT_WAITS_FOR_HELD,
                                           FACT_WAITS_FOR_ENDED, FACT_SPINS, FACT_BLOCKS};
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++)
        if (f->kind == waits[i])
            return 1;
    return 0;
}

/* The fact that tells what the thread waits for; NULL if it waits for nothing. */
static const struct fact *wait_of(const struct finding *f, int thread)
{
    for (uint32_t i = 0; i < f->fact_count; i++)
        if (f->facts[i].thread == thread && html_is_wait(&f->facts[i]))
            return &f->facts[i];
    return NULL;
}

/* The thread it waits for, -1: none. */
static int next_of(const struct finding *f, int thread)
{
    const struct fact *w = wait_of(f, thread);
    return w && w->other ? w->other - 1 : -1;
}

static int on_cycle(const struct finding *f, int thread)
{
    int t = next_of(f, thread);
    for (int i = 0; i < FINDING_FACTS && t >= 0 && t != thread; i++)
        t = next_of(f, t);
    return t == thread;
}

/* What a thread holds, each lock once, and whatever else is said of it. */
static void put_held(const struct why_picture *w, int thread)
{
    const struct finding *f = &w->told->finding;
    for (uint32_t i = 0; i < f->fact_count; i++) {
        uint32_t k = 0;
        while (k < i && !fact_same(&f->facts[k], &f->facts[i]))
            k++;
        if (f->facts[i].thread == thread && !html_is_wait(&f->facts[i]) && k == i)
            put_fact(w, &f->facts[i]);
    }
}

static void put_waiting(const struct why_picture *w, int thread)
{
    const struct finding *f = &w->told->finding;
    const struct fact *wait = wait_of(f, thread);
    open_box(w, thread);
    put_held(w, thread);
    if (wait)
        put_callers_of(w, wait);
    sbuf_puts(w->out, "</div>");
    if (!wait)
        return;
    sbuf_printf(w->out, "<div class=\"wait%s\">", wait->other ? "" : " never");
    put_fact(w, wait);
    sbuf_puts(w->out, "</div>");
}

/* A chain that comes to a thread that has its box already. */
static void put_above(const struct why_picture *w, int thread)
{
    sbuf_puts(w->out, "<div class=\"box\">");
    sbuf_html(w->out, names_thread_full(w->n, thread));
    sbuf_puts(w->out, " <span class=dim>↑ above</span></div>");
}

static void put_chain(const struct why_picture *w, int thread, struct tset *shown)
{
    const struct finding *f = &w->told->finding;
    int began = thread;
    while (thread >= 0 && !tset_has(shown, thread) && !on_cycle(f, thread)) {
        tset_add(shown, thread);
        put_waiting(w, thread);
        thread = next_of(f, thread);
    }
    if (thread >= 0 && tset_has(shown, thread) && thread != began)
        put_above(w, thread);
    if (thread < 0 || tset_has(shown, thread))
        return;
    sbuf_puts(w->out, "<div class=\"cycle\">");
    for (int t = thread; !tset_has(shown, t); t = next_of(f, t)) {
        tset_add(shown, t);
        put_waiting(w, t);
    }
    sbuf_puts(w->out, "</div>");
}

static int is_waited_for(const struct finding *f, int thread)
{
    for (uint32_t i = 0; i < f->fact_count; i++)
        if (f->facts[i].other == thread + 1)
            return 1;
    return 0;
}

/* First the chains from those that nobody waits for, then what is left, which is cycles alone. */
static void put_waits(const struct why_picture *w)
{
    const struct finding *f = &w->told->finding;
    struct tset shown = {{0}};
    sbuf_puts(w->out,
              "<div class=\"picture waits\" role=\"group\" aria-label=\"who waits for whom\">");
    for (int rest = 0; rest < 2; rest++)
        for (uint32_t i = 0; i < f->fact_count; i++)
            if (rest || !is_waited_for(f, f->facts[i].thread))
                put_chain(w, f->facts[i].thread, &shown);
    sbuf_puts(w->out, "</div>");
}

/* ---- a race ---- */

/* The locks that the thread holds when it does that. */
static void put_locks_at(const struct why_picture *w, const struct fact *f)
{
    const struct tale *t = w->n->tale;
    size_t end = stacks_event_at(t, w->told, f->thread, f->pc);
    uint64_t held[16];
    int count = 0;
    for (size_t i = 0; i < end && i < t->events.count; i++) {
        const struct event *e = &t->events.items[i].event;
        char effect = e->thread == f->thread ? steps_effect(e) : 0;
        uint64_t lock = effect == 'c' ? e->other : e->object;
        if (effect == 'h' && count < 16)
            held[count++] = lock;
        for (int k = 0; (effect == 'r' || effect == 'c') && k < count; k++)
            if (held[k] == lock) {
                held[k] = held[--count];
                break;
            }
    }
    sbuf_puts(w->out, count ? "<div>holding " : "<div>holding no lock");
    for (int k = 0; k < count; k++) {
        sbuf_puts(w->out, k ? ", " : "");
        sbuf_html(w->out, names_object(w->n, held[k], 0, w->told->at));
    }
    sbuf_puts(w->out, "</div>");
}

static void put_access(const struct why_picture *w, const struct fact *f)
{
    open_box(w, f->thread);
    put_fact(w, f);
    put_locks_at(w, f);
    put_callers_of(w, f);
    sbuf_puts(w->out, "</div>");
}

static void put_race(const struct why_picture *w)
{
    sbuf_puts(w->out, "<div class=\"picture row\" role=\"group\" aria-label=\"the two accesses\">");
    put_access(w, &w->told->finding.facts[0]);
    sbuf_puts(
        w->out,
        "<div class=\"missing\">nothing orders them: no unlock → lock, no signal, no join leads "
        "from one to the other</div>");
    put_access(w, &w->told->finding.facts[1]);
    sbuf_puts(w->out, "</div>");
}

/* ---- a block ---- */

static int moment_of(const struct fact *f)
{
    return f->kind == FACT_ALLOCATED || f->kind == FACT_ALLOCATED_EARLY ? 0 : f->kind == FACT_FREED ? 1 : 2;
}

/* The checker tells the use first and the allocation last: shown in the order of time. */
static void put_life(const struct why_picture *w)
{
    static const char *const titles[] = {"allocated", "freed", "used"};
    const struct finding *f = &w->told->finding;
    const char *arrow = "";
    sbuf_puts(w->out,
              "<div class=\"picture row\" role=\"group\" aria-label=\"the life of the block\">");
    for (int moment = 0; moment < 3; moment++)
        for (uint32_t i = 0; i < f->fact_count; i++) {
            if (moment_of(&f->facts[i]) != moment)
                continue;
            sbuf_puts(w->out, arrow);
            put_box(w, &f->facts[i], titles[moment]);
            arrow = "<div class=\"then\" aria-hidden=\"true\">→</div>";
        }
    sbuf_puts(w->out, "</div>");
}

/* ---- anything else ---- */

static void put_column(const struct why_picture *w)
{
    sbuf_puts(w->out, "<div class=\"picture waits\" role=\"group\" aria-label=\"who did what\">");
    for (uint32_t i = 0; i < w->told->finding.fact_count; i++)
        put_box(w, &w->told->finding.facts[i], NULL);
    sbuf_puts(w->out, "</div>");
}

/* A finding without facts: where the thread stands. */
static void put_failure(const struct why_picture *w)
{
    const struct finding *f = &w->told->finding;
    uint64_t place = report_place(w->n, w->told);
    sbuf_puts(w->out, "<div class=\"picture waits\">");
    open_box(w, f->thread);
    sbuf_puts(w->out, "<div>");
    sbuf_html(w->out, report_message(w->n, w->f));
    put_place(w, place);
    sbuf_puts(w->out, "</div>");
    struct callers l;
    stacks_callers_at(w->n, w->told, f->thread, place, &l);
    put_callers(w, &l);
    sbuf_puts(w->out, "</div></div>");
}

/* What led to it, in the order of the sentences of the text. */
static void put_causes(const struct why_picture *w)
{
    struct causes causes;
    causes_find(w->n, w->f, &causes);
    sbuf_puts(w->out, causes.items.count ? "<ol class=\"causes\">" : "");
    for (size_t i = 0; i < causes.items.count; i++) {
        const struct cause *c = &causes.items.items[i];
        sbuf_puts(w->out, "<li>");
        sbuf_html(w->out, c->text);
        put_place(w, c->pc);
        if (c->event < w->n->tale->events.count)
            put_link(w, c->event, "show");
        sbuf_puts(w->out, "</li>");
    }
    sbuf_puts(w->out, causes.items.count ? "</ol>" : "");
    causes_free(&causes);
}

void html_why_picture(const struct why_picture *w)
{
    if (!w->told)
        return;
    put_causes(w);
    if (!w->told->finding.fact_count)
        put_failure(w);
    else if (w->told->finding.kind == FINDING_DEADLOCK)
        put_waits(w);
    else if (w->told->finding.kind == FINDING_RACE && w->told->finding.fact_count == 2)
        put_race(w);
    else if (is_heap_life(w))
        put_life(w);
    else
        put_column(w);
}
