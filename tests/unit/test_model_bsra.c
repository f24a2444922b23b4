/* BSRA, BSRA with sleep sets, SRA and POR against the full graph on random systems, for each of the
 * three schemes of the dissertation: the same deadlock states (theorem 2.4.2), the same executable
 * transitions, the same violated assertions and invariants; never more states. */
#include "model/search.h"
#include "model_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { SYSTEMS = 5000, BATCH = 500 };

static int compare_bytes(const void *a, const void *b)
{
    const struct gstate *x = *(struct gstate *const *)a, *y = *(struct gstate *const *)b;
    return x->len != y->len ? x->len - y->len : memcmp(x->b, y->b, (size_t)x->len);
}

static size_t deadlocks(struct model_search *se, struct gstate **out)
{
    size_t n = 0;
    for (size_t i = 0; i < se->findings.count; i++) {
        const struct model_finding *f = &se->findings.items[i];
        if (f->kind != FOUND_DEADLOCK)
            continue;
        int len;
        const uint8_t *p = store_state(&se->store, f->state, &len);
        out[n] = mem_alloc(sizeof(int) + (size_t)len + 8);
        out[n]->len = len;
        memcpy(out[n]->b, p, (size_t)len);
        n++;
    }
    qsort(out, n, sizeof *out, compare_bytes);
    return n;
}

static int same_deadlocks(struct model_search *a, struct model_search *b)
{
    struct gstate **x = mem_alloc((a->findings.count + 1) * sizeof *x);
    struct gstate **y = mem_alloc((b->findings.count + 1) * sizeof *y);
    size_t n = deadlocks(a, x), m = deadlocks(b, y);
    int same = n == m;
    for (size_t i = 0; same && i < n; i++)
        same = !compare_bytes(&x[i], &y[i]);
    for (size_t i = 0; i < n; i++)
        free(x[i]);
    for (size_t i = 0; i < m; i++)
        free(y[i]);
    free(x);
    free(y);
    return same;
}

static const char *difference(const struct sys *s, struct model_search *full, struct model_search *red)
{
    if (!!full->counts[FOUND_FAULT] != !!red->counts[FOUND_FAULT])
        return "assertions";
    if (full->counts[FOUND_FAULT]) /* a process that fails stands still: nothing else is promised */
        return NULL;
    if (!same_deadlocks(full, red))
        return "deadlock states";
    if (!!full->counts[FOUND_INVARIANT] != !!red->counts[FOUND_INVARIANT])
        return "invariants";
    if (red->o.reduce != REDUCE_POR && memcmp(full->executed, red->executed, (size_t)s->ntrans))
        return "executable transitions";
    if (red->states > full->states)
        return "more states than the full graph";
    return NULL;
}

enum { REDUCTIONS = REDUCE_POR };
static uint64_t total[1 + REDUCTIONS];

/* 0: agrees, 1: does not, 2: not usable (too large or unbounded). */
static int compare_system(uint64_t seed, enum scheme scheme, int properties, const char **what)
{
    struct sbuf text = {0};
    struct model_source src;
    struct ast ast;
    struct sys s;
    struct error e = {0};
    random_model(seed, properties, &text);
    if (model_source_text(&src, "random", sbuf_str(&text), &e) || ast_parse(&src, &ast, &e) ||
        sys_load(&s, &ast, NULL, 0, &e) || sys_layout(&s, scheme, 6, &e)) {
        fprintf(stderr, "# %s\n", e.what);
        *what = "the model is not accepted";
        return 1;
    }
    struct search_options o = {
        .jobs = 1, .memory = 8u << 20, .quiet = 1, .interpret = 1, .keep = 1000000};
    struct model_search full, red[REDUCTIONS];
    search_run(&full, &s, &o);
    int verdict = full.incomplete ? 2 : 0;
    for (int k = 0; k < REDUCTIONS && !verdict; k++) {
        o.reduce = (enum reduce)(REDUCE_BSRA + k);
        search_run(&red[k], &s, &o);
        *what = difference(&s, &full, &red[k]);
        verdict = *what != NULL;
        total[1 + k] += red[k].states;
        if (k == 1 && red[1].states > red[0].states) {
            *what = "sleep sets add states";
            verdict = 1;
        }
    }
    total[0] += verdict == 0 ? full.states : 0;
    sbuf_free(&text);
    search_free(&full);
    for (int k = 0; k < REDUCTIONS && verdict == 0; k++)
        search_free(&red[k]);
    return verdict; /* the rest goes with the process */
}

static void run_batch(enum scheme scheme, uint64_t first, int count, int properties)
{
    int used = 0;
    for (uint64_t seed = first; used < count; seed++) {
        const char *what = NULL;
        int v = compare_system(seed, scheme, properties, &what);
        used += v == 0;
        if (v == 1) {
            fprintf(stderr, "# seed %llu, %s: %s\n", (unsigned long long)seed,
                    sys_scheme_name(scheme), what);
            _exit(1);
        }
    }
    if (getenv("VERBOSE"))
        fprintf(stderr, "# full %llu bsra %llu sleep %llu sra %llu por %llu\n",
                (unsigned long long)total[0], (unsigned long long)total[1],
                (unsigned long long)total[2], (unsigned long long)total[3],
                (unsigned long long)total[4]);
    _exit(0);
}

/* In child processes, because a model's parts live as long as their process. */
static void compare_many(enum scheme scheme, int properties)
{
    for (int i = 0; i < SYSTEMS / BATCH; i++) {
        pid_t pid = fork();
        if (pid == 0)
            run_batch(scheme, 1 + (uint64_t)i * 1000000, BATCH, properties && i % 2);
        int status;
        waitpid(pid, &status, 0);
        assert_int_equal(status, 0);
    }
}

static void async_systems(void **state)
{
    compare_many(SCHEME_ASYNC, 1);
}

static void fifo_systems(void **state)
{
    compare_many(SCHEME_FIFO, 1);
}

static void causal_systems(void **state)
{
    compare_many(SCHEME_CAUSAL, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(async_systems),
        cmocka_unit_test(fifo_systems),
        cmocka_unit_test(causal_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
