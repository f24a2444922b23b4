/* generate.c — random programs. A program has a theme of a few families and few objects, so that
 * its threads get in each other's way; two to four threads with few operations each. What POSIX
 * leaves undefined is avoided where that is easy; the enumerator notices the rest. */
#include <assert.h>
#include <string.h>

#include "generate.h"

static const char *const names[] = {
#define FAMILY(name) #name,
#include "families.def"
#undef FAMILY
    NULL};

const char *family_name(int family)
{
    return names[family];
}

/* splitmix64 */
static uint64_t random64(struct maker *g)
{
    uint64_t z = (g->random += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

int pick(struct maker *g, int n)
{
    return random64(g) % n;
}

bool chance(struct maker *g, int percent)
{
    return pick(g, 100) < percent;
}

bool has(const struct maker *g, enum family f)
{
    return g->theme >> f & 1;
}

int new_register(struct maker *g)
{
    int limit = g->body < THREADS ? SHARED_REGISTERS : REGISTERS;
    return g->registers[g->body] < limit ? g->registers[g->body]++ : -1;
}

void put(struct maker *g, struct instruction i)
{
    struct list *l = &g->list[g->body];
    assert(l->count < LENGTH);
    l->code[l->count++] = i;
}

int put_result(struct maker *g, struct instruction i)
{
    i.d = new_register(g);
    put(g, i);
    return i.d;
}

/* What a thread waits for, another one mostly gives, somewhere. */
void promise(struct maker *g, struct instruction i)
{
    if (g->promises < PROMISES && chance(g, 75)) {
        g->promise_of[g->promises] = g->body;
        i.d = -1;
        g->promise[g->promises++] = i;
    }
}

static void keep_promises(struct maker *g)
{
    for (int k = 0; k < g->promises; k++) {
        int body = pick(g, g->threads + 1);
        struct list *l = &g->list[body];
        if (body == g->promise_of[k] || l->count > LENGTH - 4 || (body == 0 && !l->count))
            continue;
        int at = pick(g, l->count + 1);
        memmove(&l->code[at + 1], &l->code[at], (l->count - at) * sizeof *l->code);
        l->code[at] = g->promise[k];
        l->count++;
    }
}

/* Not deeper than three levels, and nothing more where a list is nearly full. */
void make_some(struct maker *g, int count)
{
    if (g->depth == 3)
        return;
    g->depth++;
    static void (*const makers[])(struct maker *) = {make_memory, make_waiting, make_mutex,
                                                     make_rwlock, make_objects, make_sync,
                                                     make_system, make_cancel};
    for (int tries = 0; count > 0 && tries < 40; tries++) {
        struct list *l = &g->list[g->body];
        int before = l->count;
        if (before > LENGTH - 20)
            break;
        makers[pick(g, sizeof makers / sizeof *makers)](g);
        count -= l->count > before;
    }
    g->depth--;
}

/* Sometimes the rest depends on what was read. */
void maybe_if(struct maker *g, int reg, int value)
{
    if (reg < 0 || !chance(g, 35))
        return;
    put(g, (struct instruction){chance(g, 50) ? OP_IF_EQ : OP_IF_NE, -1, 0, 0, value, reg, 0});
    make_some(g, 1);
    put(g, (struct instruction){OP_END_IF, -1, 0, 0, 0, 0, 0});
}

/* One of the newer families, and what it needs or does not go together with. */
static void choose_newer(struct maker *g, uint64_t families)
{
    uint64_t bit = 0;
    for (int tries = 0; !(bit & families) && tries < 100; tries++)
        bit = UINT64_C(1) << (OLDER + pick(g, FAMILIES - OLDER));
    g->theme |= bit & families;
    if (has(g, F_causal))
        g->theme = bit | UINT64_C(1) << F_port | (UINT64_C(1) << F_select) * pick(g, 2);
    if (has(g, F_eof))
        g->theme |= UINT64_C(1) << F_pipe;
    if (has(g, F_quickexit)) /* both ways together are undefined */
        g->theme &= ~(UINT64_C(1) << F_exit);
    if (has(g, F_mainexit) || has(g, F_symmetric))
        g->theme &= ~(UINT64_C(1) << F_exit | UINT64_C(1) << F_detach | UINT64_C(1) << F_cancel |
                      UINT64_C(1) << F_async | UINT64_C(1) << F_tryjoin | UINT64_C(1) << F_port |
                      UINT64_C(1) << F_portcall | UINT64_C(1) << F_select);
    if (has(g, F_symmetric))
        g->theme &= ~(UINT64_C(1) << F_robust | UINT64_C(1) << F_keys | UINT64_C(1) << F_threadexit);
}

static void choose_theme(struct maker *g, uint64_t families)
{
    uint64_t older = (UINT64_C(1) << OLDER) - 1;
    bool newer = (families & ~older) && (g->p->seed % 5 == 4 || !(families & older & ~UINT64_C(1)));
    int wanted = 1 + pick(g, 4);
    g->theme = (UINT64_C(1) << F_atomics) & families;
    for (int tries = 0; wanted && tries < 200; tries++) {
        uint64_t bit = UINT64_C(1) << pick(g, OLDER);
        if ((families & bit) && !(g->theme & bit)) {
            g->theme |= bit;
            wanted--;
        }
    }
    if (newer)
        choose_newer(g, families);
    /* Variants of an operation are nothing without it. */
    static const enum family needs[][2] = {
        {F_trylock, F_mutex},   {F_timedlock, F_mutex}, {F_trylockspin, F_mutex},
        {F_rwwriter, F_rwlock}, {F_rwtry, F_rwlock},    {F_rwtimed, F_rwlock},
        {F_semtimed, F_sem},    {F_condtimed, F_cond},  {F_portcall, F_port},
        {F_select, F_port},     {F_async, F_cancel},    {F_spurious, F_cond},
        {F_cond, F_mutex}};
    for (unsigned k = 0; k < sizeof needs / sizeof *needs; k++)
        if (has(g, needs[k][0]))
            g->theme |= UINT64_C(1) << needs[k][1];
    /* Nobody says what happens to a thread that is cancelled in a call of <raddle/sync.h>. */
    static const enum family without[] = {F_port, F_portcall, F_select, F_monitor, F_rsem};
    for (unsigned k = 0; has(g, F_cancel) && k < sizeof without / sizeof *without; k++)
        g->theme &= ~(UINT64_C(1) << without[k]);
}

static int choose_mutex_type(struct maker *g)
{
    int types[5] = {0}, n = 1;
    if (has(g, F_recursive))
        types[n++] = 1;
    if (has(g, F_errorcheck))
        types[n++] = 2;
    if (has(g, F_robust)) {
        types[n++] = 3;
        types[n++] = 4;
    }
    int special = n > 1 && chance(g, 80);
    return special ? types[1 + pick(g, n - 1)] : 0;
}

static void choose_objects(struct maker *g)
{
    g->mutexes = 1 + pick(g, 2);
    g->others = 1 + pick(g, 2);
    for (int i = 0; i < g->mutexes; i++)
        g->p->object[MUTEX][i] = choose_mutex_type(g);
    for (int i = 0; i < g->others; i++) {
        g->p->object[RWLOCK][i] = has(g, F_rwwriter) && chance(g, 80);
        g->p->object[SEM][i] = pick(g, 3) % 2;
        g->p->object[BARRIER_OF][i] = 2 + (g->threads > 2 && chance(g, 30));
    }
    choose_more_objects(g);
    /* Two objects in one word more often than not. */
    g->bits = 8 << pick(g, 4);
    if (g->bits == 64)
        g->bits = 32;
    for (int i = 0; i < 2; i++)
        g->place[i] = i * g->bits / 8;
    if (chance(g, 25)) {
        g->bits = 64;
        g->place[1] = 8;
    }
}

/* The thread does what the first one does. */
static void make_same(struct maker *g)
{
    g->list[g->body] = g->list[1];
    g->registers[g->body] = g->registers[1];
}

static void make_threads(struct maker *g)
{
    static const int lengths[] = {0, 6, 5, 3, 2};
    for (g->body = 1; g->body <= g->threads; g->body++) {
        g->held = 0;
        g->reading = 0;
        make_first(g);
        make_some(g, 1 + pick(g, has(g, F_cancel) ? 3 : lengths[g->threads]));
        make_last(g);
        if (has(g, F_symmetric) && g->body > 1)
            make_same(g);
        if (has(g, F_threadexit) && chance(g, 30))
            put(g, (struct instruction){OP_THREAD_EXIT, -1, 0, 0, 200 + g->body, 0, 0});
    }
    g->body = 0;
    g->held = g->reading = 0;
    if (has(g, F_cancel) && chance(g, 80))
        put(g, (struct instruction){OP_CANCEL, -1, 1 + pick(g, g->threads), 0, 0, 0, 0});
    if (chance(g, 35) || (g->p->flags & FLAG_KILL))
        make_some(g, 1 + pick(g, 2));
}

static void append(struct program *p, int body, const struct instruction *code, int count)
{
    if (!p->body[body].count)
        p->body[body].first = p->codes;
    memcpy(&p->code[p->codes], code, count * sizeof *code);
    p->codes += count;
    p->body[body].count += count;
}

/* Main makes the threads, does its own part, and joins them. */
static void assemble(struct maker *g)
{
    struct program *p = g->p;
    struct instruction end = {OP_END, -1, 0, 0, 0, 0, 0}, line = end;
    if (g->list[ATEXIT_BODY].count) {
        line = (struct instruction){OP_ATEXIT, -1, 0, 0, ATEXIT_BODY, 0, 0};
        append(p, 0, &line, 1);
    }
    for (int t = 1; t <= g->threads; t++) {
        line = (struct instruction){OP_CREATE, -1, t, 0, 0, 0, 0};
        append(p, 0, &line, 1);
    }
    append(p, 0, g->list[0].code, g->list[0].count);
    g->body = 0;
    g->list[0].count = 0;
    make_joins(g);
    append(p, 0, g->list[0].code, g->list[0].count);
    if (p->flags & FLAG_LAST)
        end.op = OP_THREAD_EXIT;
    append(p, 0, &end, 1);
    end.op = OP_END;
    for (int b = 1; b < BODIES; b++) {
        if (!g->list[b].count && (b > g->threads))
            continue;
        append(p, b, g->list[b].code, g->list[b].count);
        end.v = 100 + (p->flags & FLAG_SAME ? 0 : b);
        append(p, b, &end, 1);
    }
}

void generate(struct program *p, long seed, uint64_t families)
{
    struct maker maker = {.p = p, .random = seed * UINT64_C(0x2545f4914f6cdd1d)}, *g = &maker;
    static const int threads[] = {2, 2, 2, 2, 3, 3, 4};
    program_clear(p);
    p->seed = seed;
    for (int b = THREADS; b < BODIES; b++)
        g->registers[b] = SHARED_REGISTERS;
    g->threads = threads[pick(g, sizeof threads / sizeof *threads)];
    choose_theme(g, families);
    if (has(g, F_cancel)) /* many more steps: shorter programs */
        g->threads = 2;
    p->flags = (has(g, F_exit) || has(g, F_detach) || has(g, F_quickexit) ? FLAG_KILL : 0) |
               (has(g, F_spurious) ? FLAG_SPURIOUS : 0) | (has(g, F_cancel) ? FLAG_CANCEL : 0) |
               (has(g, F_racy) ? FLAG_RACY : 0) | (has(g, F_mainexit) ? FLAG_LAST : 0) |
               (has(g, F_symmetric) ? FLAG_SAME : 0);
    choose_objects(g);
    make_functions(g);
    make_threads(g);
    if (!has(g, F_symmetric))
        keep_promises(g);
    assemble(g);
}
