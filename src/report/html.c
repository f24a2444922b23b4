/* The report as one page that needs nothing else: style, script, sources and data are in it, a content
 * security policy forbids everything from outside. The steps are a table with the space–time diagram beside
 * them, drawn here, so that everything but stepping works without scripts; page/page.js reads the rest from
 * two kinds of JSON:
 *
 *   #sources            [{path, text}]: the files that steps are in; text "" if it could not be read
 *   one per finding     threads [{id, name, lane}], lanes {id: lane}, frames ["f.c:10 in f"], objects [name],
 *                       steps [[thread, enabled by (-1), file (-1), line, [frames], effect, object,
 *                       object2]],
 *                       ends [[thread, file (-1), line, "waits for …"]]: who waits when the failure comes
 *
 * Effects: h takes an object, r gives it back, w waits at it, c waits at it and gives back object2,
 * + and - a message into and out of it, o prints the text. */
#include "report/diagram.h"
#include "report/formats.h"
#include "report/html_page.h"
#include "report/html_parts.h"
#include "report/inputs.h"
#include "report/stacks.h"
#include "report/steps.h"
#include "report/style.h"
#include "report/unfolding.h"
#include "report/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char page_css[], page_css_end[], page_js[], page_js_end[];

enum { ROW = 22, LANE = 22, EDGE = 14, LANES_MAX = 24 }; /* pixels, as in page.css and page.js */
enum { NAME = 20, DOES = 48, FUNCTION = 24 }; /* columns that a thread, a text, a function may take */
enum { PART = 100 }; /* rows that are laid out together, as in page.css */
#define SOURCE_BYTES (256u << 10) /* of one file, and … */
#define SOURCES_BYTES (400u << 10) /* … of all */

/* The texts that a finding's steps mention, by number. */
struct texts {
    VEC(char *) items;
};

static long text_number(struct texts *t, const char *text)
{
    for (size_t i = t->items.count; i-- > 0;)
        if (!strcmp(t->items.items[i], text))
            return (long)i;
    vec_push(&t->items, mem_strdup(text));
    return (long)t->items.count - 1;
}

static void texts_free(struct texts *t)
{
    for (size_t i = 0; i < t->items.count; i++)
        free(t->items.items[i]);
    vec_free(&t->items);
}

static long file_number(struct html_page *p, const char *name, size_t n, const char *path)
{
    for (size_t i = 0; i < p->files.count; i++)
        if (strlen(p->files.items[i].name) == n && !memcmp(p->files.items[i].name, name, n))
            return (long)i;
    struct html_file file = {mem_strndup(name, n), path ? mem_strdup(path) : NULL};
    vec_push(&p->files, file);
    return (long)p->files.count - 1;
}

static void put_texts(struct sbuf *out, const char *key, const struct texts *t)
{
    sbuf_printf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < t->items.count; i++) {
        if (i)
            sbuf_putc(out, ',');
        html_script_json(out, t->items.items[i]);
    }
    sbuf_putc(out, ']');
}

/* ---- lanes ---- */

struct lanes {
    int of[EVENT_MAX_THREADS]; /* -1: none */
    int count;
};

static struct lanes assign_lanes(const struct told_steps *all)
{
    struct lanes l = {.count = 0};
    struct tset seen = {{0}};
    for (size_t i = 0; i < all->count; i++)
        tset_add(&seen, all->items[i].thread);
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        l.of[t] = tset_has(&seen, t) ? l.count++ : -1;
    return l;
}

static int lane_x(const struct lanes *l, int thread)
{
    return EDGE + l->of[thread] * LANE;
}

static int lanes_width(const struct lanes *l)
{
    return 2 * EDGE + (l->count - 1) * LANE;
}

static void put_lane(const struct told_steps *all, const struct lanes *l, int thread, struct sbuf *out)
{
    struct sbuf dots = {0};
    int x = lane_x(l, thread), first = -1, last = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].thread != thread)
            continue;
        last = (int)i * ROW + ROW / 2;
        first = first < 0 ? last : first;
        sbuf_printf(&dots, "M%d %dh0", x, last);
    }
    sbuf_printf(out, "<path class=\"lane s%d\" d=\"M%d %dV%d\"/>", l->of[thread] % 8, x, first, last);
    sbuf_printf(out, "<path class=\"dots s%d\" d=\"%s\"/>", l->of[thread] % 8, sbuf_str(&dots));
    sbuf_free(&dots);
}

static void put_diagram(const struct told_steps *all, const struct lanes *l, struct sbuf *out)
{
    struct sbuf arrows = {0};
    for (size_t i = 0; i < all->count; i++) {
        const struct told_step *s = &all->items[i];
        if (s->from != STEP_NONE)
            sbuf_printf(&arrows, "M%d %uL%d %zu", lane_x(l, all->items[s->from].thread),
                        s->from * ROW + ROW / 2, lane_x(l, s->thread), i * ROW + ROW / 2);
    }
    sbuf_printf(out, "<svg width=\"%d\" height=\"%zu\" style=\"top:%dpx\" aria-hidden=\"true\">",
                lanes_width(l), all->count * ROW, ROW);
    sbuf_printf(out, "<path class=\"arrows\" d=\"%s\"/>", sbuf_str(&arrows));
    for (int t = 0; t < EVENT_MAX_THREADS; t++)
        if (l->of[t] >= 0)
            put_lane(all, l, t, out);
    sbuf_puts(out, "</svg>");
    sbuf_free(&arrows);
}

/* ---- the table ---- */

static char *thread_label(struct names *n, int thread)
{
    char *name = style_cut(names_short(names_thread(n, thread), NAME), NAME);
    char *label = thread ? mem_printf("%d %s", thread, name) : mem_strdup("main");
    free(name);
    return label;
}

static char *place_label(struct names *n, uint64_t pc)
{
    return pc ? mem_printf("%s %s", names_location(n, pc), names_short(names_function(n, pc), FUNCTION))
              : mem_strdup("");
}

static void put_row(struct names *n, const struct told_steps *all, size_t i, size_t section,
                    const struct lanes *l, struct sbuf *out)
{
    const struct told_step *s = &all->items[i];
    const char *class = i + 1 == all->count ? " class=fail" : s->plain ? " class=plain" : "";
    char *thread = thread_label(n, s->thread), *place = place_label(n, s->pc);
    sbuf_printf(out, "<tr id=s%zu-%zu%s><td><td class=n><a href=\"#s%zu-%zu\">%u</a><td class=i%d>",
                section, i + 1, class, section, i + 1, s->number, l->of[s->thread] % 8);
    sbuf_html(out, thread);
    sbuf_puts(out, "<td");
    if (style_columns(s->text) > DOES && i + 1 < all->count) { /* it is cut; the failure's own is wrapped */
        sbuf_puts(out, " title=\"");
        sbuf_html(out, s->text);
        sbuf_putc(out, '"');
    }
    sbuf_putc(out, '>');
    sbuf_html(out, s->text);
    sbuf_puts(out, "<td class=dim>");
    sbuf_html(out, place);
    sbuf_putc(out, '\n');
    free(thread);
    free(place);
}

static void at_least(size_t *width, const char *text)
{
    size_t n = style_columns(text);
    *width = n > *width ? n : *width;
}

/* Widths are given: the parts of a table are laid out each by itself. */
static void put_widths(struct names *n, const struct told_steps *all, int lanes, struct sbuf *out)
{
    size_t thread = 6, text = 24, place = 5;
    for (size_t i = 0; i < all->count; i++) {
        char *who = thread_label(n, all->items[i].thread), *where = place_label(n, all->items[i].pc);
        at_least(&thread, who);
        if (i + 1 < all->count) /* the failure's own text is wrapped */
            at_least(&text, all->items[i].text);
        text = text > DOES ? DOES : text;
        at_least(&place, where);
        free(who);
        free(where);
    }
    sbuf_printf(out, "<table style=\"width:calc(%zuch + %dpx);--lanes:%dpx;", thread + text + place + 15,
                lanes, lanes);
    sbuf_printf(out, "--thread:%zuch;--does:%zuch;--where:%zuch\">", thread + 2, text + 3, place + 2);
}

static void put_table(struct names *n, const struct told_steps *all, const struct lanes *l, size_t section,
                      struct sbuf *out)
{
    int width = l->count <= LANES_MAX ? lanes_width(l) + 8 : 8;
    sbuf_puts(out, "<div class=\"tools\" hidden></div><div class=\"grid\"><div class=\"steps\">");
    if (l->count <= LANES_MAX)
        put_diagram(all, l, out);
    put_widths(n, all, width > 60 ? width : 60, out);
    sbuf_puts(out, "<thead><tr><th><span class=dim>time ↓</span><th class=n>step<th>thread<th>does<th>where"
                   "</thead>\n");
    for (size_t i = 0; i < all->count; i++) {
        if (i % PART == 0)
            sbuf_puts(out, "<tbody>");
        put_row(n, all, i, section, l, out);
    }
    sbuf_puts(out, "</tbody></table></div></div>");
}

/* ---- the data ---- */

static void put_effect(struct names *n, const struct tale_event *t, size_t at, struct texts *objects,
                       struct sbuf *out)
{
    const struct event *e = &t->event;
    char effect = t->prints ? 'o' : steps_effect(e);
    if (!effect) {
        sbuf_puts(out, "0");
        return;
    }
    long object = text_number(objects, t->prints ? t->note : names_object(n, e->object, e->size, at));
    sbuf_printf(out, "\"%c\",%ld", effect, object);
    if (effect == 'c')
        sbuf_printf(out, ",%ld", text_number(objects, names_object(n, e->other, 0, at)));
}

static void put_frames(struct names *n, const struct tale_event *t, struct texts *frames, struct sbuf *out)
{
    const char *comma = "";
    sbuf_putc(out, '[');
    for (uint32_t i = 1; i < t->frames; i++) {
        if (tale_foreign(n->tale, t->pc[i]))
            continue;
        char *frame = mem_printf("%s in %s", names_location(n, t->pc[i]), names_function(n, t->pc[i]));
        sbuf_printf(out, "%s%ld", comma, text_number(frames, frame));
        comma = ",";
        free(frame);
    }
    sbuf_putc(out, ']');
}

/* Number of the file and the line; -1 and 0 if the place is unknown. */
static void put_file_line(struct html_page *p, struct names *n, uint64_t pc)
{
    unsigned line = 0;
    const char *place = pc ? names_path_location(n, pc) : NULL;
    size_t path = steps_place(place, &line);
    sbuf_printf(&p->body, "%ld,%u,", path ? file_number(p, place, path, names_source(n, pc)) : -1l, line);
}

static void put_step_data(struct html_page *p, struct names *n, const struct told_step *s,
                          struct texts *frames, struct texts *objects)
{
    struct sbuf *out = &p->body;
    sbuf_printf(out, "[%d,%d,", s->thread, s->from == STEP_NONE ? -1 : (int)s->from);
    put_file_line(p, n, s->pc);
    if (s->event < n->tale->events.count) {
        const struct tale_event *t = &n->tale->events.items[s->event];
        put_frames(n, t, frames, out);
        sbuf_putc(out, ',');
        put_effect(n, t, s->event, objects, out);
    } else {
        sbuf_puts(out, "[],0");
    }
    sbuf_putc(out, ']');
}

static void put_threads(struct names *n, const struct lanes *l, struct sbuf *out)
{
    struct sbuf map = {0};
    const char *comma = "";
    sbuf_puts(out, "{\"threads\":[");
    for (int t = 0; t < EVENT_MAX_THREADS; t++) {
        if (l->of[t] < 0)
            continue;
        sbuf_printf(out, "%s{\"id\":%d,\"lane\":%d,\"name\":", comma, t, l->of[t]);
        char *name = thread_label(n, t);
        html_script_json(out, name);
        sbuf_putc(out, '}');
        sbuf_printf(&map, "%s\"%d\":%d", comma, t, l->of[t]);
        comma = ",";
        free(name);
    }
    sbuf_printf(out, "],\"lanes\":{%s}", sbuf_str(&map));
    sbuf_free(&map);
}

static void put_ends(struct html_page *p, struct names *n, const struct tale_finding *told,
                     const struct lanes *l)
{
    const char *comma = "";
    sbuf_puts(&p->body, ",\"ends\":[");
    for (uint32_t i = 0; told && i < told->finding.fact_count; i++) {
        const struct fact *f = &told->finding.facts[i];
        if (!html_is_wait(f) || l->of[f->thread] < 0)
            continue;
        sbuf_printf(&p->body, "%s[%d,", comma, f->thread);
        put_file_line(p, n, stacks_fact_place(n, told, f));
        html_script_json(&p->body, words_fact(n, f, told->at));
        sbuf_putc(&p->body, ']');
        comma = ",";
    }
    sbuf_putc(&p->body, ']');
}

static void put_data(struct html_page *p, struct names *n, const struct tale_finding *told,
                     const struct told_steps *all, const struct lanes *l)
{
    struct texts frames = {0}, objects = {0};
    sbuf_puts(&p->body, "<script type=\"application/json\">");
    put_threads(n, l, &p->body);
    sbuf_puts(&p->body, ",\"steps\":[");
    for (size_t i = 0; i < all->count; i++) {
        if (i)
            sbuf_putc(&p->body, ',');
        put_step_data(p, n, &all->items[i], &frames, &objects);
    }
    sbuf_putc(&p->body, ']');
    put_texts(&p->body, "frames", &frames);
    put_texts(&p->body, "objects", &objects);
    put_ends(p, n, told, l);
    sbuf_puts(&p->body, "}</script>");
    texts_free(&frames);
    texts_free(&objects);
}

/* ---- sections ---- */

static void put_why(struct names *n, const struct report_finding *f, const struct told_steps *all,
                    const struct lanes *l, size_t section, struct sbuf *out)
{
    struct style plain = {.colour = 0, .width = 100};
    struct why_picture w = {n, f, report_told(f), all, l->of, section, out};
    struct sbuf why = {0};
    report_why(n, f, plain, &why);
    if (why.len) {
        sbuf_puts(out, "<h2>Why</h2>");
        html_why_picture(&w);
        sbuf_puts(out, "<details class=\"words\"><summary>the same in words</summary><pre class=\"why\">");
        sbuf_html(out, sbuf_str(&why));
        sbuf_puts(out, "</pre></details>");
    }
    sbuf_free(&why);
}

static void put_inputs(const struct report_finding *f, struct sbuf *out)
{
    struct style plain = {.colour = 0, .width = 100};
    struct sbuf text = {0};
    report_inputs(&f->schedule, plain, &text);
    const char *lines = sbuf_str(&text);
    lines += strspn(lines, "\n");
    lines += strncmp(lines, "inputs\n", 7) ? 0 : 7;
    if (*lines) {
        sbuf_puts(out, "<h2>Inputs</h2><pre class=\"why\">");
        sbuf_html(out, lines);
        sbuf_puts(out, "</pre>");
    }
    sbuf_free(&text);
}

static void put_schedule_heading(const struct report_finding *f, struct sbuf *out)
{
    sbuf_puts(out, "<h2>Schedule <span class=dim>");
    html_count(out, f->schedule.steps.count, "step");
    sbuf_puts(out, ", ");
    html_count(out, f->schedule.preemptions, "preemption");
    sbuf_puts(out, "</span></h2>");
}

static void put_finding(struct html_page *p, const struct report_finding *f, int races)
{
    struct told_steps all;
    struct names n;
    names_init(&n, &f->tale);
    steps_tell(&n, f, &all);
    sbuf_printf(&p->body, "<section class=\"finding\"><h2 class=\"bug\" id=\"finding%zu\">", ++p->sections);
    sbuf_html(&p->body, report_message(&n, f));
    sbuf_puts(&p->body, "</h2><p class=\"mono\">");
    sbuf_html(&p->body, f->schedule.location ? f->schedule.location : "");
    if (f->file) {
        struct sbuf word = {0};
        sbuf_word(&word, f->file);
        sbuf_puts(&p->body, " <span class=dim>· raddle replay ");
        sbuf_html(&p->body, sbuf_str(&word));
        sbuf_free(&word);
        sbuf_puts(&p->body, "</span>");
    }
    sbuf_puts(&p->body, "</p>");
    struct lanes l = assign_lanes(&all);
    put_why(&n, f, &all, &l, p->sections, &p->body);
    put_inputs(f, &p->body);
    if (all.count) {
        put_schedule_heading(f, &p->body);
        put_table(&n, &all, &l, p->sections, &p->body);
        if (all.left_out)
            sbuf_printf(&p->body, "<p class=dim>%zu earlier plain accesses are not shown here; raddle report "
                                  "--all has them.</p>", all.left_out);
        put_data(p, &n, report_told(f), &all, &l);
    } else {
        sbuf_puts(&p->body, "<p>The execution could not be recorded: only the schedule is kept.</p>");
    }
    if (races && all.count)
        diagram_race_table(&n, &f->tale, &p->body);
    sbuf_puts(&p->body, "</section>\n");
    steps_free(&all);
    names_free(&n);
}

void html_add(struct html_page *p, const struct report *r)
{
    html_search(r, &p->body);
    for (size_t i = 0; i < r->findings.count; i++)
        put_finding(p, &r->findings.items[i], r->engine && !strcmp(r->engine, "reach"));
    html_unfolding(r, &p->body);
    html_course(r, &p->body);
}

static void put_head(const char *class, const char *verdict, struct sbuf *out)
{
    sbuf_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                   "<title>raddle: ");
    sbuf_html(out, verdict);
    sbuf_puts(out, "</title><style>\n");
    sbuf_add(out, page_css, (size_t)(page_css_end - page_css));
    sbuf_puts(out, "</style><script>document.documentElement.className = 'live'</script>");
    sbuf_printf(out, "</head>\n<body><header><h1 class=\"%s\">", class);
    sbuf_html(out, verdict);
    sbuf_puts(out, "</h1></header><main>\n");
}

void html_end(struct html_page *p, const char *class, const char *verdict, struct sbuf *out)
{
    put_head(class, verdict, out);
    sbuf_puts(out, sbuf_str(&p->body));
    html_sources(p->files.items, p->files.count, SOURCE_BYTES, SOURCES_BYTES, out);
    sbuf_puts(out, "</main>\n<script>\n");
    sbuf_add(out, page_js, (size_t)(page_js_end - page_js));
    sbuf_puts(out, "</script></body></html>\n");
    for (size_t i = 0; i < p->files.count; i++) {
        free(p->files.items[i].name);
        free(p->files.items[i].path);
    }
    vec_free(&p->files);
    sbuf_free(&p->body);
}

void report_html(const struct report *r, struct sbuf *out)
{
    struct html_page p = {0};
    char *verdict = report_verdict_line(r);
    html_add(&p, r);
    const char *class = !strcmp(r->verdict, "safe") ? "safe" : "incomplete";
    html_end(&p, r->findings.count ? "bug" : class, verdict, out);
    free(verdict);
}
