#include "farm/bytes.h"

#include "base/ensure.h"
#include "base/mem.h"

#include <string.h>

static void reserve(struct work *w, uint64_t more)
{
    ensure(w->length <= w->room);
    if (w->room - w->length >= more)
        return;
    w->room = 2 * (w->length + more);
    w->bytes = mem_realloc(w->bytes, w->room);
}

void bytes_begin(struct work *w, enum work_kind kind)
{
    w->length = 0;
    reserve(w, 32);
    work_begin(w, kind);
}

void bytes_put(struct work *w, uint64_t value)
{
    reserve(w, 10);
    work_put(w, value);
}

void bytes_add(struct work *w, const unsigned char *bytes, uint64_t n)
{
    reserve(w, n);
    if (n)
        memcpy(w->bytes + w->length, bytes, n);
    w->length += n;
}
