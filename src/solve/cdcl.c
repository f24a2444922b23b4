/* See cdcl.h. A clause is [size, next, next, literals…]; the first two literals are watched, and each
 * `next` continues the list of clauses that watch that one. A reference to a clause in such a list is
 * 2 * (its place) + (which of the two). Offset 0 is "no clause". */
#include "solve/cdcl.h"

#include "base/ensure.h"

#define HEAD 3u

enum { CONFLICTS_A_LOOK = 16 };

int cdcl_init(struct cdcl *s, struct arena *a, uint32_t vars, uint32_t clause_words)
{
    *s = (struct cdcl){.room = vars, .clause_room = clause_words};
    s->value = arena_alloc(a, 2 * vars);
    s->phase = arena_alloc(a, vars);
    s->seen = arena_alloc(a, vars);
    s->level = arena_alloc(a, vars * sizeof *s->level);
    s->reason = arena_alloc(a, vars * sizeof *s->reason);
    s->heads = arena_alloc(a, 2 * vars * sizeof *s->heads);
    s->clauses = arena_alloc(a, clause_words * sizeof *s->clauses);
    s->trail = arena_alloc(a, vars * sizeof *s->trail);
    s->levels = arena_alloc(a, vars * sizeof *s->levels);
    s->activity = arena_alloc(a, vars * sizeof *s->activity);
    s->heap = arena_alloc(a, vars * sizeof *s->heap);
    s->place = arena_alloc(a, vars * sizeof *s->place);
    s->learnt = arena_alloc(a, vars * sizeof *s->learnt);
    s->left_out = arena_alloc(a, vars * sizeof *s->left_out);
    if (!s->left_out || !s->clauses)
        return -1;
    cdcl_reset(s);
    return 0;
}

/* ---- the heap of undecided variables ----------------------------------------------------------- */

static void put(struct cdcl *s, uint32_t i, uint32_t var)
{
    s->heap[i] = var;
    s->place[var] = i + 1;
}

static void rise(struct cdcl *s, uint32_t i)
{
    uint32_t var = s->heap[i];
    while (i && s->activity[s->heap[(i - 1) / 2]] < s->activity[var]) {
        put(s, i, s->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    put(s, i, var);
}

static void sink(struct cdcl *s, uint32_t i)
{
    uint32_t var = s->heap[i];
    for (uint32_t k; (k = 2 * i + 1) < s->heaped; i = k) {
        if (k + 1 < s->heaped && s->activity[s->heap[k + 1]] > s->activity[s->heap[k]])
            k++;
        if (s->activity[s->heap[k]] <= s->activity[var])
            break;
        put(s, i, s->heap[k]);
    }
    put(s, i, var);
}

static void heap_add(struct cdcl *s, uint32_t var)
{
    if (s->place[var])
        return;
    put(s, s->heaped, var);
    rise(s, s->heaped++);
}

static uint32_t heap_take(struct cdcl *s)
{
    uint32_t var = s->heap[0];
    s->place[var] = 0;
    if (--s->heaped) {
        put(s, 0, s->heap[s->heaped]);
        sink(s, 0);
    }
    return var;
}

static void bump(struct cdcl *s, uint32_t var)
{
    s->activity[var] += s->bump;
    if (s->activity[var] > 1e100) {
        for (uint32_t i = 0; i < s->vars; i++)
            s->activity[i] *= 1e-100;
        s->bump *= 1e-100;
    }
    if (s->place[var])
        rise(s, s->place[var] - 1);
}

/* ---- variables and clauses ---------------------------------------------------------------------- */

static void assign(struct cdcl *s, uint32_t literal, uint32_t reason)
{
    s->value[literal] = 1;
    s->value[literal ^ 1] = -1;
    s->level[literal >> 1] = s->level_count;
    s->reason[literal >> 1] = reason;
    s->trail[s->trailed++] = literal;
}

void cdcl_reset(struct cdcl *s)
{
    s->vars = s->trailed = s->propagated = s->level_count = s->heaped = 0;
    s->used = 1;
    s->bump = 1;
    s->contradiction = s->full = false;
    cdcl_var(s, true);
    assign(s, SAT_TRUE, 0);
}

/* The later ones, which are the upper bits of numbers, a little before the others: they are zero where they
 * can be, so the answer is a small number (of threads, of bytes) rather than a large one. */
uint32_t cdcl_input(struct cdcl *s, bool phase)
{
    uint32_t literal = cdcl_var(s, phase), var = literal >> 1;
    s->activity[var] = s->bump * (1 + var * 1e-7);
    if (s->place[var])
        rise(s, s->place[var] - 1);
    return literal;
}

uint32_t cdcl_var(struct cdcl *s, bool phase)
{
    if (s->vars == s->room) {
        s->full = true;
        return SAT_TRUE;
    }
    uint32_t v = s->vars++;
    s->value[2 * v] = s->value[2 * v + 1] = 0;
    s->heads[2 * v] = s->heads[2 * v + 1] = 0;
    s->phase[v] = phase;
    s->seen[v] = 0;
    s->activity[v] = 0;
    s->place[v] = 0;
    if (v)
        heap_add(s, v);
    return 2 * v;
}

static void watch(struct cdcl *s, uint32_t at)
{
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t literal = s->clauses[at + HEAD + k];
        s->clauses[at + 1 + k] = s->heads[literal];
        s->heads[literal] = at << 1 | k;
    }
}

static uint32_t store(struct cdcl *s, const uint32_t *literals, uint32_t n)
{
    uint32_t at = s->used;
    if (s->clause_room - at < n + HEAD) {
        s->full = true;
        return 0;
    }
    s->used += n + HEAD;
    s->clauses[at] = n;
    for (uint32_t i = 0; i < n; i++)
        s->clauses[at + HEAD + i] = literals[i];
    watch(s, at);
    return at;
}

/* Called before anything is decided: what is false can be left out. */
void cdcl_clause(struct cdcl *s, const uint32_t *literals, uint32_t n)
{
    uint32_t few[8], count = 0;
    uint32_t *kept = n <= 8 ? few : s->learnt; /* which is not in use while clauses are added */
    ensure(n <= 8 || n <= s->room);
    for (uint32_t i = 0; i < n; i++) {
        if (s->value[literals[i]] > 0)
            return;
        if (s->value[literals[i]] == 0)
            kept[count++] = literals[i];
    }
    if (count == 0)
        s->contradiction = true;
    else if (count == 1)
        assign(s, kept[0], 0);
    else
        store(s, kept, count);
}

/* ---- propagation, conflicts ---------------------------------------------------------------------- */

/* Makes the clause watch another literal than its k-th, which has become false. */
static bool move_watch(struct cdcl *s, uint32_t at, uint32_t k)
{
    uint32_t *c = &s->clauses[at], *literals = c + HEAD;
    for (uint32_t i = 2; i < c[0]; i++)
        if (s->value[literals[i]] >= 0) {
            uint32_t t = literals[k];
            literals[k] = literals[i];
            literals[i] = t;
            return true;
        }
    return false;
}

/* Returns the clause that has become false, or 0. */
static uint32_t propagate_literal(struct cdcl *s, uint32_t falsified)
{
    uint32_t *link = &s->heads[falsified];
    for (uint32_t w; (w = *link) != 0; s->visits++) {
        uint32_t at = w >> 1, k = w & 1, *c = &s->clauses[at];
        uint32_t other = c[HEAD + !k];
        if (s->value[other] > 0) {
            link = &c[1 + k];
        } else if (move_watch(s, at, k)) {
            *link = c[1 + k];
            c[1 + k] = s->heads[c[HEAD + k]];
            s->heads[c[HEAD + k]] = w;
        } else if (s->value[other] < 0) {
            return at;
        } else {
            assign(s, other, at);
            link = &c[1 + k];
        }
    }
    return 0;
}

static uint32_t propagate(struct cdcl *s)
{
    uint32_t conflict = 0;
    while (!conflict && s->propagated < s->trailed)
        conflict = propagate_literal(s, s->trail[s->propagated++] ^ 1);
    return conflict;
}

static void back_to(struct cdcl *s, uint32_t level)
{
    if (s->level_count <= level)
        return;
    while (s->trailed > s->levels[level]) {
        uint32_t literal = s->trail[--s->trailed];
        s->value[literal] = s->value[literal ^ 1] = 0;
        s->phase[literal >> 1] = !(literal & 1);
        heap_add(s, literal >> 1);
    }
    s->propagated = s->trailed;
    s->level_count = level;
}

/* Marks what the clause rests on; returns how much of it was assigned at this level. */
static uint32_t mark(struct cdcl *s, uint32_t clause, uint32_t *count)
{
    uint32_t here = 0;
    for (uint32_t i = 0; i < s->clauses[clause]; i++) {
        uint32_t literal = s->clauses[clause + HEAD + i], var = literal >> 1;
        if (s->seen[var] || !s->level[var] || s->value[literal] > 0)
            continue;
        s->seen[var] = 1;
        bump(s, var);
        if (s->level[var] == s->level_count)
            here++;
        else
            s->learnt[(*count)++] = literal;
    }
    return here;
}

/* Does it follow from the others that were marked? */
static bool follows_from_marked(const struct cdcl *s, uint32_t literal)
{
    uint32_t clause = s->reason[literal >> 1];
    for (uint32_t i = 0; clause && i < s->clauses[clause]; i++) {
        uint32_t var = s->clauses[clause + HEAD + i] >> 1;
        if (var != literal >> 1 && s->level[var] && !s->seen[var])
            return false;
    }
    return clause;
}

/* Leaves out of s->learnt what follows from the rest of it, and takes the marks away. */
static uint32_t minimise(struct cdcl *s, uint32_t count)
{
    uint32_t kept = 1, out = 0;
    for (uint32_t k = 1; k < count; k++) {
        uint32_t literal = s->learnt[k];
        if (follows_from_marked(s, literal))
            s->left_out[out++] = literal;
        else
            s->learnt[kept++] = literal;
    }
    for (uint32_t k = 1; k < kept; k++)
        s->seen[s->learnt[k] >> 1] = 0;
    while (out)
        s->seen[s->left_out[--out] >> 1] = 0;
    return kept;
}

/* The first unique implication point. Fills s->learnt, its literal first; gives the level to go back
 * to. */
static uint32_t analyse(struct cdcl *s, uint32_t conflict, uint32_t *back)
{
    uint32_t count = 1, open = mark(s, conflict, &count), i = s->trailed, literal;
    for (;;) {
        do
            literal = s->trail[--i];
        while (!s->seen[literal >> 1]);
        s->seen[literal >> 1] = 0;
        if (--open == 0)
            break;
        open += mark(s, s->reason[literal >> 1], &count);
    }
    s->learnt[0] = literal ^ 1;
    *back = 0;
    count = minimise(s, count);
    for (uint32_t k = 1; k < count; k++) {
        uint32_t level = s->level[s->learnt[k] >> 1];
        if (level > *back) {
            uint32_t t = s->learnt[1];
            *back = level;
            s->learnt[1] = s->learnt[k];
            s->learnt[k] = t;
        }
    }
    return count;
}

static void learn(struct cdcl *s, uint32_t conflict)
{
    uint32_t back, count = analyse(s, conflict, &back);
    back_to(s, back);
    s->bump *= 1.05;
    if (count == 1)
        assign(s, s->learnt[0], 0);
    else {
        uint32_t at = store(s, s->learnt, count);
        if (at)
            assign(s, s->learnt[0], at);
    }
}

static bool decide(struct cdcl *s)
{
    while (s->heaped) {
        uint32_t var = heap_take(s);
        if (s->value[2 * var])
            continue;
        s->levels[s->level_count++] = s->trailed;
        assign(s, 2 * var + !s->phase[var], 0);
        return true;
    }
    return false;
}

/* The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 … */
static uint64_t luby(uint64_t i)
{
    uint64_t size = 1, power = 1;
    while (size < i + 1) {
        size = 2 * size + 1;
        power *= 2;
    }
    while (size - 1 != i) {
        size = (size - 1) / 2;
        power /= 2;
        i %= size;
    }
    return power;
}

enum answer cdcl_solve(struct cdcl *s, uint64_t budget)
{
    uint64_t restarts = 0, left = 64 * luby(0), most = budget * CDCL_VISITS;
    s->visits = 0;
    if (s->full)
        return ANSWER_UNKNOWN;
    if (s->contradiction)
        return ANSWER_NO;
    for (;;) {
        uint32_t conflict = propagate(s);
        if (!conflict) {
            if (!decide(s))
                return ANSWER_YES;
            continue;
        }
        s->conflicts++;
        if (!s->level_count)
            return ANSWER_NO;
        if (!budget-- || s->visits > most)
            return ANSWER_UNKNOWN;
        learn(s, conflict);
        if (s->full)
            return ANSWER_UNKNOWN;
        if (!--left) {
            back_to(s, 0);
            left = 64 * luby(++restarts);
        }
        if (s->conflicts % CONFLICTS_A_LOOK == 0 && s->go_on && !s->go_on())
            return ANSWER_UNKNOWN;
    }
}
