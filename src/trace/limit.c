#include "trace/limit.h"

#include "base/ensure.h"

#include <stdio.h>

static const struct {
    const char *name, *words, *option;
} limit_table[] = {
#define LIMIT(kind, name, words, option) {name, words, option},
#include "trace/limit.def"
#undef LIMIT
};

_Static_assert(LIMITS <= 64, "they are bits of a word");

const char *limit_name(enum limit_kind which)
{
    ensure(which < LIMITS);
    return limit_table[which].name;
}

const char *limit_option(enum limit_kind which)
{
    ensure(which < LIMITS);
    return limit_table[which].option;
}

int limit_words(enum limit_kind which, uint64_t at, char *out, size_t size)
{
    ensure(which < LIMITS);
    ensure(size > 0);
    const char *option = limit_table[which].option;
    int n = snprintf(out, size, limit_table[which].words, (unsigned long long)at);
    if (n < 0 || (size_t)n >= size)
        return n;
    return n + snprintf(out + n, size - (size_t)n, *option ? " (%s)" : "; no option lifts that", option);
}
