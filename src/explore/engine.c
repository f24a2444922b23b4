#include "explore/engine.h"

#include <stdlib.h>
#include <string.h>

#define ENGINE(symbol) extern const struct engine_class engine_##symbol;
#include "explore/engines.def"
#undef ENGINE

static const struct engine_class *const engines[] = {
#define ENGINE(symbol) &engine_##symbol,
#include "explore/engines.def"
#undef ENGINE
};

const struct engine_class *engine_find(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (!strcmp(engines[i]->name, name))
            return engines[i];
    return NULL;
}

uint64_t engine_option(const struct engine *e, const char *name, uint64_t otherwise)
{
    const char *o = (const char *)e->config->engine_options;
    size_t n = strlen(name);
    for (; *o; o += strlen(o) + 1)
        if (!strncmp(o, name, n) && o[n] == '=')
            return strtoull(o + n + 1, NULL, 0);
    return otherwise;
}
