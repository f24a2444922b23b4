/* oracle — random concurrent programs, as C and as data, and everything they can come to.
 *
 *   oracle generate FIRST COUNT [--paths N] [--states N] [--without FAMILY,…] [--only FAMILY,…]
 *       writes COUNT programs in text form, with seeds from FIRST on (those too large are left out)
 *   oracle emit        reads programs, writes one C file; its main takes the number of a program (and
 *                      an outcome that it asserts not to happen)
 *   oracle enumerate   reads programs, writes for each what it can come to
 *   oracle traces      reads programs, writes how many traces each has; -1: too many paths
 *   oracle families    the names of the families */
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "search.h"

struct options {
    long first, count;
    double paths;
    int states;
    uint64_t families;
};

static uint64_t family_set(const char *names)
{
    uint64_t set = 0;
    char *copy = strdup(names), *rest = copy, *name;
    while ((name = strsep(&rest, ","))) {
        int f = 0;
        while (family_name(f) && strcmp(family_name(f), name))
            f++;
        if (*name && !family_name(f)) {
            fprintf(stderr, "oracle: no family '%s'\n", name);
            exit(64);
        }
        if (*name)
            set |= UINT64_C(1) << f;
    }
    free(copy);
    return set;
}

/* A program whose behaviour is defined, with few enough paths for exploration without reduction,
 * and mostly not all of them to the same end. */
static bool wanted(const struct program *p, const struct options *o)
{
    struct verdict v;
    search(p, o->states, true, &v);
    bool dull = v.outcomes == 1 && !v.deadlock && p->seed % 8;
    bool fits =
        !v.undefined && !v.too_large && v.paths <= o->paths && !dull && v.outcomes + v.deadlock > 0;
    verdict_free(&v);
    return fits;
}

static void generate_all(const struct options *o)
{
    static struct program p;
    long made = 0;
    for (long seed = o->first; made < o->count; seed++) {
        generate(&p, seed, o->families);
        if (wanted(&p, o)) {
            program_write(&p, stdout);
            made++;
        }
    }
}

static void emit_all(void)
{
    static struct program p;
    int count = 0;
    printf("#include \"objects.h\"\n");
    while (program_read(&p, stdin))
        emit(&p, count++, stdout);
    printf("\nstatic void (*const programs[])(void) = {");
    for (int i = 0; i < count; i++)
        printf("p%d_main, ", i);
    printf("};\n\nint main(int count, char **arguments)\n{\n    clear_registers();\n"
           "    forbidden = count > 2 ? arguments[2] : NULL;\n"
           "    programs[atoi(arguments[1])]();\n    return 0;\n}\n");
}

static void print_verdict(const struct verdict *v)
{
    if (v->undefined || v->too_large)
        printf("%s\n", v->undefined ? "undefined" : "too large");
    if (v->deadlock)
        printf("deadlock\n");
    if (v->livelock_sure || v->livelock_possible)
        printf("livelock %s\n", v->livelock_sure ? "sure" : "possible");
    for (int i = 0; i < v->outcomes; i++)
        printf("@%s\n", v->outcome[i]);
}

/* First what must be seen, then what may be. */
static void enumerate_all(int states)
{
    static struct program p;
    while (program_read(&p, stdin)) {
        struct verdict v, w;
        search(&p, states, false, &v);
        search(&p, states, true, &w);
        printf("program %ld flags %d states %d paths %.0f\n", p.seed, p.flags, v.states, v.paths);
        print_verdict(&v);
        printf("allowed\n");
        print_verdict(&w);
        printf("end\n");
        verdict_free(&v);
        verdict_free(&w);
    }
}

static void count_all(int max_paths)
{
    static struct program p;
    while (program_read(&p, stdin))
        printf("%d\n", count_traces(&p, max_paths));
}

static void parse(struct options *o, int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        i++;
        if (!strcmp(name, "--paths"))
            o->paths = atof(value);
        else if (!strcmp(name, "--states"))
            o->states = atoi(value);
        else if (!strcmp(name, "--without"))
            o->families &= ~family_set(value);
        else if (!strcmp(name, "--only"))
            o->families = family_set(value);
        else
            i--;
    }
}

int main(int count, char **arguments)
{
    struct options o = {1, 10, 3000, 8000, ~UINT64_C(0)};
    const char *command = count > 1 ? arguments[1] : "";
    parse(&o, count, arguments);
    if (!strcmp(command, "generate") && count >= 4) {
        o.first = atol(arguments[2]);
        o.count = atol(arguments[3]);
        generate_all(&o);
    } else if (!strcmp(command, "emit")) {
        emit_all();
    } else if (!strcmp(command, "enumerate")) {
        enumerate_all(o.states);
    } else if (!strcmp(command, "traces")) {
        count_all((int)o.paths);
    } else if (!strcmp(command, "families")) {
        for (int f = 0; family_name(f); f++)
            printf("%s\n", family_name(f));
    } else {
        fprintf(stderr, "usage: oracle generate FIRST COUNT | emit | enumerate | traces | families\n");
        return 64;
    }
    return 0;
}
