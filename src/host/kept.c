#include "host/kept.h"

#include "base/ensure.h"
#include "base/mem.h"

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
    if (text && strlen(text) >= sizeof c->property)
        return error_set(e, EXIT_USAGE, "--property: more than %zu characters", sizeof c->property - 1);
    strncpy(c->property, text ? text : "", sizeof c->property - 1);
    return 0;
}

static char *property_text(const struct run_config *c)
{
    return c->property[0] ? mem_strdup(c->property) : NULL;
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
