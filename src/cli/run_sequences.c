/* The workers' sequences are sorted once (report/sequences.h) and go wherever they are wanted in one pass.
 * Comparing with a saved tree is a merge of two sorted streams: what only the file has is no longer
 * possible, what only the search has is new. */
#include "cli/run_sequences.h"

#include "report/sequences.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXAMPLES 3

int run_sequences_wanted(const struct run_sequences *w)
{
    return w->folder || w->tree || w->regress;
}

static int check_tree(const char *path, struct error *e)
{
    struct seq_stream s;
    if (seq_open_tree(&s, path, e))
        return -1;
    seq_close(&s);
    return 0;
}

static int check_writable(const char *path, struct error *e)
{
    FILE *f = fopen(path, "ae");
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
    fclose(f);
    return 0;
}

int run_sequences_check(const struct run_sequences *w, const char *engine, struct error *e)
{
    if (!run_sequences_wanted(w))
        return 0;
    if (strcmp(engine, "reach"))
        return error_set(e, EXIT_USAGE, "--%s is an option of --engine reach",
                         w->folder ? "save-sequences" : w->tree ? "save-tree" : "regress");
    if (w->folder && mkdir(w->folder, 0777) && errno != EEXIST)
        return error_set(e, EXIT_USAGE, "cannot make the folder %s: %s", w->folder, strerror(errno));
    if (w->regress && check_tree(w->regress, e))
        return -1;
    return w->tree ? check_writable(w->tree, e) : 0;
}

/* ---- files ------------------------------------------------------------------------------------ */

/* Where plain accesses of the program are operations, as lines of a sequence. */
static void put_racy(const struct search *s, const struct objects *o, const char *program,
                     struct sbuf *out)
{
    const struct shared *shared = s->slots[0].region.shared;
    for (int i = 1; i < s->slot_count; i++)
        if (s->slots[i].region.shared->racy_count > shared->racy_count)
            shared = s->slots[i].region.shared;
    for (uint32_t i = 0; i < shared->racy_count && i < SHARED_RACY; i++)
        if (shared->racy[i] >= o->base && shared->racy[i] - o->base < 1ull << 30)
            sbuf_printf(out, "racy %s+%#llx\n", program, (unsigned long long)(shared->racy[i] - o->base));
}

static int write_file(const char *path, const struct seq_stream *s, const char *racy, struct error *e)
{
    FILE *f = fopen(path, "we");
    int bad = !f;
    if (f) {
        fprintf(f, "raddle sequence 1\n%s", racy);
        for (size_t i = 0; i < s->count; i++)
            fprintf(f, "%s\n", s->words.ops.items[s->ops[i]]);
        bad = ferror(f);
        bad |= fclose(f);
    }
    return bad ? error_set(e, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno)) : 0;
}

static int write_numbered(const char *folder, size_t number, const struct seq_stream *s, const char *racy,
                          struct error *e)
{
    char *path = mem_printf("%s/%07zu.seq", folder, number);
    int status = write_file(path, s, racy, e);
    free(path);
    return status;
}

/* ---- comparing -------------------------------------------------------------------------------- */

struct regress_side {
    struct seq_stream *s;
    uint32_t *numbers; /* of its operations in the union */
    uint32_t *ops;     /* the sequence under way, in numbers of the union */
    size_t count, room, total;
    int more;
};

struct comparison {
    struct regress_side saved, now;
    struct seq_words words;
    struct seq_writer *gone, *fresh;
    char *gone_path, *fresh_path;
    size_t gone_count, fresh_count;
    struct report *r;
    struct sbuf gone_json, fresh_json;
    const char *racy;
};

static int advance(struct regress_side *d, struct error *e)
{
    d->more = d->s->next(d->s, e);
    if (d->more <= 0)
        return d->more;
    if (d->s->count > d->room)
        d->ops = mem_realloc(d->ops, (d->room = 2 * d->s->count) * sizeof *d->ops);
    for (size_t i = 0; i < d->s->count; i++)
        d->ops[i] = d->numbers[d->s->ops[i]];
    d->count = d->s->count;
    d->total++;
    return 0;
}

static void say(struct comparison *c, char *line)
{
    vec_push(&c->r->regressed, line);
}

/* "2 sem-wait d, 2 sem-wait empty, …" */
static void put_ops(const struct comparison *c, const struct regress_side *d, struct sbuf *out)
{
    for (size_t i = 0; i < d->count; i++)
        sbuf_printf(out, "%s%s", i ? ", " : "", c->words.ops.items[d->ops[i]]);
}

static void put_example(struct comparison *c, const struct regress_side *d, struct sbuf *json)
{
    struct sbuf text = {0};
    put_ops(c, d, &text);
    say(c, mem_printf("    %s", sbuf_str(&text)));
    sbuf_puts(json, json->len ? "," : "");
    sbuf_json(json, sbuf_str(&text));
    sbuf_free(&text);
}

static int take_gone(struct comparison *c, struct error *e)
{
    struct regress_side *d = &c->saved;
    if (c->gone)
        seq_write(c->gone, d->ops, d->count);
    if (c->gone_count++ >= EXAMPLES)
        return 0;
    char *path = c->r->directory ? mem_printf("%s/gone-%zu.seq", c->r->directory, c->gone_count) : NULL;
    say(c, mem_printf("no longer exercised%s%s:", path ? ", " : "", path ? path : ""));
    put_example(c, d, &c->gone_json);
    int status = path ? write_file(path, d->s, c->racy, e) : 0;
    free(path);
    return status;
}

static void take_fresh(struct comparison *c)
{
    struct regress_side *d = &c->now;
    if (c->fresh)
        seq_write(c->fresh, d->ops, d->count);
    if (c->fresh_count++ >= EXAMPLES)
        return;
    say(c, mem_strdup("new:"));
    put_example(c, d, &c->fresh_json);
}

static int merge(struct comparison *c, const struct run_sequences *w, struct seq_writer *tree,
                 struct error *e)
{
    struct regress_side *a = &c->saved, *b = &c->now;
    if (advance(a, e) < 0 || advance(b, e) < 0)
        return -1;
    while (a->more > 0 || b->more > 0) {
        int order = !a->more ? 1 : !b->more ? -1 : seq_compare(a->ops, a->count, b->ops, b->count);
        if (order < 0 && take_gone(c, e))
            return -1;
        if (order > 0 && w->regress)
            take_fresh(c);
        if (order >= 0) {
            if (tree)
                seq_write(tree, b->s->ops, b->s->count);
            if (w->folder && write_numbered(w->folder, b->total, b->s, c->racy, e))
                return -1;
        }
        if ((order <= 0 && advance(a, e) < 0) || (order >= 0 && advance(b, e) < 0))
            return -1;
    }
    return 0;
}

/* The end of no sequences. */
static int nothing(struct seq_stream *s, struct error *e)
{
    return 0;
}

static void put_summary(struct comparison *c, const struct run_sequences *w)
{
    const struct seq_words *was = &c->saved.s->words, *now = &c->now.s->words;
    const char *gone = now->complete ? "no longer possible" : "not exercised";
    const char *fresh = was->complete ? "new" : "not in the file, which is incomplete";
    char *line = c->gone_count + c->fresh_count
                     ? mem_printf("regression: of %zu saved sequences %zu %s %s; of the %zu exercised now "
                                  "%zu %s %s",
                                  c->saved.total, c->gone_count, c->gone_count == 1 ? "is" : "are", gone,
                                  c->now.total, c->fresh_count, c->fresh_count == 1 ? "is" : "are", fresh)
                     : mem_printf("regression: the %zu saved sequences are exactly those exercised now",
                                  c->saved.total);
    say(c, line);
    struct report_list *l = &c->r->regressed; /* the summary first */
    memmove(l->items + 1, l->items, (l->count - 1) * sizeof *l->items);
    l->items[0] = line;
    c->r->regression = mem_printf(
        "{\"file\":\"%s\",\"saved\":%zu,\"exercised\":%zu,\"gone\":%zu,\"new\":%zu,\"saved_complete\":%s,"
        "\"complete\":%s,\"gone_examples\":[%s],\"new_examples\":[%s]}",
        w->regress, c->saved.total, c->now.total, c->gone_count, c->fresh_count,
        was->complete ? "true" : "false", now->complete ? "true" : "false", sbuf_str(&c->gone_json),
        sbuf_str(&c->fresh_json));
}

static int open_differences(struct comparison *c, struct error *e)
{
    if (!c->r->directory)
        return 0;
    c->gone_path = mem_printf("%s/gone.tree", c->r->directory);
    c->fresh_path = mem_printf("%s/new.tree", c->r->directory);
    c->gone = seq_create(c->gone_path, &c->words, e);
    c->fresh = c->gone ? seq_create(c->fresh_path, &c->words, e) : NULL;
    return c->fresh ? 0 : -1;
}

/* Another program altogether? */
static int has_nothing_in_common(const struct comparison *c)
{
    size_t a = c->saved.s->words.ops.count, b = c->now.s->words.ops.count;
    return a && b && c->words.ops.count == a + b;
}

static int compare(struct comparison *c, const struct run_sequences *w, struct error *e)
{
    seq_words_union(&c->saved.s->words, &c->now.s->words, &c->words, &c->saved.numbers, &c->now.numbers);
    if (w->regress && has_nothing_in_common(c))
        return error_set(e, EXIT_USAGE, "%s has no operation in common with %s: it was saved from %s",
                         w->regress, c->now.s->words.program, c->saved.s->words.program);
    struct seq_writer *tree = w->tree ? seq_create(w->tree, &c->now.s->words, e) : NULL;
    if ((w->tree && !tree) || (w->regress && open_differences(c, e)))
        return -1;
    int status = merge(c, w, tree, e);
    if ((tree && seq_finish(tree, e)) || (c->gone && seq_finish(c->gone, e)) ||
        (c->fresh && seq_finish(c->fresh, e)))
        status = -1;
    if (c->gone_path && !c->gone_count)
        unlink(c->gone_path);
    if (c->fresh_path && !c->fresh_count)
        unlink(c->fresh_path);
    if (!status && w->regress)
        put_summary(c, w);
    return status;
}

static void comparison_free(struct comparison *c)
{
    seq_words_free(&c->words);
    free(c->saved.numbers);
    free(c->saved.ops);
    free(c->now.numbers);
    free(c->now.ops);
    free(c->gone_path);
    free(c->fresh_path);
    sbuf_free(&c->gone_json);
    sbuf_free(&c->fresh_json);
}

static int open_now(struct seq_stream *now, const struct search *s, const struct objects *o, size_t memory,
                    struct error *e)
{
    int fds[SUPERVISE_WORKERS];
    uint64_t bytes[SUPERVISE_WORKERS];
    for (int i = 0; i < s->slot_count; i++) {
        fds[i] = s->slots[i].region.traces;
        bytes[i] = s->slots[i].region.shared->traces_bytes;
    }
    return seq_open_spool(now, fds, bytes, s->slot_count, o, memory, e);
}

/* An execution that a failure ends does not show what the other threads would have done. */
static int any_cut(const struct report *r)
{
    for (size_t i = 0; i < r->findings.count; i++) {
        enum finding_kind kind = finding_find(r->findings.items[i].schedule.kind);
        if (kind < FINDING_KINDS && kind != FINDING_DEADLOCK && kind != FINDING_RACE)
            return 1;
    }
    return 0;
}

int run_sequences_keep(const struct run_sequences *w, const struct search *s, const char *program,
                       struct report *r, struct error *e)
{
    struct objects o;
    struct seq_stream now, saved = {.next = nothing};
    if (objects_open(&o, program, e))
        return -1;
    int status = open_now(&now, s, &o, s->config.memory, e);
    if (!status) {
        const char *slash = strrchr(program, '/');
        now.words.program = mem_strdup(slash ? slash + 1 : program);
        now.words.complete = r->complete && !any_cut(r);
        status = w->regress ? seq_open_tree(&saved, w->regress, e) : 0;
        if (!status) {
            struct sbuf racy = {0};
            put_racy(s, &o, now.words.program, &racy);
            struct comparison c = {.saved.s = &saved, .now.s = &now, .r = r, .racy = sbuf_str(&racy)};
            status = compare(&c, w, e);
            sbuf_free(&racy);
            comparison_free(&c);
            seq_close(&saved);
        }
        seq_close(&now);
    }
    objects_free(&o);
    return status;
}
