#include "base/mem.h"

#include "base/bounded.h"
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p, size_t n)
{
    if (!p && n) {
        bounded_out_of_memory();
        error_fatal("out of memory (asked for %zu bytes)", n);
    }
    return p;
}

void *mem_alloc(size_t n)
{
    return checked(calloc(1, n ? n : 1), n);
}

void *mem_realloc(void *p, size_t n)
{
    return checked(realloc(p, n ? n : 1), n);
}

char *mem_strndup(const char *s, size_t n)
{
    return checked(strndup(s, n), n + 1);
}

char *mem_strdup(const char *s)
{
    return checked(strdup(s), 1);
}

char *mem_vprintf(const char *fmt, va_list ap)
{
    char *s = NULL;
    if (vasprintf(&s, fmt, ap) < 0)
        error_fatal("out of memory while formatting text");
    return s;
}

char *mem_printf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = mem_vprintf(fmt, ap);
    va_end(ap);
    return s;
}

void mem_vec_grow(void **items, size_t *room, size_t need, size_t size)
{
    if (need <= *room)
        return;
    size_t n = *room ? *room * 2 : 8;
    while (n < need)
        n *= 2;
    *items = mem_realloc(*items, n * size);
    *room = n;
}

void mem_vec_free(void **items, size_t *count, size_t *room)
{
    free(*items);
    *items = NULL;
    *count = *room = 0;
}
