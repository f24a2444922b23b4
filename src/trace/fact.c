#include "trace/fact.h"

#include "base/ensure.h"

#include <stdio.h>
#include <string.h>

static const char *const phrases[] = {
#define FACT(kind, words) words,
#include "trace/fact.def"
#undef FACT
};

bool fact_same(const struct fact *a, const struct fact *b)
{
    return a->kind == b->kind && a->thread == b->thread && a->other == b->other && a->pc == b->pc &&
           a->object == b->object && a->number == b->number && !strcmp(a->word, b->word);
}

static int fill_in(const struct fact *f, char what, char *out, size_t size)
{
    switch (what) {
    case 't':
        return snprintf(out, size, "%d", f->other - 1);
    case 'n':
        return snprintf(out, size, "%llu", (unsigned long long)f->number);
    case 'x':
        return snprintf(out, size, f->number < 65536 ? "%llu" : "%#llx", (unsigned long long)f->number);
    case 's':
        return snprintf(out, size, "%s", f->number == 1 ? "" : "s");
    case 'w':
        return snprintf(out, size, "%s", f->word);
    default:
        return snprintf(out, size, "{}"); /* the object: whoever knows names */
    }
}

size_t fact_words(const struct fact *f, char *out, size_t size)
{
    ensure(f->kind < FACT_KINDS && size > 0);
    size_t n = 0;
    for (const char *p = phrases[f->kind]; *p && n + 1 < size; p++) {
        if (*p != '{') {
            out[n++] = *p;
            continue;
        }
        n += (size_t)fill_in(f, p[1], out + n, size - n);
        n = n < size ? n : size - 1;
        p = strchr(p, '}');
        ensure(p != NULL);
    }
    out[n] = 0;
    return n;
}
