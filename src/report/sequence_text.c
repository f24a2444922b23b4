#include "report/sequence_text.h"
#include "base/foreign.h"
#include "object/object.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "raddle sequence 1"

static void spelled(enum event_kind k, char *out, size_t size)
{
    snprintf(out, size, "%s", event_name(k));
    for (; *out; out++)
        *out = *out == ' ' ? '-' : *out;
}

static int kind_named(const char *word)
{
    char name[64];
    for (int k = 0; k < EVENT_KINDS; k++) {
        spelled((enum event_kind)k, name, sizeof name);
        if (!strcmp(name, word))
            return k;
    }
    return -1;
}

struct text_reading {
    const char *path;
    int line;
    const struct objects *objects;
    struct error *e;
};

static int wrong(const struct text_reading *r, const char *what, const char *word)
{
    return error_set(r->e, EXIT_USAGE, "%s:%d: %s '%s'", r->path, r->line, what, word);
}

static int number(const char *word, uint64_t *out)
{
    char *end;
    *out = word ? strtoull(word, &end, 10) : 0;
    return word && *word && !*end ? 0 : -1;
}

/* "3", or "3.1": the first that thread 3 creates. */
static int thread_path(const char *word, uint64_t *path)
{
    char *end;
    *path = SEQUENCE_MAIN;
    if (word && !strcmp(word, "0"))
        return 0;
    for (; word && *word >= '1' && *word <= '9'; word = end + 1) {
        *path = sequence_path(*path, strtoull(word, &end, 10));
        if (!*end)
            return 0;
        if (*end != '.')
            break;
    }
    return -1;
}

static int parse_sender(const struct text_reading *r, char *from, char *sender, struct event *op)
{
    if (!from || strcmp(from, "from") || !sender)
        return wrong(r, "a receive wants 'from THREAD#NUMBER', not", from ? from : "");
    char *hash = strchr(sender, '#');
    op->other = 1;
    if (hash)
        *hash = 0;
    if (thread_path(sender, &op->value) || (hash && number(hash + 1, &op->other)))
        return wrong(r, "not a thread and the number of its message:", sender);
    return 0;
}

static int parse_line(const struct text_reading *r, char *line, struct event *op)
{
    char *rest, *word[5];
    for (int i = 0; i < 5; i++)
        word[i] = strtok_r(i ? NULL : line, " \t\n", &rest);
    int kind = word[1] ? kind_named(word[1]) : -1;
    uint64_t path;
    if (thread_path(word[0], &path))
        return wrong(r, "not the number of a thread:", word[0]);
    if (kind < 0)
        return wrong(r, "there is no operation", word[1] ? word[1] : "");
    *op = (struct event){.kind = (uint8_t)kind, .pc = path};
    if (operation_is((unsigned)kind, OP_NOTHING))
        return 0;
    if (kind == EV_CHOOSE)
        return number(word[2], &op->value) ? wrong(r, "not a value:", word[2] ? word[2] : "") : 0;
    op->object = word[2] ? objects_find(r->objects, word[2]) : 0;
    if (!op->object)
        return wrong(r, "the program has no variable", word[2] ? word[2] : "");
    return operation_is((unsigned)kind, OP_ONE_SOURCE) ? parse_sender(r, word[3], word[4], op) : 0;
}

static int parse_racy(const struct text_reading *r, const char *place, struct sbuf *out)
{
    const char *plus = strrchr(place, '+');
    char *end;
    if (!plus || plus == place || strncmp(plus, "+0x", 3) || !strtoull(plus + 1, &end, 16) || *end)
        return wrong(r, "not a place in the code (PROGRAM+0x…):", place);
    sbuf_printf(out, "%s\n", place);
    return 0;
}

static int read_lines(struct sequence_text *s, FILE *f, struct text_reading *r)
{
    char line[1024];
    int begun = 0;
    while (fgets(line, sizeof line, f)) {
        struct event op;
        r->line++;
        if (foreign_refuse(r->path, line, strlen(line), r->e))
            return -1;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || !line[strspn(line, " \t")])
            continue;
        if (!begun) {
            if (strcmp(line, HEADER))
                return wrong(r, "a sequence begins with '" HEADER "', not", line);
            begun = 1;
            continue;
        }
        if (!strncmp(line, "racy ", 5)) {
            if (parse_racy(r, line + 5, &s->racy))
                return -1;
            continue;
        }
        char *text = mem_strdup(line);
        vec_push(&s->texts, text);
        if (parse_line(r, line, &op))
            return -1;
        vec_push(&s->ops, op);
        vec_push(&s->lines, r->line);
    }
    return begun ? 0 : wrong(r, "the file is empty:", r->path);
}

int sequence_read(struct sequence_text *s, const char *path, const struct objects *o,
                  struct error *e)
{
    struct text_reading r = {path, 0, o, e};
    *s = (struct sequence_text){0};
    FILE *f = fopen(path, "re");
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    int status = read_lines(s, f, &r);
    fclose(f);
    if (status)
        sequence_text_free(s);
    return status;
}

void sequence_text_free(struct sequence_text *s)
{
    for (size_t i = 0; i < s->texts.count; i++)
        free(s->texts.items[i]);
    vec_free(&s->texts);
    sbuf_free(&s->racy);
    vec_free(&s->ops);
    vec_free(&s->lines);
}

static void put_thread(const struct sequence *q, uint32_t thread, struct sbuf *out)
{
    const struct sequence_thread *t = &q->thread[thread];
    if (t->creator && t->creator < thread) {
        put_thread(q, t->creator, out);
        sbuf_putc(out, '.');
    }
    sbuf_printf(out, "%u", thread ? t->nth : 0);
}

void sequence_format(const struct sequence *q, const struct event *op, const struct objects *o,
                     struct sbuf *out)
{
    char name[64];
    spelled((enum event_kind)op->kind, name, sizeof name);
    put_thread(q, op->thread, out);
    sbuf_printf(out, " %s", name);
    if (op->kind == EV_CHOOSE)
        sbuf_printf(out, " %llu", (unsigned long long)op->value);
    else if (!operation_is(op->kind, OP_NOTHING)) {
        sbuf_puts(out, " ");
        objects_name(o, op->object, out);
    }
    if (operation_is(op->kind, OP_ONE_SOURCE) && op->value < EVENT_MAX_THREADS) {
        sbuf_puts(out, " from ");
        put_thread(q, (uint32_t)op->value, out);
    }
}
