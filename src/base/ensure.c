#include "base/ensure.h"

#include "base/error.h"

#include <stdlib.h>

void ensure_failed(const char *condition, const char *file, int line)
{
    struct error e = {0};
    error_internal(&e, "%s does not hold, %s:%d", condition, file, line);
    exit(error_print(&e));
}
