/* The report as text: verdict, why, schedule in columns, other findings, remarks, and last the exact
 * command that replays the bug. */
#include "base/progress.h"
#include "explore/estimate.h"
#include "report/inputs.h"
#include "report/steps.h"
#include "report/style.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

static void put_heading(struct style s, struct sbuf *out, const char *text)
{
    sbuf_putc(out, '\n');
    style_put(s, out, TINT_BOLD, text);
    sbuf_putc(out, '\n');
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* A line, wrapped. */
static void put_dim(struct style s, struct sbuf *out, const char *text, size_t indent)
{
    struct sbuf wrapped = {0};
    style_wrap(s, &wrapped, text, 0, indent);
    style_put(s, out, TINT_DIM, sbuf_str(&wrapped));
    sbuf_putc(out, '\n');
    sbuf_free(&wrapped);
}

static void put_counts(const struct report *r, struct style s, struct sbuf *out)
{
    struct sbuf line = {0};
    sbuf_printf(&line, "%s: %s execution%s, %s event%s in %.*f s", r->engine,
                progress_number(r->executions), plural(r->executions), progress_number(r->events),
                plural(r->events), r->seconds < 10 ? 2 : 0, r->seconds);
    if (r->blocked)
        sbuf_printf(&line, ", %s abandoned as redundant", progress_number(r->blocked));
    if (r->restarts)
        sbuf_printf(&line, ", begun again %s time%s with what it had learned", progress_number(r->restarts),
                    plural(r->restarts));
    if (r->states)
        sbuf_printf(&line, ", %s distinct states, %s traces", progress_number(r->states),
                    progress_number(r->traces));
    if (r->graph_states)
        sbuf_printf(&line, ", %s state%s and %s transition%s", progress_number(r->graph_states),
                    plural(r->graph_states), progress_number(r->transitions), plural(r->transitions));
    if (r->net_places)
        sbuf_printf(&line, ", a net of %s places and %s transitions", progress_number(r->net_places),
                    progress_number(r->net_transitions));
    if (r->net_events)
        sbuf_printf(&line, ", an unfolding of %s events, %s cut off", progress_number(r->net_events),
                    progress_number(r->net_cut));
    sbuf_printf(&line, ", seed %llu", (unsigned long long)r->seed);
    put_dim(s, out, sbuf_str(&line), 2);
    sbuf_free(&line);
    if (r->findings.count && r->incomplete) {
        char *text = mem_printf("the search is not complete: %s", r->incomplete);
        put_dim(s, out, text, 2);
        free(text);
    }
}

/* A verdict that is no bug, and the rest of its sentence (which is freed); a terminal gets it in lines. */
static void put_sentence(struct style s, enum tint tint, const char *verdict, struct sbuf *rest,
                         struct sbuf *out)
{
    style_put(s, out, tint, verdict);
    if (s.terminal)
        style_wrap(s, out, sbuf_str(rest), style_columns(verdict), 4);
    else
        sbuf_puts(out, sbuf_str(rest));
    sbuf_putc(out, '\n');
    sbuf_free(rest);
}

static void put_safe(const struct report *r, struct style s, struct sbuf *out)
{
    struct sbuf rest = {0};
    sbuf_printf(&rest, ": %s was explored%s%s, no%s bug", r->guarantee ? r->guarantee : "everything",
                r->times ? " " : "", r->times ? r->times : "", r->known.count ? " new" : "");
    put_sentence(s, TINT_GOOD, "safe", &rest, out);
}

/* How far a search in order of a bound came, and what that means (PLDI 2007, theorems 2 and 3). */
static void put_bounded(const struct report *r, struct style s, struct sbuf *out)
{
    unsigned long long c = r->bound;
    char *verdict = mem_printf("safe up to %llu %s%s", c, r->bound_unit, plural(c));
    struct sbuf rest = {0};
    sbuf_printf(&rest, ": no%s bug with ≤ %llu %s%s; %s execution%s", r->known.count ? " new" : "", c,
                r->bound_unit, plural(c),
                progress_number(r->executions), plural(r->executions));
    if (r->incomplete)
        sbuf_printf(&rest, "; then %s", r->incomplete);
    put_sentence(s, TINT_GOOD, verdict, &rest, out);
    free(verdict);
    if (r->races_off)
        return;
    char *why = mem_printf("every execution with ≤ %llu %s%s is covered: threads were switched at "
                           "synchronization%s, and no other access raced",
                           c, r->bound_unit, plural(c), r->racy ? " and at the racy accesses" : "");
    put_dim(s, out, why, 0);
    free(why);
}

/* How much was covered, as explore/estimate.h has it: a range once it can be trusted, before that no more
 * than that there is at least so much. */
static void put_fraction(const struct report *r, struct sbuf *out)
{
    if (r->fraction <= 0 || r->fraction >= 1 || r->estimate > 1e18)
        return;
    double done = r->fraction * r->estimate;
    uint64_t least = (uint64_t)estimate_least(r->estimate, r->spread, done);
    least = least > r->executions ? least : r->executions;
    if (least <= r->executions)
        sbuf_puts(out, " (how many there are in all is not known yet)");
    else if (!estimate_known(r->estimate, r->spread, done))
        sbuf_printf(out, " (of at least %s; how many in all is not known yet)", progress_number(least));
    else
        sbuf_printf(out, " (roughly %.2g%% of an estimated %s, which may be %s to %s)",
                    estimate_percent(r->fraction), progress_number((uint64_t)r->estimate),
                    progress_number(least), progress_number((uint64_t)estimate_most(r->estimate, done)));
}

static void put_incomplete(const struct report *r, struct style s, struct sbuf *out)
{
    if (r->bounded_search && !r->divergence) { /* what was repeated differently proves nothing */
        put_bounded(r, s, out);
        return;
    }
    struct sbuf rest = {0};
    sbuf_printf(&rest, ": no%s bug in %s execution%s, but ", r->known.count ? " new" : "",
                progress_number(r->executions), plural(r->executions));
    if (r->complete && r->depth)
        sbuf_printf(&rest, "alternatives were tried in the first %llu steps only (--depth)",
                    (unsigned long long)r->depth);
    else
        sbuf_puts(&rest, r->incomplete ? r->incomplete : "not everything was explored");
    put_fraction(r, &rest);
    put_sentence(s, TINT_WARN, "incomplete", &rest, out);
}

const char *report_message(struct names *n, const struct report_finding *f)
{
    const struct tale_finding *t = report_told(f);
    if (t)
        return words_finding(n, &t->finding, t->at);
    return f->schedule.message ? f->schedule.message : "?";
}

/* One line, of which `at` columns are taken; on a terminal that is too narrow for it the words and the
 * location, which is kept in one piece, go on the next one. */
static void put_bug_line(struct names *n, const struct report_finding *f, struct style s, size_t at,
                         struct sbuf *out)
{
    const char *location = f->schedule.location, *message = report_message(n, f);
    size_t columns = at + 5 + style_columns(message), more = location ? 2 + style_columns(location) : 0;
    size_t width = (size_t)s.width;
    struct sbuf words = {0};
    style_put(s, out, TINT_BAD, "bug");
    sbuf_puts(out, ": ");
    if (s.terminal && columns > width)
        style_wrap(s, &words, message, at + 5, 4);
    else
        sbuf_puts(&words, message);
    const char *last = strrchr(sbuf_str(&words), '\n');
    columns = last ? style_columns(last + 1) : columns;
    style_put(s, out, TINT_BOLD, sbuf_str(&words));
    if (location)
        sbuf_printf(out, s.terminal && columns + more > width ? ",\n    %s" : ", %s", location);
    sbuf_putc(out, '\n');
    sbuf_free(&words);
}

void report_verdict(const struct report *r, struct style style, struct sbuf *out)
{
    if (r->findings.count) {
        struct names n;
        names_init(&n, &r->findings.items[0].tale);
        put_bug_line(&n, &r->findings.items[0], style, 0, out);
        names_free(&n);
    } else if (r->complete && !r->incomplete && !r->depth) {
        put_safe(r, style, out);
    } else {
        put_incomplete(r, style, out);
    }
    if (r->regressed.count) {
        style_wrap(style, out, r->regressed.items[0], 0, 2);
        sbuf_putc(out, '\n');
    }
}

/* The names of the blocks that the columns mention beyond those of the why. */
static void put_later_blocks(struct names *n, size_t known, struct style s, struct sbuf *out)
{
    for (size_t i = known; i < n->blocks.count; i++) {
        const struct event *e = &n->tale->events.items[n->blocks.items[i].event].event;
        const char *guess = n->blocks.items[i].guessed ? " (type guessed)" : "";
        char *text = mem_printf("  %s%s: %u bytes allocated by thread %d at %s", n->blocks.items[i].name,
                                guess, e->size, e->thread, names_location(n, e->pc));
        put_dim(s, out, text, 6);
        free(text);
    }
}

static void put_schedule_heading(const struct report_finding *f, struct style s, struct sbuf *out)
{
    const struct schedule *c = &f->schedule;
    sbuf_putc(out, '\n');
    style_put(s, out, TINT_BOLD, "schedule");
    if (c->counted)
        style_printf(s, out, TINT_DIM, "  %zu step%s, %llu preemption%s", c->steps.count,
                     plural(c->steps.count), (unsigned long long)c->preemptions,
                     plural(c->preemptions));
    else
        style_printf(s, out, TINT_DIM, "  %zu step%s", c->steps.count, plural(c->steps.count));
    sbuf_putc(out, '\n');
    if (f->tale.left_out)
        style_printf(s, out, TINT_DIM,
                     "  (long: %s events before the last ones are not in the recording, which is "
                     "limited to %u MiB)\n",
                     progress_number(f->tale.left_out), STORY_LIMIT >> 20);
}

/* The columns mark the point of no return where it is known exactly. */
static void put_fate(const struct schedule *c, struct style s, struct sbuf *out)
{
    if (!c->doomed || c->doomed == c->avoidable)
        return;
    char *text = mem_printf("  the point of no return is not known exactly: it lies in steps %llu to %llu, "
                            "whose continuations were too many to try all",
                            (unsigned long long)(c->avoidable ? c->avoidable : 1),
                            (unsigned long long)c->doomed);
    put_dim(s, out, text, 6);
    free(text);
}

static void tell_recording(struct names *n, const struct report_finding *f, struct style s,
                           struct sbuf *out)
{
    struct sbuf why = {0};
    report_why(n, f, s, &why);
    if (why.len)
        put_heading(s, out, "why");
    sbuf_puts(out, sbuf_str(&why));
    sbuf_free(&why);
    report_inputs(&f->schedule, s, out);
    size_t known = n->blocks.count;
    put_schedule_heading(f, s, out);
    report_columns(n, f, s, out);
    put_fate(&f->schedule, s, out);
    put_later_blocks(n, known, s, out);
}

static void tell_finding(const struct report_finding *f, struct style s, struct sbuf *out)
{
    struct names n;
    names_init(&n, &f->tale);
    if (report_told(f))
        tell_recording(&n, f, s, out);
    else if (!f->tale.events.count)
        sbuf_puts(out, "  (the execution could not be recorded: only the schedule is kept)\n");
    names_free(&n);
}

static void put_replay(const struct report_finding *f, const char *before, struct style s, enum tint tint,
                       struct sbuf *out)
{
    struct sbuf word = {0};
    if (!f->file)
        return;
    sbuf_word(&word, f->file);
    style_printf(s, out, tint, "%sraddle replay %s\n", before, sbuf_str(&word));
    sbuf_free(&word);
}

static void tell_other(const struct report_finding *f, struct style s, struct sbuf *out)
{
    struct names n;
    names_init(&n, &f->tale);
    sbuf_putc(out, '\n');
    sbuf_puts(out, "also ");
    put_bug_line(&n, f, s, 5, out);
    report_why(&n, f, s, out);
    put_replay(f, "  ", s, TINT_DIM, out);
    names_free(&n);
}

static void put_remark(struct style s, struct sbuf *out, const char *text)
{
    style_put(s, out, TINT_WARN, "note");
    sbuf_puts(out, ": ");
    style_wrap(s, out, text, 6, 6);
    sbuf_putc(out, '\n');
}

static void put_known(const struct report *r, struct style s, struct sbuf *out)
{
    for (size_t i = 0; i < r->known.count; i++) {
        sbuf_puts(out, "known: ");
        style_wrap(s, out, r->known.items[i], 7, 7);
        sbuf_putc(out, '\n');
    }
}

static void put_properties(const struct report *r, struct style s, struct sbuf *out)
{
    for (size_t i = 0; i < r->properties.count; i++) {
        style_wrap(s, out, r->properties.items[i], 0, 2);
        sbuf_putc(out, '\n');
    }
}

/* What to do about a search that was too large. */
static void put_advice(const struct report *r, struct style s, struct sbuf *out)
{
    if (!r->advice.count)
        return;
    put_heading(s, out, "what makes it large, and what would be smaller");
    for (size_t i = 0; i < r->advice.count; i++) {
        sbuf_puts(out, "  ");
        style_wrap(s, out, r->advice.items[i], 2, 4);
        sbuf_putc(out, '\n');
    }
}

static void put_remarks(const struct report *r, struct style s, struct sbuf *out)
{
    put_properties(r, s, out);
    put_known(r, s, out);
    if (r->threads == 1 && r->executions)
        put_remark(s, out, "no second thread ran in any execution: there was nothing to interleave");
    if (!r->executions && r->assumed)
        put_remark(s, out, "no execution counts: in each of them an assumption failed (raddle_assume)");
    if (r->weak) {
        char *text = mem_printf("the program uses C11 orders weaker than seq_cst (first at %s); they "
                                "are explored as seq_cst, so bugs that need a weaker memory are not seen",
                                r->weak);
        put_remark(s, out, text);
        free(text);
    }
    for (size_t i = 0; i < r->warnings.count; i++)
        put_remark(s, out, r->warnings.items[i]);
    for (size_t i = 0; i < r->reductions.count; i++)
        put_remark(s, out, r->reductions.items[i]);
    if (r->isolated)
        put_remark(s, out, "the program could not be put back after an execution, so each one ran in a "
                           "process of its own (slower)");
    if (r->divergence) {
        char *text = mem_printf("first difference when a schedule was repeated: %s", r->divergence);
        put_remark(s, out, text);
        free(text);
    }
}

/* What differs from a saved tree: a heading and a sequence, in turn. */
static void put_differences(const struct report *r, struct style s, struct sbuf *out)
{
    for (size_t i = 1; i < r->regressed.count; i++) {
        const char *line = r->regressed.items[i];
        size_t indent = strspn(line, " ");
        sbuf_pad(out, ' ', indent + 2);
        style_wrap(s, out, line + indent, indent + 2, indent + 4);
        sbuf_putc(out, '\n');
    }
}

void report_text(const struct report *r, struct style style, struct sbuf *out)
{
    report_verdict(r, style, out);
    put_differences(r, style, out);
    put_counts(r, style, out);
    if (!r->findings.count) {
        put_remarks(r, style, out);
        put_advice(r, style, out);
        return;
    }
    tell_finding(&r->findings.items[0], style, out);
    for (size_t i = 1; i < r->findings.count; i++)
        tell_other(&r->findings.items[i], style, out);
    sbuf_putc(out, '\n');
    put_remarks(r, style, out);
    put_replay(&r->findings.items[0], "", style, TINT_PLAIN, out);
}
