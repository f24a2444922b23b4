/* Reader and writer of schedule files (see schedule.h). Both walk the table schedule.def, so a new
 * line needs one row there. The reader is strict: an unknown key, a step it cannot read, a count
 * that does not fit or a missing "end" is an error with the line number, because replaying
 * something else than what was recorded would be worse than not replaying at all. */
#include "trace/schedule.h"

#include "base/escape.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "raddle schedule ";

/* ---- writing ---- */

static void put_text(struct sbuf *b, const char *key, const char *value)
{
    if (!value)
        return;
    sbuf_printf(b, "%s ", key);
    escape_put(b, value);
    sbuf_putc(b, '\n');
}

static void put_list(struct sbuf *b, const char *key, const struct schedule_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        put_text(b, key, l->items[i]);
}

void schedule_format_steps(const struct step *steps, size_t count, struct sbuf *out)
{
    size_t column = 0;
    for (size_t i = 0; i < count;) {
        char word[48];
        size_t n = 1;
        if (steps[i].branch) {
            snprintf(word, sizeof word, "c%u/%u", steps[i].pick, steps[i].branch);
        } else {
            while (i + n < count && !steps[i + n].branch && steps[i + n].pick == steps[i].pick)
                n++;
            snprintf(word, sizeof word, "%ux%zu", steps[i].pick, n);
        }
        size_t length = strlen(word);
        if (column && column + 1 + length > 80) {
            sbuf_putc(out, '\n');
            column = 0;
        }
        sbuf_printf(out, "%s%s", column ? " " : "", word);
        column += length + (column > 0);
        i += n;
    }
    if (column)
        sbuf_putc(out, '\n');
}

void schedule_format(const struct schedule *s, struct sbuf *out)
{
    sbuf_printf(out, "%s%d\n", HEAD, SCHEDULE_VERSION);
#define TEXT(field, key) put_text(out, key, s->field);
#define NUMBER(field, key) sbuf_printf(out, key " %llu\n", (unsigned long long)s->field);
#define LIST(field, key) put_list(out, key, &s->field);
#include "trace/schedule.def"
#undef TEXT
#undef NUMBER
#undef LIST
    sbuf_printf(out, "steps %zu\n", s->steps.count);
    schedule_format_steps(s->steps.items, s->steps.count, out);
    sbuf_puts(out, "end\n");
}

/* ---- reading ---- */

struct schedule_reader {
    const char *name;
    const char *at; /* next line */
    int line;
    uint64_t step_count;
    struct error *error;
};

static int bad(struct schedule_reader *r, const char *what, const char *word)
{
    error_set(r->error, EXIT_USAGE, "%s:%d: %s%s%s%s", r->name, r->line, what, *word ? " '" : "", word,
              *word ? "'" : "");
    return error_todo(r->error, "the file is damaged or was edited; raddle run writes a new one");
}

/* The next line that is neither empty nor a comment, without its end; NULL at the end. */
static char *next_line(struct schedule_reader *r)
{
    while (*r->at) {
        size_t n = strcspn(r->at, "\n");
        const char *start = r->at;
        r->at += n + (start[n] == '\n');
        r->line++;
        if (n && start[n - 1] == '\r')
            n--;
        if (n && *start != '#')
            return mem_strndup(start, n);
    }
    return NULL;
}

static int parse_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return !isdigit((unsigned char)*text) || *end || errno ? -1 : 0;
}

/* Takes "key value"; 0 if the key is none of the table. */
static int take_field(struct schedule *s, struct schedule_reader *r, const char *key, char *value)
{
#define TEXT(field, k)                                                                             \
    if (!strcmp(key, k)) {                                                                         \
        free(s->field);                                                                            \
        s->field = mem_strdup(value);                                                              \
        return 1;                                                                                  \
    }
#define NUMBER(field, k)                                                                           \
    if (!strcmp(key, k))                                                                           \
        return parse_number(value, &s->field) ? bad(r, k " is not a number:", value) : 1;
#define LIST(field, k)                                                                             \
    if (!strcmp(key, k)) {                                                                         \
        vec_push(&s->field, mem_strdup(value));                                                    \
        return 1;                                                                                  \
    }
#include "trace/schedule.def"
#undef TEXT
#undef NUMBER
#undef LIST
    return 0;
}

static int parse_word(struct schedule *s, struct schedule_reader *r, const char *word)
{
    unsigned a, b;
    int used = 0;
    if (sscanf(word, "c%u/%u%n", &a, &b, &used) == 2 && !word[used]) {
        if (b < 1 || a >= b || b > UINT16_MAX)
            return bad(r, "impossible choice", word);
        vec_push(&s->steps, ((struct step){.pick = (uint16_t)a, .branch = (uint16_t)b}));
        return 0;
    }
    used = 0;
    if (!isdigit((unsigned char)*word) || sscanf(word, "%ux%u%n", &a, &b, &used) != 2 || word[used])
        return bad(r, "cannot read the step", word);
    if (a >= EVENT_MAX_THREADS || b < 1 || s->steps.count + b > r->step_count)
        return bad(r, a >= EVENT_MAX_THREADS ? "no such thread:" : "more steps than announced:", word);
    while (b-- > 0)
        vec_push(&s->steps, ((struct step){.pick = (uint16_t)a}));
    return 0;
}

static int parse_steps(struct schedule *s, struct schedule_reader *r)
{
    for (char *line; (line = next_line(r));) {
        if (!strcmp(line, "end")) {
            free(line);
            if (s->steps.count == r->step_count)
                return 0;
            return bad(r, "the number of steps is not the one announced", "");
        }
        char *save = NULL;
        for (char *w = strtok_r(line, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
            if (parse_word(s, r, w)) {
                free(line);
                return -1;
            }
        free(line);
    }
    return bad(r, "the file ends too early", "");
}

static int parse_head(struct schedule_reader *r)
{
    char *line = next_line(r);
    int version = 0, used = 0, status = 0;
    if (!line || strncmp(line, HEAD, sizeof HEAD - 1) ||
        sscanf(line + sizeof HEAD - 1, "%d%n", &version, &used) != 1 || line[sizeof HEAD - 1 + used]) {
        status = error_set(r->error, EXIT_USAGE, "%s is not a schedule of raddle", r->name);
        error_todo(r->error, "raddle run keeps a schedule for every finding in raddle-out/");
    } else if (version != SCHEDULE_VERSION) {
        status = error_set(r->error, EXIT_USAGE,
                           "%s is a schedule of version %d; this raddle reads version %d", r->name,
                           version, SCHEDULE_VERSION);
        error_todo(r->error, "find the bug again with raddle run, or use the raddle that wrote it");
    }
    free(line);
    return status;
}

/* One "key value" line: 1 go on, 0 the steps follow, -1 error. */
static int parse_line(struct schedule *s, struct schedule_reader *r, char *line)
{
    size_t n = strcspn(line, " ");
    char *value = line[n] ? line + n + 1 : line + n;
    line[n] = 0;
    if (!strcmp(line, "steps")) {
        if (parse_number(value, &r->step_count) || r->step_count > UINT32_MAX / 2)
            return bad(r, "steps is not a number:", value);
        return 0;
    }
    if (escape_take(value))
        return bad(r, "bad escape in", value);
    int taken = take_field(s, r, line, value);
    return taken ? taken : bad(r, "unknown line", line);
}

static int parse_body(struct schedule *s, struct schedule_reader *r)
{
    for (char *line; (line = next_line(r));) {
        int more = parse_line(s, r, line);
        free(line);
        if (more < 0)
            return -1;
        if (more == 0)
            return s->program ? parse_steps(s, r) : bad(r, "no program is named", "");
    }
    return bad(r, "the file ends too early", "");
}

int schedule_parse(struct schedule *s, const char *text, const char *name, struct error *e)
{
    struct schedule_reader r = {.name = name, .at = text, .error = e};
    *s = (struct schedule){0};
    if (parse_head(&r) || parse_body(s, &r)) {
        schedule_free(s);
        return -1;
    }
    return 0;
}

int schedule_read(struct schedule *s, const char *path, struct error *e)
{
    *s = (struct schedule){0};
    FILE *f = fopen(path, "r");
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    struct sbuf text = {0};
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        sbuf_add(&text, part, n);
    int failed = ferror(f);
    fclose(f);
    int status = failed ? error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno))
                        : schedule_parse(s, sbuf_str(&text), path, e);
    sbuf_free(&text);
    return status;
}

static void free_list(struct schedule_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i]);
    vec_free(l);
}

void schedule_free(struct schedule *s)
{
#define TEXT(field, key) free(s->field);
#define NUMBER(field, key)
#define LIST(field, key) free_list(&s->field);
#include "trace/schedule.def"
#undef TEXT
#undef NUMBER
#undef LIST
    vec_free(&s->steps);
    *s = (struct schedule){0};
}
