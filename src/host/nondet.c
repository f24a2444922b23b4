#include "host/nondet.h"

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

char *nondet_text(const struct run_config *c)
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

char *status_text(const struct run_config *c)
{
    return c->status < 0 ? mem_strdup("any") : c->status ? mem_printf("%d", c->status) : NULL;
}
