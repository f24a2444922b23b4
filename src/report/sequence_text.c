#include "report/sequence_text.h"

#include <dirent.h>
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

struct reading {
    const char *path;
    int line;
    const struct objects *objects;
    struct error *e;
};

static int wrong(const struct reading *r, const char *what, const char *word)
{
    return error_set(r->e, EXIT_USAGE, "%s:%d: %s '%s'", r->path, r->line, what, word);
}

static int number(const char *word, uint64_t *out)
{
    char *end;
    *out = word ? strtoull(word, &end, 10) : 0;
    return word && *word && !*end ? 0 : -1;
}

static int parse_sender(const struct reading *r, char *from, char *sender, struct event *op)
{
    if (!from || strcmp(from, "from") || !sender)
        return wrong(r, "a receive wants 'from THREAD#NUMBER', not", from ? from : "");
    char *hash = strchr(sender, '#');
    op->other = 1;
    if (hash)
        *hash = 0;
    if (number(sender, &op->value) || (hash && number(hash + 1, &op->other)))
        return wrong(r, "not a thread and the number of its message:", sender);
    return 0;
}

static int parse_line(const struct reading *r, char *line, struct event *op)
{
    char *rest, *word[5];
    uint64_t thread;
    for (int i = 0; i < 5; i++)
        word[i] = strtok_r(i ? NULL : line, " \t\n", &rest);
    int kind = word[1] ? kind_named(word[1]) : -1;
    if (number(word[0], &thread) || thread >= EVENT_MAX_THREADS)
        return wrong(r, "not the number of a thread:", word[0]);
    if (kind < 0)
        return wrong(r, "there is no operation", word[1] ? word[1] : "");
    *op = (struct event){.kind = (uint8_t)kind, .thread = (uint16_t)thread};
    if (kind == EV_PORT_ELSE)
        return 0;
    if (kind == EV_CHOOSE)
        return number(word[2], &op->value) ? wrong(r, "not a value:", word[2] ? word[2] : "") : 0;
    op->object = word[2] ? objects_find(r->objects, word[2]) : 0;
    if (!op->object)
        return wrong(r, "the program has no variable", word[2] ? word[2] : "");
    return kind == EV_PORT_RECEIVE ? parse_sender(r, word[3], word[4], op) : 0;
}

static int read_lines(struct sequence_text *s, FILE *f, struct reading *r)
{
    char line[1024];
    int begun = 0;
    while (fgets(line, sizeof line, f)) {
        struct event op;
        r->line++;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || !line[strspn(line, " \t")])
            continue;
        if (!begun) {
            if (strcmp(line, HEADER))
                return wrong(r, "a sequence begins with '" HEADER "', not", line);
            begun = 1;
            continue;
        }
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
    struct reading r = {path, 0, o, e};
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
    vec_free(&s->ops);
    vec_free(&s->lines);
}

void sequence_format(const struct event *op, const struct objects *o, struct sbuf *out)
{
    char name[64];
    spelled((enum event_kind)op->kind, name, sizeof name);
    sbuf_printf(out, "%u %s", op->thread, name);
    if (op->kind == EV_CHOOSE)
        sbuf_printf(out, " %llu", (unsigned long long)op->value);
    else if (op->kind != EV_PORT_ELSE) {
        sbuf_puts(out, " ");
        objects_name(o, op->object, out);
    }
    if (op->kind == EV_PORT_RECEIVE)
        sbuf_printf(out, " from %llu", (unsigned long long)op->value);
}

static void name_line(const char *line, const struct objects *o, struct sbuf *out)
{
    const char *hex = strstr(line, " 0x");
    if (!hex) {
        sbuf_puts(out, line);
        return;
    }
    char *end;
    uint64_t address = strtoull(hex + 1, &end, 16);
    sbuf_printf(out, "%.*s", (int)(hex + 1 - line), line);
    objects_name(o, address, out);
    sbuf_puts(out, end);
}

static int name_file(const char *path, const struct objects *o, struct error *e)
{
    char line[1024];
    struct sbuf text = {0};
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        name_line(line, o, &text);
    if (f)
        fclose(f);
    f = fopen(path, "we");
    int failed = !f || fputs(sbuf_str(&text), f) < 0;
    failed |= f && fclose(f);
    sbuf_free(&text);
    return failed ? error_set(e, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno)) : 0;
}

int sequence_name_folder(const char *folder, const struct objects *o, struct error *e)
{
    DIR *d = opendir(folder);
    int status = 0;
    if (!d)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", folder, strerror(errno));
    for (struct dirent *f; !status && (f = readdir(d));) {
        size_t n = strlen(f->d_name);
        if (n < 4 || strcmp(f->d_name + n - 4, ".seq"))
            continue;
        char *path = mem_printf("%s/%s", folder, f->d_name);
        status = name_file(path, o, e);
        free(path);
    }
    closedir(d);
    return status;
}
