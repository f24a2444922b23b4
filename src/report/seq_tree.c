/* Trees of sequences as files (report/sequences.h), and the words of two of them put together. */
#include "report/sequences.h"
#include "base/foreign.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "raddle tree 1"

void seq_words_free(struct seq_words *w)
{
    for (size_t i = 0; i < w->threads.count; i++) {
        free(w->threads.items[i].name);
        free(w->threads.items[i].function);
    }
    for (size_t i = 0; i < w->ops.count; i++)
        free(w->ops.items[i]);
    vec_free(&w->threads);
    vec_free(&w->ops);
    free(w->program);
}

int seq_compare(const uint32_t *a, size_t an, const uint32_t *b, size_t bn)
{
    size_t i = seq_common(a, an, b, bn);
    if (i < an && i < bn)
        return a[i] < b[i] ? -1 : 1;
    return an < bn ? -1 : an > bn;
}

size_t seq_common(const uint32_t *a, size_t an, const uint32_t *b, size_t bn)
{
    size_t i = 0;
    while (i < an && i < bn && a[i] == b[i])
        i++;
    return i;
}

void seq_words_union(const struct seq_words *a, const struct seq_words *b, struct seq_words *out,
                     uint32_t **of_a, uint32_t **of_b)
{
    size_t i = 0, k = 0;
    *out = (struct seq_words){.program = mem_strdup(b->program), .complete = 0};
    *of_a = mem_alloc((a->ops.count + 1) * sizeof **of_a);
    *of_b = mem_alloc((b->ops.count + 1) * sizeof **of_b);
    while (i < a->ops.count || k < b->ops.count) {
        int order = i == a->ops.count ? 1 : k == b->ops.count ? -1
                                                              : strcmp(a->ops.items[i], b->ops.items[k]);
        vec_push(&out->ops, mem_strdup(order <= 0 ? a->ops.items[i] : b->ops.items[k]));
        if (order <= 0)
            (*of_a)[i++] = (uint32_t)out->ops.count - 1;
        if (order >= 0)
            (*of_b)[k++] = (uint32_t)out->ops.count - 1;
    }
    for (size_t t = 0; t < b->threads.count; t++)
        vec_push(&out->threads, ((struct seq_thread){mem_strdup(b->threads.items[t].name),
                                                     mem_strdup(b->threads.items[t].function)}));
}

/* ---- writing ---------------------------------------------------------------------------------- */

struct seq_writer {
    FILE *f;
    char *path;
    uint32_t *last;
    size_t count, room, total;
};

struct seq_writer *seq_create(const char *path, const struct seq_words *w, struct error *e)
{
    FILE *f = fopen(path, "we");
    if (!f) {
        error_set(e, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
        return NULL;
    }
    struct seq_writer *out = mem_alloc(sizeof *out);
    *out = (struct seq_writer){.f = f, .path = mem_strdup(path)};
    fprintf(f, HEADER "\nprogram %s\ncomplete %s\n", w->program, w->complete ? "yes" : "no");
    for (size_t i = 0; i < w->threads.count; i++)
        fprintf(f, "thread %s %s\n", w->threads.items[i].name, w->threads.items[i].function);
    for (size_t i = 0; i < w->ops.count; i++)
        fprintf(f, "operation %s\n", w->ops.items[i]);
    return out;
}

void seq_write(struct seq_writer *w, const uint32_t *ops, size_t count)
{
    size_t same = seq_common(w->last, w->count, ops, count);
    fprintf(w->f, "sequence %zu", same);
    for (size_t i = same; i < count; i++)
        fprintf(w->f, " %u", ops[i]);
    putc('\n', w->f);
    if (count > w->room)
        w->last = mem_realloc(w->last, (w->room = 2 * count) * sizeof *w->last);
    if (count)
        memcpy(w->last, ops, count * sizeof *ops);
    w->count = count;
    w->total++;
}

int seq_finish(struct seq_writer *w, struct error *e)
{
    fprintf(w->f, "end %zu\n", w->total);
    int bad = ferror(w->f);
    bad |= fclose(w->f);
    int status = bad ? error_set(e, EXIT_USAGE, "cannot write %s: %s", w->path, strerror(errno)) : 0;
    free(w->path);
    free(w->last);
    free(w);
    return status;
}

/* ---- reading ---------------------------------------------------------------------------------- */

struct tree_reader {
    FILE *f;
    char *path, *text; /* the line under way */
    size_t room;
    int line, ended;
    size_t total;
    uint32_t *before; /* the sequence before, to see that they are in order */
    size_t before_count, before_room;
};

static int complain(const struct tree_reader *r, struct error *e, const char *what)
{
    return error_set(e, EXIT_USAGE, "%s:%d: %s", r->path, r->line, what);
}

/* 1; 0 at the end of the file, or at a line that no program writes. */
static int read_line(struct tree_reader *r)
{
    ssize_t n = getline(&r->text, &r->room, r->f);
    r->line++;
    if (n < 0 || strlen(r->text) != (size_t)n || foreign_refuse(r->path, r->text, (size_t)n, NULL))
        return 0;
    if (n && r->text[n - 1] == '\n')
        r->text[n - 1] = 0;
    return 1;
}

static const char *after(const char *line, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(line, word, n) && line[n] == ' ' ? line + n + 1 : NULL;
}

static int parse_thread(struct seq_words *w, const char *text)
{
    const char *space = strchr(text, ' ');
    if (!space || !space[1] || w->threads.count == EVENT_MAX_THREADS - 1)
        return -1;
    struct seq_thread t = {mem_strndup(text, (size_t)(space - text)), mem_strdup(space + 1)};
    vec_push(&w->threads, t);
    return 0;
}

static int parse_operation(struct seq_words *w, const char *text)
{
    if (w->ops.count && strcmp(w->ops.items[w->ops.count - 1], text) >= 0)
        return -1;
    vec_push(&w->ops, mem_strdup(text));
    return 0;
}

/* Everything before the first sequence; its line stays in r->text. */
static int read_head(struct tree_reader *r, struct seq_words *w, struct error *e)
{
    const char *rest;
    if (!read_line(r) || strcmp(r->text, HEADER))
        return complain(r, e, "this is not a tree of sequences: it does not begin with '" HEADER "'");
    while (read_line(r)) {
        if (after(r->text, "sequence") || after(r->text, "end"))
            return w->program ? 0 : complain(r, e, "the program is missing");
        if ((rest = after(r->text, "program")) && !w->program)
            w->program = mem_strdup(rest);
        else if ((rest = after(r->text, "complete")) && (!strcmp(rest, "yes") || !strcmp(rest, "no")))
            w->complete = rest[0] == 'y';
        else if ((rest = after(r->text, "thread")) && !parse_thread(w, rest))
            continue;
        else if ((rest = after(r->text, "operation")) && !parse_operation(w, rest))
            continue;
        else
            return complain(r, e, "cannot read this line, or it does not belong here");
    }
    return complain(r, e, "the file ends too early (it was cut), or has control characters");
}

static int number(const char **text, size_t *out)
{
    char *end;
    if (**text < '0' || **text > '9')
        return -1;
    *out = strtoull(*text, &end, 10);
    *text = end + (*end == ' ');
    return *end && *end != ' ' ? -1 : 0;
}

static void keep_before(struct tree_reader *r, const struct seq_stream *s)
{
    if (s->count > r->before_room)
        r->before = mem_realloc(r->before, (r->before_room = 2 * s->count) * sizeof *r->before);
    if (s->count)
        memcpy(r->before, s->ops, s->count * sizeof *s->ops);
    r->before_count = s->count;
}

static int parse_sequence(struct seq_stream *s, struct tree_reader *r, const char *text, struct error *e)
{
    size_t same, op;
    if (number(&text, &same) || same > s->count)
        return complain(r, e, "the sequence before it is not so long");
    keep_before(r, s);
    s->count = same;
    while (*text) {
        if (number(&text, &op) || op >= s->words.ops.count)
            return complain(r, e, "not the number of an operation");
        if (s->count == s->room)
            s->ops = mem_realloc(s->ops, (s->room = 2 * s->room + 64) * sizeof *s->ops);
        s->ops[s->count++] = (uint32_t)op;
    }
    if (r->total && seq_compare(r->before, r->before_count, s->ops, s->count) >= 0)
        return complain(r, e, "the sequences are not in order");
    r->total++;
    return 1;
}

static int next_in_tree(struct seq_stream *s, struct error *e)
{
    struct tree_reader *r = s->state;
    const char *rest;
    size_t total;
    if (r->ended)
        return 0;
    if ((rest = after(r->text, "end"))) {
        if (number(&rest, &total) || *rest || total != r->total)
            return complain(r, e, "another number of sequences than the file has: lines are missing");
        r->ended = 1;
        return 0;
    }
    if (!(rest = after(r->text, "sequence")))
        return complain(r, e, "cannot read this line, or it does not belong here");
    int status = parse_sequence(s, r, rest, e);
    if (status > 0 && !read_line(r))
        return complain(r, e, "the file ends too early (it was cut), or has control characters");
    return status;
}

static void close_reader(struct seq_stream *s)
{
    struct tree_reader *r = s->state;
    if (r->f)
        fclose(r->f);
    free(r->path);
    free(r->text);
    free(r->before);
    free(r);
}

int seq_open_tree(struct seq_stream *s, const char *path, struct error *e)
{
    struct tree_reader *r = mem_alloc(sizeof *r);
    *s = (struct seq_stream){.next = next_in_tree, .state = r, .close = close_reader};
    *r = (struct tree_reader){.f = fopen(path, "re"), .path = mem_strdup(path)};
    int status = r->f ? read_head(r, &s->words, e)
                      : error_set(e, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    if (status)
        seq_close(s);
    return status;
}

void seq_close(struct seq_stream *s)
{
    if (s->close)
        s->close(s);
    seq_words_free(&s->words);
    free(s->ops);
    *s = (struct seq_stream){0};
}
