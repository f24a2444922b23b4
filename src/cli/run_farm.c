#include "cli/run_farm.h"

#include "base/mem.h"
#include "base/sbuf.h"
#include "explore/engine.h"
#include "farm/ledger.h"
#include "farm/redis.h"
#include "host/kept.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int run_farm_check(const char *address, struct run_config *config, int coverage, struct farm_url *url,
                   struct error *e)
{
    const struct engine_class *engine = engine_find(config->engine);
    struct redis r;
    if (farm_url_parse(url, address, e))
        return -1;
    if (!engine->strides && !engine->give && !engine->portion)
        return error_set(e, EXIT_USAGE, "engine %s cannot be shared with other machines; those that can are "
                                        "auto, optimal, source, dpor-cr, dpor, dfs, reach, icb, idb, random, "
                                        "pct and pos",
                         config->engine);
    if (coverage || config->describe)
        return error_set(e, EXIT_USAGE, "--coverage, --lcov, --all-traces and what saves sequences keep what "
                                        "they see on one machine: not with --farm");
    if (redis_open(&r, url, 10, e))
        return -1;
    redis_close(&r);
    config->farm = 1;
    return 0;
}

static uint64_t mix(uint64_t h, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n > 0; n--)
        h = (h ^ *p++) * 0x100000001b3u;
    return h;
}

static uint64_t hash_input(int input)
{
    char buffer[65536];
    uint64_t h = 0;
    off_t at = 0;
    for (ssize_t n; input >= 0 && (n = pread(input, buffer, sizeof buffer, at)) > 0; at += n)
        h = mix(h ? h : 0xcbf29ce484222325u, buffer, (size_t)n);
    return h;
}

static void put_settings(struct sbuf *out, const struct run_config *c)
{
    sbuf_printf(out, "settings:");
    for (const char *s = (const char *)c->engine_options; *s; s += strlen(s) + 1)
        sbuf_printf(out, " %s", s);
    sbuf_printf(out, "\n");
}

/* A line for each option; the working directory and the environment are each participant's own. */
char *run_farm_identity(const struct run_config *c, const struct program *program, char **command, int input)
{
    struct sbuf out = {0};
    char *own = program_own_id();
    sbuf_printf(&out, "raddle: %s, items of version %u, messages of version %u\n", RADDLE_VERSION,
                WORK_VERSION, LEDGER_VERSION);
    sbuf_printf(&out, "build of raddle: %s\n", own);
    free(own);
    sbuf_printf(&out, "program: %s\n", program->id);
    sbuf_printf(&out, "arguments:");
    for (char **a = command + 1; *a; a++)
        sbuf_printf(&out, " %016" PRIx64, mix(0xcbf29ce484222325u, *a, strlen(*a)));
    sbuf_printf(&out, "\ninput: %016" PRIx64 "\nengine: %s\n", hash_input(input), c->engine);
    put_settings(&out, c);
#define NUMBER(name, value) sbuf_printf(&out, "%s: %lld\n", name, (long long)(value));
    NUMBER("--max-executions", c->max_executions)
    NUMBER("--memory", c->memory)
    NUMBER("--depth", c->depth)
    NUMBER("--bound", c->bound)
    NUMBER("--sleep", c->sleep)
    NUMBER("--symmetry", c->symmetry)
    NUMBER("--keep-going", c->keep_going)
#define NUMBER_INT(field, key) NUMBER("--" key, c->field)
#define NUMBER_COUNT NUMBER_INT
#define NUMBER_SIZE NUMBER_INT
#define NUMBER_FLAG NUMBER_INT
#define NUMBER_CHOICE NUMBER_INT
#define NUMBER_TEXT(field, key)
#define NUMBER_TEXTS(field, key) sbuf_printf(&out, "--%s: %s\n", key, c->field);
#define KEPT(type, field, key, ...) NUMBER_##type(field, key)
#include "trace/kept.def"
#undef KEPT
    NUMBER("--nondet low", c->nondet ? c->nondet_low : 0)
    NUMBER("--nondet high", c->nondet ? c->nondet_high : -1)
    NUMBER("--status", c->status)
    return out.s;
}
