/* raddle sequences: what is in a tree that raddle run --save-tree wrote. The sequences pass by one after
 * the other; kept are only their different patterns, with a count each, within a budget. */
#include "cli/cli.h"
#include "base/foreign.h"
#include "cli/outdir.h"
#include "cli/seq_shape.h"
#include "report/sequences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sequences_options {
#define OPT OPT_STRUCT_FIELD
#include "cli/opt_sequences.def"
#undef OPT
};
#define OPT_OWNER sequences_options
static const struct opt rows[] = {
#define OPT OPT_TABLE_ROW
#include "cli/opt_sequences.def"
#undef OPT
};

const struct opt_command cmd_sequences_options = {
    .name = "sequences",
    .usage = "[options] TREE",
    .summary = "list the synchronization sequences or patterns of a program",
    .description =
        "TREE is a file that raddle run --engine reach --save-tree wrote. Every sequence is printed as "
        "its operations (thread, operation, object) in an order that extends the partial order.\n\n"
        "With --patterns, sequences that are the same up to exchanging threads that run the same "
        "function count as one, and are told with the threads as A, B, … in the order they appear. With "
        "--object, only the operations on one object are looked at. Then each line says how many "
        "sequences show it, the most frequent first.\n\n"
        "Exit status: 0, or 64 if the file cannot be read.",
    .opts = rows,
    .count = sizeof rows / sizeof rows[0],
};

struct pattern {
    uint32_t *ops; /* the first sequence that shows it */
    uint32_t count;
    uint64_t hash, times, first;
};

struct listing {
    const struct sequences_options *o;
    struct seq_stream *s;
    struct shape_words w;
    char *wanted;            /* [operation]: is it looked at? */
    VEC(char *) rests;       /* different ones */
    VEC(struct pattern) patterns;
    uint32_t *table; /* pattern + 1 */
    size_t table_room, memory;
    uint64_t total;
    uint32_t *now; /* the sequence under way, without what is not looked at */
    size_t now_room;
    uint32_t now_count;
    struct shape shape, other; /* of it, and of one that it is compared with */
};

/* ---- what operations are ---------------------------------------------------------------------- */

static uint32_t thread_named(const struct seq_words *w, const char *op)
{
    size_t n = strcspn(op, " #");
    for (size_t i = 0; i < w->threads.count; i++)
        if (strlen(w->threads.items[i].name) == n && !strncmp(w->threads.items[i].name, op, n))
            return (uint32_t)i + 1;
    return 0; /* main */
}

static const char *function_of(const struct seq_words *w, uint32_t thread)
{
    return thread ? w->threads.items[thread - 1].function : "main";
}

static uint32_t rest_number(struct listing *l, const char *rest)
{
    for (size_t i = 0; i < l->rests.count; i++)
        if (!strcmp(l->rests.items[i], rest))
            return (uint32_t)i;
    vec_push(&l->rests, mem_strdup(rest));
    return (uint32_t)l->rests.count - 1;
}

/* "sem-wait empty" → is it on that object? */
static int is_on(const char *rest, const char *object)
{
    const char *name = strchr(rest, ' ');
    size_t n = strlen(object);
    return name && !strncmp(name + 1, object, n) && (!name[1 + n] || name[1 + n] == ' ');
}

/* "2 receive deposit from 3#1": thread 2, sender 3, "receive deposit". */
static void split_op(struct listing *l, size_t i)
{
    const struct seq_words *w = &l->s->words;
    const char *op = w->ops.items[i], *rest = op + strcspn(op, " "), *from;
    rest += *rest == ' ';
    char *text = mem_strdup(rest);
    if ((from = strstr(rest, " from "))) {
        text[from - rest] = 0;
        l->w.sender[i] = thread_named(w, from + 6) + 1;
        l->w.message[i] = strchr(from, '#') ? (uint32_t)strtoul(strchr(from, '#') + 1, NULL, 10) : 1;
    }
    const char *object = strchr(text, ' ');
    l->w.object[i] = object ? rest_number(l, object + 1) + 1 : 0;
    l->w.is_send[i] = !strncmp(text, "send ", 5);
    l->w.thread[i] = thread_named(w, op);
    l->w.rest[i] = rest_number(l, text);
    l->wanted[i] = !l->o->object || is_on(text, l->o->object);
    free(text);
}

static int split_words(struct listing *l, struct error *e)
{
    const struct seq_words *w = &l->s->words;
    int any = 0;
    l->w.thread = mem_alloc((w->ops.count + 1) * sizeof *l->w.thread);
    l->w.rest = mem_alloc((w->ops.count + 1) * sizeof *l->w.rest);
    l->w.sender = mem_alloc((w->ops.count + 1) * sizeof *l->w.sender);
    l->w.message = mem_alloc((w->ops.count + 1) * sizeof *l->w.message);
    l->w.object = mem_alloc((w->ops.count + 1) * sizeof *l->w.object);
    l->w.is_send = mem_alloc(w->ops.count + 1);
    l->w.function = mem_alloc((w->threads.count + 1) * sizeof *l->w.function);
    for (uint32_t t = 0; t <= w->threads.count; t++)
        l->w.function[t] = rest_number(l, function_of(w, t));
    l->wanted = mem_alloc(w->ops.count + 1);
    for (size_t i = 0; i < w->ops.count; i++) {
        split_op(l, i);
        any |= l->wanted[i];
    }
    l->w.threads = (uint32_t)w->threads.count;
    l->w.objects = (uint32_t)l->rests.count;
    if (!any && w->ops.count)
        return error_set(e, EXIT_USAGE, "no operation is on '%s'", l->o->object);
    return 0;
}

/* ---- patterns --------------------------------------------------------------------------------- */

/* Threads by the order in which they appear. */
struct renaming {
    uint32_t number[256]; /* of a thread, + 1 */
    uint32_t count;
};

static uint32_t renamed(struct renaming *r, uint32_t thread)
{
    if (!r->number[thread & 255])
        r->number[thread & 255] = ++r->count;
    return r->number[thread & 255];
}

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t hash_now(struct listing *l)
{
    uint64_t h = l->now_count;
    if (l->o->patterns)
        shape_make(&l->shape, &l->w, l->now, l->now_count);
    if (l->o->patterns)
        return shape_hash(&l->shape, &l->w);
    for (uint32_t i = 0; i < l->now_count; i++)
        h = mixed(h, l->now[i]);
    return h;
}

static int same_now(struct listing *l, const struct pattern *p)
{
    if (p->count != l->now_count)
        return 0;
    if (!memcmp(p->ops, l->now, p->count * sizeof *p->ops))
        return 1;
    if (!l->o->patterns)
        return 0;
    shape_make(&l->other, &l->w, p->ops, p->count);
    return shape_same(&l->shape, &l->other, &l->w);
}

static void rehash(struct listing *l)
{
    l->table_room = l->table_room ? 2 * l->table_room : 1024;
    free(l->table);
    l->table = mem_alloc(l->table_room * sizeof *l->table);
    for (size_t i = 0; i < l->patterns.count; i++) {
        size_t k = l->patterns.items[i].hash & (l->table_room - 1);
        while (l->table[k])
            k = (k + 1) & (l->table_room - 1);
        l->table[k] = (uint32_t)i + 1;
    }
}

static int count_now(struct listing *l, struct error *e)
{
    if (2 * l->patterns.count >= l->table_room)
        rehash(l);
    uint64_t hash = hash_now(l);
    size_t k = hash & (l->table_room - 1);
    for (; l->table[k]; k = (k + 1) & (l->table_room - 1)) {
        struct pattern *p = &l->patterns.items[l->table[k] - 1];
        if (p->hash == hash && same_now(l, p)) {
            p->times++;
            return 0;
        }
    }
    size_t bytes = l->now_count * sizeof *l->now;
    l->memory += bytes + sizeof(struct pattern) + 8;
    if (l->memory > (size_t)l->o->memory)
        return error_set(e, EXIT_USAGE, "more than %zu different ones: they do not fit into the memory "
                                        "(--memory)", l->patterns.count);
    struct pattern p = {mem_alloc(bytes + 1), l->now_count, hash, 1, l->total};
    memcpy(p.ops, l->now, bytes);
    vec_push(&l->patterns, p);
    l->table[k] = (uint32_t)l->patterns.count;
    return 0;
}

static int most_frequent(const void *a, const void *b)
{
    const struct pattern *x = a, *y = b;
    if (x->times != y->times)
        return x->times > y->times ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* ---- printing --------------------------------------------------------------------------------- */

static void put_thread(const struct listing *l, uint32_t thread, struct renaming *r, struct sbuf *out)
{
    uint32_t before = r->count, n = renamed(r, thread);
    if (n <= 26)
        sbuf_putc(out, (char)('A' + n - 1));
    else
        sbuf_printf(out, "T%u", n);
    if (r->count != before)
        sbuf_printf(out, "(%s)", function_of(&l->s->words, thread));
}

/* "2 sem-wait d", or "A(producer) sem-wait d". */
static void put_op(const struct listing *l, uint32_t op, struct renaming *r, struct sbuf *out)
{
    if (!l->o->patterns) {
        sbuf_puts(out, l->s->words.ops.items[op]);
        return;
    }
    put_thread(l, l->w.thread[op], r, out);
    sbuf_printf(out, " %s", l->rests.items[l->w.rest[op]]);
    if (l->w.sender[op]) {
        sbuf_puts(out, " from ");
        put_thread(l, l->w.sender[op] - 1, r, out);
    }
}

static void put_sequence(const struct listing *l, const uint32_t *ops, uint32_t n, struct sbuf *out)
{
    struct renaming r = {0};
    for (uint32_t i = 0; i < n; i++) {
        sbuf_puts(out, i ? ", " : "");
        put_op(l, ops[i], &r, out);
    }
}

static void put_text(const struct listing *l, size_t shown, struct sbuf *out)
{
    const char *what = l->o->patterns ? "pattern" : "sequence";
    sbuf_printf(out, "%s: %llu sequence%s%s", l->s->words.program, (unsigned long long)l->total,
                l->total == 1 ? "" : "s", l->s->words.complete ? "" : " (not all of the program's)");
    if (l->o->patterns || l->o->object)
        sbuf_printf(out, ", %zu different %s%s%s%s", l->patterns.count, what,
                    l->patterns.count == 1 ? "" : "s", l->o->object ? " on " : "",
                    l->o->object ? l->o->object : "");
    sbuf_putc(out, '\n');
    for (size_t i = 0; i < shown; i++) {
        const struct pattern *p = &l->patterns.items[i];
        sbuf_printf(out, "%8llu  ", (unsigned long long)(l->o->patterns || l->o->object ? p->times : i + 1));
        put_sequence(l, p->ops, p->count, out);
        sbuf_putc(out, '\n');
    }
    if (shown < l->patterns.count)
        sbuf_printf(out, "     …    and %zu more (--limit)\n", l->patterns.count - shown);
}

static void put_json(const struct listing *l, size_t shown, struct sbuf *out)
{
    sbuf_puts(out, "{\"raddle\":1,\"program\":");
    sbuf_json(out, l->s->words.program);
    sbuf_printf(out, ",\"complete\":%s,\"sequences\":%llu,\"different\":%zu,\"list\":[",
                l->s->words.complete ? "true" : "false", (unsigned long long)l->total,
                l->patterns.count);
    for (size_t i = 0; i < shown; i++) {
        const struct pattern *p = &l->patterns.items[i];
        struct renaming r = {0};
        sbuf_printf(out, "%s{\"times\":%llu,\"operations\":[", i ? "," : "", (unsigned long long)p->times);
        for (uint32_t k = 0; k < p->count; k++) {
            struct sbuf op = {0};
            put_op(l, p->ops[k], &r, &op);
            sbuf_puts(out, k ? "," : "");
            sbuf_json(out, sbuf_str(&op));
            sbuf_free(&op);
        }
        sbuf_puts(out, "]}");
    }
    sbuf_puts(out, "]}\n");
}

/* ---- reading ---------------------------------------------------------------------------------- */

static void take_sequence(struct listing *l)
{
    l->total++;
    l->now_count = 0;
    if (l->s->count > l->now_room)
        l->now = mem_realloc(l->now, (l->now_room = 2 * l->s->count) * sizeof *l->now);
    for (size_t i = 0; i < l->s->count; i++)
        if (l->wanted[l->s->ops[i]])
            l->now[l->now_count++] = l->s->ops[i];
}

static int read_all(struct listing *l, struct error *e)
{
    int more, plain = !l->o->patterns && !l->o->object;
    while ((more = l->s->next(l->s, e)) > 0) {
        take_sequence(l);
        if (plain && l->o->limit && l->patterns.count >= (size_t)l->o->limit)
            continue; /* they are all different: only the number is wanted */
        if (count_now(l, e))
            return -1;
    }
    if (!plain && l->patterns.count)
        qsort(l->patterns.items, l->patterns.count, sizeof *l->patterns.items, most_frequent);
    return more;
}

static int print(const struct listing *l, struct error *e)
{
    struct sbuf out = {0};
    size_t shown = l->patterns.count;
    int status = 0;
    if (l->o->limit && shown > (size_t)l->o->limit)
        shown = (size_t)l->o->limit;
    if (l->o->json)
        put_json(l, shown, &out);
    else
        put_text(l, shown, &out);
    if (l->o->json && strcmp(l->o->json, "-"))
        status = outdir_write(l->o->json, sbuf_str(&out), out.len, e);
    else
        foreign_print(stdout, sbuf_str(&out), FOREIGN_PLAIN);
    sbuf_free(&out);
    return status;
}

static void listing_free(struct listing *l)
{
    for (size_t i = 0; i < l->patterns.count; i++)
        free(l->patterns.items[i].ops);
    for (size_t i = 0; i < l->rests.count; i++)
        free(l->rests.items[i]);
    vec_free(&l->patterns);
    vec_free(&l->rests);
    free(l->w.thread);
    free(l->w.rest);
    free(l->w.sender);
    free(l->w.message);
    free(l->w.object);
    free(l->w.is_send);
    free(l->w.function);
    shape_free(&l->shape);
    shape_free(&l->other);
    free(l->wanted);
    free(l->table);
    free(l->now);
}

int cmd_sequences(int argc, char **argv)
{
    struct sequences_options o = {.limit = 20, .memory = 1ll << 30};
    struct seq_stream s;
    struct error e;
    int first = opt_parse(&cmd_sequences_options, argc, argv, &o, &e);
    if (first >= 0 && argc - first != 1)
        first = error_set(&e, EXIT_USAGE, "raddle sequences wants one file, not %d", argc - first);
    if (first >= 0 && o.limit < 0)
        first = error_set(&e, EXIT_USAGE, "--limit must not be negative");
    if (first < 0 || seq_open_tree(&s, argv[first], &e))
        return error_print(&e);
    struct listing l = {.o = &o, .s = &s};
    int failed = split_words(&l, &e) || read_all(&l, &e) || print(&l, &e);
    listing_free(&l);
    seq_close(&s);
    return failed ? error_print(&e) : 0;
}
