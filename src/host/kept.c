#include "host/kept.h"

#include "base/ensure.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nondet_parse(const char *text, struct run_config *c, struct error *e)
{
    long low = 0, high;
    char *end;
    if (!text)
        return 0;
    high = strtol(text, &end, 10);
    if (end != text && !strncmp(end, "..", 2)) {
        low = high;
        text = end + 2;
        high = strtol(text, &end, 10);
    }
    if (end == text || *end || low > high || low < -30000 || high > 30000 || high - low > 30000)
        return error_set(e, EXIT_USAGE, "--nondet must be HIGH or LOW..HIGH, at most 30000 values");
    c->nondet = 1;
    c->nondet_low = (int32_t)low;
    c->nondet_high = (int32_t)high;
    return 0;
}

static char *nondet_text(const struct run_config *c)
{
    ensure(!c->nondet || c->nondet_low <= c->nondet_high);
    return c->nondet ? mem_printf("%d..%d", c->nondet_low, c->nondet_high) : NULL;
}

int status_parse(const char *text, struct run_config *c, struct error *e)
{
    char *end;
    c->status = 0;
    if (!text)
        return 0;
    if (!strcmp(text, "any")) {
        c->status = -1;
        return 0;
    }
    long status = strtol(text, &end, 10);
    if (end == text || *end || status < 0 || status > 255)
        return error_set(e, EXIT_USAGE, "--status must be between 0 and 255, or any");
    c->status = (int32_t)status;
    return 0;
}

static char *status_text(const struct run_config *c)
{
    return c->status < 0 ? mem_strdup("any") : c->status ? mem_printf("%d", c->status) : NULL;
}

int property_parse(const char *text, struct run_config *c, struct error *e)
{
    size_t n = text ? strlen(text) : 0;
    if (text && (!n || text[0] == ';' || text[n - 1] == ';' || strstr(text, ";;")))
        return error_set(e, EXIT_USAGE, "--property: one of them is empty");
    if (n >= sizeof c->property)
        return error_set(e, EXIT_USAGE, "--property: more than %zu characters", sizeof c->property - 1);
    strncpy(c->property, text ? text : "", sizeof c->property - 1);
    return 0;
}

static char *property_text(const struct run_config *c)
{
    return c->property[0] ? mem_strdup(c->property) : NULL;
}

int sym_args_parse(const char *text, struct run_config *c, struct error *e)
{
    unsigned low, high, length;
    char end;
    c->sym_args[0] = 0;
    if (!text)
        return 0;
    if (sscanf(text, "%u:%u:%u%c", &low, &high, &length, &end) != 3 || low > high || high > 200 ||
        !length || length > 4096)
        return error_set(e, EXIT_USAGE,
                         "--sym-args must be MIN:MAX:LEN, as in 1:3:8, at most 200 arguments of 4096 "
                         "characters");
    snprintf(c->sym_args, sizeof c->sym_args, "%u:%u:%u", low, high, length);
    return 0;
}

static char *sym_args_text(const struct run_config *c)
{
    return c->sym_args[0] ? mem_strdup(c->sym_args) : NULL;
}

/* NAME:N, separated by commas. */
static int parse_names(const char *option, const char *text, char *into, size_t room, struct error *e)
{
    into[0] = 0;
    for (const char *item = text; item && *item;) {
        size_t n = strcspn(item, ",");
        const char *colon = memrchr(item, ':', n);
        char *end;
        unsigned long size = colon ? strtoul(colon + 1, &end, 10) : 0;
        if (!colon || colon == item || colon - item > 60 || end != item + n || !size || size > 4096)
            return error_set(e, EXIT_USAGE, "%s must be NAME:N with N from 1 to 4096, or several of these "
                                            "separated by commas", option);
        item += n + (item[n] == ',');
    }
    if (text && strlen(text) >= room)
        return error_set(e, EXIT_USAGE, "%s is too long", option);
    snprintf(into, room, "%s", text ? text : "");
    return 0;
}

int sym_file_parse(const char *text, struct run_config *c, struct error *e)
{
    return parse_names("--sym-file", text, c->sym_file, sizeof c->sym_file, e);
}

static char *sym_file_text(const struct run_config *c)
{
    return c->sym_file[0] ? mem_strdup(c->sym_file) : NULL;
}

int sym_env_parse(const char *text, struct run_config *c, struct error *e)
{
    return parse_names("--sym-env", text, c->sym_env, sizeof c->sym_env, e);
}

static char *sym_env_text(const struct run_config *c)
{
    return c->sym_env[0] ? mem_strdup(c->sym_env) : NULL;
}

int kept_choice(const char *key, const char *text, const char *words, uint8_t *place, struct error *e)
{
    size_t length = text ? strlen(text) : 0;
    *place = 0;
    for (const char *w = words; text; w += strcspn(w, "|") + 1, ++*place) {
        if (strcspn(w, "|") == length && !strncmp(w, text, length))
            return 0;
        if (!w[strcspn(w, "|")])
            return error_set(e, EXIT_USAGE, "%s is one of %s, not '%s'", key, words, text);
    }
    return 0;
}

static char *choice_text(const char *words, unsigned place)
{
    for (; place; place--) {
        words += strcspn(words, "|");
        ensure(*words);
        words++;
    }
    return mem_strndup(words, strcspn(words, "|"));
}

void kept_write(const struct run_config *c, struct schedule *s)
{
#define KEPT_WRITE_INT(field, arg) s->field = (uint64_t)c->field;
#define KEPT_WRITE_COUNT KEPT_WRITE_INT
#define KEPT_WRITE_SIZE KEPT_WRITE_INT
#define KEPT_WRITE_FLAG KEPT_WRITE_INT
#define KEPT_WRITE_TEXT(field, arg) s->field = field##_text(c);
#define KEPT_WRITE_TEXTS KEPT_WRITE_TEXT
#define KEPT_WRITE_CHOICE(field, arg) s->field = choice_text(arg, c->field);
#define KEPT(type, field, key, letter, arg, otherwise, help) KEPT_WRITE_##type(field, arg)
#include "trace/kept.def"
#undef KEPT
}

int kept_read(const struct schedule *s, struct run_config *c, struct error *e)
{
    int bad = 0;
#define KEPT(type, field, key, ...) KEPT_TAKE(type, field, key, __VA_ARGS__, s, c, bad, e)
#include "trace/kept.def"
#undef KEPT
    return bad;
}
