#include "explore/engine.h"

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
