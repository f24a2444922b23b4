/* See solver.h. */
#include "solve/solver.h"

#define SLICE_ROOM (1u << 20)

int solver_init(struct solver *s, struct arena *a, uint64_t memory)
{
    uint64_t room = memory / 128;
    uint32_t nodes = room > 1u << 24 ? 1u << 24 : (uint32_t)room;
    uint32_t buckets = 1u << 20;
    *s = (struct solver){.budget = 20000, .set_room = nodes / 4, .bucket_mask = buckets - 1,
                         .pool_room = nodes, .pool_used = 1, .set_count = 1};
    if (exprs_init(&s->x, a, nodes) || blast_init(&s->blast, &s->x, a))
        return -1;
    s->sets = arena_alloc(a, s->set_room * sizeof *s->sets);
    s->set_of = arena_alloc(a, nodes * sizeof *s->set_of);
    s->slice = arena_alloc(a, SLICE_ROOM * sizeof *s->slice);
    s->buckets = arena_alloc(a, buckets * sizeof *s->buckets);
    s->pool = arena_alloc(a, s->pool_room * sizeof *s->pool);
    s->scratch = arena_alloc(a, EXPR_INPUTS);
    return s->sets && s->set_of && s->slice && s->buckets && s->pool && s->scratch ? 0 : -1;
}

/* ---- slicing --------------------------------------------------------------------------------------- */

static void insert_sorted(uint32_t *v, uint32_t *n, uint32_t e)
{
    uint32_t i = *n;
    for (uint32_t k = 0; k < i; k++)
        if (v[k] == e)
            return;
    for (; i && v[i - 1] > e; i--)
        v[i] = v[i - 1];
    v[i] = e;
    (*n)++;
}

/* Inputs are known by the lowest bits of their numbers: the slice may be larger than needed. */
static uint32_t cut_slice(struct solver *s, const uint32_t *conditions, uint32_t n, uint32_t last)
{
    uint64_t reached = s->x.nodes[last].inputs, before;
    uint32_t count = 0;
    do {
        before = reached;
        for (uint32_t i = 0; i < n; i++)
            if (s->x.nodes[conditions[i]].inputs & reached)
                reached |= s->x.nodes[conditions[i]].inputs;
    } while (reached != before);
    for (uint32_t i = 0; i < n && count + 1 < SLICE_ROOM; i++)
        if (s->x.nodes[conditions[i]].inputs & reached)
            insert_sorted(s->slice, &count, conditions[i]);
    insert_sorted(s->slice, &count, last);
    return count;
}

/* ---- one byte -------------------------------------------------------------------------------------- */

static void find_set(struct solver *s, uint32_t e, struct byte_set *set)
{
    uint8_t *byte = &s->scratch[s->x.nodes[e].single - 1];
    uint8_t kept = *byte;
    const uint32_t *list;
    uint32_t n = expr_walk(&s->x, &e, 1, &list);
    for (unsigned v = 0; v < 256; v++) {
        *byte = (uint8_t)v;
        expr_eval_list(&s->x, list, n, s->scratch, EXPR_INPUTS);
        if (s->x.values[e])
            set->bits[v / 64] |= 1ull << v % 64;
    }
    *byte = kept;
}

/* NULL: no room for more of them. */
static const struct byte_set *set_of(struct solver *s, uint32_t e)
{
    if (!s->set_of[e]) {
        if (s->set_count == s->set_room)
            return NULL;
        s->set_of[e] = s->set_count++;
        find_set(s, e, &s->sets[s->set_of[e]]);
    }
    return &s->sets[s->set_of[e]];
}

/* Nothing but conditions on single bytes: those on the byte of `last` decide. */
static enum answer ask_bytes(struct solver *s, uint32_t count, uint32_t last, uint8_t *bytes)
{
    uint16_t byte = s->x.nodes[last].single;
    struct byte_set all = {{~0ull, ~0ull, ~0ull, ~0ull}};
    for (uint32_t i = 0; i < count; i++)
        if (!s->x.nodes[s->slice[i]].single)
            return ANSWER_UNKNOWN;
    for (uint32_t i = 0; i < count; i++) {
        if (s->x.nodes[s->slice[i]].single != byte)
            continue;
        const struct byte_set *set = set_of(s, s->slice[i]);
        if (!set)
            return ANSWER_UNKNOWN;
        for (int k = 0; k < 4; k++)
            all.bits[k] &= set->bits[k];
    }
    for (unsigned k = 0; k < 4; k++)
        if (all.bits[k]) {
            bytes[byte - 1] = (uint8_t)(64 * k + (unsigned)__builtin_ctzll(all.bits[k]));
            return ANSWER_YES;
        }
    return ANSWER_NO;
}

/* ---- all combinations of a few values ------------------------------------------------------------------ */

#define TRY_BYTES 4
#define TRY_MOST 4096

struct choice {
    uint32_t byte;
    struct byte_set set;
};

static void meet(struct byte_set *a, const struct byte_set *b)
{
    for (int k = 0; k < 4; k++)
        a->bits[k] &= b->bits[k];
}

static unsigned size_of(const struct byte_set *a)
{
    unsigned n = 0;
    for (int k = 0; k < 4; k++)
        n += (unsigned)__builtin_popcountll(a->bits[k]);
    return n;
}

/* The next value in the set from v on; 256 if there is none. */
static unsigned next_value(const struct byte_set *a, unsigned v)
{
    while (v < 256 && !(a->bits[v / 64] >> v % 64 & 1))
        v++;
    return v;
}

/* The values that each input of the slice may have by itself; how many combinations, 0: too many. */
static uint64_t gather_choices(struct solver *s, uint32_t count, struct choice *choices, unsigned *n)
{
    const uint32_t *list;
    uint64_t product = 1;
    uint32_t walked;
    for (uint32_t i = 0; i < count; i++)
        if (s->x.nodes[s->slice[i]].single && !set_of(s, s->slice[i]))
            return 0;
    walked = expr_walk(&s->x, s->slice, count, &list);
    for (uint32_t i = 0; i < walked; i++)
        if (s->x.nodes[list[i]].op == OP_INPUT) {
            if (*n == TRY_BYTES)
                return 0;
            choices[(*n)++] = (struct choice){s->x.nodes[list[i]].a, {{~0ull, ~0ull, ~0ull, ~0ull}}};
        }
    for (unsigned k = 0; k < *n; k++) {
        for (uint32_t i = 0; i < count; i++)
            if (s->x.nodes[s->slice[i]].single == choices[k].byte + 1)
                meet(&choices[k].set, set_of(s, s->slice[i]));
        product *= size_of(&choices[k].set);
        if (product > TRY_MOST)
            return 0;
    }
    return product ? product : 1;
}

/* The next combination, in bytes; false if there is none. */
static bool advance(const struct choice *choices, unsigned n, uint8_t *bytes)
{
    for (unsigned k = 0; k < n; k++) {
        unsigned v = next_value(&choices[k].set, bytes[choices[k].byte] + 1u);
        if (v < 256) {
            bytes[choices[k].byte] = (uint8_t)v;
            return true;
        }
        bytes[choices[k].byte] = (uint8_t)next_value(&choices[k].set, 0);
    }
    return false;
}

static bool all_hold(const struct solver *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!s->x.values[s->slice[i]])
            return false;
    return true;
}

static enum answer ask_trying(struct solver *s, uint32_t count, uint8_t *bytes)
{
    struct choice choices[TRY_BYTES];
    uint8_t before[TRY_BYTES];
    unsigned n = 0;
    const uint32_t *list;
    if (!gather_choices(s, count, choices, &n))
        return ANSWER_UNKNOWN;
    for (unsigned k = 0; k < n; k++)
        before[k] = bytes[choices[k].byte];
    uint32_t walked = expr_walk(&s->x, s->slice, count, &list);
    bool possible = true;
    for (unsigned k = 0; k < n; k++) {
        possible &= size_of(&choices[k].set) > 0;
        bytes[choices[k].byte] = (uint8_t)next_value(&choices[k].set, 0);
    }
    while (possible) {
        expr_eval_list(&s->x, list, walked, bytes, EXPR_INPUTS);
        if (all_hold(s, count))
            return ANSWER_YES;
        possible = advance(choices, n, bytes);
    }
    for (unsigned k = 0; k < n; k++)
        bytes[choices[k].byte] = before[k];
    return ANSWER_NO;
}

/* ---- the cache: entries [count, answer, values, conditions…, (byte << 8 | value)…] -------------------- */

static uint64_t *bucket_of(struct solver *s, uint32_t count)
{
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++)
        h = (h ^ s->slice[i]) * 0x9e3779b97f4a7c15ull + (h >> 29);
    return &s->buckets[(h ^ h >> 32) & s->bucket_mask];
}

static bool is_slice(const struct solver *s, const uint32_t *entry, uint32_t count)
{
    if (entry[0] != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (entry[3 + i] != s->slice[i])
            return false;
    return true;
}

/* A bucket has room for the two slices that came there last. */
static const uint32_t *recall(struct solver *s, uint32_t count)
{
    uint64_t places = *bucket_of(s, count);
    for (; places; places >>= 32)
        if ((uint32_t)places && is_slice(s, &s->pool[(uint32_t)places], count))
            return &s->pool[(uint32_t)places];
    return NULL;
}

static void remember(struct solver *s, uint32_t count, enum answer answer, const uint8_t *bytes)
{
    const uint32_t *list;
    uint32_t walked = expr_walk(&s->x, s->slice, count, &list), values = 0;
    if (s->pool_room - s->pool_used < 3 + count + walked)
        return;
    uint32_t at = s->pool_used, *entry = &s->pool[at];
    for (uint32_t i = 0; i < count; i++)
        entry[3 + i] = s->slice[i];
    for (uint32_t i = 0; i < walked && answer == ANSWER_YES; i++)
        if (s->x.nodes[list[i]].op == OP_INPUT) {
            uint32_t byte = s->x.nodes[list[i]].a;
            entry[3 + count + values++] = byte << 8 | bytes[byte];
        }
    entry[0] = count;
    entry[1] = answer;
    entry[2] = values;
    s->pool_used += 3 + count + values;
    uint64_t *bucket = bucket_of(s, count);
    *bucket = *bucket << 32 | at;
}

static enum answer use_entry(const uint32_t *entry, uint8_t *bytes)
{
    for (uint32_t i = 0; i < entry[2]; i++) {
        uint32_t value = entry[3 + entry[0] + i];
        bytes[value >> 8] = (uint8_t)value;
    }
    return (enum answer)entry[1];
}

/* ---- all together ----------------------------------------------------------------------------------- */

static enum answer ask_slice(struct solver *s, uint32_t count, uint32_t last, uint8_t *bytes)
{
    enum answer answer = s->x.nodes[last].single ? ask_bytes(s, count, last, bytes) : ANSWER_UNKNOWN;
    if (answer != ANSWER_UNKNOWN) {
        s->stats.by_bytes++;
        return answer;
    }
    const uint32_t *known = recall(s, count);
    if (known) {
        s->stats.by_cache++;
        return use_entry(known, bytes);
    }
    answer = ask_trying(s, count, bytes);
    if (answer != ANSWER_UNKNOWN) {
        s->stats.by_trying++;
        remember(s, count, answer, bytes);
        return answer;
    }
    s->stats.by_sat++;
    answer = blast_solve(&s->blast, s->slice, count, bytes, s->budget);
    remember(s, count, answer, bytes);
    return answer;
}

static bool holds(struct solver *s, uint32_t count, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        if (!expr_eval(&s->x, s->slice[i], bytes, EXPR_INPUTS))
            return false;
    return true;
}

enum answer solver_ask(struct solver *s, const uint32_t *conditions, uint32_t n, uint32_t last,
                       uint8_t *bytes)
{
    s->stats.asked++;
    if (s->x.nodes[last].op == OP_CONST) {
        s->stats.constant++;
        return s->x.nodes[last].value ? ANSWER_YES : ANSWER_NO;
    }
    uint32_t count = cut_slice(s, conditions, n, last);
    enum answer answer = ask_slice(s, count, last, bytes);
    if (answer == ANSWER_YES && !holds(s, count, bytes)) {
        s->stats.wrong++;
        answer = ANSWER_UNKNOWN;
    }
    if (s->answered)
        s->answered(s->slice, count, answer);
    s->stats.no += answer == ANSWER_NO;
    s->stats.unknown += answer == ANSWER_UNKNOWN;
    return answer;
}
