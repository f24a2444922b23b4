/* raddle sequences: what is in a tree that raddle run --save-tree wrote. The sequences pass by one after
 * the other; kept are only their different patterns, with a count each, within a budget. */
#include "cli/cli.h"
#include "cli/outdir.h"
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

struct node {
    uint32_t to[5];
    uint32_t position[2]; /* in its thread, on its object */
    uint64_t label, next;
};

struct listing {
    const struct sequences_options *o;
    struct seq_stream *s;
    uint32_t *thread, *rest; /* [operation]: its thread, and what is left of its text */
    uint32_t *sender;        /* [operation]: whose message is received, + 1; 0 = none */
    uint32_t *message;       /* … and which of them */
    uint32_t *object;        /* [operation]: 0 = none */
    char *is_send;           /* [operation] */
    uint32_t *function;      /* [thread] */
    char *wanted;            /* [operation]: is it looked at? */
    VEC(char *) rests;       /* different ones */
    VEC(struct pattern) patterns;
    uint32_t *table; /* pattern + 1 */
    size_t table_room, memory;
    uint64_t total;
    uint32_t *now; /* the sequence under way, without what is not looked at */
    size_t now_room;
    uint32_t now_count;
    struct node *nodes; /* [place in it] */
    size_t node_room;
    uint32_t *last;     /* [thread, then object]: the place where it was last, + 1 */
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
        l->sender[i] = thread_named(w, from + 6) + 1;
        l->message[i] = strchr(from, '#') ? (uint32_t)strtoul(strchr(from, '#') + 1, NULL, 10) : 1;
    }
    const char *object = strchr(text, ' ');
    l->object[i] = object ? rest_number(l, object + 1) + 1 : 0;
    l->is_send[i] = !strncmp(text, "send ", 5);
    l->thread[i] = thread_named(w, op);
    l->rest[i] = rest_number(l, text);
    l->wanted[i] = !l->o->object || is_on(text, l->o->object);
    free(text);
}

static int split_words(struct listing *l, struct error *e)
{
    const struct seq_words *w = &l->s->words;
    int any = 0;
    l->thread = mem_alloc((w->ops.count + 1) * sizeof *l->thread);
    l->rest = mem_alloc((w->ops.count + 1) * sizeof *l->rest);
    l->sender = mem_alloc((w->ops.count + 1) * sizeof *l->sender);
    l->message = mem_alloc((w->ops.count + 1) * sizeof *l->message);
    l->object = mem_alloc((w->ops.count + 1) * sizeof *l->object);
    l->is_send = mem_alloc(w->ops.count + 1);
    l->function = mem_alloc((w->threads.count + 1) * sizeof *l->function);
    for (uint32_t t = 0; t <= w->threads.count; t++)
        l->function[t] = rest_number(l, function_of(w, t));
    l->wanted = mem_alloc(w->ops.count + 1);
    for (size_t i = 0; i < w->ops.count; i++) {
        split_op(l, i);
        any |= l->wanted[i];
    }
    l->last = mem_alloc((w->threads.count + l->rests.count + 2) * sizeof *l->last);
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

/* Neighbours of an operation in the sequence under way: places + 1, 0 = none. */
enum { BEFORE, AFTER, OBJECT_BEFORE, OBJECT_AFTER, PARTNER, NEIGHBOURS };

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static void link_places(struct node *nodes, uint32_t *last, uint32_t k, int before, int after)
{
    if (*last) {
        nodes[k].to[before] = *last;
        nodes[*last - 1].to[after] = k + 1;
        nodes[k].position[before == OBJECT_BEFORE] = nodes[*last - 1].position[before == OBJECT_BEFORE] + 1;
    }
    *last = k + 1;
}

/* The send that place k received from: the message with that number of the sender to the port. */
static void link_message(const struct listing *l, uint32_t k)
{
    uint32_t op = l->now[k], number = 0;
    for (uint32_t i = 0; i < k && l->sender[op]; i++) {
        uint32_t other = l->now[i];
        if (l->is_send[other] && l->thread[other] == l->sender[op] - 1 &&
            l->object[other] == l->object[op] && ++number == l->message[op]) {
            l->nodes[k].to[PARTNER] = i + 1;
            l->nodes[i].to[PARTNER] = k + 1;
        }
    }
}

static void link_now(struct listing *l)
{
    memset(l->last, 0, (l->s->words.threads.count + 1 + l->rests.count + 1) * sizeof *l->last);
    memset(l->nodes, 0, (l->now_count + 1) * sizeof *l->nodes);
    for (uint32_t k = 0; k < l->now_count; k++) {
        uint32_t op = l->now[k];
        link_places(l->nodes, &l->last[l->thread[op]], k, BEFORE, AFTER);
        if (!l->is_send[op] && !l->sender[op] && l->object[op])
            link_places(l->nodes, &l->last[l->s->words.threads.count + l->object[op]], k, OBJECT_BEFORE,
                        OBJECT_AFTER);
        link_message(l, k);
    }
}

/* The same number for sequences that are the same but for the names of threads that run the same function:
 * every operation is told by what it is, where it stands in its thread and on its object, and by the
 * same of its neighbours, of theirs, and so on. */
static uint64_t hash_pattern(struct listing *l)
{
    uint64_t sum = 0;
    link_now(l);
    for (uint32_t k = 0; k < l->now_count; k++) {
        uint32_t op = l->now[k];
        const struct node *n = &l->nodes[k];
        uint64_t h = mixed(l->rest[op] + 1, l->function[l->thread[op]] + 1);
        l->nodes[k].label = mixed(h, (uint64_t)n->position[0] << 32 | n->position[1]);
    }
    for (int round = 0; round < 6; round++) {
        for (uint32_t k = 0; k < l->now_count; k++) {
            struct node *n = &l->nodes[k];
            n->next = n->label;
            for (int i = 0; i < NEIGHBOURS; i++)
                n->next = mixed(n->next, n->to[i] ? l->nodes[n->to[i] - 1].label : 0);
        }
        for (uint32_t k = 0; k < l->now_count; k++)
            l->nodes[k].label = l->nodes[k].next;
    }
    for (uint32_t k = 0; k < l->now_count; k++)
        sum += mixed(l->nodes[k].label, 7) ^ l->nodes[k].label << 1;
    return sum;
}

static uint64_t hash_now(struct listing *l)
{
    uint64_t h = l->now_count;
    if (l->o->patterns)
        return hash_pattern(l);
    for (uint32_t i = 0; i < l->now_count; i++)
        h = mixed(h, l->now[i]);
    return h;
}

static int same_now(const struct listing *l, const struct pattern *p)
{
    return p->count == l->now_count &&
           (l->o->patterns || !memcmp(p->ops, l->now, p->count * sizeof *p->ops));
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
    put_thread(l, l->thread[op], r, out);
    sbuf_printf(out, " %s", l->rests.items[l->rest[op]]);
    if (l->sender[op]) {
        sbuf_puts(out, " from ");
        put_thread(l, l->sender[op] - 1, r, out);
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
    if (l->now_room > l->node_room)
        l->nodes = mem_realloc(l->nodes, ((l->node_room = l->now_room) + 1) * sizeof *l->nodes);
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
        fputs(sbuf_str(&out), stdout);
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
    free(l->thread);
    free(l->rest);
    free(l->sender);
    free(l->message);
    free(l->object);
    free(l->is_send);
    free(l->function);
    free(l->nodes);
    free(l->last);
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
