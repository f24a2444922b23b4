/* The sequences that workers left behind, sorted. The files are read twice: first to collect the texts of
 * all operations, so that their numbers follow the order of the texts; then to collect the sequences. As
 * many as fit into memory are sorted at a time; if there are more, sorted runs go to temporary files and
 * are merged. A sequence that comes twice (a worker died and its work was done again) counts once. */
#include "report/sequences.h"
#include "trace/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct key { /* of an operation */
    uint64_t object, which;
    uint32_t thread, other;
    uint32_t kind, id; /* id + 1; 0: the place in the table is empty */
};

struct spool_thread {
    uint32_t parent, nth;
    uint64_t function;
    char *name; /* "3", "3.1" */
};

struct spool_run {
    FILE *f;
    uint32_t *ops;
    uint32_t count, room;
    int ended;
};

struct spool {
    const int *fds;
    const uint64_t *bytes;
    int count;
    const struct objects *objects;
    /* Reading. */
    int file;
    uint64_t at;
    uint64_t *words;
    uint64_t word_count, word_room;
    /* What was seen. */
    struct key *table;
    size_t table_room, keys;
    VEC(struct spool_thread) threads; /* [0] is main */
    VEC(char *) texts;
    uint32_t *rank; /* of a text */
    /* Sorted sequences: in memory, or in runs. */
    uint32_t *pool;
    size_t used, room;
    VEC(uint32_t) starts; /* in the pool: a length, then the numbers */
    size_t shown;
    VEC(struct spool_run) runs;
};

/* ---- reading ---------------------------------------------------------------------------------- */

static int fetch(struct spool *p, void *to, uint64_t n)
{
    if (n > p->bytes[p->file] - p->at)
        return -1;
    for (uint64_t done = 0; done < n;) {
        ssize_t got = pread(p->fds[p->file], (char *)to + done, n - done, (off_t)(p->at + done));
        if (got <= 0)
            return -1;
        done += (uint64_t)got;
    }
    p->at += n;
    return 0;
}

/* The next sequence into p->words: 1, 0 at the end. */
static int read_sequence(struct spool *p, struct error *e)
{
    while (p->file < p->count && p->at == p->bytes[p->file]) {
        p->file++;
        p->at = 0;
    }
    if (p->file == p->count)
        return 0;
    if (fetch(p, &p->word_count, sizeof p->word_count) || p->word_count > p->bytes[p->file] / 8)
        return error_set(e, EXIT_INTERNAL, "the sequences that a worker left cannot be read");
    if (p->word_count > p->word_room)
        p->words = mem_realloc(p->words, (p->word_room = 2 * p->word_count) * sizeof *p->words);
    if (fetch(p, p->words, p->word_count * sizeof *p->words))
        return error_set(e, EXIT_INTERNAL, "the sequences that a worker left cannot be read");
    return 1;
}

static void begin(struct spool *p)
{
    p->file = 0;
    p->at = 0;
}

/* ---- words ------------------------------------------------------------------------------------ */

static uint32_t thread_of(struct spool *p, uint32_t parent, uint32_t nth, uint64_t function)
{
    for (size_t i = 1; i < p->threads.count; i++)
        if (p->threads.items[i].parent == parent && p->threads.items[i].nth == nth)
            return (uint32_t)i;
    char *name = parent ? mem_printf("%s.%u", p->threads.items[parent].name, nth) : mem_printf("%u", nth);
    vec_push(&p->threads, ((struct spool_thread){parent, nth, function, name}));
    return (uint32_t)p->threads.count - 1;
}

static char *text_of(const struct spool *p, const struct key *k)
{
    struct sbuf out = {0};
    sbuf_printf(&out, "%s ", p->threads.items[k->thread].name);
    for (const char *c = event_name((enum event_kind)k->kind); *c; c++)
        sbuf_putc(&out, *c == ' ' ? '-' : *c);
    if (k->kind == EV_CHOOSE)
        sbuf_printf(&out, " %llu", (unsigned long long)k->object);
    else if (!operation_is(k->kind, OP_NOTHING)) {
        sbuf_putc(&out, ' ');
        objects_name(p->objects, k->object, &out);
    }
    if (operation_is(k->kind, OP_ONE_SOURCE))
        sbuf_printf(&out, " from %s#%llu", p->threads.items[k->other].name, (unsigned long long)k->which);
    return out.s;
}

static struct key *find(struct spool *p, const struct key *k)
{
    uint64_t h = (k->object * 31 + k->which) * 0x9e3779b97f4a7c15u + k->thread * 131u + k->other * 65537u +
                 k->kind * 7919u;
    size_t i = (h ^ h >> 29) & (p->table_room - 1);
    for (; p->table[i].id; i = (i + 1) & (p->table_room - 1)) {
        const struct key *t = &p->table[i];
        if (t->object == k->object && t->which == k->which && t->thread == k->thread &&
            t->other == k->other && t->kind == k->kind)
            break;
    }
    return &p->table[i];
}

static void grow_table(struct spool *p)
{
    struct key *old = p->table;
    size_t n = p->table_room;
    p->table_room = n ? 2 * n : 1024;
    p->table = mem_alloc(p->table_room * sizeof *p->table);
    for (size_t i = 0; i < n; i++)
        if (old[i].id)
            *find(p, &old[i]) = old[i];
    free(old);
}

static uint32_t word_number(struct spool *p, const struct key *k)
{
    if (2 * p->keys >= p->table_room)
        grow_table(p);
    struct key *t = find(p, k);
    if (!t->id) {
        *t = *k;
        t->id = (uint32_t)++p->keys;
        vec_push(&p->texts, text_of(p, k));
    }
    return t->id - 1;
}

/* The numbers of the operations of p->words; at most as many as there are words. */
static uint32_t decode(struct spool *p, uint32_t *out)
{
    uint32_t thread[256] = {0}, n = 0;
    for (uint64_t i = 0; i < p->word_count; i++) {
        uint64_t w = p->words[i], second = 0;
        if (spool_is_two(w) && i + 1 < p->word_count)
            second = p->words[++i];
        uint32_t kind = (uint32_t)(w >> 56), t = w >> 48 & 255, other = second & 255;
        if (kind == SPOOL_THREAD) {
            thread[t] = thread_of(p, thread[other], (uint32_t)(second >> 16), w << 16 >> 16);
            continue;
        }
        struct key k = {.object = w << 16 >> 16, .which = second >> 16, .thread = thread[t],
                        .other = spool_receives(w) ? thread[other] : 0, .kind = kind};
        out[n++] = word_number(p, &k);
    }
    return n;
}

static int by_text(const void *a, const void *b, void *context)
{
    char **texts = context;
    return strcmp(texts[*(const uint32_t *)a], texts[*(const uint32_t *)b]);
}

static const char *function_named(const struct objects *o, uint64_t address)
{
    for (size_t i = 0; i < o->functions.count; i++)
        if (o->functions.items[i].address == address)
            return o->functions.items[i].name;
    return "?";
}

static void order_words(struct spool *p, struct seq_words *w)
{
    size_t n = p->texts.count;
    uint32_t *order = mem_alloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    if (n)
        qsort_r(order, n, sizeof *order, by_text, p->texts.items);
    p->rank = mem_alloc((n + 1) * sizeof *p->rank);
    for (size_t i = 0; i < n; i++) {
        p->rank[order[i]] = (uint32_t)i;
        vec_push(&w->ops, p->texts.items[order[i]]);
    }
    free(order);
    for (size_t i = 1; i < p->threads.count; i++) {
        const struct spool_thread *t = &p->threads.items[i];
        vec_push(&w->threads, ((struct seq_thread){mem_strdup(t->name),
                                                   mem_strdup(function_named(p->objects, t->function))}));
    }
}

/* ---- sorting ---------------------------------------------------------------------------------- */

static int by_ops(const void *a, const void *b, void *context)
{
    const uint32_t *pool = context, *x = pool + *(const uint32_t *)a, *y = pool + *(const uint32_t *)b;
    return seq_compare(x + 1, x[0], y + 1, y[0]);
}

static void sort_pool(struct spool *p)
{
    if (p->starts.count)
        qsort_r(p->starts.items, p->starts.count, sizeof *p->starts.items, by_ops, p->pool);
}

static int write_run(struct spool *p, struct error *e)
{
    FILE *f = tmpfile();
    int bad = !f;
    sort_pool(p);
    for (size_t i = 0; i < p->starts.count && !bad; i++) {
        const uint32_t *s = p->pool + p->starts.items[i];
        bad = fwrite(s, sizeof *s, s[0] + 1, f) != s[0] + 1;
    }
    if (f)
        vec_push(&p->runs, ((struct spool_run){.f = f}));
    bad = bad || fflush(f) || fseek(f, 0, SEEK_SET);
    p->starts.count = p->used = 0;
    return bad ? error_set(e, EXIT_INTERNAL, "cannot write the sequences to a temporary file: %s",
                           strerror(errno))
               : 0;
}

static int collect(struct spool *p, struct error *e)
{
    int status;
    while ((status = read_sequence(p, e)) > 0) {
        size_t need = p->word_count + 1;
        if (p->used + need > p->room || p->starts.count * sizeof(uint32_t) > p->room) {
            if (p->starts.count && write_run(p, e))
                return -1;
            if (need > p->room)
                return error_set(e, EXIT_USAGE, "one sequence is longer than the memory (--memory)");
        }
        uint32_t *to = p->pool + p->used;
        to[0] = decode(p, to + 1);
        for (uint32_t i = 1; i <= to[0]; i++)
            to[i] = p->rank[to[i]];
        vec_push(&p->starts, (uint32_t)p->used);
        p->used += to[0] + 1;
    }
    if (!status && p->runs.count)
        status = write_run(p, e);
    else
        sort_pool(p);
    return status;
}

/* ---- the stream ------------------------------------------------------------------------------- */

static void read_run(struct spool_run *r)
{
    uint32_t n;
    r->ended = fread(&n, sizeof n, 1, r->f) != 1;
    if (r->ended)
        return;
    if (n > r->room)
        r->ops = mem_realloc(r->ops, (r->room = 2 * n) * sizeof *r->ops);
    r->count = n;
    r->ended = fread(r->ops, sizeof n, n, r->f) != n;
}

static struct spool_run *smallest(struct spool *p)
{
    struct spool_run *best = NULL;
    for (size_t i = 0; i < p->runs.count; i++) {
        struct spool_run *r = &p->runs.items[i];
        if (!r->ended && (!best || seq_compare(r->ops, r->count, best->ops, best->count) < 0))
            best = r;
    }
    return best;
}

static int is_new(const struct seq_stream *s, int first, const uint32_t *ops, size_t n)
{
    return first || seq_compare(s->ops, s->count, ops, n);
}

static void show(struct seq_stream *s, const uint32_t *ops, size_t n)
{
    if (n > s->room)
        s->ops = mem_realloc(s->ops, (s->room = 2 * n) * sizeof *s->ops);
    if (n)
        memcpy(s->ops, ops, n * sizeof *ops);
    s->count = n;
}

static int next_sorted(struct seq_stream *s, struct error *e)
{
    struct spool *p = s->state;
    int first = p->shown == 0;
    for (struct spool_run *r; p->runs.count && (r = smallest(p));) {
        int use = is_new(s, first, r->ops, r->count);
        if (use)
            show(s, r->ops, r->count);
        read_run(r);
        p->shown++;
        if (use)
            return 1;
    }
    while (!p->runs.count && p->shown < p->starts.count) {
        const uint32_t *q = p->pool + p->starts.items[p->shown++];
        if (is_new(s, first, q + 1, q[0])) {
            show(s, q + 1, q[0]);
            return 1;
        }
    }
    return 0;
}

static void close_spool(struct seq_stream *s)
{
    struct spool *p = s->state;
    for (size_t i = 0; i < p->runs.count; i++) {
        fclose(p->runs.items[i].f);
        free(p->runs.items[i].ops);
    }
    for (size_t i = 0; i < p->threads.count; i++)
        free(p->threads.items[i].name);
    vec_free(&p->runs);
    vec_free(&p->threads);
    vec_free(&p->texts); /* the texts themselves belong to the words */
    vec_free(&p->starts);
    free(p->table);
    free(p->rank);
    free(p->words);
    free(p->pool);
    free(p);
}

static int learn_words(struct spool *p, struct error *e)
{
    int status;
    uint32_t *ids = NULL;
    size_t room = 0;
    vec_push(&p->threads, ((struct spool_thread){.name = mem_strdup("0")}));
    while ((status = read_sequence(p, e)) > 0) {
        if (p->word_count >= room)
            ids = mem_realloc(ids, (room = 2 * p->word_count + 64) * sizeof *ids);
        decode(p, ids);
    }
    free(ids);
    return status;
}

int seq_open_spool(struct seq_stream *s, const int *fds, const uint64_t *bytes, int count,
                   const struct objects *o, size_t memory, struct error *e)
{
    struct spool *p = mem_alloc(sizeof *p);
    *p = (struct spool){.fds = fds, .bytes = bytes, .count = count, .objects = o};
    *s = (struct seq_stream){.next = next_sorted, .state = p, .close = close_spool};
    uint64_t total = 0;
    for (int i = 0; i < count; i++)
        total += bytes[i];
    p->room = (memory < total ? memory : total + 64) / 2 / sizeof *p->pool;
    p->room = p->room < 4096 ? 4096 : p->room > UINT32_MAX ? UINT32_MAX : p->room;
    p->pool = mem_alloc(p->room * sizeof *p->pool);
    int status = learn_words(p, e);
    order_words(p, &s->words);
    begin(p);
    if (!status)
        status = collect(p, e);
    for (size_t i = 0; i < p->runs.count; i++)
        read_run(&p->runs.items[i]);
    if (status)
        seq_close(s);
    return status;
}
