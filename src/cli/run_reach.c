#include "cli/run_reach.h"

#include "report/objects.h"

#include <stdlib.h>
#include <string.h>

static int add_option(struct run_config *c, const char *text, struct error *e)
{
    char *to = (char *)c->engine_options, *end = to + sizeof c->engine_options - 1;
    while (*to)
        to += strlen(to) + 1;
    if (strlen(text) + 1 > (size_t)(end - to))
        return error_set(e, EXIT_USAGE, "the options of the engine are too long: '%s'", text);
    strcpy(to, text);
    return 0;
}

/* Reductions, and what each preserves. */
#define PAPER "races are left out as in the paper on reachability testing, which can lose behaviours"
static const struct {
    const char *name, *preserves;
} reductions[] = {
    {"pv", "--reduce=pv: the order of posts of a counting semaphore, and of posts and waits that its initial "
           "value was enough for, is not explored; every behaviour is kept"},
    {"symmetry", "--reduce=symmetry: of threads declared to be interchangeable one stands for all; every "
                 "behaviour is kept up to exchanging them, if they are what was declared"},
    {"messages", "--reduce=messages: orders of messages within a uniform port are not explored; every "
                 "behaviour is kept, if only the number of its messages matters as was declared"},
    {"paper-pv", "--reduce=paper-pv: " PAPER},
    {"paper-symmetry", "--reduce=paper-symmetry: " PAPER},
    {"paper-messages", "--reduce=paper-messages: " PAPER},
};
enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

static int has_option(const struct run_config *c, const char *name)
{
    size_t n = strlen(name);
    for (const char *o = (const char *)c->engine_options; *o; o += strlen(o) + 1)
        if (!strncmp(o, name, n) && o[n] == '=')
            return 1;
    return 0;
}

void run_reach_tell(const struct run_config *c, struct report *r)
{
    for (size_t i = 0; i < REDUCTIONS && !strcmp(c->engine, "reach"); i++)
        if (has_option(c, reductions[i].name))
            vec_push(&r->reductions, mem_strdup(reductions[i].preserves));
}

static int add_reductions(const char *list, struct run_config *c, struct error *e)
{
    char *copy = mem_strdup(!strcmp(list, "all") ? "pv,symmetry,messages" : list), *rest;
    int status = 0, paper = 0, words = 0;
    for (char *w = strtok_r(copy, ",", &rest); w && !status; w = strtok_r(NULL, ",", &rest)) {
        char option[32];
        size_t i = 0;
        while (i < REDUCTIONS && strcmp(reductions[i].name, w))
            i++;
        if (i == REDUCTIONS)
            status = error_set(e, EXIT_USAGE,
                               "--reduce wants pv, symmetry, messages or all, or paper-pv, paper-symmetry, "
                               "paper-messages, not '%s'", w);
        else
            status = add_option(c, strcat(strcpy(option, w), "=on"), e);
        paper += !strncmp(w, "paper-", 6);
        words++;
    }
    if (!status && paper && paper < words)
        status = error_set(e, EXIT_USAGE, "--reduce: those of the paper do not go together with others");
    free(copy);
    return status;
}

int run_reach_options(const char *reduce, struct run_config *c, struct error *e)
{
    if (reduce && strcmp(c->engine, "reach"))
        return error_set(e, EXIT_USAGE, "--reduce is an option of --engine reach");
    if (reduce && has_option(c, "history"))
        return error_set(e, EXIT_USAGE, "history=on knows no reductions");
    return reduce ? add_reductions(reduce, c, e) : 0;
}

static int add_functions(const char *names, const struct objects *o, struct run_config *c,
                         struct error *e)
{
    char *copy = mem_strdup(names), *rest;
    struct sbuf list = {0};
    int status = 0;
    sbuf_puts(&list, "symmetric=");
    for (char *w = strtok_r(copy, ",", &rest); w && !status; w = strtok_r(NULL, ",", &rest)) {
        uint64_t address = objects_function(o, w);
        if (!address)
            status = error_set(e, EXIT_USAGE, "--symmetric: the program has no function '%s'", w);
        sbuf_printf(&list, "%#llx,", (unsigned long long)address);
    }
    if (!status)
        status = add_option(c, sbuf_str(&list), e) ||
                         (!has_option(c, "paper-symmetry") && add_option(c, "symmetry=on", e))
                     ? -1
                     : 0;
    sbuf_free(&list);
    free(copy);
    return status;
}

int run_reach_symmetric(const char *functions, const char *program, struct run_config *c,
                        struct error *e)
{
    struct objects o;
    if (!functions)
        return 0;
    if (strcmp(c->engine, "reach"))
        return error_set(e, EXIT_USAGE, "--symmetric is an option of --engine reach");
    if (objects_open(&o, program, e))
        return -1;
    int status = add_functions(functions, &o, c, e);
    objects_free(&o);
    return status;
}
