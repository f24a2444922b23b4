/* The picture follows figures 1, 2, 4, 5 and 6 of PLDI 2007: growth of the number of distinct states
 * with the executions (both logarithmic, so that engines of very different speed fit), and the share
 * of the states that executions with at most c preemptions show. gnuplot gets the numbers inside its
 * script, one block per file. */
#include "report/coverage.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static void put_sample(struct sbuf *out, const char *engine, const struct coverage_sample *c)
{
    sbuf_printf(out, "%s,%llu,%u,%llu,%llu\n", engine, (unsigned long long)c->executions, c->bound,
                (unsigned long long)c->states, (unsigned long long)c->traces);
}

/* The samples, and between them the exact numbers at the end of each bound. */
void coverage_csv(const struct shared *s, const char *engine, struct sbuf *out)
{
    const struct coverage *c = &s->coverage;
    uint32_t i = 0;
    sbuf_puts(out, "engine,executions,bound,states,traces\n");
    for (int b = 0; b < BOUND_STATS; b++) {
        const struct coverage_sample *end = &c->of_bound[b];
        if (!end->executions)
            continue;
        for (; i < c->count && i < COVERAGE_SAMPLES; i++) {
            if (c->samples[i].executions >= end->executions)
                break;
            put_sample(out, engine, &c->samples[i]);
        }
        put_sample(out, engine, end);
        i += i < c->count && c->samples[i].executions == end->executions;
    }
}

/* ---- drawing ---- */

struct coverage_curve {
    char name[64];
    struct sbuf growth;   /* "executions states\n" */
    double by_bound[BOUND_STATS];
    int bounds; /* number of bounds seen; 1 = the engine has none */
    double states;
};

static int read_curve(struct coverage_curve *c, const char *file, struct error *e)
{
    FILE *f = fopen(file, "r");
    char line[256], engine[64];
    unsigned long long executions, states, traces;
    unsigned bound;
    if (!f)
        return error_set(e, EXIT_USAGE, "cannot read %s: %s", file, strerror(errno));
    int good = fgets(line, sizeof line, f) && !strcmp(line, "engine,executions,bound,states,traces\n");
    for (int n = 2; good && fgets(line, sizeof line, f); n++) {
        /* The name goes into a script of gnuplot, which can do anything: no quotes. */
        if (sscanf(line, "%63[a-z0-9:-],%llu,%u,%llu,%llu", engine, &executions, &bound, &states,
                   &traces) != 5) {
            fclose(f);
            return error_set(e, EXIT_USAGE, "%s:%d: not a line of raddle run --coverage", file, n);
        }
        snprintf(c->name, sizeof c->name, "%s", engine);
        sbuf_printf(&c->growth, "%llu %llu\n", executions, states);
        if (bound < BOUND_STATS) {
            c->by_bound[bound] = (double)states;
            c->bounds = (int)bound + 1 > c->bounds ? (int)bound + 1 : c->bounds;
        }
        c->states = (double)states;
    }
    fclose(f);
    if (!good || !c->bounds)
        return error_set(e, EXIT_USAGE, "%s is not a file of raddle run --coverage", file);
    return 0;
}

static void put_data(struct sbuf *out, const struct coverage_curve *c, int i)
{
    sbuf_printf(out, "$growth%d << EOD\n%sEOD\n$bound%d << EOD\n", i, c->growth.s, i);
    for (int b = 0; b < c->bounds; b++)
        sbuf_printf(out, "%d %.4f\n", b, 100 * c->by_bound[b] / c->states);
    sbuf_puts(out, "EOD\n");
}

static void put_plot(struct sbuf *out, const struct coverage_curve *c, int count,
                     const char *block, int bounded)
{
    const char *sep = "plot ";
    for (int i = 0; i < count; i++) {
        if (bounded && c[i].bounds < 2)
            continue;
        sbuf_printf(out, "%s$%s%d with linespoints pointsize 0.3 linewidth 2 title '%s'", sep, block, i,
                    c[i].name);
        sep = ", ";
    }
    sbuf_putc(out, '\n');
}

static void put_script(struct sbuf *out, const struct coverage_curve *c, int count, const char *picture)
{
    int png = strlen(picture) > 4 && !strcmp(picture + strlen(picture) - 4, ".png");
    int bounded = 0;
    for (int i = 0; i < count; i++) {
        put_data(out, &c[i], i);
        bounded |= c[i].bounds > 1;
    }
    sbuf_printf(out, "set terminal %s size %d,480\nset output '%s'\nset key bottom right\nset grid\n",
                png ? "pngcairo" : "svg dynamic", bounded ? 1100 : 600, picture);
    if (bounded)
        sbuf_puts(out, "set multiplot layout 1,2\n");
    sbuf_puts(out, "set title 'coverage growth'\nset xlabel 'executions'\nset ylabel 'distinct states'\n"
                   "set logscale xy\n");
    put_plot(out, c, count, "growth", 0);
    if (!bounded)
        return;
    sbuf_puts(out, "unset logscale\nset title 'coverage by bound'\nset xlabel 'preemptions'\n"
                   "set ylabel '% of the states seen'\nset yrange [0:100]\n");
    put_plot(out, c, count, "bound", 1);
    sbuf_puts(out, "unset multiplot\n");
}

static int run_gnuplot(const struct sbuf *script, struct error *e)
{
    FILE *g = popen("gnuplot 2>/dev/null", "w");
    if (!g)
        return error_set(e, EXIT_INTERNAL, "cannot start gnuplot: %s", strerror(errno));
    fwrite(script->s, 1, script->len, g);
    int status = pclose(g);
    if (status == 0)
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        error_set(e, EXIT_USAGE, "gnuplot is not installed");
        return error_todo(e, "install it; the CSV file holds all the numbers");
    }
    return error_set(e, EXIT_USAGE, "gnuplot could not draw the picture (can it be written?)");
}

int coverage_draw(char **files, int count, const char *picture, struct error *e)
{
    struct coverage_curve *curves = mem_alloc((size_t)count * sizeof *curves);
    struct sbuf script = {0};
    int failed = 0;
    if (strpbrk(picture, "'\\\n"))
        failed = error_set(e, EXIT_USAGE, "the picture's name must not contain quotes");
    for (int i = 0; i < count && !failed; i++)
        failed = read_curve(&curves[i], files[i], e);
    if (!failed) {
        put_script(&script, curves, count, picture);
        failed = run_gnuplot(&script, e);
    }
    for (int i = 0; i < count; i++)
        sbuf_free(&curves[i].growth);
    sbuf_free(&script);
    free(curves);
    return failed;
}
