/* The output folder read back, and the summary file written: "key value" lines from summary.def. */
#include "base/escape.h"
#include "object/object.h"
#include "report/report.h"
#include "report/stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char HEAD[] = "raddle summary 1\n";

const char *report_file_name(const char *what, size_t finding)
{
    static char name[64];
    if (finding == 0)
        return what;
    snprintf(name, sizeof name, "%s.%zu", what, finding + 1);
    return name;
}

static void put_text(struct sbuf *out, const char *key, const char *value)
{
    if (!value)
        return;
    sbuf_printf(out, "%s ", key);
    escape_put(out, value);
    sbuf_putc(out, '\n');
}

static void put_list(struct sbuf *out, const char *key, const struct report_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        put_text(out, key, l->items[i]);
}

void report_format_summary(const struct report *r, struct sbuf *out)
{
    sbuf_puts(out, HEAD);
#define TEXT(field, key) put_text(out, key, r->field);
#define NUMBER(field, key) sbuf_printf(out, key " %llu\n", (unsigned long long)r->field);
#define REAL(field, key) sbuf_printf(out, key " %.17g\n", r->field);
#define LIST(field, key) put_list(out, key, &r->field);
#include "report/summary.def"
#undef TEXT
#undef NUMBER
#undef REAL
#undef LIST
}

static void take(struct report *r, const char *key, char *value)
{
#define TEXT(field, k)                                                                             \
    if (!strcmp(key, k)) {                                                                         \
        free(r->field);                                                                            \
        r->field = mem_strdup(value);                                                              \
    }
#define NUMBER(field, k)                                                                           \
    if (!strcmp(key, k))                                                                           \
        r->field = strtoull(value, NULL, 10);
#define REAL(field, k)                                                                             \
    if (!strcmp(key, k))                                                                           \
        r->field = strtod(value, NULL);
#define LIST(field, k)                                                                             \
    if (!strcmp(key, k))                                                                           \
        vec_push(&r->field, mem_strdup(value));
#include "report/summary.def"
#undef TEXT
#undef NUMBER
#undef REAL
#undef LIST
}

static int load_summary(struct report *r, const char *directory, struct error *e)
{
    char *path = mem_printf("%s/summary", directory), *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    int status = 0;
    if (!f || getline(&line, &room, f) < 0 || strcmp(line, HEAD)) {
        status = error_set(e, EXIT_USAGE, "%s is not an output folder of raddle%s%s", directory,
                           f ? "" : ": ", f ? "" : strerror(errno));
        error_todo(e, "raddle run makes one in raddle-out/; the last one is raddle-out/latest");
    }
    while (!status && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = 0;
        size_t n = strcspn(line, " ");
        char *value = line[n] ? line + n + 1 : line + n;
        line[n] = 0;
        if (!escape_take(value))
            take(r, line, value);
    }
    if (f)
        fclose(f);
    free(line);
    free(path);
    return status;
}

/* A recording that cannot be read costs the columns, not the report. */
static void load_tale(struct tale *t, const char *directory, size_t finding)
{
    char *path = mem_printf("%s/%s", directory, report_file_name("story", finding));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        tale_read(t, fd, path, NULL);
        close(fd);
    }
    free(path);
}

static int load_finding(struct report *r, size_t finding, struct error *e)
{
    struct report_finding f = {
        .file = mem_printf("%s/%s", r->directory, report_file_name("schedule", finding))};
    if (schedule_read(&f.schedule, f.file, e)) {
        free(f.file);
        return -1;
    }
    load_tale(&f.tale, r->directory, finding);
    if (finding == 0) {
        free(f.file);
        f.file = mem_strdup(r->directory);
    }
    vec_push(&r->findings, f);
    return 0;
}

int report_load(struct report *r, const char *directory, struct error *e)
{
    *r = (struct report){.directory = mem_strdup(directory)};
    int status = load_summary(r, directory, e);
    if (!status && (!r->verdict || !r->engine || !r->program))
        status = error_set(e, EXIT_USAGE, "%s/summary is damaged", directory);
    for (size_t i = 0; !status && i < r->finding_count; i++)
        status = load_finding(r, i, e);
    if (status)
        report_free(r);
    return status;
}

static void free_list(struct report_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    vec_free(l);
}

void report_free(struct report *r)
{
#define TEXT(field, key) free(r->field);
#define NUMBER(field, key)
#define REAL(field, key)
#define LIST(field, key) free_list(&r->field);
#include "report/summary.def"
#undef TEXT
#undef NUMBER
#undef REAL
#undef LIST
    for (size_t i = 0; i < r->findings.count; i++) {
        schedule_free(&r->findings.items[i].schedule);
        tale_free(&r->findings.items[i].tale);
        free(r->findings.items[i].file);
    }
    vec_free(&r->findings);
    free(r->directory);
    *r = (struct report){0};
}

const struct tale_finding *report_told(const struct report_finding *f)
{
    const struct tale_finding *best = NULL;
    for (size_t i = 0; i < f->tale.findings.count; i++) {
        const struct tale_finding *t = &f->tale.findings.items[i];
        if (finding_find(f->schedule.kind) != t->finding.kind)
            continue;
        if (tale_is_finding(&f->tale, &t->finding, &f->schedule))
            return t;
        best = best ? best : t;
    }
    return best;
}

/* Of the end of main nothing is known but what it did last. */
static uint64_t last_place(struct names *n, const struct tale_finding *f)
{
    for (size_t i = f->at < n->tale->events.count ? f->at : n->tale->events.count; i-- > 0;) {
        const struct tale_event *e = &n->tale->events.items[i];
        if (e->event.thread == f->finding.thread && e->event.pc &&
            !operation_is(e->event.kind, OP_OF_THREAD))
            return names_own_place(n, e->event.pc, e->pc, e->frames);
    }
    return 0;
}

/* Of a deadlock what matters: where a thread waits for what another one holds, or for anything else than the
 * end of a thread. */
static const struct fact *waiting(const struct finding *f)
{
    const struct fact *found = NULL;
    for (uint32_t i = 0; f->kind == FINDING_DEADLOCK && i < f->fact_count; i++) {
        const struct fact *a = &f->facts[i];
        if (a->other && a->object)
            return a;
        bool waits = a->kind == FACT_PARKED || a->kind == FACT_WAITS || a->kind == FACT_BLOCKS;
        found = found || !waits ? found : a;
    }
    return found;
}

int report_thread(const struct tale_finding *f)
{
    const struct fact *a = waiting(&f->finding);
    return a ? a->thread : f->finding.thread;
}

uint64_t report_place(struct names *n, const struct tale_finding *f)
{
    const struct fact *waits = waiting(&f->finding);
    if (waits)
        return stacks_fact_place(n, f, waits);
    uint64_t last = f->finding.kind == FINDING_EXIT ? last_place(n, f) : 0;
    if (last)
        return last;
    const struct tale_stack *s = tale_stack(n->tale, f, f->finding.thread);
    return names_own_place(n, f->finding.pc, s ? s->pc : NULL, s ? s->frames : 0);
}
