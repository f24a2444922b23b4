/* Random systems in SPIN: the exported Promela model has the same number of states and transitions,
 * and (where ports are channels) the same verdict about deadlocks. */
#include "model/promela.h"
#include "model/search.h"
#include "model_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

struct answer {
    unsigned long long states, transitions, errors;
};

static int ask_spin(const char *text, struct answer *a)
{
    char dir[] = "/tmp/raddle-test-XXXXXX", command[600], line[400];
    assert_non_null(mkdtemp(dir));
    snprintf(command, sizeof command, "%s/m.pml", dir);
    FILE *f = fopen(command, "w");
    fputs(text, f);
    fclose(f);
    snprintf(command, sizeof command,
             "cd %s && spin -o1 -o2 -a m.pml >out 2>&1 && gcc -w -O0 -DSAFETY -DNOREDUCE -DNOCLAIM "
             "-o pan "
             "pan.c && ./pan -q -c0 -m100000 -w18 2>&1; rm -rf %s",
             dir, dir);
    *a = (struct answer){0};
    f = popen(command, "r");
    while (fgets(line, sizeof line, f)) {
        char *e = strstr(line, "errors: ");
        if (e)
            sscanf(e, "errors: %llu", &a->errors);
        if (strstr(line, "states, stored"))
            sscanf(line, "%llu", &a->states);
        if (strstr(line, "transitions (="))
            sscanf(line, "%llu", &a->transitions);
    }
    pclose(f);
    return a->states ? 0 : -1;
}

static int compare(uint64_t seed, enum scheme scheme)
{
    struct model_source src;
    struct ast ast;
    struct sys s;
    struct error e = {0};
    struct sbuf text = {0};
    random_model(seed, 0, &text);
    if (model_source_text(&src, "random", sbuf_str(&text), &e) || ast_parse(&src, &ast, &e) ||
        sys_load(&s, &ast, NULL, 0, &e) || sys_layout(&s, scheme, 4, &e))
        fail_msg("%s", e.what);
    sbuf_free(&text);
    struct model_search se;
    struct search_options o = {.jobs = 1, .memory = 1u << 26, .quiet = 1, .interpret = 1};
    search_run(&se, &s, &o);
    if (se.incomplete || se.states < 30)
        return 0;
    char *promela = promela_text(&s, &e);
    struct answer a;
    assert_non_null(promela);
    if (ask_spin(promela, &a))
        fail_msg("seed %llu: SPIN gives no answer", (unsigned long long)seed);
    if (a.states != se.states || a.transitions != se.edges + 1 ||
        (scheme != SCHEME_ASYNC && !a.errors != !se.counts[FOUND_DEADLOCK]))
        fail_msg("seed %llu under %s: raddle %llu/%llu/%llu, SPIN %llu/%llu/%llu",
                 (unsigned long long)seed, sys_scheme_name(scheme), (unsigned long long)se.states,
                 (unsigned long long)se.edges, (unsigned long long)se.counts[FOUND_DEADLOCK],
                 a.states, a.transitions, a.errors);
    free(promela);
    search_free(&se);
    return 1;
}

static void random_systems(void **state)
{
    if (system("command -v spin >/dev/null"))
        skip();
    static const enum scheme schemes[] = {SCHEME_FIFO, SCHEME_MAILBOX, SCHEME_ASYNC};
    int compared = 0, wanted = getenv("RADDLE_LONG") ? 150 : 9;
    for (uint64_t seed = 1; compared < wanted; seed++)
        compared += compare(seed, schemes[compared % 3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
