#include "report/identity.h"

#include "report/stacks.h"
#include "report/steps.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE 4096

/* Without numbers of elements and of blocks: "slot[].key", "mailbox.changed". */
static char *without_numbers(const char *name)
{
    struct sbuf out = {0};
    for (const char *p = name; *p; p++) {
        if (*p == '#' && isdigit((unsigned char)p[1])) {
            p += strspn(p + 1, "0123456789");
            continue;
        }
        sbuf_putc(&out, *p);
        if (*p == '[')
            p += strspn(p + 1, "0123456789");
    }
    return out.s ? out.s : mem_strdup("");
}

char *identity_field(struct names *n, const struct report_finding *f)
{
    const struct tale_finding *t = report_told(f);
    if (!t || t->finding.kind != FINDING_RACE)
        return NULL;
    uint32_t size = t->finding.fact_count == 2 ? (uint32_t)t->finding.facts[1].number : 0;
    return without_numbers(names_object(n, t->finding.object, size, t->at));
}

/* Memory that nothing names is called by where it lies, which another build changes. */
static bool has_a_name(const char *field)
{
    return strncmp(field, "block ", 6) && strncmp(field, "stack of ", 9) && strncmp(field, "0x", 2) &&
           !strstr(field, "+0x");
}

/* Line number `line` of a file, blanks made one; "" if it cannot be read. */
static char *source_line(const char *path, unsigned line)
{
    struct sbuf out = {0};
    char text[LONGEST_LINE];
    FILE *f = fopen(path, "r");
    while (f && line && fgets(text, sizeof text, f))
        line -= strchr(text, '\n') != NULL;
    if (!f || line)
        text[0] = 0;
    if (f)
        fclose(f);
    for (char *word = strtok(text, " \t\r\n"); word; word = strtok(NULL, " \t\r\n"))
        sbuf_printf(&out, "%s%s", out.len ? " " : "", word);
    return out.s ? out.s : mem_strdup("");
}

/* "transfer: pthread_mutex_lock(&to->lock);" */
static char *describe_place(const char *function, const char *location)
{
    unsigned line = 0;
    size_t path = steps_place(location, &line);
    char *file = mem_strndup(path ? location : "", path), *text = source_line(file, line);
    char *place = mem_printf("%s%s%s", function, *text ? ": " : "", text);
    free(file);
    free(text);
    return place;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_place(struct names *n, uint64_t pc, struct report_list *out)
{
    if (pc)
        vec_push(out, describe_place(names_function(n, pc), names_path_location(n, pc)));
}

/* What is said, with # for numbers that do not belong to a name. */
static void put_message(const char *message, struct sbuf *out)
{
    for (const char *p = message; *p; p++) {
        bool named = p > message && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
        if (isdigit((unsigned char)*p) && !named) {
            sbuf_putc(out, '#');
            p += strspn(p, "0123456789abcdefx") - 1;
        } else {
            sbuf_putc(out, *p == '\t' || *p == '\n' ? ' ' : *p);
        }
    }
}

static void put_places(struct names *n, const struct report_finding *f, struct sbuf *out)
{
    const struct tale_finding *t = report_told(f);
    struct report_list places = {0};
    for (uint32_t i = 0; t && i < t->finding.fact_count; i++)
        add_place(n, stacks_fact_place(n, t, &t->finding.facts[i]), &places);
    if (t && !t->finding.fact_count)
        add_place(n, report_place(n, t), &places);
    if (!t && f->schedule.location)
        vec_push(&places, describe_place("", f->schedule.location));
    if (places.count)
        qsort(places.items, places.count, sizeof *places.items, by_text);
    for (size_t i = 0; i < places.count; i++) {
        sbuf_printf(out, "\t%s", places.items[i]);
        free(places.items[i]);
    }
    vec_free(&places);
}

char *identity_of(struct names *n, const struct report_finding *f)
{
    struct sbuf out = {0};
    char *field = identity_field(n, f);
    sbuf_printf(&out, "%s\t", f->schedule.kind ? f->schedule.kind : "bug");
    if (field && has_a_name(field)) {
        put_message(field, &out);
    } else {
        put_message(report_message(n, f), &out);
        put_places(n, f, &out);
    }
    free(field);
    return out.s;
}

uint64_t identity_hash(struct names *n, const struct report_finding *f)
{
    char *text = identity_of(n, f);
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    free(text);
    return hash;
}

/* ---- names for suppressions ---- */

static void add_name(struct report_list *out, const char *name, size_t length)
{
    if (length)
        vec_push(out, mem_strndup(name, length));
}

/* A location, and what is called there. */
static void add_frame(struct report_list *out, const char *location, const char *function)
{
    add_name(out, location, strcspn(location, ":"));
    add_name(out, function, strlen(function));
}

static void add_stack(struct names *n, const struct tale_finding *t, int thread, uint64_t pc,
                      struct report_list *out)
{
    struct callers callers;
    if (!pc)
        return;
    add_frame(out, names_path_location(n, pc), names_function(n, pc));
    stacks_callers_at(n, t, thread, pc, &callers);
    for (int i = 0; i < callers.count; i++) {
        const char *in = strstr(callers.line[i], " in ");
        add_frame(out, callers.line[i], in ? in + 4 : "");
    }
    stacks_free(&callers);
}

void identity_names(struct names *n, const struct report_finding *f, struct report_list *out)
{
    const struct tale_finding *t = report_told(f);
    if (!t) {
        add_frame(out, f->schedule.location ? f->schedule.location : "", "");
        return;
    }
    add_stack(n, t, t->finding.thread, t->finding.pc, out);
    for (uint32_t i = 0; i < t->finding.fact_count; i++)
        add_stack(n, t, t->finding.facts[i].thread, t->finding.facts[i].pc, out);
    if (t->finding.object) {
        const char *object = names_object(n, t->finding.object, 0, t->at);
        add_name(out, object, strlen(object));
    }
}
