/* An open hash table of pointers. */
#include "rewrite/rewrite.h"

#include <stdlib.h>

static size_t place(const struct shadows *s, const void *key)
{
    size_t i = ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15ull >> 20 & (s->room - 1);
    while (s->keys[i] && s->keys[i] != key)
        i = (i + 1) & (s->room - 1);
    return i;
}

void *shadows_get(const struct shadows *s, const void *key)
{
    return s->room ? s->values[place(s, key)] : NULL;
}

static void enlarge(struct shadows *s)
{
    struct shadows larger = {.room = s->room ? 2 * s->room : 256};
    larger.keys = calloc(larger.room, sizeof *larger.keys);
    larger.values = calloc(larger.room, sizeof *larger.values);
    if (!larger.keys || !larger.values)
        abort();
    for (size_t i = 0; i < s->room; i++)
        if (s->keys[i])
            shadows_set(&larger, s->keys[i], s->values[i]);
    shadows_free(s);
    *s = larger;
}

void shadows_set(struct shadows *s, const void *key, void *value)
{
    if (2 * (s->count + 1) > s->room)
        enlarge(s);
    size_t i = place(s, key);
    s->count += !s->keys[i];
    s->keys[i] = key;
    s->values[i] = value;
}

void shadows_free(struct shadows *s)
{
    free(s->keys);
    free(s->values);
    *s = (struct shadows){0};
}
